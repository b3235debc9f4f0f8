//! What must come of a run. What a case does not write has its default, so that a case always states the whole.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use codemode_core::{Bound, Budgets, Effects, Language};
use serde::Deserialize;

use crate::observed::Observed;
use crate::quantity::{Size, Time};

/// The whole outcome that a case expects of one run.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Expect {
    /// `ok`, a kind, `host-error` or `dropped`; the kind of `bound` where that is given, else `ok`.
    status: Option<String>,
    /// The bound that fired. Kind, message and limit follow from it, unless they are written.
    bound: Option<Bound>,
    /// Ends that are all good, where it depends on the engine which one comes. Of `time` and `memory` all is compared as for the bound
    /// of compute or of memory; of another end all but message, line and value, which are the engine's then, is compared.
    ends: Vec<String>,
    /// What was observed when it fired; one more than the limit for calls, and any value past the limit elsewhere.
    observed: Option<u64>,
    message: Option<Words>,
    line: Option<u32>,
    /// Not compared unless it is written: engines word it.
    traceback: Option<Words>,
    fix: Option<Words>,
    value: Option<String>,
    /// The state that was committed, not compared unless it is written; `none` where nothing was.
    state: Option<String>,
    output: Printed,
    /// Bytes of output past the budget.
    dropped: u64,
    /// Whether all that was held was spilled.
    spill: bool,
    /// `none` where absent.
    effects: Option<Effects>,
    /// The ledger: `tool arguments -> status`; `*` stands for arguments that are too long to write.
    calls: Vec<Entry>,
    /// How many calls reached the host; all of the ledger where absent.
    reached: Option<usize>,
    warnings: Vec<String>,
    context: Vec<String>,
    changed_paths: Vec<String>,
    /// The binary parts that come with the outcome: `handle type size`.
    content: Vec<String>,
    /// The rendering for a model; not compared unless it is written.
    text: Option<Words>,
    /// The rendering as JSON; not compared unless it is written.
    json: Option<String>,
    /// Files of the folder after the run, where the program changed them.
    files: Option<BTreeMap<String, String>>,
    /// Threads that were given up on, and the warning that says so.
    left_behind: LeftBehind,
    /// The longest that the host may have waited for the outcome.
    within: Option<Time>,
}

/// Words that every engine says alike, or the words of some engines or languages by name; others' are not compared.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
enum Words {
    Same(String),
    Own(BTreeMap<String, String>),
}

/// Output as it is, or as a piece that is repeated.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
enum Printed {
    Text(String),
    Repeated { repeat: String, bytes: Size },
}

/// One line of the ledger, or several that are alike.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
enum Entry {
    Once(String),
    Repeated { call: String, times: usize },
}

/// How many threads are given up on; one or none where that depends on what the engine can stop.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
enum LeftBehind {
    Count(usize),
    Word(Perhaps),
}

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Perhaps {
    Perhaps,
}

/// How a case writes that no state was committed.
const NOT_COMMITTED: &str = "none";

/// What the outcome says of a thread that was given up on.
const LEFT_BEHIND: &str = "the program sits in a call that cannot be stopped; its thread was left behind";

impl Default for LeftBehind {
    fn default() -> Self {
        Self::Count(0)
    }
}

impl Default for Printed {
    fn default() -> Self {
        Self::Text(String::new())
    }
}

/// What an expectation depends on besides the case.
pub(crate) struct Setting<'a> {
    pub(crate) engine: &'static str,
    pub(crate) language: Language,
    pub(crate) budgets: Budgets,
    /// Stands for `@CWD@`.
    pub(crate) cwd: &'a str,
    /// The folder's files before the run.
    pub(crate) files: &'a BTreeMap<String, String>,
}

