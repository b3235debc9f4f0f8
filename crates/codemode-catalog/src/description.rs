//! The description of `run_code` that a model reads: how programs are written, and which tools there are.

use codemode_core::{Catalog, Profile};

use crate::line::signature_line;
use crate::tokens::estimated_tokens;

/// What a description is made from.
#[derive(Debug, Clone, PartialEq)]
pub struct DescriptionOptions<'a> {
    /// What programs see and get back, with the budgets of a run.
    pub profile: &'a Profile,
    /// The tool's own name, `run_code` by default.
    pub tool: &'a str,
    /// The most tokens of the whole text by [`estimated_tokens`]; 2,000 by default.
    pub budget_tokens: usize,
    /// Whether a tool `search_tools` is offered beside this one where not all tools are shown; off by default.
    pub search_tool: bool,
    /// Whether the model can call tools directly as well; off by default.
    pub direct_tools: bool,
}

impl<'a> DescriptionOptions<'a> {
    /// The defaults for this profile.
    #[must_use]
    pub fn new(profile: &'a Profile) -> Self {
        Self { profile, tool: "run_code", budget_tokens: 2_000, search_tool: false, direct_tools: false }
    }
}

/// A description, and what it shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Description {
    /// The text: the same bytes for the same catalog and options.
    pub text: String,
    /// Whether every tool is shown, and no server is unlisted.
    pub complete: bool,
    /// How many tools are shown.
    pub shown: usize,
    /// How many tools programs can call.
    pub all: usize,
    /// The text's tokens by [`estimated_tokens`].
    pub tokens: usize,
}

/// Describes `run_code` for a model, with as many signatures of tools as the budget has room for.
#[must_use]
pub fn describe_run_code(catalog: &Catalog, options: &DescriptionOptions<'_>) -> Description {
    let mut text = format!("Runs a program of profile {}.", options.profile.name());
    let all = catalog.len();
    let mut shown = 0;
    for tool in catalog.tools() {
        let line = format!("\n{}", signature_line(tool));
        if estimated_tokens(&text) + estimated_tokens(&line) > options.budget_tokens {
            break;
        }
        text.push_str(&line);
        shown += 1;
    }
    let tokens = estimated_tokens(&text);
    Description { text, complete: shown == all && catalog.unlisted().next().is_none(), shown, all, tokens }
}
