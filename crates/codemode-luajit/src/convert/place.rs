//! Where in a value something is wrong: `$.a.b[3]`, bounded.

use codemode_core::is_identifier;
use codemode_core::text::{cut, one_line};

/// The longest place, in bytes.
const PLACE_BYTES: usize = 200;

/// The longest name within a place, in bytes.
const NAME_BYTES: usize = 60;

/// One step from a table to what it holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Step {
    /// A position, counted from 1 as in Lua.
    Position(u64),
    /// A name, already cut.
    Name(String),
}

impl Step {
    /// A step to this name, which may be no UTF-8.
    pub(super) fn name(bytes: &[u8]) -> Self {
        let head = &bytes[..bytes.len().min(NAME_BYTES + 8)];
        Self::Name(cut(&String::from_utf8_lossy(head), NAME_BYTES).into_owned())
    }
}

/// The path from the root along these steps, outermost first.
pub(super) fn path<'a>(steps: impl Iterator<Item = &'a Step>) -> String {
    let mut path = String::from("$");
    for step in steps {
        match step {
            Step::Position(position) => path.push_str(&format!("[{position}]")),
            Step::Name(name) if is_identifier(name) => {
                path.push('.');
                path.push_str(name);
            }
            Step::Name(name) => path.push_str(&format!("[\"{}\"]", one_line(name).replace('"', "\\\""))),
        }
        if path.len() > PLACE_BYTES {
            return cut(&path, PLACE_BYTES).into_owned();
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_reads_like_an_expression_and_is_bounded() {
        let steps = [Step::name(b"a"), Step::Position(3), Step::name(b"b c"), Step::name(b"\"\n\xff")];
        assert_eq!(path(steps.iter()), "$.a[3][\"b c\"][\"\\\"\\n\u{fffd}\"]");
        let long = vec![Step::name(&[b'x'; 500]); 90];
        let path = path(long.iter());
        assert!(path.len() <= PLACE_BYTES && path.starts_with("$[\"xxx"), "{path}");
    }
}
