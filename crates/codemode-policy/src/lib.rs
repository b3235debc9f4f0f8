//! Layers that decide about the calls of a program, the settings and the inventory that an agent starts with.
#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod check;
mod effort;
mod files;
mod hints;
mod inventory;
mod label;
mod pattern_size;
mod problems;
mod settings;
mod tool_names;
mod trust;
mod units;
mod validate;
mod wording;

pub use files::{Unreadable, read_any_of_at_most, read_file_of_at_most};
pub use hints::{Hint, HintReason, Hints};
pub use inventory::{Agent, HandedOn, Inventory, InventoryError, Mode, NotOffered};
pub use settings::{
    Change, CodeModeSettings, Environment, LimitError, Limits, LoadOptions, Loaded, ResultSettings, Scope, ServerChange, ServerSettings,
    Settings, SettingsError, SettingsErrorKind, Source, Surface, ToolSettings, Waiting, cache_folder, changes_in, json_schema, load,
    project_settings_file, servers_in, set_tool, state_folder, user_settings_file,
};
pub use tool_names::is_same_tool;
pub use trust::{Trust, TrustError, Trusted};
pub use units::{Unit, UnitError};
pub use validate::Validate;
