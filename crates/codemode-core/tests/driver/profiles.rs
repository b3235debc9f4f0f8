//! What the profiles promise beyond their limits: overlap, settling, what is given back, whose time counts.

use std::sync::Arc;
use std::time::{Duration, Instant};

use codemode_core::{
    Annotations, Answer, Authority, Bound, Budgets, CallStatus, Catalog, End, Ended, Engine, FailureKind, FnHost, Handle, Json, Next,
    Profile, Raised, RunRequest, Runner, ToolHost, ToolSpec, Value,
};

use crate::mock::{self, ClosureEngine, ask, call, names, returned};

/// Far below the settling time of a batch, far above what a loaded machine needs.
const GENEROUS: Duration = Duration::from_secs(20);

fn runner(engine: Arc<ClosureEngine>, profile: Profile) -> Runner {
    Runner::builder(engine, profile, mock::host().0).build().expect("a runner")
}

/// Waits for this many answers and gives the numbers of their asks.
fn answers(handle: &Handle, count: usize) -> Vec<u64> {
    let mut order = Vec::new();
    while order.len() < count {
        match handle.next(None) {
            Next::Answer(delivered) => order.push(delivered.id.0),
            other => unreachable!("{other:?}"),
        }
    }
    order
}

/// A host whose `meet` answers when fifty of it are out at once, and not before.
fn meeting() -> Arc<dyn ToolHost> {
    let barrier = Arc::new(tokio::sync::Barrier::new(50));
    let parallel = Annotations { parallel: Some(true), ..Annotations::read_only() };
    let tools = ["meet", "look"].map(|name| ToolSpec::new(name).with_annotations(parallel));
    let catalog = Catalog::new(tools.into_iter().chain([ToolSpec::new("write")])).expect("distinct");
    Arc::new(FnHost::new(catalog, move |_, call| {
        let barrier = Arc::clone(&barrier);
        async move {
            if &*call.tool.name == "meet" {
                barrier.wait().await;
            }
            Answer::text("met")
        }
    }))
}

#[tokio::test]
async fn fifty_calls_of_a_program_are_out_at_once_and_a_sequential_one_is_a_barrier() {
    let engine = ClosureEngine::new(|_, handle| {
        for tool in std::iter::repeat_n("meet", 50).chain(["write", "look"]) {
            handle.start(ask(tool, "{}")).expect("not stopped");
        }
        let mut order = answers(handle, 52);
        order[..50].sort_unstable();
        assert_eq!(order, (1..=52).collect::<Vec<u64>>());
        Ok(returned())
    });
    let runner = Runner::builder(engine, Profile::program(), meeting()).build().expect("a runner");
    let outcome = runner.run(RunRequest::new("")).await.expect("no host error");
    assert_eq!((outcome.kind(), outcome.ledger.len(), outcome.warnings.len()), (None, 52, 0), "{:?}", outcome.failure);
}

#[tokio::test]
async fn a_program_that_ends_waits_for_what_was_started_drops_the_rest_and_names_both() {
    let hasty = Annotations { deadline: Some(Duration::from_secs(1)), ..Annotations::read_only() };
    let catalog = Catalog::new([ToolSpec::new("held").with_annotations(hasty), ToolSpec::new("write"), ToolSpec::new("erase")]);
    let host = FnHost::new(catalog.expect("distinct"), |_, _| async { std::future::pending().await });
    let engine = ClosureEngine::new(|_, handle| {
        for tool in ["held", "write", "erase", "write"] {
            handle.start(ask(tool, "{}")).expect("not stopped");
        }
        Ok(returned())
    });
    let runner = Runner::builder(engine, Profile::program(), Arc::new(host)).build().expect("a runner");
    let outcome = runner.run(RunRequest::new("")).await.expect("no host error");
    let records: Vec<_> = outcome.ledger.records().iter().map(|record| (&*record.tool, record.status)).collect();
    assert_eq!((outcome.kind(), records), (None, vec![("held", CallStatus::Unknown)]));
    let expected = [
        "calls had not started when the program ended, and were dropped: erase, write; await what must be done before the end",
        "the program ended without the answers of calls that had started: held; await what must be done before the end",
    ];
    assert_eq!(outcome.warnings, expected);
}

#[tokio::test]
async fn a_call_whose_answer_the_program_never_took_is_named_however_early_the_tool_was() {
    let engine = ClosureEngine::new(|_, handle| {
        handle.start(ask("early", "{}")).expect("not stopped");
        // Neither may overlap: the first has been answered when this one is.
        let _ = call(handle, "late", "{}");
        Ok(returned())
    });
    let catalog = Catalog::new(["early", "late"].map(ToolSpec::new)).expect("distinct");
    let host = FnHost::new(catalog, |_, _| async { Answer::text("done") });
    let runner = Runner::builder(engine, Profile::program(), Arc::new(host)).build().expect("a runner");
    let outcome = runner.run(RunRequest::new("")).await.expect("no host error");
    let expected = ["the program ended without the answers of calls that had started: early; await what must be done before the end"];
    assert_eq!((outcome.kind(), outcome.warnings), (None, expected.map(str::to_owned).to_vec()));
}

