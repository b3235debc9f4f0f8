//! What is refused and what is not, in tables: with no files, with a folder, as root and as nobody.

use codemode_worker::sandbox::SandboxOptions;
use libtest_mimic::Trial;

use crate::probe::{Spec, Told, is_root, probe};
use crate::tries::Tried;

/// What comes of each try where no files are offered; the rest of the tables says where a folder makes a difference.
const REFUSED: &[(&str, &str)] = &[
    ("openat", "EPERM"),
    ("openat, path only", "EPERM"),
    ("openat, own memory", "EPERM"),
    ("openat, a folder", "EPERM"),
    ("openat2", "ENOSYS"),
    ("create", "EPERM"),
    ("create, std", "EPERM"),
    ("read, std", "EPERM"),
    ("list, std", "EPERM"),
    ("stat, std", "EPERM"),
    ("newfstatat", "EPERM"),
    ("statx", "EPERM"),
    ("faccessat", "EPERM"),
    ("readlinkat", "EPERM"),
    ("getcwd", "EPERM"),
    ("chdir", "EPERM"),
    ("mkdirat", "EPERM"),
    ("mknodat", "EPERM"),
    ("unlinkat", "EPERM"),
    ("renameat", "EPERM"),
    ("linkat", "EPERM"),
    ("symlinkat", "EPERM"),
    ("fchmodat", "EPERM"),
    ("fchownat", "EPERM"),
    ("utimensat", "EPERM"),
    ("setxattr", "EPERM"),
    ("truncate", "EPERM"),
    ("statfs", "EPERM"),
    ("inotify_init1", "EPERM"),
    ("mount", "EPERM"),
    ("chroot", "EPERM"),
    ("open_by_handle_at", "EPERM"),
    ("socket, inet tcp", "EPERM"),
    ("socket, inet udp", "EPERM"),
    ("socket, inet6 tcp", "EPERM"),
    ("socket, inet raw", "EPERM"),
    ("socket, unix", "EPERM"),
    ("socket, netlink", "EPERM"),
    ("socket, packet", "EPERM"),
    ("socket, vsock", "EPERM"),
    ("socketpair", "EPERM"),
    ("fork of the C library", "EPERM"),
    ("clone", "EPERM"),
    ("clone, as vfork", "EPERM"),
    ("clone, a thread in a namespace", "EPERM"),
    ("clone, a thread with another parent", "EPERM"),
    ("clone3", "ENOSYS"),
    ("execve", "EPERM"),
    ("execveat", "EPERM"),
    ("command, std", "EPERM"),
    ("mmap, written and executed", "EPERM"),
    ("mmap, executed", "EPERM"),
    ("mmap, shared", "EPERM"),
    ("mmap, a stack that grows", "EPERM"),
    ("mmap, huge pages", "EPERM"),
    ("mprotect, executed", "EPERM"),
    ("pkey_mprotect", "EPERM"),
    ("memfd_create", "EPERM"),
    ("memfd_secret", "EPERM"),
    ("shmget", "EPERM"),
    ("personality", "EPERM"),
    ("ptrace, the parent", "EPERM"),
    ("ptrace, itself", "EPERM"),
    ("process_vm_readv", "EPERM"),
    ("process_vm_writev", "EPERM"),
    ("memory of the parent", "EPERM"),
    ("pidfd_open", "EPERM"),
    ("kill, the parent", "EPERM"),
    ("kill, all", "EPERM"),
    ("tkill, the parent", "EPERM"),
    ("tgkill, the parent", "EPERM"),
    ("rt_sigqueueinfo", "EPERM"),
    ("fcntl, signals to the parent", "EPERM"),
    ("fcntl, signals at all", "EPERM"),
    ("clock of the parent", "EPERM"),
    ("limits of the parent", "EPERM"),
    ("limit raised", "EPERM"),
    ("limit set", "EPERM"),
    ("capset", "EPERM"),
    ("setresuid", "EPERM"),
    ("prctl, not dumpable", "EPERM"),
    ("prctl, parent's death", "EPERM"),
    ("seccomp", "EPERM"),
    ("unshare, user", "EPERM"),
    ("unshare, network", "EPERM"),
    ("setns", "EPERM"),
    ("io_uring_setup", "EPERM"),
    ("bpf", "EPERM"),
    ("perf_event_open", "EPERM"),
    ("userfaultfd", "EPERM"),
    ("keyctl", "EPERM"),
    ("add_key", "EPERM"),
    ("ioctl, a terminal's input", "EPERM"),
    ("futex that lends priority", "EPERM"),
    ("madvise, a broken page", "EPERM"),
    ("splice", "EPERM"),
    ("epoll_create1", "EPERM"),
    ("timer_create", "EPERM"),
    ("setpriority", "EPERM"),
];

/// Calls that only this processor has.
#[cfg(target_arch = "x86_64")]
const REFUSED_HERE: &[(&str, &str)] = &[
    ("open", "EPERM"),
    ("creat", "EPERM"),
    ("stat", "EPERM"),
    ("access", "EPERM"),
    ("fork", "EPERM"),
    ("vfork", "EPERM"),
    ("getpid of x32", "EPERM"),
    ("iopl", "EPERM"),
];
#[cfg(not(target_arch = "x86_64"))]
const REFUSED_HERE: &[(&str, &str)] = &[];

