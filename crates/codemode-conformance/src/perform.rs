//! Performing one case on one engine: the folder, the host, the layers, the runs, and what was observed of each.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use codemode_core::{
    Authority, Engine, Form, HostError, Outcome, Profile, Run, RunId, RunRequest, Runner, Session, Spill, ToolHost, threads_left_behind,
};
use serde::{Deserialize, Serialize};
use tempfile::TempDir;

use crate::case::{Case, Planned};
use crate::host::ScriptedHost;
use crate::observed::Observed;
use crate::watch::{Alive, Moment, watched};

/// How long an interpreter may take to be gone after its last run.
const PATIENCE: Duration = Duration::from_secs(5);

/// Why a batch is run, where the case does not say.
const INTENT: &str = "show what the case shows";

/// The version that programs are told, so that it differs from no release to the next.
const HOST_VERSION: &str = "conformance 1";

/// What came of a case, and where it ran.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Performed {
    pub(crate) runs: Vec<Observed>,
    /// The folder that stood for `@CWD@`.
    pub(crate) cwd: String,
}

/// Runs the case; blocks until it is over.
pub(crate) fn perform(engine: Arc<dyn Engine>, case: &Case, profile: Profile) -> Result<Performed, String> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().map_err(|error| error.to_string())?;
    let folder = folder(case).map_err(|error| format!("no folder for the case: {error}"))?;
    runtime.block_on(Scene::new(engine, case, profile, folder)?.play())
}

/// The folder of a case that has one.
fn folder(case: &Case) -> io::Result<Option<TempDir>> {
    if case.files.is_empty() && !case.folder {
        return Ok(None);
    }
    let folder = tempfile::tempdir()?;
    for (name, content) in &case.files {
        let path = folder.path().join(name);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent)?;
        }
        std::fs::write(path, content)?;
    }
    Ok(Some(folder))
}

/// Everything that the runs of a case share.
struct Scene<'a> {
    case: &'a Case,
    runner: Runner,
    session: Option<Session>,
    host: Arc<ScriptedHost>,
    moment: Option<Arc<Moment>>,
    spilled: Arc<Spilled>,
    alive: Arc<Alive>,
    left_behind_before: usize,
    folder: Option<TempDir>,
    plan: Vec<Planned<'a>>,
}

impl<'a> Scene<'a> {
    fn new(engine: Arc<dyn Engine>, case: &'a Case, profile: Profile, folder: Option<TempDir>) -> Result<Self, String> {
        let plan = case.plan(profile.language);
        let mut profile = profile;
        profile.host_version = case.host_version.as_deref().unwrap_or(HOST_VERSION).into();
        if let Some(authority) = case.authority {
            profile.authority = authority;
        } else if !engine.support().grant_local {
            profile.authority = Authority::None;
        }
        profile.call_intents = case.call_intents;
        if let Some(namespace) = &case.namespace {
            profile.namespace = namespace.as_str().into();
        }
        let (engine, alive) = watched(engine);
        let host = Arc::new(ScriptedHost::new(&case.host.exclude));
        let spilled = Arc::new(Spilled::default());
        let moment = case.stop.as_ref().or(case.drop.as_ref()).map(|at| Moment::new(at.clone()));
        let mut builder = Runner::builder(engine, profile, Arc::clone(&host) as Arc<dyn ToolHost>);
        builder = builder.spill(Arc::clone(&spilled) as Arc<dyn Spill>);
        for layer in case.host.layers() {
            builder = builder.layer(layer);
        }
        if let Some(seed) = case.deterministic {
            builder = builder.deterministic(seed);
        }
        if let Some(moment) = &moment {
            builder = builder.observer(Arc::clone(moment) as Arc<dyn codemode_core::Observer>);
        }
        let runner = builder.build().map_err(|error| error.to_string())?;
        let session = case.session.then(|| runner.session());
        let left_behind_before = threads_left_behind();
        Ok(Self { case, runner, session, host, moment, spilled, alive, left_behind_before, folder, plan })
    }

    async fn play(mut self) -> Result<Performed, String> {
        let mut runs = Vec::new();
        for planned in std::mem::take(&mut self.plan) {
            runs.push(self.run(planned.source).await?);
        }
        let cwd = self.folder.as_ref().map_or_else(|| ".".to_owned(), |folder| shown(folder.path()));
        self.session = None;
        let left = self.left_behind();
        // A thread that sits in a call keeps its interpreter until the call is over.
        if left == 0
            && self.alive.wait_for_none(PATIENCE) > 0
            && let Some(last) = runs.last_mut()
        {
            last.broken.push("an interpreter is gone soon after its last run".to_owned());
        }
        Ok(Performed { runs, cwd })
    }

