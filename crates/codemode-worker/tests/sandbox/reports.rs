//! What is reported where something is missing, or was not asked for; and what is then tried all the same.

use codemode_worker::sandbox::{Enforced, Part, SandboxOptions};
use libtest_mimic::{Failed, Trial};

use crate::probe::{Spec, command, is_root, probe, start, wait};
use crate::tries::Tried;

pub(crate) fn trials() -> Vec<Trial> {
    vec![
        Trial::test("all_is_enforced", all_is_enforced),
        Trial::test("local_authority_asks_for_little", local_authority),
        Trial::test("without_a_filter", without_filter),
        Trial::test("without_a_filter_and_scopes", without_scopes),
        Trial::test("without_a_filter_and_landlock", without_everything),
        Trial::test("without_landlock_no_files_are_withheld_all_the_same", without_landlock),
        Trial::test("without_landlock_a_folder_is_not_confined", a_folder_without_landlock),
        Trial::test("the_first_landlock_confines_a_folder", the_first_landlock),
        Trial::test("a_thread_from_before_is_not_held_by_an_older_landlock", a_thread_from_before),
        Trial::test("a_thread_from_before_keeps_its_privileges_without_a_filter", a_thread_that_keeps_its_privileges),
        Trial::test("an_environment_is_reported", an_environment),
        Trial::test("the_time_zone_is_known_without_its_file", the_time_zone),
        Trial::test("other_descriptors_are_closed", || other_descriptors(false)),
        Trial::test("other_descriptors_are_closed_one_by_one", || other_descriptors(true)),
        Trial::test("a_folder_that_is_not_there_is_an_error", no_such_folder),
        Trial::test("namespaces_are_tried_and_told", namespaces),
    ]
}

fn options() -> SandboxOptions {
    SandboxOptions { enabled: true, ..SandboxOptions::default() }
}

/// All that is asked for by default.
fn whole() -> Enforced {
    Enforced {
        files: Part::Enforced,
        network: Part::Enforced,
        processes: Part::Enforced,
        executable_memory: Part::Enforced,
        signals: Part::Enforced,
        limits: Part::Enforced,
        privileges: Part::Enforced,
        descriptors: Part::Enforced,
        environment: Part::Enforced,
        namespaces: Part::NotAsked,
        parent_death: Part::Enforced,
    }
}

/// What is enforced, and what comes of these tries.
fn expect(spec: Spec, enforced: &Enforced, tries: &[(&str, &str)]) -> Result<(), Failed> {
    let expected: Vec<_> = tries.iter().map(|(name, came)| Tried((*name).to_owned(), (*came).to_owned())).collect();
    let told = probe(&Spec { tries: tries.iter().map(|(name, _)| (*name).to_owned()).collect(), ..spec });
    assert_eq!(told.enforced?, *enforced);
    assert_eq!(told.tried, expected);
    Ok(())
}

fn all_is_enforced() -> Result<(), Failed> {
    assert!(whole().is_whole());
    assert_eq!(whole().missing(), Vec::<String>::new());
    expect(Spec { options: options(), ..Spec::default() }, &whole(), &[])
}

fn local_authority() -> Result<(), Failed> {
    let enforced = Enforced {
        limits: Part::Enforced,
        privileges: Part::Enforced,
        parent_death: Part::Enforced,
        files: Part::NotAsked,
        network: Part::NotAsked,
        processes: Part::NotAsked,
        executable_memory: Part::NotAsked,
        signals: Part::NotAsked,
        descriptors: Part::NotAsked,
        environment: Part::NotAsked,
        namespaces: Part::NotAsked,
    };
    assert!(enforced.is_whole());
    let tries = [("read, std", "done"), ("command, std", "done"), ("mmap, written and executed", "done"), ("socket, unix", "done")];
    expect(Spec { descriptors: vec![10], ..Spec::default() }, &enforced, &tries)?;
    expect(Spec { descriptors: vec![10], ..Spec::default() }, &enforced, &[("descriptor 10", "done"), ("no core dump", "done")])
}

const NO_FILTER: &str = "there is no filter of system calls";

/// What is left where there is no filter; Landlock's part is added by the tests.
fn unfiltered() -> Enforced {
    Enforced { processes: Part::missing(NO_FILTER), executable_memory: Part::missing(NO_FILTER), ..whole() }
}

