//! Signals: the first stops the run, the second ends the command at once.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use codemode::Stopper;
use tokio::runtime::Runtime;
use tokio::sync::Notify;

use crate::exit::Exit;
use crate::screen::Screen;

/// How long the end of a command may take that is to end at once.
const PATIENCE: Duration = Duration::from_secs(1);

/// Listens until the command ends, so that a signal counts while the outcome is written, too.
#[derive(Debug)]
pub(crate) struct Signals {
    /// The next signal ends the command: the run was asked to stop, or is over.
    last: Arc<AtomicBool>,
    /// That signal came.
    at_once: Arc<Notify>,
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
        let at_once = Arc::new(Notify::new());
        let (is_last, now) = (Arc::clone(&last), Arc::clone(&at_once));
        let mut incoming = {
            let _inside = runtime.enter();
            Incoming::new()?
        };
        runtime.spawn(async move {
            loop {
                incoming.next().await;
                if is_last.swap(true, Ordering::SeqCst) {
                    screen.try_erase();
                    end_at_once(&now);
                    return;
                }
                stopper.stop();
                stopping();
            }
        });
        Ok(Self { last, at_once })
    }

    /// Waits for the signal that ends the command at once.
    pub(crate) async fn at_once(&self) {
        self.at_once.notified().await;
    }

    /// The run is over: nothing is left that a signal could stop but the command.
    pub(crate) fn run_is_over(&self) {
        self.last.store(true, Ordering::SeqCst);
    }
}

/// The signals that ask a command to end.
#[cfg(unix)]
#[derive(Debug)]
pub(crate) struct Incoming {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
    hang_up: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Incoming {
    /// Listens from now on. Inside a tokio runtime.
    pub(crate) fn new() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            hang_up: signal(SignalKind::hangup())?,
        })
    }

    /// Waits for the next one.
    pub(crate) async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
            _ = self.hang_up.recv() => {}
        }
    }
}

/// The signals that ask a command to end.
#[cfg(not(unix))]
#[derive(Debug)]
pub(crate) struct Incoming;

#[cfg(not(unix))]
impl Incoming {
    /// Listens from now on. Inside a tokio runtime.
    pub(crate) fn new() -> io::Result<Self> {
        Ok(Self)
    }

    /// Waits for the next one.
    pub(crate) async fn next(&mut self) {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}

/// Lets whoever waits for `at_once` end the command, which kills the servers that it started; what cannot is ended without.
fn end_at_once(at_once: &Notify) {
    at_once.notify_one();
    let end = || {
        std::thread::sleep(PATIENCE);
        std::process::exit(i32::from(Exit::Interrupted.code()));
    };
    // A command that gets no thread ends by itself.
    let _ = std::thread::Builder::new().name("codemode-end".to_owned()).spawn(end);
}

/// The end of a runtime after its last work: at once where the user asked for that, but with what it started.
///
/// Dropping a server's task kills its process.
pub(crate) fn shut_down(runtime: Runtime, interrupted: bool) {
    if interrupted { runtime.shutdown_timeout(PATIENCE / 2) } else { runtime.shutdown_background() }
}
