//! Deterministic runs: time and random numbers follow from the seed.

use std::sync::Arc;

use codemode_core::{Catalog, Isolation, Profile, RunRequest, Runner};
use codemode_quickjs::QuickJs;

use crate::host::Tools;

/// Looks at every source of time and of chance.
const LOOKS: &str = "\
const times = [Date.now(), new Date().getTime(), Date(), performance.now(), performance.timeOrigin, Intl.DateTimeFormat().format()];
const order = [];
await Promise.all([3, 1, 2].map(ms => new Promise(done => setTimeout(() => done(order.push(ms)), ms))));
return [times, order, Math.random(), crypto.randomUUID(), [...crypto.getRandomValues(new Uint8Array(4))], Date.now()]";

async fn run(seed: u64) -> String {
    let tools = Arc::new(Tools(Arc::new(Catalog::new([]).expect("distinct names"))));
    let profile = Profile::program().with_isolation(Isolation::Thread).with_intent_required(false);
    let runner = Runner::builder(Arc::new(QuickJs::new()), profile, tools).deterministic(seed).build().expect("a runner");
    let outcome = runner.run(RunRequest::new(LOOKS)).await.expect("the host is well");
    outcome.value.map_or_else(|| format!("{:?}", outcome.failure), |value| value.to_string())
}

#[tokio::test]
async fn a_seed_gives_the_same_run_and_another_seed_another() {
    let first = run(7).await;
    // The clock moves by a millisecond a look, so that the timer of 2 ms, set last, is due last.
    let looked = concat!(
        r#"[[1767225600000,1767225600001,"Thu Jan 01 2026 00:00:00 GMT+0000 (Coordinated Universal Time)",1,1767225600003,"1/1/2026"],"#,
        r#"[1,3,2],0.3898297483912715,"1c663cf4-d73c-4c04-822a-b1ba804098e6",[203,41,62,103],1767225600011]"#,
    );
    assert_eq!(first, looked);
    assert_eq!(run(7).await, first);
    assert_ne!(run(8).await, first);
}
