//! A case: a program, the world it runs in and everything that must come of it, as TOML.

use std::collections::BTreeMap;

use codemode_core::{Authority, Form, Language, Support};
use serde::Deserialize;

use crate::expect::Expect;
use crate::limits::Limits;
use crate::script::HostScript;

/// One file of cases.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct CaseFile {
    #[serde(default)]
    case: Vec<Case>,
}

/// One case. What is absent has the value that a host would not have set.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Case {
    /// Unique among all cases: what a gap names.
    pub(crate) id: String,
    /// The promises of `promises.toml` that it shows.
    pub(crate) promises: Vec<String>,
    /// The program in Lua; it runs in the profile `script`.
    lua: Option<String>,
    /// The program in JavaScript; it runs in the profile that `profile` names.
    js: Option<String>,
    /// The JavaScript profile.
    profile: Option<Form>,
    /// Support flags without which the case is not run.
    #[serde(default)]
    pub(crate) needs: Vec<String>,
    /// What the program may touch besides the tools; the profile's own where absent.
    pub(crate) authority: Option<Authority>,
    /// The name of the table of raw helpers.
    pub(crate) namespace: Option<String>,
    /// The host's name and version.
    pub(crate) host_version: Option<String>,
    /// Why the program is run, as its model says.
    pub(crate) intent: Option<String>,
    /// Whether each call needs an intent of its own.
    #[serde(default)]
    pub(crate) call_intents: bool,
    /// Files of the folder that the program is told to work in. Without any there is no folder, unless `folder` is set.
    #[serde(default)]
    pub(crate) files: BTreeMap<String, String>,
    /// Whether there is a folder even though no file is in it.
    #[serde(default)]
    pub(crate) folder: bool,
    /// Budgets of each run.
    #[serde(default)]
    pub(crate) budgets: Limits,
    /// What layers around the scripted host do.
    #[serde(default)]
    pub(crate) host: HostScript,
    /// Runs deterministically, from this seed.
    pub(crate) deterministic: Option<u64>,
    /// How often the program is run, each time with the same expectation.
    #[serde(default = "once")]
    runs: u32,
    /// Whether the output of each run is that of the first, whatever that is.
    #[serde(default)]
    pub(crate) alike: bool,
    /// Whether all runs share a session.
    #[serde(default)]
    pub(crate) session: bool,
    /// Runs after the first, in order.
    #[serde(default)]
    step: Vec<Step>,
    /// When the host stops the run.
    pub(crate) stop: Option<At>,
    /// When the host drops the run's future.
    pub(crate) drop: Option<At>,
    /// Whether the program may leave a thread behind, or end the process: then it has a process of its own.
    #[serde(default)]
    pub(crate) wedges: bool,
    /// What must come of it.
    #[serde(default)]
    expect: Expect,
}

/// A run after the first.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Step {
    lua: Option<String>,
    js: Option<String>,
    #[serde(default)]
    expect: Expect,
}

/// A moment in a run.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum At {
    /// Before the program starts.
    Start,
    /// When it has printed this.
    Printed(String),
    /// When this many calls were dispatched.
    Calls(u64),
}

/// One run of a case in one language.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Planned<'a> {
    pub(crate) source: &'a str,
    pub(crate) expect: &'a Expect,
}

fn once() -> u32 {
    1
}

/// A file of cases that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaseError {
    /// The file's name.
    pub file: String,
    /// The case's id, where the trouble is inside one.
    pub case: Option<String>,
    /// What is wrong.
    pub message: String,
}

impl std::fmt::Display for CaseError {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.case {
            Some(case) => write!(formatter, "{}, case {case}: {}", self.file, self.message),
            None => write!(formatter, "{}: {}", self.file, self.message),
        }
    }
}

impl std::error::Error for CaseError {}

/// Reads the cases of one file, and checks each.
pub(crate) fn read(file: &str, text: &str) -> Result<Vec<Case>, CaseError> {
    let read: CaseFile =
        toml::from_str(text).map_err(|error| CaseError { file: file.to_owned(), case: None, message: error.to_string() })?;
    for case in &read.case {
        case.check().map_err(|message| CaseError { file: file.to_owned(), case: Some(case.id.clone()), message })?;
    }
    Ok(read.case)
}

