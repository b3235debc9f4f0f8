//! Interpreters that are opened before there is a program for them.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use codemode_core::{Budgets, FailureKind};

use crate::mock::{ClosureEngine, call, request, returned, runner};

/// Waits until so many interpreters were opened.
async fn opened(engine: &ClosureEngine, count: usize) {
    let patience = Instant::now() + Duration::from_secs(60);
    while engine.opened.load(Ordering::SeqCst) < count {
        assert!(Instant::now() < patience, "no interpreter was opened ahead");
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn each_run_has_a_fresh_interpreter_that_was_opened_before_it() {
    // The count of earlier runs of its interpreter: none, each time.
    let engine = ClosureEngine::new(|earlier, handle| {
        assert_eq!(earlier, 0);
        let _ = call(handle, "echo", "{}");
        Ok(returned())
    });
    let runner = runner(Arc::clone(&engine)).0.ahead(true).build().expect("a runner");
    for run in 1..=5 {
        let outcome = runner.run(request()).await.expect("no host error");
        assert!(outcome.is_ok(), "{:?}", outcome.failure);
        // The first run finds none; each makes one for the next.
        opened(&engine, run + 1).await;
    }
    assert_eq!(engine.opened.load(Ordering::SeqCst), 6);
}

#[tokio::test]
async fn a_run_on_an_interpreter_opened_ahead_has_its_own_budgets() {
    let engine = ClosureEngine::new(|_, handle| {
        while call(handle, "echo", "{}").is_ok() {}
        Ok(returned())
    });
    let runner = runner(Arc::clone(&engine)).0.ahead(true).build().expect("a runner");
    for calls in [3, 1, 2] {
        let outcome = runner.run(request().with_budgets(Budgets { calls, ..Budgets::default() })).await.expect("no host error");
        assert_eq!((outcome.kind(), outcome.ledger.len() as u64), (Some(FailureKind::Calls), calls));
        // Time before the run is none of its own.
        assert!(outcome.usage.compute < Duration::from_secs(10) && outcome.usage.wall < Duration::from_secs(10));
    }
}

#[tokio::test]
async fn without_being_asked_none_is_opened_ahead() {
    let engine = ClosureEngine::new(|_, _| Ok(returned()));
    let runner = runner(Arc::clone(&engine)).0.build().expect("a runner");
    for _ in 0..3 {
        assert!(runner.run(request()).await.expect("no host error").is_ok());
    }
    assert_eq!(engine.opened.load(Ordering::SeqCst), 3);
}
