//! Puts small definitions where they are used, and drops those that nothing uses any more.

use crate::combine::union;
use crate::shape::{Form, Rest, Shape};

impl Shape {
    /// Replaces references to definitions that are no larger than a reference, then numbers the others anew.
    ///
    /// A description of such a definition goes to the fields that have none of their own.
    pub(crate) fn put_small_definitions_in_place(&mut self) {
        let small: Vec<Option<(Form, Option<String>)>> = self
            .definitions
            .iter()
            .map(|definition| {
                let form = self.follow(&definition.form);
                is_small(form).then(|| (form.clone(), definition.description.clone()))
            })
            .collect();
        for definition in &mut self.definitions {
            each_field_and_form(&mut definition.form, &mut |form, description| {
                let Form::Reference(index) = form else { return };
                if let Some(Some((small, said))) = small.get(*index) {
                    *form = small.clone();
                    if let (Some(description @ None), Some(said)) = (description, said) {
                        *description = Some(said.clone());
                    }
                }
            });
            // What was put in place may repeat another alternative.
            each_field_and_form(&mut definition.form, &mut |form, _| {
                if let Form::Union(forms) = form {
                    *form = union(std::mem::take(forms), usize::MAX);
                }
            });
        }
        self.number_anew();
    }

    /// Keeps the first definition and all that it leads to, in the order in which they are met.
    fn number_anew(&mut self) {
        let mut order = vec![0];
        let mut numbers = vec![None; self.definitions.len()];
        numbers[0] = Some(0);
        let mut next = 0;
        while let Some(&index) = order.get(next) {
            next += 1;
            each_field_and_form(&mut self.definitions[index].form, &mut |form, _| {
                let Form::Reference(target) = form else { return };
                let Some(number) = numbers.get_mut(*target) else { return };
                *target = *number.get_or_insert_with(|| {
                    order.push(*target);
                    order.len() - 1
                });
            });
        }
        let mut old: Vec<_> = std::mem::take(&mut self.definitions).into_iter().map(Some).collect();
        self.definitions = order.into_iter().filter_map(|index| old[index].take()).collect();
    }
}

/// Forms that are as short as the name of a definition would be.
fn is_small(form: &Form) -> bool {
    match form {
        Form::Any | Form::Never | Form::Null | Form::Boolean | Form::Integer | Form::Number | Form::String | Form::Cut => true,
        Form::Literals(literals) => literals.values.len() <= 8,
        _ => false,
    }
}

/// Calls `change` for every form, the outer before the inner, with the description of the field that holds it directly.
fn each_field_and_form(form: &mut Form, change: &mut impl FnMut(&mut Form, Option<&mut Option<String>>)) {
    change(form, None);
    each_inner(form, change);
}

fn each_inner(form: &mut Form, change: &mut impl FnMut(&mut Form, Option<&mut Option<String>>)) {
    match form {
        Form::Array(form) | Form::Map(form) => each_field_and_form(form, change),
        Form::Tuple { items, rest } => {
            items.iter_mut().chain(rest.as_deref_mut()).for_each(|form| each_field_and_form(form, change));
        }
        Form::Union(forms) => forms.iter_mut().for_each(|form| each_field_and_form(form, change)),
        Form::Object(object) => {
            for field in &mut object.fields {
                change(&mut field.form, Some(&mut field.description));
                each_inner(&mut field.form, change);
            }
            if let Rest::Of(form) = &mut object.rest {
                each_field_and_form(form, change);
            }
        }
        _ => {}
    }
}
