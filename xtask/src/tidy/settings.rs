//! `xtask/tidy.toml`: what is banned, and the exceptions with their reasons.

use std::fs;
use std::path::Path;

use serde::Deserialize;

use crate::failure::Failure;

/// Where the settings are, from the root of the workspace.
pub(super) const PATH: &str = "xtask/tidy.toml";

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Settings {
    /// Names that no Rust file or module folder has.
    pub(super) banned_module: Vec<String>,
    /// What no line of a tracked text file says.
    pub(super) banned: Vec<Banned>,
    /// Rust files that may be longer than the limit.
    pub(super) long_file: Vec<Excepted>,
    /// Examples that are built and not run, as `package/example`.
    pub(crate) example_not_run: Vec<Example>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Banned {
    /// A regular expression, matched against each line.
    pub(super) pattern: String,
    /// What to do instead; it is the finding's text.
    pub(super) instead: String,
    /// The ending of the files that are looked at; all where it is absent.
    pub(super) ending: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Excepted {
    pub(super) path: String,
    pub(super) reason: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Example {
    pub(crate) name: String,
    reason: String,
}

impl Settings {
    pub(crate) fn read(root: &Path) -> Result<Self, Failure> {
        let text = fs::read_to_string(root.join(PATH)).map_err(|error| Failure::at(PATH, error))?;
        Self::parse(&text)
    }

    pub(super) fn parse(text: &str) -> Result<Self, Failure> {
        let settings: Self = toml::from_str(text).map_err(|error| Failure::at(PATH, error))?;
        let long_files = settings.long_file.iter().map(|file| (&file.path, &file.reason));
        let examples = settings.example_not_run.iter().map(|example| (&example.name, &example.reason));
        for (excepted, reason) in long_files.chain(examples) {
            if reason.trim().is_empty() {
                return Err(Failure::new(format!("{PATH}: {excepted} is excepted without a reason")));
            }
        }
        Ok(settings)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exception_needs_a_reason() {
        let refused = ["[[long_file]]\npath = \"a.rs\"\nreason = \" \"\n", "[[example_not_run]]\nname = \"p/e\"\nreason = \"\"\n"]
            .map(|text| Settings::parse(text).expect_err("the reason is empty").to_string());
        assert_eq!(refused, ["xtask/tidy.toml: a.rs is excepted without a reason", "xtask/tidy.toml: p/e is excepted without a reason",]);
    }
}
