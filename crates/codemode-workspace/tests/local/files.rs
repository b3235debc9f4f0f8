//! Files and folders.

use codemode_core::Bound;
use serde_json::json;

use crate::{Run, text};

#[test]
fn what_is_written_is_read_appended_copied_and_removed() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| text(&folder.path().join(name)).to_owned();
    let run = Run::new();
    run.with_bytes("fs.writeFile", json!({"path": at("a")}), &[b"one"]).expect("it is written");
    run.with_bytes("fs.writeFile", json!({"path": at("a"), "flag": "a"}), &[b" two"]).expect("it is appended");
    run.give("fs.copyFile", json!({"path": at("a"), "to": at("b")}));
    let read = run.await_it("fs.readFile", json!({"path": at("b")})).expect("it is there");
    assert_eq!(read.parts, [std::sync::Arc::from(&b"one two"[..])]);
    run.give("fs.truncate", json!({"path": at("b"), "length": 3}));
    assert_eq!(std::fs::read(at("b")).expect("it is there"), b"one");
    let stat = run.give("fs.stat", json!({"path": at("a"), "follow": true}));
    assert_eq!((&stat["kind"], &stat["size"]), (&json!("file"), &json!(7)));
    run.give("fs.rename", json!({"path": at("b"), "to": at("c")}));
    run.give("fs.symlink", json!({"target": "c", "path": at("link")}));
    assert_eq!(run.give("fs.readlink", json!({"path": at("link")})), json!("c"));
    assert_eq!(run.give("fs.stat", json!({"path": at("link"), "follow": false}))["kind"], json!("symlink"));
    run.give("fs.unlink", json!({"path": at("link")}));
    // A file that is copied over itself is not emptied first.
    run.give("fs.copyFile", json!({"path": at("a"), "to": at("a")}));
    assert_eq!(std::fs::read(at("a")).expect("it is there"), b"one two");
}

#[test]
fn folders_are_made_listed_copied_and_removed_with_all_in_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| text(&folder.path().join(name)).to_owned();
    let run = Run::new();
    assert_eq!(run.give("fs.mkdir", json!({"path": at("x/y"), "recursive": true})), json!(at("x")));
    assert_eq!(run.give("fs.mkdir", json!({"path": at("x/y"), "recursive": true})), json!(null));
    std::fs::write(at("x/b"), "").and_then(|()| std::fs::write(at("x/y/a"), "")).expect("files");
    let all = run.give("fs.readdir", json!({"path": at("x"), "recursive": true}));
    assert_eq!(
        all,
        json!([
            {"name": "b", "folder": "", "kind": "file"},
            {"name": "y", "folder": "", "kind": "directory"},
            {"name": "a", "folder": "y", "kind": "file"},
        ])
    );
    run.give("fs.cp", json!({"path": at("x"), "to": at("z"), "recursive": true}));
    assert!(folder.path().join("z/y/a").is_file());
    assert!(run.fail("fs.rm", json!({"path": at("x")})).starts_with("ERR_FS_EISDIR: Path is a directory: rm returned EISDIR"));
    run.give("fs.rm", json!({"path": at("x"), "recursive": true}));
    run.give("fs.rm", json!({"path": at("x"), "recursive": true, "force": true}));
    let made = run.give("fs.mkdtemp", json!({"prefix": at("tmp-")}));
    assert!(made.as_str().is_some_and(|made| made.starts_with(&at("tmp-")) && std::path::Path::new(made).is_dir()));
}

#[test]
fn faults_are_those_of_node() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| text(&folder.path().join(name)).to_owned();
    let run = Run::new();
    assert_eq!(
        run.fail("fs.readFile", json!({"path": at("no")})),
        format!("ENOENT: ENOENT: no such file or directory, open '{}'", at("no"))
    );
    assert_eq!(run.fail("fs.readFile", json!({"path": at("")})), "EISDIR: EISDIR: illegal operation on a directory, read");
    assert_eq!(
        run.fail("fs.readdir", json!({"path": at("no")})),
        format!("ENOENT: ENOENT: no such file or directory, scandir '{}'", at("no"))
    );
    std::fs::write(at("there"), "").expect("a file");
    let fault = run.with_bytes("fs.writeFile", json!({"path": at("there"), "flag": "wx"}), &[b""]).expect_err("it is there");
    assert_eq!((fault.code.as_str(), fault.errno, fault.syscall.as_deref()), ("EEXIST", Some(-17), Some("open")));
    assert_eq!(
        run.fail("fs.mkdtemp", json!({"prefix": at("no/x-")})),
        format!("ENOENT: ENOENT: no such file or directory, mkdtemp '{}XXXXXX'", at("no/x-"))
    );
    assert_eq!(run.fail("fs.format", json!({})), "ERR_METHOD_NOT_IMPLEMENTED: there is no operation fs.format here");
}

#[test]
fn a_file_that_memory_cannot_hold_fires_the_bound_and_nothing_goes_on() {
    let run = Run::new();
    assert_eq!(run.with_bytes("fs.readFile", json!({"path": "/dev/zero"}), &[]).expect_err("endless").code, "ABORT_ERR");
    assert_eq!(run.guard.fired().map(|(bound, _)| bound), Some(Bound::Memory));
    assert_eq!(run.guard.held(), 0);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("late");
    assert!(run.with_bytes("fs.writeFile", json!({"path": text(&path)}), &[b"late"]).is_err());
    assert!(!path.exists());
}

#[test]
fn a_pipe_without_a_writer_holds_nobody_up() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("fifo");
    assert!(std::process::Command::new("mkfifo").arg(&path).status().expect("mkfifo is there").success());
    let read = Run::new().with_bytes("fs.readFile", json!({"path": text(&path)}), &[]).expect("it ends");
    assert_eq!(read.parts[0].len(), 0);
}
