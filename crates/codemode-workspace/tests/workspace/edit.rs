//! `edit_file`: exact replacement, and what stops it.

use serde_json::json;

use crate::desk::{Desk, failed, not_run};

#[tokio::test]
async fn one_piece_is_replaced_and_its_place_told() {
    let desk = Desk::new();
    desk.put("f", "a\nb\nc\n");
    let data = desk.data("edit_file", json!({"path": "./f", "old_text": "b\n", "new_text": "B1\nB2\n"})).await;
    assert_eq!(data, json!({"path": "f", "replacements": 1, "lines": [2], "bytes": 10}));
    assert_eq!(desk.get("f"), "a\nB1\nB2\nc\n");
    let text = desk.text("edit_file", json!({"path": "f", "old_text": "c", "new_text": ""})).await;
    assert_eq!((text.as_str(), desk.get("f").as_str()), ("replaced 1 occurrence in f, at line 4", "a\nB1\nB2\n\n"));
    assert_eq!(desk.changed_paths(), ["f", "f"]);
}

#[tokio::test]
async fn many_are_replaced_only_when_asked_for() {
    let desk = Desk::new();
    desk.put("f", "x\nx y\nx\n").put("many", "x\n".repeat(150));
    assert_eq!(
        desk.told("edit_file", json!({"path": "f", "old_text": "x", "new_text": "z"})).await,
        failed(
            "text_ambiguous",
            "old_text occurs 3 times in f, at lines 1, 2 and 3; give more of its surroundings, or set replace_all to true"
        )
    );
    assert_eq!(
        desk.told("edit_file", json!({"path": "many", "old_text": "x", "new_text": "z"})).await,
        failed(
            "text_ambiguous",
            "old_text occurs 150 times in many, the first at lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10; give more of its surroundings, or set replace_all to true"
        )
    );
    assert_eq!(desk.get("f"), "x\nx y\nx\n");
    let all = json!({"path": "f", "old_text": "x", "new_text": "z", "replace_all": true});
    assert_eq!(desk.text("edit_file", all).await, "replaced 3 occurrences in f, at lines 1, 2 and 3");
    assert_eq!(desk.get("f"), "z\nz y\nz\n");
    let all = desk.data("edit_file", json!({"path": "many", "old_text": "x", "new_text": "yy", "replace_all": true})).await;
    let lines: Vec<u64> = (1..=100).collect();
    assert_eq!(all, json!({"path": "many", "replacements": 150, "lines": lines, "bytes": 450}));
}

#[tokio::test]
async fn an_absent_text_gets_a_hint() {
    let desk = Desk::new();
    desk.put("f", "if  x {\n    y\n}\n").put("dos", "a\r\nb\r\n");
    let told = async |path, old| desk.told("edit_file", json!({"path": path, "old_text": old, "new_text": "_"})).await;
    assert_eq!(
        told("f", "if x {\n  y").await,
        failed(
            "text_not_found",
            "old_text was not found in f; line 1 differs from its first line in spaces alone; read the file again and copy exactly"
        )
    );
    assert_eq!(
        told("dos", "a\nb").await,
        failed("text_not_found", "old_text was not found in dos; the file has it with \\r\\n line ends; write them as \\r\\n")
    );
    assert_eq!(told("f", "zzz").await, failed("text_not_found", "old_text was not found in f; read the file again and copy exactly"));
    assert_eq!(told("g", "x").await, failed("not_found", "g does not exist"));
    assert_eq!(told("d/g", "x").await, failed("not_found", "d/g does not exist; the nearest name is dos"));
}

#[tokio::test]
async fn other_encodings_are_edited_byte_for_byte_and_binaries_are_not() {
    let desk = Desk::new();
    desk.put("latin", b"caf\xe9 old\n").put("bin", b"old\0");
    desk.text("edit_file", json!({"path": "latin", "old_text": "old", "new_text": "neu"})).await;
    assert_eq!(std::fs::read(desk.root().join("latin")).expect("the file"), b"caf\xe9 neu\n");
    let told = async |path, old, new| desk.told("edit_file", json!({"path": path, "old_text": old, "new_text": new})).await;
    assert_eq!(told("bin", "old", "new").await, failed("binary", "bin is binary (4 bytes)"));
    assert_eq!(
        told("latin", "", "x").await,
        not_run("invalid_arguments", "old_text is empty; give the text to replace, or use write_file to make a file")
    );
    assert_eq!(
        told("latin", "x", "x").await,
        not_run("invalid_arguments", "old_text and new_text are the same; there is nothing to change")
    );
}
