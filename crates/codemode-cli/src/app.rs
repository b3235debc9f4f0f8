//! The command as a whole: reads the command line, does what it says, and turns trouble into messages and exit codes.

use std::io::{self, Write as _};
use std::sync::Arc;

use clap::Parser as _;
use codemode::text::visible;

use crate::args::{Cli, Command};
use crate::exit::{CliError, Exit};
use crate::screen::Screen;
use crate::{check, completions, doctor, init, log, run, serve, tools, trust};

pub(crate) fn main() -> Exit {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return usage(&error),
    };
    let screen = Arc::new(Screen::stderr());
    match act(&cli, &screen) {
        Ok(exit) => exit,
        Err(error) => {
            complain(&format!("error: {error}"));
            Exit::Usage
        }
    }
}

fn act(cli: &Cli, screen: &Arc<Screen>) -> Result<Exit, CliError> {
    log::start(&cli.log, screen)?;
    match &cli.command {
        Command::Run(args) => run::run(args, screen),
        Command::Check(args) => check::run(args, screen),
        Command::Serve(args) => serve::run(args, screen),
        Command::Tools(args) => tools::run(args, screen),
        Command::Doctor(args) => doctor::run(args, screen),
        Command::Init(args) => init::run(args, screen),
        Command::Trust(args) => trust::run(args, screen),
        Command::Completions(args) => completions::run(args),
    }
}

/// Help and version are what was asked for; everything else is a mistake, shown without what a terminal could act on.
fn usage(error: &clap::Error) -> Exit {
    if error.use_stderr() {
        complain(error.to_string().trim_end());
        return Exit::Usage;
    }
    let mut help = anstream::stdout().lock();
    // A reader that is gone has seen enough.
    let _ = write!(help, "{}", error.render().ansi()).and_then(|()| help.flush());
    Exit::Ok
}

fn complain(message: &str) {
    // Where standard error is gone, the exit code has to do.
    let _ = writeln!(io::stderr().lock(), "{}", visible(message));
}
