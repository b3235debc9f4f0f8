//! The scripted host: tools that behave in every way that a tool can behave, and a count of the calls that reached it.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use codemode_core::{
    Annotations, Answer, Ask, Blob, Call, CallContext, Catalog, Content, Fault, Json, Note, ToolHost, ToolSpec, code, discover_plainly,
};
use serde_json::{Value, json};

use crate::parts;

/// The host that programs of cases call. One for each case.
pub(crate) struct ScriptedHost {
    catalog: Arc<Catalog>,
    reached: Mutex<Vec<String>>,
    counted: AtomicU64,
    in_flight: AtomicU64,
    met: tokio::sync::watch::Sender<u64>,
}

/// Counts a call for as long as it is out.
struct InFlight<'a>(&'a AtomicU64);

impl Drop for InFlight<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Tools that only look; each is explained where it answers.
const LOOKING: &[&str] = &[
    "__proto__",
    "a-b",
    "a.b",
    "big",
    "cancellable",
    "constructor",
    "count",
    "delete",
    "echo",
    "empty",
    "end",
    "fail",
    "hasty",
    "meet",
    "never",
    "note",
    "panic",
    "parts",
    "refuse",
    "slow",
    "strict",
    "structured",
    "structured_and_text",
    "then",
    "unavailable",
];

/// The servers whose tools are there from the start, the one that is listed when it is first touched, the one that is not there
/// then, and the one that is waited for in vain.
const LISTED: &str = "srv";
const LISTED_IN_BLOCKS: &str = "box";
const UNLISTED: &str = "lazy";
const ABSENT: &str = "absent";
const STUCK: &str = "stuck";

impl ScriptedHost {
    /// A host whose catalog leaves `excluded` to others than programs.
    pub(crate) fn new(excluded: &[String]) -> Self {
        let looking = LOOKING.iter().map(|name| described(name).with_annotations(Annotations::read_only()));
        let tools = looking
            .chain([
                described("alone"),
                described("mutate"),
                described("run_code"),
                on_server(LISTED, "look"),
                on_server(LISTED_IN_BLOCKS, "parts"),
            ])
            .map(with_schema);
        // The names above are distinct; a catalog of nothing would fail every case.
        let catalog =
            Catalog::new(tools).unwrap_or_default().excluding(excluded.iter().map(String::as_str)).with_unlisted([UNLISTED, ABSENT, STUCK]);
        Self {
            catalog: Arc::new(catalog),
            reached: Mutex::default(),
            counted: AtomicU64::new(0),
            in_flight: AtomicU64::new(0),
            met: tokio::sync::watch::channel(0).0,
        }
    }

