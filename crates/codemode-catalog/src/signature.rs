//! What the printers of signatures share: a tool's shapes, how much of them there is room for, and what stands in comments.

use codemode_core::{Json, ToolSpec};

use crate::clean::one_line;
use crate::shape::{Facts, Field, Form, Literals, Shape, ShapeLimits};

/// The shapes of a tool.
pub(crate) struct Shapes {
    /// Of the arguments, where there is a schema.
    pub(crate) input: Option<Shape>,
    /// Of the structured result, where there is a schema.
    pub(crate) output: Option<Shape>,
}

impl Shapes {
    pub(crate) fn read(spec: &ToolSpec, limits: &ShapeLimits) -> Self {
        let shape = |schema: &Option<Json>, name| schema.as_ref().map(|schema| Shape::read(schema.tree(), name, limits));
        Self { input: shape(&spec.input_schema, "Input"), output: shape(&spec.output_schema, "Output") }
    }

    /// Whether the tool can be called without arguments.
    pub(crate) fn input_is_optional(&self) -> bool {
        self.input.as_ref().is_none_or(|shape| match shape.follow(shape.form()) {
            Form::Object(object) => !object.fields.iter().any(|field| field.required),
            form => !matches!(form, Form::Union(_)),
        })
    }
}

/// How much of a tool is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Detail {
    /// Types, and what the schemas say in words.
    Full,
    /// Types alone.
    Types,
    /// Neither.
    None,
}

/// What `print` prints in the fullest form that has at most `most_bytes` by `size`; in the shortest where none has.
pub(crate) fn in_the_fullest_form<T>(most_bytes: usize, size: impl Fn(&T) -> usize, mut print: impl FnMut(Detail) -> T) -> T {
    for detail in [Detail::Full, Detail::Types] {
        let block = print(detail);
        if size(&block) <= most_bytes {
            return block;
        }
    }
    print(Detail::None)
}

/// A field's description and facts, on one line; `kind` is what the type itself could not say.
pub(crate) fn remark(field: &Field, kind: Option<&str>) -> Option<String> {
    let facts = facts_line(&field.facts, &field.form, kind);
    let text = match (field.description.as_deref(), facts) {
        (Some(description), Some(facts)) => format!("{description} ({facts})"),
        (Some(description), None) => description.to_owned(),
        (None, Some(facts)) => format!("({facts})"),
        (None, None) => return None,
    };
    comment(&text, usize::MAX)
}

fn facts_line(facts: &Facts, form: &Form, kind: Option<&str>) -> Option<String> {
    let mut parts: Vec<String> = kind.into_iter().map(str::to_owned).collect();
    match (&facts.minimum, &facts.maximum) {
        (Some(minimum), Some(maximum)) => parts.push(format!("{minimum} to {maximum}")),
        (Some(minimum), None) => parts.push(format!("at least {minimum}")),
        (None, Some(maximum)) => parts.push(format!("at most {maximum}")),
        (None, None) => {}
    }
    if let Some(format) = &facts.format {
        parts.push(format!("format {format}"));
    }
    if let Some(default) = &facts.default {
        parts.push(format!("default {default}"));
    }
    let literals = match form {
        Form::Union(forms) => forms.iter().find_map(literals_of),
        form => literals_of(form),
    };
    if let Some(literals) = literals.filter(|literals| literals.omitted > 0) {
        parts.push(format!("{} of {} values shown", literals.values.len(), literals.values.len() + literals.omitted));
    }
    if facts.deprecated {
        parts.push("deprecated".to_owned());
    }
    (!parts.is_empty()).then(|| parts.join(", "))
}

fn literals_of(form: &Form) -> Option<&Literals> {
    if let Form::Literals(literals) = form { Some(literals) } else { None }
}

/// Text for a comment: on one line, and not beginning with a sign that a language server acts on.
pub(crate) fn comment(text: &str, max_bytes: usize) -> Option<String> {
    let line = one_line(text, max_bytes)?;
    let line = line.trim_start_matches(['@', '|', '-', '#', ' ']);
    (!line.is_empty()).then(|| line.to_owned())
}
