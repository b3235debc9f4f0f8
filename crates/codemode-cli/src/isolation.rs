//! Where programs run: in worker processes of this very binary, or in its threads.

use std::process::ExitCode;
use std::sync::Arc;

use clap::{Args, ValueEnum};
use codemode::workers::{Launch, Workers};
use codemode::{Isolation, Profile};

use crate::exit::CliError;
use crate::screen::Screen;

/// What this binary is given, as its only argument, to be a worker. It is no command of anybody's, so that no help tells of it.
const WORKER: &str = "--serve-as-worker";

/// Where programs run.
#[derive(Debug, Clone, Copy, Default, Args)]
pub(crate) struct IsolationArgs {
    /// Where the program runs: in a process of its own, which can be killed and is sandboxed, or in a thread of this one
    #[arg(long, value_name = "WHERE", value_enum, default_value_t)]
    isolation: IsolationArg,

    /// Run nothing where part of the sandbox does not hold on this machine, or authority local leaves it out
    #[arg(long)]
    require_sandbox: bool,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum IsolationArg {
    /// A worker process: bounds are hard; without authority local it reaches no file, no network and no process
    #[default]
    Process,
    /// A thread of this process: bounds are as good as the engine's
    Thread,
}

/// How many programs the command is to run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Programs {
    /// One: no worker is made for a next one.
    One,
    /// Any number.
    Many,
}

impl IsolationArgs {
    /// In processes, or in threads.
    pub(crate) fn isolation(self) -> Isolation {
        match self.isolation {
            IsolationArg::Process => Isolation::Process,
            IsolationArg::Thread => Isolation::Thread,
        }
    }

    /// The workers for one program of this profile, or for as many as a client sends; none of them is started yet.
    pub(crate) fn workers(self, profile: &Profile, programs: Programs) -> Result<Option<Workers>, CliError> {
        if self.isolation == IsolationArg::Thread {
            return if self.require_sandbox {
                Err(CliError::new("--require-sandbox asks for what a thread has not; leave out --isolation thread, or leave it out"))
            } else {
                Ok(None)
            };
        }
        if self.require_sandbox && profile.authority == codemode::Authority::Local {
            return Err(CliError::new(
                "--require-sandbox leaves no room for authority local, which profile script has by default; add --authority none",
            ));
        }
        let launch = Launch::this_program(WORKER)
            .map_err(|error| CliError::new(format!("cannot tell which program this is, to start workers: {error}")))?;
        let builder = Workers::builder(launch).require_sandbox(self.require_sandbox);
        Ok(Some(match programs {
            Programs::One => builder.waiting_most(0).build(),
            Programs::Many => builder.build(),
        }))
    }
}

/// Says once what of the sandbox does not hold.
pub(crate) fn warn(workers: Option<&Workers>, screen: &Screen) {
    for missing in workers.map(Workers::missing).unwrap_or_default() {
        screen.print(&format!("warning: the program ran in a worker process, and {missing}\n"));
    }
}

/// Is a worker, where this process was started as one.
pub(crate) fn worker() -> Option<ExitCode> {
    let mut arguments = std::env::args_os().skip(1);
    (arguments.next()? == WORKER && arguments.next().is_none())
        .then(|| codemode::workers::serve(Some(Arc::new(codemode_workspace::Machine::new()))))
}
