//! The arguments of an operation. They come from code of ours, so that a wrong one is `ERR_INVALID_ARG_TYPE` and no more is said.

use std::path::PathBuf;
use std::sync::Arc;

use codemode_core::{LocalFault, LocalOp};
use serde_json::Value;

/// What an operation is given.
#[derive(Debug)]
pub(super) struct Arguments<'a>(pub(super) &'a LocalOp);

impl<'a> Arguments<'a> {
    pub(super) fn value(&self, name: &str) -> Option<&'a Value> {
        self.0.arguments.tree().get(name).filter(|value| !value.is_null())
    }

    /// A text, where there is one.
    pub(super) fn text(&self, name: &str) -> Option<&'a str> {
        self.value(name)?.as_str()
    }

    /// A text that has to be there.
    pub(super) fn needed(&self, name: &str) -> Result<&'a str, LocalFault> {
        self.text(name).ok_or_else(|| wrong(&self.0.name, name))
    }

    /// A path that has to be there.
    pub(super) fn path(&self, name: &str) -> Result<PathBuf, LocalFault> {
        let text = self.needed(name)?;
        if text.contains('\0') { Err(wrong(&self.0.name, name)) } else { Ok(PathBuf::from(text)) }
    }

    /// Whether this is `true`.
    pub(super) fn flag(&self, name: &str) -> bool {
        self.value(name).and_then(Value::as_bool).unwrap_or_default()
    }

    /// A number, where there is one.
    pub(super) fn number(&self, name: &str) -> Option<f64> {
        self.value(name)?.as_f64()
    }

    /// A whole number that is not negative, where there is one.
    pub(super) fn whole(&self, name: &str) -> Option<u64> {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a cast of a float saturates")]
        self.number(name).map(|number| number as u64)
    }

    /// Texts in an array.
    pub(super) fn texts(&self, name: &str) -> Vec<&'a str> {
        self.value(name).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect()
    }

    /// The bytes at `index`; none where there is no such part.
    pub(super) fn part(&self, index: usize) -> Arc<[u8]> {
        self.0.parts.get(index).cloned().unwrap_or_default()
    }
}

fn wrong(op: &str, name: &str) -> LocalFault {
    LocalFault {
        code: "ERR_INVALID_ARG_VALUE".to_owned(),
        message: format!("the argument {name:?} of {op} is not there, or is no text that can be used as such"),
        ..LocalFault::default()
    }
}
