//! Variables in what a person wrote: `${NAME}`, `${NAME:-default}`, and those that editors know.

use std::path::{MAIN_SEPARATOR_STR, Path};

use codemode_core::text::{cut, one_line};
use codemode_policy::Environment;

/// The most bytes that all fields of one server may take together: no system starts a process with more.
const MOST_BYTES: usize = 1 << 20;

/// The deepest that defaults may stand in defaults.
const DEEPEST: usize = 8;

/// Fills in the variables of one server, or leaves them as they are written.
pub(super) struct Variables<'a> {
    /// `None` leaves each field as it is written.
    environment: Option<Environment<'a>>,
    /// The folder that an editor would have open.
    folder: Option<&'a Path>,
    /// How many bytes may still come out.
    room: usize,
}

impl<'a> Variables<'a> {
    pub(super) fn new(environment: Option<Environment<'a>>, folder: Option<&'a Path>) -> Self {
        Self { environment, folder, room: MOST_BYTES }
    }

    /// `text` with its variables filled in, or what is wrong with the first that cannot be.
    ///
    /// What is no form of a variable stays as it is written, as does all that follows a `${` without its `}`.
    /// The error names the variable and never shows a value, a default included.
    pub(super) fn expand(&mut self, text: &str) -> Result<String, String> {
        if self.environment.is_none() {
            return Ok(text.to_owned());
        }
        let mut filled = String::new();
        self.expand_into(text, 0, &mut filled)?;
        Ok(filled)
    }

    /// Whether `text` stayed as it is written, and another environment may make another text of it.
    pub(super) fn may_change(&self, text: &str) -> bool {
        self.environment.is_none() && text.contains("${")
    }

    fn expand_into(&mut self, mut text: &str, depth: usize, filled: &mut String) -> Result<(), String> {
        if depth > DEEPEST {
            return Err(format!("defaults of variables are over {DEEPEST} deep"));
        }
        while let Some((before, body, after)) = next_variable(text) {
            self.write(before, filled)?;
            self.variable(body, depth, filled)?;
            text = after;
        }
        self.write(text, filled)
    }

    fn variable(&mut self, body: &str, depth: usize, filled: &mut String) -> Result<(), String> {
        if body == "/" {
            return self.write(MAIN_SEPARATOR_STR, filled);
        }
        let (scheme, rest) = match body.split_once(':') {
            Some((scheme, rest)) if !rest.starts_with('-') => (Some(scheme), rest),
            _ => (None, body),
        };
        match scheme {
            None | Some("env") => self.named(body, rest, depth, filled),
            Some("input") => Err(format!(
                "it needs the input {}, for which VS Code asks and codemode does not: put the value into a \
                 variable of the environment and write ${{NAME}}",
                quoted(rest)
            )),
            Some(editor @ ("command" | "config" | "workspaceFolder")) => Err(format!(
                "`${{{editor}:…}}` has a value in an editor alone: write the value, or `${{NAME}}` for a variable of the \
                 environment"
            )),
            Some(_) => self.unknown(body, filled),
        }
    }

    /// A variable of the environment, or else of an editor, by its name and perhaps with a default.
    fn named(&mut self, body: &str, rest: &str, depth: usize, filled: &mut String) -> Result<(), String> {
        let (name, default) = match rest.split_once(":-") {
            Some((name, default)) => (name, Some(default)),
            None => (rest, None),
        };
        if !is_name(name) {
            return self.unknown(body, filled);
        }
        let value = self.of_environment(name);
        match (value, default) {
            (Some(value), None) => self.write(&value, filled),
            (Some(value), Some(_)) if !value.is_empty() => self.write(&value, filled),
            (_, Some(default)) => self.expand_into(default, depth + 1, filled),
            (None, None) => match self.editors(name)? {
                Some(value) => self.write(&value, filled),
                None => {
                    let name = cut(name, 100);
                    Err(format!("the variable `{name}` is not set: set it, or write `${{{name}:-default}}`"))
                }
            },
        }
    }

