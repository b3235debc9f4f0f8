//! The filter of system calls: what is on no list fails with "operation not permitted".
//!
//! A call fails rather than kills: an engine or the C library that asks for something it can do without goes on, and knowing the error
//! number helps nobody who is inside. A call of another architecture kills, since its numbers mean other calls.

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub(super) use listed::install;

/// Other processors have no list of calls yet.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
pub(super) fn install(_offers_files: bool) -> Result<(), String> {
    Err(format!("there is no list of system calls for {}", std::env::consts::ARCH))
}

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod listed {
    use std::collections::BTreeMap;

    use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, SeccompRule, TargetArch, apply_filter_all_threads};

    use super::super::calls;

    #[cfg(target_arch = "x86_64")]
    const HERE: TargetArch = TargetArch::x86_64;
    #[cfg(target_arch = "aarch64")]
    const HERE: TargetArch = TargetArch::aarch64;

    type Rules = BTreeMap<i64, Vec<SeccompRule>>;

    /// Filters the calls of every thread from now on, and of those that they start.
    pub(in crate::sandbox) fn install(offers_files: bool) -> Result<(), String> {
        filters(offers_files)
            .and_then(|filters| filters.iter().try_for_each(|filter| apply_filter_all_threads(filter)))
            .map_err(|error| format!("the filter of system calls is refused: {error}"))
    }

    /// Two, since one filter has one error number. The kernel asks both and takes the stricter answer; that for calls which are said not
    /// to exist comes first, since the other one withholds the call that installs filters.
    fn filters(offers_files: bool) -> Result<[BpfProgram; 2], seccompiler::Error> {
        let unknown: Rules = calls::SAID_NOT_TO_EXIST.iter().map(|&call| (call, Vec::new())).collect();
        let mut allowed = unknown.clone();
        allowed.extend(calls::ALWAYS.iter().map(|&call| (call, Vec::new())));
        allowed.extend(calls::by_arguments(std::process::id())?);
        if offers_files {
            allowed.extend(calls::OF_FILES.iter().map(|&call| (call, Vec::new())));
        }
        Ok([
            program(unknown, SeccompAction::Allow, SeccompAction::Errno(libc::ENOSYS.unsigned_abs()))?,
            program(allowed, SeccompAction::Errno(libc::EPERM.unsigned_abs()), SeccompAction::Allow)?,
        ])
    }

    fn program(rules: Rules, others: SeccompAction, listed: SeccompAction) -> Result<BpfProgram, seccompiler::Error> {
        Ok(SeccompFilter::new(rules, others, listed, HERE)?.try_into()?)
    }
}
