//! One tool's input schema, made ready to check arguments against.

use codemode_core::{Json, text};
use jsonschema::{Draft, PatternOptions, ValidationError, Validator};
use serde_json::Value;

use crate::effort::{Effort, Graph, GraphError};

/// Longer schemas are not compiled: compiling takes longer than their length would let one expect.
const MOST_SCHEMA_BYTES: usize = 512 * 1024;
/// The most steps back within one match of a pattern that looks around.
const MOST_BACKTRACKS: usize = 10_000;
/// The most bytes of one compiled pattern.
const MOST_PATTERN_BYTES: usize = 1024 * 1024;

/// Keywords that came after draft 7.
const NEWER_KEYWORDS: &[&str] = &[
    "prefixItems",
    "unevaluatedItems",
    "unevaluatedProperties",
    "dependentRequired",
    "dependentSchemas",
    "minContains",
    "maxContains",
    "$dynamicRef",
    "$recursiveRef",
    "$anchor",
    "$dynamicAnchor",
];

/// A schema that is ready for checking.
pub(crate) enum Check {
    /// Arguments are checked against the schema.
    Full(Box<Full>),
    /// The schema is of no use: arguments have to be an object, and no more is known.
    ObjectOnly {
        /// Why.
        why: String,
    },
}

/// A schema that was compiled.
pub(crate) struct Full {
    validator: Validator,
    graph: Graph,
    /// Where the schema is, for what is said about it.
    schema: Json,
}

/// What a check found.
pub(crate) enum Verdict<'a> {
    /// The arguments fit.
    Fit,
    /// The arguments do not fit, for these reasons.
    Misfit(Box<dyn Iterator<Item = ValidationError<'a>> + 'a>),
    /// The arguments do not fit, and the reasons are too many to go through.
    MisfitUnexplained,
    /// It would take too long to find out.
    TooMuchWork,
}

impl Check {
    /// Compiles a schema. Nothing is fetched: a reference to another document makes the schema of no use.
    pub(crate) fn compile(schema: &Json) -> Self {
        match Full::compile(schema) {
            Ok(full) => Self::Full(Box::new(full)),
            Err(why) => Self::ObjectOnly { why },
        }
    }
}

impl Full {
    fn compile(schema: &Json) -> Result<Self, String> {
        if schema.bytes() > MOST_SCHEMA_BYTES {
            return Err(format!("it has {} bytes, and at most {MOST_SCHEMA_BYTES} are read", schema.bytes()));
        }
        let tree = schema.tree();
        let graph = Graph::read(tree).map_err(|error| match error {
            GraphError::TooLarge => "it has too many parts".to_owned(),
            GraphError::Unfollowed => "it refers to what is not in it".to_owned(),
        })?;
        if !graph.effort(&Value::Object(serde_json::Map::new())).is_bearable() {
            return Err("its parts use each other too often to be checked in bounded time".to_owned());
        }
        let validator = validator_for(tree)?;
        Ok(Self { validator, graph, schema: schema.clone() })
    }

    /// The schema as a tree.
    pub(crate) fn schema(&self) -> &Value {
        self.schema.tree()
    }

    /// Checks arguments, if that is bearable work.
    pub(crate) fn verdict<'a>(&'a self, arguments: &'a Value) -> Verdict<'a> {
        let effort: Effort = self.graph.effort(arguments);
        if !effort.is_bearable() {
            Verdict::TooMuchWork
        } else if self.validator.is_valid(arguments) {
            Verdict::Fit
        } else if effort.can_be_explained() {
            Verdict::Misfit(Box::new(self.validator.iter_errors(arguments)))
        } else {
            Verdict::MisfitUnexplained
        }
    }
}

/// A validator of the draft that the schema names; where it names none, of 2020-12, or else of the newest that reads it.
fn validator_for(schema: &Value) -> Result<Validator, String> {
    let named = schema.get("$schema").and_then(Value::as_str).map(Draft::from_schema_uri);
    match named {
        Some(draft) if draft != Draft::Unknown => build(schema, draft),
        _ => {
            // A name that nobody knows would be looked for elsewhere.
            let mut nameless = schema.clone();
            if let Value::Object(keywords) = &mut nameless {
                keywords.shift_remove("$schema");
            }
            build(&nameless, Draft::Draft202012).or_else(|why| {
                if has_newer_keywords(schema) {
                    // An older draft would read its `items` as something else, and refuse what fits.
                    return Err(why);
                }
                build(&nameless, Draft::Draft7).or_else(|_| build(&nameless, Draft::Draft4)).map_err(|_| why)
            })
        }
    }
}

/// Whether a schema has keywords that draft 7 does not know, or anything that is called like one.
fn has_newer_keywords(schema: &Value) -> bool {
    match schema {
        Value::Object(keywords) => keywords.iter().any(|(name, part)| NEWER_KEYWORDS.contains(&name.as_str()) || has_newer_keywords(part)),
        Value::Array(parts) => parts.iter().any(has_newer_keywords),
        _ => false,
    }
}

fn build(schema: &Value, draft: Draft) -> Result<Validator, String> {
    let patterns = PatternOptions::fancy_regex().backtrack_limit(MOST_BACKTRACKS).size_limit(MOST_PATTERN_BYTES);
    jsonschema::options()
        .offline()
        .with_draft(draft)
        .should_validate_formats(false)
        .with_pattern_options(patterns)
        .build(schema)
        .map_err(|error| text::cut(&text::one_line(&error.to_string()), 200).into_owned())
}
