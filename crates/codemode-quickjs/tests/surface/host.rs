//! A host with tools of awkward names, and what a reader is told of a run.

use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use codemode_core::{
    Annotations, Answer, Ask, Blob, Call, CallContext, Catalog, Content, Fault, Isolation, Json, Outcome, Profile, RunRequest, Runner,
    ToolHost, ToolSpec, code, discover_plainly,
};
use codemode_quickjs::QuickJs;

struct Tools(Arc<Catalog>);

/// Tools that only look; all but those that say otherwise echo their arguments.
const LOOKING: &[&str] =
    &["a-b", "blob", "blobs", "constructor", "delete", "echo", "fail", "both", "__proto__", "refuse", "search", "slow", "then"];

fn tool(name: &str) -> ToolSpec {
    ToolSpec::new(name).with_description(format!("scripted {name}")).with_annotations(Annotations::read_only())
}

#[async_trait]
impl ToolHost for Tools {
    fn catalog(&self) -> Arc<Catalog> {
        Arc::clone(&self.0)
    }

    async fn admit(&self, namespace: &str) -> Vec<Arc<ToolSpec>> {
        ["look", "then"].map(|short| Arc::new(tool(&format!("{namespace}__{short}")).in_namespace(namespace, short))).to_vec()
    }

    async fn discover(&self, catalog: &Arc<Catalog>, ask: &Ask) -> Answer {
        match ask {
            Ask::Open { handle, offset, limit } => Answer::text(format!("{handle} from {offset}, {limit} bytes")),
            _ => discover_plainly(catalog, ask),
        }
    }

    async fn call(&self, _: &CallContext, call: Call) -> Answer {
        let blob = |bytes| Blob { handle: Arc::from(format!("blob:{bytes}")), media_type: Arc::from("image/png"), bytes };
        let data = || Json::parse(r#"{"at":3}"#).expect("json");
        match &*call.tool.name {
            "blob" => Answer::Succeeded(Content { blobs: vec![blob(3)], ..Content::default() }),
            "blobs" => Answer::Succeeded(Content { blobs: vec![blob(3), blob(4)], ..Content::text("two") }),
            "both" => Answer::Succeeded(Content::text_and_structured("as text", data())),
            "fail" => Answer::Failed(Fault::new("broken", "it broke").with_data(data()).with_fix("mend it")),
            "refuse" => Answer::NotRun(Fault::new(code::DENIED, "not on a Sunday")),
            "slow" => {
                tokio::time::sleep(Duration::from_millis(call.arguments.tree()["ms"].as_u64().unwrap_or_default())).await;
                Answer::text("slept")
            }
            name => Answer::text(format!("{name} {}", call.arguments)),
        }
    }
}

pub(crate) fn runner(profile: Profile) -> Runner {
    let served = ["look", "then"].map(|short| tool(&format!("srv__{short}")).in_namespace("srv", short));
    let tools = LOOKING.iter().map(|name| tool(name)).chain(served);
    let catalog = Catalog::new(tools).expect("distinct names").with_unlisted(["lazy", "then"]);
    let profile = profile.with_isolation(Isolation::Thread).with_intent_required(false);
    Runner::builder(Arc::new(QuickJs::new()), profile, Arc::new(Tools(Arc::new(catalog)))).build().expect("a runner")
}

/// Runs each program by itself and compares what a reader is told of it.
pub(crate) async fn check(runner: &Runner, cases: &[(&str, &str)]) {
    let mut wrong = String::new();
    for (source, expected) in cases {
        let outcome = runner.run(RunRequest::new(*source)).await.expect("the host is well");
        compare(source, &told(&outcome), expected, &mut wrong);
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// Runs the programs one after the other in one session.
pub(crate) async fn check_session(runner: &Runner, cases: &[(&str, &str)]) {
    let session = runner.session();
    let mut wrong = String::new();
    for (source, expected) in cases {
        let outcome = session.run(RunRequest::new(*source)).await.expect("the host is well");
        compare(source, &told(&outcome), expected, &mut wrong);
    }
    assert!(wrong.is_empty(), "{wrong}");
}

fn compare(source: &str, told: &str, expected: &str, wrong: &mut String) {
    if told != expected {
        let _ = write!(wrong, "\n--- {source}\n    told: {told}\nexpected: {expected}");
    }
}

/// An outcome as a few lines: how it ended, state, output, calls, warnings.
pub(crate) fn told(outcome: &Outcome) -> String {
    let mut told = match (&outcome.failure, &outcome.value) {
        (Some(failure), _) => {
            let mut told = format!("{}: {}", failure.kind, failure.message);
            if let Some(location) = failure.location {
                let _ = write!(told, " @{}", location.line);
            }
            if let Some(fix) = &failure.fix {
                let _ = write!(told, " (fix: {fix})");
            }
            told
        }
        (None, Some(value)) => value.to_string(),
        (None, None) => "nothing".to_owned(),
    };
    if let Some(state) = &outcome.state {
        let _ = write!(told, "\nstate {state}");
    }
    for line in outcome.output.lines() {
        let _ = write!(told, "\n> {line}");
    }
    for call in outcome.ledger.records() {
        let _ = write!(told, "\n- {} {} {}", call.tool, call.arguments, call.status.as_str());
    }
    for warning in &outcome.warnings {
        let _ = write!(told, "\n! {warning}");
    }
    told
}
