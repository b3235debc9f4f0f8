//! Tests over the test catalog and over any schema.

mod any_schema;
mod data;
mod luals;
mod search;
mod shapes;
mod typescript;
