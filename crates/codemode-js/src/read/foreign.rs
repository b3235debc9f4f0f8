//! What is no JavaScript: names what was sent instead, from a parse that failed and from the evidence in the text.
//!
//! Strings and comments are no evidence, and what parses is never refused for its words; the exceptions are a source
//! that is one JSON object and a source that is one shell command, neither of which could do anything.

use codemode_core::{Form, Raised};

use super::evidence::{self, Sent};
use super::refuse::refuse;
use super::scan::Scan;

/// How the shape for a cell begins its call; the host may give its object another name than this.
pub(super) const CELL_CALL: &str = "await host.";

/// A line of the right shape.
pub(super) fn shape(form: Form) -> &'static str {
    match form {
        Form::Batch => "`const answer = tools.call(\"name\", { key: \"value\" }); return answer.content`",
        Form::Cell => "`const value = await host.name({ key: \"value\" }); return value`",
        _ => "`const value = await tools.name({ key: \"value\" }); return value`",
    }
}

/// Judges a source before its parse: what would parse and is no program all the same.
pub(super) fn judge_whole(source: &str, text: &str, scanned: &Scan, form: Form) -> Option<Raised> {
    let first = scanned.first?;
    let whole = text.get(first..scanned.last)?;
    if let Some(keys) = evidence::json_keys(whole) {
        return Some(refuse_json(&keys, form));
    }
    // Comments and semicolons would make it a program that was meant.
    let is_alone = source.trim() == whole;
    (is_alone && evidence::is_lone_command(whole)).then(|| refuse_foreign(Sent::Shell, form))
}

/// Judges a source that does not parse; nothing where it looks like JavaScript with a mistake in it.
pub(super) fn judge(source: &str, text: &str, scanned: &Scan, form: Form) -> Option<Raised> {
    let code = code_alone(text, scanned);
    if let Some(sent) = evidence::sent_whole(source.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n'])) {
        return Some(refuse_foreign(sent, form));
    }
    evidence::sent(text, &code).map(|sent| refuse_foreign(sent, form))
}

/// Advice for a syntax error at the byte `at`, where the text shows what went wrong.
pub(super) fn fix_of_syntax(text: &str, scanned: &Scan, at: usize, form: Form) -> Option<String> {
    let code = code_alone(text, scanned);
    // The parser's places may lie within a character that it does not know.
    let line_start = text[..text.floor_char_boundary(at)].rfind('\n').map_or(0, |end| end + 1);
    let line = text[line_start..].lines().next().unwrap_or_default();
    if ["&lt;", "&gt;", "&amp;", "&quot;", "&#"].iter().any(|escape| code.contains(escape)) {
        return Some("the source has HTML escapes such as `&gt;`: send the characters themselves".to_owned());
    }
    if code.contains(['\u{201c}', '\u{201d}', '\u{2018}', '\u{2019}']) {
        return Some("the source has typographic quotes: write plain ones".to_owned());
    }
    if code.contains("\\n") && !code.trim().contains('\n') {
        return Some("line ends were sent as a backslash and an n: send real ones".to_owned());
    }
    if evidence::is_prose(line) {
        return Some(format!("send the program alone, or in a Markdown fence: {}", shape(form)));
    }
    if evidence::has_markup(&code) {
        return Some("JSX is not supported: build text with template literals".to_owned());
    }
    None
}

fn refuse_foreign(sent: Sent, form: Form) -> Raised {
    let mut raised = refuse(&format!("{} was sent, not a JavaScript program", sent.name()));
    let lead = match sent {
        Sent::Shell => "send JavaScript; where a tool runs commands, call it: ",
        _ => "send JavaScript: ",
    };
    raised.fix = Some(format!("{lead}{}", shape(form)));
    raised
}

fn refuse_json(keys: &[String], form: Form) -> Raised {
    let mut raised = refuse("a JSON object was sent, not a JavaScript program");
    let holds = keys.iter().find(|key| matches!(key.as_str(), "code" | "source" | "program" | "script" | "javascript"));
    raised.fix = Some(match holds {
        Some(key) => format!("send what stands under {key:?} itself, as it is"),
        None => format!("call a tool in JavaScript, or return the object: {}", shape(form)),
    });
    raised
}

/// The text with strings and comments blanked, byte for byte.
fn code_alone(text: &str, scanned: &Scan) -> String {
    let mut code = String::with_capacity(text.len());
    let mut at = 0;
    for &(start, end) in &scanned.quoted {
        code.push_str(&text[at..start]);
        code.extend(text[start..end].bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }));
        at = end;
    }
    code.push_str(&text[at..]);
    code
}
