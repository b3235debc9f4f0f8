//! What is made of a catalog of tools: search over it, and signatures in the words of a language.
#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod clean;
mod combine;
mod description;
mod discovery;
mod inline;
mod line;
mod locate;
mod luals;
mod normalise;
mod observed;
mod read;
mod search;
mod shape;
mod signature;
mod tokens;
mod typescript;
mod words;

pub use description::{Description, DescriptionOptions, describe_run_code};
pub use discovery::Discovery;
pub use line::{arguments_line, signature_line};
pub use locate::Locator;
pub use luals::{LualsOptions, luals, luals_tool};
pub use normalise::{Normalised, normalise_schema, normalised};
pub use observed::ObservedShapes;
pub use search::{Hit, SearchIndex, SearchMode};
pub use shape::{Definition, Facts, Field, Form, Literal, LiteralForm, Literals, Object, Rest, Shape, ShapeLimits};
pub use tokens::estimated_tokens;
pub use typescript::{TypeScriptForm, TypeScriptOptions, typescript};
