//! The system calls that a worker may make: what the standard library, the C library's allocator and the engines need on threads that
//! are there, and nothing that reaches out of the process but reading and writing what is open.

use libc::{c_int, c_long};

use super::filter::{Test, Verdict};

/// What becomes of each call that is on the list, in the process of this id.
pub(super) fn list(process: u32, offers_files: bool) -> Vec<(u32, Verdict)> {
    let files = if offers_files { OF_FILES } else { &[] };
    let allowed = ALWAYS.iter().chain(files).map(|&call| (call, Verdict::Allow));
    let unknown = SAID_NOT_TO_EXIST.iter().map(|&call| (call, Verdict::Fail(NOT_THERE)));
    let some = by_arguments(process).into_iter().map(|(call, any)| (call, Verdict::Where(any)));
    // Numbers of calls are small.
    allowed.chain(unknown).chain(some).filter_map(|(call, verdict)| Some((u32::try_from(call).ok()?, verdict))).collect()
}

/// The error number of a call that does not exist, `ENOSYS`.
const NOT_THERE: u16 = 38;

/// Calls that the C library does without where they do not exist, and not where they are refused. The arguments of most lie in memory,
/// where no filter sees them.
const SAID_NOT_TO_EXIST: &[c_long] = &[libc::SYS_clone3, libc::SYS_openat2, libc::SYS_faccessat2, libc::SYS_sched_getaffinity];

/// Calls that need no look at their arguments.
const ALWAYS: &[c_long] = &[
    // What is open: the pipes to the host.
    libc::SYS_read,
    libc::SYS_write,
    libc::SYS_readv,
    libc::SYS_writev,
    libc::SYS_close,
    libc::SYS_pipe2,
    libc::SYS_fstat,
    libc::SYS_lseek,
    libc::SYS_ppoll,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_poll,
    // Memory; getting some of it is below.
    libc::SYS_brk,
    libc::SYS_munmap,
    libc::SYS_mremap,
    // Time and chance.
    libc::SYS_gettimeofday,
    libc::SYS_nanosleep,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_time,
    libc::SYS_getrandom,
    libc::SYS_getrusage,
    // Threads of this process, and its end.
    libc::SYS_getpid,
    libc::SYS_gettid,
    libc::SYS_set_robust_list,
    // The C library ends the process where a thread cannot have what its first one had.
    libc::SYS_rseq,
    libc::SYS_sched_yield,
    libc::SYS_restart_syscall,
    libc::SYS_exit,
    libc::SYS_exit_group,
    // Signals that it gets.
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    libc::SYS_sigaltstack,
];

/// Calls that name files, where a folder is offered: Landlock decides which. Owners, modes, times, links and attributes of files are not
/// among them, since Landlock would not hold those.
const OF_FILES: &[c_long] = &[
    libc::SYS_openat,
    libc::SYS_newfstatat,
    libc::SYS_statx,
    libc::SYS_faccessat,
    libc::SYS_readlinkat,
    libc::SYS_getdents64,
    libc::SYS_getcwd,
    libc::SYS_mkdirat,
    libc::SYS_unlinkat,
    libc::SYS_renameat,
    libc::SYS_renameat2,
    libc::SYS_ftruncate,
    libc::SYS_fsync,
    libc::SYS_fdatasync,
    libc::SYS_pread64,
    libc::SYS_pwrite64,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_open,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_stat,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_lstat,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_access,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_readlink,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_mkdir,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_rmdir,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_unlink,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_rename,
];

/// What a mapping may be besides private. Shared ones and stacks that grow would not count as data, and huge pages come from elsewhere.
const MAPPINGS: c_int = libc::MAP_ANONYMOUS
    | libc::MAP_FIXED
    | libc::MAP_FIXED_NOREPLACE
    | libc::MAP_NORESERVE
    | libc::MAP_STACK
    | libc::MAP_POPULATE
    | libc::MAP_DENYWRITE
    | MAP_32BIT;
#[cfg(target_arch = "x86_64")]
const MAP_32BIT: c_int = libc::MAP_32BIT;
#[cfg(not(target_arch = "x86_64"))]
const MAP_32BIT: c_int = 0;

