//! One settings file: what it sets, and nothing else.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use toml::de::DeTable;

use super::error::{SettingsError, SettingsErrorKind};
use super::keys;
use super::limits::{LIMITS, Limits};
use super::server::ServerPart;
use super::table::{Problem, Table};
use super::{CodeModeSettings, ResultSettings, Settings, ToolSettings};
use crate::units::Unit;

/// What one file sets.
#[derive(Default)]
pub(crate) struct FileSettings {
    enabled: Option<bool>,
    compact_direct_tools: Option<bool>,
    direct: Option<Vec<String>>,
    disabled: Option<Vec<String>>,
    direct_only: Option<Vec<String>>,
    nudges_enabled: Option<bool>,
    description_tokens: Option<u64>,
    limits: Limits,
    tools_disabled: Option<Vec<String>>,
    learn_shapes: Option<bool>,
    pub(crate) servers: BTreeMap<String, ServerPart>,
}

impl FileSettings {
    /// Reads the content of the file at `path`.
    pub(crate) fn read(path: &Path, content: &[u8]) -> Result<Self, SettingsError> {
        let text = str::from_utf8(content).map_err(|error| {
            let line = line_of(content, error.valid_up_to());
            SettingsError::new(SettingsErrorKind::Unreadable, path, Some(line), "this is no UTF-8; save the file as UTF-8")
        })?;
        // Editors of one system begin files with it, and it is no TOML.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let document = DeTable::parse(text).map_err(|error| {
            let line = error.span().map(|span| line_of(text.as_bytes(), span.start));
            SettingsError::new(SettingsErrorKind::Syntax, path, line, &format!("this is no TOML: {}", error.message()))
        })?;
        let top = Table::top(text, document.get_ref());
        top.and_then(|top| Self::from_top(path, &top))
            .map_err(|Problem { kind, at, message }| SettingsError::new(kind, path, Some(line_of(text.as_bytes(), at)), &message))
    }

    fn from_top(path: &Path, top: &Table<'_>) -> Result<Self, Problem> {
        let mut settings = Self::default();
        if let Some(code_mode) = top.table("code_mode", keys::CODE_MODE, Some(keys::LIMITS_TABLE))? {
            settings.enabled = code_mode.switch("enabled")?;
            settings.compact_direct_tools = code_mode.switch("compact_direct_tools")?;
            settings.direct = code_mode.names("direct")?;
            settings.disabled = code_mode.names("disabled")?;
            settings.direct_only = code_mode.names("direct_only")?;
            settings.nudges_enabled = code_mode.switch("nudges_enabled")?;
            settings.description_tokens = code_mode.number("description_tokens")?;
            if let Some(limits) = code_mode.table(keys::LIMITS_TABLE, &keys::limits(), None)? {
                for limit in LIMITS {
                    if let Some(quantity) = limits.quantity(limit.name, limit.unit)? {
                        settings.limits.set(limit.name, quantity);
                    }
                }
            }
        }
        if let Some(tools) = top.table("tools", keys::TOOLS, None)? {
            settings.tools_disabled = tools.names("disabled")?;
        }
        if let Some(results) = top.table("results", keys::RESULTS, None)? {
            settings.learn_shapes = results.switch("learn_shapes")?;
        }
        for (name, server) in top.named_tables("servers", keys::SERVER)? {
            settings.servers.insert(name, server_part(path, &server)?);
        }
        Ok(settings)
    }

    /// What this file sets, with what a later one sets over it, key by key. A list of the later one stands in the place of this one's.
    pub(crate) fn under(self, later: Self) -> Self {
        let mut servers = self.servers;
        for (name, part) in later.servers {
            let merged = servers.remove(&name).unwrap_or_default().under(part);
            servers.insert(name, merged);
        }
        Self {
            enabled: later.enabled.or(self.enabled),
            compact_direct_tools: later.compact_direct_tools.or(self.compact_direct_tools),
            direct: later.direct.or(self.direct),
            disabled: later.disabled.or(self.disabled),
            direct_only: later.direct_only.or(self.direct_only),
            nudges_enabled: later.nudges_enabled.or(self.nudges_enabled),
            description_tokens: later.description_tokens.or(self.description_tokens),
            limits: self.limits.under(later.limits),
            tools_disabled: later.tools_disabled.or(self.tools_disabled),
            learn_shapes: later.learn_shapes.or(self.learn_shapes),
            servers,
        }
    }

    /// The settings, and the names of servers of which no file says how they are reached.
    pub(crate) fn finish(self) -> (Settings, Vec<String>) {
        let default = CodeModeSettings::default();
        let mut unreached = Vec::new();
        let mut servers = BTreeMap::new();
        for (name, part) in self.servers {
            let disabled = part.enabled == Some(false);
            match part.finish() {
                Some(server) => drop(servers.insert(name, server)),
                // A server that is nowhere is not used, as was asked.
                None if disabled => {}
                None => unreached.push(name),
            }
        }
        let code_mode = CodeModeSettings {
            enabled: self.enabled,
            compact_direct_tools: self.compact_direct_tools.unwrap_or(default.compact_direct_tools),
            direct: self.direct,
            disabled: self.disabled.unwrap_or_default(),
            direct_only: self.direct_only.unwrap_or_default(),
            nudges_enabled: self.nudges_enabled.unwrap_or(default.nudges_enabled),
            description_tokens: self.description_tokens.map_or(default.description_tokens, |tokens| tokens as usize),
            limits: self.limits,
        };
        let tools = ToolSettings { disabled: self.tools_disabled.unwrap_or_default() };
        let results = ResultSettings { learn_shapes: self.learn_shapes.unwrap_or(ResultSettings::default().learn_shapes) };
        (Settings { code_mode, tools, servers, results }, unreached)
    }
}

fn server_part(path: &Path, server: &Table<'_>) -> Result<ServerPart, Problem> {
    let time = |name| server.quantity(name, Unit::Duration).map(|found| found.map(Duration::from_millis));
    let folder = path.parent().unwrap_or(Path::new(""));
    let part = ServerPart {
        command: server.text("command")?,
        args: server.texts("args")?,
        env: server.texts_by_name("env")?,
        cwd: server.text("cwd")?.map(|cwd| folder.join(cwd)),
        url: server.text("url")?,
        headers: server.texts_by_name("headers")?,
        enabled: server.switch("enabled")?,
        timeout: time("timeout")?,
        max_timeout: time("max_timeout")?,
        start_timeout: time("start_timeout")?,
        file: path.to_owned(),
    };
    let of_program = [("args", part.args.is_some()), ("env", part.env.is_some()), ("cwd", part.cwd.is_some())];
    match (&part.command, &part.url) {
        (Some(_), Some(_)) => Err(server.problem_at("url", "a server has either a command or a url; keep the one that is meant")),
        (Some(_), None) if part.headers.is_some() => {
            Err(server.problem_at("headers", "a server with a command has no headers; they go with a url"))
        }
        (None, Some(_)) => match of_program.into_iter().find(|(_, given)| *given) {
            Some((name, _)) => Err(server.problem_at(name, &format!("a server with a url has no {name}; it goes with a command"))),
            None => Ok(part),
        },
        _ => Ok(part),
    }
}

/// The line, from 1, of a byte.
fn line_of(text: &[u8], at: usize) -> usize {
    1 + text.iter().take(at).filter(|byte| **byte == b'\n').count()
}
