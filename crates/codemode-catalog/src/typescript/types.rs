//! Writes the forms of one shape as TypeScript types: in place, or by name where a definition is used.

use std::collections::{HashSet, VecDeque};

use crate::clean::quoted;
use crate::shape::{Form, Literal, LiteralForm, Literals, Object, Rest, Shape};
use crate::signature::{Detail, comment, remark};
use crate::typescript::names::{Names, pascal, property_name};

/// A type that is no longer than this, and has no comments in it, stands on one line.
const LINE_BYTES: usize = 90;

/// The types that one shape needs. Types with a name of their own are found while others are written.
pub(super) struct Types<'a, 'n> {
    shape: &'a Shape,
    /// What the names of the shape's types begin with.
    prefix: &'n str,
    /// The names of types in the file.
    names: &'n mut Names,
    /// The names of the shape's definitions that have one.
    named: Vec<Option<String>>,
    /// Definitions that are named and not yet printed.
    queue: VecDeque<usize>,
    /// Whether a program gives such values, and does not get them.
    is_input: bool,
    /// The type of a value of which nothing is known: a program need not prove what it reads.
    anything: &'static str,
    detail: Detail,
}

impl<'a, 'n> Types<'a, 'n> {
    pub(super) fn new(shape: &'a Shape, prefix: &'n str, names: &'n mut Names, is_input: bool, detail: Detail) -> Self {
        let anything = if is_input { "unknown" } else { "any" };
        Self { shape, prefix, names, is_input, named: vec![None; shape.definitions.len()], queue: VecDeque::new(), anything, detail }
    }

    /// The type of the value itself; `indent` is how far in its lines after the first begin.
    pub(super) fn root(&mut self, indent: usize) -> String {
        let shape = self.shape;
        match shape.form() {
            // Arguments and structured results are objects, whatever the schema leaves open.
            Form::Any | Form::Cut | Form::Reference(0) => self.any_object(),
            _ if shape.definitions.iter().any(|definition| mentions(&definition.form, 0)) => self.reference(0),
            form => self.form(form, indent),
        }
    }

    /// Prints to `text` the types that were named.
    pub(super) fn print_named(&mut self, text: &mut String) {
        while let Some(index) = self.queue.pop_front() {
            let definition = &self.shape.definitions[index];
            if let Some(line) = definition.description.as_deref().filter(|_| self.detail == Detail::Full) {
                text.push_str(&doc(line, usize::MAX, 0));
            }
            let written = self.form_at_once(&definition.form, index, 0);
            let name = self.named[index].as_deref().unwrap_or_default();
            text.push_str(&format!("type {name} = {written};\n\n"));
        }
    }

    /// A form that is the whole of a named type: TypeScript does not take a type that is at once itself.
    fn form_at_once(&mut self, form: &'a Form, index: usize, indent: usize) -> String {
        match form {
            Form::Reference(target) if leads_at_once(self.shape, *target, index) => self.anything.to_owned(),
            Form::Union(forms) => self.alternatives(forms, |types, form| types.form_at_once(form, index, indent)),
            form => self.form(form, indent),
        }
    }

    fn form(&mut self, form: &'a Form, indent: usize) -> String {
        match form {
            Form::Any | Form::Cut => self.anything.to_owned(),
            Form::Never => "never".to_owned(),
            Form::Null => "null".to_owned(),
            Form::Boolean => "boolean".to_owned(),
            Form::Integer | Form::Number => "number".to_owned(),
            Form::String => "string".to_owned(),
            Form::Literals(literals) => self.literals(literals),
            Form::Array(item) => format!("{}[]", self.part(item, indent)),
            Form::Tuple { items, rest } => self.tuple(items, rest.as_deref(), indent),
            Form::Map(value) => self.map(value, indent),
            Form::Object(object) => self.object(object, indent),
            Form::Union(forms) => self.alternatives(forms, |types, form| types.form(form, indent)),
            Form::Reference(index) => self.reference(*index),
        }
    }

    fn any_object(&self) -> String {
        format!("Record<string, {}>", self.anything)
    }

    fn object(&mut self, object: &'a Object, indent: usize) -> String {
        if object.fields.is_empty() && object.omitted == 0 {
            return match &object.rest {
                Rest::Open => self.any_object(),
                Rest::Closed => "Record<string, never>".to_owned(),
                Rest::Of(value) => self.map(value, indent),
            };
        }
        let inner = indent + 1;
        let mut comments = false;
        let mut members: Vec<String> = Vec::with_capacity(object.fields.len() + 1);
        for field in &object.fields {
            let kind = if self.is_input { kind(&field.form) } else { None };
            let remark = remark(field, kind).filter(|_| self.detail == Detail::Full);
            let above = remark.map(|remark| doc(&remark, usize::MAX, inner)).unwrap_or_default();
            comments |= !above.is_empty();
            let mark = if field.required { "" } else { "?" };
            members.push(format!("{above}{}{}{mark}: {};", blanks(inner), property_name(&field.name), self.form(&field.form, inner)));
        }
        if object.omitted > 0 {
            comments = true;
            let above = doc(&format!("… and {} more fields.", object.omitted), usize::MAX, inner);
            members.push(format!("{above}{}[key: string]: {};", blanks(inner), self.anything));
        }
        let short: usize = members.iter().map(|member| member.trim_start().len() + 1).sum();
        let written = if !comments && short <= LINE_BYTES && members.iter().all(|member| !member.contains('\n')) {
            let line = members.iter().map(|member| member.trim_start()).collect::<Vec<_>>().join(" ");
            format!("{{ {} }}", line.trim_end_matches(';'))
        } else {
            format!("{{\n{}\n{}}}", members.join("\n"), blanks(indent))
        };
        match &object.rest {
            // Beside fields of other types, TypeScript has the type of all other keys only in another object.
            Rest::Of(value) if object.omitted == 0 => format!("{written} & {}", self.map(value, indent)),
            _ => written,
        }
    }

