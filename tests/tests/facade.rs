//! A host that embeds the facade: workspace tools, validation, signatures and a program, together.

use std::sync::Arc;

use codemode::{Budgets, CallStatus, FailureKind, FolderSpill, Isolation, Profile, RunRequest, Runtime, RuntimeError, ToolHost};
use codemode_catalog::{LualsOptions, luals};
use codemode_policy::Validate;
use codemode_session::SessionFolder;
use codemode_workspace::Workspace;

fn workspace() -> (tempfile::TempDir, Arc<Workspace>) {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in [("a.rs", "// TODO: one\n"), ("b.rs", "fn main() {}\n"), ("c.rs", "// TODO: two\n// TODO: three\n")] {
        std::fs::write(folder.path().join(name), text).expect("written");
    }
    let workspace = Workspace::builder(folder.path()).build().expect("a workspace");
    (folder, Arc::new(workspace))
}

fn runtime(host: Arc<dyn ToolHost>, spill: FolderSpill) -> Runtime {
    Runtime::builder(host).layer(Arc::new(Validate::new())).spill(Arc::new(spill)).build().expect("a runtime")
}

#[tokio::test]
async fn a_loop_over_files_brings_back_a_few_lines() {
    let (folder, host) = workspace();
    let runtime = runtime(host, FolderSpill::new(folder.path().join("spill")));
    let program = r#"
        for path in tool.find_files{globs = {"*.rs"}}:gmatch("[^\n]+") do
            local _, count = tool.read_file{path = path}:gsub("TODO", "")
            if count > 0 then print(path, count) end
        end"#;
    let outcome = runtime.run(RunRequest::new(program)).await.expect("the host is whole");
    assert_eq!((outcome.kind(), outcome.output.as_str()), (None, "a.rs\t1\nc.rs\t2\n"));
    assert!(outcome.ledger.records().iter().all(|record| record.status == CallStatus::Ok));
    assert_eq!(outcome.ledger.len(), 4);
}

#[tokio::test]
async fn wrong_arguments_reach_no_tool_and_say_how_to_mend_them() {
    let (folder, host) = workspace();
    let runtime = runtime(host, FolderSpill::new(folder.path().join("spill")));
    let outcome = runtime.run(RunRequest::new("return tool.read_file{pth = 'a.rs'}")).await.expect("the host is whole");
    let failure = outcome.failure.clone().expect("failed");
    assert_eq!((failure.kind, outcome.ledger.len()), (FailureKind::Error, 0));
    assert_eq!(failure.fix.as_deref(), Some("read_file takes {path: string, start_line?: integer, end_line?: integer, lossy?: boolean}"));
}

#[tokio::test]
async fn output_that_is_not_shown_is_in_a_file() {
    let (folder, host) = workspace();
    let runtime = runtime(host, FolderSpill::new(folder.path().join("spill")));
    let request = RunRequest::new("print(('x'):rep(1000))").with_budgets(Budgets { shown_bytes: 10, ..Profile::script().budgets });
    let outcome = runtime.run(request).await.expect("the host is whole");
    let spilled = std::fs::read_to_string(outcome.spill.as_deref().expect("spilled")).expect("there");
    assert_eq!((spilled, outcome.shown_output()), ("x".repeat(1000) + "\n", "xxxxxxxxxx"));
}

/// Signatures are for a language server, and must be Lua all the same.
#[tokio::test]
async fn printed_signatures_are_lua() {
    let (folder, host) = workspace();
    let signatures = luals(&host.catalog(), &LualsOptions::default());
    let runtime = runtime(host, FolderSpill::new(folder.path().join("spill")));
    let names =
        "local names = {} for name in pairs(tool) do names[#names + 1] = name end table.sort(names) print(table.concat(names, ' '))";
    let outcome = runtime.run(RunRequest::new(format!("local tool\n{signatures}\n{names}"))).await.expect("the host is whole");
    let expected = "edit_file find_files list_files read_file read_files search_files write_file\n";
    assert_eq!((outcome.kind(), outcome.output.as_str()), (None, expected));
}

#[tokio::test]
async fn a_typescript_program_calls_tools_at_once() {
    let (_folder, host) = workspace();
    let profile = Profile::program().with_isolation(Isolation::Thread);
    let runtime = Runtime::builder(host).profile(profile).layer(Arc::new(Validate::new())).build().expect("a runtime");
    let program = r#"
        const { files } = await tools.find_files({ globs: ["*.rs"] })
        const texts: string[] = await Promise.all(files.map((path: string) => tools.read_file({ path })))
        Object.fromEntries(files.map((path: string, at: number) => [path, texts[at].split("TODO").length - 1]))"#;
    let outcome = runtime.run(RunRequest::new(program)).await.expect("the host is whole");
    let value = outcome.value.as_ref().map(|value| value.text().to_owned());
    assert_eq!((outcome.kind(), value.as_deref()), (None, Some(r#"{"a.rs":1,"b.rs":0,"c.rs":2}"#)));
    assert_eq!((outcome.ledger.len(), outcome.engine), (4, "quickjs"));
}

#[tokio::test]
async fn a_cell_keeps_scratch_in_its_session_and_state_in_its_folder() {
    let (folder, host) = workspace();
    let place = folder.path().join("session");
    let count = "scratch.n = (scratch.n ?? 0) + 1; state.n = (state.n ?? 0) + 1; return [scratch.n, state.n]";
    let mut seen = Vec::new();
    for _ in 0..2 {
        let journal = Arc::new(SessionFolder::open(&place).expect("nobody else has it"));
        let profile = Profile::cell().with_isolation(Isolation::Thread);
        let runtime = Runtime::builder(host.clone()).profile(profile).journal(journal).build().expect("a runtime");
        let session = runtime.session();
        for _ in 0..2 {
            let outcome = session.run(RunRequest::new(count)).await.expect("the host is whole");
            assert_eq!((outcome.kind(), outcome.state_committed), (None, Some(true)));
            seen.extend(outcome.value.map(|value| value.text().to_owned()));
        }
    }
    assert_eq!(seen, ["[1,1]", "[2,2]", "[1,3]", "[2,4]"]);
}

#[tokio::test]
async fn a_profile_that_wants_a_worker_is_refused_with_what_to_do() {
    let (_folder, host) = workspace();
    let error = Runtime::builder(host).profile(Profile::program()).build().expect_err("there is no worker");
    assert!(matches!(error, RuntimeError::NoWorker("program")));
    assert_eq!(
        error.to_string(),
        "profile \"program\" wants a worker process, and the runtime was given none; give it `workers`, which needs the cargo feature `workers` and a program that is the worker, or set the profile's isolation to `Thread`"
    );
}
