//! The words for what is wrong: what was given, what is allowed, what to do.

use codemode_catalog::{Form, Shape, ShapeLimits};
use codemode_core::{nearest, text};
use jsonschema::error::{TypeKind, ValidationError, ValidationErrorKind};
use serde_json::Value;

use crate::label::{Step, label, name_shown, shown};

/// The most bytes of a value that was given.
const GIVEN_BYTES: usize = 60;
/// The most bytes of what is said to be allowed.
const ALLOWED_BYTES: usize = 160;
/// The most bytes of one problem.
const PROBLEM_BYTES: usize = 320;

/// Words the problems of arguments of one schema.
pub(crate) struct Wording<'a> {
    schema: &'a Value,
}

impl<'a> Wording<'a> {
    pub(crate) fn new(schema: &'a Value) -> Self {
        Self { schema }
    }

    /// A property that is not known: `pth is no parameter; did you mean path?`.
    pub(crate) fn unknown(&self, error: &ValidationError<'_>, name: &str, steps: &[Step]) -> String {
        let noun = if steps.len() > 1 { "field" } else { "parameter" };
        let known = self.names_beside(error);
        let given = error.instance().as_object();
        let is_given = |name: &str| given.is_some_and(|given| given.contains_key(name));
        let free = known.iter().map(String::as_str).filter(|name| !is_given(name));
        // A name that is taken already was not meant by another.
        let near = nearest(name, free);
        let advice = match (near.first(), self.name_patterns_beside(error)) {
            (Some(near), _) => format!("did you mean {}?", name_shown(near)),
            (None, Some(patterns)) if known.is_empty() => format!("allowed: names that match {patterns}"),
            (None, Some(patterns)) => format!("there are {}, and names that match {patterns}", list(&known)),
            (None, None) if known.is_empty() => format!("there are no {noun}s"),
            (None, None) => format!("there are {}", list(&known)),
        };
        bounded(format!("{} is no {noun}; {advice}", label(steps)))
    }

    /// A property that has to be there: `path is missing; allowed: string`.
    pub(crate) fn missing(&self, error: &ValidationError<'_>, name: &str, steps: &[Step]) -> String {
        let part = self.part_beside(error).and_then(|part| part.get("properties")?.get(name));
        match part.map(|part| self.line(part)).filter(|line| line != "any") {
            Some(line) => bounded(format!("{} is missing; allowed: {line}", label(steps))),
            None => bounded(format!("{} is missing", label(steps))),
        }
    }

    /// A value that does not fit: `start_line is "ten"; allowed: integer`.
    pub(crate) fn wrong(&self, error: &ValidationError<'_>, steps: &[Step]) -> String {
        let value = error.instance();
        let given = format!("{} {} {}", label(steps), if steps.is_empty() { "are" } else { "is" }, shown(value, GIVEN_BYTES));
        bounded(format!("{given}; {}", self.advice(error, value)))
    }

    /// What to do about a value that does not fit.
    fn advice(&self, error: &ValidationError<'_>, value: &Value) -> String {
        use ValidationErrorKind as Kind;
        let allowed = match error.kind() {
            Kind::Type { kind } => self.part_beside(error).map_or_else(|| types(kind), |part| self.line(part)),
            Kind::Enum { options } => return self.one_of(error, options, value),
            Kind::Constant { expected_value } => shown(expected_value, ALLOWED_BYTES),
            Kind::AnyOf { .. } | Kind::OneOfNotValid { .. } => {
                self.part_beside(error).map_or_else(|| "one of its alternatives".to_owned(), |part| self.line(part))
            }
            Kind::OneOfMultipleValid { .. } => {
                return "it fits several alternatives, and must fit exactly one of them".to_owned();
            }
            Kind::Minimum { limit } => format!("at least {limit}"),
            Kind::Maximum { limit } => format!("at most {limit}"),
            Kind::ExclusiveMinimum { limit } => format!("more than {limit}"),
            Kind::ExclusiveMaximum { limit } => format!("less than {limit}"),
            Kind::MultipleOf { multiple_of, .. } => format!("a multiple of {multiple_of}"),
            Kind::MinLength { limit } => format!("at least {}", counted(*limit, "character")),
            Kind::MaxLength { limit } => {
                let length = value.as_str().map_or(0, |text| text.chars().count());
                return format!("it has {}; allowed: at most {limit}", counted(length as u64, "character"));
            }
            Kind::MinItems { limit } => format!("at least {}", counted(*limit, "item")),
            Kind::MaxItems { limit } => return too_many_items(value, *limit),
            Kind::AdditionalItems { limit } => return too_many_items(value, *limit as u64),
            Kind::UnevaluatedItems { .. } => "fewer items".to_owned(),
            Kind::MinProperties { limit } => format!("at least {}", counted(*limit, "field")),
            Kind::MaxProperties { limit } => format!("at most {}", counted(*limit, "field")),
            Kind::UniqueItems => "items that differ from each other".to_owned(),
            Kind::Contains => match self.part_beside(error).and_then(|part| part.get("contains")) {
                Some(part) => format!("a list in which an item is {}", self.line(part)),
                None => "a list with another item".to_owned(),
            },
            Kind::Pattern { pattern } => format!("text that matches {}", text::one_line(pattern)),
            Kind::Format { format } => format!("text of format {}", text::one_line(format)),
            Kind::ContentEncoding { content_encoding } => format!("text in {}", text::one_line(content_encoding)),
            Kind::ContentMediaType { content_media_type } => format!("text of type {}", text::one_line(content_media_type)),
            Kind::FalseSchema => return "it must be left out".to_owned(),
            Kind::Not { schema } => {
                let line = Shape::read_part(self.schema, schema, "value", &ShapeLimits::default()).line(ALLOWED_BYTES);
                format!("anything but {line}")
            }
            Kind::PropertyNames { error } => {
                return format!("its field {} has a name that is not allowed", shown(error.instance(), GIVEN_BYTES));
            }
            Kind::BacktrackLimitExceeded { .. } | Kind::RegexEngineFailure { .. } => {
                return "it takes too long to compare with the pattern that it must match; shorten it".to_owned();
            }
            other => format!("what its schema says under \"{}\"", text::one_line(other.keyword())),
        };
        format!("allowed: {}", text::cut(&allowed, ALLOWED_BYTES))
    }

