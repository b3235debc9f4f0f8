//! Landlock: files beneath one folder alone, no TCP, no signals and no abstract sockets to others, as far as the kernel has it.

use std::os::fd::OwnedFd;

use ::landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, LandlockStatus, PathBeneath, RestrictSelfAttr, RestrictionStatus, Ruleset, RulesetAttr,
    RulesetCreatedAttr, RulesetError, RulesetStatus, Scope,
};

/// The newest version whose rights are asked for; an older kernel is asked for those that it has.
const NEWEST: ABI = ABI::V10;
/// The first version that can hold threads that are there already.
const HOLDS_EVERY_THREAD: u32 = 8;

/// What Landlock holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Landlocked {
    /// The version in force.
    pub(super) version: u32,
    /// Whether it holds the whole process, and not the calling thread and those that this one starts alone.
    pub(super) every_thread: bool,
}

/// Restricts this process to this folder, or to no file at all; an error says why nothing holds.
pub(super) fn restrict(folder: Option<&OwnedFd>, threads_before: bool, newest: Option<u32>) -> Result<Landlocked, String> {
    let abi = newest.and_then(|newest| i32::try_from(newest).ok()).map_or(NEWEST, |newest| ABI::from(newest).min(NEWEST));
    if abi == ABI::Unsupported {
        return Err("this kernel has no Landlock".to_owned());
    }
    let status = restrict_to(folder, abi, threads_before).map_err(|error| format!("Landlock refuses: {error}"))?;
    match (&status.ruleset, &status.landlock) {
        (RulesetStatus::FullyEnforced | RulesetStatus::PartiallyEnforced, LandlockStatus::Available { effective_abi, .. }) => {
            let version = (*effective_abi).min(abi) as u32;
            Ok(Landlocked { version, every_thread: status.all_threads || !threads_before })
        }
        (_, LandlockStatus::NotEnabled) => Err("Landlock is not enabled in this kernel".to_owned()),
        _ => Err("this kernel has no Landlock".to_owned()),
    }
}

fn restrict_to(folder: Option<&OwnedFd>, abi: ABI, threads_before: bool) -> Result<RestrictionStatus, RulesetError> {
    let mut ruleset = Ruleset::default().handle_access(AccessFs::from_all(abi))?;
    let (network, scopes) = (AccessNet::from_all(abi), Scope::from_all(abi));
    if !network.is_empty() {
        ruleset = ruleset.handle_access(network)?;
    }
    if !scopes.is_empty() {
        ruleset = ruleset.scope(scopes)?;
    }
    let rules = folder.map(|folder| Ok::<_, RulesetError>(PathBeneath::new(folder, reading_and_writing(abi))));
    let ruleset = ruleset.create()?.add_rules(rules)?;
    let every_thread = threads_before && abi as u32 >= HOLDS_EVERY_THREAD;
    ruleset.all_threads(every_thread)?.restrict_self()
}

/// What may be done beneath the folder: no devices, no pipes, no sockets, no links, and nothing is executed.
fn reading_and_writing(abi: ABI) -> BitFlags<AccessFs> {
    let wanted = AccessFs::ReadFile
        | AccessFs::ReadDir
        | AccessFs::WriteFile
        | AccessFs::Truncate
        | AccessFs::MakeReg
        | AccessFs::MakeDir
        | AccessFs::RemoveFile
        | AccessFs::RemoveDir
        | AccessFs::Refer;
    wanted & AccessFs::from_all(abi)
}
