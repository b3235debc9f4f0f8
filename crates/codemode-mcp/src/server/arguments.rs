//! The arguments of this server's own tools, read strictly: what is wrong says what is allowed.

use std::time::Duration;

use codemode_core::text::{cut, one_line};
use codemode_core::{Language, Profile};
use rmcp::model::JsonObject;
use serde_json::Value;

/// What `language` may be, where a profile's programs are JavaScript.
pub(super) const LANGUAGES: [&str; 2] = ["javascript", "typescript"];
/// The most tools that one search gives.
pub(super) const MOST_FOUND: u64 = 50;
/// How many tools a search gives where nothing is said.
const FOUND: u64 = 10;
/// The most bytes of a value in a message.
const SHOWN_BYTES: usize = 60;

/// The arguments of `run_code`.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct RunArguments {
    /// The program.
    pub(super) code: String,
    /// Why it is run.
    pub(super) intent: Option<String>,
    /// The wall clock, where it is lower than the profile's.
    pub(super) timeout: Option<Duration>,
}

/// The arguments of `search_tools`.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct SearchArguments {
    /// The words.
    pub(super) query: String,
    /// The most tools to give.
    pub(super) limit: usize,
}

/// The most seconds that a run may ask for: its wall clock, in whole seconds and at least one.
pub(super) fn most_seconds(profile: &Profile) -> u64 {
    profile.budgets.wall.as_secs().max(1)
}

impl RunArguments {
    /// # Errors
    /// What was given, what is allowed.
    pub(super) fn read(arguments: Option<JsonObject>, profile: &Profile) -> Result<Self, String> {
        let allowed: &[&str] = match (profile.language, profile.intent_required) {
            (Language::JavaScript, true) => &["code", "intent", "timeout_secs", "language"],
            (Language::JavaScript, false) => &["code", "timeout_secs", "language"],
            (_, true) => &["code", "intent", "timeout_secs"],
            (_, false) => &["code", "timeout_secs"],
        };
        let mut fields = Fields { tool: "run_code", fields: arguments.unwrap_or_default() };
        let code = fields.text("code")?.ok_or("run_code needs code: the program, as a string")?;
        let intent = fields.text("intent")?.filter(|intent| !intent.trim().is_empty());
        if profile.intent_required && intent.is_none() {
            return Err("run_code needs intent: what the program is for, in a few words".to_owned());
        }
        let timeout = fields.whole("timeout_secs", most_seconds(profile))?.map(Duration::from_secs);
        if profile.language == Language::JavaScript
            && let Some(language) = fields.text("language")?
            && !LANGUAGES.contains(&language.as_str())
        {
            return Err(format!("language is {}, and must be {} or {}", shown(&Value::String(language)), LANGUAGES[0], LANGUAGES[1]));
        }
        fields.rest(allowed)?;
        Ok(Self { code, intent, timeout })
    }
}

impl SearchArguments {
    /// # Errors
    /// What was given, what is allowed.
    pub(super) fn read(arguments: Option<JsonObject>) -> Result<Self, String> {
        let mut fields = Fields { tool: "search_tools", fields: arguments.unwrap_or_default() };
        let query = fields.text("query")?.ok_or("search_tools needs query: words of what the tool does, as a string")?;
        let limit = fields.whole("limit", MOST_FOUND)?.unwrap_or(FOUND);
        fields.rest(&["query", "limit"])?;
        Ok(Self { query, limit: usize::try_from(limit).unwrap_or(usize::MAX) })
    }
}

/// Fields that are taken out one by one, so that what is left is what nobody knows. An absent field and `null` are one.
struct Fields {
    tool: &'static str,
    fields: JsonObject,
}

impl Fields {
    fn take(&mut self, name: &str) -> Option<Value> {
        self.fields.remove(name).filter(|value| !value.is_null())
    }