impl Case {
    fn check(&self) -> Result<(), String> {
        let word =
            |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
        if !word(&self.id) {
            return Err("an id has lower case letters, digits and hyphens alone".to_owned());
        }
        if self.lua.is_none() && self.js.is_none() {
            return Err("there is no program".to_owned());
        }
        if self.js.is_some() && matches!(self.profile, None | Some(Form::Script)) {
            return Err("a program in javascript needs `profile`: batch, program or cell".to_owned());
        }
        if self.step.iter().any(|step| step.lua.is_some() != self.lua.is_some() || step.js.is_some() != self.js.is_some()) {
            return Err("each step has a program in the languages of the first".to_owned());
        }
        if self.runs == 0 || (self.runs > 1 && !self.step.is_empty()) {
            return Err("`runs` is 1 or more, and 1 where there are steps".to_owned());
        }
        if self.alike && self.runs == 1 {
            return Err("`alike` is for more runs than one".to_owned());
        }
        if self.stop.is_some() && self.drop.is_some() {
            return Err("a run is stopped or dropped, not both".to_owned());
        }
        if let Some(flag) = self.needs.iter().find(|flag| Support::default().flag(flag).is_none()) {
            return Err(format!("there is no support flag `{flag}`"));
        }
        Ok(())
    }

    /// The profile in which the case runs in this language, if it has a program in it.
    pub(crate) fn form(&self, language: Language) -> Option<Form> {
        match language {
            Language::Lua => self.lua.as_ref().map(|_| Form::Script),
            Language::JavaScript => self.js.as_ref().and(self.profile),
            _ => None,
        }
    }

    /// Its runs in this language, in order.
    pub(crate) fn plan(&self, language: Language) -> Vec<Planned<'_>> {
        let first = source(language, self.lua.as_deref(), self.js.as_deref()).map(|source| Planned { source, expect: &self.expect });
        let rest = self.step.iter().filter_map(|step| {
            source(language, step.lua.as_deref(), step.js.as_deref()).map(|source| Planned { source, expect: &step.expect })
        });
        match first {
            Some(first) if self.runs > 1 => vec![first; self.runs as usize],
            first => first.into_iter().chain(rest).collect(),
        }
    }

    /// Why an engine with this support does not run it, if it does not.
    pub(crate) fn missing(&self, support: &Support) -> Option<String> {
        let local = (self.authority == Some(Authority::Local)).then_some("grant_local");
        let seeded = self.deterministic.map(|_| "run_deterministic");
        let needed = self.needs.iter().map(String::as_str).chain(local).chain(seeded);
        let missing: Vec<&str> = needed.filter(|flag| support.flag(flag) != Some(true)).collect();
        (!missing.is_empty()).then(|| format!("needs {}", missing.join(", ")))
    }
}

fn source<'a>(language: Language, lua: Option<&'a str>, js: Option<&'a str>) -> Option<&'a str> {
    match language {
        Language::Lua => lua,
        Language::JavaScript => js,
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(case: &str) -> String {
        read("test", &format!("[[case]]\npromises = []\n{case}")).expect_err("a case that cannot be").to_string()
    }

    #[test]
    fn a_case_that_cannot_be_run_is_refused_by_name() {
        assert_eq!(refused("id = 'A'\nlua = ''"), "test, case A: an id has lower case letters, digits and hyphens alone");
        assert_eq!(refused("id = 'a'"), "test, case a: there is no program");
        assert_eq!(refused("id = 'a'\njs = ''"), "test, case a: a program in javascript needs `profile`: batch, program or cell");
        assert_eq!(refused("id = 'a'\nlua = ''\nneeds = ['wings']"), "test, case a: there is no support flag `wings`");
        assert_eq!(refused("id = 'a'\nlua = ''\nstop = 'start'\ndrop = 'start'"), "test, case a: a run is stopped or dropped, not both");
        assert_eq!(
            refused("id = 'a'\nlua = ''\n[[case.step]]\njs = ''"),
            "test, case a: each step has a program in the languages of the first"
        );
        assert_eq!(refused("id = 'a'\nlua = ''\nalike = true"), "test, case a: `alike` is for more runs than one");
        assert_eq!(refused("id = 'a'\nlua = ''\nruns = 0"), "test, case a: `runs` is 1 or more, and 1 where there are steps");
    }

    #[test]
    fn a_plan_has_the_program_the_steps_or_the_repeats() {
        let sources = |text: &str, language| {
            let cases = read("test", &format!("[[case]]\nid = 'a'\npromises = []\n{text}")).expect("a case");
            let plan: Vec<String> = cases[0].plan(language).iter().map(|planned| planned.source.to_owned()).collect();
            (cases[0].form(language), plan)
        };
        let both = "lua = 'l'\njs = 'j'\nprofile = 'cell'\n[[case.step]]\nlua = 'm'\njs = 'k'";
        assert_eq!(sources(both, Language::Lua), (Some(Form::Script), vec!["l".to_owned(), "m".to_owned()]));
        assert_eq!(sources(both, Language::JavaScript), (Some(Form::Cell), vec!["j".to_owned(), "k".to_owned()]));
        assert_eq!(sources("lua = 'l'\nruns = 2", Language::Lua), (Some(Form::Script), vec!["l".to_owned(), "l".to_owned()]));
        assert_eq!(sources("lua = 'l'", Language::JavaScript), (None, vec![]));
    }
}
