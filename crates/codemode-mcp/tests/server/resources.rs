//! Resources: what was printed and not shown, and pictures, to be read later.

use std::sync::Arc;

use codemode::{Budgets, FolderSpill, Profile};
use codemode_mcp::CodeServer;
use serde_json::{Value, json};

use crate::connected::{Client, as_json};
use crate::local::{PICTURE, Tools};

const MIB: usize = 1 << 20;

fn not_found(uri: &str) -> (i32, String) {
    (-32002, format!("there is no resource \"{uri}\", or none any more; resources/list has what there is"))
}

#[tokio::test]
async fn what_was_printed_is_read_piece_by_piece() {
    let (tools, folder) = (Tools::new(), tempfile::tempdir().expect("a folder"));
    let script = Profile::script();
    let budgets = Budgets { shown_bytes: 100, ..script.budgets };
    let server = CodeServer::builder(tools.host.clone())
        .profile(script)
        .budgets(budgets)
        .spill(Arc::new(FolderSpill::new(folder.path().join("spill"))))
        .build()
        .expect("a server");
    let client = Client::new(&server).await;
    // Three bytes a character, so that a mebibyte ends within one.
    let result = client.run("for _ = 1, 400 do io.write(string.rep('€', 1000)) end").await;
    let outcome = result.structured_content.as_ref().expect("an outcome");
    let uri = format!("codemode://spill/{}", outcome["run"].as_str().expect("a run"));
    let link = json!({"type": "resource_link", "uri": uri, "name": "all that was printed", "mimeType": "text/plain", "size": 1_200_000});
    assert_eq!(as_json(&result.content[1..].to_vec()), json!([link]));

    let first = client.read(&uri).await.expect("a piece");
    let end = MIB - MIB % 3;
    let next = format!("{uri}?offset={end}");
    let more = format!("[{end} of 1200000 bytes were read so far; what follows is at this address]");
    let expected = json!([
        {"uri": uri, "mimeType": "text/plain", "text": "€".repeat(end / 3)},
        {"uri": next, "mimeType": "text/plain", "text": more}
    ]);
    assert!(first == expected, "the first piece");
    let second = client.read(&next).await.expect("a piece");
    assert!(second == json!([{"uri": next, "mimeType": "text/plain", "text": "€".repeat(400_000 - end / 3)}]), "the second piece");
    assert_eq!(
        client.read(&format!("{uri}?offset=2000000")).await,
        Ok(json!([{"uri": format!("{uri}?offset=2000000"), "mimeType": "text/plain", "text": ""}]))
    );
    // An offset within a character begins at the next, and where the rest stands is counted in bytes of the file.
    let within = client.read(&format!("{uri}?offset=1")).await.expect("a piece");
    let end = MIB - MIB % 3;
    assert_eq!((within[0]["text"].as_str().map(str::len), &within[1]["uri"]), (Some(end - 3), &json!(format!("{uri}?offset={end}"))));
    let refused = client.read(&format!("{uri}?offset=-1")).await;
    assert_eq!(refused, Err((-32602, "offset is \"-1\", and must be a whole number of bytes".to_owned())));

    // Another connection has no part in it.
    let other = Client::new(&server).await;
    assert_eq!(other.read(&uri).await, Err(not_found(&uri)));
    assert_eq!(as_json(&other.running.list_all_resources().await.expect("a list")), json!([]));
}

#[tokio::test]
async fn pictures_are_listed_and_read_with_the_newest_first() {
    let tools = Tools::new();
    let client = Client::new(&CodeServer::builder(tools.host.clone()).build().expect("a server")).await;
    let mut uris = Vec::new();
    for _ in 0..2 {
        let outcome = client.run("return await tools.shot({})").await.structured_content.expect("an outcome");
        let handle = outcome["content"][0]["handle"].as_str().expect("a handle").to_owned();
        uris.insert(0, handle.replace("blob:", "codemode://blob/"));
    }
    let size = PICTURE.len();
    let listed = |uri: &String| json!({"uri": uri, "name": format!("image/png, {size} bytes"), "mimeType": "image/png", "size": size});
    let expected: Vec<Value> = uris.iter().map(listed).collect();
    assert_eq!(as_json(&client.running.list_all_resources().await.expect("a list")), json!(expected));
    use base64::Engine as _;
    let data = base64::engine::general_purpose::STANDARD.encode(PICTURE);
    assert_eq!(client.read(&uris[0]).await, Ok(json!([{"uri": uris[0], "mimeType": "image/png", "blob": data}])));
    for uri in ["codemode://blob/none", "codemode://spill/none", "file:///etc/passwd", ""] {
        assert_eq!(client.read(uri).await, Err(not_found(uri)));
    }
    let templates: Vec<String> =
        client.running.list_all_resource_templates().await.expect("templates").into_iter().map(|template| template.uri_template).collect();
    assert_eq!(templates, ["codemode://spill/{run}{?offset}", "codemode://blob/{handle}"]);
}