    fn text(&mut self, name: &str) -> Result<Option<String>, String> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(other) => Err(format!("{name} is {}, and must be a string", shown(&other))),
        }
    }

    /// A whole number from 1 to `most`; some clients write whole numbers with a fraction of zero.
    fn whole(&mut self, name: &str, most: u64) -> Result<Option<u64>, String> {
        let Some(value) = self.take(name) else { return Ok(None) };
        (1..=most)
            .contains(&as_whole(&value).unwrap_or(0))
            .then(|| as_whole(&value))
            .ok_or_else(|| format!("{name} is {}, and must be a whole number from 1 to {most}", shown(&value)))
    }

    fn rest(&self, allowed: &[&str]) -> Result<(), String> {
        match self.fields.keys().next() {
            None => Ok(()),
            Some(name) => {
                let name = shown(&Value::String(name.clone()));
                Err(format!("{} has no argument {name}; it takes {}", self.tool, allowed.join(", ")))
            }
        }
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the range is checked, and the fraction is zero")]
fn as_whole(value: &Value) -> Option<u64> {
    const MOST: f64 = 9_007_199_254_740_992.0;
    value
        .as_u64()
        .or_else(|| value.as_f64().filter(|number| number.fract() == 0.0 && (0.0..=MOST).contains(number)).map(|number| number as u64))
}

/// A value in a message: as JSON, on one line, cut.
fn shown(value: &Value) -> String {
    let text = match value {
        // A long text is cut before it is written as JSON.
        Value::String(text) => Value::String(cut(text, SHOWN_BYTES).into_owned()).to_string(),
        Value::Array(_) => "an array".to_owned(),
        Value::Object(_) => "an object".to_owned(),
        other => other.to_string(),
    };
    cut(&one_line(&text), SHOWN_BYTES * 2).into_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(profile: &Profile, arguments: Value) -> Result<RunArguments, String> {
        RunArguments::read(arguments.as_object().cloned(), profile)
    }

    fn run(code: &str, intent: Option<&str>, seconds: Option<u64>) -> Result<RunArguments, String> {
        Ok(RunArguments { code: code.to_owned(), intent: intent.map(str::to_owned), timeout: seconds.map(Duration::from_secs) })
    }

    #[test]
    fn a_program_is_read_with_what_its_profile_has() {
        let (program, batch, script) = (Profile::program(), Profile::batch(), Profile::script());
        assert_eq!(read(&program, json!({"code": "1"})), run("1", None, None));
        assert_eq!(
            read(&program, json!({"code": "1", "intent": null, "timeout_secs": 5.0, "language": "typescript"})),
            run("1", None, Some(5))
        );
        assert_eq!(read(&program, json!({"code": "1", "intent": "why"})), run("1", Some("why"), None));
        assert_eq!(read(&batch, json!({"code": "", "intent": "why", "timeout_secs": 86_400})), run("", Some("why"), Some(86_400)));
        assert_eq!(read(&script, json!({"code": "return 1", "timeout_secs": 600})), run("return 1", None, Some(600)));
    }

    #[test]
    fn what_is_wrong_says_what_is_allowed() {
        let (program, batch, script) = (Profile::program(), Profile::batch(), Profile::script());
        let cases = [
            (&program, json!({}), "run_code needs code: the program, as a string"),
            (&program, json!(null), "run_code needs code: the program, as a string"),
            (&program, json!({"code": ["1"]}), "code is an array, and must be a string"),
            (&batch, json!({"code": "1", "intent": " "}), "run_code needs intent: what the program is for, in a few words"),
            (&program, json!({"code": "1", "timeout_secs": 0}), "timeout_secs is 0, and must be a whole number from 1 to 120"),
            (&program, json!({"code": "1", "timeout_secs": 121}), "timeout_secs is 121, and must be a whole number from 1 to 120"),
            (&program, json!({"code": "1", "timeout_secs": 1.5}), "timeout_secs is 1.5, and must be a whole number from 1 to 120"),
            (&program, json!({"code": "1", "timeout_secs": "9"}), "timeout_secs is \"9\", and must be a whole number from 1 to 120"),
            (&program, json!({"code": "1", "language": "lua"}), "language is \"lua\", and must be javascript or typescript"),
            (&script, json!({"code": "1", "language": "lua"}), "run_code has no argument \"language\"; it takes code, timeout_secs"),
            (&program, json!({"code": "1", "cwd\n": "/"}), "run_code has no argument \"cwd\\n\"; it takes code, timeout_secs, language"),
        ];
        for (profile, arguments, message) in cases {
            assert_eq!(read(profile, arguments), Err(message.to_owned()));
        }
        let long = read(&program, json!({"code": "1", "timeout_secs": "9".repeat(1 << 20)})).expect_err("long");
        assert!(long.len() < 200, "{long}");
    }

    #[test]
    fn a_search_is_read() {
        let read = |arguments: Value| SearchArguments::read(arguments.as_object().cloned());
        assert_eq!(read(json!({"query": "a b"})), Ok(SearchArguments { query: "a b".to_owned(), limit: 10 }));
        assert_eq!(read(json!({"query": "", "limit": 50})), Ok(SearchArguments { query: String::new(), limit: 50 }));
        assert_eq!(read(json!({})), Err("search_tools needs query: words of what the tool does, as a string".to_owned()));
        assert_eq!(read(json!({"query": "a", "limit": 51})), Err("limit is 51, and must be a whole number from 1 to 50".to_owned()));
        assert_eq!(
            read(json!({"query": "a", "offset": 1})),
            Err("search_tools has no argument \"offset\"; it takes query, limit".to_owned())
        );
    }
}
