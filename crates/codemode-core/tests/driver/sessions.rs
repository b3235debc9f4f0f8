//! Sessions: runs that share an interpreter for as long as it lives.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use codemode_core::{Budgets, FailureKind};

use crate::mock::{ClosureEngine, call, request, returned, runner};

#[tokio::test]
async fn runs_share_an_interpreter_until_a_bound_ends_it() {
    let engine = ClosureEngine::new(|earlier, handle| {
        let _ = handle.print(&earlier.to_string());
        if earlier == 2 {
            while call(handle, "echo", "{}").is_ok() {}
        }
        Ok(returned())
    });
    let opened = Arc::clone(&engine.opened);
    let session = runner(engine).0.build().expect("a runner").session();
    let budgets = Budgets { calls: 5, compute: Duration::from_secs(20), ..Budgets::default() };
    let mut seen = Vec::new();
    for _ in 0..5 {
        let outcome = session.run(request().with_budgets(budgets)).await.expect("no host error");
        seen.push((outcome.output.clone(), outcome.kind(), outcome.ledger.len()));
    }
    let good = |earlier: &str| (earlier.to_owned(), None, 0);
    let stopped = ("2".to_owned(), Some(FailureKind::Calls), 5);
    assert_eq!(seen, [good("0"), good("1"), stopped, good("0"), good("1")]);
    assert_eq!(opened.load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn a_handle_kept_from_an_earlier_run_does_nothing() {
    let kept = Arc::new(std::sync::Mutex::new(None::<codemode_core::Handle>));
    let place = Arc::clone(&kept);
    let engine = ClosureEngine::new(move |_, handle| {
        let earlier = place.lock().expect("not poisoned").replace(handle.clone());
        if let Some(earlier) = earlier {
            assert!(call(&earlier, "write", "{}").is_err() && earlier.print("late").is_err());
        }
        Ok(returned())
    });
    let (builder, reached) = runner(engine);
    let session = builder.build().expect("a runner").session();
    for _ in 0..2 {
        assert!(session.run(request()).await.expect("no host error").is_ok());
    }
    assert_eq!(crate::mock::names(&reached), Vec::<String>::new());
}
