//! Call stacks as engines write them: the program's own frames, at its own positions.

use codemode_core::Location;
use codemode_core::text::{one_line, prefix};

/// The name under which an adapter evaluates the text of a program, and under which its places are shown.
pub const PROGRAM: &str = "program";

/// How many frames are shown.
const MOST_FRAMES: usize = 16;

/// How many lines of a stack are read.
const MOST_LINES: usize = 256;

/// The longest name of a function that is shown, in bytes.
const NAME_BYTES: usize = 80;

/// The traceback, one frame a line, and the place of the topmost frame. Frames of anything but `file`, and frames that `locate`
/// does not know, are left out: they are ours. So are the topmost ones of functions with the names of `constructors`.
///
/// A frame is `at name (file:line:column)`, with a column or without, or the same without name and parentheses.
pub(super) fn read_stack(
    stack: &str,
    file: &str,
    constructors: &[String],
    locate: &dyn Fn(u32, u32) -> Option<Location>,
) -> (Option<String>, Option<Location>) {
    let mut lines: Vec<String> = Vec::new();
    let mut raised_at = None;
    let mut more = false;
    for line in stack.lines().take(MOST_LINES) {
        let Some(frame) = Frame::read(line) else { continue };
        if frame.file != file {
            continue;
        }
        if raised_at.is_none() && !frame.name.is_empty() && constructors.iter().any(|name| name == frame.name) {
            continue;
        }
        let Some(location) = locate(frame.line, frame.column.unwrap_or(1)) else { continue };
        let location = Location { column: location.column.filter(|_| frame.column.is_some()), ..location };
        raised_at = raised_at.or(Some(location));
        if lines.len() == MOST_FRAMES {
            more = true;
            break;
        }
        lines.push(frame.shown(location));
    }
    if more {
        lines.push("    …".to_owned());
    }
    let traceback = if lines.is_empty() { None } else { Some(lines.join("\n")) };
    (traceback, raised_at)
}

/// One frame of a stack.
#[derive(Debug, PartialEq, Eq)]
struct Frame<'s> {
    name: &'s str,
    file: &'s str,
    line: u32,
    column: Option<u32>,
}

impl<'s> Frame<'s> {
    /// Reads a line; nothing where it tells no place, as for native functions.
    fn read(line: &'s str) -> Option<Self> {
        let line = line.trim().strip_prefix("at ")?;
        let (name, place) = match line.strip_suffix(')').and_then(|line| line.rsplit_once('(')) {
            Some((name, place)) => (name.trim_end(), place),
            None => ("", line),
        };
        let (rest, last) = place.rsplit_once(':')?;
        let last = last.parse().ok()?;
        match rest.rsplit_once(':').and_then(|(file, line)| Some((file, line.parse().ok()?))) {
            Some((file, line)) => Some(Self { name, file, line, column: Some(last) }),
            None => Some(Self { name, file: rest, line: last, column: None }),
        }
    }

    /// The frame at the program's own place. The function that the program's text was put into has no name of its own.
    fn shown(&self, location: Location) -> String {
        let column = location.column.map(|column| format!(":{column}")).unwrap_or_default();
        let place = format!("{PROGRAM}:{}{column}", location.line);
        match self.name {
            "" | "<anonymous>" | "<eval>" | "anonymous" | PROGRAM => format!("    at {place}"),
            name => format!("    at {} ({place})", one_line(prefix(name, NAME_BYTES))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One line of ours comes before the program's own.
    fn shifted(line: u32, column: u32) -> Option<Location> {
        (2..=100).contains(&line).then(|| Location { line: line - 1, column: Some(column) })
    }

    #[test]
    fn frames_of_the_program_alone_are_shown_at_its_own_places() {
        let stack = "    at inner (program:4:14)\n    at map (native)\n    at <anonymous> (program:3:2)\n    at print (codemode:console:7:1)\n    \
                     at call (native)\n    at program (program:9:1)\n    at <eval> (program:1:1)\n";
        let (traceback, location) = read_stack(stack, PROGRAM, &[], &shifted);
        assert_eq!(traceback.as_deref(), Some("    at inner (program:3:14)\n    at program:2:2\n    at program:8:1"));
        assert_eq!(location, Some(Location { line: 3, column: Some(14) }));
    }

    #[test]
    fn frames_are_read_with_and_without_columns_and_names() {
        let cases = [
            ("    at f (program:3)", Some(Frame { name: "f", file: "program", line: 3, column: None })),
            ("at program:3:4", Some(Frame { name: "", file: "program", line: 3, column: Some(4) })),
            ("    at Foo.bar [as x] (a:b:3:4)", Some(Frame { name: "Foo.bar [as x]", file: "a:b", line: 3, column: Some(4) })),
            ("    at odd(name (program:3:4)", Some(Frame { name: "odd(name", file: "program", line: 3, column: Some(4) })),
            ("    at f (native)", None),
            ("    at f (a:99999999999:1)", Some(Frame { name: "f", file: "a:99999999999", line: 1, column: None })),
            ("Error: at program:1:1", None),
            ("", None),
        ];
        for (line, expected) in cases {
            assert_eq!(Frame::read(line), expected, "{line}");
        }
        assert_eq!(read_stack("    at f (program:3)", PROGRAM, &[], &shifted).1, Some(Location { line: 2, column: None }));
        assert_eq!(read_stack("    at f (native)", PROGRAM, &[], &shifted), (None, None));
    }

    #[test]
    fn an_error_was_raised_where_its_class_was_used() {
        let stack = "    at Base (program:3:1)\n    at Wrong (program:4:1)\n    at f (program:9:7)\n    at Wrong (program:5:1)\n";
        let (traceback, location) = read_stack(stack, PROGRAM, &["Wrong".to_owned(), "Base".to_owned()], &shifted);
        assert_eq!(traceback.as_deref(), Some("    at f (program:8:7)\n    at Wrong (program:4:1)"));
        assert_eq!(location, Some(Location { line: 8, column: Some(7) }));
    }

    #[test]
    fn a_deep_stack_is_cut() {
        let stack = "    at f (program:3:1)\n".repeat(10_000);
        let (traceback, _) = read_stack(&stack, PROGRAM, &[], &shifted);
        let traceback = traceback.expect("frames");
        assert_eq!(traceback.lines().count(), MOST_FRAMES + 1);
        assert!(traceback.ends_with("\n    …"));
    }
}
