//! The live display as a terminal shows it, from what the command wrote to standard error.

use crate::process::{Place, Ran};

/// Four calls and a computation that take more than a second together.
const SLOW: &str = "
for i = 1, 6 do tool.list_files{path = '.', limit = i} end
tool.execute{command = 'sleep 1.3'}
print('done')
";

/// What a terminal showed, each time that it changed and the cursor was at the beginning of a line.
fn screens(stderr: &str) -> Vec<String> {
    let mut terminal = vt100::Parser::new(24, 80, 0);
    let mut screens: Vec<String> = Vec::new();
    for piece in stderr.split_inclusive("\x1b[J") {
        terminal.process(piece.as_bytes());
        screens.push(terminal.screen().contents());
    }
    screens
}

#[test]
fn a_run_of_more_than_a_second_is_shown_and_leaves_nothing_behind() {
    let place = Place::new();
    let ran = place.run(&["run", "--tools", "workspace,execute", "--progress", "always", "-e", SLOW]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let screens = screens(&ran.stderr);
    assert_eq!(screens.last().map(String::as_str), Some(""));
    // Times differ from run to run: a call that ended keeps its place, one that goes on counts up.
    let first: Vec<&str> = screens[0].lines().collect();
    let (head, calls) = first.split_first().expect("a first screen");
    let head = head.strip_prefix("codemode 1.").and_then(|rest| rest.split_once("s: "));
    assert_eq!(head.map(|(_, rest)| rest), Some("6 calls done, 1 running"), "{screens:?}");
    let shown: Vec<(&str, &str)> = calls
        .iter()
        .map(|line| {
            let words: Vec<&str> = line.split_whitespace().collect();
            (words[0], words[1])
        })
        .collect();
    assert_eq!(shown, [("4", "list_files"), ("5", "list_files"), ("6", "list_files"), ("7", "execute")]);
    assert!(calls[0].ends_with("{\"limit\":4,\"path\":\".\"}"), "{calls:?}");
    assert!(screens.len() > 2, "{screens:?}");
}

#[test]
fn a_short_run_and_a_quiet_run_show_nothing() {
    let place = Place::new();
    assert_eq!(place.run(&["run", "--progress", "always", "-e", "return 1"]).stderr, "");
    assert_eq!(place.run(&["run", "--quiet", "--tools", "workspace,execute", "-e", SLOW]).stderr, "");
    assert_eq!(place.run(&["run", "--progress", "never", "--tools", "workspace,execute", "-e", SLOW]).stderr, "");
    // Standard error is no terminal here.
    assert_eq!(place.run(&["run", "--tools", "workspace,execute", "-e", SLOW]).stderr, "");
}

#[test]
fn colours_are_left_out_where_they_are_not_wanted() {
    let place = Place::new();
    let arguments = ["run", "--tools", "workspace,execute", "--progress", "always", "-e", SLOW];
    let with = |variable: &str| Ran::of(place.command(&arguments).env(variable, "1").output().expect("started")).stderr;
    let coloured = with("CLICOLOR_FORCE");
    assert!(coloured.contains("\x1b[32mok"), "{coloured:?}");
    let plain = with("NO_COLOR");
    assert!(!plain.contains("\x1b[32m") && !plain.is_empty(), "{plain:?}");
}

#[test]
fn logs_stand_above_the_display() {
    let place = Place::new();
    let arguments = ["run", "--tools", "workspace,execute", "--progress", "always", "--log", "trace", "-e", SLOW];
    let ran = place.run(&arguments);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let screens = screens(&ran.stderr.replace('\n', "\r\n"));
    let last = screens.last().expect("a last screen");
    assert!(!last.contains("calls done"), "{last}");
}
