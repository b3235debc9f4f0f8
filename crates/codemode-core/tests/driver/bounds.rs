//! Bounds: they fire, they hold, and the host always comes back.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock, Weak};
use std::time::{Duration, Instant};

use codemode_core::{
    Annotations, Bound, Budgets, CallStatus, Catalog, FailureKind, FnHost, HostError, Stopper, ToolHost, ToolSpec, threads_left_behind,
};

use crate::mock::{self, ClosureEngine, call, names, request, returned, runner};

/// Long enough for a loaded machine, short against any hang.
const GENEROUS: Duration = Duration::from_secs(20);

/// Threads left behind are counted for the process, so that tests which leave one run one after the other.
static LEAVES_A_THREAD: tokio::sync::Mutex<()> = tokio::sync::Mutex::const_new(());

async fn no_thread_is_left_behind_in_the_end() {
    let waited = Instant::now();
    while threads_left_behind() > 0 && waited.elapsed() < GENEROUS {
        tokio::task::yield_now().await;
    }
    assert_eq!(threads_left_behind(), 0);
}

fn spin(handle: &codemode_core::Handle) {
    while !handle.guard().stopped() {
        std::hint::spin_loop();
    }
}

#[tokio::test]
async fn the_call_past_the_budget_reaches_nobody_and_catching_it_does_not_help() {
    let engine = ClosureEngine::new(|_, handle| {
        for number in 0..5 {
            let _ = call(handle, "write", &format!("{{\"n\":{number}}}"));
        }
        assert!(handle.print("after").is_err(), "nothing is kept after a bound");
        Ok(returned())
    });
    let (builder, reached) = runner(engine);
    let budgets = Budgets { calls: 3, ..Budgets::default() };
    let outcome = builder.build().expect("a runner").run(request().with_budgets(budgets)).await.expect("no host error");
    let failure = outcome.failure.clone().expect("stopped");
    assert_eq!((failure.kind, failure.limit, failure.observed), (FailureKind::Calls, Some(3), Some(4)));
    assert_eq!(failure.message, "the program asked for call 4, and its budget is 3; that call was not made");
    assert_eq!(names(&reached), ["write {\"n\":0}", "write {\"n\":1}", "write {\"n\":2}"]);
    assert_eq!((outcome.ledger.len(), outcome.output.as_str()), (3, ""));
}

/// The call that was not made is nothing to wait for.
#[tokio::test]
async fn the_end_at_the_call_past_the_budget_is_not_waited_for() {
    let engine = ClosureEngine::new(|_, handle| {
        while call(handle, "write", "{}").is_ok() {}
        Ok(returned())
    });
    let mut profile = mock::profile();
    profile.settle = GENEROUS * 2;
    let runner = codemode_core::Runner::builder(engine, profile, mock::host().0).build().expect("a runner");
    let began = Instant::now();
    let outcome = runner.run(request().with_budgets(Budgets { calls: 3, ..Budgets::default() })).await.expect("no host error");
    assert_eq!((outcome.kind(), outcome.ledger.len()), (Some(FailureKind::Calls), 3));
    assert!(began.elapsed() < GENEROUS);
}

#[tokio::test]
async fn computing_is_bounded_and_the_failure_says_which_clock() {
    let engine = ClosureEngine::new(|_, handle| {
        spin(handle);
        Ok(returned())
    });
    let interrupted = Arc::clone(&engine.interrupted);
    let runner = runner(engine).0.build().expect("a runner");
    let budgets = Budgets { compute: Duration::from_millis(30), ..Budgets::default() };
    let outcome = runner.run(request().with_budgets(budgets)).await.expect("no host error");
    let failure = outcome.failure.expect("stopped");
    assert_eq!((failure.kind, failure.bound, failure.limit), (FailureKind::Time, Some(Bound::Compute), Some(30)));
    assert!(interrupted.load(Ordering::SeqCst) > 0);
}

