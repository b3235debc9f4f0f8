//! Authority `local` in cells: files, processes and imports, on both engines of JavaScript.

mod bounds;
mod files;
mod modules;
mod network;
mod processes;

use std::path::Path;
use std::sync::Arc;

use codemode_core::{Authority, Budgets, Catalog, Engine, FnHost, Outcome, Profile, RunRequest, Runner};
use codemode_quickjs::QuickJs;
use codemode_workspace::Machine;
use serde_json::Value;

/// The engines under test.
fn engines() -> Vec<Arc<dyn Engine>> {
    vec![Arc::new(QuickJs::new()), Arc::new(codemode_boa::Boa::unbounded_in_thread())]
}

fn runner(engine: Arc<dyn Engine>, authority: Authority) -> Runner {
    let host = FnHost::new(Catalog::default(), |_, _| async { codemode_core::Answer::text("") });
    let runner = Runner::builder(engine, Profile::cell().with_authority(authority), Arc::new(host));
    runner.local(Arc::new(Machine::new())).build().expect("a runner")
}

/// Runs a cell in a folder.
fn run(engine: Arc<dyn Engine>, folder: &Path, source: &str, budgets: Option<Budgets>) -> Outcome {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    let runner = runner(engine, Authority::Local);
    let budgets = budgets.unwrap_or(runner.profile().budgets);
    let request = RunRequest::new(source).with_cwd(folder.to_str().expect("a path in UTF-8")).with_budgets(budgets);
    runtime.block_on(runner.run(request)).expect("the host is whole")
}

/// What a cell gives in a folder, the same on each engine. The folder's own path is `@`.
fn give(folder: &Path, source: &str) -> Value {
    let folder = folder.canonicalize().expect("it is there");
    let mut given = engines().into_iter().map(|engine| {
        let id = engine.id();
        let outcome = run(engine, &folder, source, None);
        let json = outcome.to_json().replace(folder.to_str().expect("a path in UTF-8"), "@");
        let json: Value = serde_json::from_str(&json).expect("a document");
        assert_eq!(json["status"], "ok", "{id}: {json:#}");
        assert_eq!(json["warnings"], serde_json::json!([]), "{id}");
        json["value"].clone()
    });
    let first = given.next().expect("an engine");
    given.for_each(|other| assert_eq!(other, first));
    first
}

/// The message that a cell fails with, the same on each engine.
fn fail(folder: &Path, source: &str) -> String {
    let folder = folder.canonicalize().expect("it is there");
    let mut failed = engines().into_iter().map(|engine| {
        let outcome = run(engine, &folder, source, None);
        let failure = outcome.failure.expect("it fails");
        failure.message.replace(folder.to_str().expect("a path in UTF-8"), "@")
    });
    let first = failed.next().expect("an engine");
    failed.for_each(|other| assert_eq!(other, first));
    first
}

/// A folder of these files.
fn project(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (path, content) in files {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().expect("a folder")).and_then(|()| std::fs::write(path, content)).expect("a file");
    }
    folder
}
