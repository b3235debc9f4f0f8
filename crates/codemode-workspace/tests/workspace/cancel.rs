//! A call that nobody waits for any more ends, and so does all that it started.

use std::os::fd::OwnedFd;
use std::path::Path;
use std::sync::Arc;

use codemode_core::{Call, Json, ToolHost};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, pidfd_open};
use serde_json::json;

use crate::desk::{Desk, Told, told};

/// The processes that a command tells of, held by handles from the moment at which it has told.
struct Watched(Vec<OwnedFd>);

impl Watched {
    /// Waits for the command to write their numbers into a pipe.
    async fn told_by(pipe: &Path) -> Self {
        let pipe = pipe.to_owned();
        let text = tokio::task::spawn_blocking(move || std::fs::read_to_string(pipe)).await.expect("a reader").expect("the numbers");
        let open = |pid: &str| pidfd_open(Pid::from_raw(pid.parse().expect("a number")).expect("above zero"), PidfdFlags::empty());
        Self(text.split_whitespace().map(|pid| open(pid).expect("it runs")).collect())
    }

    /// Waits until each has ended; ten seconds are far more than it takes.
    fn have_ended(&self) -> bool {
        let patience = Timespec { tv_sec: 10, tv_nsec: 0 };
        self.0.iter().all(|process| poll(&mut [PollFd::new(process, PollFlags::IN)], Some(&patience)).is_ok_and(|ready| ready == 1))
    }
}

fn desk_with_pipe() -> (Arc<Desk>, std::path::PathBuf) {
    let desk = Arc::new(Desk::with(|builder| builder.execute(true)));
    let pipe = desk.root().join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo").success());
    (desk, pipe)
}

/// Starts three processes, one of them in a session of its own, and tells their numbers.
const COMMAND: &str = "sleep 1000 & a=$!; setsid sleep 1000 & b=$!; echo $$ $a $b > pipe; wait";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn dropping_the_future_kills_the_command_and_its_descendants() {
    let (desk, pipe) = desk_with_pipe();
    let calling = Arc::clone(&desk);
    let task = tokio::spawn(async move { calling.call("execute", json!({"command": COMMAND})).await });
    let watched = Watched::told_by(&pipe).await;
    assert_eq!(watched.0.len(), 3);
    task.abort();
    assert!(task.await.expect_err("it was dropped").is_cancelled());
    assert!(watched.have_ended());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_that_stops_kills_the_command_and_hears_of_it() {
    let (desk, pipe) = desk_with_pipe();
    let context = desk.context("execute");
    let cancelled = context.cancelled.clone();
    let (calling, tool) = (Arc::clone(&desk), desk.tool("execute"));
    let arguments = Json::from_value(json!({"command": COMMAND})).expect("json");
    let task = tokio::spawn(async move { calling.workspace.call(&context, Call { tool, arguments }).await });
    let watched = Watched::told_by(&pipe).await;
    cancelled.cancel();
    let answer = task.await.expect("an answer");
    let expected = Told::Failed("cancelled".to_owned(), "the call was cancelled and the command was killed".to_owned());
    assert_eq!(told(answer), expected);
    assert!(watched.have_ended());
}

#[test]
fn a_runtime_that_shuts_down_takes_its_commands_along() {
    let (desk, pipe) = desk_with_pipe();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).build().expect("a runtime");
    let calling = Arc::clone(&desk);
    runtime.spawn(async move { calling.call("execute", json!({"command": COMMAND})).await });
    let watched = runtime.block_on(Watched::told_by(&pipe));
    drop(runtime);
    assert!(watched.have_ended());
}
