//! Signals: the first stops the run and its outcome is written, the second ends the command at once.

use std::io::Read as _;
use std::process::Child;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::process::{Place, Ran};

fn send(child: &Child, signal: Signal) {
    let pid = Pid::from_raw(i32::try_from(child.id()).expect("a process id")).expect("not zero");
    kill_process(pid, signal).expect("still there");
}

/// Starts a program that says over a pipe when it is past its first part, and waits for that.
fn start(place: &Place, first: &str, then: &str, more: &[&str]) -> Child {
    let mut ready = place.meeting("ready");
    let program = format!("{first} local ready = io.open('ready', 'w') ready:write('x') ready:close() {then}");
    let arguments = [&["run", "--profile", "script", "--output", "json", "-e", &program], more].concat();
    let child = place.start(&mut place.command(&arguments));
    assert_eq!(ready.wait(), b'x');
    child
}

fn interrupted(ran: &Ran) -> Value {
    assert_eq!((ran.code, &*ran.stderr), (Some(130), ""), "{ran:?}");
    let json = ran.json();
    assert_eq!(json["status"], json!("interrupted"));
    json
}

#[test]
fn each_signal_stops_a_program_that_computes() {
    for signal in [Signal::INT, Signal::TERM, Signal::HUP] {
        let place = Place::new();
        let child = start(&place, "print('so far')", "while true do end", &[]);
        send(&child, signal);
        let json = interrupted(&Ran::of(child.wait_with_output().expect("ended")));
        assert_eq!(json["output"], json!("so far\n"), "{signal:?}");
    }
}

#[test]
fn a_signal_stops_a_javascript_program_that_computes() {
    let place = Place::new();
    let mut ready = place.meeting("ready");
    let program = "console.log('so far'); await tools.execute({command: 'printf x > ready'}); try { for (;;); } finally { return 1 }";
    let arguments = ["run", "--output", "json", "--tools", "workspace,execute", "-e", program];
    let child = place.start(&mut place.command(&arguments));
    assert_eq!(ready.wait(), b'x');
    send(&child, Signal::INT);
    let json = interrupted(&Ran::of(child.wait_with_output().expect("ended")));
    assert_eq!((&json["output"], &json["value"]), (&json!("so far\n"), &json!(null)));
}

#[test]
fn a_call_that_is_out_is_cancelled_and_in_the_ledger() {
    let place = Place::new();
    let mut inside = place.meeting("inside");
    let program = "tool.execute{command = 'printf x > inside; sleep 60'}";
    let child = start(&place, "tool.list_files{}", program, &["--tools", "workspace,execute"]);
    assert_eq!(inside.wait(), b'x');
    send(&child, Signal::INT);
    let json = interrupted(&Ran::of(child.wait_with_output().expect("ended")));
    let tools: Vec<_> = json["calls"].as_array().expect("calls").iter().map(|call| (&call["tool"], &call["status"])).collect();
    assert_eq!(tools.len(), 2, "{json}");
    assert_eq!(tools[0], (&json!("list_files"), &json!("ok")));
    assert_eq!(tools[1].0, &json!("execute"));
    assert_ne!(tools[1].1, &json!("ok"));
}

#[test]
fn a_signal_while_the_outcome_is_written_ends_the_command_at_once() {
    let place = Place::new();
    let mut child = place.start(&mut place.command(&["run", "--profile", "script", "--shown", "1MiB", "-e", "print(('x'):rep(1000000))"]));
    // More than a pipe holds: once the first byte is here, the command waits for a reader.
    let mut stdout = child.stdout.take().expect("piped");
    let mut first = [0];
    stdout.read_exact(&mut first).expect("written");
    send(&child, Signal::INT);
    let ran = Ran::of(child.wait_with_output().expect("ended"));
    assert_eq!(ran, Ran { code: Some(130), stdout: String::new(), stderr: String::new() });
}

#[test]
fn two_signals_at_once_are_an_interrupt_whichever_comes_first() {
    let place = Place::new();
    let child = start(&place, "", "while true do end", &[]);
    send(&child, Signal::INT);
    send(&child, Signal::TERM);
    let ran = Ran::of(child.wait_with_output().expect("ended"));
    assert_eq!((ran.code, &*ran.stderr), (Some(130), ""));
}