impl Expect {
    /// The expectation in full; what is not compared is taken from what was observed.
    pub(crate) fn in_full(&self, setting: &Setting<'_>, seen: &Observed) -> Observed {
        if !self.ends.is_empty() {
            return self.of_the_end(seen).in_full(setting, seen);
        }
        let bound_limit = self.bound.and_then(|bound| limit(bound, &setting.budgets));
        let observed = self.observed.or_else(|| expected_excess(self.bound?, bound_limit?, seen.observed));
        let status = match (&self.status, self.bound) {
            (Some(status), _) => status.clone(),
            (None, Some(bound)) => bound.kind().as_str().to_owned(),
            (None, None) => "ok".to_owned(),
        };
        let value = self.value(&status, setting);
        let no_outcome = matches!(status.as_str(), "host-error" | "dropped");
        let words = |words: &Option<Words>, seen: Option<&String>| words.as_ref().map(|words| words.of(setting, seen));
        let message = match &self.message {
            Some(message) => message.of(setting, seen.message.as_ref()),
            None => self.bound.map(|bound| {
                let unit = setting.budgets.text_unit.word();
                sentence(bound, bound_limit.unwrap_or_default(), observed.unwrap_or_default(), unit)
            }),
        };
        let output = self.output.text(setting);
        let calls = self.calls(&seen.calls);
        let reached = self.reached.unwrap_or(calls.len());
        let left_behind = match &self.left_behind {
            LeftBehind::Count(count) => *count,
            LeftBehind::Word(Perhaps::Perhaps) => seen.left_behind.min(1),
        };
        let mut warnings = self.warnings.clone();
        if left_behind > 0 {
            warnings.push(LEFT_BEHIND.to_owned());
        }
        Observed {
            status,
            bound: self.bound,
            limit: bound_limit,
            observed,
            message,
            line: self.line,
            traceback: words(&self.traceback, seen.traceback.as_ref()).unwrap_or_else(|| seen.traceback.clone()),
            fix: words(&self.fix, seen.fix.as_ref()).flatten(),
            value,
            state_committed: self.state.as_ref().map_or(seen.state_committed, |state| Some(state != NOT_COMMITTED)),
            state: match &self.state {
                Some(state) => (state != NOT_COMMITTED).then(|| state.clone()),
                None => seen.state.clone(),
            },
            spill: self.spill.then(|| output.clone()),
            output,
            dropped: self.dropped,
            effects: (!no_outcome).then(|| crate::envelope::word(self.effects.unwrap_or(Effects::None)).to_owned()),
            // Where they are as many as expected their names are in the ledger already.
            reached: if seen.reached.len() == reached { seen.reached.clone() } else { vec![format!("{reached} calls")] },
            calls,
            result_bytes: seen.result_bytes,
            warnings,
            context: self.context.clone(),
            changed_paths: self.changed_paths.clone(),
            content: self.content.clone(),
            text: words(&self.text, Some(&seen.text)).flatten().unwrap_or_else(|| seen.text.clone()),
            json: self.json.as_ref().map_or_else(|| seen.json.clone(), |json| indented(json)),
            files: self.files.clone().unwrap_or_else(|| setting.files.clone()),
            left_behind,
            broken: Vec::new(),
            took_ms: seen.took_ms,
        }
    }

    /// The expectation of the one of several ends that was seen.
    fn of_the_end(&self, seen: &Observed) -> Self {
        let expect = Self { ends: Vec::new(), ..self.clone() };
        match seen.status.as_str() {
            status if !self.ends.iter().any(|end| end == status) => Self { status: Some(self.ends.join(" or ")), ..expect },
            "time" => Self { bound: Some(Bound::Compute), ..expect },
            "memory" => Self { bound: Some(Bound::Memory), ..expect },
            status => Self {
                status: Some(status.to_owned()),
                message: seen.message.as_ref().map(|_| Words::Own(BTreeMap::new())),
                line: seen.line,
                value: seen.value.clone(),
                ..expect
            },
        }
    }

    /// Whether one end of several is as good as another, so that engines need not agree.
    pub(crate) fn has_many_ends(&self) -> bool {
        !self.ends.is_empty()
    }