/// What the flags of a new thread hold.
const THREAD: c_int = libc::CLONE_VM | libc::CLONE_FS | libc::CLONE_FILES | libc::CLONE_SIGHAND | libc::CLONE_THREAD;
/// What they may hold besides: nothing that makes a process, a namespace or another parent.
const OF_A_THREAD: c_int = libc::CLONE_SYSVSEM
    | libc::CLONE_SETTLS
    | libc::CLONE_PARENT_SETTID
    | libc::CLONE_CHILD_CLEARTID
    | libc::CLONE_CHILD_SETTID
    | libc::CLONE_DETACHED;

/// The last of the clocks that have a number of their own: others belong to another process or to a device.
const LAST_CLOCK: c_int = libc::CLOCK_TAI;

/// Advice about memory that allocators and thread stacks give, with the two for guard pages, which the crate `libc` does not name yet.
const ADVICE: [c_int; 8] =
    [libc::MADV_NORMAL, libc::MADV_WILLNEED, libc::MADV_DONTNEED, libc::MADV_FREE, libc::MADV_HUGEPAGE, libc::MADV_NOHUGEPAGE, 102, 103];
/// What locks and condition variables are made of; futexes that lend priority are not.
const FUTEX: [c_int; 7] = [
    libc::FUTEX_WAIT,
    libc::FUTEX_WAKE,
    libc::FUTEX_REQUEUE,
    libc::FUTEX_CMP_REQUEUE,
    libc::FUTEX_WAKE_OP,
    libc::FUTEX_WAIT_BITSET,
    libc::FUTEX_WAKE_BITSET,
];

/// Calls that depend on their arguments, and what these are to be.
fn by_arguments(process: u32) -> Vec<(c_long, Vec<Vec<Test>>)> {
    let of_futex = |operation| vec![within(1, !(libc::FUTEX_PRIVATE_FLAG | libc::FUTEX_CLOCK_REALTIME), operation)];
    let any_flags = [libc::F_GETFD, libc::F_SETFD, libc::F_GETFL, libc::F_DUPFD_CLOEXEC].map(|command| vec![equals(1, command)]);
    // A descriptor that raises signals could raise them in another process.
    let without_signals = vec![equals(1, libc::F_SETFL), within(2, libc::O_ASYNC, 0)];
    let not_executed = within(2, !(libc::PROT_READ | libc::PROT_WRITE), 0);
    let own_clock = Test { or_less: true, ..equals(0, LAST_CLOCK) };
    vec![
        // Nothing that is mapped can be executed, at first or later.
        (libc::SYS_mmap, vec![vec![not_executed, within(3, !MAPPINGS, libc::MAP_PRIVATE)]]),
        (libc::SYS_mprotect, vec![vec![not_executed]]),
        (libc::SYS_madvise, ADVICE.map(|advice| vec![equals(2, advice)]).into()),
        (libc::SYS_futex, FUTEX.map(of_futex).into()),
        (libc::SYS_clone, vec![vec![within(0, !OF_A_THREAD, THREAD)]]),
        (libc::SYS_clock_gettime, vec![vec![own_clock]]),
        (libc::SYS_clock_getres, vec![vec![own_clock]]),
        (libc::SYS_clock_nanosleep, vec![vec![own_clock]]),
        (libc::SYS_fcntl, any_flags.into_iter().chain([without_signals]).collect()),
        // Looking at a limit of its own, and setting none.
        (libc::SYS_prlimit64, vec![vec![equals(0, 0), equals(2, 0), Test { upper: true, ..equals(2, 0) }]]),
        // The name of a thread is all that it may set.
        (libc::SYS_prctl, vec![vec![equals(0, libc::PR_SET_NAME)]]),
        // An abort is a signal to oneself.
        (libc::SYS_tgkill, vec![vec![equals(0, process.cast_signed())]]),
    ]
}

/// The lower half of an argument is this.
fn equals(argument: u8, value: c_int) -> Test {
    within(argument, -1, value)
}

/// The bits under this mask are exactly these.
fn within(argument: u8, mask: c_int, bits: c_int) -> Test {
    Test { argument, upper: false, mask: mask.cast_unsigned(), bits: bits.cast_unsigned(), or_less: false }
}
