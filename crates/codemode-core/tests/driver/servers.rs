//! Servers that are not listed yet: who names a tool of one waits for it, once a run, and is told why where it does not come.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use codemode_core::{
    Answer, Ask, Call, CallContext, Catalog, Engine, Handle, Json, Missing, Next, Outcome, Resolved, Runner, ToolHost, ToolSpec, code,
};
use tokio::sync::watch;

use crate::mock::{self, ClosureEngine, call, request, returned};

/// Servers of one tool each. `late` is listed only after `early`; `gone` does not come, `mute` has nothing, `never` keeps everybody
/// waiting.
struct Servers {
    catalog: Arc<Catalog>,
    /// What was listed and called, in order.
    seen: Mutex<Vec<String>>,
    early: watch::Sender<bool>,
}

impl Servers {
    fn new() -> Arc<Self> {
        let catalog = Catalog::new([ToolSpec::new("echo")]).expect("distinct");
        let catalog = catalog.with_unlisted(["early", "gone", "late", "mute", "never", "web-search"]);
        Arc::new(Self { catalog: Arc::new(catalog), seen: Mutex::default(), early: watch::channel(false).0 })
    }

    fn saw(&self, what: String) {
        self.seen.lock().expect("not poisoned").push(what);
    }
}

#[async_trait]
impl ToolHost for Servers {
    fn catalog(&self) -> Arc<Catalog> {
        Arc::clone(&self.catalog)
    }

    async fn admit(&self, namespace: &str) -> Vec<Arc<ToolSpec>> {
        match namespace {
            "late" => drop(self.early.subscribe().wait_for(|early| *early).await.expect("the sender lives")),
            "early" => drop(self.early.send_replace(true)),
            "never" => std::future::pending().await,
            _ => {}
        }
        self.saw(format!("listed {namespace}"));
        match namespace {
            "gone" | "mute" => Vec::new(),
            _ => vec![Arc::new(ToolSpec::new(format!("{namespace}__look")).in_namespace(namespace, "look"))],
        }
    }

    fn unavailable(&self, namespace: &str) -> Option<String> {
        (namespace == "gone").then(|| "it ended with status 1:\n\u{1b}[31mno key".to_owned())
    }

    async fn call(&self, _context: &CallContext, call: Call) -> Answer {
        self.saw(format!("called {}", call.tool.name));
        Answer::text("seen")
    }
}

async fn outcome_of(host: &Arc<Servers>, program: impl Fn(&Handle) + Send + Sync + 'static) -> Outcome {
    let engine = ClosureEngine::new(move |_, handle| {
        program(handle);
        Ok(returned())
    });
    let runner = Runner::builder(engine as Arc<dyn Engine>, mock::profile(), Arc::clone(host) as Arc<dyn ToolHost>).build();
    let outcome = runner.expect("a runner").run(request()).await.expect("no host error");
    assert!(outcome.is_ok(), "{:?}", outcome.failure);
    outcome
}

fn seen(host: &Servers) -> Vec<String> {
    std::mem::take(&mut *host.seen.lock().expect("not poisoned"))
}

fn asked(name: &str) -> Ask {
    Ask::Call { name: name.to_owned(), arguments: Json::empty_object(), intent: None }
}

#[tokio::test]
async fn calls_wait_for_their_servers_and_start_in_the_order_in_which_they_are_made() {
    let host = Servers::new();
    let outcome = outcome_of(&host, |handle| {
        let names = ["late__look", "echo", "early.look", "late.look"];
        let asks: Vec<_> = names.iter().map(|name| handle.start(asked(name)).expect("not stopped")).collect();
        let described = handle.call(Ask::Describe { name: "late__look".to_owned() }).expect("not stopped");
        let expected = r#"{"name":"late__look","description":"","parameters":{"type":"object"}}"#;
        assert_eq!(described.answer, Answer::structured(Json::parse(expected).expect("json")));
        for id in asks {
            let Next::Answer(delivered) = handle.next(None) else { panic!("an answer for {id:?}") };
            assert_eq!(delivered.answer, Answer::text("seen"));
        }
    })
    .await;
    let ledger: Vec<&str> = outcome.ledger.records().iter().map(|record| &*record.tool).collect();
    assert_eq!(ledger, ["late__look", "echo", "early__look", "late__look"]);
    let expected =
        ["listed early", "listed late", "called late__look", "called echo", "called early__look", "called late__look"].map(str::to_owned);
    assert_eq!(seen(&host), expected);
}

#[tokio::test]
async fn the_alias_of_a_servers_tool_touches_the_server() {
    let host = Servers::new();
    outcome_of(&host, |handle| {
        for name in ["web_search__look", "web-search__look", "web-search.look", "web_search.look"] {
            assert!(matches!(handle.resolve(name), Ok(Resolved::Tool(tool)) if &*tool.name == "web-search__look"), "{name}");
        }
        assert!(matches!(handle.resolve("web_search"), Ok(Resolved::Namespace(name)) if &*name == "web-search"));
        assert_eq!(call(handle, "web_search__look", "{}").expect("not stopped").answer, Answer::text("seen"));
    })
    .await;
    assert_eq!(seen(&host), ["listed web-search", "called web-search__look"]);
}

#[tokio::test]
async fn a_server_that_does_not_come_is_waited_for_once_and_calls_say_why() {
    let host = Servers::new();
    let outcome = outcome_of(&host, |handle| {
        let why = "server \"gone\" is not available: it ended with status 1:\\n\\u{1b}[31mno key";
        for name in ["gone__look", "gone.look"] {
            let Answer::NotRun(fault) = call(handle, name, "{}").expect("not stopped").answer else { panic!("{name} was run") };
            assert_eq!((&*fault.code, fault.message), (code::UNAVAILABLE, format!("tool \"{name}\" cannot be called, since {why}")));
            assert_eq!(fault.fix, None);
        }
        let described = handle.call(Ask::Describe { name: "gone__look".to_owned() }).expect("not stopped");
        assert_eq!(described.answer, Answer::structured(Json::null()));
        assert!(matches!(handle.resolve("gone"), Ok(Resolved::Namespace(name)) if &*name == "gone"));
        assert!(matches!(handle.resolve("gone.look"), Ok(Resolved::Missing(missing)) if missing.unavailable.is_some()));
        // A host that has no reason to give: then the name is like any other.
        assert!(matches!(handle.resolve("mute.look"), Ok(Resolved::Missing(missing)) if missing == Missing::new("mute.look")));
    })
    .await;
    assert_eq!(outcome.warnings, ["server \"gone\" is not available: it ended with status 1:\\n\\u{1b}[31mno key"]);
    assert_eq!(seen(&host), ["listed gone", "listed mute"]);
    assert_eq!(outcome.ledger.len(), 0);
}

#[tokio::test]
async fn a_call_that_still_waits_when_the_program_ends_is_dropped_and_named() {
    let host = Servers::new();
    let outcome = outcome_of(&host, |handle| {
        for ask in [asked("never__look"), asked("echo"), Ask::Describe { name: "never__look".to_owned() }] {
            handle.start(ask).expect("not stopped");
        }
    })
    .await;
    let expected =
        "calls had not started when the program ended, and were dropped: echo, never__look; await what must be done before the end";
    assert_eq!(outcome.warnings, [expected]);
    assert_eq!(seen(&host), Vec::<String>::new());
}