    /// What is written, else what a program that ends without a value gives back in its language.
    fn value(&self, status: &str, setting: &Setting<'_>) -> Option<String> {
        let none = || (status == "ok" && setting.language == Language::JavaScript).then(|| "null".to_owned());
        self.value.clone().or_else(none)
    }

    /// Whether engines word the message themselves.
    pub(crate) fn has_own_words(&self) -> bool {
        matches!(self.message, Some(Words::Own(_)))
    }

    /// What is wrong with the time that the outcome took, if it took too long.
    pub(crate) fn too_late(&self, seen: &Observed) -> Option<String> {
        let allowed = u64::try_from(self.within?.0.as_millis()).unwrap_or(u64::MAX);
        (seen.took_ms > allowed).then(|| format!("the outcome took {} ms, and at most {allowed} ms are allowed\n", seen.took_ms))
    }

    fn calls(&self, seen: &[String]) -> Vec<String> {
        let mut calls = Vec::new();
        for entry in &self.calls {
            let (call, times) = match entry {
                Entry::Once(call) => (call, 1),
                Entry::Repeated { call, times } => (call, *times),
            };
            for _ in 0..times {
                calls.push(match (call.split_once(" * -> "), seen.get(calls.len())) {
                    (Some((tool, status)), Some(seen))
                        if seen.starts_with(&format!("{tool} ")) && seen.ends_with(&format!(" -> {status}")) =>
                    {
                        seen.clone()
                    }
                    _ => call.clone(),
                });
            }
        }
        calls
    }
}

impl Words {
    /// Those of this engine, else of its language, else what was seen.
    fn of(&self, setting: &Setting<'_>, seen: Option<&String>) -> Option<String> {
        let written = match self {
            Self::Same(words) => Some(words),
            Self::Own(words) => words.get(setting.engine).or_else(|| words.get(setting.language.name())),
        };
        written.map(|words| words.replace("@CWD@", setting.cwd)).or_else(|| seen.cloned())
    }
}

impl Printed {
    fn text(&self, setting: &Setting<'_>) -> String {
        match self {
            Self::Text(text) => text.replace("@CWD@", setting.cwd),
            Self::Repeated { repeat, bytes } => {
                let bytes = usize::try_from(bytes.0).unwrap_or(usize::MAX);
                let mut text = repeat.repeat(bytes / repeat.len().max(1) + 1);
                text.truncate(text.floor_char_boundary(bytes));
                text
            }
        }
    }
}

fn indented(json: &str) -> String {
    match serde_json::from_str::<serde_json::Value>(json).and_then(|tree| serde_json::to_string_pretty(&tree)) {
        Ok(json) => json,
        Err(error) => format!("the case's own json is not valid: {error}"),
    }
}

/// The limit of a bound, in its unit; nothing for a bound that is no budget.
fn limit(bound: Bound, budgets: &Budgets) -> Option<u64> {
    let millis = |duration: std::time::Duration| u64::try_from(duration.as_millis()).ok();
    match bound {
        Bound::Compute => millis(budgets.compute),
        Bound::Wall => millis(budgets.wall),
        Bound::Memory => Some(budgets.memory_bytes),
        Bound::Calls => Some(budgets.calls),
        Bound::CallResult => Some(budgets.call_result_bytes),
        Bound::TotalResults => Some(budgets.total_result_bytes),
        Bound::Value if budgets.joint_output => Some(budgets.value.min(budgets.output)),
        Bound::Value => Some(budgets.value),
        Bound::StateBytes => Some(budgets.state_bytes),
        Bound::StateDepth => Some(budgets.state_depth),
        Bound::StateNodes => Some(budgets.state_nodes),
        _ => None,
    }
}

/// The call past the budget is exactly the next one; what else passes a limit passes it by an amount that may differ.
fn expected_excess(bound: Bound, limit: u64, seen: Option<u64>) -> Option<u64> {
    match (bound, seen) {
        (Bound::Calls, _) => Some(limit + 1),
        (Bound::Compute | Bound::Wall, Some(seen)) if seen >= limit => Some(seen),
        (_, Some(seen)) if seen > limit => Some(seen),
        _ => Some(limit + 1),
    }
}

