//! Intents: why a run is made, and why each of its calls is.

use std::sync::{Arc, Mutex};

use codemode_core::{Annotations, Answer, Ask, Catalog, Fault, FnHost, Json, Profile, RunRequest, Runner, ToolSpec, code};

use crate::mock::{self, ClosureEngine, call, returned};

#[tokio::test]
async fn a_batch_without_an_intent_is_an_error_of_its_host() {
    let runner = Runner::builder(ClosureEngine::new(|_, _| Ok(returned())), Profile::batch(), mock::host().0).build().expect("a runner");
    for request in [RunRequest::new(""), RunRequest::new("").with_intent(" \n")] {
        let error = runner.run(request).await.expect_err("no intent");
        let message = "profile batch needs an intent, and the request has none or a blank one; say in a few words what the run is for";
        assert_eq!(error.to_string(), message);
    }
    let outcome = runner.run(RunRequest::new("").with_intent("to see")).await.expect("no host error");
    assert_eq!((outcome.is_ok(), outcome.intent.as_deref()), (true, Some("to see")));
}

/// What reached the host: the tool, its arguments, the intent.
type Reached = Arc<Mutex<Vec<(String, String, Option<String>)>>>;

fn host() -> (Arc<dyn codemode_core::ToolHost>, Reached) {
    let reached = Reached::default();
    let seen = Arc::clone(&reached);
    let tools = [
        ToolSpec::new("read").with_annotations(Annotations::read_only()),
        ToolSpec::new("srv__look").in_namespace("srv", "look").with_annotations(Annotations::read_only()),
    ];
    let host = FnHost::new(Catalog::new(tools).expect("distinct"), move |context, call| {
        let intent = context.intent.as_deref().map(str::to_owned);
        seen.lock().expect("not poisoned").push((call.tool.name.to_string(), call.arguments.to_string(), intent));
        async { Answer::text("seen") }
    });
    (Arc::new(host), reached)
}

#[tokio::test]
async fn where_each_call_needs_an_intent_the_layers_get_it_and_the_tool_does_not() {
    let engine = ClosureEngine::new(|_, handle| {
        for (tool, arguments) in [
            ("read", r#"{"intent":"to read","path":"a"}"#),
            ("srv__look", r#"{"intent":"to look","arguments":{"at":1}}"#),
            ("srv.look", r#"{"intent":"to look"}"#),
        ] {
            assert_eq!(call(handle, tool, arguments).expect("not stopped").answer, Answer::text("seen"));
        }
        let refused = call(handle, "read", r#"{"path":"a"}"#).expect("not stopped").answer;
        let message = r#"the call says no intent; say in a few words what it is for: {intent: "…", …}"#;
        assert_eq!(refused, Answer::NotRun(Fault::new(code::INVALID_ARGUMENTS, message)));
        // An adapter may tell the intent apart from the arguments.
        let arguments = Json::parse(r#"{"path":"b"}"#).expect("json");
        let told = handle.call(Ask::Call { name: "read".to_owned(), arguments, intent: Some("told".to_owned()) });
        assert_eq!(told.expect("not stopped").answer, Answer::text("seen"));
        Ok(returned())
    });
    let (host, reached) = host();
    let runner = Runner::builder(engine, Profile::batch().with_call_intents(true), host).build().expect("a runner");
    let outcome = runner.run(RunRequest::new("").with_intent("to see")).await.expect("no host error");
    assert!(outcome.is_ok(), "{:?}", outcome.failure);
    let expected = [
        ("read", r#"{"path":"a"}"#, "to read"),
        ("srv__look", r#"{"at":1}"#, "to look"),
        ("srv__look", "{}", "to look"),
        ("read", r#"{"path":"b"}"#, "told"),
    ]
    .map(|(tool, arguments, intent)| (tool.to_owned(), arguments.to_owned(), Some(intent.to_owned())));
    assert_eq!((reached.lock().expect("not poisoned").as_slice(), outcome.ledger.len()), (&expected[..], 4));
}

#[tokio::test]
async fn where_none_is_asked_for_the_arguments_are_the_tools_own() {
    let engine = ClosureEngine::new(|_, handle| {
        call(handle, "read", r#"{"intent":"its own","path":"a"}"#).expect("not stopped");
        Ok(returned())
    });
    let (host, reached) = host();
    let runner = Runner::builder(engine, Profile::batch(), host).build().expect("a runner");
    assert!(runner.run(RunRequest::new("").with_intent("to see")).await.expect("no host error").is_ok());
    let expected = ("read".to_owned(), r#"{"intent":"its own","path":"a"}"#.to_owned(), None);
    assert_eq!(*reached.lock().expect("not poisoned"), [expected]);
}
