//! The clients that `codemode init` knows: where each keeps its servers, in which form, and what adds one by itself.

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use codemode_mcp::{Place, known_file};
use serde_json::json;

use crate::servers::FromArg;
use crate::shell;

/// The name under which a client knows this server.
const NAME: &str = "codemode";

/// A client of MCP servers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Client {
    /// Claude Code, Anthropic's agent for the terminal
    ClaudeCode,
    /// Claude Desktop, Anthropic's app
    ClaudeDesktop,
    /// The editor Cursor
    Cursor,
    /// Visual Studio Code
    #[value(name = "vscode")]
    VsCode,
    /// Codex, OpenAI's agent for the terminal
    Codex,
}

/// What a client is told to start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Started {
    /// The program, by its absolute path.
    pub(crate) command: String,
    /// Its arguments.
    pub(crate) arguments: Vec<String>,
}

/// What is written, and into which file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Snippet {
    /// The text, without a line break at its end.
    pub(crate) text: String,
    /// The files that it can go into, each with what it is for.
    pub(crate) files: Vec<(String, &'static str)>,
}

impl Client {
    /// The client's word on the command line.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude-code",
            Self::ClaudeDesktop => "claude-desktop",
            Self::Cursor => "cursor",
            Self::VsCode => "vscode",
            Self::Codex => "codex",
        }
    }

    /// What the client calls itself.
    pub(crate) fn title(self) -> &'static str {
        match self {
            Self::ClaudeCode => "Claude Code",
            Self::ClaudeDesktop => "Claude Desktop",
            Self::Cursor => "Cursor",
            Self::VsCode => "Visual Studio Code",
            Self::Codex => "Codex",
        }
    }

    /// Whether it starts its servers in the folder of the project that is open, so that a project's own files are found.
    pub(crate) fn starts_in_a_project(self) -> bool {
        matches!(self, Self::ClaudeCode | Self::VsCode | Self::Codex)
    }

    /// The place whose servers the client starts by itself, of those that `--mcp-from` knows.
    pub(crate) fn own_place(self) -> Option<FromArg> {
        match self {
            Self::ClaudeCode => Some(FromArg::Project),
            Self::ClaudeDesktop => Some(FromArg::ClaudeDesktop),
            Self::VsCode => Some(FromArg::VsCode),
            Self::Cursor | Self::Codex => None,
        }
    }

    /// How a change comes into force.
    pub(crate) fn afterwards(self) -> &'static str {
        match self {
            Self::ClaudeCode => "Start Claude Code again; /mcp shows the server.",
            Self::ClaudeDesktop => "Quit Claude Desktop and start it again.",
            Self::Cursor => "Switch the server on under Settings, MCP.",
            Self::VsCode => "Run \"MCP: List Servers\" in VS Code and start codemode.",
            Self::Codex => "Start Codex again; /mcp shows the server.",
        }
    }

    /// The client's own command that adds the server, where it has one.
    pub(crate) fn command(self, started: &Started) -> Option<String> {
        let started_line = || {
            let words = std::iter::once(&started.command).chain(&started.arguments);
            words.map(|word| shell::quoted(word)).collect::<Vec<_>>().join(" ")
        };
        match self {
            Self::ClaudeCode => Some(format!("claude mcp add --scope user {NAME} -- {}", started_line())),
            Self::Codex => Some(format!("codex mcp add {NAME} -- {}", started_line())),
            Self::VsCode => {
                let server = json!({"name": NAME, "command": started.command, "args": started.arguments});
                Some(format!("code --add-mcp {}", shell::quoted(&server.to_string())))
            }
            Self::ClaudeDesktop | Self::Cursor => None,
        }
    }

    /// What goes into the client's configuration; `home` is the folder of the user's own, where it is known.
    pub(crate) fn snippet(self, started: &Started, home: Option<&Path>) -> Snippet {
        let of_home = |path: &str| home.map_or_else(|| format!("~/{path}"), |home| home.join(path).display().to_string());
        let text = match self {
            Self::ClaudeCode | Self::ClaudeDesktop | Self::Cursor => {
                let server = json!({"command": started.command, "args": started.arguments});
                format!("{:#}", json!({"mcpServers": {NAME: server}}))
            }
            Self::VsCode => {
                let server = json!({"type": "stdio", "command": started.command, "args": started.arguments});
                format!("{:#}", json!({"servers": {NAME: server}}))
            }
            Self::Codex => codex(started),
        };
        let files = match self {
            Self::ClaudeCode => vec![(".mcp.json".to_owned(), "at the root of a project, for all who work on it")],
            Self::ClaudeDesktop => desktop_files(&of_home).into_iter().map(|path| (path, "for you")).collect(),
            Self::Cursor => vec![
                (of_home(".cursor/mcp.json"), "for every project of yours"),
                (".cursor/mcp.json".to_owned(), "at the root of a project, for all who work on it"),
            ],
            Self::VsCode => vec![(".vscode/mcp.json".to_owned(), "at the root of a project, for all who work on it")],
            Self::Codex => vec![(of_home(".codex/config.toml"), "for every project of yours")],
        };
        Snippet { text, files }
    }
}

