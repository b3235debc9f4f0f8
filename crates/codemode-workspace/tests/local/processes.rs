//! Processes: run to their end, talked to, and killed as a group.

use std::time::{Duration, Instant};

use codemode_core::{Bound, Local};
use serde_json::json;

use crate::{Run, text};

fn shell(command: &str) -> serde_json::Value {
    json!({"file": "/bin/sh", "args": ["-c", command]})
}

#[test]
fn a_process_is_given_input_and_gives_both_outputs_and_its_end() {
    let run = Run::new();
    let big = vec![b'x'; 300_000];
    let ran = run.with_bytes("process.run", shell("cat; echo error >&2; exit 3"), &[&big]).expect("it runs");
    assert_eq!((&ran.value.tree()["status"], &ran.value.tree()["signal"]), (&json!(3), &json!(null)));
    assert_eq!((ran.parts[0].len(), &*ran.parts[1]), (300_000, &b"error\n"[..]));
    let killed = run.with_bytes("process.run", shell("kill -TERM $$"), &[]).expect("it runs");
    assert_eq!((&killed.value.tree()["status"], &killed.value.tree()["signal"]), (&json!(null), &json!("SIGTERM")));
    assert_eq!(run.fail("process.run", json!({"file": "no-such-program"})), "ENOENT: spawn no-such-program ENOENT");
}

#[test]
fn a_process_is_held_to_its_time_and_its_output() {
    let run = Run::new();
    let mut slow = shell("sleep 60 & sleep 60");
    slow["timeout"] = json!(50);
    let ran = run.with_bytes("process.run", slow, &[]).expect("it is ended");
    assert_eq!((&ran.value.tree()["over"], &ran.value.tree()["signal"]), (&json!("timeout"), &json!("SIGTERM")));
    let mut loud = shell("while :; do echo xxxxxxxxxxxxxxxx; done");
    loud["maxBuffer"] = json!(100);
    let ran = run.with_bytes("process.run", loud, &[]).expect("it is ended");
    assert_eq!((&ran.value.tree()["over"], ran.parts[0].len()), (&json!("maxBuffer"), 100));
}

#[test]
fn a_process_is_talked_to_piece_by_piece() {
    let run = Run::new();
    let started = run.give("process.start", json!({"file": "cat"}));
    let id = &started["id"];
    run.with_bytes("process.write", json!({"id": id}), &[b"hello"]).expect("it reads");
    let heard = run.await_it("process.next", json!({"id": id})).expect("it answers");
    assert_eq!((heard.value.tree(), &*heard.parts[0]), (&json!({"event": "stdout"}), &b"hello"[..]));
    run.give("process.close", json!({"id": id}));
    let exit = run.await_it("process.next", json!({"id": id})).expect("it ends");
    assert_eq!(exit.value.tree(), &json!({"event": "exit", "code": 0, "signal": null}));
    let close = run.await_it("process.next", json!({"id": id})).expect("it is closed");
    assert_eq!(close.value.tree(), &json!({"event": "close"}));
}

/// Whether a process of this number is there, and no zombie.
fn lives(pid: &str) -> bool {
    std::fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|stat| !stat.contains(") Z "))
}

fn is_gone(pid: &str) -> bool {
    let until = Instant::now() + Duration::from_secs(20);
    while lives(pid) {
        if Instant::now() > until {
            return false;
        }
        std::thread::yield_now();
    }
    true
}

#[test]
fn at_the_end_of_a_run_its_processes_and_what_they_started_are_gone() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("pids");
    let run = Run::new();
    let command = format!("sleep 1000 >/dev/null 2>&1 & echo $! >> {0}; sleep 1000 & echo $! >> {0}; echo ready; wait", text(&file));
    let id = run.give("process.start", shell(&command))["id"].clone();
    assert_eq!(run.await_it("process.next", json!({"id": id})).expect("it speaks").parts[0][..], b"ready\n"[..]);
    // One that has ended left another running.
    let left = run.with_bytes("process.run", shell("sleep 1000 >/dev/null 2>&1 & echo $!"), &[]).expect("it runs");
    let left = String::from_utf8(left.parts[0].to_vec()).expect("a number");
    let mut pids: Vec<String> = std::fs::read_to_string(&file).expect("numbers").lines().map(str::to_owned).collect();
    pids.push(left.trim().to_owned());
    assert!(pids.len() == 3 && pids.iter().all(|pid| lives(pid)));
    run.machine.ended(&run.guard);
    assert!(pids.iter().all(|pid| is_gone(pid)), "{pids:?}");
}

#[test]
fn a_bound_ends_a_process_that_is_waited_for() {
    let run = Run::new();
    let guard = std::sync::Arc::clone(&run.guard);
    let firing = std::thread::spawn(move || guard.fire(Bound::Wall, 1));
    let begun = Instant::now();
    assert_eq!(run.with_bytes("process.run", shell("sleep 1000"), &[]).expect_err("it is ended").code, "ABORT_ERR");
    assert!(begun.elapsed() < Duration::from_secs(20));
    assert!(firing.join().expect("it fires"));
}

#[test]
fn what_there_is_to_know_of_the_process() {
    let info = Run::new().give("process.info", json!({}));
    assert_eq!(info["pid"], json!(std::process::id()));
    assert_eq!(info["cwd"], json!(text(&std::env::current_dir().expect("a folder"))));
    assert_eq!(info["env"]["PATH"], json!(std::env::var("PATH").expect("a path")));
    let run = Run::new();
    assert_eq!(run.give("process.signal", json!({"pid": std::process::id(), "signal": "0"})), json!(true));
    assert_eq!(run.fail("process.signal", json!({"pid": 0, "signal": "SIGTERM"})), "EINVAL: kill EINVAL");
}
