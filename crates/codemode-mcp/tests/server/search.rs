//! `search_tools`, which is there where the description does not show every tool.

use codemode_mcp::CodeServer;
use serde_json::json;

use crate::connected::{Client, as_json, text};
use crate::local::Tools;

#[tokio::test]
async fn tools_that_the_description_has_no_room_for_are_found() {
    let tools = Tools::new();
    let server = CodeServer::builder(tools.host.clone()).description_tokens(1).build().expect("a server");
    let client = Client::new(&server).await;
    let listed = client.running.list_all_tools().await.expect("tools");
    let names: Vec<&str> = listed.iter().map(|tool| &*tool.name).collect();
    assert_eq!(names, ["run_code", "search_tools"]);
    let result = client.call("search_tools", json!({"query": "numbers", "limit": 1})).await;
    let found = json!({"tools": [{"name": "add", "description": "Adds two numbers.", "signature": "add{a: number, b: number}"}]});
    assert_eq!(result.structured_content, Some(found));
    assert_eq!(text(&result), "add{a: number, b: number}\n    Adds two numbers.");
    let result = client.call("search_tools", json!({"query": "zzz"})).await;
    assert_eq!(
        (text(&result), result.structured_content),
        ("no tool fits these words; try others, or fewer".to_owned(), Some(json!({"tools": []})))
    );
    let expected = json!({
        "type": "object",
        "properties": {
            "query": {"type": "string", "description": "Words of what the tool does, or a part of its name."},
            "limit": {"type": "integer", "minimum": 1, "maximum": 50, "description": "The most tools to give; 10 where it is left out."}
        },
        "required": ["query"]
    });
    assert_eq!(as_json(&*listed[1].input_schema), expected);
}
