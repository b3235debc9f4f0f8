//! The console: what it says goes into the run's output, a line or more for each call.

use std::collections::HashMap;

use crate::globals::Global;
use crate::globals::arguments::Arguments;
use crate::globals::run::handle;
use crate::realm::{Halt, Kind, Realm, Slot, Thrown};
use crate::values::{inspect_deep, print_text, table_text};

/// The functions of the console.
pub(super) const CONSOLE: &[(&str, Global)] = &[
    ("log", Global::Log),
    ("info", Global::Log),
    ("debug", Global::Log),
    ("warn", Global::Log),
    ("error", Global::Log),
    ("trace", Global::Trace),
    ("dir", Global::Dir),
    ("dirxml", Global::Log),
    ("table", Global::Table),
    ("assert", Global::Assert),
    ("group", Global::Group),
    ("groupCollapsed", Global::Group),
    ("groupEnd", Global::GroupEnd),
    ("time", Global::Time),
    ("timeLog", Global::TimeLog),
    ("timeEnd", Global::TimeEnd),
    ("count", Global::Count),
    ("countReset", Global::CountReset),
    ("clear", Global::Silent),
];

/// The spaces that a group sets its lines in.
const GROUP_SPACES: usize = 2;
/// The deepest that groups set lines in: beyond it they are counted alone.
const DEEPEST_SPACES: usize = 40;
/// How deep `console.dir` shows a value unless it is told otherwise.
const DIR_DEPTH: i32 = 2;
/// The deepest that it shows a value: each level takes native stack.
const DEEPEST_SHOWN: f64 = 100.0;
/// The most labels of counters and of clocks that are kept; further ones are shown once and forgotten.
const MOST_LABELS: usize = 1000;
/// The longest label, in bytes.
const LABEL_BYTES: usize = 200;

/// The most columns that a table is asked for.
const MOST_COLUMNS: u32 = 100;

/// What the console keeps during a run.
#[derive(Debug, Default)]
pub(crate) struct Console {
    groups: usize,
    counters: HashMap<String, u64>,
    clocks: HashMap<String, f64>,
}

/// How arguments are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Said {
    Log,
    Trace,
    Dir,
    Table,
    Assert,
}

/// Prints the arguments.
pub(super) fn say<R: Realm>(realm: &R, said: Said, arguments: &[R::Value]) -> Result<R::Value, Thrown<R::Value>> {
    let most = room(realm)?;
    let first = arguments.first();
    let text = match (said, first) {
        (Said::Dir, Some(value)) => inspect_deep(realm, value, depth(realm, arguments)?, most)?,
        (Said::Table, Some(value)) => table_text(realm, value, columns(realm, arguments.get(1))?.as_deref(), most)?,
        (Said::Trace, _) => format!("Trace{}", after(&print_text(realm, arguments, most)?)),
        (Said::Assert, Some(condition)) if is_truthy(realm, condition)? => return Ok(realm.undefined()),
        (Said::Assert, _) => {
            let rest = arguments.get(1..).unwrap_or_default();
            format!("Assertion failed{}", after(&print_text(realm, rest, most)?))
        }
        _ => print_text(realm, arguments, most)?,
    };
    print(realm, text)
}

/// Prints the arguments if there are any, and sets in what follows.
pub(super) fn group<R: Realm>(realm: &R, arguments: &[R::Value]) -> Result<R::Value, Thrown<R::Value>> {
    if !arguments.is_empty() {
        say(realm, Said::Log, arguments)?;
    }
    realm.shared().console().groups += 1;
    Ok(realm.undefined())
}

/// Ends the innermost group.
pub(super) fn group_end<R: Realm>(realm: &R) -> Result<R::Value, Thrown<R::Value>> {
    let mut console = realm.shared().console();
    console.groups = console.groups.saturating_sub(1);
    Ok(realm.undefined())
}

/// Starts a clock.
pub(super) fn time<R: Realm>(arguments: &Arguments<'_, R>) -> Result<R::Value, Thrown<R::Value>> {
    let label = label(arguments)?;
    let now = handle(arguments.realm)?.now_ms();
    let mut console = arguments.realm.shared().console();
    if console.clocks.len() < MOST_LABELS {
        console.clocks.entry(label).or_insert(now);
    }
    Ok(arguments.realm.undefined())
}

/// Prints what a clock shows, and ends it.
pub(super) fn time_log<R: Realm>(arguments: &Arguments<'_, R>, ends: bool) -> Result<R::Value, Thrown<R::Value>> {
    let realm = arguments.realm;
    let label = label(arguments)?;
    let now = handle(realm)?.now_ms();
    let started = {
        let mut console = realm.shared().console();
        if ends { console.clocks.remove(&label) } else { console.clocks.get(&label).copied() }
    };
    let Some(started) = started else {
        return print(realm, format!("Warning: No such label '{label}' for console.{}()", if ends { "timeEnd" } else { "timeLog" }));
    };
    let rest = if ends { Vec::new() } else { arguments.rest(1) };
    let rest = print_text(realm, &rest, room(realm)?)?;
    let space = if rest.is_empty() { "" } else { " " };
    print(realm, format!("{label}: {}ms{space}{rest}", (now - started).max(0.0).floor()))
}

