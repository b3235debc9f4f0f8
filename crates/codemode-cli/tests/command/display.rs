//! The live display as a terminal shows it, from what the command wrote to standard error.

use std::io::Read as _;
use std::process::Command;

use crate::process::{Place, Ran};

/// Six calls that end, and one that waits for the test.
const WAITING: &str = "
for i = 1, 6 do tool.list_files{path = '.', limit = i} end
tool.execute{command = 'head -c 1 go'}
";
/// The same in a run that takes more than a second by itself.
const SLOW: &str = "
for i = 1, 6 do tool.list_files{path = '.', limit = i} end
tool.execute{command = 'sleep 1.2'}
";
const ARGUMENTS: [&str; 7] = ["run", "--profile", "script", "--tools", "workspace,execute", "--progress", "always"];
/// What ends each drawing.
const DRAWN: &str = "\x1b[J";

/// Runs [`WAITING`], which goes on once two drawings of the display were seen.
fn watched(place: &Place, more: &[&str], adjust: impl Fn(&mut Command) -> &mut Command) -> Ran {
    let mut go = place.meeting("go");
    let mut command = place.command(&[&ARGUMENTS, more, &["-e", WAITING]].concat());
    let mut child = place.start(adjust(&mut command));
    let mut stderr = child.stderr.take().expect("piped");
    let mut seen = Vec::new();
    let mut byte = [0];
    while String::from_utf8_lossy(&seen).matches(DRAWN).count() < 2 {
        stderr.read_exact(&mut byte).expect("two drawings before the end");
        seen.push(byte[0]);
    }
    go.tell(b'x');
    stderr.read_to_end(&mut seen).expect("to the end");
    let mut ran = Ran::of(child.wait_with_output().expect("ended"));
    ran.stderr = String::from_utf8(seen).expect("UTF-8");
    ran
}

/// What a terminal showed after each drawing, and at the end.
fn screens(stderr: &str) -> Vec<String> {
    let mut terminal = vt100::Parser::new(60, 80, 0);
    let show = |piece: &str| {
        // A terminal's line discipline does this.
        terminal.process(piece.replace("\r\n", "\n").replace('\n', "\r\n").as_bytes());
        terminal.screen().contents()
    };
    stderr.split_inclusive(DRAWN).map(show).collect()
}

#[test]
fn a_run_of_more_than_a_second_is_shown_and_leaves_nothing_behind() {
    let place = Place::new();
    let ran = watched(&place, &[], |command| command);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let screens = screens(&ran.stderr);
    assert_eq!(screens.last().map(String::as_str), Some(""));
    // Times differ from run to run.
    let first: Vec<&str> = screens[0].lines().collect();
    let (head, calls) = first.split_first().expect("a first screen");
    let (time, done) = head.split_once("s: ").expect("a time");
    let seconds: f64 = time.strip_prefix("codemode ").and_then(|time| time.parse().ok()).expect("seconds");
    assert!(seconds >= 1.0, "{screens:?}");
    assert_eq!(done, "6 calls done, 1 running");
    let shown: Vec<String> = calls.iter().map(|line| line.split_whitespace().take(3).collect::<Vec<_>>().join(" ")).collect();
    assert_eq!(shown, ["4 list_files ok,", "5 list_files ok,", "6 list_files ok,", "7 execute …"]);
    assert!(calls[0].ends_with("{\"limit\":4,\"path\":\".\"}"), "{calls:?}");
    assert!(calls[3].ends_with("s {\"command\":\"head -c 1 go\"}"), "{calls:?}");
}

#[test]
fn a_short_run_and_a_quiet_run_show_nothing() {
    let place = Place::new();
    assert_eq!(place.run(&["run", "--profile", "script", "--progress", "always", "-e", "return 1"]).stderr, "");
    // Without an option there is no display here, since standard error is no terminal.
    for option in ["--quiet", "--progress=never", "--progress=auto"] {
        assert_eq!(place.run(&["run", "--profile", "script", option, "--tools", "workspace,execute", "-e", SLOW]).stderr, "", "{option}");
    }
}

#[test]
fn colours_are_left_out_where_they_are_not_wanted() {
    let coloured = watched(&Place::new(), &[], |command| command.env("CLICOLOR_FORCE", "1")).stderr;
    assert!(coloured.contains("\x1b[32mok"), "{coloured:?}");
    let plain = watched(&Place::new(), &[], |command| command.env("NO_COLOR", "1")).stderr;
    assert!(!plain.contains("\x1b[32m"), "{plain:?}");
    assert_eq!(screens(&plain).last().map(String::as_str), Some(""));
}

#[test]
fn logs_stand_above_the_display_and_stay() {
    let place = Place::new();
    let ran = watched(&place, &["--log", "info"], |command| command);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let screens = screens(&ran.stderr);
    let last = screens.last().expect("a last screen");
    assert!(last.contains("INFO") && !last.contains("calls done"), "{last}");
}
