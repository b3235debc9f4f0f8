//! Waits for servers, says on standard error which are waited for, and ends them where the user has had enough.

use std::time::{Duration, Instant};

use tokio::runtime::Runtime;

use super::Host;
use crate::exit::{CliError, Exit};
use crate::frame::{fitting, waiting_for};
use crate::live::{ProgressArgs, columns};
use crate::screen::Screen;
use crate::signals::Incoming;
use crate::units::elapsed;

/// A wait shorter than this shows nothing.
const DELAY: Duration = Duration::from_secs(1);
/// How often the line is drawn.
const PERIOD: Duration = Duration::from_millis(100);

/// A runtime for a command that waits for servers.
pub(crate) fn executor() -> Result<Runtime, CliError> {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(|error| CliError::new(format!("cannot start threads: {error}")))
}

/// Does `work` with a host whose servers are all listed or failed, and ends them; a signal ends them at once.
pub(crate) fn with_listed(
    executor: &Runtime,
    host: &Host,
    screen: &Screen,
    progress: &ProgressArgs,
    work: impl FnOnce() -> Result<Exit, CliError>,
) -> Result<Exit, CliError> {
    executor.block_on(async {
        let mut signals = Incoming::new().map_err(|error| CliError::new(format!("cannot listen for signals: {error}")))?;
        let done = tokio::select! {
            () = wait(host, screen, progress) => work(),
            () = signals.next() => Ok(Exit::Interrupted),
        };
        screen.erase();
        // A second signal does not wait for servers that are slow to go.
        tokio::select! {
            () = host.close() => done,
            () = signals.next() => Ok(Exit::Interrupted),
        }
    })
}

async fn wait(host: &Host, screen: &Screen, progress: &ProgressArgs) {
    let began = Instant::now();
    let listed = host.listed();
    tokio::pin!(listed);
    loop {
        let pause = if began.elapsed() < DELAY { DELAY - began.elapsed() } else { PERIOD };
        tokio::select! {
            () = &mut listed => break,
            () = tokio::time::sleep(pause) => {}
        }
        if progress.wanted() {
            let line = waiting_for(&host.starting()).map(|text| format!("codemode {}: {text}", elapsed(began.elapsed())));
            screen.draw(line.map(|line| fitting(line, columns())).into_iter().collect());
        }
    }
    screen.erase();
}
