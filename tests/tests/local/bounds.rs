//! What holds a cell that may use the machine, and that without the authority none of it is there.

use std::sync::Arc;
use std::time::{Duration, Instant};

use codemode_core::{Authority, Bound, Budgets, Profile, RunRequest};
use serde_json::{Value, json};

use crate::{engines, project, run, runner};

fn budgets(change: impl FnOnce(&mut Budgets)) -> Option<Budgets> {
    let mut budgets = Profile::cell().budgets;
    change(&mut budgets);
    Some(budgets)
}

#[test]
fn a_bound_ends_waits_and_processes_and_nothing_comes_after_it() {
    let folder = project(&[]);
    let path = folder.path().canonicalize().expect("it is there");
    for (source, bound, change) in [
        (
            "require('child_process').execSync('sleep 1000'); require('fs').writeFileSync('late', '')",
            Bound::Compute,
            budgets(|budgets| budgets.compute = Duration::from_millis(200)),
        ),
        (
            "try { await new Promise((done) => require('child_process').exec('sleep 1000; touch late', done)) } finally { require('fs').writeFileSync('late', '') }",
            Bound::Wall,
            budgets(|budgets| budgets.wall = Duration::from_millis(200)),
        ),
        (
            "try { require('fs').readFileSync('/dev/zero') } catch { require('fs').writeFileSync('late', '') }",
            Bound::Memory,
            budgets(|budgets| budgets.memory_bytes = 16 << 20),
        ),
    ] {
        for engine in engines() {
            let begun = Instant::now();
            let outcome = run(engine, &path, source, change);
            let failure = outcome.failure.expect("it is stopped");
            assert_eq!(failure.bound, Some(bound), "{source}: {}", failure.message);
            assert!(begun.elapsed() < Duration::from_secs(20), "{source}");
            assert!(!path.join("late").exists(), "{source}");
        }
    }
}

#[test]
fn without_the_authority_nothing_of_it_is_there() {
    let folder = project(&[("a.mjs", "export default 1")]);
    let names = ["process", "require", "project", "Buffer", "fetch", "fs"];
    let source = format!("return {}.filter((name) => name in globalThis)", json!(names));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    for engine in engines() {
        let runner = runner(Arc::clone(&engine), Authority::None);
        let cwd = folder.path().to_str().expect("a path in UTF-8");
        let give = |source: &str| runtime.block_on(runner.run(RunRequest::new(source).with_cwd(cwd))).expect("the host is whole");
        assert_eq!(serde_json::from_str::<Value>(&give(&source).to_json()).expect("a document")["value"], json!([]));
        let hidden = give("return await (new Function('return import(\"./a.mjs\")'))().then(() => 'imported', () => 'refused')");
        assert_eq!(serde_json::from_str::<Value>(&hidden.to_json()).expect("a document")["value"], json!("refused"));
        let plain = give("import fs from 'fs'").failure.expect("it is refused");
        assert_eq!(plain.message, "imports are not available, so \"fs\" cannot be imported");
    }
}
