//! The worker's own side: its main thread makes interpreters and runs programs, one at a time.

mod allocator;
mod pipes;
mod port;
mod stop;
mod waker;
mod worker;

use std::process::ExitCode;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use codemode_core::{Engine, Guard, Local};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

pub use allocator::{MEMORY_STATUS, WorkerAllocator, out_of_memory};

pub(crate) use self::stop::SIGNAL;
use self::stop::Stopper;
use self::waker::Waker;
use self::worker::Worker;
use crate::sandbox;
use crate::wire::{FrameError, FrameReader, FrameWriter, Hello, ToChild, ToParent, VERSION};

/// The most that a host sends at once, in bytes: a program's source and state, or one result. It is believed.
const MOST_FRAME: usize = u32::MAX as usize;

/// Serves the host that started this process, until it lets go of its pipes: what the `main` of a worker does.
///
/// Standard input and output are the host's pipes. They are moved out of the way at once, so that nothing which the program prints
/// by itself, and no process that it starts, meets them. `engines` are those that the host may ask for by their ids, and `local` is what
/// authority `local` gives to those without files of their own; it is used where a host's profile has that authority, and the worker is
/// not sandboxed then.
///
/// ```no_run
/// # let engines = Vec::new();
/// std::process::exit(match codemode_worker::serve(&engines, None) {
///     code if code == std::process::ExitCode::SUCCESS => 0,
///     _ => 1,
/// });
/// ```
#[must_use]
pub fn serve(engines: &[Arc<dyn Engine>], local: Option<Arc<dyn Local>>) -> ExitCode {
    if rustix::termios::isatty(rustix::stdio::stdin()) {
        complain("this is the worker process of codemode, which a host starts with pipes; nothing is to be done with it by hand");
        return ExitCode::from(2);
    }
    match serve_pipes(engines, local) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            complain(&error);
            ExitCode::FAILURE
        }
    }
}

/// For whoever started a worker by hand, or reads a host's log: where nobody reads, nothing is lost.
fn complain(message: &str) {
    let _ = rustix::io::write(rustix::stdio::stderr(), format!("codemode worker: {message}\n").as_bytes());
}

fn serve_pipes(engines: &[Arc<dyn Engine>], local: Option<Arc<dyn Local>>) -> Result<(), String> {
    allocator::is_worker();
    let (input, output) = pipes::take().map_err(|error| format!("cannot take the pipes: {error}"))?;
    let link = Arc::new(Mutex::new(Link { reader: FrameReader::new(input), writer: FrameWriter::new(output) }));
    let Some(hello) = greeted(&link).map_err(|error| error.to_string())? else { return Ok(()) };
    let stack_bytes = raise_stack(hello.stack_bytes);
    let (signals, stopper) = Stopper::new().map_err(|error| format!("cannot listen for the signal to stop: {error}"))?;
    let waker = Waker::new(local.is_some()).map_err(|error| format!("cannot make a pipe: {error}"))?;
    let mut options = hello.sandbox;
    options.keep.extend(pipes::kept(&lock(&link)));
    options.keep.extend(stopper.descriptors());
    options.keep.extend(waker.descriptors());
    let enforced = Box::new(sandbox::enter(&options).map_err(|error| error.to_string())?);
    // Landlock holds a thread that starts now, and on older kernels no other.
    stopper.listen(signals).map_err(|error| format!("cannot start a thread: {error}"))?;
    let ready = lock(&link).writer.send(&ToParent::Ready { version: VERSION, enforced });
    let mut worker = Worker { engines, local, link, stopper, waker: Arc::new(waker), stack_bytes, guard: Guard::new(), opened: None };
    match ready.and_then(|()| worker.serve()) {
        // The host is gone: there is nobody to tell.
        Ok(()) | Err(FrameError::Pipe(_) | FrameError::Torn) => Ok(()),
        Err(error) => Err(error.to_string()),
    }
}

fn greeted(link: &Mutex<Link>) -> Result<Option<Hello>, FrameError> {
    let mut link = lock(link);
    let Some(frame) = link.reader.next(MOST_FRAME)? else { return Ok(None) };
    match read(frame)? {
        ToChild::Hello(hello) if hello.version == VERSION => Ok(Some(hello)),
        ToChild::Hello(hello) => {
            Err(FrameError::Malformed(format!("the host speaks version {}, and this worker {VERSION}", hello.version)))
        }
        _ => Err(FrameError::Malformed("the host did not begin with a greeting".to_owned())),
    }
}

fn read(frame: &[u8]) -> Result<ToChild<'_>, FrameError> {
    postcard::from_bytes(frame).map_err(|error| FrameError::Malformed(error.to_string()))
}

/// Lets the main thread's stack grow so far, and tells how far it may. Linux looks at the limit as the stack grows, and leaves 128 MiB
/// free below it whatever the limit was at the start.
fn raise_stack(asked: u64) -> usize {
    let Rlimit { current, maximum } = getrlimit(Resource::Stack);
    if current.is_some_and(|current| current < asked) {
        let raised = maximum.map_or(asked, |maximum| maximum.min(asked));
        let _ = setrlimit(Resource::Stack, Rlimit { current: Some(raised), maximum });
    }
    let granted = getrlimit(Resource::Stack).current.unwrap_or(asked).min(asked);
    usize::try_from(granted).unwrap_or(usize::MAX)
}

/// Both pipes.
pub(crate) struct Link {
    pub(crate) reader: FrameReader<std::fs::File>,
    pub(crate) writer: FrameWriter<std::fs::File>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
