//! Warnings that a person reads: bounded, on one line each, and told apart by server and place.

use codemode_core::text::{cut, one_line};

/// The longest that one warning may be, in bytes.
const LONGEST: usize = 600;

/// The most warnings that are told; one more counts the others.
const MOST: usize = 100;

/// Lines that are bounded as they are collected.
#[derive(Debug, Default)]
pub(super) struct Warnings {
    lines: Vec<String>,
    omitted: usize,
}

impl Warnings {
    pub(super) fn push(&mut self, line: &str) {
        if self.lines.len() < MOST {
            self.lines.push(cut(&one_line(line), LONGEST).into_owned());
        } else {
            self.omitted += 1;
        }
    }

    pub(super) fn finish(mut self) -> Vec<String> {
        if self.omitted > 0 {
            self.lines.push(format!("{} more warnings are not shown", self.omitted));
        }
        self.lines
    }
}

/// A server as warnings name it.
pub(super) fn label(name: &str, place: &str) -> String {
    format!("server `{}` of {place}", cut(&one_line(name), 80))
}

/// A place as warnings name it: one line, at most 300 bytes.
pub(super) fn shown_place(place: &str) -> String {
    cut(&one_line(place), 300).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warnings_are_bounded_in_length_and_in_number() {
        let mut warnings = Warnings::default();
        warnings.push(&format!("a\n{}", "x".repeat(1000)));
        for _ in 0..102 {
            warnings.push("y");
        }
        let lines = warnings.finish();
        assert_eq!(lines.len(), 101);
        assert_eq!(lines[0], format!("a\\n{}…", "x".repeat(594)));
        assert_eq!(lines[99], "y");
        assert_eq!(lines[100], "3 more warnings are not shown");
    }
}
