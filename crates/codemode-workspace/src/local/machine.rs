//! The service of authority `local` on this machine: which operation does what, and where what was begun is done.

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use codemode_core::{Guard, Local, LocalAnswer, LocalDone, LocalFault, LocalOp};

use super::arguments::Arguments;
use super::scope::Scope;
use super::{children, fault, files, folders, links, network, packages, processes, times};

/// The most threads that do at once what was begun, waits for processes aside.
const MOST_THREADS: usize = 8;
/// The most waits for processes at once.
const MOST_WAITS: usize = 128;

/// Files, processes and imports of this machine, with the rights of this process.
///
/// | operation | arguments | gives |
/// |---|---|---|
/// | `fs.*` | absolute paths, options as Node's | what Node's function gives, bytes as parts |
/// | `process.info` | | folder, environment, platform |
/// | `process.run` | `file`, `args`, `cwd`, `env`, `timeout`, `maxBuffer`; input as part | its end, and both outputs as parts |
/// | `process.start`, `next`, `write`, `close`, `kill` | a number | the same piece by piece |
/// | `net.fetch` | `url`, `method`, `headers`, `redirect`; body as part | status and headers, body as part; with the cargo feature `fetch` |
/// | `module.resolve` | `specifier`, `from`, `require` | the file, and what it is |
#[derive(Clone, Default)]
pub struct Machine(Arc<Inner>);

#[derive(Default)]
struct Inner {
    scopes: Mutex<Vec<Arc<Scope>>>,
    work: Mutex<Work>,
}

#[derive(Default)]
struct Work {
    waiting: VecDeque<Job>,
    threads: usize,
    waits: usize,
}

struct Job {
    op: LocalOp,
    scope: Arc<Scope>,
    done: LocalDone,
}

impl Machine {
    /// The service; what was begun through it or a clone is done by at most eight threads at once.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    fn scope(&self, guard: &Arc<Guard>) -> Arc<Scope> {
        let mut scopes = self.scopes();
        if let Some(scope) = scopes.iter().find(|scope| scope.is_of(guard)) {
            return Arc::clone(scope);
        }
        let scope = Arc::new(Scope::new(guard));
        scopes.push(Arc::clone(&scope));
        scope
    }

    fn scopes(&self) -> MutexGuard<'_, Vec<Arc<Scope>>> {
        self.0.scopes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn work(&self) -> MutexGuard<'_, Work> {
        self.0.work.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does what waits, until nothing does.
    fn work_off(&self) {
        loop {
            let job = {
                let mut work = self.work();
                let Some(job) = work.waiting.pop_front() else {
                    work.threads -= 1;
                    return;
                };
                job
            };
            (job.done)(guarded(&job.op, &job.scope));
        }
    }

    /// A wait for a process has a thread of its own: others may be what ends it.
    fn wait(&self, job: Job) {
        {
            let mut work = self.work();
            if work.waits >= MOST_WAITS {
                drop(work);
                let message = format!("EAGAIN: {MOST_WAITS} processes are waited for already; let some of them end first");
                (job.done)(Err(fault::said("EAGAIN", message)));
                return;
            }
            work.waits += 1;
        }
        let machine = self.clone();
        start("codemode-wait", move || {
            let given = guarded(&job.op, &job.scope);
            machine.work().waits -= 1;
            (job.done)(given);
        });
    }
}

/// Runs on a thread of its own, or here where the machine has none left.
fn start(name: &str, act: impl FnOnce() + Send + 'static) {
    let act = Arc::new(Mutex::new(Some(act)));
    let taken = |act: &Mutex<Option<_>>| act.lock().unwrap_or_else(PoisonError::into_inner).take();
    let there = Arc::clone(&act);
    let run = move || {
        if let Some(act) = taken(&there) {
            act();
        }
    };
    if std::thread::Builder::new().name(name.to_owned()).spawn(run).is_err()
        && let Some(act) = act.lock().unwrap_or_else(PoisonError::into_inner).take()
    {
        act();
    }
}

impl Local for Machine {
    fn perform(&self, op: LocalOp, guard: &Arc<Guard>) -> Result<LocalAnswer, LocalFault> {
        let scope = self.scope(guard);
        guarded(&op, &scope)
    }

    fn begin(&self, op: LocalOp, guard: &Arc<Guard>, done: LocalDone) {
        let job = Job { op, scope: self.scope(guard), done };
        if job.op.name == "process.next" {
            return self.wait(job);
        }
        let starts = {
            let mut work = self.work();
            work.waiting.push_back(job);
            let starts = work.threads < MOST_THREADS;
            work.threads += usize::from(starts);
            starts
        };
        if starts {
            let machine = self.clone();
            start("codemode-local", move || machine.work_off());
        }
    }

    fn ended(&self, guard: &Arc<Guard>) {
        let scope = {
            let mut scopes = self.scopes();
            scopes.iter().position(|scope| scope.is_of(guard)).map(|at| scopes.swap_remove(at))
        };
        if let Some(scope) = scope {
            scope.end();
        }
    }
}

impl fmt::Debug for Machine {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Machine").field("runs", &self.scopes().len()).finish_non_exhaustive()
    }
}

/// Does an operation, and keeps a panic from whoever waits for it.
fn guarded(op: &LocalOp, scope: &Scope) -> Result<LocalAnswer, LocalFault> {
    scope.check()?;
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| done(op, scope)))
        .unwrap_or_else(|_| Err(fault::said("ERR_INTERNAL_ASSERTION", format!("{} failed within the host", op.name))))
}

fn done(op: &LocalOp, scope: &Scope) -> Result<LocalAnswer, LocalFault> {
    let given = Arguments(op);
    match op.name.as_str() {
        "fs.readFile" => files::read(&given, scope),
        "fs.writeFile" => files::write(&given, scope),
        "fs.copyFile" => files::copy(&given, scope),
        "fs.truncate" => files::truncate(&given),
        "fs.access" => files::access(&given),
        "fs.stat" => times::stat(&given),
        "fs.utimes" => times::set(&given),
        "fs.chmod" => times::chmod(&given),
        "fs.readdir" => folders::read(&given, scope),
        "fs.mkdir" => folders::make(&given),
        "fs.mkdtemp" => folders::make_temporary(&given),
        "fs.rm" => folders::remove(&given),
        "fs.rmdir" => folders::remove_empty(&given),
        "fs.cp" => folders::copy(&given, scope),
        "fs.unlink" => links::unlink(&given),
        "fs.rename" => links::rename(&given),
        "fs.realpath" => links::real_path(&given),
        "fs.readlink" => links::read(&given),
        "fs.symlink" => links::make(&given),
        "fs.link" => links::make_hard(&given),
        "process.info" => processes::info(),
        "process.run" => processes::run(&given, scope),
        "process.start" => children::start(&given, scope),
        "process.next" => children::next(&given, scope),
        "process.write" => children::write(&given, scope),
        "process.close" => children::close(&given, scope),
        "process.kill" => children::kill(&given, scope),
        "process.signal" => processes::signal(&given),
        "module.resolve" => packages::resolve(&given),
        "net.fetch" => network::fetch(&given, scope),
        other => Err(fault::said("ERR_METHOD_NOT_IMPLEMENTED", format!("there is no operation {other} here"))),
    }
}
