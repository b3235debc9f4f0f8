//! Turns a validator's errors into the problems that a writer of a program should read.

use std::collections::BTreeSet;

use jsonschema::error::{ValidationError, ValidationErrorKind};
use serde_json::Value;

use crate::label::{Step, steps_of};
use crate::wording::{Wording, bounded};

/// More errors than this are counted and not looked at.
const MOST_ERRORS: usize = 1_000;
/// Alternatives within alternatives are looked into this deep.
const MOST_NESTED: usize = 4;

/// One thing that is wrong with some arguments.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Problem {
    /// How far in it is: the outer first.
    depth: usize,
    rank: Rank,
    steps: Vec<Step>,
    /// What it is, on one line, bounded.
    pub(crate) text: String,
}

/// In which order problems of one depth are told: a name that is wrong explains the one that is missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Rank {
    Unknown,
    Missing,
    Wrong,
}

/// The problems of `arguments`, sorted and each once, and how many more errors there are that were not looked at.
pub(crate) fn problems<'a>(
    schema: &'a Value,
    arguments: &'a Value,
    mut errors: impl Iterator<Item = ValidationError<'a>>,
) -> (Vec<Problem>, usize) {
    let mut finder = Finder { wording: Wording::new(schema), arguments, found: BTreeSet::new() };
    for error in errors.by_ref().take(MOST_ERRORS) {
        finder.error(&error, 0);
    }
    let more = errors.count();
    (finder.found.into_iter().collect(), more)
}

struct Finder<'a> {
    wording: Wording<'a>,
    arguments: &'a Value,
    found: BTreeSet<Problem>,
}

impl Finder<'_> {
    fn error(&mut self, error: &ValidationError<'_>, nested: usize) {
        let steps = steps_of(error.instance_path().as_str(), self.arguments);
        match error.kind() {
            ValidationErrorKind::AnyOf { context } | ValidationErrorKind::OneOfNotValid { context } => {
                match closest(context, error.instance_path().as_str()) {
                    Some(errors) if nested < MOST_NESTED => errors.iter().for_each(|error| self.error(error, nested + 1)),
                    _ => match self.each_missing(context) {
                        Some(text) => self.add(steps, Rank::Missing, |_, _| text),
                        None => self.add(steps, Rank::Wrong, |wording, steps| wording.wrong(error, steps)),
                    },
                }
            }
            // This is how a validator says that no field is known at all.
            ValidationErrorKind::FalseSchema if is_about_other_fields(error) => {
                let fields = self.arguments.pointer(error.instance_path().as_str()).and_then(Value::as_object);
                for name in fields.into_iter().flat_map(|fields| fields.keys()).take(MOST_ERRORS) {
                    self.unknown(error, name, &steps);
                }
            }
            ValidationErrorKind::AdditionalProperties { unexpected } | ValidationErrorKind::UnevaluatedProperties { unexpected } => {
                for name in unexpected {
                    self.unknown(error, name, &steps);
                }
            }
            ValidationErrorKind::Required { property: Value::String(name) } => {
                let mut steps = steps;
                steps.push(Step::Field(name.clone()));
                self.add(steps, Rank::Missing, |wording, steps| wording.missing(error, name, steps));
            }
            _ => self.add(steps, Rank::Wrong, |wording, steps| wording.wrong(error, steps)),
        }
    }

    fn unknown(&mut self, error: &ValidationError<'_>, name: &str, steps: &[Step]) {
        let mut steps = steps.to_vec();
        steps.push(Step::Field(name.to_owned()));
        self.add(steps, Rank::Unknown, |wording, steps| wording.unknown(error, name, steps));
    }

    /// Where each alternative lacks one field and is fine otherwise: which these are.
    fn each_missing(&self, alternatives: &[Vec<ValidationError<'static>>]) -> Option<String> {
        let mut texts = Vec::new();
        for errors in alternatives {
            let [error] = errors.as_slice() else { return None };
            let ValidationErrorKind::Required { property: Value::String(name) } = error.kind() else { return None };
            let mut steps = steps_of(error.instance_path().as_str(), self.arguments);
            steps.push(Step::Field(name.clone()));
            texts.push(self.wording.missing(error, name, &steps));
        }
        (!texts.is_empty()).then(|| bounded(texts.join(", or ")))
    }

    fn add(&mut self, steps: Vec<Step>, rank: Rank, text: impl FnOnce(&Wording<'_>, &[Step]) -> String) {
        let text = text(&self.wording, &steps);
        self.found.insert(Problem { depth: steps.len(), rank, steps, text });
    }
}

/// Whether a schema that allows nothing stands where it says what other fields may hold.
fn is_about_other_fields(error: &ValidationError<'_>) -> bool {
    let place = error.schema_path().as_str();
    place.ends_with("/additionalProperties") || place.ends_with("/unevaluatedProperties")
}

/// The alternative that the value was meant for, if there is just one: the others are of another kind, or further away.
fn closest<'e>(alternatives: &'e [Vec<ValidationError<'static>>], place: &str) -> Option<&'e [ValidationError<'static>]> {
    let mut best: Option<(Distance, &[ValidationError<'static>])> = None;
    let mut tied = false;
    for errors in alternatives {
        let Some(distance) = distance(errors, place) else { continue };
        match &best {
            Some((least, _)) if distance > *least => {}
            Some((least, _)) if distance == *least => tied = true,
            _ => {
                best = Some((distance, errors));
                tied = false;
            }
        }
    }
    best.filter(|_| !tied).map(|(_, errors)| errors)
}

/// How far a value is from an alternative: whether a field that tells alternatives apart says another, then how many errors.
type Distance = (bool, usize);

/// The distance to one alternative; absent where the value is of another kind altogether.
fn distance(errors: &[ValidationError<'static>], place: &str) -> Option<Distance> {
    let mut says_another = false;
    for error in errors {
        let deeper = error.instance_path().as_str().strip_prefix(place).unwrap_or_default();
        match (error.kind(), deeper.matches('/').count()) {
            (
                ValidationErrorKind::Type { .. }
                | ValidationErrorKind::Constant { .. }
                | ValidationErrorKind::Enum { .. }
                | ValidationErrorKind::FalseSchema,
                0,
            ) => return None,
            (ValidationErrorKind::Constant { .. }, 1) => says_another = true,
            _ => {}
        }
    }
    Some((says_another, errors.len()))
}
