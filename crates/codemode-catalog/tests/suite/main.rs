//! Tests over the test catalog and over any schema.

mod any_schema;
mod data;
mod description;
mod discovery;
mod luals;
mod normalise;
mod observed;
mod search;
mod shapes;
mod tokens;
mod typescript;
