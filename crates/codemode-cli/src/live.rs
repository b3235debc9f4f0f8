//! The live display: shows what a run is doing once it has taken a second, and takes itself away at the end.

use std::fmt;
use std::io::{self, IsTerminal as _};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use codemode::{Event, Observer};

use crate::frame::Progress;
use crate::screen::Screen;

/// A run shorter than this shows nothing.
const DELAY: Duration = Duration::from_secs(1);
/// How often the lines are looked at.
const PERIOD: Duration = Duration::from_millis(100);
/// The width of a screen that does not tell its own.
const COLUMNS: usize = 80;

/// Whether there is a live display.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ProgressMode {
    /// Where standard error is a terminal
    Auto,
    /// Even where it is none
    Always,
    /// Nowhere
    Never,
}

/// When to show what a run is doing.
#[derive(Debug, Args)]
pub(crate) struct ProgressArgs {
    /// Show on standard error what goes on where it takes more than a second
    #[arg(long, value_name = "WHEN", value_enum, default_value = "auto", global = true)]
    progress: ProgressMode,

    /// Show nothing while it goes on; the same as --progress never
    #[arg(short, long, conflicts_with = "progress", global = true)]
    quiet: bool,
}

impl ProgressArgs {
    /// Whether anything is shown.
    pub(crate) fn wanted(&self) -> bool {
        match self.progress {
            _ if self.quiet => false,
            ProgressMode::Never => false,
            ProgressMode::Always => true,
            ProgressMode::Auto => io::stderr().is_terminal() && std::env::var_os("TERM").is_some_and(|term| term != "dumb"),
        }
    }
}

/// A live display with the thread that draws it.
pub(crate) struct Live {
    state: Arc<State>,
    drawer: Option<JoinHandle<()>>,
}

/// What the run tells and the drawing thread reads.
struct State {
    run: Mutex<Running>,
    changed: Condvar,
    screen: Arc<Screen>,
    /// Whether anybody looks: nothing is kept for a display that is off.
    wanted: bool,
}

struct Running {
    progress: Progress,
    /// Draw now: the run has taken long enough, or there is something that the user waits for.
    due: bool,
    over: bool,
}

impl Live {
    /// Starts a display for a run that begins now; `starting` gives the servers that are not there yet.
    pub(crate) fn start(args: &ProgressArgs, screen: &Arc<Screen>, starting: impl Fn() -> Vec<String> + Send + 'static) -> Self {
        let running = Running { progress: Progress::new(Instant::now()), due: false, over: false };
        let wanted = args.wanted();
        let state = Arc::new(State { run: Mutex::new(running), changed: Condvar::new(), screen: Arc::clone(screen), wanted });
        // A display that gets no thread is none.
        let drawer =
            if wanted { std::thread::Builder::new().name("codemode-live".to_owned()).spawn(drawing(&state, starting)).ok() } else { None };
        Self { state, drawer }
    }

    /// What tells the display about the run.
    pub(crate) fn observer(&self) -> Arc<dyn Observer> {
        Arc::clone(&self.state) as Arc<dyn Observer>
    }

    /// What tells the display that the user asked for the end.
    pub(crate) fn stopping(&self) -> impl Fn() + Send + Sync + 'static {
        let state = Arc::clone(&self.state);
        move || {
            let mut running = state.running();
            running.progress.stopping();
            running.due = true;
            state.changed.notify_all();
        }
    }

    /// Takes the display away.
    pub(crate) fn end(mut self) {
        self.state.running().over = true;
        self.state.changed.notify_all();
        if let Some(drawer) = self.drawer.take() {
            // Its panic would be a display's, not a run's.
            let _ = drawer.join();
        }
        self.state.screen.erase();
    }
}

impl State {
    fn running(&self) -> MutexGuard<'_, Running> {
        self.run.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Observer for State {
    fn event(&self, event: &Event<'_>) {
        if self.wanted {
            self.running().progress.see(event, Instant::now());
        }
    }
}

/// The drawing thread's work. It holds no lock while it writes, so that a terminal that stands still holds up no run.
fn drawing(state: &Arc<State>, starting: impl Fn() -> Vec<String> + Send + 'static) -> impl FnOnce() + Send + 'static {
    let state = Arc::clone(state);
    let colour = anstream::AutoStream::choice(&io::stderr()) != anstream::ColorChoice::Never;
    move || {
        let mut running = state.running();
        while !running.over {
            let now = Instant::now();
            let age = running.progress.age(now);
            running.due |= age >= DELAY;
            let wait = if running.due {
                running.progress.starting(starting());
                let lines = running.progress.lines(now, columns(), colour);
                drop(running);
                state.screen.draw(lines);
                running = state.running();
                if running.over {
                    break;
                }
                PERIOD
            } else {
                DELAY - age
            };
            running = state.changed.wait_timeout(running, wait).unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

/// How wide the screen is now.
pub(crate) fn columns() -> usize {
    #[cfg(unix)]
    if let Ok(size) = rustix::termios::tcgetwinsize(io::stderr())
        && size.ws_col > 0
    {
        return usize::from(size.ws_col);
    }
    COLUMNS
}

impl fmt::Debug for Live {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Live").field("wanted", &self.state.wanted).finish_non_exhaustive()
    }
}
