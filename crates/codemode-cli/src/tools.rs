//! `codemode tools`: what a program can call.

mod switch;

use std::fmt::Write as _;

use clap::{Args, Subcommand};
use codemode::{Annotations, Catalog, Json, Resolved, ToolSpec};
use codemode_catalog::{SearchIndex, SearchMode, signature_line};
use serde_json::{Value, json};

use self::switch::{Rest, SwitchArgs};
use crate::args::OutputForm;
use crate::exit::{CliError, Exit};
use crate::live::ProgressArgs;
use crate::screen::Screen;
use crate::servers::{Host, ServersArgs, executor, with_listed};
use crate::signals::shut_down;
use crate::signatures::SignatureArgs;
use crate::stdout;
use crate::workspace::WorkspaceArgs;

/// The most tools that a search gives.
const MOST_HITS: usize = 50;

/// See what a program can call
///
/// Without a subcommand, lists the tools.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES, args_conflicts_with_subcommands = false)]
pub(crate) struct ToolsArgs {
    #[command(subcommand)]
    what: Option<What>,

    /// How the result is written to standard output
    #[arg(long, value_name = "FORM", value_enum, default_value_t = OutputForm::Text, global = true)]
    output: OutputForm,

    #[command(flatten)]
    progress: ProgressArgs,

    #[command(flatten)]
    servers: ServersArgs,

    #[command(flatten)]
    workspace: WorkspaceArgs,
}

const EXAMPLES: &str = "\
Examples:
  codemode tools list --tools workspace,execute
      One line a tool: its name and its parameters.
  codemode tools search write text to a file
      The tools that have these words, best first.
  codemode tools signatures > tools.d.ts
      Declarations that TypeScript, and editors with it, read.
  codemode tools list --tools none --mcp-config servers.json
      The tools of the MCP servers in this file.
  codemode tools disable github__delete_repository
      Keep one tool from programs.
  codemode tools signatures --language lua > tools.lua
      Annotations that the Lua language server reads.";

#[derive(Debug, Subcommand)]
enum What {
    /// List the tools, one a line with its parameters
    List,
    /// Search the tools for any of these words, best first
    Search {
        /// The words
        #[arg(required = true, value_name = "WORDS")]
        words: Vec<String>,
    },
    /// Describe one tool: what it does, takes and gives
    Describe {
        /// The tool's name
        name: String,
    },
    /// Print the tools, and what else a program has, as declarations for TypeScript or the Lua language server
    Signatures(SignatureArgs),
    /// Let programs call a tool again that the settings keep from them
    ///
    /// Edits codemode.toml and keeps its comments. It holds from the next start of codemode on.
    Enable(SwitchArgs),
    /// Keep a tool from programs
    ///
    /// Edits codemode.toml and keeps its comments. It holds from the next start of codemode on.
    Disable(SwitchArgs),
}

pub(crate) fn run(args: &ToolsArgs, screen: &Screen) -> Result<Exit, CliError> {
    let rest = Rest { servers: &args.servers, workspace: &args.workspace, output: args.output, screen };
    match &args.what {
        Some(What::Enable(tool)) => return switch::run(tool, true, &rest),
        Some(What::Disable(tool)) => return switch::run(tool, false, &rest),
        Some(What::Signatures(_)) if args.output == OutputForm::Json => {
            return Err(CliError::new(
                "signatures are TypeScript or Lua and have no JSON; leave out --output, or use `codemode tools list --output json`",
            ));
        }
        _ => {}
    }
    let gathered = args.servers.gather(&args.workspace.absolute_root()?)?;
    let local = args.workspace.host()?;
    gathered.warn(screen);
    let executor = executor()?;
    let host = {
        let _inside = executor.enter();
        Host::start(&gathered, local)?
    };
    let done = with_listed(&executor, &host, screen, &args.progress, || {
        host.warn(screen);
        show(args, &host.known_to_programs())
    });
    shut_down(executor, matches!(done, Ok(Exit::Interrupted)));
    done
}

