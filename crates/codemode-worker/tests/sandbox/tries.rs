//! What is tried from inside, one system call or one use of the standard library each, and what came of it.
#![expect(unsafe_code, reason = "what a program could try natively has no safe interface")]

use std::collections::HashMap;
use std::ffi::{CStr, CString, c_long, c_void};
use std::path::PathBuf;
use std::ptr::{null, null_mut};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use codemode_core::{Authority, Engine, Guard, OpenSpec, Profile};
use codemode_luajit::LuaJit;
use codemode_quickjs::QuickJs;
use serde::{Deserialize, Serialize};

/// One try and what came of it: `done`, or the name of an error.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Tried(pub(crate) String, pub(crate) String);

/// What was known before it entered.
#[derive(Clone, Copy)]
pub(crate) struct Before {
    parent: i32,
    network: u64,
    /// Memory that may be written.
    page: usize,
}

impl Before {
    pub(crate) fn look() -> Self {
        Self {
            parent: rustix::process::getppid().expect("a parent").as_raw_nonzero().get(),
            network: rustix::fs::stat(NETWORK).expect("a namespace").st_ino,
            page: map(libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE).expect("a page") as usize,
        }
    }
}

/// Makes these tries, in order.
pub(crate) fn make(names: &[String], before: &Before) -> Vec<Tried> {
    let one = |name: &String| Tried(name.clone(), one(name, before).map_or_else(|error| error_name(&error), |()| "done".to_owned()));
    names.iter().map(one).collect()
}

/// Ends this process in a way that is not ordinary.
pub(crate) fn end(how: &str) {
    match how {
        "abort" => std::process::abort(),
        "wait" => {
            let _ = std::io::copy(&mut std::io::stdin(), &mut std::io::sink());
        }
        "spin" => loop {
            std::hint::spin_loop();
        },
        "complain" => {
            let written = rustix::io::write(rustix::stdio::stderr(), b"more\n").map(|_| ());
            std::process::exit(i32::from(written == Err(rustix::io::Errno::FBIG)));
        }
        #[cfg(target_arch = "x86_64")]
        "call of another architecture" => {
            let mut number = 20_u64;
            // SAFETY: this asks 32-bit Linux for the process's id, which changes nothing but the one register.
            unsafe { std::arch::asm!("int 0x80", inout("rax") number) };
            std::process::exit(i32::from(number != 0));
        }
        other => panic!("{other} is no end"),
    }
}

type Got = std::io::Result<()>;

fn error_name(error: &std::io::Error) -> String {
    let number = error.raw_os_error();
    let known = [
        (libc::EPERM, "EPERM"),
        (libc::EACCES, "EACCES"),
        (libc::ENOSYS, "ENOSYS"),
        (libc::ENOMEM, "ENOMEM"),
        (libc::EBADF, "EBADF"),
        (libc::ENOENT, "ENOENT"),
        (libc::EXDEV, "EXDEV"),
        (libc::EMFILE, "EMFILE"),
    ];
    let name = known.iter().find(|(known, _)| Some(*known) == number);
    name.map_or_else(|| error.to_string(), |(_, name)| (*name).to_owned())
}

/// A system call by its number.
macro_rules! call {
    ($number:expr $(, $argument:expr)* $(,)?) => {
        // SAFETY: each argument is a number, or a pointer to what lives longer than the call; the calls with other effects are those
        // that the sandbox is to refuse, and this process does nothing but try them.
        match unsafe { libc::syscall($number $(, $argument)*) } {
            -1 => Err(std::io::Error::last_os_error()),
            _ => Ok(()),
        }
    };
}

/// A call that would make a process or a thread without memory of its own: the new one would end at once.
fn new_process(number: c_long, first: c_long, second: c_long) -> Got {
    // SAFETY: the arguments are numbers or a pointer to what lives longer. Only a plain fork is ever made where it is not refused, and a
    // fork of this one thread may call `_exit`.
    match unsafe { libc::syscall(number, first, second, 0, 0, 0) } {
        -1 => Err(std::io::Error::last_os_error()),
        // SAFETY: it ends without running anything else of this program.
        0 => unsafe { libc::_exit(0) },
        _ => Ok(()),
    }
}

