//! `codemode init`: what a client is given so that it has code mode over its servers.

mod clients;
mod program;

use std::fmt::Write as _;
use std::path::Path;

use clap::{Args, ValueEnum as _};
use serde_json::json;

use self::clients::{Client, Started};
use crate::args::{OutputArgs, OutputForm};
use crate::exit::{CliError, Exit};
use crate::mode::ModeArgs;
use crate::screen::Screen;
use crate::servers::{FromArg, ServersArgs};
use crate::stdout;
use crate::workspace::WorkspaceArgs;

/// Print what gives a client code mode over its MCP servers
///
/// Without a client, prints it for each. Nothing is written to any file of a client's.
/// The options are those of `codemode serve`; they go into what is printed, with absolute paths.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES, mut_arg("tools", |tools| tools.default_value("none")))]
pub(crate) struct InitArgs {
    /// The client [default: all of them]
    #[arg(value_name = "CLIENT", value_enum)]
    client: Option<Client>,

    #[command(flatten)]
    output: OutputArgs,

    #[command(flatten)]
    mode: ModeArgs,

    #[command(flatten)]
    servers: ServersArgs,

    #[command(flatten)]
    workspace: WorkspaceArgs,
}

const EXAMPLES: &str = "\
Examples:
  codemode init claude-code --mcp-config servers.json
      Give Claude Code one tool, run_code, over the servers of this file.
  codemode init claude-desktop
      The same for Claude Desktop over the servers in your own settings, codemode.toml.
  codemode init cursor --full --mcp-config servers.json
      Let Cursor have each server's tools as well.

Servers that codemode has belong in no other place of the client's, or the model sees their tools twice.";

pub(crate) fn run(args: &InitArgs, screen: &Screen) -> Result<Exit, CliError> {
    let started = Started { command: program::path()?, arguments: arguments(args)? };
    let root = args.workspace.absolute_root()?;
    let gathered = args.servers.gather(&root)?;
    gathered.warn(screen);
    let names: Vec<&str> = gathered.servers.iter().map(|server| &*server.name).collect();
    let clients = args.client.map_or_else(|| Client::value_variants().to_vec(), |client| vec![client]);
    let home = std::env::home_dir();
    match args.output.output {
        OutputForm::Text => {
            let parts: Vec<String> = clients.iter().map(|client| text(*client, &started, &names, args, home.as_deref())).collect();
            stdout::write_text(&parts.join("\n\n"))?;
        }
        OutputForm::Json => {
            let parts: Vec<_> = clients.iter().map(|client| json(*client, &started, &names, home.as_deref())).collect();
            // One client's is no list, whatever the others' is.
            let document = if args.client.is_some() { parts.into_iter().next().unwrap_or_default() } else { parts.into() };
            stdout::write_json(&document.to_string())?;
        }
    }
    Ok(Exit::Ok)
}

/// What `serve` is started with.
fn arguments(args: &InitArgs) -> Result<Vec<String>, CliError> {
    let mut arguments = vec!["serve".to_owned(), "--stdio".to_owned()];
    arguments.extend(args.mode.as_arguments());
    arguments.extend(args.servers.as_arguments()?);
    arguments.extend(args.workspace.as_arguments()?);
    Ok(arguments)
}

fn text(client: Client, started: &Started, names: &[&str], args: &InitArgs, home: Option<&Path>) -> String {
    let snippet = client.snippet(started, home);
    let mut text = format!("{}\n\n", client.title());
    let files: Vec<String> = snippet.files.iter().map(|(path, whose)| format!("{path} ({whose})")).collect();
    let files = files.join(" or ");
    match client.command(started) {
        Some(command) => {
            let _ = write!(text, "Run this once:\n\n{command}\n\nor write this into {files}:\n\n{}\n\n", snippet.text);
        }
        None => {
            let _ = write!(text, "Write this into {files}:\n\n{}\n\n", snippet.text);
        }
    }
    let _ = write!(text, "{}\n{}", takes_over(client, names, args), client.afterwards());
    let of_project = args.servers.mcp_from.iter().any(|from| *from != FromArg::ClaudeDesktop);
    if of_project && !client.starts_in_a_project() && !args.workspace.has_root() {
        let _ = write!(text, "\n{} starts its servers in no project: say with --root whose servers are meant.", client.title());
    }
    text
}

/// Which servers a program reaches, or how to have some.
fn takes_over(client: Client, names: &[&str], args: &InitArgs) -> String {
    let title = client.title();
    let reached = match names {
        [] => {
            return "No server is configured yet: name a file of servers with --mcp-config, or write them into your codemode.toml as \
                    [servers.NAME] with command and args, or url; `codemode doctor` says where that file is."
                .to_owned();
        }
        [name] => format!("Programs reach the server {}", codemode::text::cut(name, 100)),
        names => format!("Programs reach {} servers: {}", names.len(), codemode::text::cut(&names.join(", "), 400)),
    };
    match client.own_place().filter(|place| args.servers.mcp_from.contains(place)) {
        Some(place) => format!(
            "{reached}; {title} starts those of --mcp-from {} itself as well: switch them off there, or move them to a file that you \
             name with --mcp-config, so that no tool is there twice.",
            place.word()
        ),
        None => format!("{reached}; take them out of {title}'s own configuration, so that no tool is there twice."),
    }
}

fn json(client: Client, started: &Started, names: &[&str], home: Option<&Path>) -> serde_json::Value {
    let snippet = client.snippet(started, home);
    let files: Vec<_> = snippet.files.iter().map(|(path, _)| path).collect();
    json!({
        "client": client.word(),
        "command": client.command(started),
        "files": files,
        "snippet": snippet.text,
        "program": started.command,
        "arguments": started.arguments,
        "servers": names,
    })
}
