//! `codemode run`: programs from everywhere, outcomes in each form, budgets, authority and spill.

use std::fs;
use std::process::Stdio;

use serde_json::json;

use crate::process::{Place, Ran};

#[test]
fn a_program_comes_from_the_command_line_a_file_or_standard_input() {
    let place = Place::new();
    let expected = Ran::quiet(0, "run_code ok (0 tool calls, _s compute)\n\noutput:\nhello\n");
    assert_eq!(place.run(&["run", "--profile", "script", "-e", "print('hello')"]).timeless(), expected);
    assert_eq!(place.run(&["run", "--profile", "script", "-e", "-- a comment first\nreturn 'hello'"]).timeless(), expected);
    place.write("programs/hello.lua", "print('hello')");
    assert_eq!(place.run(&["run", "programs/hello.lua"]).timeless(), expected);
    place.write("hello", "print('hello')");
    assert_eq!(place.run(&["run", "--profile", "script", "hello"]).timeless(), expected);
    assert_eq!(place.run_with_input(&["run", "--profile", "script", "-"], b"print('hello')").timeless(), expected);
}

#[test]
fn json_is_one_line_with_the_documented_keys() {
    let place = Place::new();
    place.write("notes.txt", "one\ntwo\n");
    let program = "io.write(tool.read_file{path = 'notes.txt', start_line = 2})";
    let ran = place.run(&["run", "--profile", "script", "--output", "json", "--intent", "look", "-e", program]);
    assert_eq!((ran.code, &*ran.stderr), (Some(0), ""));
    let expected = json!({
        "status": "ok",
        "value": null,
        "output": "two\n",
        "failure": null,
        "effects": "none",
        "calls": [
            {"seq": 1, "tool": "read_file", "arguments": {"path": "notes.txt", "start_line": 2}, "status": "ok", "bytes": 4, "ms": "_"}
        ],
        "calls_omitted": 0,
        "usage": {
            "compute_ms": "_", "wall_ms": "_", "memory_peak_bytes": "_", "calls": 1, "result_bytes": 4, "output_bytes": 4,
            "output_dropped_bytes": 0, "processor_ms": "_"
        },
        "warnings": [],
        "spill": null,
        "state_committed": null,
        "run": "_",
        "engine": "luajit",
        "profile": "script",
        "intent": "look",
        "evidence": {
            "succeeded": 1, "failed": 0, "denied": 0, "unknown": 0, "elapsed_ms": "_",
            "changed_paths": [], "changed_paths_count": 0, "changed_paths_incomplete": false
        },
        "recovery": null,
        "context": [],
        "content": [],
        "parked": null
    });
    assert_eq!(ran.json(), expected);
}

#[test]
fn the_exit_code_tells_a_failed_program_from_wrong_usage() {
    let place = Place::new();
    let status = |program: &str, more: &[&str]| {
        let mut arguments = vec!["run", "--profile", "script", "--output", "json", "-e", program];
        arguments.extend(more);
        let ran = place.run(&arguments);
        assert_eq!(ran.stderr, "");
        (ran.code, ran.json()["status"].as_str().map(str::to_owned))
    };
    let expected = |code: i32, status: &str| (Some(code), Some(status.to_owned()));
    assert_eq!(status("return 1", &[]), expected(0, "ok"));
    assert_eq!(status("return 1 +", &[]), expected(1, "compile"));
    assert_eq!(status("error('no')", &[]), expected(1, "error"));
    assert_eq!(status("tool.read_file{path = '../secret'}", &[]), expected(1, "denied"));
    assert_eq!(status("while true do end", &["--compute", "50ms"]), expected(1, "time"));
    assert_eq!(status("local t = {} while true do t[#t + 1] = ('x'):rep(999) .. #t end", &["--memory", "4MiB"]), expected(1, "memory"));
    assert_eq!(status("for i = 1, 3 do tool.list_files{} end", &["--calls", "2"]), expected(1, "calls"));
    assert_eq!(status("tool.find_files{}", &["--call-result", "1B"]), expected(1, "results"));
    assert_eq!(status("return 1", &["--source", "4B"]), expected(1, "compile"));
}

