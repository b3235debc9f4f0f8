//! Writes a shape on one line, in a notation of no particular language, for messages and lists.

use codemode_core::{ToolSpec, is_identifier};

use crate::clean::{cut, quoted};
use crate::shape::{Form, Literal, LiteralForm, Literals, Object, Rest, Shape, ShapeLimits};

/// The most bytes of a signature line.
const SIGNATURE_BYTES: usize = 600;
/// Objects nested deeper than this are written as `object`.
const MOST_DEPTH: usize = 4;
/// More written-out values than this are cut.
const MOST_VALUES: usize = 8;
/// What a nested value gets at least before the others of its object are cut.
const LEAST_ROOM: usize = 48;

/// A tool's name and parameters on one line of at most 600 bytes: `read_file{path: string, start_line?: integer}`.
///
/// Required parameters come first, each group in the order of the schema.
/// A name that is no identifier is quoted in brackets; what there is no room for is replaced by `…`.
#[must_use]
pub fn signature_line(spec: &ToolSpec) -> String {
    let mut line = if is_identifier(&spec.name) { spec.name.to_string() } else { format!("[{}]", quoted(&spec.name, SIGNATURE_BYTES / 2)) };
    let input = arguments_line(spec, SIGNATURE_BYTES.saturating_sub(line.len()));
    if input.starts_with('{') {
        line.push_str(&input);
    } else {
        line.push_str(&format!("({input})"));
    }
    cut(&line, SIGNATURE_BYTES)
}

/// A tool's parameters on one line of about `max_bytes` bytes, as in [`signature_line`]: `{path: string, start_line?: integer}`, which
/// reads alike in every language.
#[must_use]
pub fn arguments_line(spec: &ToolSpec, max_bytes: usize) -> String {
    let input = match &spec.input_schema {
        Some(schema) => Shape::read(schema.tree(), "Input", &ShapeLimits::default()).line(max_bytes),
        None => "{…}".to_owned(),
    };
    // Arguments are an object, whatever the schema leaves open.
    if input == "any" { "{…}".to_owned() } else { input }
}

impl Shape {
    /// The shape on one line of at most `max_bytes` bytes, such as `{path: string, tags?: string[]}`.
    ///
    /// Definitions are written out where they are used, except within themselves.
    #[must_use]
    pub fn line(&self, max_bytes: usize) -> String {
        let mut line = Line { shape: self, open: vec![0], depth: 0 };
        cut(&line.form(self.form(), max_bytes), max_bytes)
    }
}

/// The state of writing one line.
struct Line<'a> {
    shape: &'a Shape,
    /// The definitions that are being written, so that none is written within itself.
    open: Vec<usize>,
    depth: usize,
}

