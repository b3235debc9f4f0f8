//! The pool: who is served by which process.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use codemode_core::{FailureKind, Profile, RunRequest};
use libtest_mimic::Trial;

use crate::host::{Counting, budgets, on_runtime, outcome, runner, trial, value, workers};
use crate::machine::{children_of, descriptors, wait_until};

pub(crate) fn trials() -> Vec<Trial> {
    vec![
        trial("a_worker_serves_run_after_run_with_a_fresh_interpreter", serves_run_after_run),
        trial("two_principals_share_no_process", principals_share_nothing),
        trial("a_process_of_single_use_serves_one_program", single_use),
        trial("a_fired_bound_ends_the_process", a_bound_ends_it),
        trial("an_idle_worker_ends", idle_ends),
        trial("warm_workers_wait", warm),
        trial("two_hundred_programs_at_once_all_end", two_hundred),
        trial("who_waits_for_a_place_can_be_stopped", stopped_in_the_queue),
        trial("an_engine_that_a_worker_has_not_is_named", no_such_engine),
        trial("a_program_that_is_no_worker_is_named", no_worker),
    ]
}

fn own_children() -> HashSet<u32> {
    children_of(std::process::id()).into_iter().collect()
}

fn serves_run_after_run() {
    let workers = workers().waiting_most(0).build();
    // The one that is asked what the engine supports is ended.
    let runner = runner(&workers, &Counting::new(Duration::ZERO));
    on_runtime(async {
        let keeping = workers.clone();
        assert_eq!(value(&outcome(&runner, "globalThis.kept = 1; return typeof before").await), Some("\"undefined\""));
        assert_eq!(keeping.count(), 0, "none waits, as asked");
    });
    let workers = self::workers().build();
    let runner = crate::host::runner(&workers, &Counting::new(Duration::ZERO));
    on_runtime(async {
        for _ in 0..50 {
            assert_eq!(value(&outcome(&runner, "const was = typeof kept; globalThis.kept = 1; return was").await), Some("\"undefined\""));
        }
    });
    assert!(workers.count() <= 2, "one after the other need two at most: {}", workers.count());
}

fn principals_share_nothing() {
    let all = workers().build();
    let host = Counting::new(Duration::ZERO);
    let before = own_children();
    on_runtime(async {
        for name in ["ann", "bob"] {
            let runner = runner(&all.for_principal(name), &host);
            assert_eq!(value(&outcome(&runner, "return 1").await), Some("1"));
        }
    });
    wait_until("each has the worker that served it, and one made ahead", Duration::from_secs(20), || all.count() == 4);
    assert!(own_children().difference(&before).count() >= 4);
}

fn single_use() {
    let workers = workers().single_use().build();
    let runner = runner(&workers, &Counting::new(Duration::ZERO));
    let mut seen = HashSet::new();
    on_runtime(async {
        for _ in 0..5 {
            assert_eq!(value(&outcome(&runner, "return 1").await), Some("1"));
            wait_until("one is made ahead", Duration::from_secs(20), || workers.count() == 1);
            let now = own_children();
            seen.extend(now);
        }
    });
    assert!(seen.len() >= 5, "{seen:?}");
}

fn a_bound_ends_it() {
    let workers = workers().waiting_most(0).build();
    let runner = runner(&workers, &Counting::new(Duration::ZERO));
    on_runtime(async {
        let request = RunRequest::new("for (;;) {}").with_budgets(budgets(|budgets| budgets.compute = Duration::from_millis(50)));
        let began = Instant::now();
        let outcome = runner.run(request).await.expect("an outcome");
        assert_eq!(outcome.kind(), Some(FailureKind::Time));
        assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
    });
    assert_eq!(workers.count(), 0);
}

fn idle_ends() {
    let before = (own_children().len(), descriptors());
    let workers = workers().idle(Duration::from_millis(50)).build();
    let runner = runner(&workers, &Counting::new(Duration::ZERO));
    on_runtime(async {
        assert_eq!(value(&outcome(&runner, "return 1").await), Some("1"));
    });
    wait_until("no worker is left", Duration::from_secs(20), || workers.count() == 0);
    wait_until("no process and no descriptor is left", Duration::from_secs(20), || {
        // The watch has its own, which it keeps.
        own_children().len() <= before.0 && descriptors() <= before.1 + 1
    });
}

fn warm() {
    let workers = workers().build();
    workers.warm("quickjs", &Profile::program(), 3).expect("workers start");
    assert_eq!(workers.count(), 3);
    let error = workers.warm("v8", &Profile::program(), 1).expect_err("there is no such engine").to_string();
    assert_eq!(
        error,
        "cannot start a worker process: the worker has no such engine, only luajit, quickjs; build it with the feature \"v8\""
    );
}

fn two_hundred() {
    let workers = workers().running_most(16).build();
    let host = Counting::new(Duration::from_millis(2));
    let runner = runner(&workers, &host);
    let source = "let sum = 0; for (let n = 0; n < 3; n++) { await tools.count({n}); for (let i = 0; i < 20000; i++) sum += i } return sum";
    let most = on_runtime(async {
        let mut runs = tokio::task::JoinSet::new();
        for _ in 0..200 {
            let runner = runner.clone();
            runs.spawn(async move { outcome(&runner, source).await });
        }
        let mut most = 0;
        while let Some(outcome) = runs.join_next().await {
            let outcome = outcome.expect("no panic");
            assert_eq!(value(&outcome), Some("599970000"), "{outcome:?}");
            most = most.max(workers.count());
        }
        most
    });
    assert_eq!(host.take_seen().len(), 600);
    assert!(most <= 16 + 16, "{most} processes for 16 places");
}

fn stopped_in_the_queue() {
    let workers = workers().running_most(1).build();
    let host = Counting::new(Duration::from_secs(600));
    let runner = runner(&workers, &host);
    on_runtime(async {
        let first = runner.run(RunRequest::new("await tools.count({})"));
        let stop_first = first.stopper();
        let first = tokio::spawn(first);
        while host.out.load(std::sync::atomic::Ordering::SeqCst) == 0 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        let second = runner.run(RunRequest::new("return 1"));
        let stop_second = second.stopper();
        let second = tokio::spawn(second);
        tokio::time::sleep(Duration::from_millis(20)).await;
        stop_second.stop();
        let outcome = second.await.expect("no panic").expect("an outcome");
        assert_eq!(outcome.kind(), Some(FailureKind::Interrupted));
        stop_first.stop();
        let outcome = first.await.expect("no panic").expect("an outcome");
        assert_eq!(outcome.kind(), Some(FailureKind::Interrupted));
    });
}

fn no_such_engine() {
    let error = workers().build().engine("v8").err().map(|error| error.to_string());
    let expected = "cannot start a worker process: the worker has no such engine, only luajit, quickjs; build it with the feature \"v8\"";
    assert_eq!(error.as_deref(), Some(expected));
}

fn no_worker() {
    let error = |program: &str| {
        let workers = codemode_worker::Workers::builder(codemode_worker::Launch::program(program)).build();
        workers.engine("quickjs").err().map(|error| error.to_string())
    };
    assert_eq!(
        error("/no/such/program").as_deref(),
        Some("cannot start a worker process: \"/no/such/program\": No such file or directory (os error 2)")
    );
    assert_eq!(
        error("/bin/true").as_deref(),
        Some("cannot start a worker process: it ended before it was ready: the worker process ended by itself with status 0")
    );
}