/// Shows what was asked for of what programs can call.
fn show(args: &ToolsArgs, catalog: &Catalog) -> Result<Exit, CliError> {
    match &args.what {
        None | Some(What::List) => list(catalog.tools().map(|tool| &**tool), args.output, NO_TOOLS)?,
        Some(What::Search { words }) => {
            let hits = SearchIndex::new(catalog).search(&words.join(" "), SearchMode::AnyWords, MOST_HITS);
            list(hits.iter().map(|hit| &*hit.tool), args.output, NO_HITS)?;
        }
        Some(What::Describe { name }) => describe(find(catalog, name, &args.workspace)?, args.output)?,
        Some(What::Signatures(signatures)) => stdout::write_text(signatures.print(catalog)?.trim_end())?,
        Some(What::Enable(_) | What::Disable(_)) => {}
    }
    Ok(Exit::Ok)
}

const NO_TOOLS: &str = "[no tools; --tools workspace brings those for files, --mcp-config FILE those of MCP servers]";
const NO_HITS: &str = "[no tool has any of these words; `codemode tools list` shows all]";

fn list<'a>(tools: impl Iterator<Item = &'a ToolSpec>, form: OutputForm, none: &str) -> Result<(), CliError> {
    match form {
        OutputForm::Json => {
            let entry = |tool: &ToolSpec| json!({"name": &*tool.name, "description": tool.description, "signature": signature_line(tool)});
            stdout::write_json(&tools.map(entry).collect::<Value>().to_string())
        }
        OutputForm::Text => {
            let lines: Vec<String> = tools.map(signature_line).collect();
            stdout::write_text(if lines.is_empty() { none.to_owned() } else { lines.join("\n") }.as_str())
        }
    }
}

fn find<'a>(catalog: &'a Catalog, name: &str, workspace: &WorkspaceArgs) -> Result<&'a ToolSpec, CliError> {
    if let Some(tool) = catalog.get(name) {
        return Ok(tool);
    }
    if let Some(how) = workspace.what_brings(name) {
        return Err(CliError::new(format!("there is no tool \"{name}\" here; {how}")));
    }
    match catalog.resolve(name) {
        Resolved::Missing(missing) => Err(CliError::new(missing.message("`codemode tools list`"))),
        _ => Err(CliError::new(format!(
            "\"{}\" is no single tool; `codemode tools list` lists what there is",
            codemode::text::cut(name, 100)
        ))),
    }
}

fn describe(tool: &ToolSpec, form: OutputForm) -> Result<(), CliError> {
    let tree = |schema: &Option<Json>| schema.as_ref().map(|schema| schema.tree().clone());
    if form == OutputForm::Json {
        let described = json!({
            "name": &*tool.name,
            "title": tool.title,
            "description": tool.description,
            "signature": signature_line(tool),
            "annotations": tool.annotations,
            "parameters": tree(&tool.input_schema),
            "output": tree(&tool.output_schema),
        });
        return stdout::write_json(&described.to_string());
    }
    let mut text = signature_line(tool);
    if let Some(title) = &tool.title {
        let _ = write!(text, "\n{title}; {}", effects(&tool.annotations));
    } else {
        let _ = write!(text, "\n{}", effects(&tool.annotations));
    }
    if !tool.description.is_empty() {
        let _ = write!(text, "\n\n{}", tool.description);
    }
    for (title, schema) in [("parameters", &tool.input_schema), ("structured result", &tool.output_schema)] {
        if let Some(tree) = tree(schema) {
            let _ = write!(text, "\n\n{title}:\n{tree:#}");
        }
    }
    stdout::write_text(&text)
}

/// What is known about a tool's effects, in words.
fn effects(annotations: &Annotations) -> String {
    let mut words = vec![if annotations.may_change_world() { "may change things" } else { "changes nothing" }];
    if annotations.destructive == Some(true) {
        words.push("may destroy what was there");
    }
    if annotations.may_change_world() && annotations.idempotent == Some(true) {
        words.push("repeating it changes nothing more");
    }
    words.push(if annotations.is_parallel() { "may overlap with other calls" } else { "runs alone" });
    words.join(", ")
}