#[tokio::test]
async fn a_stopped_batch_waits_for_a_call_until_that_ones_own_deadline() {
    let engine = ClosureEngine::new(|_, handle| {
        let _ = call(handle, "hasty", "{}");
        Ok(returned())
    });
    let (host, reached) = mock::host();
    let runner = Runner::builder(engine, Profile::batch(), host).build().expect("a runner");
    assert_eq!(runner.profile().settle, Duration::from_secs(600));
    let began = Instant::now();
    let mut run = runner.run(RunRequest::new("").with_intent("to see"));
    while names(&reached).is_empty() {
        tokio::select! { biased; _ = &mut run => unreachable!("the tool has not answered"), () = tokio::task::yield_now() => {} }
    }
    let outcome = run.stop().await.expect("no host error");
    let statuses: Vec<_> = outcome.ledger.records().iter().map(|record| record.status).collect();
    assert_eq!((outcome.kind(), statuses), (Some(FailureKind::Interrupted), vec![CallStatus::Unknown]));
    assert!(outcome.warnings.is_empty(), "{:?}", outcome.warnings);
    assert!(began.elapsed() < GENEROUS);
}

#[tokio::test]
async fn log_and_value_of_a_cell_share_their_budget_to_the_last_byte() {
    // The value is a text of as many bytes as its two quotes leave.
    for (value, log, kept, dropped) in [
        (500, "x".repeat(12), 12, 0),
        (500, "x".repeat(13), 12, 1),
        (500, "é".repeat(6), 12, 0),
        (499, "é".repeat(7), 12, 2),
        (500, format!("x{}", "é".repeat(6)), 11, 2),
        (512, "x".repeat(3), 0, 3),
        (512, String::new(), 0, 0),
    ] {
        let printed = log.clone();
        let engine = ClosureEngine::new(move |_, handle| {
            handle.print(&printed).expect("not stopped");
            let json = Json::parse(format!("\"{}\"", "v".repeat(value - 2))).expect("json");
            Ok(Ended { value: Some(Value::Json(json)), state: Some(Json::empty_object()), ..returned() })
        });
        let runner = runner(engine, Profile::cell());
        let budgets = Budgets { value: 512, output: 512, ..Profile::cell().budgets };
        let outcome = runner.run(RunRequest::new("").with_budgets(budgets)).await.expect("no host error");
        assert_eq!((outcome.kind(), outcome.value.map(|value| value.bytes())), (None, Some(value)));
        assert_eq!((outcome.output.as_str(), outcome.usage.output_dropped_bytes), (&log[..kept], dropped), "{value} and {log}");
    }
}

#[tokio::test]
async fn a_value_of_a_cell_past_the_joint_budget_is_results_and_leaves_the_log_whole() {
    let engine = ClosureEngine::new(|_, handle| {
        handle.print(&"x".repeat(512)).expect("not stopped");
        let json = Json::parse(format!("\"{}\"", "é".repeat(255) + "v")).expect("json");
        Ok(Ended { value: Some(Value::Json(json)), state: Some(Json::empty_object()), ..returned() })
    });
    let budgets = Budgets { value: 1024, output: 512, ..Profile::cell().budgets };
    let outcome = runner(engine, Profile::cell()).run(RunRequest::new("").with_budgets(budgets)).await.expect("no host error");
    let failure = outcome.failure.expect("too large");
    assert_eq!((failure.bound, failure.limit, failure.observed), (Some(Bound::Value), Some(512), Some(513)));
    assert_eq!(failure.message, "the returned value has 513 bytes or more as json, and its budget is 512 bytes");
    assert_eq!((outcome.output.len(), outcome.value, outcome.state_committed), (512, None, Some(false)));
}

#[tokio::test]
async fn a_value_that_the_adapter_gave_up_on_is_told_with_the_joint_limit() {
    let engine = ClosureEngine::new(|_, handle| {
        handle.guard().fire(Bound::Value, 1025);
        Ok(Ended::new(End::Stopped))
    });
    let budgets = Budgets { value: 1024, output: 512, ..Profile::cell().budgets };
    let outcome = runner(engine, Profile::cell()).run(RunRequest::new("").with_budgets(budgets)).await.expect("no host error");
    let text = concat!(
        "run_code results: a result passed its budget (after 0 tool calls)\n",
        "the returned value has 1025 bytes or more as json, and its budget is 512 bytes\n",
        "what to do: return or fetch less\n\nstate: not committed, it is as it was before the run"
    );
    assert_eq!(outcome.to_text("run_code"), text);
}

