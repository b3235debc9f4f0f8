//! Every key that a settings file may have: what it takes, what it means and what holds without it.
//!
//! The reader, the suggestions for a wrong key and the JSON Schema all go by this one list.

use super::limits::LIMITS;
use crate::units::Unit;

/// The least and the most of `code_mode.description_tokens`.
pub(crate) const DESCRIPTION_TOKENS: (u64, u64) = (100, 100_000);

/// What a key takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// `true` or `false`.
    Switch,
    /// A list of names of tools.
    Names,
    /// A whole number from the first to the second.
    Number(u64, u64),
    /// A quantity of at least one: text with a unit, and where it is no duration a whole number as well.
    Quantity(Unit),
    /// Text.
    Text,
    /// A list of texts.
    Texts,
    /// Texts by name.
    TextsByName,
}

/// One key of a table.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Key {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    /// What it means, for the schema.
    pub(crate) what: &'static str,
    /// What holds without it, as JSON; nothing where that depends on other things.
    pub(crate) default: Option<&'static str>,
}

const fn key(name: &'static str, kind: Kind, default: Option<&'static str>, what: &'static str) -> Key {
    Key { name, kind, what, default }
}

/// The tables at the top, each with what it is about.
pub(crate) const TOP: &[(&str, &str)] = &[
    ("code_mode", "Whether and how code mode is offered."),
    ("tools", "The tools as the model calls them directly."),
    ("servers", "The MCP servers whose tools programs and models call, by names of your own."),
    ("results", "What is made of results."),
];

/// The table of limits, within `code_mode`.
pub(crate) const LIMITS_TABLE: &str = "limits";
/// What it is about.
pub(crate) const LIMITS_WHAT: &str = "The limits of a run that asks for none of its own; each profile has its defaults and its ranges.";

pub(crate) const CODE_MODE: &[Key] = &[
    key("enabled", Kind::Switch, None, "Whether code mode is offered; without it, as the host has it, and the command offers it."),
    key(
        "compact_direct_tools",
        Kind::Switch,
        Some("false"),
        "Whether the model has only the direct tools under `direct` beside code mode; needs code mode.",
    ),
    key("direct", Kind::Names, None, "The direct tools of a compact inventory; without it, those that the host keeps direct."),
    key("disabled", Kind::Names, Some("[]"), "Tools that programs may not call, whatever holds for direct calls."),
    key("direct_only", Kind::Names, Some("[]"), "Tools that are for direct calls alone, in a compact inventory as well."),
    key("nudges_enabled", Kind::Switch, Some("true"), "Whether a hint may suggest code mode after many direct calls."),
    key(
        "description_tokens",
        Kind::Number(DESCRIPTION_TOKENS.0, DESCRIPTION_TOKENS.1),
        Some("2000"),
        "The most tokens that the signatures in the description of run_code take.",
    ),
];

pub(crate) const TOOLS: &[Key] =
    &[key("disabled", Kind::Names, Some("[]"), "Tools that the model may not call directly, whatever holds for programs.")];

pub(crate) const RESULTS: &[Key] = &[key(
    "learn_shapes",
    Kind::Switch,
    Some("true"),
    "Whether the shapes of results are learned where a tool has no output schema: types and keys, never values.",
)];

pub(crate) const SERVER: &[Key] = &[
    key("command", Kind::Text, None, "The program to start, which speaks MCP on standard input and output."),
    key("args", Kind::Texts, Some("[]"), "The program's arguments."),
    key("env", Kind::TextsByName, Some("{}"), "Variables that the program gets besides those of codemode."),
    key("cwd", Kind::Text, None, "The folder to start the program in, relative to the folder of this file."),
    key("url", Kind::Text, None, "The address of a server that is reached over streamable HTTP."),
    key("headers", Kind::TextsByName, Some("{}"), "Headers of each request."),
    key("enabled", Kind::Switch, Some("true"), "Whether the server is used."),
    key("timeout", Kind::Quantity(Unit::Duration), Some("\"60s\""), "How long a call may be silent; progress begins it anew."),
    key("max_timeout", Kind::Quantity(Unit::Duration), Some("\"10m\""), "How long a call may take at all."),
    key("start_timeout", Kind::Quantity(Unit::Duration), Some("\"30s\""), "How long the server may take to start and to list its tools."),
];

/// The keys of the limits.
pub(crate) fn limits() -> Vec<Key> {
    LIMITS.iter().map(|limit| key(limit.name, Kind::Quantity(limit.unit), None, limit.what)).collect()
}

/// Every key with a fixed path, for suggestions.
pub(crate) fn paths() -> Vec<String> {
    let under = |table: &str, keys: &[Key]| keys.iter().map(|key| format!("{table}.{}", key.name)).collect::<Vec<_>>();
    let tables = [under("code_mode", CODE_MODE), under("code_mode.limits", &limits()), under("tools", TOOLS), under("results", RESULTS)];
    tables.concat()
}
