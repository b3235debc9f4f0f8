//! The description of `run_code` that a model reads: how programs are written, and which tools there are.

mod limits;
mod lines;
mod prose;

use std::collections::BTreeMap;
use std::sync::Arc;

use codemode_core::{Catalog, Form, Profile, ToolSpec};

use crate::clean::one_line;
use crate::tokens::estimated_tokens;
use lines::{Fullness, tool_line};

/// What a description is made from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DescriptionOptions<'a> {
    /// What programs see and get back, with the budgets of a run.
    pub profile: &'a Profile,
    /// The most tokens of the whole text by [`estimated_tokens`]; 2,000 by default.
    ///
    /// What is said of programs is never cut: it has about 1,000 tokens, and where the budget is less no tool is shown.
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
        Self { profile, budget_tokens: 2_000, search_tool: false, direct_tools: false }
    }
}

/// A description, and what it shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Description {
    /// The text: the same bytes for the same tools and options.
    pub text: String,
    /// Whether every tool is shown, and every server is listed.
    pub complete: bool,
    /// How many tools are shown.
    pub shown: usize,
    /// How many tools programs can call.
    pub all: usize,
    /// The text's tokens by [`estimated_tokens`].
    pub tokens: usize,
}

/// Tokens of the heading, of what joins the parts, and of what remains when no other line fits.
const HEADING_TOKENS: usize = 60;
/// A share of the room for tools, as its divisor, that the names of servers may take.
const SERVERS_SHARE: usize = 4;
/// When so many lines in a row were too long for what is left, there is no use in trying others.
const MOST_MISSES: usize = 40;
/// No line of a tool has fewer tokens than this.
const LEAST_LINE_TOKENS: usize = 6;

/// Describes `run_code` for a model: when to use it, how programs of the profile are written, what comes back, an example, and
/// the tools, a line each with signature and purpose.
///
/// Where there is room for all tools they are marked `COMPLETE`, in the fullest of three forms that fits. Else they are marked
/// `PARTIAL n of m`, servers are named with their numbers of tools, and servers take turns (the host's own tools first, then
/// sorted by name) until the budget is used up. Nothing that a tool says of itself can end its line, look like a heading, close
/// a comment, a string or a fence, or be invisible.
#[must_use]
pub fn describe_run_code(catalog: &Catalog, options: &DescriptionOptions<'_>) -> Description {
    let mut text = prose::prose(options);
    let turns = turns(catalog);
    let all = turns.len();
    let unlisted = unlisted_line(catalog);
    let used = estimated_tokens(&text) + HEADING_TOKENS + unlisted.as_deref().map_or(0, estimated_tokens);
    let room = options.budget_tokens.saturating_sub(used);
    let every =
        [Fullness::Full, Fullness::Short, Fullness::Bare].into_iter().find_map(|fullness| every_line(&turns, room, fullness, options));
    let (servers, mut lines) = match every {
        Some(lines) => (None, lines),
        None => {
            let servers = servers_line(&turns, room / SERVERS_SHARE);
            let room = room.saturating_sub(servers.as_deref().map_or(0, estimated_tokens));
            (servers, some_lines(&turns, room, options))
        }
    };
    // Chosen in turns, shown server by server.
    lines.sort_by(|one, other| (&one.0.namespace, &one.0.name).cmp(&(&other.0.namespace, &other.0.name)));
    let shown = lines.len();
    let complete = shown == all && unlisted.is_none();
    text.push_str("\n\n");
    text.push_str(&heading(shown, all, unlisted.is_some(), options));
    for line in servers.iter().chain(&unlisted).chain(lines.iter().map(|(_, line)| line)) {
        text.push('\n');
        text.push_str(line);
    }
    let tokens = estimated_tokens(&text);
    Description { text, complete, shown, all, tokens }
}

/// A tool and its line.
type Line<'a> = (&'a Arc<ToolSpec>, String);

/// The tools in the order in which they are chosen: the first of each server, then the second of each, and so on.
fn turns(catalog: &Catalog) -> Vec<&Arc<ToolSpec>> {
    let mut servers: BTreeMap<Option<&str>, usize> = BTreeMap::new();
    let mut turns: Vec<(usize, Option<&str>, &Arc<ToolSpec>)> = Vec::new();
    for tool in catalog.tools() {
        let turn = servers.entry(tool.namespace.as_deref()).or_default();
        turns.push((*turn, tool.namespace.as_deref(), tool));
        *turn += 1;
    }
    turns.sort_by_key(|(turn, server, _)| (*turn, *server));
    turns.into_iter().map(|(_, _, tool)| tool).collect()
}

