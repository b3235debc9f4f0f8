//! A host of tools of our own, which needs no server.

use std::sync::Arc;

use async_trait::async_trait;
use codemode_core::{Annotations, Answer, Block, Call, CallContext, Catalog, Content, Fault, Json, Note, ToolHost, ToolSpec, code};
use codemode_mcp::McpHost;
use codemode_session::BlobStore;
use tokio::sync::{Semaphore, mpsc};

/// A picture, for who does not look closely.
pub(crate) const PICTURE: &[u8] = b"\x89PNG picture";
/// A sound.
pub(crate) const SOUND: &[u8] = b"RIFF sound";
/// Some other file.
pub(crate) const PAPER: &[u8] = b"%PDF paper";

/// Tools that add, show, wait and fail.
pub(crate) struct Local {
    catalog: Arc<Catalog>,
    blobs: Arc<BlobStore>,
    events: mpsc::UnboundedSender<&'static str>,
    /// A call of `wait` takes one and ends.
    released: Semaphore,
}

/// A host, what happens at its tools, and how calls of `wait` come to their end.
pub(crate) struct Tools {
    pub(crate) host: Arc<McpHost>,
    pub(crate) local: Arc<Local>,
    pub(crate) events: mpsc::UnboundedReceiver<&'static str>,
}

fn json(text: &str) -> Json {
    Json::parse(text).expect("json")
}

fn catalog() -> Catalog {
    let numbers = r#"{"type":"object","properties":{"a":{"type":"number"},"b":{"type":"number"}},"required":["a","b"]}"#;
    let sum = r#"{"type":"object","properties":{"sum":{"type":"number"}},"required":["sum"]}"#;
    let add = ToolSpec::new("add")
        .with_description("Adds two numbers.")
        .with_input_schema(json(numbers))
        .with_output_schema(json(sum))
        .with_annotations(Annotations::read_only());
    let looks = |name: &str, what: &str| ToolSpec::new(name).with_description(what).with_annotations(Annotations::read_only());
    Catalog::new([
        add,
        looks("shot", "Takes a picture of the screen."),
        looks("parts", "Gives a sound, a paper and a link."),
        looks("wait", "Waits until it is released."),
        looks("slow", "Waits until it is cancelled."),
        looks("far", "Says how far it is."),
        ToolSpec::new("fail").with_description("Fails."),
        ToolSpec::new("search_tools").with_description("Imitates a tool of the server's own."),
    ])
    .expect("distinct names")
}

impl Tools {
    /// A host of these tools alone.
    pub(crate) fn new() -> Self {
        let blobs = Arc::new(BlobStore::new(BlobStore::DEFAULT_BYTES));
        let (sender, events) = mpsc::unbounded_channel();
        let local =
            Arc::new(Local { catalog: Arc::new(catalog()), blobs: Arc::clone(&blobs), events: sender, released: Semaphore::new(0) });
        let host = McpHost::builder().blobs(blobs).local(Arc::clone(&local) as _).start();
        Self { host, local, events }
    }

    /// What happens next at the tools.
    pub(crate) async fn next(&mut self) -> &'static str {
        self.events.recv().await.expect("the tools are there")
    }
}

impl Local {
    /// Lets this many calls of `wait` end.
    pub(crate) fn release(&self, calls: usize) {
        self.released.add_permits(calls);
    }

    fn say(&self, event: &'static str) {
        // A test that looks at no events has dropped its end.
        let _ = self.events.send(event);
    }

    fn shot(&self) -> Answer {
        let blob = self.blobs.keep("image/png", PICTURE).expect("room");
        let blocks = [Block::Text("the screen".into()), Block::Blob(blob.clone())];
        Answer::Succeeded(Content { text: Some("the screen".into()), blobs: vec![blob], blocks: Some(blocks.into()), ..Content::default() })
    }

    fn parts(&self) -> Answer {
        let sound = self.blobs.keep("audio/wav", SOUND).expect("room");
        let paper = self.blobs.keep("application/pdf", PAPER).expect("room");
        let link = Block::Link { uri: "file:///a".into(), name: "a".into(), media_type: Some("text/plain".into()) };
        let blocks = [Block::Blob(sound.clone()), Block::Blob(paper.clone()), link];
        Answer::Succeeded(Content { blobs: vec![sound, paper], blocks: Some(blocks.into()), ..Content::default() })
    }
}

#[async_trait]
impl ToolHost for Local {
    fn catalog(&self) -> Arc<Catalog> {
        Arc::clone(&self.catalog)
    }

    async fn call(&self, context: &CallContext, call: Call) -> Answer {
        let number = |name: &str| call.arguments.tree()[name].as_f64().unwrap_or_default();
        match &*call.tool.name {
            "add" => {
                let sum = json(&format!("{{\"sum\":{}}}", number("a") + number("b")));
                Answer::Succeeded(Content::text_and_structured(sum.text(), sum.clone()))
            }
            "shot" => self.shot(),
            "parts" => self.parts(),
            "far" => {
                context.control.note(Note::Progress("half of it".to_owned()));
                context.control.note(Note::Context("read this as well".to_owned()));
                Answer::text("done")
            }
            "wait" => {
                self.say("wait");
                self.released.acquire().await.expect("open").forget();
                Answer::text("released")
            }
            "slow" => {
                self.say("slow");
                context.cancelled.cancelled().await;
                self.say("cancelled");
                Answer::Unknown(Fault::new(code::OUTCOME_UNKNOWN, "it was cancelled"))
            }
            _ => Answer::Failed(Fault::new(code::FAILED, "it cannot be done").with_data(json(r#"{"why":"no"}"#)).with_fix("do not")),
        }
    }
}
