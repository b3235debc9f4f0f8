//! Nothing outside the root is reached, whatever is linked, renamed or swapped.

use std::os::unix::fs::symlink;
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::fs::{CWD, RenameFlags, renameat_with};
use serde_json::json;

use crate::desk::{Desk, Told, not_run};

fn denied(path: &str) -> Told {
    not_run("denied", &format!("{path} leads out of the workspace root; only paths beneath it are allowed"))
}

/// A desk with a secret beside its root, and links to it within.
fn desk() -> Desk {
    let desk = Desk::with(|builder| builder.execute(true));
    std::fs::create_dir(desk.outside("out")).expect("a folder outside");
    std::fs::write(desk.outside("out/secret"), "SECRET").expect("a file outside");
    symlink("../out/secret", desk.root().join("file-link")).expect("a link");
    symlink(desk.outside("out"), desk.root().join("folder-link")).expect("a link");
    symlink("folder-link", desk.root().join("link-to-link")).expect("a link");
    symlink(desk.outside("out/none"), desk.root().join("new-link")).expect("a link");
    desk.put("inner/file", "inside");
    desk
}

#[tokio::test]
async fn every_tool_refuses_every_way_out() {
    let desk = desk();
    let absolute = desk.outside("out/secret").to_string_lossy().into_owned();
    let through_root = format!("{}/../out/secret", desk.root().display());
    let out = [
        ("../out/secret", "../out/secret"),
        ("inner/../../out/secret", "inner/../../out/secret"),
        (absolute.as_str(), absolute.as_str()),
        (through_root.as_str(), "../out/secret"),
        ("/etc/passwd", "/etc/passwd"),
        ("file-link", "file-link"),
        ("folder-link/secret", "folder-link/secret"),
        ("link-to-link/secret", "link-to-link/secret"),
    ];
    for (path, shown) in out {
        assert_eq!(desk.told("read_file", json!({"path": path})).await, denied(shown), "reading {path}");
        assert_eq!(desk.told("edit_file", json!({"path": path, "old_text": "S", "new_text": ""})).await, denied(shown), "editing {path}");
        assert_eq!(desk.told("search_files", json!({"path": path, "pattern": "S"})).await, denied(shown), "searching {path}");
        assert_eq!(desk.told("write_file", json!({"path": path, "content": ""})).await, denied(shown), "writing {path}");
    }
    for (path, shown) in [("..", ".."), ("folder-link", "folder-link"), ("link-to-link", "link-to-link"), ("inner/../..", "inner/../..")] {
        assert_eq!(desk.told("list_files", json!({"path": path})).await, denied(shown), "listing {path}");
        assert_eq!(desk.told("find_files", json!({"path": path})).await, denied(shown), "finding in {path}");
        assert_eq!(desk.told("execute", json!({"folder": path, "command": "true"})).await, denied(shown), "running in {path}");
    }
    let new = [("../new", ".."), ("folder-link/new", "folder-link"), ("folder-link/a/b", "folder-link/a"), ("../a/b", "../a")];
    for (path, shown) in new {
        for create_folders in [false, true] {
            let told = desk.told("write_file", json!({"path": path, "content": "", "create_folders": create_folders})).await;
            assert!(told == denied(shown) || told == denied(path), "{path}: {told:?}");
        }
    }
    assert!(matches!(desk.told("write_file", json!({"path": "new-link", "content": ""})).await, Told::NotRun(code, _) if code == "denied"));
    assert_eq!(std::fs::read_to_string(desk.outside("out/secret")).expect("still there"), "SECRET");
    let mut names: Vec<_> =
        std::fs::read_dir(desk.outside(".")).expect("the folder").map(|entry| entry.expect("an entry").file_name()).collect();
    names.sort();
    assert_eq!(names, ["out", "root"]);
    assert_eq!(std::fs::read_dir(desk.outside("out")).expect("the folder").count(), 1);
}

#[tokio::test]
async fn walks_follow_no_links_and_what_stays_inside_is_allowed() {
    let desk = desk();
    assert_eq!(desk.text("find_files", json!({})).await, "inner/file\n");
    assert_eq!(desk.text("search_files", json!({"pattern": "SECRET|inside"})).await, "inner/file:1:inside\n");
    let absolute = desk.root().join("inner/file").to_string_lossy().into_owned();
    for path in ["inner/../inner/file", "./inner//file", absolute.as_str()] {
        assert_eq!(desk.text("read_file", json!({"path": path})).await, "inside");
    }
}

/// Reads, walks and writes race against a thread that swaps a folder with a link that leads out.
#[test]
fn swapped_links_show_nothing_of_the_outside() {
    const SWAPS: usize = 100_000;
    let desk = desk();
    desk.put("d/secret", "harmless").put("d/deep/secret", "harmless");
    std::fs::create_dir(desk.outside("out/deep")).expect("a folder outside");
    std::fs::write(desk.outside("out/deep/secret"), "SECRET").expect("a file outside");
    std::fs::write(desk.outside("out/outside-only"), "").expect("a file outside");
    symlink(desk.outside("out"), desk.root().join("swap")).expect("a link");
    let (here, there) = (desk.root().join("d"), desk.root().join("swap"));
    let done = AtomicBool::new(false);
    let (mut allowed, mut refused) = (0, 0);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for _ in 0..SWAPS {
                renameat_with(CWD, &here, CWD, &there, RenameFlags::EXCHANGE).expect("a swap");
            }
            done.store(true, Ordering::Relaxed);
        });
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        runtime.block_on(async {
            while !done.load(Ordering::Relaxed) {
                for path in ["d/secret", "d/deep/secret"] {
                    match desk.call("read_file", json!({"path": path})).await {
                        codemode_core::Answer::Succeeded(content) => {
                            assert_eq!(content.as_text(), "harmless");
                            allowed += 1;
                        }
                        other => {
                            assert_eq!(crate::desk::told(other), denied(path));
                            refused += 1;
                        }
                    }
                }
                let found = desk.text("find_files", json!({})).await;
                assert!(!found.contains("outside-only"), "{found}");
                assert_eq!(desk.data("search_files", json!({"pattern": "SECRET"})).await["matches"], json!([]));
                // Wherever it ends, it ends beneath the root or is refused.
                let _ = desk.call("write_file", json!({"path": "d/written", "content": "x"})).await;
                let _ = desk.call("write_file", json!({"path": "d/n/written", "content": "x", "create_folders": true})).await;
            }
        });
    });
    assert!(allowed > 0 && refused > 0, "the race must have been seen from both sides: {allowed} allowed, {refused} refused");
    let mut names: Vec<_> =
        std::fs::read_dir(desk.outside("out")).expect("the folder").map(|entry| entry.expect("an entry").file_name()).collect();
    names.sort();
    assert_eq!(names, ["deep", "outside-only", "secret"]);
}
