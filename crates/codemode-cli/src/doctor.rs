//! `codemode doctor`: looks at what is here, tries it out, and says what to do about what it finds.

mod engines;
mod machine;
mod servers;
mod settings;

use std::path::PathBuf;

use clap::Args;
use serde_json::{Value, json};

use crate::args::{OutputArgs, OutputForm};
use crate::exit::{CliError, Exit};
use crate::live::ProgressArgs;
use crate::screen::Screen;
use crate::servers::{Gathered, Host, ServersArgs, executor, with_listed};
use crate::signals::shut_down;
use crate::stdout;
use crate::workspace::{ToolSet, WorkspaceArgs};

/// See which engines are here and how well this machine bounds them
///
/// Tries each engine out with small programs of its own, opens the root, looks at what would confine a shell command, and starts
/// each server that is configured: whether it comes, its version, its tools, how long it takes, and what is wrong with them.
/// Exits with 0 when programs can be run here, with 2 when they cannot.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct DoctorArgs {
    #[command(flatten)]
    output: OutputArgs,

    /// Print the JSON Schema of codemode.toml, which editors read, and do nothing else
    #[arg(long)]
    settings_schema: bool,

    #[command(flatten)]
    progress: ProgressArgs,

    #[command(flatten)]
    servers: ServersArgs,

    #[command(flatten)]
    workspace: WorkspaceArgs,
}

const EXAMPLES: &str = "\
Examples:
  codemode doctor
      Look at this machine and the current folder.
  codemode doctor --root ../other --tools workspace,execute
      Look at what a run with these options would have.
  codemode doctor --mcp-config servers.json
      Start each server of this file and see how it does.
  codemode doctor --output json
      The same as JSON.";

/// How serious a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Level {
    /// As it should be.
    Ok,
    /// Programs run, but something is weaker than it could be.
    Note,
    /// Programs cannot be run.
    Bad,
}

impl Level {
    fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Note => "note",
            Self::Bad => "bad",
        }
    }
}

/// One thing that was looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Finding {
    level: Level,
    /// What was looked at.
    about: String,
    /// What was found.
    found: String,
    /// What to do about it.
    advice: Option<String>,
}

impl Finding {
    fn ok(about: impl Into<String>, found: impl Into<String>) -> Self {
        Self { level: Level::Ok, about: about.into(), found: found.into(), advice: None }
    }

    fn note(about: impl Into<String>, found: impl Into<String>, advice: impl Into<String>) -> Self {
        Self { level: Level::Note, about: about.into(), found: found.into(), advice: Some(advice.into()) }
    }

    fn bad(about: impl Into<String>, found: impl Into<String>, advice: impl Into<String>) -> Self {
        Self { level: Level::Bad, about: about.into(), found: found.into(), advice: Some(advice.into()) }
    }

    fn text(&self) -> String {
        let advice = self.advice.as_ref().map(|advice| format!("\n      {advice}")).unwrap_or_default();
        format!("{:<4}  {}: {}{advice}", self.level.as_str(), self.about, self.found)
    }

    fn json(&self) -> Value {
        json!({"level": self.level.as_str(), "about": self.about, "found": self.found, "advice": self.advice})
    }
}

pub(crate) fn run(args: &DoctorArgs, screen: &Screen) -> Result<Exit, CliError> {
    if args.settings_schema {
        stdout::write_script(&format!("{:#}", codemode_policy::json_schema()))?;
        return Ok(Exit::Ok);
    }
    let mut findings = vec![machine::version()];
    findings.extend(engines::look()?);
    findings.extend(machine::root(&args.workspace));
    findings.push(machine::confinement(args.workspace.tools()));
    findings.push(machine::spill());
    match configured(args) {
        Ok(None) => {}
        Ok(Some((gathered, root))) => {
            findings.extend(settings::settings(&gathered, &root));
            findings.extend(settings::other_places(&args.servers, &root));
            if try_servers(args, &gathered, screen, &mut findings)? == Exit::Interrupted {
                return Ok(Exit::Interrupted);
            }
        }
        Err(error) => findings.push(Finding::bad("settings", error.to_string(), "mend the file; until then nothing is run with it")),
    }
    let usable = findings.iter().all(|finding| finding.level != Level::Bad);
    match args.output.output {
        OutputForm::Json => {
            let findings: Vec<Value> = findings.iter().map(Finding::json).collect();
            stdout::write_json(&json!({"usable": usable, "findings": findings}).to_string())?;
        }
        OutputForm::Text => {
            let mut lines: Vec<String> = findings.iter().map(Finding::text).collect();
            lines.push(if usable { "programs can be run here" } else { "programs cannot be run here; mend what is bad" }.to_owned());
            stdout::write_text(&lines.join("\n"))?;
        }
    }
    Ok(if usable { Exit::Ok } else { Exit::Usage })
}

/// What is configured, and for which root; nothing where there is no root, which is a finding of its own.
fn configured(args: &DoctorArgs) -> Result<Option<(Gathered, PathBuf)>, CliError> {
    let Ok(root) = args.workspace.absolute_root() else { return Ok(None) };
    Ok(Some((args.servers.gather(&root)?, root)))
}

/// Starts each server, and ends it again.
fn try_servers(args: &DoctorArgs, gathered: &Gathered, screen: &Screen, findings: &mut Vec<Finding>) -> Result<Exit, CliError> {
    if gathered.servers.is_empty() {
        return Ok(Exit::Ok);
    }
    // The tools of the workspace are looked at elsewhere.
    let none = args.workspace.with_tools(ToolSet::None).host()?;
    // As a program's servers are started.
    args.workspace.enter()?;
    let executor = executor()?;
    let host = {
        let _inside = executor.enter();
        Host::start(gathered, none)?
    };
    let done = with_listed(&executor, &host, screen, &args.progress, || {
        for status in host.status() {
            let config = gathered.servers.iter().find(|config| config.name == status.name);
            findings.extend(servers::look(&status, config));
        }
        Ok(Exit::Ok)
    });
    shut_down(executor, matches!(done, Ok(Exit::Interrupted)));
    done
}