/// The C library's own way to make a process.
fn fork() -> Got {
    // SAFETY: a fork of the only thread may do what this one may, and it ends at once.
    match unsafe { libc::fork() } {
        -1 => Err(std::io::Error::last_os_error()),
        // SAFETY: it ends without running anything else of this program.
        0 => unsafe { libc::_exit(0) },
        _ => Ok(()),
    }
}

/// What a thread's flags hold.
const THREAD: i32 = libc::CLONE_VM | libc::CLONE_FS | libc::CLONE_FILES | libc::CLONE_SIGHAND | libc::CLONE_THREAD;

fn map(protection: i32, flags: i32) -> std::io::Result<*mut c_void> {
    // SAFETY: the address is the kernel's choice, so that nothing of ours is replaced.
    let page = unsafe { libc::mmap(null_mut(), 4096, protection, flags | libc::MAP_ANONYMOUS, -1, 0) };
    if page == libc::MAP_FAILED { Err(std::io::Error::last_os_error()) } else { Ok(page) }
}

fn hour() -> i32 {
    // SAFETY: all zeros is a valid time in parts, and both pointers live longer than the call.
    unsafe {
        let mut parts: libc::tm = std::mem::zeroed();
        libc::localtime_r(&86_400, &raw mut parts);
        parts.tm_hour
    }
}

/// The network namespace of the process.
const NETWORK: &str = "/proc/self/ns/net";

/// A path in the C library's form.
fn path(text: &str) -> CString {
    CString::new(text).expect("no zero in it")
}

const HERE: i32 = libc::AT_FDCWD;
const OUTSIDE: &CStr = c"/etc/passwd";
const NEW: &CStr = c"/tmp/codemode-sandbox-probe";

