//! The front end, over files of cases: a source, and the whole of what is made of it.

mod cases;
mod deep;
mod erased;
mod hold;
mod places;

use codemode_core::{Form, Profile, Raised};
use codemode_js::Program;

/// Reads a source as a program of the profile that a form has by itself.
fn read(source: &str, form: Form) -> Result<Program, Raised> {
    let profile = match form {
        Form::Batch => Profile::batch(),
        Form::Program => Profile::program(),
        Form::Cell => Profile::cell(),
        _ => Profile::script(),
    };
    codemode_js::read(source, &profile)
}
