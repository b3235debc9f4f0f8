//! What a file of a project would start or reach, as it is written there: values of variables and headers stay hidden.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use codemode_mcp::{ServerConfig, TransportConfig, read_as_written};
use codemode_policy::{ServerChange, ServerSettings, changes_in, servers_in};

use crate::exit::CliError;
use crate::servers::read_whole;
use crate::shell;
use crate::source::shown;

/// A file with what it would start, and the content of which that is true.
#[derive(Debug)]
pub(super) struct Proposal {
    pub(super) path: PathBuf,
    pub(super) content: String,
    servers: Vec<Proposed>,
    warnings: Vec<String>,
}

/// One server.
#[derive(Debug, PartialEq, Eq)]
struct Proposed {
    name: String,
    /// A line each.
    lines: Vec<String>,
}

impl Proposal {
    /// Reads a file: TOML where its name says so, else a client's JSON.
    pub(super) fn read(path: &Path) -> Result<Self, CliError> {
        let content = read_whole(path)?;
        if path.extension().is_some_and(|ending| ending == "toml") {
            let servers = servers_in(path, content.as_bytes()).map_err(CliError::of)?;
            let changes = changes_in(path, content.as_bytes()).map_err(CliError::of)?;
            let mut servers: Vec<Proposed> =
                servers.iter().filter(|(_, server)| server.is_enabled()).map(|(name, server)| of_settings(name, server)).collect();
            servers.extend(changes.iter().map(|(name, change)| of_change(name, change)));
            return Ok(Self { path: path.to_owned(), content, servers, warnings: Vec::new() });
        }
        // With its variables in it: what they become may be another thing tomorrow.
        let as_written = read_as_written(path, &content).map_err(CliError::of)?;
        let servers = as_written.servers.iter().map(of_client).collect();
        Ok(Self { path: path.to_owned(), content, servers, warnings: as_written.warnings })
    }

    /// Whether there is anything to trust.
    pub(super) fn is_empty(&self) -> bool {
        self.servers.is_empty()
    }

    /// What a person is shown.
    pub(super) fn text(&self) -> String {
        let mut text = format!("{} would start or reach:", shown(&self.path));
        for server in &self.servers {
            let _ = write!(text, "\n  {}", codemode::text::one_line(&server.name));
            for line in &server.lines {
                let _ = write!(text, "\n    {}", codemode::text::one_line(line));
            }
        }
        for warning in &self.warnings {
            let _ = write!(text, "\n  not used: {warning}");
        }
        text
    }
}

fn of_settings(name: &str, server: &ServerSettings) -> Proposed {
    let mut lines = Vec::new();
    if let Some(command) = &server.command {
        lines.push(runs(command, &server.args));
        lines.extend(folder(server.cwd.as_deref()));
        lines.extend(hidden("variables", &server.env));
    }
    if let Some(url) = &server.url {
        lines.push(format!("connects to {url}"));
        lines.extend(hidden("headers", &server.headers));
    }
    Proposed { name: name.to_owned(), lines }
}

/// What becomes of a server that the person's own settings name.
fn of_change(name: &str, change: &ServerChange) -> Proposed {
    let mut lines = Vec::new();
    if let Some(args) = &change.args {
        let args: Vec<_> = args.iter().map(|argument| shell::quoted(argument)).collect();
        lines.push(format!("runs what you have under this name with the arguments {}", args.join(" ")));
    }
    lines.extend(folder(change.cwd.as_deref()));
    lines.extend(change.env.as_ref().and_then(|values| hidden("variables", values)));
    lines.extend(change.headers.as_ref().and_then(|values| hidden("headers", values)));
    if change.switched_on {
        lines.push("is switched on, where you have it off".to_owned());
    }
    if change.timed {
        lines.push("gets other times".to_owned());
    }
    if change.args.is_none() {
        lines.insert(0, "changes what you have under this name:".to_owned());
    }
    Proposed { name: name.to_owned(), lines }
}

fn of_client(server: &ServerConfig) -> Proposed {
    let mut lines = Vec::new();
    match &server.transport {
        TransportConfig::Stdio { command, args, env, cwd } => {
            lines.push(runs(command, args));
            lines.extend(folder(cwd.as_deref()));
            lines.extend(hidden("variables", env));
        }
        TransportConfig::Http { url, headers } => {
            lines.push(format!("connects to {url}"));
            lines.extend(hidden("headers", headers));
        }
    }
    Proposed { name: server.name.clone(), lines }
}

fn runs(command: &str, arguments: &[String]) -> String {
    let words = std::iter::once(command).chain(arguments.iter().map(String::as_str));
    format!("runs {}", words.map(shell::quoted).collect::<Vec<_>>().join(" "))
}

fn folder(cwd: Option<&Path>) -> Option<String> {
    cwd.map(|folder| format!("in the folder {}", shown(folder)))
}

fn hidden(what: &str, values: &BTreeMap<String, String>) -> Option<String> {
    let names: Vec<&str> = values.keys().map(String::as_str).collect();
    (!names.is_empty()).then(|| format!("with the {what} {} (values not shown)", names.join(", ")))
}