#[tokio::test]
async fn waiting_for_a_tool_spends_the_wall_clock_alone() {
    let engine = ClosureEngine::new(|_, handle| {
        let _ = call(handle, "never", "{}");
        Ok(returned())
    });
    let runner = runner(engine).0.build().expect("a runner");
    let budgets = Budgets { compute: Duration::from_millis(20), wall: Duration::from_millis(120), ..Budgets::default() };
    let outcome = runner.run(request().with_budgets(budgets)).await.expect("no host error");
    let failure = outcome.failure.clone().expect("stopped");
    assert_eq!((failure.kind, failure.bound), (FailureKind::Time, Some(Bound::Wall)));
    assert_eq!(outcome.ledger.records()[0].status, CallStatus::Unknown);
    assert_eq!(outcome.warnings, ["1 call gave no answer within 100 ms of the stop, and may have run"]);
}

#[tokio::test]
async fn calls_in_flight_are_cancelled_and_awaited_at_a_stop() {
    let engine = ClosureEngine::new(|_, handle| {
        let _ = call(handle, "until_cancelled", "{}");
        Ok(returned())
    });
    let run = runner(engine).0.build().expect("a runner").run(request());
    let stopper = run.stopper();
    let outcome = tokio::join!(run, async move { stopper.stop() }).0.expect("no host error");
    assert_eq!(outcome.kind(), Some(FailureKind::Interrupted));
    assert!(outcome.warnings.is_empty(), "{:?}", outcome.warnings);
    assert!(outcome.ledger.records().iter().all(|record| record.status == CallStatus::Failed));
}

#[tokio::test]
async fn results_are_bounded_one_by_one_and_together() {
    for (budgets, bound, ledger) in [
        (Budgets { call_result_bytes: 999, ..Budgets::default() }, Bound::CallResult, 1),
        (Budgets { total_result_bytes: 2500, ..Budgets::default() }, Bound::TotalResults, 3),
    ] {
        let engine = ClosureEngine::new(|_, handle| {
            while call(handle, "big", "{}").is_ok() {}
            Ok(returned())
        });
        let outcome = runner(engine).0.build().expect("a runner").run(request().with_budgets(budgets)).await.expect("no host error");
        let failure = outcome.failure.expect("stopped");
        assert_eq!((failure.kind, failure.bound, outcome.ledger.len()), (FailureKind::Results, Some(bound), ledger));
    }
}

#[tokio::test]
async fn a_wedged_thread_is_given_up_on_counted_and_forgotten_when_it_ends() {
    let _alone = LEAVES_A_THREAD.lock().await;
    let release = Arc::new(AtomicBool::new(false));
    let held = Arc::clone(&release);
    let engine = ClosureEngine::new(move |_, handle| {
        handle.print("before\n").expect("not stopped");
        while !held.load(Ordering::SeqCst) {
            std::thread::yield_now();
        }
        Ok(returned())
    });
    let (builder, _) = runner(engine);
    let runner = builder.left_behind_limit(0).build().expect("a runner");
    let began = Instant::now();
    let budgets = Budgets { compute: Duration::from_millis(20), ..Budgets::default() };
    let outcome = runner.run(request().with_budgets(budgets)).await.expect("no host error");
    assert!(began.elapsed() < GENEROUS);
    assert_eq!((outcome.kind(), outcome.output.as_str()), (Some(FailureKind::Time), "before\n"));
    assert_eq!(outcome.warnings, ["the program sits in a call that cannot be stopped; its thread was left behind"]);
    assert_eq!(threads_left_behind(), 1);
    let refused = runner.run(request()).await.expect_err("one thread too many");
    assert!(matches!(refused, HostError::TooManyLeftBehind { left_behind: 1, limit: 0 }));
    release.store(true, Ordering::SeqCst);
    no_thread_is_left_behind_in_the_end().await;
}

