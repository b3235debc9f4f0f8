//! Answers without bytes.

use codemode_core::{Json, LocalAnswer, LocalFault};
use serde::Serialize;

use super::fault;

/// A value of ours as an answer.
pub(super) fn answer(value: &impl Serialize) -> Result<LocalAnswer, LocalFault> {
    let json = Json::from_serialize(value).map_err(|error| fault::said("ERR_INVALID_RETURN_VALUE", error.to_string()))?;
    Ok(LocalAnswer::of(json))
}

/// It was done, and there is nothing to say of it.
pub(super) fn nothing() -> LocalAnswer {
    LocalAnswer::of(Json::null())
}