    fn map(&mut self, value: &'a Form, indent: usize) -> String {
        let written = self.form(value, indent);
        // `Record` may not hold the type that it is a part of.
        if has_reference(value) { format!("{{ [key: string]: {written} }}") } else { format!("Record<string, {written}>") }
    }

    fn tuple(&mut self, items: &'a [Form], rest: Option<&'a Form>, indent: usize) -> String {
        let mut parts: Vec<String> = items.iter().map(|form| self.form(form, indent)).collect();
        if let Some(form) = rest {
            parts.push(format!("...{}[]", self.part(form, indent)));
        }
        format!("[{}]", parts.join(", "))
    }

    fn alternatives(&mut self, forms: &'a [Form], mut write: impl FnMut(&mut Self, &'a Form) -> String) -> String {
        let mut parts: Vec<String> = Vec::new();
        for form in forms {
            let part = write(self, form);
            if !parts.contains(&part) {
                parts.push(part);
            }
        }
        parts.join(" | ")
    }

    /// Written-out values; where some are not, their forms are added, so that no value is called wrong.
    fn literals(&self, literals: &Literals) -> String {
        let mut parts: Vec<String> = Vec::new();
        for value in &literals.values {
            parts.push(match value {
                Literal::Boolean(value) => value.to_string(),
                Literal::Number(number) => number.to_string(),
                Literal::String(text) => quoted(text, usize::MAX),
            });
        }
        let forms: &[LiteralForm] = if literals.omitted > 0 { &literals.forms } else { &[] };
        for form in forms {
            let name = match form {
                LiteralForm::Boolean => "boolean".to_owned(),
                LiteralForm::Integer | LiteralForm::Number => "number".to_owned(),
                LiteralForm::String => "string".to_owned(),
                LiteralForm::Array => format!("{}[]", self.anything),
                LiteralForm::Object => self.any_object(),
            };
            if !parts.contains(&name) {
                parts.push(name);
            }
        }
        parts.join(" | ")
    }

    /// The type of a form as it stands before `[]`.
    fn part(&mut self, form: &'a Form, indent: usize) -> String {
        let written = self.form(form, indent);
        let several = match form {
            Form::Union(_) | Form::Literals(_) => written.contains(" | "),
            Form::Object(object) => matches!(object.rest, Rest::Of(_)) && written.contains(" & "),
            _ => false,
        };
        if several { format!("({written})") } else { written }
    }

    /// The name of a definition, which is put in the queue where it is met first.
    fn reference(&mut self, index: usize) -> String {
        match self.named.get(index) {
            Some(Some(name)) => return name.clone(),
            Some(None) => {}
            None => return self.anything.to_owned(),
        }
        let name = self.names.take(&format!("{}{}", self.prefix, pascal(&self.shape.definitions[index].name)));
        self.named[index] = Some(name.clone());
        self.queue.push_back(index);
        name
    }
}

/// What TypeScript's own types leave out, and who writes a value must know.
fn kind(form: &Form) -> Option<&'static str> {
    let whole = match form {
        Form::Union(forms) => forms.contains(&Form::Integer),
        form => *form == Form::Integer,
    };
    whole.then_some("integer")
}

/// A comment above a member or a type, with the line's end; nothing where nothing is left to see.
pub(super) fn doc(text: &str, most_bytes: usize, indent: usize) -> String {
    match comment(text, most_bytes) {
        Some(line) => format!("{}/** {} */\n", blanks(indent), line.replace("*/", "*\\/")),
        None => String::new(),
    }
}

/// The blanks before a line.
pub(super) fn blanks(indent: usize) -> String {
    "  ".repeat(indent)
}

/// Whether a form holds a reference to this definition.
fn mentions(form: &Form, index: usize) -> bool {
    any_reference(form, &mut |target| target == index)
}

fn has_reference(form: &Form) -> bool {
    any_reference(form, &mut |_| true)
}

fn any_reference(form: &Form, wanted: &mut impl FnMut(usize) -> bool) -> bool {
    match form {
        Form::Reference(target) => wanted(*target),
        Form::Array(form) | Form::Map(form) => any_reference(form, wanted),
        Form::Tuple { items, rest } => items.iter().chain(rest.as_deref()).any(|form| any_reference(form, wanted)),
        Form::Union(forms) => forms.iter().any(|form| any_reference(form, wanted)),
        Form::Object(object) => {
            let rest = if let Rest::Of(form) = &object.rest { Some(&**form) } else { None };
            object.fields.iter().map(|field| &field.form).chain(rest).any(|form| any_reference(form, wanted))
        }
        _ => false,
    }
}

/// Whether definition `from` is definition `to`, or one of its alternatives is, without an object or a list between.
fn leads_at_once(shape: &Shape, from: usize, to: usize) -> bool {
    let mut seen = HashSet::new();
    let mut next = vec![from];
    while let Some(index) = next.pop() {
        if index == to {
            return true;
        }
        if !seen.insert(index) {
            continue;
        }
        let Some(definition) = shape.definitions.get(index) else { continue };
        let alternatives = match &definition.form {
            Form::Union(forms) => forms.as_slice(),
            form => std::slice::from_ref(form),
        };
        next.extend(alternatives.iter().filter_map(|form| if let Form::Reference(target) = form { Some(*target) } else { None }));
    }
    false
}
