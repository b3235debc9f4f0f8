//! What each file tool is, and how its arguments become a typed input.

use std::fmt;
use std::sync::Arc;

use codemode_core::text::cut;
use codemode_core::{Annotations, Content, Control, Json, Note, ToolSpec};
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Number, Value};

use crate::limits::Limits;
use crate::root::Root;
use crate::stop::Stop;
use crate::trouble::Trouble;

/// What all tools work on.
#[derive(Debug)]
pub(crate) struct Site {
    pub(crate) root: Root,
    pub(crate) limits: Limits,
}

/// One call's ties to those who wait for it.
pub(crate) struct Work {
    pub(crate) stop: Stop,
    pub(crate) control: Arc<dyn Control>,
}

impl Work {
    /// Puts on record that a call changed this path, relative to the root.
    pub(crate) fn changed(&self, path: &str) {
        self.control.note(Note::ChangedPath(path.to_owned()));
    }
}

impl fmt::Debug for Work {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Work").field("stop", &self.stop).finish_non_exhaustive()
    }
}

/// A tool that works on files and blocks while it does.
pub(crate) trait FileTool {
    /// The name that programs call.
    const NAME: &'static str;
    /// Its arguments, which refuse unknown names.
    type Input: DeserializeOwned + Send + 'static;

    /// What the tool says about itself; limits are named in it.
    fn spec(limits: &Limits) -> ToolSpec;

    /// Does the work. Loops look at the stop.
    fn run(site: &Site, input: Self::Input, work: &Work) -> Result<Content, Trouble>;
}

/// What a tool says about itself, in one place each.
pub(crate) struct About {
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) description: String,
    pub(crate) input: Value,
    pub(crate) output: Option<Value>,
    pub(crate) annotations: Annotations,
}

impl About {
    pub(crate) fn into_spec(self) -> ToolSpec {
        let mut spec = ToolSpec::new(self.name).with_description(self.description).with_annotations(self.annotations);
        spec.title = Some(self.title.to_owned());
        // The schemas are literals, far from the depth at which JSON is refused.
        spec.input_schema = Json::from_value(self.input).ok();
        spec.output_schema = self.output.and_then(|schema| Json::from_value(schema).ok());
        spec
    }
}

/// Reads the arguments of a call. Validation stands before this; what still does not fit gets a clear answer.
pub(crate) fn parse<T: DeserializeOwned>(tool: &str, arguments: &Json) -> Result<T, Trouble> {
    T::deserialize(arguments.tree()).map_err(|error| Trouble::invalid(format!("{tool}: {}", cut(&error.to_string(), 400))))
}

/// Structured content beside its text.
pub(crate) fn content(text: String, structured: &impl Serialize) -> Result<Content, Trouble> {
    Ok(Content::text_and_structured(text, json(structured)?))
}

/// Anything of ours as JSON.
pub(crate) fn json(value: &impl Serialize) -> Result<Json, Trouble> {
    Json::from_serialize(value).map_err(|error| Trouble::failed(codemode_core::code::FAILED, error.to_string()))
}

/// A whole number, however the language writes it: `3` and `3.0` are the same in JSON Schema.
pub(crate) fn whole<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
    let Some(number) = Option::<Number>::deserialize(deserializer)? else {
        return Ok(None);
    };
    let float = number.as_f64().filter(|value| value.fract() == 0.0 && (0.0..9e15).contains(value));
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the range and the fraction were looked at")]
    let whole = number.as_u64().or(float.map(|value| value as u64));
    whole.map(Some).ok_or_else(|| D::Error::custom(format!("{number} is no whole number from 0 up")))
}
