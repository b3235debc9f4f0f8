//! What results become.

use std::sync::Arc;

use codemode_catalog::ObservedShapes;
use codemode_core::{Answer, Ask, Blob, Block, Content, Note, ToolHost};
use codemode_mcp::McpHost;
use codemode_session::BlobStore;
use serde_json::{Value, json};

use crate::support::*;

async fn answer(result: Value) -> (Answer, Vec<Note>, Arc<McpHost>) {
    let host = host(&with_tools(&["answer"])).await;
    let caller = Caller::new();
    let answer = caller.call(&host, "s__answer", json!({"result": result})).await;
    (answer, caller.notes(), host)
}

async fn content(result: Value) -> (Content, Vec<Note>, Arc<McpHost>) {
    match answer(result).await {
        (Answer::Succeeded(content), notes, host) => (content, notes, host),
        (other, ..) => panic!("{other:?}"),
    }
}

fn text_block(text: &str) -> Block {
    Block::Text(text.into())
}

#[tokio::test]
async fn texts_are_joined_and_structured_content_stands_beside_them() {
    let result = json!({
        "content": [{"type": "text", "text": "one"}, {"type": "text", "text": "two"}],
        "structuredContent": {"n": [1, 2]}
    });
    let (content, notes, _) = content(result).await;
    assert_eq!((content.text.as_deref(), content.structured.as_ref().map(|json| json.text())), (Some("one\ntwo"), Some(r#"{"n":[1,2]}"#)));
    assert_eq!(content.blocks.as_deref(), Some([text_block("one"), text_block("two")].as_slice()));
    assert_eq!((content.blobs, content.withheld, notes), (vec![], false, vec![]));
}

#[tokio::test]
async fn nothing_is_an_empty_text_and_json_is_not_guessed() {
    let (nothing, ..) = content(json!({"content": []})).await;
    assert_eq!((nothing.text.as_deref(), nothing.structured), (Some(""), None));
    let (text, ..) = content(json!({"content": [{"type": "text", "text": "{\"a\":1}"}]})).await;
    assert_eq!((text.text.as_deref(), text.structured), (Some("{\"a\":1}"), None));
    let (structured, ..) = content(json!({"structuredContent": {"a": 1}})).await;
    assert_eq!((structured.text, structured.structured.map(|json| json.text().to_owned())), (None, Some(r#"{"a":1}"#.to_owned())));
}

#[tokio::test]
async fn a_reported_failure_has_the_whole_text_and_the_data() {
    let result = json!({
        "content": [{"type": "text", "text": "no such file"}, {"type": "text", "text": "try another"}],
        "structuredContent": {"errno": 2}, "isError": true
    });
    let (Answer::Failed(fault), ..) = answer(result).await else { panic!("no failure") };
    assert_eq!((fault.code.as_ref(), fault.message.as_str()), ("failed", "no such file\ntry another"));
    assert_eq!((fault.data.map(|data| data.text().to_owned()).as_deref(), fault.content), (Some(r#"{"errno":2}"#), None));
    let (Answer::Failed(silent), ..) = answer(json!({"content": [], "isError": true})).await else { panic!("no failure") };
    assert_eq!(silent.message, "s__answer failed, and its server does not say why");
}

#[tokio::test]
async fn binary_parts_stay_on_the_host_under_handles() {
    let result = json!({"content": [
        {"type": "text", "text": "a picture:"},
        {"type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png"},
        {"type": "audio", "data": "AAECAw", "mimeType": "audio/wav"},
        {"type": "resource", "resource": {"uri": "a://b", "mimeType": "application/zip", "blob": "UEsD\nBA=="}},
        {"type": "resource", "resource": {"uri": "a://c", "mimeType": "text/plain", "text": "inside"}},
        {"type": "resource_link", "uri": "file:///x.txt", "name": "x.txt", "mimeType": "text/plain", "size": 5},
    ]});
    let (content, notes, host) = content(result).await;
    let kinds: Vec<(&str, u64)> = content.blobs.iter().map(|blob| (&*blob.media_type, blob.bytes)).collect();
    assert_eq!(kinds, [("image/png", 8), ("audio/wav", 4), ("application/zip", 4)]);
    assert_eq!(content.text.as_deref(), Some("a picture:\ninside\n[x.txt: file:///x.txt]"));
    let [image, audio, archive] = content.blobs.as_slice() else { panic!("{:?}", content.blobs) };
    let blob = |blob: &Blob| Block::Blob(blob.clone());
    let link = Block::Link { uri: "file:///x.txt".into(), name: "x.txt".into(), media_type: Some("text/plain".into()) };
    let expected = [text_block("a picture:"), blob(image), blob(audio), blob(archive), text_block("inside"), link];
    assert_eq!(content.blocks.as_deref(), Some(expected.as_slice()));
    assert_eq!((content.withheld, notes), (false, vec![]));
    assert_eq!(host.blobs().get(&image.handle).map(|(_, bytes)| bytes.to_vec()), Some(b"\x89PNG\r\n\x1a\n".to_vec()));
    assert_eq!(host.blobs().get(&archive.handle).map(|(_, bytes)| bytes.to_vec()), Some(b"PK\x03\x04".to_vec()));
    assert_eq!(host.blob(&audio.handle).as_ref(), Some(audio));
    let opened = host.discover(&host.catalog(), &Ask::Open { handle: audio.handle.to_string(), offset: 1, limit: 2 }).await;
    let Answer::Succeeded(opened) = opened else { panic!("{opened:?}") };
    let expected = json!({"handle": &*audio.handle, "type": "audio/wav", "bytes": 4, "offset": 1, "base64": "AQI=", "next": 3});
    assert_eq!(opened.structured.as_ref().map(|json| json.tree()), Some(&expected));
}

#[tokio::test]
async fn what_a_structured_value_does_not_show_is_said() {
    let result = json!({
        "content": [{"type": "image", "data": "AAAA", "mimeType": "image/png"}],
        "structuredContent": {"width": 1}
    });
    let (content, notes, _) = content(result).await;
    let [image] = content.blobs.as_slice() else { panic!("{:?}", content.blobs) };
    let message = format!(
        "the structured result of s__answer does not show the binary parts that came with it: {} (image/png, 3 bytes)",
        image.handle
    );
    assert_eq!((content.text, notes), (None, vec![Note::Warning(message)]));
}

#[tokio::test]
async fn a_binary_part_that_a_structured_value_repeats_is_its_handle_there() {
    let data = "QUJD".repeat(100);
    let result = json!({
        "content": [{"type": "image", "data": data, "mimeType": "image/png"}],
        "structuredContent": {"pages": [{"image": data, "alt": "QUJD"}]}
    });
    let (content, notes, _) = content(result).await;
    let [image] = content.blobs.as_slice() else { panic!("{:?}", content.blobs) };
    let expected = json!({"pages": [{"image": &*image.handle, "alt": "QUJD"}]});
    assert_eq!((content.structured.as_ref().map(|json| json.tree()), notes), (Some(&expected), vec![]));
}

#[tokio::test]
async fn what_cannot_be_kept_is_withheld_and_said() {
    let builder = McpHost::builder().server(server("s", &with_tools(&["answer"]))).blobs(Arc::new(BlobStore::new(4_096)));
    let host = listed(builder).await;
    let caller = Caller::new();
    let result = json!({"content": [
        {"type": "text", "text": "kept"},
        {"type": "image", "data": "A".repeat(8_000), "mimeType": "image/png"},
        {"type": "image", "data": "?!", "mimeType": "image/png"},
        {"type": "image", "mimeType": "image/png"},
        {"type": "hologram", "data": "x"},
        {"type": "text"},
        5,
    ]});
    let answer = caller.call(&host, "s__answer", json!({"result": result})).await;
    let most = host.blobs().most_part_bytes();
    let Answer::Succeeded(content) = answer else { panic!("{answer:?}") };
    assert_eq!((content.text.as_deref(), content.blobs, content.withheld), (Some("kept"), vec![], true));
    assert_eq!(content.blocks.as_deref(), Some([text_block("kept")].as_slice()));
    let warnings = [
        format!("a part of type image/png was withheld, since it has 6000 bytes, and at most {most} are held"),
        "a part of type image/png was withheld, since its data is no base64".to_owned(),
        "a part of type image/png without its data was withheld".to_owned(),
        "a part of the result was withheld, since its type is unknown: \"hologram\"".to_owned(),
        "a text without its text was withheld".to_owned(),
        "a part of the result that is no object was withheld".to_owned(),
    ];
    assert_eq!(caller.notes(), warnings.map(Note::Warning));
}

#[tokio::test]
async fn what_is_no_result_is_a_failure() {
    for result in [json!(5), json!({}), json!({"content": "text"}), json!({"content": {"type": "text"}})] {
        let (answer, ..) = answer(result.clone()).await;
        let (kind, code, message) = fault_of(&answer);
        assert_eq!((kind, code.as_str()), ("failed", "failed"), "{result}");
        assert!(message.starts_with("the server's result ") && message.ends_with(", and cannot be read"), "{message}");
    }
    let (waits, ..) = answer(json!({"resultType": "input_required", "inputRequests": {}})).await;
    let message = "the server did not complete the call: it answered \"input_required\", as servers do that want to ask a person; a program cannot answer";
    assert_eq!(fault_of(&waits), fault("failed", "unsupported", message));
}

#[tokio::test]
async fn a_result_that_is_not_as_promised_is_given_and_warned_of_once() {
    let schema = json!({"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]});
    let list = json!([{"name": "answer", "inputSchema": {"type": "object"}, "outputSchema": schema}]);
    let host = host(&json!({"tools": list})).await;
    let caller = Caller::new();
    let result = |n: Value| json!({"result": {"content": [], "structuredContent": {"n": n}}});
    assert!(matches!(caller.call(&host, "s__answer", result(json!(1))).await, Answer::Succeeded(_)));
    assert_eq!(caller.notes(), []);
    for _ in 0..3 {
        let Answer::Succeeded(content) = caller.call(&host, "s__answer", result(json!("x"))).await else { panic!("no success") };
        assert_eq!(content.structured.as_ref().map(|json| json.text()), Some(r#"{"n":"x"}"#));
    }
    let notes = caller.notes();
    let [Note::Warning(warning)] = notes.as_slice() else { panic!("{notes:?}") };
    assert!(warning.starts_with("a result of s__answer is not what the tool promises: ") && warning.contains("integer"), "{warning}");
    let another = Caller::new();
    let without = json!({"result": {"content": [{"type": "text", "text": "x"}]}});
    assert!(matches!(another.call(&host, "s__answer", without).await, Answer::Succeeded(_)));
    let expected = "a result of s__answer is not what the tool promises: it has no structured content, and its tool promises some";
    assert_eq!(another.notes(), [Note::Warning(expected.to_owned())]);
}

#[tokio::test]
async fn shapes_of_results_are_learned_where_none_is_promised() {
    let shapes = Arc::new(ObservedShapes::new());
    let builder = McpHost::builder().server(server("s", &with_tools(&["answer"]))).shapes(Arc::clone(&shapes));
    let host = listed(builder).await;
    let tool = Arc::clone(host.catalog().get("s__answer").expect("a tool"));
    assert_eq!(shapes.schema(&tool), None);
    let result = json!({"result": {"content": [], "structuredContent": {"secret": "s3cret"}}});
    assert!(matches!(Caller::new().call(&host, "s__answer", result).await, Answer::Succeeded(_)));
    let schema = shapes.schema(&tool).expect("a shape").to_string();
    assert!(!schema.contains("s3cret"), "{schema}");
    assert!(schema.contains("object"), "{schema}");
}