#[expect(clippy::too_many_lines, reason = "a table of what is tried")]
fn one(name: &str, before: &Before) -> Got {
    let parent = before.parent;
    let (mut words, mut four) = ([0_u64; 32], [0_i32; 4]);
    let (words, four) = (words.as_mut_ptr(), four.as_mut_ptr());
    if let Some((what, file)) = name.split_once(" beneath ") {
        return in_folder(what, PathBuf::from(file));
    }
    match name {
        // Files.
        "openat" => call!(libc::SYS_openat, HERE, OUTSIDE.as_ptr(), libc::O_RDONLY),
        "openat, path only" => call!(libc::SYS_openat, HERE, OUTSIDE.as_ptr(), libc::O_PATH),
        "openat, own memory" => call!(libc::SYS_openat, HERE, c"/proc/self/mem".as_ptr(), libc::O_RDWR),
        "openat, a folder" => call!(libc::SYS_openat, HERE, c"/".as_ptr(), libc::O_RDONLY | libc::O_DIRECTORY),
        "openat2" => call!(libc::SYS_openat2, HERE, OUTSIDE.as_ptr(), words, 24),
        "create" => call!(libc::SYS_openat, HERE, NEW.as_ptr(), libc::O_WRONLY | libc::O_CREAT, 0o600),
        "create, std" => std::fs::write("/tmp/codemode-sandbox-probe", "x"),
        "read, std" => std::fs::read("/etc/passwd").map(|_| ()),
        "list, std" => std::fs::read_dir("/").map(|_| ()),
        "stat, std" => std::fs::metadata("/etc/passwd").map(|_| ()),
        "newfstatat" => call!(libc::SYS_newfstatat, HERE, OUTSIDE.as_ptr(), words, 0),
        "statx" => call!(libc::SYS_statx, HERE, OUTSIDE.as_ptr(), 0, libc::STATX_ALL, words),
        "faccessat" => call!(libc::SYS_faccessat, HERE, OUTSIDE.as_ptr(), libc::R_OK),
        "readlinkat" => call!(libc::SYS_readlinkat, HERE, c"/proc/self/exe".as_ptr(), words, 200),
        "getcwd" => call!(libc::SYS_getcwd, words, 200),
        "chdir" => call!(libc::SYS_chdir, c"/".as_ptr()),
        "mkdirat" => call!(libc::SYS_mkdirat, HERE, NEW.as_ptr(), 0o700),
        "mknodat" => call!(libc::SYS_mknodat, HERE, NEW.as_ptr(), libc::S_IFIFO | 0o600, 0),
        "unlinkat" => call!(libc::SYS_unlinkat, HERE, NEW.as_ptr(), 0),
        "renameat" => call!(libc::SYS_renameat, HERE, NEW.as_ptr(), HERE, NEW.as_ptr()),
        "linkat" => call!(libc::SYS_linkat, HERE, OUTSIDE.as_ptr(), HERE, NEW.as_ptr(), 0),
        "symlinkat" => call!(libc::SYS_symlinkat, OUTSIDE.as_ptr(), HERE, NEW.as_ptr()),
        "fchmodat" => call!(libc::SYS_fchmodat, HERE, NEW.as_ptr(), 0o600),
        "fchownat" => call!(libc::SYS_fchownat, HERE, NEW.as_ptr(), -1, -1, 0),
        "utimensat" => call!(libc::SYS_utimensat, HERE, NEW.as_ptr(), null::<u8>(), 0),
        "setxattr" => call!(libc::SYS_setxattr, NEW.as_ptr(), c"user.a".as_ptr(), c"b".as_ptr(), 1, 0),
        "truncate" => call!(libc::SYS_truncate, NEW.as_ptr(), 0),
        "statfs" => call!(libc::SYS_statfs, c"/".as_ptr(), words),
        "inotify_init1" => call!(libc::SYS_inotify_init1, 0),
        "mount" => call!(libc::SYS_mount, null::<u8>(), c"/proc".as_ptr(), c"tmpfs".as_ptr(), 0, null::<u8>()),
        "chroot" => call!(libc::SYS_chroot, c"/".as_ptr()),
        "open_by_handle_at" => call!(libc::SYS_open_by_handle_at, HERE, words, libc::O_RDONLY),
        #[cfg(target_arch = "x86_64")]
        "open" => call!(libc::SYS_open, OUTSIDE.as_ptr(), libc::O_RDONLY),
        #[cfg(target_arch = "x86_64")]
        "creat" => call!(libc::SYS_creat, NEW.as_ptr(), 0o600),
        #[cfg(target_arch = "x86_64")]
        "stat" => call!(libc::SYS_stat, OUTSIDE.as_ptr(), words),
        #[cfg(target_arch = "x86_64")]
        "access" => call!(libc::SYS_access, OUTSIDE.as_ptr(), libc::R_OK),
        // Network.
        "socket, inet tcp" => call!(libc::SYS_socket, libc::AF_INET, libc::SOCK_STREAM, 0),
        "socket, inet udp" => call!(libc::SYS_socket, libc::AF_INET, libc::SOCK_DGRAM, 0),
        "socket, inet6 tcp" => call!(libc::SYS_socket, libc::AF_INET6, libc::SOCK_STREAM, 0),
        "socket, inet raw" => call!(libc::SYS_socket, libc::AF_INET, libc::SOCK_RAW, libc::IPPROTO_ICMP),
        "socket, unix" => call!(libc::SYS_socket, libc::AF_UNIX, libc::SOCK_STREAM, 0),
        "socket, netlink" => call!(libc::SYS_socket, libc::AF_NETLINK, libc::SOCK_RAW, 0),
        "socket, packet" => call!(libc::SYS_socket, libc::AF_PACKET, libc::SOCK_RAW, 0),
        "socket, vsock" => call!(libc::SYS_socket, libc::AF_VSOCK, libc::SOCK_STREAM, 0),
        "socketpair" => call!(libc::SYS_socketpair, libc::AF_UNIX, libc::SOCK_STREAM, 0, four),
        // Processes.
        #[cfg(target_arch = "x86_64")]
        "fork" => new_process(libc::SYS_fork, 0, 0),
        #[cfg(target_arch = "x86_64")]
        "vfork" => new_process(libc::SYS_vfork, 0, 0),
        "fork of the C library" => fork(),
        "clone" => new_process(libc::SYS_clone, libc::SIGCHLD.into(), 0),
        "clone, as vfork" => new_process(libc::SYS_clone, (libc::CLONE_VM | libc::CLONE_VFORK | libc::SIGCHLD).into(), 0),
        "clone, a thread in a namespace" => new_process(libc::SYS_clone, (THREAD | libc::CLONE_NEWNET).into(), 0),
        "clone, a thread with another parent" => new_process(libc::SYS_clone, (THREAD | libc::CLONE_PARENT).into(), 0),
        "clone3" => new_process(libc::SYS_clone3, words as c_long, 64),
        "execve" => call!(libc::SYS_execve, c"/bin/true".as_ptr(), null::<u8>(), null::<u8>()),
        "execveat" => call!(libc::SYS_execveat, HERE, c"/bin/true".as_ptr(), null::<u8>(), null::<u8>(), 0),
        "command, std" => std::process::Command::new("/bin/true").status().map(|_| ()),
        // Memory.
        "mmap, written and executed" => map(libc::PROT_READ | libc::PROT_WRITE | libc::PROT_EXEC, libc::MAP_PRIVATE).map(|_| ()),
        "mmap, executed" => map(libc::PROT_READ | libc::PROT_EXEC, libc::MAP_PRIVATE).map(|_| ()),
        "mmap, shared" => map(libc::PROT_READ | libc::PROT_WRITE, libc::MAP_SHARED).map(|_| ()),
        "mmap, a stack that grows" => map(libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_GROWSDOWN).map(|_| ()),
        "mmap, huge pages" => map(libc::PROT_READ, libc::MAP_PRIVATE | libc::MAP_HUGETLB).map(|_| ()),
        "mprotect, executed" => call!(libc::SYS_mprotect, before.page, 4096, libc::PROT_READ | libc::PROT_EXEC),
        "pkey_mprotect" => call!(libc::SYS_pkey_mprotect, before.page, 4096, libc::PROT_READ | libc::PROT_EXEC, -1),
        "memfd_create" => call!(libc::SYS_memfd_create, c"m".as_ptr(), 0),
        "memfd_secret" => call!(libc::SYS_memfd_secret, 0),
        "shmget" => call!(libc::SYS_shmget, libc::IPC_PRIVATE, 4096, 0o600),
        "personality" => call!(libc::SYS_personality, libc::READ_IMPLIES_EXEC),
        // Other processes.
        "ptrace, the parent" => call!(libc::SYS_ptrace, libc::PTRACE_ATTACH, parent, 0, 0),
        "ptrace, itself" => call!(libc::SYS_ptrace, libc::PTRACE_TRACEME, 0, 0, 0),
        "process_vm_readv" => call!(libc::SYS_process_vm_readv, parent, words, 1, words, 1, 0),
        "process_vm_writev" => call!(libc::SYS_process_vm_writev, parent, words, 1, words, 1, 0),
        "memory of the parent" => std::fs::read(format!("/proc/{parent}/mem")).map(|_| ()),
        "pidfd_open" => call!(libc::SYS_pidfd_open, parent, 0),
        "kill, the parent" => call!(libc::SYS_kill, parent, 0),
        "kill, all" => call!(libc::SYS_kill, -1, 0),
        "tkill, the parent" => call!(libc::SYS_tkill, parent, 0),
        "tgkill, the parent" => call!(libc::SYS_tgkill, parent, parent, 0),
        "rt_sigqueueinfo" => call!(libc::SYS_rt_sigqueueinfo, parent, 0, words),
        "fcntl, signals to the parent" => call!(libc::SYS_fcntl, 0, libc::F_SETOWN, parent),
        "fcntl, signals at all" => call!(libc::SYS_fcntl, 0, libc::F_SETFL, libc::O_ASYNC),
        "clock of the parent" => call!(libc::SYS_clock_gettime, !parent << 3 | 2, words),
        "limits of the parent" => call!(libc::SYS_prlimit64, parent, libc::RLIMIT_NOFILE, null::<u8>(), words),
        // What the process itself is held to.
        "limit raised" => {
            let raised = libc::rlimit { rlim_cur: 4096, rlim_max: 4096 };
            call!(libc::SYS_prlimit64, 0, libc::RLIMIT_NOFILE, &raw const raised, null::<u8>())
        }
        "limit set" => {
            let same = libc::rlimit { rlim_cur: 64, rlim_max: 64 };
            call!(libc::SYS_setrlimit, libc::RLIMIT_NOFILE, &raw const same)
        }
        "capset" => call!(libc::SYS_capset, words, words),
        "setresuid" => call!(libc::SYS_setresuid, 0, 0, 0),
        "prctl, not dumpable" => call!(libc::SYS_prctl, libc::PR_SET_DUMPABLE, 1, 0, 0, 0),
        "prctl, parent's death" => call!(libc::SYS_prctl, libc::PR_SET_PDEATHSIG, 0, 0, 0, 0),
        "seccomp" => call!(libc::SYS_seccomp, libc::SECCOMP_SET_MODE_FILTER, 0, words),
        "unshare, user" => call!(libc::SYS_unshare, libc::CLONE_NEWUSER),
        "unshare, network" => call!(libc::SYS_unshare, libc::CLONE_NEWNET),
        "setns" => call!(libc::SYS_setns, 0, 0),
        // What the kernel has besides.
        "io_uring_setup" => call!(libc::SYS_io_uring_setup, 1, words),
        "bpf" => call!(libc::SYS_bpf, 0, words, 128),
        "perf_event_open" => call!(libc::SYS_perf_event_open, words, 0, -1, -1, 0),
        "userfaultfd" => call!(libc::SYS_userfaultfd, 0),
        "keyctl" => call!(libc::SYS_keyctl, 0, -3, 0),
        "add_key" => call!(libc::SYS_add_key, c"user".as_ptr(), c"k".as_ptr(), c"v".as_ptr(), 1, -2),
        "ioctl, a terminal's input" => call!(libc::SYS_ioctl, 2, libc::TIOCSTI, c"x".as_ptr()),
        "futex that lends priority" => call!(libc::SYS_futex, words, libc::FUTEX_LOCK_PI, 0, null::<u8>()),
        "madvise, a broken page" => call!(libc::SYS_madvise, before.page, 4096, libc::MADV_HWPOISON),
        "splice" => call!(libc::SYS_splice, 0, null::<u8>(), 1, null::<u8>(), 0, 0),
        "epoll_create1" => call!(libc::SYS_epoll_create1, 0),
        "timer_create" => call!(libc::SYS_timer_create, libc::CLOCK_REALTIME, null::<u8>(), words),
        "setpriority" => call!(libc::SYS_setpriority, libc::PRIO_PROCESS, 0, 0),
        #[cfg(target_arch = "x86_64")]
        "getpid of x32" => call!(0x4000_0000 | libc::SYS_getpid),
        #[cfg(target_arch = "x86_64")]
        "iopl" => call!(libc::SYS_iopl, 3),
        other => allowed(other, before),
    }
}

