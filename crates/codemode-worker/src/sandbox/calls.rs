//! The system calls that a worker may make: what the standard library, the C library's allocator and the engines need on threads that
//! are there, and nothing that reaches out of the process but reading and writing what is open.
#![cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]

use libc::c_int;
use seccompiler::{SeccompCmpArgLen as Width, SeccompCmpOp as Is, SeccompCondition, SeccompRule};

/// Calls of the C library's that has a way without them, and takes it where they do not exist: their arguments lie in memory, where no
/// filter sees them.
pub(super) const SAID_NOT_TO_EXIST: &[i64] = &[libc::SYS_clone3, libc::SYS_openat2, libc::SYS_faccessat2];

/// Calls that need no look at their arguments.
pub(super) const ALWAYS: &[i64] = &[
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
pub(super) const OF_FILES: &[i64] = &[
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

/// Calls that depend on their arguments; `process` is this process.
pub(super) fn by_arguments(process: u32) -> Result<Vec<(i64, Vec<SeccompRule>)>, seccompiler::BackendError> {
    let of_futex = |operation: c_int| [within(1, !(libc::FUTEX_PRIVATE_FLAG | libc::FUTEX_CLOCK_REALTIME), operation)];
    let copies = [libc::F_GETFD, libc::F_SETFD, libc::F_GETFL, libc::F_DUPFD_CLOEXEC].map(|command| vec![equals(1, command)]);
    // A descriptor that raises signals could raise them in another process.
    let without_signals = vec![equals(1, libc::F_SETFL), within(2, libc::O_ASYNC, 0)];
    Ok(vec![
        // Nothing that is mapped can be executed, at first or later.
        (libc::SYS_mmap, rules([[within(2, !(libc::PROT_READ | libc::PROT_WRITE), 0), within(3, !MAPPINGS, libc::MAP_PRIVATE)]])?),
        (libc::SYS_mprotect, rules([[within(2, !(libc::PROT_READ | libc::PROT_WRITE), 0)]])?),
        (libc::SYS_madvise, rules(ADVICE.map(|advice| [equals(2, advice)]))?),
        (libc::SYS_futex, rules(FUTEX.map(of_futex))?),
        (libc::SYS_clone, rules([[within(0, !OF_A_THREAD, THREAD)]])?),
        (libc::SYS_clock_gettime, rules([[clock()]])?),
        (libc::SYS_clock_getres, rules([[clock()]])?),
        (libc::SYS_clock_nanosleep, rules([[clock()]])?),
        (libc::SYS_fcntl, rules(copies.into_iter().chain([without_signals]))?),
        // Looking at a limit of its own, and setting none.
        (libc::SYS_prlimit64, rules([[equals(0, 0), null(2)]])?),
        (libc::SYS_sched_getaffinity, rules([[equals(0, 0)]])?),
        // The name of a thread is all that it may set.
        (libc::SYS_prctl, rules([[equals(0, libc::PR_SET_NAME)]])?),
        // An abort is a signal to oneself.
        (libc::SYS_tgkill, rules([[equals(0, process.cast_signed())]])?),
    ])
}

/// What a call's argument is to be, as 32 bits where the kernel reads no more.
type Condition = Result<SeccompCondition, seccompiler::BackendError>;

/// A call is allowed where all conditions of one of these hold.
fn rules<C: IntoIterator<Item = Condition>>(any: impl IntoIterator<Item = C>) -> Result<Vec<SeccompRule>, seccompiler::BackendError> {
    any.into_iter().map(|all| SeccompRule::new(all.into_iter().collect::<Result<_, _>>()?)).collect()
}

fn equals(argument: u8, value: c_int) -> Condition {
    SeccompCondition::new(argument, Width::Dword, Is::Eq, value.cast_unsigned().into())
}

/// The argument's bits under this mask are exactly these.
fn within(argument: u8, mask: c_int, bits: c_int) -> Condition {
    SeccompCondition::new(argument, Width::Dword, Is::MaskedEq(mask.cast_unsigned().into()), bits.cast_unsigned().into())
}

fn null(argument: u8) -> Condition {
    SeccompCondition::new(argument, Width::Qword, Is::Eq, 0)
}

fn clock() -> Condition {
    SeccompCondition::new(0, Width::Dword, Is::Le, LAST_CLOCK.cast_unsigned().into())
}