#[test]
fn tools_work_on_the_root_which_is_the_working_directory() {
    let place = Place::new();
    place.write("inner/a.txt", "a");
    let program =
        "print(cwd) print(host.read_file('a.txt')) print(tool.find_files{}) print(tool.write_file{path = 'b.txt', content = 'b'})";
    let inner = place.root().join("inner");
    let ran = place.run(&["run", "--profile", "script", "--root", "inner", "-e", program]).timeless();
    let expected = format!(
        "run_code ok (2 tool calls, _s compute)\n\noutput:\n{}\na\na.txt\n\ncreated b.txt (1 bytes)\n\ncalls:\n  \
         1 find_files {{}} -> ok, 86 bytes\n  2 write_file {{\"content\":\"b\",\"path\":\"b.txt\"}} -> ok, 41 bytes\n",
        inner.display()
    );
    assert_eq!(ran, Ran::quiet(0, &expected));
    assert_eq!(place.read("inner/b.txt"), "b");
}

#[test]
fn arguments_are_checked_before_a_call_is_made() {
    let place = Place::new();
    let ran = place.run(&["run", "--profile", "script", "--output", "json", "-e", "tool.read_file{pth = 'a'}"]);
    let json = ran.json();
    assert_eq!((ran.code, &json["status"], &json["calls"]), (Some(1), &json!("error"), &json!([])));
    let fix = "read_file takes {path: string, start_line?: integer, end_line?: integer, lossy?: boolean}";
    assert_eq!(json.pointer("/failure/fix"), Some(&json!(fix)));
}

#[test]
fn authority_tools_and_namespace_are_what_was_asked_for() {
    let place = Place::new();
    let output = |arguments: &[&str]| {
        let ran = place.run(&[&["run", "--profile", "script", "--output", "json"], arguments].concat());
        assert_eq!((ran.code, &*ran.stderr), (Some(0), ""));
        ran.json()["output"].as_str().map(str::to_owned)
    };
    let shows = |text: &str| Some(text.to_owned());
    assert_eq!(output(&["-e", "return type(io) .. ' ' .. type(os.getenv)"]), shows("table function"));
    assert_eq!(output(&["--authority", "none", "-e", "return type(io) .. ' ' .. type(host.read_file)"]), shows("nil nil"));
    assert_eq!(output(&["--tools", "none", "-e", "return #host.tools()"]), shows("0"));
    assert_eq!(output(&["--tools", "workspace,execute", "-e", "return tool.execute{command = 'echo hi'}"]), shows("hi\n"));
    assert_eq!(output(&["--namespace", "agent", "-e", "return type(host) .. ' ' .. type(agent.json_encode)"]), shows("nil function"));
}

#[test]
fn a_program_that_fails_for_want_of_execute_is_told_what_brings_it() {
    let place = Place::new();
    let fix = |arguments: &[&str]| {
        let ran = place.run(&[&["run", "--profile", "script", "--output", "json"], arguments].concat());
        assert_eq!((ran.code, &*ran.stderr), (Some(1), ""));
        ran.json()["failure"]["fix"].clone()
    };
    let expected = json!("run it again with the tool execute; it comes with --tools workspace,execute");
    assert_eq!(fix(&["-e", "tool.execute{command = 'true'}"]), expected);
    assert_eq!(fix(&["--tools", "none", "-e", "tool.execute{command = 'true'}"]), expected);
    assert_eq!(fix(&["-e", "tool.frobnicate{}"]), json!(null));
    assert_eq!(fix(&["--tools", "workspace,execute", "-e", "error('there is no tool \"execute\"')"]), json!(null));
}