    fn of_environment(&self, name: &str) -> Option<String> {
        self.environment.and_then(|environment| environment(name))
    }

    /// What VS Code and Cursor know by this name.
    fn editors(&self, name: &str) -> Result<Option<String>, String> {
        let shown = |path: Option<&std::ffi::OsStr>| match path {
            Some(path) => path
                .to_str()
                .map(|text| Some(text.to_owned()))
                .ok_or(format!("`${{{name}}}` is the name of a folder that is no UTF-8 text")),
            None => Ok(None),
        };
        match name {
            "workspaceFolder" => shown(self.folder.map(Path::as_os_str)),
            "workspaceFolderBasename" => shown(self.folder.and_then(Path::file_name)),
            "userHome" => Ok(self.of_environment("HOME").or_else(|| self.of_environment("USERPROFILE"))),
            "pathSeparator" => Ok(Some(MAIN_SEPARATOR_STR.to_owned())),
            _ => Ok(None),
        }
    }

    /// A body that is no form of ours: an error where it looks like a variable, else it stays as it is.
    fn unknown(&mut self, body: &str, filled: &mut String) -> Result<(), String> {
        let name: &str = &body[..body.find(|c| !is_name_part(c)).unwrap_or(body.len())];
        if is_name(name) {
            // What follows the name may be a default, and so a secret.
            let name = cut(name, 100);
            return Err(format!("`${{{name}…}}` has a form that is not known: write `${{{name}}}` or `${{{name}:-default}}`"));
        }
        self.write("${", filled)?;
        self.write(body, filled)?;
        self.write("}", filled)
    }

    fn write(&mut self, text: &str, filled: &mut String) -> Result<(), String> {
        self.room = self
            .room
            .checked_sub(text.len())
            .ok_or_else(|| format!("its fields are over {MOST_BYTES} bytes with their variables filled in"))?;
        filled.push_str(text);
        Ok(())
    }
}

/// What stands before the next `${…}`, what stands in it, and what follows; its `}` is the one that fits.
fn next_variable(text: &str) -> Option<(&str, &str, &str)> {
    let start = text.find("${")?;
    let inside = &text[start + 2..];
    let mut open = 1_usize;
    let mut before = '\0';
    for (at, character) in inside.char_indices() {
        match character {
            '{' if before == '$' => open += 1,
            '}' => open -= 1,
            _ => {}
        }
        if open == 0 {
            return Some((&text[..start], &inside[..at], &inside[at + 1..]));
        }
        before = character;
    }
    None
}

fn is_name(text: &str) -> bool {
    text.starts_with(|first: char| first == '_' || first.is_ascii_alphabetic()) && text.chars().all(is_name_part)
}

fn is_name_part(character: char) -> bool {
    character == '_' || character.is_ascii_alphanumeric()
}

