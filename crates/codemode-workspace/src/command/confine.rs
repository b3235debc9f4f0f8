//! What holds a command in: Landlock, where the machine has it.

use std::fmt;

/// What holds the commands of `execute` in on this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Confinement {
    /// Landlock: a command writes only beneath the root, in its own temporary folder and to devices such as `/dev/null`.
    Landlock {
        /// The version of Landlock's interface in use. Below 3, truncating a file elsewhere is not prevented.
        abi: u32,
        /// Whether a command can signal none but its own processes, and connect to no abstract socket of others (6 and later).
        scoped: bool,
    },
    /// Nothing: a command may do whatever this user may.
    None {
        /// Why.
        reason: String,
    },
}

impl Confinement {
    /// Whether anything holds commands in.
    #[must_use]
    pub fn is_in_force(&self) -> bool {
        !matches!(self, Self::None { .. })
    }
}

impl fmt::Display for Confinement {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Landlock { abi, scoped } => write!(
                formatter,
                "confined by Landlock (version {abi}): it can write only beneath the workspace root, in a temporary folder of its own (TMPDIR) and to \
                 devices such as /dev/null{}; what it reads, which programs it runs, the network and sockets in the file system are not confined",
                if *scoped { ", and signal only processes of its own" } else { "" }
            ),
            Self::None { reason } => write!(formatter, "not confined ({reason}): it can read, write and run whatever this user can"),
        }
    }
}

/// What would hold a command in if it ran now; tried out on a thread that ends at once.
#[must_use]
pub fn execute_confinement() -> Confinement {
    let tried = std::thread::scope(|scope| scope.spawn(|| restrict_thread(&[])).join());
    match tried {
        Ok(Ok(confinement)) => confinement,
        Ok(Err(reason)) => Confinement::None { reason },
        Err(_) => Confinement::None { reason: "trying it out failed".to_owned() },
    }
}

#[cfg(target_os = "linux")]
pub(super) use linux::restrict_thread;

#[cfg(target_os = "linux")]
mod linux {
    use std::os::fd::BorrowedFd;

    use landlock::{
        ABI, Access, AccessFs, LandlockStatus, PathBeneath, RestrictionStatus, Ruleset, RulesetAttr, RulesetCreatedAttr, RulesetError,
        RulesetStatus, Scope, path_beneath_rules,
    };

    use super::Confinement;

    /// The newest interface whose rights are asked for; an older kernel is asked for those that it has.
    const WANTED: ABI = ABI::V7;
    /// The first interface that can hold in signals and abstract sockets.
    const SCOPES: u32 = 6;
    /// Devices that forget or make up what they are asked.
    const DEVICES: [&str; 5] = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];

    /// Confines the calling thread, and so all that it starts, to writing beneath these folders. There is no way back.
    pub(in crate::command) fn restrict_thread(writable: &[BorrowedFd<'_>]) -> Result<Confinement, String> {
        restrict(writable).map(|status| confinement(&status)).map_err(|error| error.to_string())
    }

    fn restrict(writable: &[BorrowedFd<'_>]) -> Result<RestrictionStatus, RulesetError> {
        let writing = AccessFs::from_write(WANTED);
        Ruleset::default()
            .handle_access(writing)?
            .scope(Scope::from_all(WANTED))?
            .create()?
            .add_rules(writable.iter().map(|folder| Ok::<_, RulesetError>(PathBeneath::new(folder, writing))))?
            .add_rules(path_beneath_rules(DEVICES, writing))?
            .restrict_self()
    }

    fn confinement(status: &RestrictionStatus) -> Confinement {
        match (&status.ruleset, &status.landlock) {
            (RulesetStatus::FullyEnforced | RulesetStatus::PartiallyEnforced, LandlockStatus::Available { effective_abi, .. }) => {
                let abi = *effective_abi as u32;
                Confinement::Landlock { abi, scoped: abi >= SCOPES }
            }
            (_, LandlockStatus::NotEnabled) => Confinement::None { reason: "Landlock is not enabled in this kernel".to_owned() },
            _ => Confinement::None { reason: "this kernel has no Landlock".to_owned() },
        }
    }
}

/// Other systems have nothing that a thread could put on itself.
#[cfg(not(target_os = "linux"))]
pub(super) fn restrict_thread(_writable: &[std::os::fd::BorrowedFd<'_>]) -> Result<Confinement, String> {
    Ok(Confinement::None { reason: "Landlock is there on Linux only".to_owned() })
}