#[tokio::test]
async fn a_good_cell_says_that_its_state_was_committed() {
    let engine = ClosureEngine::new(|_, handle| {
        handle.print("log\n").expect("not stopped");
        let value = Some(Value::Json(Json::parse("[1]").expect("json")));
        Ok(Ended { value, state: Some(Json::empty_object()), ..returned() })
    });
    let mut outcome = runner(engine, Profile::cell()).run(RunRequest::new("")).await.expect("no host error");
    outcome.usage.compute = Duration::ZERO;
    let text = "run_code ok (0 tool calls, 0.00s compute)\n\nvalue:\n[1]\n\noutput:\nlog\n\nstate: committed";
    assert_eq!(outcome.to_text("run_code"), text);
}

#[tokio::test]
async fn source_value_and_log_of_a_program_are_counted_in_characters() {
    for (size, fits) in [(20_000, true), (20_001, false)] {
        let engine = ClosureEngine::new(move |_, handle| {
            handle.print(&"é".repeat(size)).expect("not stopped");
            let json = Json::parse(format!("\"{}\"", "é".repeat(19_998))).expect("json");
            Ok(Ended { value: Some(Value::Json(json)), ..returned() })
        });
        let program = runner(engine, Profile::program());
        let outcome = program.run(RunRequest::new("é".repeat(20_000))).await.expect("no host error");
        assert_eq!((outcome.kind(), outcome.output.chars().count()), (None, 20_000));
        assert_eq!((outcome.usage.output_dropped_bytes, outcome.shown_output().len()), (if fits { 0 } else { 2 }, 40_000));

        let engine = ClosureEngine::new(move |_, _| {
            let json = Json::parse(format!("\"{}\"", "é".repeat(size - 2))).expect("json");
            Ok(Ended { value: Some(Value::Json(json)), ..returned() })
        });
        let outcome = runner(engine, Profile::program()).run(RunRequest::new("")).await.expect("no host error");
        let message = "the returned value has 20001 characters or more as json, and its budget is 20000 characters".to_owned();
        assert_eq!(outcome.failure.map(|failure| failure.message), (!fits).then_some(message));
    }
    let engine = ClosureEngine::new(|_, _| Ok(returned()));
    let outcome = runner(engine, Profile::program()).run(RunRequest::new("é".repeat(20_001))).await.expect("no host error");
    let failure = outcome.failure.expect("too large");
    let message =
        "the program has 20001 characters, and at most 20000 are allowed; split the work, or fetch data instead of writing it out";
    assert_eq!((failure.kind, failure.message.as_str()), (FailureKind::Compile, message));
}

#[tokio::test]
async fn waiting_for_a_timer_spends_no_compute() {
    let engine = ClosureEngine::new(|_, handle| {
        for _ in 0..3 {
            assert_eq!(handle.next(Some(Instant::now() + Duration::from_millis(200))), Next::Due);
        }
        Ok(returned())
    });
    let budgets = Budgets { compute: Duration::from_millis(300), ..Profile::program().budgets };
    let outcome = runner(engine, Profile::program()).run(RunRequest::new("").with_budgets(budgets)).await.expect("no host error");
    assert_eq!(outcome.kind(), None, "{:?}", outcome.failure);
    assert!(outcome.usage.wall >= Duration::from_millis(600));
}

#[tokio::test]
async fn a_program_that_can_never_settle_is_told_what_to_do() {
    let engine = ClosureEngine::new(|_, _| Ok(Ended::new(End::NeverSettles)));
    let outcome = runner(engine, Profile::program()).run(RunRequest::new("")).await.expect("no host error");
    let failure = outcome.failure.expect("it waits for good");
    let message = "the program waits for something that nothing can settle: no call is out and no timer is set; \
                   await calls and timers only, and resolve each promise that the program makes itself";
    assert_eq!((failure.kind, failure.message.as_str()), (FailureKind::Error, message));
}

#[test]
fn local_authority_is_refused_where_the_engine_has_none_to_give() {
    let mut engine = ClosureEngine::new(|_, _| Ok(returned()));
    Arc::get_mut(&mut engine).expect("not shared yet").grants_local = false;
    let local = Profile::cell().with_authority(Authority::Local);
    let error = Runner::builder(Arc::clone(&engine) as Arc<dyn Engine>, local, mock::host().0).build().expect_err("none to give");
    assert_eq!(error.to_string(), "engine closure: cannot give profile cell the authority `local` here; set its authority to `none`");
    assert!(Runner::builder(engine, Profile::cell(), mock::host().0).build().is_ok());
}

#[test]
fn checking_has_the_stack_of_an_interpreter_whatever_the_callers_is() {
    let runner = runner(ClosureEngine::new(|_, _| Ok(returned())), Profile::batch());
    // Thirty megabytes of frames, on a test's thread of two.
    let checked = runner.check(&"x".repeat(30_000));
    assert_eq!(checked, Err(Raised { message: "30000 levels".to_owned(), ..Raised::default() }));
}
