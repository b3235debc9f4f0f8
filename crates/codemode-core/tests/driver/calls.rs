//! Calls: answers, layers, schedule, admission.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use codemode_core::{
    Answer, Budgets, Call, CallContext, CallStatus, Catalog, Effects, End, Ended, Engine, FailureKind, Fault, Handle, Json, Layer, Missing,
    Next, Raised, Resolved, Rest, Runner, Stage, ToolHost, ToolSpec, code,
};

use crate::mock::{self, ClosureEngine, ask, call, names, request, returned, runner};

#[tokio::test]
async fn a_refusal_that_escapes_is_denied_and_one_that_is_handled_is_not() {
    for (escapes, kind) in [(true, Some(FailureKind::Denied)), (false, None)] {
        let engine = ClosureEngine::new(move |_, handle| {
            let refused = call(handle, "refuse", "{}").expect("not stopped");
            assert!(matches!(refused.answer, Answer::NotRun(ref fault) if fault.code == code::DENIED));
            let raised = Raised { message: "not today".to_owned(), refusal: Some(refused.id), ..Raised::default() };
            Ok(if escapes { Ended::new(End::Raised(raised)) } else { returned() })
        });
        let outcome = runner(engine).0.build().expect("a runner").run(request()).await.expect("no host error");
        assert_eq!((outcome.kind(), outcome.effects), (kind, Effects::None));
        assert_eq!(outcome.ledger.records()[0].status, CallStatus::Denied);
    }
}

#[tokio::test]
async fn an_unknown_name_is_not_dispatched_and_its_escape_is_an_error() {
    let engine = ClosureEngine::new(|_, handle| {
        let missing = call(handle, "ecko", "{}").expect("not stopped");
        let fault =
            Fault::new(code::UNKNOWN_TOOL, "there is no tool \"ecko\"; did you mean \"echo\"? the list of tools lists what there is");
        assert_eq!(missing.answer, Answer::NotRun(fault.with_fix("echo")));
        Ok(Ended::new(End::Raised(Raised { refusal: Some(missing.id), ..Raised::default() })))
    });
    let (builder, reached) = runner(engine);
    let outcome = builder.build().expect("a runner").run(request()).await.expect("no host error");
    assert_eq!((outcome.kind(), outcome.ledger.len(), names(&reached).len()), (Some(FailureKind::Error), 0, 0));
}

