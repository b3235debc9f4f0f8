//! `codemode check`: parses a program with the front end that would run it, and runs nothing.

use clap::Args;
use codemode::text::cut;
use codemode::{Failure, FailureKind, MESSAGE_BYTES, Raised, Runtime, Status, TRACEBACK_BYTES};
use serde_json::json;

use crate::args::{OutputArgs, OutputForm};
use crate::budgets::BudgetArgs;
use crate::exit::{CliError, Exit};
use crate::isolation::{IsolationArgs, Programs};
use crate::language::LanguageArgs;
use crate::screen::Screen;
use crate::servers::ServersArgs;
use crate::source::SourceArgs;
use crate::stdout;
use crate::surface::SurfaceArgs;
use crate::workspace::WorkspaceArgs;

/// Parse a program and run nothing
///
/// The same front end as run's reads it: what passes here is not `compile` there.
/// Of run's options it takes -e, --engine, --profile, --authority, --namespace, --output, --root, --tools, --log and those of
/// servers, whose configuration is read and none of which is started. It takes no budget: the settings' limit of a program's
/// text holds, else the profile's.
///
/// Exits with 0 when the program would run, with 1 and the reason when it would not.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    source: SourceArgs,

    #[command(flatten)]
    language: LanguageArgs,

    #[command(flatten)]
    surface: SurfaceArgs,

    #[command(flatten)]
    output: OutputArgs,

    #[command(flatten)]
    servers: ServersArgs,

    #[command(flatten)]
    workspace: WorkspaceArgs,
}

const EXAMPLES: &str = "\
Examples:
  codemode check count.ts
      Parse a file.
  codemode check -e 'return 1 +'
      Parse a program from the command line; this one fails.
  codemode check - --profile script --output json < count.lua
      Parse standard input as Lua, and get JSON.";

pub(crate) fn run(args: &CheckArgs, screen: &Screen) -> Result<Exit, CliError> {
    let program = args.source.read()?;
    // It is read where it would run.
    let isolation = IsolationArgs::default();
    let choice = args.language.choose(program.file.as_deref(), isolation.isolation())?;
    let name_of_profile = choice.profile.name();
    let gathered = args.servers.gather(&args.workspace.absolute_root()?)?;
    gathered.warn(screen);
    let profile = gathered.budgeted(args.surface.apply(choice.profile.clone())?, &BudgetArgs::default())?;
    let host = args.workspace.host()?;
    let workers = isolation.workers(&profile, Programs::One)?;
    let mut builder = Runtime::builder(host).engine(choice.engine).profile(profile);
    builder = builder.local(std::sync::Arc::new(codemode_workspace::Machine::new()));
    if let Some(workers) = workers {
        builder = builder.workers(workers);
    }
    let runtime = builder.build().map_err(CliError::of)?;
    let mut failure = runtime.runner().check(&program.text).err().map(failure);
    if let Some(failure) = &mut failure
        && let Some(how) = choice.what_reads_it(&program.text)
    {
        failure.fix = Some(how.to_owned());
    }
    match args.output.output {
        OutputForm::Json => {
            let status = failure.as_ref().map_or(Status::Ok, |failure| Status::Failed(failure.kind));
            let report = json!({"status": status.as_str(), "failure": failure, "engine": choice.engine, "profile": name_of_profile});
            stdout::write_json(&report.to_string())?;
        }
        OutputForm::Text => {
            let name = program.name();
            let text = match &failure {
                None => format!("check ok: {name} parses ({name_of_profile}, {})", choice.engine),
                Some(failure) => {
                    let traceback = failure.traceback.as_ref().map(|traceback| format!("\n{traceback}")).unwrap_or_default();
                    let fix = failure.fix.as_ref().map(|fix| format!("\nfix: {fix}")).unwrap_or_default();
                    format!(
                        "check {}: {name} would not run ({name_of_profile}, {})\n{}{traceback}{fix}",
                        failure.kind, choice.engine, failure.message
                    )
                }
            };
            stdout::write_text(&text)?;
        }
    }
    Ok(if failure.is_none() { Exit::Ok } else { Exit::Failed })
}

fn failure(raised: Raised) -> Failure {
    Failure {
        kind: FailureKind::Compile,
        message: cut(&raised.message, MESSAGE_BYTES).into_owned(),
        traceback: raised.traceback.map(|traceback| cut(&traceback, TRACEBACK_BYTES).into_owned()),
        location: raised.location,
        bound: None,
        limit: None,
        observed: None,
        fix: raised.fix,
    }
}
