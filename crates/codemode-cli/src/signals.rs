//! Signals: the first stops the run, the second ends the command at once.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use codemode::Stopper;
use tokio::runtime::Runtime;

use crate::exit::Exit;
use crate::screen::Screen;

/// Listens until the command ends, so that a signal counts while the outcome is written, too.
#[derive(Debug)]
pub(crate) struct Signals {
    /// The next signal ends the command: the run was asked to stop, or is over.
    last: Arc<AtomicBool>,
}

impl Signals {
    /// Lets interrupt, terminate and hang-up stop the run; `stopping` is told of the first one.
    pub(crate) fn listen(
        runtime: &Runtime,
        stopper: Stopper,
        screen: Arc<Screen>,
        stopping: impl Fn() + Send + Sync + 'static,
    ) -> io::Result<Self> {
        let last = Arc::new(AtomicBool::new(false));
        let is_last = Arc::clone(&last);
        let mut incoming = {
            let _inside = runtime.enter();
            Incoming::new()?
        };
        runtime.spawn(async move {
            loop {
                incoming.next().await;
                if is_last.swap(true, Ordering::SeqCst) {
                    screen.try_erase();
                    std::process::exit(i32::from(Exit::Interrupted.code()));
                }
                stopper.stop();
                stopping();
            }
        });
        Ok(Self { last })
    }

    /// The run is over: nothing is left that a signal could stop but the command.
    pub(crate) fn run_is_over(&self) {
        self.last.store(true, Ordering::SeqCst);
    }
}

#[cfg(unix)]
struct Incoming {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
    hang_up: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Incoming {
    fn new() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            hang_up: signal(SignalKind::hangup())?,
        })
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
            _ = self.hang_up.recv() => {}
        }
    }
}

#[cfg(not(unix))]
struct Incoming;

#[cfg(not(unix))]
impl Incoming {
    fn new() -> io::Result<Self> {
        Ok(Self)
    }

    async fn next(&mut self) {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}