/// Counts one up and prints the count.
pub(super) fn count<R: Realm>(arguments: &Arguments<'_, R>) -> Result<R::Value, Thrown<R::Value>> {
    let label = label(arguments)?;
    let count = {
        let mut console = arguments.realm.shared().console();
        let is_known = console.counters.contains_key(&label);
        if is_known || console.counters.len() < MOST_LABELS {
            let counter = console.counters.entry(label.clone()).or_default();
            *counter += 1;
            *counter
        } else {
            1
        }
    };
    print(arguments.realm, format!("{label}: {count}"))
}

/// Counts from one again.
pub(super) fn count_reset<R: Realm>(arguments: &Arguments<'_, R>) -> Result<R::Value, Thrown<R::Value>> {
    let label = label(arguments)?;
    if arguments.realm.shared().console().counters.remove(&label).is_none() {
        return print(arguments.realm, format!("Warning: Count for '{label}' does not exist"));
    }
    Ok(arguments.realm.undefined())
}

/// Prints lines, set in by the groups around them.
fn print<R: Realm>(realm: &R, mut text: String) -> Result<R::Value, Thrown<R::Value>> {
    let spaces = (realm.shared().console().groups * GROUP_SPACES).min(DEEPEST_SPACES);
    let lines = if spaces == 0 { 0 } else { text.bytes().filter(|byte| *byte == b'\n').count() + 1 };
    let size = text.len() + lines * spaces + 1;
    let _reserved = realm.reserve(size)?;
    if spaces > 0 {
        let indentation = " ".repeat(spaces);
        let mut indented = String::with_capacity(size);
        for (index, line) in text.split('\n').enumerate() {
            if index > 0 {
                indented.push('\n');
            }
            indented.push_str(&indentation);
            indented.push_str(line);
        }
        text = indented;
    }
    text.push('\n');
    handle(realm)?.print(&text).map_err(|_| Halt)?;
    Ok(realm.undefined())
}

/// How many bytes are worth making: a little more than is held, so that what is dropped is seen to be dropped.
fn room<R: Realm>(realm: &R) -> Result<usize, Halt> {
    Ok(usize::try_from(handle(realm)?.room()).unwrap_or(usize::MAX).saturating_add(1))
}

/// How deep `console.dir` shows a value: `null` and `Infinity` ask for all of it.
fn depth<R: Realm>(realm: &R, arguments: &[R::Value]) -> Result<i32, Halt> {
    let Some(asked) = Arguments::new(realm, arguments).option(1, "depth")? else { return Ok(DIR_DEPTH) };
    let asked = match realm.kind(&asked) {
        Kind::Null => f64::INFINITY,
        _ => realm.number(&asked),
    };
    if asked.is_nan() {
        return Ok(DIR_DEPTH);
    }
    #[expect(clippy::cast_possible_truncation, reason = "it is clamped")]
    Ok(asked.clamp(0.0, DEEPEST_SHOWN) as i32)
}

/// The columns that a table is asked for; nothing where none are named.
fn columns<R: Realm>(realm: &R, list: Option<&R::Value>) -> Result<Option<Vec<String>>, Halt> {
    let Some(list) = list.filter(|list| realm.kind(list) == Kind::Array) else { return Ok(None) };
    let mut columns = Vec::new();
    for index in 0..u32::try_from(realm.length(list)).unwrap_or(u32::MAX).min(MOST_COLUMNS) {
        if let Slot::Data(name) = realm.element(list, index)? {
            columns.push(print_text(realm, &[name], LABEL_BYTES)?);
        }
    }
    Ok(Some(columns))
}

/// The label of a clock or counter: `default` where none is given.
fn label<R: Realm>(arguments: &Arguments<'_, R>) -> Result<String, Halt> {
    if !arguments.is_given(0) {
        return Ok("default".to_owned());
    }
    print_text(arguments.realm, &[arguments.value(0)], LABEL_BYTES).map(|label| codemode_core::text::prefix(&label, LABEL_BYTES).to_owned())
}

/// Text after a colon, or nothing where there is none.
fn after(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!(": {text}") }
}

fn is_truthy<R: Realm>(realm: &R, value: &R::Value) -> Result<bool, Halt> {
    Ok(match realm.kind(value) {
        Kind::Undefined | Kind::Null => false,
        Kind::Boolean => realm.boolean(value),
        Kind::Number => realm.number(value) != 0.0 && !realm.number(value).is_nan(),
        Kind::Text => realm.length(value) > 0,
        Kind::BigInt => {
            let mut is_zero = false;
            realm.read_text(value, &mut |digits| is_zero = digits == "0")?;
            !is_zero
        }
        _ => true,
    })
}