/// What the contract says when a bound fires. Core says it; the suite says it again, so that it cannot change unseen.
fn sentence(bound: Bound, limit: u64, observed: u64, unit: &str) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = match bound {
        Bound::Compute => write!(text, "the compute budget of {limit} ms ran out; time spent waiting for tools does not count"),
        Bound::Wall => write!(text, "the wall clock of {limit} ms ran out; it is never extended"),
        Bound::Memory => write!(text, "the program held more than its memory budget of {limit} bytes"),
        Bound::Calls => write!(text, "the program asked for call {observed}, and its budget is {limit}; that call was not made"),
        Bound::Interrupted => write!(text, "the run was stopped by its user or its host"),
        Bound::CallResult => write!(text, "one result had {observed} bytes, and its budget is {limit} bytes"),
        Bound::TotalResults => write!(text, "all results together had {observed} bytes, and their budget is {limit} bytes"),
        Bound::Value => write!(text, "the returned value has {observed} {unit} or more as json, and its budget is {limit} {unit}"),
        Bound::StateBytes => {
            write!(text, "the state has {observed} bytes or more as json, and its budget is {limit} bytes; it was not committed")
        }
        Bound::StateDepth => {
            write!(text, "the state nests {observed} levels deep or more, and its budget is {limit} levels; it was not committed")
        }
        Bound::StateNodes => {
            write!(text, "the state has {observed} values or more, and its budget is {limit} values; it was not committed")
        }
        // Whoever fires another bound says why.
        _ => Ok(()),
    };
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn full(expect: &str, seen: &Observed) -> Observed {
        let expect: Expect = toml::from_str(expect).expect("an expectation");
        let budgets = Budgets { calls: 3, ..Budgets::default() };
        let setting = Setting { engine: "one", language: Language::Lua, budgets, cwd: "/here", files: &BTreeMap::new() };
        expect.in_full(&setting, seen)
    }

    #[test]
    fn what_is_not_written_is_the_plain_end_of_a_quiet_program() {
        let plain = Observed { status: "ok".to_owned(), effects: Some("none".to_owned()), ..Observed::default() };
        assert_eq!(full("", &plain), plain);
        let noisy = Observed { output: "x".to_owned(), warnings: vec!["w".to_owned()], reached: vec!["echo".to_owned()], ..plain.clone() };
        assert_eq!(full("", &noisy), Observed { reached: vec!["0 calls".to_owned()], ..plain });
    }

    #[test]
    fn a_bound_says_kind_message_and_limit() {
        let expected = Observed {
            status: "calls".to_owned(),
            bound: Some(Bound::Calls),
            limit: Some(3),
            observed: Some(4),
            message: Some("the program asked for call 4, and its budget is 3; that call was not made".to_owned()),
            calls: vec!["echo {} -> ok".to_owned(); 3],
            reached: vec!["3 calls".to_owned()],
            effects: Some("none".to_owned()),
            ..Observed::default()
        };
        assert_eq!(full("bound = 'calls'\ncalls = [{ call = 'echo {} -> ok', times = 3 }]", &Observed::default()), expected);
    }

    #[test]
    fn words_of_another_engine_are_not_compared() {
        let seen = Observed { message: Some("mine".to_owned()), ..Observed::default() };
        assert_eq!(full("message = { other = 'theirs' }", &seen).message.as_deref(), Some("mine"));
        assert_eq!(full("message = { lua = 'ours at @CWD@', two = 'x' }", &seen).message.as_deref(), Some("ours at /here"));
        assert_eq!(full("message = { one = 'own', lua = 'ours' }", &seen).message.as_deref(), Some("own"));
    }

    #[test]
    fn long_output_is_a_piece_that_is_repeated_and_cut() {
        let output = |expect: &str| full(expect, &Observed::default()).output;
        assert_eq!(output("output = { repeat = 'abc', bytes = 7 }"), "abcabca");
    }
}
