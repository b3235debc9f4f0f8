//! What both JavaScript engines of codemode share, without an engine in it.
#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod globals;
mod local;
mod native;
mod read;
mod realm;
mod rejections;
mod run;
mod sdk;
mod shared;
mod timers;
mod turns;
mod values;

pub use globals::{Global, hint, install_globals, missing_name};
pub use local::{Loaded, import_meta, load_module, resolve_import};
pub use native::{Native, invoke};
pub use read::{Program, read};
pub use realm::{AskingParts, Attributes, ErrorClass, Halt, Key, Kind, Promised, Property, Realm, Resolvers, Slot, Thrown};
pub use run::run_program;
pub use sdk::Sdk;
pub use shared::Shared;
pub use values::{
    Crossing, EncodeBounds, Encoded, LeftOut, Measure, PROGRAM, Unencoded, from_json, inspect, print_text, read_thrown, table_text, to_json,
};