#[test]
fn controls_never_reach_a_terminal() {
    let place = Place::new();
    let program = "print('a\\27[31mb\\r\\tc\\194\\155\\226\\128\\174')";
    let ran = place.run(&["run", "--profile", "script", "-e", program]).timeless();
    let expected = "run_code ok (0 tool calls, _s compute)\n\noutput:\na\\u{1b}[31mb\\r\tc\\u{9b}\\u{202e}\n";
    assert_eq!(ran, Ran::quiet(0, expected));
    let ran = place.run(&["run", "--profile", "script", "--output", "json", "-e", program]);
    assert_eq!(ran.json()["output"], json!("a\u{1b}[31mb\r\tc\u{9b}\u{202e}\n"));
    let shown: Vec<char> = ran.stdout.chars().filter(|character| character.is_control() || *character == '\u{202e}').collect();
    assert_eq!(shown, ['\n']);
    let ran = place.run(&["run", "\u{1b}[31m.lua"]);
    let expected = "error: there is no file \"\\u{1b}[31m.lua\"; name one that exists, or write the program after -e\n";
    assert_eq!(ran, Ran { code: Some(2), stdout: String::new(), stderr: expected.to_owned() });
    let ran = place.run(&["run", "--output", "\u{1b}[31m"]);
    assert_eq!(ran.stderr.chars().filter(|character| character.is_control()).collect::<String>().trim(), "");
}

#[test]
fn output_that_is_too_long_to_show_is_in_a_file() {
    let place = Place::new();
    let ran = place.run(&[
        "run",
        "--profile",
        "script",
        "--shown",
        "10",
        "--output-bytes",
        "100",
        "--output",
        "json",
        "-e",
        "io.stdout:write() print(('x'):rep(200))",
    ]);
    let json = ran.json();
    assert_eq!((ran.code, json["output"].as_str()), (Some(0), Some("xxxxxxxxxx")));
    assert_eq!((&json["usage"]["output_bytes"], &json["usage"]["output_dropped_bytes"]), (&json!(100), &json!(101)));
    let spill = json["spill"].as_str().expect("a path");
    assert!(spill.starts_with(place.temporary().to_str().expect("UTF-8")), "{spill}");
    assert_eq!(fs::read_to_string(spill).expect("there"), "x".repeat(100));
}

#[test]
fn a_reader_that_goes_away_is_no_trouble() {
    let place = Place::new();
    let mut gone = place.meeting("gone");
    let program = "io.open('gone', 'r'):read(1) print(('x'):rep(30000))";
    let mut child = place.start(&mut place.command(&["run", "--profile", "script", "-e", program]));
    drop(child.stdout.take());
    // The program waits for this, so that the outcome is written to nobody.
    gone.tell(b'x');
    let ran = Ran::of(child.wait_with_output().expect("ended"));
    assert_eq!(ran, Ran::quiet(0, ""));
}

#[test]
fn logs_go_to_standard_error_when_asked_for() {
    let place = Place::new();
    let quiet = place.run(&["run", "--profile", "script", "-e", "return 1"]).timeless();
    let logged = place.run(&["--log", "trace", "run", "--profile", "script", "-e", "return 1"]).timeless();
    assert_eq!((logged.code, &logged.stdout), (quiet.code, &quiet.stdout));
    assert!(!logged.stderr.is_empty() && !logged.stderr.contains('\u{1b}'), "{logged:?}");
    let by_variable = Ran::of(
        place
            .command(&["run", "--profile", "script", "-e", "return 1"])
            .env("CODEMODE_LOG", "trace")
            .stdin(Stdio::null())
            .output()
            .expect("started"),
    );
    assert!(!by_variable.stderr.is_empty(), "{by_variable:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn an_outcome_that_cannot_be_written_is_an_error() {
    let full = || std::fs::File::options().write(true).open("/dev/full").expect("a device that is always full");
    let place = Place::new();
    let ran = Ran::of(place.command(&["run", "--profile", "script", "-e", "return 1"]).stdout(full()).output().expect("started"));
    let expected = "error: cannot write to standard output: No space left on device (os error 28)\n";
    assert_eq!(ran, Ran { code: Some(2), stdout: String::new(), stderr: expected.to_owned() });
}
