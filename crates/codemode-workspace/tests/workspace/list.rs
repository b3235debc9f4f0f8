//! `list_files`: what is in one folder.

use serde_json::json;

use crate::desk::{Desk, failed};

#[tokio::test]
async fn everything_in_a_folder_is_there_with_its_kind_and_size() {
    let desk = Desk::new();
    desk.put(".gitignore", "*").put("b file", "12345").put("a/x", "");
    std::os::unix::fs::symlink("nowhere", desk.root().join("link")).expect("a link");
    let socket = std::os::unix::net::UnixListener::bind(desk.root().join("socket")).expect("a socket");
    let data = desk.data("list_files", json!({})).await;
    let entries = json!([
        {"name": ".gitignore", "kind": "file", "size": 1},
        {"name": "a", "kind": "folder", "size": null},
        {"name": "b file", "kind": "file", "size": 5},
        {"name": "link", "kind": "symlink", "size": null},
        {"name": "socket", "kind": "other", "size": null},
    ]);
    assert_eq!(data, json!({"entries": entries, "total": 5, "complete": true, "next_offset": null, "has_more": false, "unreadable": 0}));
    let text = "file 1 .gitignore\nfolder - a\nfile 5 b file\nsymlink - link\nother - socket\n";
    assert_eq!(desk.text("list_files", json!({})).await, text);
    assert_eq!(desk.text("list_files", json!({"path": "a"})).await, "file 0 x\n");
    drop(socket);
}

#[tokio::test]
async fn pages_and_failures() {
    let desk = Desk::new();
    desk.put("a", "").put("b", "").put("c", "");
    let page = desk.data("list_files", json!({"limit": 2})).await;
    let entries = json!([{"name": "a", "kind": "file", "size": 0}, {"name": "b", "kind": "file", "size": 0}]);
    assert_eq!(page, json!({"entries": entries, "total": 3, "complete": false, "next_offset": 2, "has_more": true, "unreadable": 0}));
    assert_eq!(
        desk.text("list_files", json!({"limit": 1, "offset": 1})).await,
        "file 0 b\n[incomplete: 3 entries in all; go on with offset 2]\n"
    );
    assert_eq!(
        desk.told("list_files", json!({"path": "a"})).await,
        failed("not_a_folder", "a: it, or a part of the path to it, is not a folder")
    );
    assert_eq!(desk.text("list_files", json!({"offset": 3})).await, "");
}
