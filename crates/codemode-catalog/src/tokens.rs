//! How many tokens a text has for a model, at most.

/// An estimate of the tokens of `text`, which is not under what the tokenizers of current models count for English and JSON.
#[must_use]
pub fn estimated_tokens(text: &str) -> usize {
    text.len().div_ceil(3)
}
