//! What is known of real servers when they are listed.

use codemode::ToolHost;
use codemode_mcp::{ServerConfig, ServerState, ServerStatus};

use crate::bench::{self, PATIENCE};

fn shown(status: &ServerStatus) -> (&str, bool, Option<&str>, Option<&str>, usize, &[String]) {
    let listed = status.state == ServerState::Listed;
    (&status.name, listed, status.version.as_deref(), status.protocol.as_deref(), status.tools, &status.problems)
}

#[tokio::test]
async fn every_server_lists_its_tools() {
    let folder = tempfile::tempdir().expect("a folder");
    let host = bench::host([bench::team(), bench::everything(), bench::files(folder.path()), bench::memory(&folder.path().join("graph"))]);
    host.listed(PATIENCE).await;
    let status = host.status();
    let shown: Vec<_> = status.iter().map(shown).collect();
    let newest = Some("2025-11-25");
    let task = "\"simulate-research-query\" runs as a task alone, which this client does not do, and is left out";
    assert_eq!(
        shown,
        [
            ("everything", true, Some("mcp-servers/everything 2.0.0"), newest, 12, &[task.to_owned()][..]),
            ("files", true, Some("secure-filesystem-server 0.2.0"), newest, 14, &[][..]),
            ("memory", true, Some("memory-server 0.6.3"), newest, 9, &[][..]),
            ("team", true, Some("team 1.2.3"), newest, 14, &[][..]),
        ]
    );
    assert_eq!(host.warnings(), [format!("server \"everything\": {task}")]);
    let catalog = host.catalog();
    let of_memory: Vec<&str> = catalog.tools().filter(|tool| tool.namespace.as_deref() == Some("memory")).map(|tool| &*tool.name).collect();
    assert_eq!(
        of_memory,
        [
            "memory__add_observations",
            "memory__create_entities",
            "memory__create_relations",
            "memory__delete_entities",
            "memory__delete_observations",
            "memory__delete_relations",
            "memory__open_nodes",
            "memory__read_graph",
            "memory__search_nodes",
        ]
    );
    host.close().await;
}

/// What the servers say of themselves reaches the catalog: it decides what may overlap and what may have changed the world.
#[tokio::test]
async fn annotations_and_raw_names_are_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let host = bench::host([bench::everything(), bench::files(folder.path())]);
    host.listed(PATIENCE).await;
    let catalog = host.catalog();
    let shown: Vec<_> =
        ["everything__get-sum", "files__read_text_file", "files__create_directory", "files__write_file", "files__edit_file"]
            .map(|name| {
                let tool = catalog.get(name).expect("listed");
                let annotations = &tool.annotations;
                (&*tool.short_name, annotations.read_only, annotations.destructive, annotations.idempotent, annotations.is_parallel())
            })
            .into();
    let (yes, no) = (Some(true), Some(false));
    assert_eq!(
        shown,
        [
            ("get-sum", yes, no, yes, true),
            ("read_text_file", yes, no, None, true),
            ("create_directory", no, no, yes, false),
            ("write_file", no, yes, yes, false),
            ("edit_file", no, yes, no, false),
        ]
    );
    host.close().await;
}

/// One server that does not start is named with what it said last, and the others work.
#[tokio::test]
async fn a_server_that_does_not_start_is_a_named_warning() {
    let folder = tempfile::tempdir().expect("a folder");
    let gone = ServerConfig { name: "gone".to_owned(), ..bench::files(&folder.path().join("gone")) };
    let host = bench::host([gone, bench::files(folder.path())]);
    host.listed(PATIENCE).await;
    assert_eq!(
        host.warnings(),
        ["server \"gone\" is not available: it ended before it answered the request that opens a connection: \
          it ended with exit status 1; its last line on standard error: Error: None of the specified directories are accessible"]
    );
    let program = "return [typeof tools.gone, (await tools.files.list_allowed_directories({})).content.split('\\n')[0]]";
    let outcome = bench::run(&host, program).await;
    assert_eq!(bench::value_of(&outcome), serde_json::json!(["object", "Allowed directories:"]));
    host.close().await;
}
