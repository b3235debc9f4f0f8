//! One tool on one line: how it is called, what it gives, and what it is for.

use codemode_core::{Form, Profile, ToolSpec, is_identifier};

use crate::clean::{lua_quoted, quoted};
use crate::search::first_sentence;
use crate::shape::{Shape, ShapeLimits};
use crate::signature::comment;
use crate::typescript::OWN_MEMBERS;

/// How much of a tool stands on its line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fullness {
    /// Signature, result and purpose.
    Full,
    /// The same, each cut shorter.
    Short,
    /// The signature alone.
    Bare,
}

impl Fullness {
    /// Bytes of parameters, of the result and of the purpose.
    fn bytes(self) -> (usize, usize, usize) {
        match self {
            Self::Full => (300, 160, 140),
            Self::Short => (160, 80, 70),
            Self::Bare => (120, 0, 0),
        }
    }
}

/// A tool whose name is longer has no line: nobody would write it.
const MOST_NAME_BYTES: usize = 200;

/// The line of a tool; none where its name is too long for one.
pub(super) fn tool_line(tool: &ToolSpec, profile: &Profile, fullness: Fullness) -> Option<String> {
    if tool.name.len() > MOST_NAME_BYTES || tool.name.is_empty() {
        return None;
    }
    let (input_bytes, output_bytes, purpose_bytes) = fullness.bytes();
    let limits = ShapeLimits { depth: 5, nodes: 300, fields: 60, ..ShapeLimits::default() };
    let input =
        tool.input_schema.as_ref().map_or_else(|| "{…}".to_owned(), |schema| shape_line(schema.tree(), "Input", &limits, input_bytes));
    // Arguments are an object, whatever the schema leaves open.
    let input = if input == "any" { "{…}".to_owned() } else { input };
    let mut line = format!("- {}", written(tool, profile, &input));
    // A Lua program gets text.
    if profile.form != Form::Script
        && output_bytes > 0
        && let Some(schema) = &tool.output_schema
    {
        line.push_str(" -> ");
        line.push_str(&shape_line(schema.tree(), "Output", &limits, output_bytes));
    }
    let mut line = harmless_code(&line);
    if purpose_bytes > 0
        && let Some(purpose) = comment(first_sentence(&tool.description).0, purpose_bytes)
    {
        line.push_str(if profile.form == Form::Script { " -- " } else { " // " });
        line.push_str(&harmless_prose(&purpose));
    }
    Some(line)
}

fn shape_line(schema: &serde_json::Value, name: &str, limits: &ShapeLimits, bytes: usize) -> String {
    Shape::read(schema, name, limits).line(bytes)
}

/// The call as a program writes it.
fn written(tool: &ToolSpec, profile: &Profile, input: &str) -> String {
    let name = &*tool.name;
    match profile.form {
        Form::Script => {
            let called = if is_identifier(name) { format!("tool.{name}") } else { format!("tool[{}]", lua_quoted(name)) };
            if input.starts_with('{') { format!("{called}{input}") } else { format!("{called}({input})") }
        }
        Form::Batch => {
            let input = match (profile.call_intents, tool.namespace.is_some()) {
                (false, _) => input.to_owned(),
                (true, true) => format!("{{intent: string, arguments: {input}}}"),
                (true, false) => match input.strip_prefix('{') {
                    Some("}") => "{intent: string}".to_owned(),
                    Some(fields) if !input.contains("}|{") => format!("{{intent: string, {fields}"),
                    _ => format!("{{intent: string}} & {input}"),
                },
            };
            format!("tools.call({}, {input})", quoted(name, usize::MAX))
        }
        Form::Program | Form::Cell | _ => {
            let object = if profile.form == Form::Cell { &*profile.namespace } else { "tools" };
            if OWN_MEMBERS.contains(&name) {
                format!("{object}.call({}, {input})", quoted(name, usize::MAX))
            } else if is_identifier(name) {
                format!("{object}.{name}({input})")
            } else {
                format!("{object}[{}]({input})", quoted(name, usize::MAX))
            }
        }
    }
}

/// A signature in which nothing ends a comment, a template string, a fence or an element: such signs stand in quotes alone, where
/// they can be written as escapes.
fn harmless_code(line: &str) -> String {
    line.replace('`', "\\u0060").replace("${", "\\u0024{").replace("*/", "*\\/").replace("</", "<\\/")
}

/// Prose in which nothing ends a comment, a template string, a fence or an element.
fn harmless_prose(text: &str) -> String {
    text.replace('`', "'").replace("${", "$ {").replace("*/", "* /").replace("</", "< /").replace("]]", "] ]")
}