/// What goes on working.
const ALLOWED: &[(&str, &str)] = &[
    ("thread", "done"),
    ("condition variable", "done"),
    ("memory", "done"),
    ("memory past the limit", "ENOMEM"),
    ("random", "done"),
    ("clocks", "done"),
    ("pipe", "done"),
    ("own limit", "done"),
    ("caught panic", "done"),
    ("signal to itself", "done"),
    ("interpreter of luajit", "done"),
    ("interpreter of quickjs", "done"),
];

/// Where a folder is offered, what differs outside of it: the calls are there, and Landlock refuses what they name.
/// Names and attributes of files are nobody's to withhold then.
const OUTSIDE_A_FOLDER: &[(&str, &str)] = &[
    ("openat", "EACCES"),
    ("openat, path only", "done"),
    ("openat, own memory", "EACCES"),
    ("openat, a folder", "EACCES"),
    ("create", "EACCES"),
    ("create, std", "EACCES"),
    ("read, std", "EACCES"),
    ("list, std", "EACCES"),
    ("memory of the parent", "EACCES"),
    ("mkdirat", "EACCES"),
    ("unlinkat", "ENOENT"),
    ("renameat", "ENOENT"),
    ("stat, std", "done"),
    ("newfstatat", "done"),
    ("statx", "done"),
    ("faccessat", "done"),
    ("readlinkat", "done"),
    ("getcwd", "done"),
    ("open", "EACCES"),
    ("stat", "done"),
    ("access", "done"),
];

/// What may be done beneath the folder.
const BENEATH: &[(&str, &str)] = &[
    ("write", "done"),
    ("read", "done"),
    ("stat", "done"),
    ("list", "done"),
    ("make a folder", "done"),
    ("move", "done"),
    ("shorten", "done"),
    ("remove", "done"),
    ("follow a link", "EACCES"),
    ("make a link", "EPERM"),
    ("change the mode", "EPERM"),
    ("execute", "EPERM"),
];

pub(crate) fn trials() -> Vec<Trial> {
    let mut trials =
        vec![Trial::test("no_files_as_this_user", || no_files(false)), Trial::test("a_folder_as_this_user", || a_folder(false))];
    // Only root can become somebody else.
    if is_root() {
        trials.push(Trial::test("no_files_as_nobody", || no_files(true)));
        trials.push(Trial::test("a_folder_as_nobody", || a_folder(true)));
    }
    trials
}

fn tried<'t>(table: impl IntoIterator<Item = &'t (&'t str, &'t str)>) -> Vec<Tried> {
    table.into_iter().map(|(name, came)| Tried((*name).to_owned(), (*came).to_owned())).collect()
}

/// Everything is made, and each line that differs is told.
fn compare(spec: Spec, expected: &[Tried]) -> Result<(), libtest_mimic::Failed> {
    let spec = Spec { tries: expected.iter().map(|Tried(name, _)| name.clone()).collect(), ..spec };
    let Told { enforced, tried } = probe(&spec);
    let missing = enforced?.missing();
    if !missing.is_empty() {
        return Err(format!("not all is enforced: {missing:?}").into());
    }
    if tried == expected {
        return Ok(());
    }
    let differ = tried.iter().zip(expected).filter(|(got, wanted)| got != wanted);
    let lines = differ.map(|(Tried(name, got), Tried(_, wanted))| format!("{name}: {got}, and not {wanted}"));
    Err(lines.collect::<Vec<_>>().join("\n").into())
}

fn options() -> SandboxOptions {
    SandboxOptions { enabled: true, memory_bytes: Some(256 << 20), compute_seconds: Some(60), ..SandboxOptions::default() }
}

fn no_files(as_nobody: bool) -> Result<(), libtest_mimic::Failed> {
    let expected = tried(REFUSED.iter().chain(REFUSED_HERE).chain(ALLOWED));
    compare(Spec { options: options(), as_nobody, ..Spec::default() }, &expected)
}

fn a_folder(as_nobody: bool) -> Result<(), libtest_mimic::Failed> {
    let folder = tempfile::tempdir()?;
    let place = folder.path().canonicalize()?;
    std::os::unix::fs::symlink("/etc/passwd", place.join("link"))?;
    std::fs::set_permissions(&place, std::os::unix::fs::PermissionsExt::from_mode(0o777))?;
    let mut expected = tried(REFUSED.iter().chain(REFUSED_HERE).chain(ALLOWED));
    for Tried(name, came) in &mut expected {
        if let Some((_, differs)) = OUTSIDE_A_FOLDER.iter().find(|(differs, _)| differs == name) {
            *came = (*differs).to_owned();
        }
    }
    let beneath = |Tried(what, came)| Tried(format!("{what} beneath {}", place.display()), came);
    expected.extend(tried(BENEATH).into_iter().map(beneath));
    let options = SandboxOptions { folder: Some(place.clone()), ..options() };
    compare(Spec { options, as_nobody, ..Spec::default() }, &expected)
}
