//! The flags that say where servers are configured.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use crate::exit::CliError;
use crate::source::shown;

/// Where the servers are configured, and the settings.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Servers")]
pub(crate) struct ServersArgs {
    /// Use the MCP servers of this file: `mcpServers` or `servers` in JSON, as clients keep them; may be given more than once
    #[arg(long = "mcp-config", value_name = "FILE", global = true, value_hint = clap::ValueHint::FilePath)]
    pub(crate) mcp_config: Vec<PathBuf>,

    /// Use the MCP servers that a client is configured with; several are separated by commas
    ///
    /// A file of a project is used once `codemode trust` has approved what it starts.
    #[arg(long = "mcp-from", value_name = "CLIENTS", global = true, value_enum, value_delimiter = ',')]
    pub(crate) mcp_from: Vec<FromArg>,

    /// Settings in place of the project's codemode.toml; those of the user still hold where these say nothing
    #[arg(long, value_name = "FILE", global = true, value_hint = clap::ValueHint::FilePath)]
    pub(crate) config: Option<PathBuf>,
}

/// A configuration of somebody else's that has servers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FromArg {
    /// .mcp.json at the root, as Claude Code keeps it
    Project,
    /// .vscode/mcp.json at the root
    #[value(name = "vscode")]
    VsCode,
    /// Claude Desktop's own file, wherever this system has it
    ClaudeDesktop,
}

impl FromArg {
    /// The word on the command line.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Project => "project",
            Self::VsCode => "vscode",
            Self::ClaudeDesktop => "claude-desktop",
        }
    }
}

impl ServersArgs {
    /// The same flags as arguments of another start of the command, which may be in another folder: paths are absolute.
    pub(crate) fn as_arguments(&self) -> Result<Vec<String>, CliError> {
        let mut arguments = Vec::new();
        for file in &self.mcp_config {
            arguments.extend(["--mcp-config".to_owned(), absolute(file)?]);
        }
        if !self.mcp_from.is_empty() {
            let words: Vec<&str> = self.mcp_from.iter().map(|from| from.word()).collect();
            arguments.extend(["--mcp-from".to_owned(), words.join(",")]);
        }
        if let Some(file) = &self.config {
            arguments.extend(["--config".to_owned(), absolute(file)?]);
        }
        Ok(arguments)
    }
}

/// A path as an argument that means the same in every folder.
pub(crate) fn absolute(path: &Path) -> Result<String, CliError> {
    let absolute = std::path::absolute(path).map_err(|error| CliError::new(format!("cannot make {} absolute: {error}", shown(path))))?;
    absolute.into_os_string().into_string().map_err(|path| {
        CliError::new(format!(
            "the path {} is no UTF-8 text, which a client's configuration must be; name another",
            shown(Path::new(&path))
        ))
    })
}