/// Claude Desktop's file on this system; where it is made for others alone, the one of Linux builds.
fn desktop_files(of_home: &dyn Fn(&str) -> String) -> Vec<String> {
    let known: Vec<PathBuf> = known_file(Place::ClaudeDesktop, Path::new("."));
    match known.first() {
        Some(path) => vec![path.display().to_string()],
        None => vec![of_home(".config/Claude/claude_desktop_config.json")],
    }
}

/// Codex keeps TOML, whose basic strings are written as JSON strings are.
fn codex(started: &Started) -> String {
    let string = |text: &str| serde_json::Value::from(text).to_string();
    let arguments: Vec<String> = started.arguments.iter().map(|argument| string(argument)).collect();
    format!("[mcp_servers.{NAME}]\ncommand = {}\nargs = [{}]", string(&started.command), arguments.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn started() -> Started {
        Started { command: "/opt/code mode/codemode".to_owned(), arguments: vec!["serve".to_owned(), "--stdio".to_owned()] }
    }

    #[test]
    fn a_client_with_a_command_of_its_own_is_one_line() {
        let command = |client: Client| client.command(&started());
        assert_eq!(
            command(Client::ClaudeCode).as_deref(),
            Some("claude mcp add --scope user codemode -- '/opt/code mode/codemode' serve --stdio")
        );
        assert_eq!(command(Client::Codex).as_deref(), Some("codex mcp add codemode -- '/opt/code mode/codemode' serve --stdio"));
        assert_eq!(
            command(Client::VsCode).as_deref(),
            Some("code --add-mcp '{\"name\":\"codemode\",\"command\":\"/opt/code mode/codemode\",\"args\":[\"serve\",\"--stdio\"]}'")
        );
        assert_eq!((command(Client::ClaudeDesktop), command(Client::Cursor)), (None, None));
    }

    #[test]
    fn a_snippet_is_in_the_form_of_its_client() {
        let text = |client: Client| client.snippet(&started(), Some(Path::new("/srv/ada"))).text;
        let server = json!({"command": "/opt/code mode/codemode", "args": ["serve", "--stdio"]});
        for client in [Client::ClaudeCode, Client::ClaudeDesktop, Client::Cursor] {
            let read: serde_json::Value = serde_json::from_str(&text(client)).expect("JSON");
            assert_eq!(read, json!({"mcpServers": {"codemode": server}}), "{client:?}");
        }
        let read: serde_json::Value = serde_json::from_str(&text(Client::VsCode)).expect("JSON");
        let of_code = json!({"type": "stdio", "command": "/opt/code mode/codemode", "args": ["serve", "--stdio"]});
        assert_eq!(read, json!({"servers": {"codemode": of_code}}));
        assert_eq!(text(Client::Codex), "[mcp_servers.codemode]\ncommand = \"/opt/code mode/codemode\"\nargs = [\"serve\", \"--stdio\"]");
    }

    #[test]
    fn a_file_of_the_user_s_own_is_under_home_or_a_tilde() {
        let files = |client: Client, home: Option<&str>| client.snippet(&started(), home.map(Path::new)).files;
        assert_eq!(files(Client::Codex, Some("/srv/ada"))[0].0, "/srv/ada/.codex/config.toml");
        assert_eq!(files(Client::Codex, None)[0].0, "~/.codex/config.toml");
        assert_eq!(files(Client::Cursor, Some("/srv/ada"))[0].0, "/srv/ada/.cursor/mcp.json");
        assert_eq!(files(Client::Cursor, Some("/srv/ada"))[1].0, ".cursor/mcp.json");
    }
}
