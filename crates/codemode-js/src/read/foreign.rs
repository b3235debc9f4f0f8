//! What is no JavaScript: names what was sent instead, from a parse that failed and from the evidence in the text.
//!
//! Strings and comments are no evidence, and what parses is never refused for its words; the exceptions are a source that
//! is one JSON object or one shell command, neither of which could do anything, and a first line `#!` for another language.

use codemode_core::{Form, Profile, Raised};

use super::evidence::{self, Sent};
use super::refuse::refuse;
use super::scan::Scan;

/// A line of the right shape.
pub(super) fn shape(profile: &Profile) -> String {
    let tools = match profile.form {
        Form::Batch => return "`const answer = tools.call(\"name\", { key: \"value\" }); return answer.content`".to_owned(),
        Form::Cell => &*profile.namespace,
        _ => "tools",
    };
    format!("`const value = await {tools}.name({{ key: \"value\" }}); return value`")
}

/// The text from its first character on that is no white space.
pub(super) fn from_first(text: &str) -> &str {
    text.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n'])
}

/// Judges a text before its parse: what would parse and is no program all the same.
pub(super) fn judge_whole(text: &str, scanned: &Scan, profile: &Profile) -> Option<Raised> {
    if let Some(sent) = evidence::sent_to_run(from_first(text)) {
        return Some(refuse_foreign(sent, profile));
    }
    let whole = text.get(scanned.first?..scanned.last)?;
    if let Some(keys) = evidence::json_keys(whole) {
        return Some(refuse_json(&keys, profile));
    }
    // Comments and semicolons would make it a program that was meant.
    let is_alone = text.trim() == whole;
    (is_alone && evidence::is_lone_command(whole)).then(|| refuse_foreign(Sent::Shell, profile))
}

/// Judges a text that does not parse; nothing where it looks like JavaScript with a mistake in it.
pub(super) fn judge(text: &str, scanned: &Scan, profile: &Profile) -> Option<Raised> {
    let sent = evidence::sent_whole(from_first(text)).or_else(|| evidence::sent(text, &code_alone(text, scanned)))?;
    Some(refuse_foreign(sent, profile))
}

/// Advice for a syntax error at the byte `at`, where the text shows what went wrong.
pub(super) fn fix_of_syntax(text: &str, scanned: &Scan, at: usize, profile: &Profile) -> Option<String> {
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
        return Some(format!("send the program alone, or in a Markdown fence: {}", shape(profile)));
    }
    if evidence::has_markup(&code) {
        return Some("JSX is not supported: build text with template literals".to_owned());
    }
    None
}

fn refuse_foreign(sent: Sent, profile: &Profile) -> Raised {
    let mut raised = refuse(&format!("{} was sent, not a JavaScript program", sent.name()));
    let lead = match sent {
        Sent::Shell => "send JavaScript; where a tool runs commands, call it: ",
        _ => "send JavaScript: ",
    };
    raised.fix = Some(format!("{lead}{}", shape(profile)));
    raised
}

fn refuse_json(keys: &[String], profile: &Profile) -> Raised {
    let mut raised = refuse("a JSON object was sent, not a JavaScript program");
    let holds = keys.iter().find(|key| matches!(key.as_str(), "code" | "source" | "program" | "script" | "javascript"));
    raised.fix = Some(match holds {
        Some(key) => format!("send what stands under {key:?} itself, as it is"),
        None => format!("call a tool in JavaScript, or return the object: {}", shape(profile)),
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
