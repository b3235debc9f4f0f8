//! The JavaScript profiles end to end, on QuickJS in a thread: what core promises of them holds for programs that are programs.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use codemode_core::{
    Annotations, Answer, Bound, Budgets, CallStatus, Catalog, Content, FailureKind, FnHost, Json, Outcome, Profile, RunRequest, Runner,
    ToolHost, ToolSpec,
};
use codemode_quickjs::QuickJs;
use codemode_session::SessionFolder;

fn runner(profile: Profile, host: Arc<dyn ToolHost>) -> Runner {
    Runner::builder(Arc::new(QuickJs::new()), profile, host).build().expect("a runner")
}

/// What a run came to: its kind and message, or its value.
fn said(outcome: &Outcome) -> Result<&str, (FailureKind, &str)> {
    match &outcome.failure {
        None => Ok(outcome.value.as_ref().map_or("no value", Json::text)),
        Some(failure) => Err((failure.kind, &failure.message)),
    }
}

async fn run(profile: Profile, source: &str) -> Outcome {
    let request = RunRequest::new(source).with_intent("to test");
    runner(profile, host().0).run(request).await.expect("no host error")
}

/// Arguments and intents that reached the host.
type Reached = Arc<Mutex<Vec<(String, Option<String>)>>>;

/// Tools of several tempers: `echo` gives its arguments, `text` a text, `fail` a partial failure, `deny` a refusal.
fn host() -> (Arc<dyn ToolHost>, Reached) {
    let reached = Reached::default();
    let seen = Arc::clone(&reached);
    let output = Json::parse(r#"{"type":"object"}"#).expect("json");
    let tools = [
        ToolSpec::new("echo").with_description("Gives its arguments back").with_output_schema(output),
        ToolSpec::new("some-text").with_description("Gives a text"),
        ToolSpec::new("fail").with_description("Gives a part and fails"),
        ToolSpec::new("deny").with_description("Is never allowed"),
        ToolSpec::new("srv__look").in_namespace("srv", "look").with_description("Looks at a server"),
    ]
    .map(|tool| tool.with_annotations(Annotations::read_only()));
    let host = FnHost::new(Catalog::new(tools).expect("distinct"), move |context, call| {
        let intent = context.intent.as_deref().map(str::to_owned);
        seen.lock().expect("not poisoned").push((format!("{} {}", call.tool.name, call.arguments), intent));
        async move {
            match &*call.tool.name {
                "some-text" => Answer::text("a text"),
                "fail" => {
                    let part = Content::text("the first half");
                    Answer::Failed(codemode_core::Fault::new("half_done", "only a half").with_content(part))
                }
                "deny" => Answer::denied("not today"),
                _ => Answer::structured(call.arguments),
            }
        }
    });
    (Arc::new(host), reached)
}

#[tokio::test]
async fn a_batch_finds_tools_calls_them_and_gets_failures_as_data() {
    let program = r#"
        const found = tools.search("gives text").map(entry => entry.name);
        const text = tools.call("some_text", {});
        const echo = tools.call("echo", {a: [1, null]});
        const failed = tools.call("fail", {});
        const denied = tools.call("deny", {});
        const unknown = tools.call("ekho", {});
        return {
            found, text, echo, failed, denied: denied.error, unknown: unknown.error.code,
            described: tools.describe("some_text"), output: tools.describe("echo").output_schema, missing: tools.describe("nope"),
            listed: tools.list().length,
        };
    "#;
    let outcome = run(Profile::batch(), program).await;
    let expected = concat!(
        r#"{"found":["some-text"],"text":{"success":true,"content":{"text":"a text"}},"#,
        r#""echo":{"success":true,"content":{"a":[1,null]}},"#,
        r#""failed":{"success":false,"error":{"code":"half_done","message":"only a half"},"content":{"text":"the first half"}},"#,
        r#""denied":{"code":"denied","message":"not today"},"unknown":"unknown_tool","#,
        r#""described":{"name":"some-text","alias":"some_text","description":"Gives a text","parameters":{"type":"object"}},"#,
        r#""output":{"type":"object"},"missing":null,"listed":5}"#
    );
    assert_eq!(said(&outcome), Ok(expected));
    let calls: Vec<_> = outcome.ledger.records().iter().map(|record| (&*record.tool, record.status)).collect();
    let statuses = [("some-text", CallStatus::Ok), ("echo", CallStatus::Ok), ("fail", CallStatus::Failed), ("deny", CallStatus::Denied)];
    assert_eq!(calls, statuses);
}

#[tokio::test]
async fn a_batch_without_a_return_gives_null_and_its_budget_costs_nothing() {
    assert_eq!(said(&run(Profile::batch(), "tools.call('echo', {});").await), Ok("null"));
    let program = "
        tools.call('echo', {});
        for (let count = 0; count < 500; count++) tools.budget();
        const {runtime_ms, memory_bytes, ...rest} = tools.budget();
        return {rest, times: Object.keys(runtime_ms), fits: memory_bytes.used + memory_bytes.remaining === memory_bytes.limit};
    ";
    let expected = concat!(
        r#"{"rest":{"inner_calls":{"used":1,"limit":200,"remaining":199},"#,
        r#""result_bytes":{"used":2,"limit":8388608,"remaining":8388606},"batch_history_bytes":null,"session_history_bytes":null,"#,
        r#""inner_result_bytes_limit":1048576,"return_bytes_limit":262144},"times":["used","limit","remaining"],"fits":true}"#
    );
    assert_eq!(said(&run(Profile::batch(), program).await), Ok(expected));
}

#[tokio::test]
async fn each_call_of_a_batch_says_why_where_the_host_asks_for_it() {
    let program = r#"
        const without = tools.call("echo", {a: 1});
        tools.call("echo", {intent: "to hear", a: 1});
        tools.call("srv__look", {intent: "to see", arguments: {b: 2}});
        return without.error;
    "#;
    let (host, reached) = host();
    let runner = runner(Profile::batch().with_call_intents(true), host);
    let outcome = runner.run(RunRequest::new(program).with_intent("to test")).await.expect("no host error");
    let message =
        r#"{"code":"invalid_arguments","message":"the call says no intent; say in a few words what it is for: {intent: \"…\", …}"}"#;
    assert_eq!(said(&outcome), Ok(message));
    let expected = [(r#"echo {"a":1}"#, "to hear"), (r#"srv__look {"b":2}"#, "to see")];
    let expected = expected.map(|(call, intent)| (call.to_owned(), Some(intent.to_owned())));
    assert_eq!(*reached.lock().expect("not poisoned"), expected);
}

/// A host whose `meet` answers when fifty of it are out at once, and not before.
fn meeting() -> Arc<dyn ToolHost> {
    let barrier = Arc::new(tokio::sync::Barrier::new(50));
    let parallel = Annotations { parallel: Some(true), ..Annotations::read_only() };
    let tools = [ToolSpec::new("meet").with_annotations(parallel), ToolSpec::new("write")];
    Arc::new(FnHost::new(Catalog::new(tools).expect("distinct"), move |_, call| {
        let barrier = Arc::clone(&barrier);
        async move {
            if &*call.tool.name == "meet" {
                barrier.wait().await;
            }
            Answer::structured(call.arguments)
        }
    }))
}

#[tokio::test]
async fn fifty_calls_of_a_program_are_out_at_once_and_a_sequential_one_waits_for_them() {
    let program = "
        const order = [];
        const meet = (n) => tools.meet({n}).then(() => order.push(n));
        await Promise.all([...Array.from({length: 50}, (_, n) => meet(n)), tools.write({}).then(() => order.push('write'))]);
        return [order.length, order.at(-1)];
    ";
    let outcome = runner(Profile::program(), meeting()).run(RunRequest::new(program)).await.expect("no host error");
    assert_eq!((said(&outcome), outcome.warnings.len()), (Ok(r#"[51,"write"]"#), 0));
}

#[tokio::test]
async fn timers_of_a_program_spend_no_compute_and_what_cannot_settle_is_told_at_once() {
    let budgets = Budgets { compute: Duration::from_millis(500), ..Profile::program().budgets };
    let program = "for (let n = 0; n < 4; n++) await new Promise(done => setTimeout(done, 200)); return 'through'";
    let outcome = run(Profile::program().with_budgets(budgets), program).await;
    assert_eq!(said(&outcome), Ok(r#""through""#));
    assert!(outcome.usage.wall >= Duration::from_millis(800));
    let message = "the program waits for something that nothing can settle: no call is out and no timer is set; \
                   await calls and timers only, and resolve each promise that the program makes itself";
    assert_eq!(said(&run(Profile::program(), "await new Promise(() => {})").await), Err((FailureKind::Error, message)));
}

#[tokio::test]
async fn a_program_is_counted_in_characters() {
    // Two quotes, and characters that take two bytes each and are no escapes.
    for (count, expected) in [
        (19_998, Ok(20_000)),
        (
            19_999,
            Err((FailureKind::Results, "the returned value has 20001 characters or more as json, and its budget is 20000 characters")),
        ),
    ] {
        let outcome = run(Profile::program(), &format!("console.log('ü'.repeat(30_000)); return 'é'.repeat({count})")).await;
        assert_eq!(said(&outcome).map(|value| value.chars().count()), expected);
        assert_eq!(outcome.output.chars().count(), 20_000);
    }
}

#[tokio::test]
async fn state_of_a_cell_commits_on_success_and_outlives_the_interpreter_that_holds_scratch() {
    let session = runner(Profile::cell(), host().0).session();
    let count = "state.n = (state.n ?? 0) + 1; scratch.n = (scratch.n ?? 0) + 1;";
    for (program, expected, committed) in [
        (format!("{count} return [state.n, scratch.n]"), Ok("[1,1]"), true),
        (format!("{count} throw new Error('no')"), Err(FailureKind::Error), false),
        (format!("{count} return [state.n, scratch.n]"), Ok("[2,3]"), true),
        (format!("{count} state.d = new Date(0); return 1"), Err(FailureKind::Error), false),
        (format!("{count} state.s = 'x'.repeat(300_000); return 1"), Err(FailureKind::Results), false),
        (format!("{count} for (let n = 0; n < 65; n++) await host.echo({{}})"), Err(FailureKind::Calls), false),
        (format!("async () => {{ {count} return [state.n, scratch.n] }}"), Ok("[3,1]"), true),
    ] {
        let outcome = session.run(RunRequest::new(program.as_str())).await.expect("no host error");
        assert_eq!(said(&outcome).map_err(|(kind, _)| kind), expected, "{program}: {:?}", outcome.failure);
        assert_eq!(outcome.state_committed, Some(committed), "{program}");
    }
}

#[tokio::test]
async fn state_of_a_cell_is_kept_in_a_folder_and_taken_up_by_the_next_host() {
    let place = tempfile::tempdir().expect("a folder");
    let program = "state.seen = [...(state.seen ?? []), 'é']; if (state.seen.length === 2) throw new Error('no'); return state.seen.length";
    let mut ends = Vec::new();
    for _ in 0..2 {
        let folder = SessionFolder::open(place.path().join("session")).expect("unlocked");
        let runner = Runner::builder(Arc::new(QuickJs::new()), Profile::cell(), host().0).journal(Arc::new(folder)).build();
        let outcome = runner.expect("a runner").session().run(RunRequest::new(program)).await.expect("no host error");
        ends.push((outcome.kind(), outcome.state_committed));
    }
    assert_eq!(ends, [(None, Some(true)), (Some(FailureKind::Error), Some(false))]);
    let state = SessionFolder::open(place.path().join("session")).expect("unlocked").state();
    assert_eq!(state.as_ref().map(Json::text), Some(r#"{"seen":["é"]}"#));
}

#[tokio::test]
async fn each_bound_of_state_holds_to_its_last_unit() {
    let deep = |levels: usize| format!("let deep = {{}}; for (let n = 2; n < {levels}; n++) deep = {{deep}}; state = {{deep}}; return 1");
    let many = |values: usize| format!("state = {{many: Array({}).fill(0)}}; return 1", values - 2);
    let large = |bytes: usize| format!("state = {{a: 'x'.repeat({})}}; return 1", bytes - 8);
    for (bound, limit, fits, over) in [
        (Bound::StateBytes, 262_144, large(262_144), large(262_145)),
        (Bound::StateDepth, 32, deep(32), deep(33)),
        (Bound::StateNodes, 16_384, many(16_384), many(16_385)),
    ] {
        let outcome = run(Profile::cell(), &fits).await;
        assert_eq!((said(&outcome), outcome.state_committed), (Ok("1"), Some(true)), "{bound:?}");
        let outcome = run(Profile::cell(), &over).await;
        let failure = outcome.failure.as_ref().map(|failure| (failure.kind, failure.bound, failure.limit));
        assert_eq!((failure, outcome.state_committed), (Some((FailureKind::Results, Some(bound), Some(limit))), Some(false)));
    }
}

#[tokio::test]
async fn log_and_value_of_a_cell_share_their_budget_to_the_last_byte() {
    // A log of 12 bytes with its line end, and a value of two quotes and as many letters as are asked for.
    for (letters, expected, log) in [
        (512 * 1024 - 14, Ok(512 * 1024 - 12), "ééééé.\n"),
        (512 * 1024 - 13, Ok(512 * 1024 - 11), "ééééé."),
        (512 * 1024 - 12, Ok(512 * 1024 - 10), "ééééé"),
        (512 * 1024 - 11, Ok(512 * 1024 - 9), "éééé"),
        (512 * 1024 - 2, Ok(512 * 1024), ""),
        (512 * 1024 - 1, Err((FailureKind::Results, Some(Bound::Value), Some(512 * 1024))), "ééééé.\n"),
    ] {
        let outcome = run(Profile::cell(), &format!("console.log('ééééé.'); return 'v'.repeat({letters})")).await;
        let value = match &outcome.failure {
            None => Ok(outcome.value.as_ref().map_or(0, Json::bytes)),
            Some(failure) => Err((failure.kind, failure.bound, failure.limit)),
        };
        assert_eq!((value, outcome.output.as_str()), (expected, log), "{letters} letters");
    }
}
