//! What the process may do as its user, and who may look into it.

use rustix::io::Errno;
use rustix::process::{DumpableBehavior, Signal, set_dumpable_behavior, set_parent_process_death_signal};
use rustix::thread::{CapabilitySet, CapabilitySets, UnshareFlags, capabilities, set_capabilities, set_no_new_privs};

/// Nothing that is executed gains privileges.
pub(super) fn gain_none() -> Result<(), String> {
    set_no_new_privs(true).map_err(|error| format!("new privileges cannot be given up: {error}"))
}

/// Gives up what root has besides being a user: raising limits, sending signals to anybody, and the rest. It is an error where there
/// was something to give up and other threads keep it.
///
/// Reaching files of other users is kept where a folder was offered, which need not be root's; Landlock holds root as well.
pub(super) fn give_up(has_folder: bool, threads_before: bool) -> Result<(), String> {
    let wanted = if has_folder { CapabilitySet::DAC_OVERRIDE } else { CapabilitySet::empty() };
    let give = || -> Result<bool, Errno> {
        let had = capabilities(None)?.permitted;
        let kept = had & wanted;
        set_capabilities(None, CapabilitySets { effective: kept, permitted: kept, inheritable: CapabilitySet::empty() })?;
        Ok(had != kept)
    };
    match give() {
        Ok(true) if threads_before => Err(OTHERS_KEEP_THEIRS.to_owned()),
        Ok(_) => Ok(()),
        Err(error) => Err(format!("capabilities cannot be given up: {error}")),
    }
}

/// What is so where threads were there before and nothing holds them.
pub(super) const OTHERS_KEEP_THEIRS: &str = "there were threads before, and they keep what they have";

/// Other processes of the user may not read this one's memory or trace it.
pub(super) fn hide() -> Result<(), String> {
    set_dumpable_behavior(DumpableBehavior::NotDumpable).map_err(|error| format!("the process cannot be hidden from its user: {error}"))
}

/// The process is killed when the thread that started it ends.
pub(super) fn end_with_parent() -> Result<(), String> {
    set_parent_process_death_signal(Some(Signal::KILL)).map_err(|error| error.to_string())
}

/// A user and a network namespace in which nothing is.
#[expect(unsafe_code, reason = "leaving namespaces has no safe interface")]
pub(super) fn own_namespaces() -> Result<(), String> {
    // SAFETY: descriptors, memory and signal handlers stay shared between threads, since none of their flags is given.
    unsafe { rustix::thread::unshare_unsafe(UnshareFlags::NEWUSER | UnshareFlags::NEWNET) }
        .map_err(|error| format!("the machine refuses them: {error}"))
}
