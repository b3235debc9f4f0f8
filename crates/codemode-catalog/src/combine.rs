//! Puts forms together: either of several, or all of several at once.

use crate::shape::{Form, LiteralForm, Literals, Object, Rest};

/// Either of `forms`: flat, without duplicates and without what adds nothing; at most about `most` alternatives.
pub(crate) fn union(forms: Vec<Form>, most: usize) -> Form {
    let mut kept: Vec<Form> = Vec::new();
    let mut literals: Option<Literals> = None;
    let mut cut = false;
    let flat = forms.into_iter().flat_map(|form| match form {
        Form::Union(forms) => forms,
        other => vec![other],
    });
    for form in flat {
        match form {
            Form::Any => return Form::Any,
            Form::Never => {}
            Form::Cut => cut = true,
            Form::Literals(more) => match &mut literals {
                Some(all) => add_literals(all, more),
                none => {
                    *none = Some(more);
                    // The place of the first ones stands for all.
                    kept.push(Form::Literals(Literals::default()));
                }
            },
            form if kept.contains(&form) => {}
            _ if kept.len() >= most => cut = true,
            form => kept.push(form),
        }
    }
    if let (Some(literals), Some(place)) = (literals, kept.iter_mut().find(|form| matches!(form, Form::Literals(_)))) {
        *place = Form::Literals(literals);
    }
    if cut {
        kept.push(Form::Cut);
    }
    match kept.len() {
        0 => Form::Never,
        1 => kept.remove(0),
        _ => Form::Union(kept),
    }
}

fn add_literals(all: &mut Literals, more: Literals) {
    for value in more.values {
        if !all.values.contains(&value) {
            all.values.push(value);
        }
    }
    all.omitted += more.omitted;
    for form in more.forms {
        if !all.forms.contains(&form) {
            all.forms.push(form);
        }
    }
}

/// Both `one` and `other` at once, as nearly as a form can say it; at most about `most` fields.
///
/// Where the two have nothing in common the first is kept: a reader is helped more by one of them than by neither.
pub(crate) fn intersect(one: Form, other: Form, most: usize) -> Form {
    match (one, other) {
        (Form::Any, form) | (form, Form::Any | Form::Cut) => form,
        (Form::Never, _) | (_, Form::Never) => Form::Never,
        (Form::Cut, form) => form,
        (Form::Object(one), Form::Object(other)) => Form::Object(both_objects(one, other, most)),
        (Form::Object(object), Form::Map(value)) | (Form::Map(value), Form::Object(object)) => {
            let map = Object { rest: Rest::Of(value), ..Object::default() };
            Form::Object(both_objects(object, map, most))
        }
        (Form::Map(one), Form::Map(other)) => Form::Map(Box::new(intersect(*one, *other, most))),
        (Form::Array(one), Form::Array(other)) => Form::Array(Box::new(intersect(*one, *other, most))),
        (Form::Number, Form::Integer) | (Form::Integer, Form::Number) => Form::Integer,
        (Form::Literals(literals), form) | (form, Form::Literals(literals)) if is_base_of(&form, &literals) => Form::Literals(literals),
        // The parts of a union that fit are those of the same kind; one union is divided, a second one is not.
        (Form::Union(parts), form) | (form, Form::Union(parts)) if !matches!(form, Form::Union(_)) => {
            let fitting: Vec<Form> = parts.into_iter().filter(|part| same_kind(part, &form)).collect();
            if fitting.is_empty() {
                form
            } else {
                union(fitting.into_iter().map(|part| intersect(part, form.clone(), most)).collect(), most)
            }
        }
        (one, _) => one,
    }
}

/// An object with the fields of both; a field of both is narrowed, and required where either requires it.
fn both_objects(one: Object, other: Object, most: usize) -> Object {
    let mut both = one;
    both.omitted += other.omitted;
    for field in other.fields {
        if let Some(known) = both.fields.iter_mut().find(|known| known.name == field.name) {
            known.required |= field.required;
            let form = std::mem::replace(&mut known.form, Form::Any);
            known.form = intersect(form, field.form, most);
            if known.description.is_none() {
                known.description = field.description;
            }
        } else if both.fields.len() < most {
            both.fields.push(field);
        } else {
            both.omitted += 1;
        }
    }
    both.rest = match (both.rest, other.rest) {
        // A closed part that is put together with others would allow none of their fields; it is meant for the whole.
        (Rest::Closed, _) | (_, Rest::Closed) => Rest::Closed,
        (Rest::Of(form), _) | (_, Rest::Of(form)) => Rest::Of(form),
        (Rest::Open, Rest::Open) => Rest::Open,
    };
    both
}

/// Whether every one of the literals is of this form.
fn is_base_of(form: &Form, literals: &Literals) -> bool {
    literals.forms.iter().all(|literal| {
        matches!(
            (form, literal),
            (Form::String, LiteralForm::String)
                | (Form::Boolean, LiteralForm::Boolean)
                | (Form::Integer, LiteralForm::Integer)
                | (Form::Number, LiteralForm::Integer | LiteralForm::Number)
        )
    })
}

/// Whether two forms can hold the same value, judged by their kind alone.
fn same_kind(one: &Form, other: &Form) -> bool {
    let is_object = |form: &Form| matches!(form, Form::Object(_) | Form::Map(_));
    let is_list = |form: &Form| matches!(form, Form::Array(_) | Form::Tuple { .. });
    let is_number = |form: &Form| matches!(form, Form::Number | Form::Integer);
    match (one, other) {
        (Form::Literals(literals), form) | (form, Form::Literals(literals)) => is_base_of(form, literals),
        // What a reference leads to is not looked at here.
        (Form::Reference(_), _) | (_, Form::Reference(_)) => true,
        _ => {
            one == other || (is_object(one) && is_object(other)) || (is_list(one) && is_list(other)) || (is_number(one) && is_number(other))
        }
    }
}