fn quoted(name: &str) -> String {
    format!("`{}`", cut(&one_line(name), 100))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment(name: &str) -> Option<String> {
        match name {
            "KEY" => Some("k-1".to_owned()),
            "EMPTY" => Some(String::new()),
            "TEMPLATE" => Some("${KEY}".to_owned()),
            "HOME" => Some("/srv/ada".to_owned()),
            "LONG" => Some("x".repeat(300_000)),
            _ => None,
        }
    }

    fn expand(text: &str) -> Result<String, String> {
        Variables::new(Some(&environment), Some(Path::new("/work space/app"))).expand(text)
    }

    #[test]
    fn variables_and_defaults_are_filled_in_as_in_a_shell() {
        for (text, expected) in [
            ("", ""),
            ("plain", "plain"),
            ("${KEY}", "k-1"),
            ("Bearer ${KEY}!${KEY}", "Bearer k-1!k-1"),
            ("${KEY:-other}", "k-1"),
            ("${MISSING:-other}", "other"),
            ("${MISSING:-}", ""),
            ("${EMPTY:-other}", "other"),
            ("a${EMPTY}b", "ab"),
            ("${MISSING:-${KEY}}", "k-1"),
            ("${MISSING:-${ALSO_MISSING:-deep}}-end", "deep-end"),
            ("${MISSING:-http://localhost:80/}", "http://localhost:80/"),
            ("${MISSING:-a:-b}", "a:-b"),
            ("${KEY:-${UNUSED}}", "k-1"),
            ("${env:KEY}", "k-1"),
            ("${env:MISSING:-other}", "other"),
            // A value is no text of the person's, so that nothing in it is filled in.
            ("${TEMPLATE}", "${KEY}"),
            ("${MISSING:-{}}", "{}"),
        ] {
            assert_eq!(expand(text).as_deref(), Ok(expected), "{text}");
        }
    }

    #[test]
    fn what_is_no_variable_stays_as_it_is() {
        for text in ["$KEY", "$$", "${", "a ${KEY", "${}", "${1}", "${ KEY }", "${%KEY}", "$ {KEY}", "{KEY}", "${-x}", "${é}"] {
            assert_eq!(expand(text).as_deref(), Ok(text), "{text}");
        }
    }

    #[test]
    fn variables_of_editors_are_known() {
        for (text, expected) in [
            ("${workspaceFolder}/x", "/work space/app/x"),
            ("${workspaceFolderBasename}", "app"),
            ("${userHome}", "/srv/ada"),
            ("a${pathSeparator}b${/}c", &format!("a{0}b{0}c", std::path::MAIN_SEPARATOR)),
        ] {
            assert_eq!(expand(text).as_deref(), Ok(expected), "{text}");
        }
        assert_eq!(
            Variables::new(Some(&environment), None).expand("${workspaceFolder}"),
            Err("the variable `workspaceFolder` is not set: set it, or write `${workspaceFolder:-default}`".to_owned())
        );
    }

    #[test]
    fn what_cannot_be_filled_in_is_named_and_nothing_secret_is_shown() {
        for (text, expected) in [
            ("x ${MISSING} ${ALSO}", "the variable `MISSING` is not set: set it, or write `${MISSING:-default}`"),
            ("${env:MISSING}", "the variable `MISSING` is not set: set it, or write `${MISSING:-default}`"),
            ("${MISSING:-${ALSO}}", "the variable `ALSO` is not set: set it, or write `${ALSO:-default}`"),
            (
                "${input:api-key}",
                "it needs the input `api-key`, for which VS Code asks and codemode does not: put the value into a \
                 variable of the environment and write ${NAME}",
            ),
            (
                "${config:editor.token}",
                "`${config:…}` has a value in an editor alone: write the value, or `${NAME}` for a variable of the \
                 environment",
            ),
            ("${KEY:=hunter2}", "`${KEY…}` has a form that is not known: write `${KEY}` or `${KEY:-default}`"),
            ("${KEY-hunter2}", "`${KEY…}` has a form that is not known: write `${KEY}` or `${KEY:-default}`"),
            ("${other:hunter2}", "`${other…}` has a form that is not known: write `${other}` or `${other:-default}`"),
        ] {
            assert_eq!(expand(text), Err(expected.to_owned()), "{text}");
        }
    }

    #[test]
    fn what_comes_out_is_bounded_over_all_fields() {
        let mut variables = Variables::new(Some(&environment), None);
        for _ in 0..3 {
            assert_eq!(variables.expand("${LONG}").map(|text| text.len()), Ok(300_000));
        }
        assert_eq!(variables.expand("${LONG}"), Err("its fields are over 1048576 bytes with their variables filled in".to_owned()));
        let deep = format!("{}x{}", "${A:-".repeat(9), "}".repeat(9));
        assert_eq!(expand(&deep), Err("defaults of variables are over 8 deep".to_owned()));
        let deepest = format!("{}x{}", "${A:-".repeat(8), "}".repeat(8));
        assert_eq!(expand(&deepest).as_deref(), Ok("x"));
    }
}