    /// The values that are allowed, and the one that was meant, where it can be guessed.
    fn one_of(&self, error: &ValidationError<'_>, options: &Value, value: &Value) -> String {
        let line = self.part_beside(error).map_or_else(|| shown(options, ALLOWED_BYTES), |part| self.line(part));
        let texts = options.as_array().into_iter().flatten().filter_map(Value::as_str).take(10_000);
        let near = value.as_str().map(|given| nearest(given, texts)).unwrap_or_default();
        match near.first() {
            Some(near) => format!("allowed: {line}; did you mean {}?", shown(&Value::String(near.clone()), GIVEN_BYTES)),
            None => format!("allowed: {line}"),
        }
    }

    /// The schema that the failed keyword stands in.
    fn part_beside(&self, error: &ValidationError<'_>) -> Option<&'a Value> {
        let (part, _keyword) = error.schema_path().as_str().rsplit_once('/')?;
        self.schema.pointer(part)
    }

    /// The names of the properties that are known where the failed keyword stands.
    fn names_beside(&self, error: &ValidationError<'_>) -> Vec<String> {
        let Some(part) = self.part_beside(error) else { return Vec::new() };
        let shape = Shape::read_part(self.schema, part, "value", &ShapeLimits::default());
        match shape.follow(shape.form()) {
            Form::Object(object) => object.fields.iter().map(|field| field.name.clone()).collect(),
            _ => Vec::new(),
        }
    }

    /// The patterns that names of further properties may match, where there are any.
    fn name_patterns_beside(&self, error: &ValidationError<'_>) -> Option<String> {
        let patterns = self.part_beside(error)?.get("patternProperties")?.as_object()?;
        let line = patterns.keys().take(10).map(|pattern| text::one_line(pattern)).collect::<Vec<_>>().join(" or ");
        (!line.is_empty()).then(|| text::cut(&line, ALLOWED_BYTES / 2).into_owned())
    }

    /// A part of the schema on one line.
    fn line(&self, part: &Value) -> String {
        Shape::read_part(self.schema, part, "value", &ShapeLimits::default()).line(ALLOWED_BYTES)
    }
}

fn types(kind: &TypeKind) -> String {
    match kind {
        TypeKind::Single(name) => name.to_string(),
        TypeKind::Multiple(names) => names.iter().map(|name| name.to_string()).collect::<Vec<_>>().join("|"),
    }
}

fn too_many_items(value: &Value, limit: u64) -> String {
    let length = value.as_array().map_or(0, Vec::len) as u64;
    format!("it has {}; allowed: at most {limit}", counted(length, "item"))
}

fn counted(number: u64, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

/// Names one after the other, as many as there is room for.
fn list(names: &[String]) -> String {
    let shown: Vec<String> = names.iter().take(30).map(|name| name_shown(name)).collect();
    let line = shown.join(", ");
    text::cut(&line, ALLOWED_BYTES).into_owned()
}

/// A problem's text, cut.
pub(crate) fn bounded(problem: String) -> String {
    text::cut(&problem, PROBLEM_BYTES).into_owned()
}