impl Line<'_> {
    /// The form in about `room` bytes: what does not fit is written by its kind alone.
    fn form(&mut self, form: &Form, room: usize) -> String {
        let line = match form {
            Form::Literals(literals) => literals_line(literals, room),
            Form::Array(item) => self.nested(|line| format!("{}[]", line.part(item, room.saturating_sub(4)))),
            Form::Tuple { items, rest } => self.nested(|line| line.tuple(items, rest.as_deref(), room)),
            Form::Map(value) => self.nested(|line| format!("{{[string]: {}}}", line.form(value, room.saturating_sub(12)))),
            Form::Object(object) => self.nested(|line| line.object(object, room)),
            Form::Union(forms) => self.alternatives(forms, room),
            Form::Reference(index) => self.reference(*index, room),
            other => kind(other).to_owned(),
        };
        if line.len() > room { kind(self.shape.follow(form)).to_owned() } else { line }
    }

    /// What `write` writes one level deeper, or nothing that fits where that is too deep.
    fn nested(&mut self, write: impl FnOnce(&mut Self) -> String) -> String {
        if self.depth >= MOST_DEPTH {
            // Longer than any room: the caller falls back to the kind.
            return "…".repeat(SIGNATURE_BYTES);
        }
        self.depth += 1;
        let line = write(self);
        self.depth -= 1;
        line
    }

    fn object(&mut self, object: &Object, room: usize) -> String {
        let mut line = String::from("{");
        let mut more = object.omitted > 0;
        let required = object.fields.iter().filter(|field| field.required);
        for field in required.chain(object.fields.iter().filter(|field| !field.required)) {
            let comma = if line.len() > 1 { ", " } else { "" };
            let mark = if field.required { "" } else { "?" };
            let name = if is_identifier(&field.name) { field.name.clone() } else { quoted(&field.name, 80) };
            let head = format!("{comma}{name}{mark}: ");
            // Room stays for the brace and for the sign that something is left out.
            let left = room.saturating_sub(line.len() + head.len() + ", …}".len());
            let value = self.form(&field.form, left.min((left / 2).max(LEAST_ROOM)));
            if value.len() > left {
                more = true;
                break;
            }
            line.push_str(&head);
            line.push_str(&value);
        }
        if let Rest::Of(value) = &object.rest {
            let left = room.saturating_sub(line.len() + ", [string]: , …}".len());
            let value = self.form(value, left);
            if more || value.len() > left {
                more = true;
            } else {
                line.push_str(&format!(", [string]: {value}"));
            }
        }
        if more {
            line.push_str(if line.len() > 1 { ", …" } else { "…" });
        }
        line.push('}');
        line
    }

    fn tuple(&mut self, items: &[Form], rest: Option<&Form>, room: usize) -> String {
        let share = room / (items.len() + 1);
        let mut parts: Vec<String> = items.iter().map(|item| self.form(item, share.max(8))).collect();
        match rest {
            Some(Form::Any | Form::Cut) => parts.push("…".to_owned()),
            Some(form) => parts.push(format!("…{}[]", self.part(form, share.max(8)))),
            None => {}
        }
        format!("[{}]", parts.join(", "))
    }

    fn alternatives(&mut self, forms: &[Form], room: usize) -> String {
        let mut line = String::new();
        for (position, form) in forms.iter().enumerate() {
            let bar = if position > 0 { "|" } else { "" };
            let left = room.saturating_sub(line.len() + bar.len() + "|…".len());
            let part = if matches!(form, Form::Cut) { "…".to_owned() } else { self.form(form, left.min((left / 2).max(LEAST_ROOM))) };
            if part.len() > left + "|…".len() * usize::from(position + 1 == forms.len()) {
                line.push_str(bar);
                line.push('…');
                break;
            }
            line.push_str(bar);
            line.push_str(&part);
        }
        line
    }

    /// A definition written out, or its kind where it is being written already.
    fn reference(&mut self, index: usize, room: usize) -> String {
        let Some(definition) = self.shape.definitions.get(index) else { return "any".to_owned() };
        if self.open.contains(&index) {
            return kind(self.shape.follow(&definition.form)).to_owned();
        }
        self.open.push(index);
        let line = self.form(&definition.form, room);
        self.open.pop();
        line
    }

    /// The form as it stands before `[]`.
    fn part(&mut self, form: &Form, room: usize) -> String {
        let line = self.form(form, room);
        if line.contains('|') && !line.starts_with('{') { format!("({line})") } else { line }
    }
}

/// The word for a form of which no more is said.
fn kind(form: &Form) -> &'static str {
    match form {
        Form::Any | Form::Reference(_) | Form::Cut => "any",
        Form::Never => "never",
        Form::Null => "null",
        Form::Boolean => "boolean",
        Form::Integer => "integer",
        Form::Number => "number",
        Form::String => "string",
        Form::Literals(literals) => match literals.forms.as_slice() {
            [form] => kind_of_literal(*form),
            _ => "…",
        },
        Form::Array(_) | Form::Tuple { .. } => "array",
        Form::Map(_) | Form::Object(_) => "object",
        Form::Union(_) => "…",
    }
}

fn kind_of_literal(form: LiteralForm) -> &'static str {
    match form {
        LiteralForm::Boolean => "boolean",
        LiteralForm::Integer => "integer",
        LiteralForm::Number => "number",
        LiteralForm::String => "string",
        LiteralForm::Array => "array",
        LiteralForm::Object => "object",
    }
}

fn literals_line(literals: &Literals, room: usize) -> String {
    let mut line = String::new();
    let mut more = literals.omitted > 0;
    for (position, value) in literals.values.iter().enumerate() {
        let written = match value {
            Literal::Boolean(value) => value.to_string(),
            Literal::Number(number) => number.to_string(),
            Literal::String(text) => quoted(text, usize::MAX),
        };
        if position >= MOST_VALUES || line.len() + written.len() + "||…".len() > room {
            more = true;
            break;
        }
        if position > 0 {
            line.push('|');
        }
        line.push_str(&written);
    }
    match (more, line.is_empty()) {
        (true, true) => kind(&Form::Literals(literals.clone())).to_owned(),
        (true, false) => line + "|…",
        (false, _) => line,
    }
}
