//! List, search and describe as a host answers them.

use std::sync::Arc;

use codemode_catalog::{Discovery, ObservedShapes};
use codemode_core::{Answer, Ask, Catalog, ToolSpec};
use serde_json::{Value, json};

use crate::data;

fn structured(answer: Answer) -> Value {
    match answer {
        Answer::Succeeded(content) => content.structured.expect("structured").tree().clone(),
        other => panic!("no success: {other:?}"),
    }
}

fn search(query: &str, all_words: bool, offset: usize, limit: usize) -> Ask {
    Ask::Search { query: query.to_owned(), all_words, offset, limit }
}

fn names(value: &Value) -> Vec<&str> {
    value.as_array().expect("a list").iter().map(|entry| entry["name"].as_str().expect("a name")).collect()
}

fn files() -> Catalog {
    let tool = |name: &str, text: &str| ToolSpec::new(format!("disk__{name}")).in_namespace("disk", name).with_description(text);
    Catalog::new([
        tool("read_file", "Reads a file.\n\nThe second paragraph."),
        tool("read_file_info", "Reads read_file file read file: size and owner of a file."),
        tool("write_file", "Writes a file."),
        ToolSpec::new("send-mail").with_description("x".repeat(1_000)),
    ])
    .expect("distinct")
    .with_unlisted(["mail_box", "disk"])
}

#[test]
fn a_list_has_first_paragraphs_and_then_the_servers_of_which_nothing_is_known() {
    let discovery = Discovery::new();
    let later = "A server that is not listed yet: its tools are listed when it is first used.";
    let expected = json!([
        {"name": "disk__read_file", "description": "Reads a file."},
        {"name": "disk__read_file_info", "description": "Reads read_file file read file: size and owner of a file."},
        {"name": "disk__write_file", "description": "Writes a file."},
        {"name": "send-mail", "description": "x".repeat(297) + "…"},
        {"name": "mail_box", "description": later},
    ]);
    assert_eq!(structured(discovery.answer(&files(), &Ask::List)), expected);
    let found = structured(discovery.answer(&files(), &search("mail", false, 0, 10)));
    assert_eq!(names(&found), ["send-mail", "mail_box"]);
}

#[test]
fn whole_names_come_first_and_pages_follow_each_other() {
    let (discovery, catalog) = (Discovery::new(), Arc::new(files()));
    let all = structured(discovery.answer(&catalog, &search("read file", false, 0, 10)));
    assert_eq!(names(&all)[0], "disk__read_file");
    for query in ["read_file_info", "disk.read-file-info", "Disk__Read_File_Info"] {
        assert_eq!(names(&structured(discovery.answer(&catalog, &search(query, false, 0, 1)))), ["disk__read_file_info"], "{query}");
    }
    let pages: Vec<Value> = (0..4).map(|page| structured(discovery.answer(&catalog, &search("read file", false, page, 1)))).collect();
    let paged: Vec<&str> = pages.iter().flat_map(names).collect();
    assert_eq!(paged, names(&all));
    assert_eq!(names(&structured(discovery.answer(&catalog, &search("disk writes", true, 0, 10)))), ["disk__write_file"]);
    assert_eq!(structured(discovery.answer(&catalog, &search("disk", false, 3, 10))), json!([]));
}

#[test]
fn a_servers_name_finds_its_tools_and_an_index_is_made_once() {
    let (discovery, catalog) = (Discovery::new(), data::catalog());
    let found = structured(discovery.answer(catalog, &search("githarbor", true, 0, 500)));
    let of_server = catalog.tools().filter(|tool| tool.namespace.as_deref() == Some("githarbor")).count();
    assert_eq!(names(&found).iter().filter(|name| name.starts_with("githarbor__")).count(), of_server);
    let index = discovery.index(catalog);
    // Another catalog of the very same tools has the same index; one more tool needs another.
    assert!(index.is_of(&catalog.clone().with_unlisted(["later"])));
    assert!(!index.is_of(&catalog.admitting("later", [Arc::new(ToolSpec::new("later__x").in_namespace("later", "x"))])));
    assert!(!index.is_of(&catalog.clone().excluding(["githarbor__create_issue"])));
}

#[test]
fn describe_tells_all_and_what_was_observed_where_nothing_is_promised() {
    let shapes = Arc::new(ObservedShapes::new());
    shapes.learn("disk", "1.0", "read_file", &json!({"text": "secret", "lines": 3}));
    let discovery = Discovery::with_shapes(shapes);
    let ask = |name: &str| Ask::Describe { name: name.to_owned() };
    let expected = json!({
        "name": "disk__read_file",
        "description": "Reads a file.\n\nThe second paragraph.",
        "signature": "disk__read_file{…}",
        "parameters": {"type": "object"},
        "observed": {"type": "object", "properties": {"lines": {"type": "integer"}, "text": {"type": "string"}}, "required": ["lines", "text"]},
    });
    assert_eq!(structured(discovery.answer(&files(), &ask("disk.read_file"))), expected);
    let mail = structured(discovery.answer(&files(), &ask("send_mail")));
    assert_eq!(
        (&mail["name"], &mail["alias"], &mail["signature"]),
        (&json!("send-mail"), &json!("send_mail"), &json!("[\"send-mail\"]{…}"))
    );
    assert_eq!(structured(discovery.answer(&files(), &ask("disk"))), Value::Null);
    let Answer::NotRun(fault) = discovery.answer(&files(), &Ask::Budget) else { panic!("it is not answered here") };
    assert_eq!((&*fault.code, &*fault.message), ("unsupported", "list, search and describe are answered here, and nothing else"));
}