#[tokio::test]
async fn a_wedged_thread_is_given_up_on_after_a_stop_from_outside_too() {
    let _alone = LEAVES_A_THREAD.lock().await;
    let release = Arc::new(AtomicBool::new(false));
    let stopper = Arc::new(OnceLock::<Stopper>::new());
    let (held, stop) = (Arc::clone(&release), Arc::clone(&stopper));
    let engine = ClosureEngine::new(move |_, handle| {
        handle.print("before\n").expect("not stopped");
        stop.get().expect("set before the run").stop();
        while !held.load(Ordering::SeqCst) {
            std::thread::yield_now();
        }
        Ok(returned())
    });
    let interrupted = Arc::clone(&engine.interrupted);
    let run = runner(engine).0.build().expect("a runner").run(request());
    assert!(stopper.set(run.stopper()).is_ok());
    let began = Instant::now();
    let outcome = run.await.expect("no host error");
    assert!(began.elapsed() < GENEROUS);
    assert_eq!((outcome.kind(), outcome.output.as_str()), (Some(FailureKind::Interrupted), "before\n"));
    assert_eq!(outcome.warnings, ["the program sits in a call that cannot be stopped; its thread was left behind"]);
    // Once is not enough where an engine can miss one.
    assert!(interrupted.load(Ordering::SeqCst) > 2);
    release.store(true, Ordering::SeqCst);
    no_thread_is_left_behind_in_the_end().await;
}

#[tokio::test]
async fn a_dropped_future_frees_the_host_at_once_and_stops_the_program() {
    let stopped = Arc::new(AtomicBool::new(false));
    let seen = Arc::clone(&stopped);
    let engine = ClosureEngine::new(move |_, handle| {
        let _ = call(handle, "never", "{}");
        spin(handle);
        seen.store(true, Ordering::SeqCst);
        Ok(returned())
    });
    let (host, reached) = mock::host();
    let weak: Weak<dyn ToolHost> = Arc::downgrade(&host);
    let runner = codemode_core::Runner::builder(engine, mock::profile(), host).build().expect("a runner");
    let mut run = runner.run(request());
    drop(runner);
    let began = Instant::now();
    while names(&reached).is_empty() && began.elapsed() < GENEROUS {
        tokio::select! { biased; _ = &mut run => unreachable!("the tool never answers"), () = tokio::task::yield_now() => {} }
    }
    drop(run);
    assert!(weak.upgrade().is_none(), "the host's context is freed");
    while !stopped.load(Ordering::SeqCst) && began.elapsed() < GENEROUS {
        std::thread::yield_now();
    }
    assert!(stopped.load(Ordering::SeqCst));
}

#[tokio::test]
async fn a_bound_outranks_a_panic_and_a_broken_engine() {
    let engine = ClosureEngine::new(|_, handle| {
        spin(handle);
        panic!("late")
    });
    let budgets = Budgets { compute: Duration::from_millis(20), ..Budgets::default() };
    let outcome = runner(engine).0.build().expect("a runner").run(request().with_budgets(budgets)).await.expect("no host error");
    assert_eq!(outcome.kind(), Some(FailureKind::Time));
}

#[tokio::test]
async fn no_limit_is_too_large_to_be_kept() {
    let engine = ClosureEngine::new(|_, handle| {
        let endless = call(handle, "endless", "{}").expect("not stopped").answer;
        assert_eq!(endless, codemode_core::Answer::text("{}"));
        Ok(returned())
    });
    let endless = Annotations { deadline: Some(Duration::MAX), ..Annotations::read_only() };
    let catalog = Catalog::new([ToolSpec::new("endless").with_annotations(endless)]).expect("distinct");
    let host = Arc::new(FnHost::new(catalog, |_, call| async move { codemode_core::Answer::text(call.arguments.text()) }));
    let budgets = Budgets { compute: Duration::MAX, wall: Duration::MAX, calls: u64::MAX, memory_bytes: u64::MAX, ..Budgets::default() };
    let mut profile = mock::profile().with_budgets(budgets);
    profile.ceilings = codemode_core::Ceilings(Budgets { output: u64::MAX, ..budgets });
    profile.settle = Duration::MAX;
    let runner = codemode_core::Runner::builder(engine, profile, host).grace(Duration::MAX).build().expect("a runner");
    let run = runner.run(request());
    let outcome = run.await.expect("no host error");
    assert!(outcome.is_ok(), "{:?}", outcome.failure);
}
