//! The front end: reads what a model wrote as a program, and changes nothing of it but spans.

mod edits;
mod parse;
mod program;
mod refuse;

use codemode_core::{Form, Raised};

pub use self::program::Program;

use self::edits::Edits;

/// Reads `source` as a program of `form`.
///
/// # Errors
/// When it is no program, with the message, the place in the source as it was sent and how to mend it.
pub fn read(source: &str, form: Form) -> Result<Program, Raised> {
    parse::parse(source, |_| ()).map_err(|error| refuse::refuse_at(source, error.at, &error.message))?;
    Ok(Program::new(Edits::default().make(source), form != Form::Batch, "", Vec::new()))
}
