//! Servers that change and that end: what a program, and the next one, sees of it.

use codemode::ToolHost;
use codemode_mcp::ServerState;
use serde_json::json;

use crate::bench::{self, PATIENCE};

/// The call that was out is unknown and is not made again; the server is started again, and the next call waits for it.
#[tokio::test]
async fn a_server_that_dies_in_a_call_is_there_for_the_next_one() {
    let host = bench::host([bench::team()]);
    let program = r#"
        let failure
        try { await tools.team.die({ status: 7 }) } catch (error) { failure = [error.code, error.ran, error.message] }
        return [failure, await tools.team.count_waits({}), await tools.team.add({ a: 1, b: 2 })]"#;
    let outcome = bench::run(&host, program).await;
    let message = "what the call did is unknown, and it may have run; server \"team\": it ended while the call was out: \
                   it ended with exit status 7";
    assert_eq!(
        bench::value_of(&outcome),
        json!([["outcome_unknown", true, message], {"started": 0, "finished": 0, "cancelled": 0}, {"result": 3}])
    );
    assert_eq!(
        bench::calls(&outcome),
        [("team__die".to_owned(), "unknown"), ("team__count_waits".to_owned(), "ok"), ("team__add".to_owned(), "ok")]
    );
    host.close().await;
}

/// A list that changes is for later runs: the one that goes on keeps its catalog.
#[tokio::test]
async fn a_tool_that_is_new_is_there_for_the_next_run() {
    let host = bench::host([bench::team()]);
    host.listed(PATIENCE).await;
    let mut changes = host.changes();
    changes.mark_unchanged();
    let program = r#"
        const hired = await tools.team.hire({ name: "lin" })
        try { await tools.team.greet_lin({}) } catch (error) { return [hired, error.code, error.ran] }"#;
    assert_eq!(bench::value(&host, program).await, json!([{"result": "lin is hired"}, "unknown_tool", false]));
    let listed = async {
        while host.catalog().get("team__greet_lin").is_none() {
            changes.changed().await.expect("the host lives");
        }
    };
    tokio::time::timeout(PATIENCE, listed).await.expect("the server was listed again");
    assert_eq!(bench::value(&host, "return await tools.team.greet_lin({})").await, json!({"result": "hello from lin"}));
    host.close().await;
}

/// A host that is closed has ended its servers: none of their processes is left.
#[tokio::test]
async fn a_closed_host_leaves_no_process() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().canonicalize().expect("there");
    let host = bench::host([bench::everything(), bench::files(&root), bench::memory(&root.join("graph")), bench::team()]);
    host.listed(PATIENCE).await;
    assert_eq!(children().len(), 4);
    host.close().await;
    assert_eq!(children(), Vec::<u32>::new());
    let states: Vec<ServerState> = host.status().into_iter().map(|status| status.state).collect();
    assert_eq!(states, vec![ServerState::Failed { why: "it was closed".to_owned() }; 4]);
}

/// The processes that this test's process has started and that are not waited for yet.
fn children() -> Vec<u32> {
    let mut found: Vec<u32> = Vec::new();
    for task in std::fs::read_dir("/proc/self/task").expect("the tasks of this process") {
        let children = std::fs::read_to_string(task.expect("a task").path().join("children")).unwrap_or_default();
        found.extend(children.split_whitespace().map(|id| id.parse::<u32>().expect("the number of a process")));
    }
    found
}
