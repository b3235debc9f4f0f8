//! What is made of a catalog of tools: search over it, and signatures in the words of a language.
#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod clean;
mod combine;
mod inline;
mod line;
mod locate;
mod luals;
mod read;
mod search;
mod shape;
mod signature;
mod typescript;
mod words;

pub use line::signature_line;
pub use locate::Locator;
pub use luals::{LualsOptions, luals, luals_tool};
pub use search::{Hit, SearchIndex, SearchMode};
pub use shape::{Definition, Facts, Field, Form, Literal, LiteralForm, Literals, Object, Rest, Shape, ShapeLimits};
pub use typescript::{TypeScriptForm, TypeScriptOptions, typescript};
