//! `codemode tools enable` and `disable`: edits a settings file, and says whether that is what holds here.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use codemode_mcp::prefixes;
use codemode_policy::{Change, LoadOptions, Settings, Surface, is_same_tool, load, project_settings_file, set_tool, user_settings_file};
use serde_json::json;

use crate::args::OutputForm;
use crate::exit::{CliError, Exit};
use crate::screen::Screen;
use crate::servers::{ServersArgs, environment, open_trust};
use crate::source::shown;
use crate::stdout;
use crate::workspace::{ToolSet, WorkspaceArgs};

/// Which tool, and where that is written.
#[derive(Debug, Args)]
pub(super) struct SwitchArgs {
    /// The tool's name, as `codemode tools list` has it
    name: String,

    /// Whose settings are changed
    #[arg(long, value_name = "SCOPE", value_enum, default_value = "user")]
    scope: ScopeArg,

    /// Change what a client calls directly, and not what programs call; the two are independent
    #[arg(long)]
    direct: bool,
}

/// Whose settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ScopeArg {
    /// Your own, for every project
    User,
    /// codemode.toml at the root, for this project; its list stands in place of your own
    Project,
}

/// The other flags of `codemode tools`.
pub(super) struct Rest<'a> {
    pub(super) servers: &'a ServersArgs,
    pub(super) workspace: &'a WorkspaceArgs,
    pub(super) output: OutputForm,
    pub(super) screen: &'a Screen,
}

/// Enables or disables the tool.
pub(super) fn run(args: &SwitchArgs, enabled: bool, rest: &Rest<'_>) -> Result<Exit, CliError> {
    let surface = if args.direct { Surface::Direct } else { Surface::CodeMode };
    let root = rest.workspace.absolute_root()?;
    let path = file_of(args.scope, rest.servers, &root)?;
    let inherited = match args.scope {
        ScopeArg::User => Vec::new(),
        ScopeArg::Project => list(&user_settings()?, surface).to_vec(),
    };
    let change = set_tool(&path, &args.name, surface, enabled, &inherited).map_err(CliError::of)?;
    let trusted_again = trust_again(&path, &change)?;
    report(args, enabled, &change, rest.output)?;
    if change.before.is_none() && !change.is_change() {
        // There is no file, and what is so already is so without one.
        return Ok(Exit::Ok);
    }
    let warn = |warning: &str| rest.screen.print(&format!("warning: {warning}\n"));
    if trusted_again {
        rest.screen.print(&format!("{} was trusted and still is: its servers are the same\n", shown(&path)));
    }
    if let Some(warning) = unknown(&args.name, rest.servers, rest.workspace, &root)? {
        warn(&warning);
    }
    let here = rest.servers.gather(&root)?;
    if list(&here.settings, surface).iter().any(|disabled| is_same_tool(disabled, &args.name)) == enabled {
        let project = rest.servers.config.clone().unwrap_or_else(|| project_settings_file(&root));
        warn(&format!(
            "{} has a list of its own, which stands in place of yours: with the root {}, {} stays {}; change it with --scope project",
            shown(&project),
            shown(&root),
            args.name,
            if enabled { "disabled" } else { "enabled" }
        ));
    }
    Ok(Exit::Ok)
}

/// The file that is edited.
fn file_of(scope: ScopeArg, servers: &ServersArgs, root: &Path) -> Result<PathBuf, CliError> {
    match scope {
        ScopeArg::Project => Ok(servers.config.clone().unwrap_or_else(|| project_settings_file(root))),
        ScopeArg::User => user_settings_file(&environment)
            .ok_or_else(|| CliError::new("there is no folder for your settings; set CODEMODE_CONFIG_DIR to one, or use --scope project")),
    }
}

/// What the user's own file sets.
fn user_settings() -> Result<Settings, CliError> {
    let trust = open_trust();
    let options = LoadOptions { user: user_settings_file(&environment), project: None, extra: Vec::new(), trust: &trust };
    load(&options).map(|loaded| loaded.settings).map_err(CliError::of)
}

fn list(settings: &Settings, surface: Surface) -> &[String] {
    match surface {
        Surface::Direct => &settings.tools.disabled,
        _ => &settings.code_mode.disabled,
    }
}

/// A file that was trusted is trusted as it is now: what this command changed starts nothing.
fn trust_again(path: &Path, change: &Change) -> Result<bool, CliError> {
    let Some(before) = change.before.as_ref().filter(|_| change.is_change()) else { return Ok(false) };
    open_trust().carry_over(path, before.as_bytes(), change.after.as_bytes()).map_err(CliError::of)
}

fn report(args: &SwitchArgs, enabled: bool, change: &Change, output: OutputForm) -> Result<(), CliError> {
    if output == OutputForm::Json {
        let report = json!({
            "tool": args.name,
            "enabled": enabled,
            "surface": if args.direct { "direct" } else { "code_mode" },
            "file": change.path.to_string_lossy(),
            "changed": change.is_change(),
            "disabled": change.disabled,
        });
        return stdout::write_json(&report.to_string());
    }
    let word = if enabled { "enabled" } else { "disabled" };
    let whom = if args.direct { "direct calls" } else { "programs" };
    let name = codemode::text::cut(&args.name, 200);
    let file = shown(&change.path);
    if change.is_change() {
        stdout::write_text(&format!("{name} is {word} for {whom} in {file}, from the next start of codemode on"))
    } else {
        stdout::write_text(&format!("{name} is {word} for {whom} already; nothing was changed in {file}"))
    }
}

/// What is odd about a name that no tool can have here; the settings keep it all the same, since servers come and go.
fn unknown(name: &str, servers: &ServersArgs, workspace: &WorkspaceArgs, root: &Path) -> Result<Option<String>, CliError> {
    let name_shown = codemode::text::cut(name, 200);
    let local = workspace.with_tools(ToolSet::FilesAndExecute).host()?.catalog();
    let gathered = servers.gather(root)?;
    let known: Vec<String> = prefixes(gathered.servers.iter().map(|server| &server.name)).into_values().collect();
    // `server.tool` says the same in settings.
    match name.split_once("__").or_else(|| name.split_once('.')) {
        None if local.get(name).is_some() => Ok(None),
        None => Ok(Some(format!("no tool here is named {name_shown}; a server's tools are named SERVER__TOOL"))),
        Some((prefix, _)) if known.iter().any(|known| known == prefix) => Ok(None),
        Some((prefix, _)) => {
            let there = if known.is_empty() { "none is configured".to_owned() } else { format!("there are {}", known.join(", ")) };
            Ok(Some(format!("no server here is named {}; {}", codemode::text::cut(prefix, 100), codemode::text::cut(&there, 400))))
        }
    }
}
