//! What a client of `codemode serve` waits for: the first answers, a run, and calls through a program against direct ones.

mod client;
pub(crate) mod upstream;

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use self::client::{Client, binary};
use crate::figure::{Figure, Gate};

/// Who runs the programs behind the server.
const ENGINE: &str = "quickjs";
/// Repeated calls in one measurement of a median.
const REPEATS: usize = 101;
/// Inner calls of the program that is compared with direct calls.
const CALLS: usize = 10;

/// From the start of the process to the answers to `initialize` and `tools/list`, beside an upstream that takes 3 s to start.
pub(crate) fn first_list(turns: u32) -> Figure {
    let mut ours = Duration::MAX;
    let mut bare = Duration::MAX;
    for _ in 0..turns {
        let began = Instant::now();
        let mut client = Client::start(&[], &[("slow", Duration::from_secs(3))]);
        client.initialize();
        let tools = client.request("tools/list", &json!({}));
        ours = ours.min(began.elapsed());
        assert_eq!(tools["tools"][0]["name"], "run_code", "{tools}");
        let began = Instant::now();
        let version = std::process::Command::new(binary()).arg("--version").output().expect("the command starts");
        bare = bare.min(began.elapsed());
        assert!(version.status.success());
    }
    Figure::new("serve: first list", ENGINE, (ours, bare), Gate::Most(30_000.0))
}

/// Memory that the server holds before its first run, beside that of a process that only answers lines.
pub(crate) fn memory(_turns: u32) -> Figure {
    let mut client = Client::start(&["--full"], &[("up", Duration::ZERO)]);
    client.initialize();
    // Before the first run, and after the upstream was listed: that is when it waits for its client.
    while client.request("tools/list", &json!({}))["tools"]
        .as_array()
        .is_none_or(|tools| tools.iter().all(|tool| tool["name"] != "up__echo"))
    {
        std::thread::sleep(Duration::from_millis(10));
    }
    Figure::memory("serve: memory", ENGINE, (client.resident_kib(), upstream::resident_kib()), Gate::Most(20.0 * 1024.0))
}

/// A run of `return 1`, median, beside a ping.
pub(crate) fn return_one(_turns: u32) -> Figure {
    let mut client = ready(&[]);
    let run = json!({"name": "run_code", "arguments": {"code": "return 1"}});
    assert_eq!(client.request("tools/call", &run)["structuredContent"]["value"], 1);
    let ours = median(|| drop(client.request("tools/call", &run)));
    let bare = median(|| drop(client.request("ping", &json!({}))));
    Figure::new("serve: return 1", ENGINE, (ours, bare), Gate::Most(500.0))
}

/// Ten calls in one program, less what a program without calls takes, beside ten direct calls through the same server.
///
/// What a run costs by itself is `serve: return 1`; this is what a call in it costs.
pub(crate) fn ten_calls(turns: u32) -> Figure {
    let mut client = ready(&["--full"]);
    let code = format!("let last; for (let i = 0; i < {CALLS}; i++) last = await tools.up.echo({{ text: 'a' }}); return last");
    let program = json!({"name": "run_code", "arguments": {"code": code}});
    let direct = json!({"name": "up__echo", "arguments": {"text": "a"}});
    assert_eq!(client.request("tools/call", &program)["structuredContent"]["value"], "a");
    assert_eq!(client.request("tools/call", &direct)["content"][0]["text"], "a");
    let empty = json!({"name": "run_code", "arguments": {"code": "return 1"}});
    let mut least = [Duration::MAX; 3];
    for _ in 0..turns.max(100) {
        least[0] = least[0].min(time(|| drop(client.request("tools/call", &program))));
        least[1] = least[1].min(time(|| drop(client.request("tools/call", &empty))));
        least[2] = least[2].min(time(|| (0..CALLS).for_each(|_| drop(client.request("tools/call", &direct)))));
    }
    Figure::new("serve: ten calls", ENGINE, (least[0].saturating_sub(least[1]), least[2]), Gate::Ratio(1.1))
}

/// A server whose upstream, `up`, has been listed.
fn ready(flags: &[&str]) -> Client {
    let mut client = Client::start(flags, &[("up", Duration::ZERO)]);
    client.initialize();
    let listed =
        client.request("tools/call", &json!({"name": "run_code", "arguments": {"code": "return await tools.up.echo({ text: 'up' })"}}));
    assert_eq!(listed["structuredContent"]["value"], Value::from("up"), "{listed}");
    client
}

fn median(mut work: impl FnMut()) -> Duration {
    let mut times: Vec<Duration> = (0..REPEATS).map(|_| time(&mut work)).collect();
    times.sort();
    times[REPEATS / 2]
}

fn time(work: impl FnOnce()) -> Duration {
    let began = Instant::now();
    work();
    began.elapsed()
}
