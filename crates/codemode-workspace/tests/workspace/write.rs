//! `write_file`: new files, replaced files, and what is around them.

use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

use serde_json::json;

use crate::desk::{Desk, failed};

#[tokio::test]
async fn files_are_made_and_replaced_whole() {
    let desk = Desk::new();
    let made = desk.data("write_file", json!({"path": "./a.txt", "content": "ä\n"})).await;
    assert_eq!(made, json!({"path": "a.txt", "bytes": 3, "created": true}));
    assert_eq!(desk.text("write_file", json!({"path": "a.txt", "content": ""})).await, "replaced a.txt (0 bytes)");
    assert_eq!(desk.get("a.txt"), "");
    assert_eq!(desk.text("write_file", json!({"path": "b", "content": "new"})).await, "created b (3 bytes)");
    assert_eq!(desk.changed_paths(), ["a.txt", "a.txt", "b"]);
    // Nothing of the way there is left.
    assert_eq!(desk.text("find_files", json!({})).await, "a.txt\nb\n");
}

#[tokio::test]
async fn folders_are_made_when_asked_for() {
    let desk = Desk::new();
    let path = json!("x/y/z.txt");
    assert_eq!(
        desk.told("write_file", json!({"path": path, "content": "1"})).await,
        failed("not_found", "the folder x/y does not exist; set create_folders to true to make it")
    );
    assert_eq!(desk.text("write_file", json!({"path": path, "content": "1", "create_folders": true})).await, "created x/y/z.txt (1 bytes)");
    assert_eq!(
        desk.text("write_file", json!({"path": path, "content": "22", "create_folders": true})).await,
        "replaced x/y/z.txt (2 bytes)"
    );
    assert_eq!(desk.get("x/y/z.txt"), "22");
    assert_eq!(
        desk.told("write_file", json!({"path": "x/y/z.txt/w", "content": "", "create_folders": true})).await,
        failed("not_a_folder", "x/y/z.txt/w: it, or a part of the path to it, is not a folder")
    );
    assert_eq!(
        desk.told("write_file", json!({"path": "x/y", "content": ""})).await,
        failed("not_a_file", "x/y is a folder; list_files shows what is in it")
    );
    assert_eq!(
        desk.told("write_file", json!({"path": "n/", "content": ""})).await,
        failed("not_a_file", "n names a folder; give the path of a file")
    );
    assert_eq!(
        desk.told("write_file", json!({"path": ".", "content": ""})).await,
        failed("not_a_file", ". is a folder; give the path of a file")
    );
}

#[tokio::test]
async fn permissions_stay_and_readers_keep_the_old_file() {
    let desk = Desk::new();
    desk.put("run.sh", "old");
    let path = desk.root().join("run.sh");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o750)).expect("permissions");
    let before = std::fs::metadata(&path).expect("metadata");
    let mut open = std::fs::File::open(&path).expect("the old file");
    desk.text("write_file", json!({"path": "run.sh", "content": "new and longer"})).await;
    let after = std::fs::metadata(&path).expect("metadata");
    assert_eq!((after.mode() & 0o777, after.uid(), after.gid()), (0o750, before.uid(), before.gid()));
    assert_ne!(after.ino(), before.ino());
    let mut old = String::new();
    std::io::Read::read_to_string(&mut open, &mut old).expect("the old bytes");
    assert_eq!((old.as_str(), desk.get("run.sh").as_str()), ("old", "new and longer"));
}

#[tokio::test]
async fn links_within_the_root_are_written_through() {
    let desk = Desk::new();
    desk.put("real/file", "old");
    symlink("real/file", desk.root().join("relative")).expect("a link");
    symlink(desk.root().join("real/file"), desk.root().join("absolute")).expect("a link");
    symlink(desk.root().join("real"), desk.root().join("folder")).expect("a link");
    symlink("missing", desk.root().join("dangling")).expect("a link");
    for (path, content) in [("relative", "1"), ("absolute", "2"), ("folder/file", "3")] {
        let data = desk.data("write_file", json!({"path": path, "content": content})).await;
        assert_eq!(data, json!({"path": "real/file", "bytes": 1, "created": false}));
        assert_eq!(desk.get("real/file"), content);
        assert_eq!(desk.text("read_file", json!({"path": path})).await, content);
    }
    assert_eq!(desk.data("write_file", json!({"path": "folder/new", "content": ""})).await["path"], json!("real/new"));
    assert!(desk.root().join("relative").is_symlink() && desk.root().join("absolute").is_symlink());
    assert_eq!(
        desk.told("write_file", json!({"path": "dangling", "content": ""})).await,
        failed("not_found", "dangling is a symbolic link to nothing; give the path of the file that it should lead to")
    );
}
