//! What programs find: listed tools, remembered ones, and servers that are not there.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use codemode_core::{Answer, Ask, Catalog, ToolHost};
use codemode_mcp::{McpHost, Memory};
use serde_json::{Value, json};

use crate::support::*;

async fn entries(host: &McpHost, catalog: &Arc<Catalog>, ask: Ask) -> BTreeMap<String, String> {
    let Answer::Succeeded(content) = host.discover(catalog, &ask).await else { panic!("no success") };
    let entries = content.structured.expect("structured").tree().as_array().expect("a list").clone();
    let text = |entry: &Value, member: &str| entry[member].as_str().unwrap_or_default().to_owned();
    entries.iter().map(|entry| (text(entry, "name"), text(entry, "description"))).collect()
}

fn search(query: &str) -> Ask {
    Ask::Search { query: query.to_owned(), all_words: false, offset: 0, limit: 50 }
}

#[tokio::test]
async fn the_catalog_is_made_once_a_change() {
    let host = host(&with_tools(&["echo", "change"])).await;
    let (runs, known) = (host.catalog(), host.known());
    assert!(Arc::ptr_eq(&runs, &host.catalog()) && Arc::ptr_eq(&known, &host.known()));
    call(&host, "change", json!({})).await;
    until("the new list", || host.catalog().len() == 3).await;
    assert!(!Arc::ptr_eq(&runs, &host.catalog()));
}

#[tokio::test]
async fn remembered_tools_are_known_before_their_server_is_listed() {
    let folder = tempfile::tempdir().expect("a folder");
    let gate = folder.path().join("gate");
    std::fs::write(&gate, "").expect("opened");
    let list = json!([{"name": "echo", "description": "Repeats what it gets", "inputSchema": {"type": "object"}}]);
    let setup = json!({"start": "slow_list", "gate": gate, "tools": list});
    let memory = Memory::new(folder.path().join("memory"));
    let first = listed(McpHost::builder().server(server("s", &setup)).memory(memory.clone())).await;
    assert_eq!(first.catalog().len(), 1);
    let kept = || {
        std::fs::read_dir(folder.path().join("memory"))
            .is_ok_and(|mut files| files.any(|file| file.is_ok_and(|file| file.path().extension().is_some_and(|ending| ending == "json"))))
    };
    until("the memory", kept).await;
    first.close().await;
    std::fs::remove_file(&gate).expect("closed");

    let began = Instant::now();
    let second = McpHost::builder().server(server("s", &setup)).memory(memory).start();
    let (runs, known) = (second.catalog(), second.known());
    assert_eq!((runs.len(), runs.unlisted().count()), (0, 1));
    let remembered: Vec<(String, String)> = known.tools().map(|tool| (tool.name.to_string(), tool.description.clone())).collect();
    assert_eq!(remembered, [("s__echo".to_owned(), "Repeats what it gets".to_owned())]);
    assert_eq!(known.unlisted().count(), 0);
    let expected = BTreeMap::from([("s__echo".to_owned(), "Repeats what it gets".to_owned())]);
    assert_eq!(entries(&second, &runs, Ask::List).await, expected);
    assert_eq!(entries(&second, &runs, search("repeats")).await, expected);
    assert_eq!(status(&second, "s").tools, 1);
    assert!(began.elapsed() < Duration::from_secs(4), "{:?}", began.elapsed());
    // A description is of what is there, and waits for it.
    let opened = async {
        tokio::task::yield_now().await;
        std::fs::write(&gate, "").expect("opened");
    };
    let describe = Ask::Describe { name: "s__echo".to_owned() };
    let (described, ()) = tokio::join!(second.discover(&runs, &describe), opened);
    let Answer::Succeeded(described) = described else { panic!("{described:?}") };
    assert_eq!(described.structured.expect("structured").tree()["description"], "Repeats what it gets");
    assert_eq!(second.catalog().len(), 1);
}

#[tokio::test]
async fn a_server_of_which_nothing_is_known_is_an_entry() {
    let (folder, _) = log_file();
    let gate = folder.path().join("gate");
    let builder = McpHost::builder()
        .server(server("good", &with_tools(&["echo"])))
        .server(server("dead", &json!({"start": "die"})))
        .server(server("slow", &json!({"start": "slow_list", "gate": gate, "tools": tools(&["echo"])})));
    let host = builder.start();
    let catalog = host.catalog();
    let began = Instant::now();
    let found = entries(&host, &catalog, Ask::List).await;
    let waited = began.elapsed();
    assert!((Duration::from_secs(4)..Duration::from_secs(30)).contains(&waited), "{waited:?}");
    let expected = [
        (
            "dead",
            "a server that is not there: it ended before it answered the request that opens a connection: it ended with exit status 7; its last line on standard error: the disk is on fire",
        ),
        ("good__echo", ""),
        ("slow", "a server that is not listed yet: a call or describe of one of its tools waits for it"),
    ];
    assert_eq!(found, expected.map(|(name, line)| (name.to_owned(), line.to_owned())).into());
}

#[tokio::test]
async fn a_run_finds_tools_by_name_and_by_description_page_by_page() {
    let list: Vec<Value> = (0..5)
        .map(|number| json!({"name": format!("get_{number}"), "description": "Gets a page", "inputSchema": {"type": "object"}}))
        .collect();
    let host = host(&json!({"tools": list})).await;
    let page = |offset, limit| Ask::Search { query: "page".to_owned(), all_words: true, offset, limit };
    let names = |found: BTreeMap<String, String>| found.into_keys().collect::<Vec<_>>();
    let catalog = host.catalog();
    assert_eq!(names(entries(&host, &catalog, page(0, 2)).await).len(), 2);
    assert_eq!(names(entries(&host, &catalog, page(4, 2)).await).len(), 1);
    let best = Ask::Search { query: "s__get_3".to_owned(), all_words: false, offset: 0, limit: 1 };
    assert_eq!(names(entries(&host, &catalog, best).await), ["s__get_3"]);
}
