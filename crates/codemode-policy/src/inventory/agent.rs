//! What a host says about one of its agents.

/// One agent, as its host knows it. The default is an agent that may do everything.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Agent {
    /// Whether this host offers code mode where the settings say nothing. Default: true.
    pub code_mode_by_default: bool,
    /// It may only look: it never gets code mode, whatever the settings say. What it may use directly is said by `allowed` and
    /// `denied`. Default: false.
    pub inspection_only: bool,
    /// Whether its model calls tools natively; code mode is not offered without. Default: true.
    pub native_tool_calling: bool,
    /// It is in plan mode as it starts, which is left so: the end of a sentence that begins "to leave it,". Default: not in plan mode.
    pub plan_mode: Option<String>,
    /// What the agent that started this one handed on. Default: nothing.
    pub handed_on: HandedOn,
    /// The direct tools of a compact inventory where the settings list none: this host's own. Default: none.
    pub compact_direct: Vec<String>,
    /// Tools that it may not use, on either surface. Default: none.
    pub denied: Vec<String>,
    /// The only tools that it may use, on either surface. Default: no such list.
    pub allowed: Option<Vec<String>>,
}

impl Default for Agent {
    fn default() -> Self {
        Self {
            code_mode_by_default: true,
            inspection_only: false,
            native_tool_calling: true,
            plan_mode: None,
            handed_on: HandedOn::default(),
            compact_direct: Vec::new(),
            denied: Vec::new(),
            allowed: None,
        }
    }
}

/// What an agent hands on to those that it starts. It lives as long as they do, and no file holds it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct HandedOn {
    /// They are code-only, as it is.
    pub code_only: bool,
}
