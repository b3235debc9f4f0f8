//! `codemode run`: runs one program, shows what it does, and writes its outcome.

use std::sync::Arc;

use clap::Args;
use codemode::{FailureKind, FolderSpill, Outcome, RunRequest, Runtime};
use codemode_policy::Validate;

use crate::args::{OutputArgs, OutputForm};
use crate::budgets::BudgetArgs;
use crate::exit::{CliError, Exit};
use crate::isolation::{self, IsolationArgs, Programs};
use crate::language::{Choice, LanguageArgs};
use crate::live::{Live, ProgressArgs};
use crate::screen::Screen;
use crate::servers::{Host, ServersArgs, executor};
use crate::session::SessionArgs;
use crate::signals::{Signals, shut_down};
use crate::source::SourceArgs;
use crate::stdout;
use crate::surface::SurfaceArgs;
use crate::workspace::{EXECUTE, WorkspaceArgs};

/// The name under which a model runs programs, as it stands in the outcome's text.
const TOOL: &str = "run_code";

/// Run a program and write its outcome
///
/// The program calls tools as functions and returns what matters; the outcome has that, what was printed, each call, and why
/// it failed if it did.
/// A file that ends in .ts or .js is TypeScript or JavaScript and runs under the profile program; so does a program from
/// standard input or after -e. A file that ends in .lua is Lua and runs under the profile script, with authority local: it also
/// has Lua's io and os, which no tool and no --root confines.
/// `codemode tools signatures` prints what a program can call.
///
/// An interrupt (ctrl-C) stops the program and still writes its outcome; a second one ends the command at once.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    source: SourceArgs,

    #[command(flatten)]
    language: LanguageArgs,

    #[command(flatten)]
    surface: SurfaceArgs,

    #[command(flatten)]
    isolation: IsolationArgs,

    /// Why it is run; stands in the outcome. Profile batch needs it
    #[arg(long, value_name = "TEXT")]
    intent: Option<String>,

    #[command(flatten)]
    session: SessionArgs,

    #[command(flatten)]
    output: OutputArgs,

    #[command(flatten)]
    progress: ProgressArgs,

    #[command(flatten)]
    servers: ServersArgs,

    #[command(flatten)]
    workspace: WorkspaceArgs,

    #[command(flatten)]
    budgets: BudgetArgs,
}

const EXAMPLES: &str = "\
Examples:
  codemode run -e 'return (await tools.find_files({globs: [\"*.md\"]})).files'
      Run a program from the command line over the current folder.
  codemode run count.ts --root src --compute 5s --calls 500 --output json
      Run a file over another folder, with budgets of its own, and get JSON.
  codemode run --mcp-config servers.json -e 'return tools.list()'
      Run a program over the tools of MCP servers as well.
  codemode run --profile cell --session .session -e 'state.runs = (state.runs ?? 0) + 1'
      Run a cell that counts its own runs: state is kept where it ends well.
  codemode run --profile batch --intent 'how many files' -e 'return tools.call(\"find_files\", {})'
      Run a synchronous program, whose calls give results and raise nothing.
  codemode run --profile script -e 'print(tool.read_file{path = \"Cargo.toml\", end_line = 5})'
      Run Lua.

Sizes are written as 64KiB, as 32MB (32 million) or in bytes, durations as 250ms, 2.5s, 2m or 1h;
a fraction must come to whole bytes or milliseconds.";

pub(crate) fn run(args: &RunArgs, screen: &Arc<Screen>) -> Result<Exit, CliError> {
    let program = args.source.read()?;
    let choice = args.language.choose(program.file.as_deref(), args.isolation.isolation())?;
    let gathered = args.servers.gather(&args.workspace.absolute_root()?)?;
    let profile = gathered.budgeted(args.surface.apply(choice.profile.clone())?, &args.budgets)?;
    if profile.intent_required && args.intent.as_ref().is_none_or(|intent| intent.trim().is_empty()) {
        return Err(CliError::new(format!("profile {} wants to know why it is run; say it after --intent", profile.name())));
    }
    let workers = args.isolation.workers(&profile, Programs::One)?;
    let session = args.session.open(&profile)?;
    let local = args.workspace.host()?;
    let root = args.workspace.enter()?;
    gathered.warn(screen);

    let executor = executor()?;
    let host = {
        let _inside = executor.enter();
        Arc::new(Host::start(&gathered, local)?)
    };
    let waited_for = Arc::clone(&host);
    let live = Live::start(&args.progress, screen, move || waited_for.starting());
    let mut builder = Runtime::builder(host.for_programs())
        .engine(choice.engine)
        .profile(profile)
        .local(Arc::new(codemode_workspace::Machine::new()))
        .layer(Arc::new(Validate::new()))
        .observer(live.observer())
        .spill(Arc::new(FolderSpill::temporary()));
    if let Some(workers) = &workers {
        builder = builder.workers(workers.clone());
    }
    if let Some(session) = session {
        builder = builder.journal(session);
    }
    let runtime = builder.build().map_err(CliError::of)?;
    let mut request = RunRequest::new(program.text.as_str()).with_cwd(root.to_string_lossy().as_ref());
    request.intent.clone_from(&args.intent);
    let run = runtime.run(request);

    let signals = Signals::listen(&executor, run.stopper(), Arc::clone(screen), live.stopping())
        .map_err(|error| CliError::new(format!("cannot listen for signals: {error}")))?;
    let outcome = executor.block_on(async {
        tokio::select! {
            outcome = run => Some(outcome),
            () = signals.at_once() => None,
        }
    });
    live.end();
    let Some(outcome) = outcome else {
        shut_down(executor, true);
        return Ok(Exit::Interrupted);
    };
    signals.run_is_over();
    host.warn(screen);
    isolation::warn(workers.as_ref(), screen);
    let written = conclude(args, outcome.map_err(CliError::of), &choice, &program.text);
    let interrupted = executor.block_on(async {
        tokio::select! {
            () = host.close() => false,
            () = signals.at_once() => true,
        }
    });
    // A thread that sits in a call which cannot be stopped is left to the end of the process.
    shut_down(executor, interrupted);
    if interrupted { Ok(Exit::Interrupted) } else { written }
}

/// Writes the outcome.
fn conclude(args: &RunArgs, outcome: Result<Outcome, CliError>, choice: &Choice, program: &str) -> Result<Exit, CliError> {
    let mut outcome = outcome?;
    say_what_brings_execute(&mut outcome, &args.workspace);
    if let Some(failure) = outcome.failure.as_mut().filter(|failure| failure.kind == FailureKind::Compile)
        && let Some(how) = choice.what_reads_it(program)
    {
        failure.fix = Some(how.to_owned());
    }
    write(&outcome, args.output.output)?;
    Ok(Exit::of(&outcome))
}

/// A program that failed because it named `execute` is told how to get it, which only this command knows.
fn say_what_brings_execute(outcome: &mut Outcome, workspace: &WorkspaceArgs) {
    let (Some(failure), Some(how)) = (&mut outcome.failure, workspace.what_brings(EXECUTE)) else { return };
    if failure.fix.is_none() && failure.message.contains(&format!("there is no tool \"{EXECUTE}\"")) {
        failure.fix = Some(format!("run it again with the tool {EXECUTE}; {how}"));
    }
}

fn write(outcome: &Outcome, form: OutputForm) -> Result<(), CliError> {
    match form {
        OutputForm::Text => stdout::write_text(&outcome.to_text(TOOL)),
        OutputForm::Json => stdout::write_json(&outcome.to_json()),
    }
}
