//! What is enforced, and what not.

use serde::{Deserialize, Serialize};

/// Whether one part is enforced.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Part {
    /// It is.
    Enforced,
    /// It was not asked for.
    NotAsked,
    /// It was asked for and is not there.
    Missing {
        /// Why.
        why: String,
    },
}

/// What of a sandbox is enforced.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Enforced {
    /// No file outside the folder.
    pub files: Part,
}

impl Enforced {
    /// Nothing is.
    #[must_use]
    pub fn nothing(why: &str) -> Self {
        Self { files: Part::Missing { why: why.to_owned() } }
    }

    /// A sentence for each part that was asked for and is not enforced.
    #[must_use]
    pub fn missing(&self) -> Vec<String> {
        match &self.files {
            Part::Missing { why } => vec![format!("files are not withheld: {why}")],
            Part::Enforced | Part::NotAsked => Vec::new(),
        }
    }
}
