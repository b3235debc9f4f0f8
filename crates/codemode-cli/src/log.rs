//! Logs on standard error, for those who look into the command itself; off by default.

use std::io;
use std::sync::Arc;

use clap::Args;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::MakeWriter;

use crate::exit::CliError;
use crate::screen::Screen;

/// What is logged.
#[derive(Debug, Args)]
#[command(next_help_heading = "Logging")]
pub(crate) struct LogArgs {
    /// Log to standard error: off, error, warn, info, debug, trace, or a filter such as codemode_core=debug
    #[arg(long = "log", value_name = "FILTER", env = "CODEMODE_LOG", default_value = "off", global = true, hide_env_values = true)]
    filter: String,
}

/// Starts logging, if anything is to be logged.
pub(crate) fn start(args: &LogArgs, screen: &Arc<Screen>) -> Result<(), CliError> {
    if args.filter.trim().eq_ignore_ascii_case("off") {
        return Ok(());
    }
    let filter = EnvFilter::builder().parse(&args.filter).map_err(|error| {
        let given = codemode::text::cut(&args.filter, 100);
        CliError::new(format!("--log \"{given}\" is no filter ({error}); give off, error, warn, info, debug, trace, or target=level"))
    })?;
    let logs = Logs(Arc::clone(screen));
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(logs).with_ansi(false).init();
    Ok(())
}

/// Writes each record above the live display.
#[derive(Debug, Clone)]
struct Logs(Arc<Screen>);

/// One record; it reaches the screen whole.
#[derive(Debug)]
struct Record {
    screen: Arc<Screen>,
    text: Vec<u8>,
}

impl<'a> MakeWriter<'a> for Logs {
    type Writer = Record;

    fn make_writer(&'a self) -> Record {
        Record { screen: Arc::clone(&self.0), text: Vec::new() }
    }
}

impl io::Write for Record {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.text.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for Record {
    fn drop(&mut self) {
        self.screen.print(&String::from_utf8_lossy(&self.text));
    }
}