#[tokio::test]
async fn arguments_over_their_budget_are_invalid_and_not_dispatched() {
    let engine = ClosureEngine::new(|_, handle| {
        let refused = call(handle, "echo", r#"{"text":"0123456789"}"#).expect("not stopped");
        let message = "the arguments have 21 bytes as json, and at most 20 are allowed; send less";
        assert_eq!(refused.answer, Answer::NotRun(Fault::new(code::INVALID_ARGUMENTS, message)));
        Ok(returned())
    });
    let budgets = Budgets { call_arguments_bytes: 20, ..Budgets::default() };
    let outcome = runner(engine).0.build().expect("a runner").run(request().with_budgets(budgets)).await.expect("no host error");
    assert_eq!((outcome.is_ok(), outcome.ledger.len()), (true, 0));
}

#[tokio::test]
async fn a_tool_that_panics_or_passes_its_own_deadline_is_unknown() {
    let engine = ClosureEngine::new(|_, handle| {
        let panicked = call(handle, "panics", "{}").expect("not stopped").answer;
        let message = "the tool panicked, and may have run: a tool's own fault";
        assert_eq!(panicked, Answer::Unknown(Fault::new(code::OUTCOME_UNKNOWN, message)));
        let late = call(handle, "hasty", "{}").expect("not stopped").answer;
        let message = "the tool gave no answer within its own deadline of 20 ms; it may have run";
        assert_eq!(late, Answer::Unknown(Fault::new(code::OUTCOME_UNKNOWN, message)));
        Ok(returned())
    });
    let outcome = runner(engine).0.build().expect("a runner").run(request()).await.expect("no host error");
    let statuses: Vec<_> = outcome.ledger.records().iter().map(|record| record.status).collect();
    assert_eq!((outcome.is_ok(), statuses), (true, vec![CallStatus::Unknown; 2]));
}

struct Written {
    stage: Stage,
    log: Arc<Mutex<Vec<String>>>,
}

#[async_trait]
impl Layer for Written {
    fn stage(&self) -> Stage {
        self.stage
    }

    fn admit(&self, tool: &ToolSpec, _arguments: &Json) -> Result<(), Fault> {
        if self.stage == Stage::Validate && &*tool.name == "write" {
            return Err(Fault::new(code::INVALID_ARGUMENTS, "no"));
        }
        Ok(())
    }

    async fn call(&self, context: &CallContext, call: Call, rest: Rest<'_>) -> Answer {
        self.log.lock().expect("not poisoned").push(format!("{:?} {} of {}", self.stage, context.seq, context.tool));
        rest.call(context, call).await
    }
}

#[tokio::test]
async fn layers_stand_in_the_order_of_their_stages_and_admission_comes_before_all() {
    let log = Arc::new(Mutex::new(Vec::new()));
    let engine = ClosureEngine::new(|_, handle| {
        call(handle, "write", "{}").expect("not stopped");
        call(handle, "echo", "{}").expect("not stopped");
        Ok(returned())
    });
    let (mut builder, reached) = runner(engine);
    for stage in [Stage::Checkpoint, Stage::Hooks, Stage::ResultRecord, Stage::Validate, Stage::Approve] {
        builder = builder.layer(Arc::new(Written { stage, log: Arc::clone(&log) }));
    }
    let outcome = builder.build().expect("a runner").run(request()).await.expect("no host error");
    let expected = ["ResultRecord", "Hooks", "Validate", "Approve", "Checkpoint"].map(|stage| format!("{stage} 1 of echo"));
    assert_eq!((log.lock().expect("not poisoned").clone(), outcome.ledger.len()), (expected.to_vec(), 1));
    assert_eq!(names(&reached), ["echo {}"]);
}

/// Starts all of these at once and gives the order in which answers came.
fn all_at_once(handle: &Handle, tools: &[&str]) -> Vec<u64> {
    for tool in tools {
        handle.start(ask(tool, "{}")).expect("not stopped");
    }
    let mut order = Vec::new();
    while order.len() < tools.len() {
        match handle.next(None) {
            Next::Answer(delivered) => order.push(delivered.id.0),
            other => unreachable!("{other:?}"),
        }
    }
    order
}

#[tokio::test]
async fn asynchronous_programs_get_answers_to_all_they_started() {
    let engine = ClosureEngine::new(|_, handle| {
        let order = all_at_once(handle, &["overlaps", "overlaps", "alone", "overlaps"]);
        assert_eq!(order.iter().sum::<u64>(), 10);
        let place = |id: u64| order.iter().position(|other| *other == id);
        assert!(place(3) > place(1) && place(3) > place(2) && place(3) < place(4), "{order:?}");
        Ok(returned())
    });
    let mut profile = mock::profile();
    profile.ceilings = codemode_core::Ceilings::default();
    profile.budgets.calls_in_flight = 4;
    let runner = Runner::builder(engine, profile, mock::host().0).build().expect("a runner");
    let outcome = runner.run(request()).await.expect("no host error");
    assert!(outcome.is_ok() && outcome.warnings.is_empty());
}

#[tokio::test]
async fn calls_that_nobody_awaited_are_waited_for_or_dropped_and_named() {
    let engine = ClosureEngine::new(|_, handle| {
        for tool in ["write", "echo", "echo"] {
            handle.start(ask(tool, "{}")).expect("not stopped");
        }
        Ok(returned())
    });
    let (builder, _) = runner(engine);
    let outcome = builder.build().expect("a runner").run(request()).await.expect("no host error");
    assert!(outcome.is_ok());
    let names: Vec<_> = outcome.ledger.records().iter().map(|record| (&*record.tool, record.status)).collect();
    assert!(names.iter().all(|(_, status)| *status == CallStatus::Ok), "{names:?}");
    assert!(!names.is_empty());
}

struct Slow(Arc<Catalog>);

#[async_trait]
impl ToolHost for Slow {
    fn catalog(&self) -> Arc<Catalog> {
        Arc::clone(&self.0)
    }

    async fn admit(&self, namespace: &str) -> Vec<Arc<ToolSpec>> {
        tokio::task::yield_now().await;
        vec![Arc::new(ToolSpec::new(format!("{namespace}__issues")).in_namespace(namespace, "issues"))]
    }

    async fn call(&self, _context: &CallContext, call: Call) -> Answer {
        Answer::text(&*call.tool.name)
    }
}

#[tokio::test]
async fn a_first_touch_waits_for_its_server_and_admits_its_tools_once() {
    let engine = ClosureEngine::new(|_, handle| {
        assert!(matches!(handle.resolve("github__issues"), Ok(Resolved::Tool(tool)) if &*tool.name == "github__issues"));
        let missing = handle.resolve("github__isues");
        let expected = Missing { nearest: vec!["github__issues".to_owned()], ..Missing::new("github__isues") };
        assert!(matches!(missing, Ok(Resolved::Missing(missing)) if missing == expected));
        assert_eq!(call(handle, "github.issues", "{}").expect("not stopped").answer, Answer::text("github__issues"));
        Ok(returned())
    });
    let catalog = Catalog::new([]).expect("empty").with_unlisted(["github"]);
    let runner = Runner::builder(engine as Arc<dyn Engine>, mock::profile(), Arc::new(Slow(Arc::new(catalog)))).build().expect("a runner");
    let outcome = runner.run(request()).await.expect("no host error");
    assert!(outcome.is_ok(), "{:?}", outcome.failure);
}
