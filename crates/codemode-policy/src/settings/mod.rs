//! What `codemode.toml` says: the settings of one process, merged from the user's file and the project's.

mod edit;
mod error;
mod file;
mod keys;
mod limits;
mod load;
mod places;
mod replace;
mod schema;
mod server;
mod table;

use std::collections::BTreeMap;

pub use edit::{Change, Surface, set_tool};
pub(crate) use error::shown_path;
pub use error::{SettingsError, SettingsErrorKind};
pub use limits::{LimitError, Limits};
pub use load::{LoadOptions, Loaded, Scope, Source, Waiting, changes_in, load, servers_in};
pub use places::{Environment, cache_folder, project_settings_file, state_folder, user_settings_file};
pub(crate) use replace::replace_file;
pub use schema::json_schema;
pub use server::{ServerChange, ServerSettings};

/// How many tokens of signatures the description of `run_code` may have where nobody says otherwise.
const DESCRIPTION_TOKENS: usize = 2_000;

/// The settings of one process. The default is what holds where no file sets anything.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Settings {
    /// Code mode itself: `[code_mode]`.
    pub code_mode: CodeModeSettings,
    /// The tools as the model calls them directly: `[tools]`.
    pub tools: ToolSettings,
    /// The servers, by the names that they have in the file: `[servers.NAME]`. Those that are not enabled are here as well.
    pub servers: BTreeMap<String, ServerSettings>,
    /// What is made of results: `[results]`.
    pub results: ResultSettings,
}

/// Whether and how code mode is offered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodeModeSettings {
    /// Whether it is offered; not set: as the host has it by default.
    pub enabled: Option<bool>,
    /// Whether the model has only some direct tools beside it. Needs code mode. Default: false.
    pub compact_direct_tools: bool,
    /// The direct tools of a compact inventory; not set: those that the host keeps direct by default.
    pub direct: Option<Vec<String>>,
    /// Tools that programs may not call, whatever holds for direct calls. Default: none.
    pub disabled: Vec<String>,
    /// Tools that are for direct calls alone. Default: none.
    pub direct_only: Vec<String>,
    /// Whether hints may suggest code mode. Default: true.
    pub nudges_enabled: bool,
    /// The most tokens that the signatures in the description of `run_code` take. Default: 2,000; allowed: 100 to 100,000.
    pub description_tokens: usize,
    /// The limits of a run that asks for none of its own.
    pub limits: Limits,
}

impl Default for CodeModeSettings {
    fn default() -> Self {
        Self {
            enabled: None,
            compact_direct_tools: false,
            direct: None,
            disabled: Vec::new(),
            direct_only: Vec::new(),
            nudges_enabled: true,
            description_tokens: DESCRIPTION_TOKENS,
            limits: Limits::default(),
        }
    }
}

/// The tools as the model calls them directly.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ToolSettings {
    /// Tools that the model may not call directly, whatever holds for programs. Default: none.
    pub disabled: Vec<String>,
}

/// What is made of results.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResultSettings {
    /// Whether the shapes of results are learned where a tool has no output schema: types and keys, never values. Default: true.
    pub learn_shapes: bool,
}

impl Default for ResultSettings {
    fn default() -> Self {
        Self { learn_shapes: true }
    }
}