/// A line for each tool, where all of them fit into the room.
fn every_line<'a>(turns: &[&'a Arc<ToolSpec>], room: usize, fullness: Fullness, options: &DescriptionOptions<'_>) -> Option<Vec<Line<'a>>> {
    if turns.len() * LEAST_LINE_TOKENS > room {
        return turns.is_empty().then(Vec::new);
    }
    let mut left = room;
    let mut lines = Vec::with_capacity(turns.len());
    for tool in turns {
        let line = tool_line(tool, options.profile, fullness)?;
        left = left.checked_sub(line_tokens(&line))?;
        lines.push((*tool, line));
    }
    Some(lines)
}

/// The lines that fit into the room, in turns; one that is too long is left out for shorter ones after it.
fn some_lines<'a>(turns: &[&'a Arc<ToolSpec>], room: usize, options: &DescriptionOptions<'_>) -> Vec<Line<'a>> {
    let mut left = room;
    let mut misses = 0;
    let mut lines = Vec::new();
    for tool in turns {
        if left < LEAST_LINE_TOKENS || misses >= MOST_MISSES {
            break;
        }
        let line = tool_line(tool, options.profile, Fullness::Short).filter(|line| line_tokens(line) <= left);
        match line {
            Some(line) => {
                left -= line_tokens(&line);
                misses = 0;
                lines.push((*tool, line));
            }
            None => misses += 1,
        }
    }
    lines
}

/// A line's tokens with its end.
fn line_tokens(line: &str) -> usize {
    estimated_tokens(line) + 1
}

/// The name of a server as it stands in a line: nothing in it ends a word.
fn shown_server(name: &str) -> String {
    let name = one_line(name, 60).unwrap_or_default();
    name.chars().map(|letter| if letter.is_alphanumeric() || matches!(letter, '-' | '_' | '.') { letter } else { '_' }).collect()
}

/// The servers with their numbers of tools, as many as fit into the room.
fn servers_line(turns: &[&Arc<ToolSpec>], room: usize) -> Option<String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for server in turns.iter().filter_map(|tool| tool.namespace.as_deref()) {
        *counts.entry(server).or_default() += 1;
    }
    let mut line = String::new();
    for (place, (server, count)) in counts.iter().enumerate() {
        let before = if line.is_empty() { "Servers, with their numbers of tools: " } else { ", " };
        let longer = format!("{line}{before}{} {count}", shown_server(server));
        if estimated_tokens(&longer) + 8 > room {
            let more = counts.len() - place;
            return (!line.is_empty()).then(|| format!("{line}, and {more} more servers"));
        }
        line = longer;
    }
    (!line.is_empty()).then_some(line)
}

/// The most servers that are not listed yet of which the names are told.
const MOST_UNLISTED: usize = 12;

fn unlisted_line(catalog: &Catalog) -> Option<String> {
    let names: Vec<String> = catalog.unlisted().map(|name| shown_server(name)).collect();
    let more = names.len().saturating_sub(MOST_UNLISTED);
    let shown = names[..names.len() - more].join(", ");
    match (names.is_empty(), more) {
        (true, _) => None,
        (false, 0) => Some(format!("Servers that are not listed yet, whose first use waits for them: {shown}")),
        (false, more) => Some(format!("Servers that are not listed yet, whose first use waits for them: {shown}, and {more} more")),
    }
}

fn heading(shown: usize, all: usize, more_to_list: bool, options: &DescriptionOptions<'_>) -> String {
    if shown == all && !more_to_list {
        return match all {
            0 => "## Tools (COMPLETE: there are none)".to_owned(),
            1 => "## Tools (COMPLETE: this is all there is)".to_owned(),
            all => format!("## Tools (COMPLETE: these {all} are all there are)"),
        };
    }
    let namespace = &options.profile.namespace;
    let object = match options.profile.form {
        Form::Script | Form::Cell => namespace,
        _ => "tools",
    };
    let search = if options.search_tool { "search_tools, or " } else { "" };
    let known = if more_to_list { " known so far" } else { "" };
    format!(
        "## Tools (PARTIAL {shown} of {all}{known}: {search}{object}.search(\"words\") in a program, finds others; {object}.describe(\"name\") tells all of one)"
    )
}
