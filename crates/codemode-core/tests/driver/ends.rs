//! How runs end, and what comes back.

use std::io;
use std::sync::{Arc, Mutex};

use codemode_core::{Answer, Budgets, Death, End, Ended, EngineError, FailureKind, HostError, Raised, RunId, Spill, Value};

use crate::mock::{ClosureEngine, call, request, returned, runner};

#[tokio::test]
async fn a_good_run_gives_everything_back_in_its_documented_form() {
    let engine = ClosureEngine::new(|_, handle| {
        let delivered = call(handle, "echo", r#"{"a":1}"#).expect("not stopped");
        assert!(matches!(delivered.answer, Answer::Succeeded(content) if content.as_text() == r#"{"a":1}"#));
        handle.print("one line\n").expect("not stopped");
        Ok(returned())
    });
    let runner = runner(engine).0.build().expect("a runner");
    let mut request = request().with_intent("to see");
    request.run = Some(RunId::from_text("run-1"));
    let mut outcome = runner.run(request).await.expect("no host error");
    assert!(outcome.is_ok());
    outcome.usage = codemode_core::Usage { calls: 1, result_bytes: 7, output_bytes: 9, ..codemode_core::Usage::default() };
    let json: serde_json::Value = serde_json::from_str(&outcome.to_json()).expect("valid json");
    let ms = json["calls"][0]["ms"].as_u64().expect("a number");
    let expected = format!(
        concat!(
            r#"{{"status":"ok","value":null,"output":"one line\n","failure":null,"effects":"none","#,
            r#""calls":[{{"seq":1,"tool":"echo","arguments":{{"a":1}},"status":"ok","bytes":7,"ms":{}}}],"calls_omitted":0,"#,
            r#""usage":{{"compute_ms":0,"wall_ms":0,"memory_peak_bytes":0,"calls":1,"result_bytes":7,"output_bytes":9,"output_dropped_bytes":0}},"#,
            r#""warnings":[],"spill":null,"state_committed":null,"run":"run-1","engine":"closure","profile":"script","intent":"to see","#,
            r#""evidence":{{"succeeded":1,"failed":0,"denied":0,"unknown":0,"elapsed_ms":0,"changed_paths":[],"changed_paths_count":0,"changed_paths_incomplete":false}},"#,
            r#""recovery":null,"context":[],"content":[],"parked":null}}"#
        ),
        ms
    );
    assert_eq!(outcome.to_json(), expected);
    let text = "run_code ok (1 tool call, 0.00s compute)\n\noutput:\none line\n\ncalls:\n  1 echo {\"a\":1} -> ok, 7 bytes";
    assert_eq!(outcome.to_text("run_code"), text);
}

#[tokio::test]
async fn a_failed_run_has_the_same_shape() {
    let engine = ClosureEngine::new(|_, handle| {
        call(handle, "write", r#"{"a":1}"#).expect("not stopped");
        handle.print("before\n").expect("not stopped");
        let raised =
            Raised { message: "program:1: no".to_owned(), traceback: Some("traceback:\n  program:1".to_owned()), ..Raised::default() };
        Ok(Ended::new(End::Raised(raised)))
    });
    let outcome = runner(engine).0.build().expect("a runner").run(request()).await.expect("no host error");
    assert_eq!(outcome.kind(), Some(FailureKind::Error));
    let text = concat!(
        "run_code error: the program raised (after 1 tool call)\nprogram:1: no\ntraceback:\n  program:1\n",
        "what to do: read the traceback and the calls that already ran\n\n",
        "output before the failure:\nbefore\n\ncalls that already ran:\n  1 write {\"a\":1} -> ok, 7 bytes"
    );
    assert_eq!(outcome.to_text("run_code"), text);
    let recovery =
        "read the traceback and the calls that already ran; calls that already ran stay applied; look at them before running it again";
    assert_eq!(outcome.recovery().as_deref(), Some(recovery));
}

#[tokio::test]
async fn a_broken_engine_is_an_error_and_a_panic_is_an_honest_outcome() {
    let broken = EngineError { engine: "closure", message: "no heap".to_owned() };
    let error = broken.clone();
    let engine = ClosureEngine::new(move |_, _| Err(error.clone()));
    let result = runner(engine).0.build().expect("a runner").run(request()).await;
    assert!(matches!(result, Err(HostError::Engine(error)) if error == broken));

    let engine = ClosureEngine::new(|_, handle| {
        call(handle, "write", "{}").expect("not stopped");
        handle.print("said\n").expect("not stopped");
        panic!("an adapter's own fault")
    });
    let outcome = runner(engine).0.build().expect("a runner").run(request()).await.expect("no host error");
    let failure = outcome.failure.clone().expect("failed");
    assert_eq!(
        (failure.kind, failure.message.as_str()),
        (FailureKind::Crashed, "the engine panicked: an adapter's own fault; the last call was 1: write, ok")
    );
    assert_eq!((outcome.output.as_str(), outcome.ledger.len()), ("said\n", 1));
}

#[tokio::test]
async fn a_death_by_memory_is_memory_and_another_is_crashed() {
    for (of_memory, kind) in [(true, FailureKind::Memory), (false, FailureKind::Crashed)] {
        let engine = ClosureEngine::new(move |_, _| Ok(Ended::new(End::Died(Death { cause: "signal 6".to_owned(), of_memory }))));
        let outcome = runner(engine).0.build().expect("a runner").run(request()).await.expect("no host error");
        assert_eq!(outcome.kind(), Some(kind));
    }
}

#[tokio::test]
async fn a_source_over_its_budget_is_compile_and_reaches_no_engine() {
    let engine = ClosureEngine::new(|_, _| Ok(returned()));
    let opened = Arc::clone(&engine.opened);
    let runner = runner(engine).0.build().expect("a runner");
    let outcome = runner.run(request().with_budgets(Budgets { source: 3, ..Budgets::default() })).await.expect("no host error");
    let failure = outcome.failure.expect("failed");
    let message = "the program has 9 bytes, and at most 3 are allowed; split the work, or fetch data instead of writing it out";
    assert_eq!((failure.kind, failure.message.as_str()), (FailureKind::Compile, message));
    assert_eq!(opened.load(std::sync::atomic::Ordering::SeqCst), 0);
}

#[derive(Default)]
struct Kept(Mutex<Vec<usize>>);

impl Spill for Kept {
    fn spill(&self, run: &RunId, text: &str) -> io::Result<String> {
        self.0.lock().expect("not poisoned").push(text.len());
        Ok(format!("spill/{run}"))
    }
}

#[tokio::test]
async fn output_past_its_budget_is_dropped_and_what_was_held_is_spilled() {
    let engine = ClosureEngine::new(|_, handle| {
        for _ in 0..20 {
            handle.print("0123456789").expect("not stopped");
        }
        Ok(returned())
    });
    let kept = Arc::new(Kept::default());
    let runner = runner(engine).0.spill(Arc::clone(&kept) as Arc<dyn Spill>).build().expect("a runner");
    let mut request = request().with_budgets(Budgets { output: 95, shown_bytes: 12, ..Budgets::default() });
    request.run = Some(RunId::from_text("r"));
    let outcome = runner.run(request).await.expect("no host error");
    assert!(outcome.is_ok());
    let usage = outcome.usage;
    assert_eq!((usage.output_bytes, usage.output_dropped_bytes, outcome.shown_output()), (95, 105, "012345678901"));
    assert_eq!((kept.0.lock().expect("not poisoned").clone(), outcome.spill.as_deref()), (vec![95], Some("spill/r")));
    let text = "[output cut: 12 bytes shown, 83 more held, at least 105 dropped past the budget; all that was held is in spill/r]";
    assert_eq!(outcome.to_text("run_code").lines().last(), Some(text));
}

#[tokio::test]
async fn a_returned_text_is_output_only_where_nothing_was_printed() {
    for (printed, expected) in [("", "returned"), ("printed", "printed")] {
        let engine = ClosureEngine::new(move |_, handle| {
            handle.print(printed).expect("not stopped");
            Ok(Ended { value: Some(Value::Text("returned".to_owned())), ..returned() })
        });
        let outcome = runner(engine).0.build().expect("a runner").run(request()).await.expect("no host error");
        assert_eq!(outcome.output, expected);
    }
}

#[tokio::test]
async fn a_joint_budget_gives_the_value_first_and_the_log_the_rest() {
    for (value, kind, output, dropped) in [(20, None, 12, 18), (31, Some(FailureKind::Results), 30, 0)] {
        let engine = ClosureEngine::new(move |_, handle| {
            handle.print(&"x".repeat(30)).expect("not stopped");
            let json = codemode_core::Json::parse(format!("\"{}\"", "v".repeat(value - 2))).expect("json");
            Ok(Ended { value: Some(Value::Json(json)), ..returned() })
        });
        let budgets = Budgets { output: 30, joint_output: true, ..Budgets::default() };
        let budgets = if kind.is_none() { Budgets { output: 32, ..budgets } } else { budgets };
        let outcome = runner(engine).0.build().expect("a runner").run(request().with_budgets(budgets)).await.expect("no host error");
        let usage = outcome.usage;
        assert_eq!((outcome.kind(), usage.output_bytes, usage.output_dropped_bytes), (kind, output, dropped));
    }
}

struct Chatty;

#[async_trait::async_trait]
impl codemode_core::Layer for Chatty {
    fn stage(&self) -> codemode_core::Stage {
        codemode_core::Stage::Hooks
    }

    async fn call(&self, context: &codemode_core::CallContext, call: codemode_core::Call, rest: codemode_core::Rest<'_>) -> Answer {
        use codemode_core::Note;
        for number in 0..5000 {
            let text = format!("{number}\u{1b}{}", "x".repeat(100_000));
            context.control.note(match number % 3 {
                0 => Note::Warning(text),
                1 => Note::Context(text),
                _ => Note::ChangedPath(text),
            });
        }
        rest.call(context, call).await
    }
}

#[tokio::test]
async fn nothing_that_a_model_reads_is_unbounded_or_carries_controls() {
    let engine = ClosureEngine::new(|_, handle| {
        let _ = call(handle, "echo", &format!("\"{}\"", "x".repeat(900_000)));
        let big = "\u{1b}[2J\n".repeat(100_000);
        let raised = Raised { message: big.clone(), traceback: Some(big.clone()), fix: Some(big.clone()), ..Raised::default() };
        Ok(Ended { warnings: vec![big; 200], ..Ended::new(End::Raised(raised)) })
    });
    let runner = runner(engine).0.layer(Arc::new(Chatty)).build().expect("a runner");
    let outcome = runner.run(request().with_intent("i".repeat(1 << 20))).await.expect("no host error");
    let (text, json) = (outcome.to_text("run_code"), outcome.to_json());
    assert!(text.len() < 2 << 20 && json.len() < 2 << 20, "{} and {}", text.len(), json.len());
    assert!(!text.contains('\u{1b}') && !json.contains('\u{1b}'));
    assert!(serde_json::from_str::<serde_json::Value>(&json).is_ok());
    // Of 3,334 warnings and context 1,000 are kept, of those and of 200 warnings 50 of each kind are shown. Paths are counted apart.
    assert_eq!((outcome.warnings.len(), outcome.context.len(), outcome.changed_paths.len()), (51, 50, 50));
    assert_eq!((outcome.changed_paths_count, outcome.changed_paths_incomplete), (1000, true));
    assert_eq!(outcome.warnings[50], "3434 more warnings and notes are not shown");
}

#[tokio::test]
async fn an_outcome_with_the_deepest_arguments_reads_back() {
    let engine = ClosureEngine::new(|_, handle| {
        let depth = codemode_core::MAX_JSON_DEPTH - 1;
        let arguments = format!("{{\"a\":{}{}}}", "[".repeat(depth), "]".repeat(depth));
        call(handle, "echo", &arguments).expect("not stopped");
        Ok(returned())
    });
    let outcome = runner(engine).0.build().expect("a runner").run(request()).await.expect("no host error");
    let read = serde_json::from_str::<serde_json::Value>(&outcome.to_json()).map(|json| json["calls"][0]["arguments"]["a"].is_array());
    assert_eq!(read.map_err(|error| error.to_string()), Ok(true));
}

#[test]
fn an_engine_that_cannot_be_deterministic_is_not_asked_to_be() {
    let error = runner(ClosureEngine::new(|_, _| Ok(returned()))).0.deterministic(1).build().expect_err("it cannot");
    assert_eq!(error.to_string(), "engine closure: cannot make each run the same; leave `deterministic` out");
}