    /// The raw names of the tools whose calls reached the host, in order.
    pub(crate) fn take_reached(&self) -> Vec<String> {
        std::mem::take(&mut *self.reached.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

fn described(name: &str) -> ToolSpec {
    ToolSpec::new(name).with_description(format!("The scripted tool {name}."))
}

fn on_server(server: &str, short: &str) -> ToolSpec {
    described(&format!("{server}__{short}")).in_namespace(server, short).with_annotations(Annotations::read_only())
}

fn with_schema(tool: ToolSpec) -> ToolSpec {
    match &*tool.name {
        "hasty" => {
            let annotations = Annotations { deadline: Some(Duration::from_millis(100)), ..tool.annotations };
            tool.with_annotations(annotations)
        }
        "strict" => {
            let schema = json!({
                "type": "object",
                "properties": {"count": {"type": "integer"}, "label": {"type": "string"}},
                "required": ["count"],
                "additionalProperties": false,
            });
            match Json::from_value(schema) {
                Ok(schema) => tool.with_input_schema(schema),
                Err(_) => tool,
            }
        }
        _ => tool,
    }
}

#[async_trait]
impl ToolHost for ScriptedHost {
    fn catalog(&self) -> Arc<Catalog> {
        Arc::clone(&self.catalog)
    }

    async fn admit(&self, namespace: &str) -> Vec<Arc<ToolSpec>> {
        match namespace {
            UNLISTED => vec![Arc::new(on_server(UNLISTED, "look"))],
            STUCK => std::future::pending().await,
            _ => Vec::new(),
        }
    }

    fn unavailable(&self, namespace: &str) -> Option<String> {
        (namespace == ABSENT).then(|| "it ended with status 1".to_owned())
    }

    async fn discover(&self, catalog: &Arc<Catalog>, ask: &Ask) -> Answer {
        match ask {
            Ask::Open { handle, offset, limit } => parts::open(handle, *offset, *limit),
            ask => discover_plainly(catalog, ask),
        }
    }

    fn blob(&self, handle: &str) -> Option<Blob> {
        parts::held(handle)
    }

    async fn call(&self, context: &CallContext, call: Call) -> Answer {
        let name = call.tool.name.to_string();
        self.reached.lock().unwrap_or_else(PoisonError::into_inner).push(name.clone());
        self.in_flight.fetch_add(1, Ordering::SeqCst);
        let _out = InFlight(&self.in_flight);
        let given = call.arguments.tree();
        let number = |key: &str| given[key].as_u64().unwrap_or_default();
        let message = |default: &str| given["message"].as_str().unwrap_or(default).to_owned();
        match name.as_str() {
            // It ran and reported failure, perhaps with a code of its own and part of what it made.
            "fail" => {
                let fault = Fault::new(given["code"].as_str().unwrap_or(code::FAILED).to_owned(), message("it failed"));
                Answer::Failed(match given["partial"].as_str() {
                    Some(partial) => fault.with_content(Content::text(partial)),
                    None => fault,
                })
            }
            // The host refuses it itself.
            "refuse" => Answer::denied(message("refuse is refused")),
            // What is behind the tool is not there.
            "unavailable" => Answer::NotRun(Fault::new(code::UNAVAILABLE, message("the server behind unavailable is down"))),
            // It waits without computing.
            "slow" => {
                tokio::time::sleep(Duration::from_millis(number("ms"))).await;
                Answer::text("slept")
            }
            // It gives that many bytes of text.
            "big" => Answer::text("x".repeat(usize::try_from(number("bytes")).unwrap_or_default())),
            // Structured content alone: what is under `value`, else all arguments.
            "structured" => structured(given.get("value").unwrap_or(given)),
            "structured_and_text" => match Json::from_value(given.clone()) {
                Ok(json) => Answer::Succeeded(Content::text_and_structured("as text", json)),
                Err(error) => Answer::failed(error.to_string()),
            },
            // It succeeds and has nothing to say.
            "empty" => Answer::Succeeded(Content::default()),
            // It counts its calls.
            "count" => Answer::text((self.counted.fetch_add(1, Ordering::SeqCst) + 1).to_string()),
            // It answers when as many calls of it are out at once as `n` says.
            "meet" => {
                self.met.send_modify(|met| *met += 1);
                let all = number("n");
                match self.met.subscribe().wait_for(|met| *met >= all).await {
                    Ok(_) => Answer::text("met"),
                    Err(error) => Answer::failed(error.to_string()),
                }
            }
            // It may change the world, so that it runs alone, and it says how many calls were out with it.
            "alone" => {
                let before = self.in_flight.load(Ordering::SeqCst);
                tokio::time::sleep(Duration::from_millis(number("ms"))).await;
                Answer::text(before.max(self.in_flight.load(Ordering::SeqCst)).to_string())
            }
            // It may change the world: nothing is said of it.
            "mutate" => Answer::text("changed"),
            // It never answers, whoever asks it to stop.
            "never" | "hasty" => std::future::pending().await,
            // It answers when it is cancelled.
            "cancellable" => {
                context.cancelled.cancelled().await;
                Answer::failed("it was cancelled")
            }
            // It panics, without a word on standard error.
            "panic" => std::panic::resume_unwind(Box::new(message("it panicked"))),
            // They give binary parts: a tool's own, or a server's in blocks.
            "parts" => parts::of_a_tool(given),
            "box__parts" => parts::of_a_server(given),
            // It has something for the outcome besides its answer.
            "note" => {
                context.control.note(Note::Warning("a warning of the tool".to_owned()));
                context.control.note(Note::Context("context of the tool".to_owned()));
                context.control.note(Note::ChangedPath("changed/by/the/tool".to_owned()));
                Answer::text("noted")
            }
            // `echo`, and all tools that are there for their names: the arguments as JSON text.
            _ => Answer::text(call.arguments.text()),
        }
    }
}

fn structured(value: &Value) -> Answer {
    match Json::from_value(value.clone()) {
        Ok(json) => Answer::structured(json),
        Err(error) => Answer::failed(error.to_string()),
    }
}