fn without_filter() -> Result<(), Failed> {
    let enforced = Enforced {
        files: Part::missing(
            "there is no filter of system calls; Landlock withholds what is in files, and neither their attributes nor changing those",
        ),
        network: Part::missing("there is no filter of system calls; Landlock withholds TCP alone"),
        ..unfiltered()
    };
    let missing = [
        "files are not withheld: there is no filter of system calls; Landlock withholds what is in files, and neither their attributes nor \
         changing those",
        "the network is not withheld: there is no filter of system calls; Landlock withholds TCP alone",
        "starting processes is not withheld: there is no filter of system calls",
        "new executable memory is not withheld: there is no filter of system calls",
    ];
    assert_eq!(enforced.missing(), missing);
    assert!(!enforced.is_whole());
    let tries = [
        ("openat", "EACCES"),
        ("create", "EACCES"),
        ("stat, std", "done"),
        ("socket, unix", "done"),
        ("fork of the C library", "done"),
        ("mmap, executed", "done"),
        ("kill, the parent", "EPERM"),
        ("ptrace, the parent", "EPERM"),
        ("limit raised", "EPERM"),
        ("chroot", "EPERM"),
    ];
    expect(Spec { options: options(), without_filter: true, landlock_past: Some(7), ..Spec::default() }, &enforced, &tries)
}

fn without_scopes() -> Result<(), Failed> {
    let enforced = Enforced {
        files: Part::missing(
            "there is no filter of system calls; Landlock withholds what is in files, and neither their attributes nor changing those",
        ),
        network: Part::missing(NO_FILTER),
        signals: Part::missing(NO_FILTER),
        ..unfiltered()
    };
    let tries = [("openat", "EACCES"), ("kill, the parent", "done")];
    expect(Spec { options: options(), without_filter: true, landlock_past: Some(3), ..Spec::default() }, &enforced, &tries)
}

fn without_everything() -> Result<(), Failed> {
    let enforced = Enforced {
        files: Part::missing("there is no filter of system calls, and this kernel has no Landlock"),
        network: Part::missing(NO_FILTER),
        signals: Part::missing(NO_FILTER),
        ..unfiltered()
    };
    let tries = [("read, std", "done"), ("kill, the parent", "done"), ("limit raised", "EPERM"), ("descriptor 10", "EBADF")];
    let spec = Spec { options: options(), without_filter: true, landlock_past: Some(0), descriptors: vec![10], ..Spec::default() };
    expect(spec, &enforced, &tries)
}

fn without_landlock() -> Result<(), Failed> {
    let tries = [("openat", "EPERM"), ("stat, std", "EPERM"), ("kill, the parent", "EPERM")];
    expect(Spec { options: options(), landlock_past: Some(0), ..Spec::default() }, &whole(), &tries)
}

fn a_folder_without_landlock() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let options = SandboxOptions { folder: Some(folder.path().to_owned()), ..options() };
    let enforced = Enforced { files: Part::missing("this kernel has no Landlock"), ..whole() };
    expect(Spec { options, landlock_past: Some(0), ..Spec::default() }, &enforced, &[("read, std", "done"), ("truncate", "EPERM")])
}

fn the_first_landlock() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let options = SandboxOptions { folder: Some(folder.path().to_owned()), ..options() };
    let beneath = |what: &str| format!("{what} beneath {}", folder.path().display());
    let names = [beneath("write"), beneath("read"), beneath("make a folder"), beneath("move"), beneath("shorten")];
    let tries = [
        ("openat", "EACCES"),
        ("truncate", "EPERM"),
        (&names[0], "done"),
        (&names[1], "done"),
        (&names[2], "done"),
        // The first version moves nothing from one folder into another.
        (&names[3], "EXDEV"),
        (&names[4], "ENOENT"),
    ];
    expect(Spec { options, landlock_past: Some(1), ..Spec::default() }, &whole(), &tries)
}

fn a_thread_from_before() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let spec = Spec { options: options(), on_a_thread_from_before: true, landlock_past: Some(7), ..Spec::default() };
    // The filter holds that thread too, so that nothing is missing where no files are offered.
    expect(spec.clone(), &whole(), &[("openat", "EPERM"), ("socket, unix", "EPERM")])?;
    let enforced =
        Enforced { files: Part::missing("there were threads before, and this version of Landlock holds new ones alone"), ..whole() };
    let options = SandboxOptions { folder: Some(folder.path().to_owned()), ..options() };
    expect(Spec { options, ..spec }, &enforced, &[("openat", "done"), ("socket, unix", "EPERM")])
}