/// What a worker needs, and is to go on working.
fn allowed(name: &str, before: &Before) -> Got {
    match name {
        "thread" => {
            let thread = std::thread::Builder::new().name("probe".to_owned()).spawn(|| 2 + 2)?;
            assert_eq!(thread.join().expect("no panic"), 4);
        }
        "condition variable" => {
            let pair = Arc::new((Mutex::new(()), Condvar::new()));
            let waited = pair.1.wait_timeout(pair.0.lock().expect("not poisoned"), Duration::from_millis(1));
            assert!(waited.expect("not poisoned").1.timed_out());
        }
        "memory" => assert_eq!(vec![1_u8; 8 << 20].iter().map(|&byte| usize::from(byte)).sum::<usize>(), 8 << 20),
        "memory past the limit" => {
            let mut much = Vec::<u8>::new();
            return much.try_reserve_exact(1 << 30).map_err(|_| std::io::Error::from_raw_os_error(libc::ENOMEM));
        }
        "another network" => assert_ne!(rustix::fs::stat(NETWORK)?.st_ino, before.network),
        "random" => assert_eq!(HashMap::from([(1, 2)])[&1], 2),
        "clocks" => {
            let began = Instant::now();
            std::thread::sleep(Duration::from_millis(1));
            assert!(began.elapsed() >= Duration::from_millis(1));
            assert!(rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime).tv_nsec > 0);
        }
        "time zone of the test" => assert_eq!(hour(), 9),
        "pipe" => {
            let (mut read, mut write) = std::io::pipe()?;
            std::io::Write::write_all(&mut write, b"x")?;
            let mut ready = [rustix::event::PollFd::new(&read, rustix::event::PollFlags::IN)];
            assert_eq!(rustix::event::poll(&mut ready, None)?, 1);
            std::io::Read::read_exact(&mut read, &mut [0])?;
            drop(read.try_clone()?);
        }
        "own limit" => assert_eq!(rustix::process::getrlimit(rustix::process::Resource::Nofile).maximum, Some(64)),
        "no core dump" => assert_eq!(rustix::process::getrlimit(rustix::process::Resource::Core).maximum, Some(0)),
        "caught panic" => assert!(std::panic::catch_unwind(|| std::panic::resume_unwind(Box::new(()))).is_err()),
        "signal to itself" => {
            // SAFETY: the signal is ignored by default.
            assert_eq!(unsafe { libc::raise(libc::SIGWINCH) }, 0);
        }
        // Its compiler, which is on elsewhere, would end the process where it may make no code.
        "interpreter of luajit" => open(&LuaJit::new(), Profile::script().with_authority(Authority::None)),
        "interpreter of quickjs" => open(&QuickJs::new(), Profile::program()),
        // Both are a descriptor that the test opened, or did not.
        other => {
            let number: i32 = other.strip_prefix("descriptor ").and_then(|number| number.parse().ok()).expect("a try");
            return call!(libc::SYS_fcntl, number, libc::F_GETFD);
        }
    }
    Ok(())
}