    /// Threads of this process that were given up on since the case began.
    fn left_behind(&self) -> usize {
        threads_left_behind().saturating_sub(self.left_behind_before)
    }

    async fn run(&self, source: &str) -> Result<Observed, String> {
        let budgets = self.case.budgets.over(self.runner.profile().budgets);
        let mut request = RunRequest::new(source).with_budgets(budgets);
        if let Some(intent) = &self.case.intent {
            request = request.with_intent(intent.as_str());
        } else if self.runner.profile().form == Form::Batch {
            request = request.with_intent(INTENT);
        }
        if let Some(folder) = &self.folder {
            request = request.with_cwd(shown(folder.path()));
        }
        let run = match &self.session {
            Some(session) => session.run(request),
            None => self.runner.run(request),
        };
        let began = Instant::now();
        let ended = self.watch(run).await;
        let took = began.elapsed();
        let mut observed = match &ended {
            None => Observed::dropped(),
            Some(Err(error)) => Observed::refused(error),
            Some(Ok(outcome)) => {
                let mut observed = Observed::of(outcome);
                observed.broken.extend(self.check_parses_alike(source, outcome));
                observed
            }
        };
        observed.took_ms = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
        observed.reached = self.host.take_reached();
        observed.spill = self.spilled.take();
        // Where other cases run in the same process the count may be theirs; the warning in the outcome is this case's own.
        observed.left_behind = if self.case.wedges { self.left_behind() } else { 0 };
        observed.files = self.files().map_err(|error| format!("the folder of the case cannot be read: {error}"))?;
        if ended.is_none() && Arc::strong_count(&self.host) > 2 {
            observed.broken.push("a dropped run frees the host's context at once".to_owned());
        }
        Ok(observed)
    }

    /// Awaits the run; nothing where the case drops it.
    async fn watch(&self, run: Run) -> Option<Result<Outcome, HostError>> {
        let Some(moment) = &self.moment else { return Some(run.await) };
        if self.case.stop.is_some() {
            moment.aim(run.stopper());
            return Some(run.await);
        }
        tokio::select! {
            ended = run => Some(ended),
            () = moment.come.notified() => None,
        }
    }

    /// `check` says of a program what running it says, where the limit of sources is the profile's own.
    fn check_parses_alike(&self, source: &str, outcome: &Outcome) -> Option<String> {
        if self.case.budgets.source.is_some() {
            return None;
        }
        let compile = outcome.failure.as_ref().filter(|failure| failure.kind.is_fault());
        match (self.runner.check(source), compile) {
            (Ok(()), None) => None,
            (Err(raised), Some(failure)) if raised.message == failure.message && raised.location == failure.location => None,
            (Ok(()), Some(_)) => Some("check refuses what a run calls compile".to_owned()),
            (Err(raised), _) => Some(format!("check and a run say the same of a program; check says: {}", raised.message)),
        }
    }

    fn files(&self) -> io::Result<BTreeMap<String, String>> {
        let mut files = BTreeMap::new();
        if let Some(folder) = &self.folder {
            collect(folder.path(), folder.path(), &mut files)?;
        }
        Ok(files)
    }
}

fn collect(root: &Path, folder: &Path, files: &mut BTreeMap<String, String>) -> io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let kind = std::fs::symlink_metadata(&path)?.file_type();
        if kind.is_dir() {
            collect(root, &path, files)?;
        } else if kind.is_file() {
            let name = path.strip_prefix(root).unwrap_or(&path).to_string_lossy().replace('\\', "/");
            files.insert(name, String::from_utf8_lossy(&std::fs::read(&path)?).into_owned());
        }
    }
    Ok(())
}

fn shown(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// Keeps what is spilled in memory.
#[derive(Default)]
struct Spilled(Mutex<Option<String>>);

impl Spilled {
    fn take(&self) -> Option<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl Spill for Spilled {
    fn spill(&self, _run: &RunId, text: &str) -> io::Result<String> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(text.to_owned());
        Ok("spilled-output".to_owned())
    }
}