fn a_thread_that_keeps_its_privileges() -> Result<(), Failed> {
    const KEPT: &str = "there were threads before, and they keep what they have";
    let enforced = Enforced {
        files: Part::missing("there is no filter of system calls, and this kernel has no Landlock"),
        network: Part::missing(NO_FILTER),
        signals: Part::missing(NO_FILTER),
        privileges: Part::missing(KEPT),
        ..unfiltered()
    };
    let spec = Spec {
        options: options(),
        without_filter: true,
        landlock_past: Some(0),
        on_a_thread_from_before: true,
        as_nobody: is_root(),
        ..Spec::default()
    };
    // Nobody has nothing to keep.
    expect(spec.clone(), &enforced, &[("chroot", "EPERM")])?;
    if is_root() {
        let enforced = Enforced { limits: Part::missing(format!("they can be raised: {KEPT}")), ..enforced };
        expect(Spec { as_nobody: false, ..spec }, &enforced, &[("chroot", "done")])?;
    }
    Ok(())
}

fn an_environment() -> Result<(), Failed> {
    let mut command = command(&Spec { options: options(), ..Spec::default() });
    let (child, told) = start(command.env("A", "1").env("SECRET", "2"));
    let (status, errors) = wait(child);
    assert_eq!((status.code(), errors.as_str()), (Some(0), ""));
    assert_eq!(told.enforced?.missing(), ["the environment is not empty: 2 variables were inherited"]);
    Ok(())
}

/// A zone of the test's own, nine hours ahead, which an engine asks for after the file cannot be read any more.
fn the_time_zone() -> Result<(), Failed> {
    const ZONE: &[u8] = b"TZif\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\
        \0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\0\0\0\x04\
        \0\0\x7e\x90\0\0TST\0";
    let file = tempfile::NamedTempFile::new()?;
    std::fs::write(file.path(), ZONE)?;
    let tries = vec!["read, std".to_owned(), "time zone of the test".to_owned()];
    let mut command = command(&Spec { options: options(), tries, ..Spec::default() });
    let (child, told) = start(command.env("TZ", format!(":{}", file.path().display())));
    let (status, errors) = wait(child);
    assert_eq!((status.code(), errors.as_str()), (Some(0), ""));
    let tried = [("read, std", "EPERM"), ("time zone of the test", "done")].map(|(name, came)| Tried(name.to_owned(), came.to_owned()));
    assert_eq!(told.tried, tried);
    Ok(())
}

fn other_descriptors(without_close_range: bool) -> Result<(), Failed> {
    let options = SandboxOptions { keep: vec![200, 20, 0, 21, 20], ..options() };
    let spec = Spec { options, without_close_range, descriptors: vec![10, 20, 21, 22, 200, 300], ..Spec::default() };
    let tries = [
        ("descriptor 0", "done"),
        ("descriptor 1", "done"),
        ("descriptor 2", "done"),
        ("descriptor 3", "EBADF"),
        ("descriptor 10", "EBADF"),
        ("descriptor 20", "done"),
        ("descriptor 21", "done"),
        ("descriptor 22", "EBADF"),
        ("descriptor 200", "done"),
        ("descriptor 300", "EBADF"),
    ];
    expect(spec, &whole(), &tries)
}

fn no_such_folder() -> Result<(), Failed> {
    let options = SandboxOptions { folder: Some("/nothing\nhere".into()), ..options() };
    let told = probe(&Spec { options, ..Spec::default() });
    let message = "the sandbox cannot be entered: the run's folder \"/nothing\\nhere\" cannot be opened: No such file or directory (os \
                   error 2); name a folder that is there";
    assert_eq!((told.enforced, told.tried), (Err(message.to_owned()), Vec::new()));
    Ok(())
}

fn namespaces() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let options = SandboxOptions { namespaces: true, folder: Some(folder.path().to_owned()), ..options() };
    let spec = Spec { options, tries: vec!["another network".to_owned()], ..Spec::default() };
    let told = probe(&spec);
    let enforced = told.enforced?;
    // Many machines allow none.
    match &enforced.namespaces {
        Part::Enforced => assert_eq!(told.tried, [Tried("another network".to_owned(), "done".to_owned())]),
        Part::Missing { why } => assert!(why.starts_with("the machine refuses them: "), "{why}"),
        Part::NotAsked => panic!("they were asked for"),
    }
    assert_eq!(Enforced { namespaces: Part::NotAsked, ..enforced }, whole());
    // A process with another thread cannot have them.
    let enforced = probe(&Spec { on_a_thread_from_before: true, landlock_past: Some(0), tries: Vec::new(), ..spec }).enforced?;
    assert_eq!(enforced.namespaces, Part::missing("the machine refuses them: Invalid argument (os error 22)"));
    Ok(())
}