/// Opens an interpreter on this thread.
fn open(engine: &dyn Engine, profile: Profile) {
    let guard = Guard::new();
    guard.arm(&profile.budgets);
    let spec = OpenSpec { profile, deterministic: false, stack_bytes: 4 << 20, local: None };
    engine.open(&spec, &guard).expect("an interpreter");
}

/// What may be done beneath a folder that is offered.
fn in_folder(what: &str, folder: PathBuf) -> Got {
    let (here, there) = (folder.join("here"), folder.join("sub/there"));
    match what {
        "write" => std::fs::write(here, "written"),
        "read" => std::fs::read_to_string(here).map(|text| assert_eq!(text, "written")),
        "stat" => std::fs::metadata(here).map(|metadata| assert_eq!(metadata.len(), 7)),
        "make a folder" => std::fs::create_dir(folder.join("sub")),
        "move" => std::fs::rename(here, there),
        "list" => std::fs::read_dir(folder).map(|entries| assert_eq!(entries.count(), 2)),
        "shorten" => std::fs::File::options().write(true).open(there)?.set_len(3),
        "remove" => std::fs::remove_file(there).and_then(|()| std::fs::remove_dir(folder.join("sub"))),
        // A link that leads outside is there already.
        "follow a link" => std::fs::read(folder.join("link")).map(|_| ()),
        "make a link" => std::os::unix::fs::symlink("/etc/passwd", folder.join("another")),
        "change the mode" => call!(libc::SYS_fchmodat, HERE, path(&folder.display().to_string()).as_ptr(), 0o777),
        "execute" => call!(libc::SYS_execve, path(&here.display().to_string()).as_ptr(), null::<u8>(), null::<u8>()),
        other => panic!("{other} is no try"),
    }
}
