//! `find_files`: globs, ignore rules, order and pages.

use codemode_workspace::Limits;
use serde_json::{Value, json};

use crate::desk::{Desk, failed, not_run};

/// A tree with rules on three levels, and a repository within.
fn tree() -> Desk {
    let desk = Desk::new();
    desk.put(".gitignore", "*.log\n/target\n!keep.log\nbad[glob\n")
        .put(".ignore", "secret/\n")
        .put(".git/config", "")
        .put(".git/info/exclude", "excluded\n")
        .put(".hidden/h.rs", "")
        .put("a.txt", "")
        .put("a/b.rs", "")
        .put("a/keep.log", "")
        .put("a/x.log", "")
        .put("a/target/t.rs", "")
        .put("excluded", "")
        .put("inner/.git/HEAD", "")
        .put("inner/x.log", "")
        .put("secret/s.rs", "")
        .put("sub/.gitignore", "*.rs\n!good.rs\n")
        .put("sub/bad.rs", "")
        .put("sub/good.rs", "")
        .put("target/t.rs", "");
    desk
}

async fn found(desk: &Desk, arguments: Value) -> Vec<String> {
    desk.text("find_files", arguments).await.lines().map(str::to_owned).collect()
}

#[tokio::test]
async fn ignore_rules_hold_and_the_order_is_by_folder_and_byte() {
    let desk = tree();
    let everything = [
        ".gitignore",
        ".hidden/h.rs",
        ".ignore",
        "a/b.rs",
        "a/keep.log",
        "a/target/t.rs",
        "a.txt",
        "inner/x.log",
        "sub/.gitignore",
        "sub/good.rs",
    ];
    assert_eq!(found(&desk, json!({})).await, everything);
    assert_eq!(found(&desk, json!({"globs": ["*.rs"]})).await, [".hidden/h.rs", "a/b.rs", "a/target/t.rs", "sub/good.rs"]);
    assert_eq!(found(&desk, json!({"globs": ["*.rs", "!target/**", "!.hidden"]})).await, ["a/b.rs", "a/target/t.rs", "sub/good.rs"]);
    assert_eq!(found(&desk, json!({"globs": ["a/*"]})).await, ["a/b.rs", "a/keep.log"]);
    let all = found(&desk, json!({"include_ignored": true})).await;
    assert_eq!(all.len(), 18);
    assert!(all.contains(&".git/info/exclude".to_owned()));
}

#[tokio::test]
async fn a_start_folder_sets_what_globs_are_relative_to_and_keeps_the_rules_above() {
    let desk = tree();
    assert_eq!(found(&desk, json!({"path": "a"})).await, ["a/b.rs", "a/keep.log", "a/target/t.rs"]);
    assert_eq!(found(&desk, json!({"path": "a/", "globs": ["target/*"]})).await, ["a/target/t.rs"]);
    // A folder that is named is looked into, even one that rules leave out.
    assert_eq!(found(&desk, json!({"path": "target"})).await, ["target/t.rs"]);
    assert_eq!(
        desk.told("find_files", json!({"path": "a.txt"})).await,
        failed("not_a_folder", "a.txt: it, or a part of the path to it, is not a folder")
    );
    assert_eq!(desk.told("find_files", json!({"path": "aa"})).await, failed("not_found", "aa does not exist; the nearest name is a"));
}

#[tokio::test]
async fn pages_meet_without_gap_or_overlap() {
    let desk = Desk::new();
    for number in 0..25 {
        desk.put(&format!("d{}/f{number:02}", number % 3), "");
    }
    let whole = found(&desk, json!({})).await;
    assert_eq!(whole.len(), 25);
    let (mut paged, mut offset, mut pages) = (Vec::new(), json!(0), 0);
    loop {
        let page = desk.data("find_files", json!({"limit": 10, "offset": offset})).await;
        paged.extend(page["files"].as_array().expect("files").iter().map(|path| path.as_str().expect("a path").to_owned()));
        pages += 1;
        let more = page["has_more"] == json!(true);
        assert_eq!((&page["complete"], page["next_offset"].is_null()), (&json!(!more), !more));
        if !more {
            break;
        }
        offset = page["next_offset"].clone();
    }
    assert_eq!((paged, pages), (whole, 3));
    let first = desk.text("find_files", json!({"limit": 1})).await;
    assert_eq!(first, "d0/f00\n[incomplete: there are more; go on with offset 1]\n");
    let past = desk.data("find_files", json!({"offset": 99})).await;
    assert_eq!(past, json!({"files": [], "complete": true, "next_offset": null, "has_more": false, "unreadable": 0}));
    assert_eq!(
        desk.told("find_files", json!({"limit": 10_001})).await,
        not_run("invalid_arguments", "limit is 10001; 1 to 10000 are allowed")
    );
}

#[tokio::test]
async fn what_cannot_be_listed_is_counted() {
    use std::os::unix::ffi::OsStrExt;
    let desk = Desk::new();
    desk.put("a\nb", "").put("z", "");
    std::fs::write(desk.root().join(std::ffi::OsStr::from_bytes(b"bad\xff")), "").expect("a name that is no UTF-8");
    let data = desk.data("find_files", json!({})).await;
    assert_eq!(data, json!({"files": ["a\nb", "z"], "complete": false, "next_offset": null, "has_more": false, "unreadable": 1}));
    // One record a line, whatever is in a name.
    assert_eq!(desk.text("find_files", json!({})).await, "a\\nb\nz\n[incomplete: 1 folders or names could not be read]\n");
}

#[tokio::test]
async fn limits_end_a_page_and_a_walk_and_say_so() {
    let mut limits = Limits::default();
    limits.listing_bytes = 20;
    limits.walk_entries = 5;
    let desk = Desk::with(|builder| builder.limits(limits));
    for name in ["file1", "file2", "file3", "file4", "file5", "file6"] {
        desk.put(name, "");
    }
    let page = desk.data("find_files", json!({})).await;
    assert_eq!(page, json!({"files": ["file1", "file2"], "complete": false, "next_offset": 2, "has_more": true, "unreadable": 0}));
    let cut = desk.text("find_files", json!({"offset": 4})).await;
    assert_eq!(cut, "file5\n[incomplete: the walk ended at its limit; name a smaller folder]\n");
}

#[tokio::test]
async fn deep_trees_end_at_a_bound() {
    let desk = Desk::new();
    desk.put(&format!("{}f", "d/".repeat(300)), "").put("z", "");
    let data = desk.data("find_files", json!({})).await;
    assert_eq!(data, json!({"files": ["z"], "complete": false, "next_offset": null, "has_more": false, "unreadable": 1}));
    let start = "d/".repeat(250);
    assert_eq!(desk.data("find_files", json!({"path": start})).await["unreadable"], json!(1));
}
