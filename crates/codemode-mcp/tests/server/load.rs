//! Clients that ask for more than they read, and for more at once than there is room for.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use codemode::{Isolation, Profile};
use codemode_mcp::CodeServer;
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt as _;

use crate::connected::PATIENCE;
use crate::local::Tools;
use crate::raw::Pipe;

async fn piped(tools: &Tools) -> Pipe {
    let mut pipe = Pipe::new(&CodeServer::builder(tools.host.clone()).build().expect("a server"));
    pipe.initialize("2025-06-18").await;
    pipe
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_reads_nothing_is_not_read_either_and_loses_nothing() {
    const ALL: usize = 60_000;
    let (mut write, mut lines) = piped(&Tools::new()).await.split();
    let written = Arc::new(AtomicUsize::new(0));
    let writing = tokio::spawn({
        let written = Arc::clone(&written);
        async move {
            for id in 1..=ALL {
                let ping = format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"ping\"}}\n");
                write.write_all(ping.as_bytes()).await.expect("written");
                written.store(id, Ordering::Relaxed);
            }
            write
        }
    });
    // It comes to a stand: nothing is written for a while.
    let mut before = 0;
    loop {
        tokio::time::sleep(Duration::from_millis(500)).await;
        let now = written.load(Ordering::Relaxed);
        if now == before {
            break;
        }
        before = now;
    }
    // 16 MiB are held, and each answer takes a KiB and a little.
    assert!((10_000..30_000).contains(&before), "{before}");
    let mut seen = vec![false; ALL + 1];
    for _ in 0..ALL {
        let line = tokio::time::timeout(PATIENCE, lines.next_line()).await.expect("in time").expect("read").expect("a line");
        let answer: Value = serde_json::from_str(&line).expect("json");
        let id = usize::try_from(answer["id"].as_u64().expect("an id")).expect("small");
        assert!(answer["result"].is_object() && !std::mem::replace(&mut seen[id], true), "{line}");
    }
    writing.await.expect("written");
}

#[tokio::test(flavor = "multi_thread")]
async fn so_many_programs_run_at_once_and_the_rest_wait_for_a_place() {
    let mut tools = Tools::new();
    let mut pipe = piped(&tools).await;
    let run = |id: usize| {
        let params = json!({"name": "run_code", "arguments": {"code": "return await tools.wait({})"}});
        json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params})
    };
    for id in 1..=70 {
        pipe.send(&run(id)).await;
    }
    for _ in 0..64 {
        assert_eq!(tools.next().await, "wait");
    }
    // Other questions are answered meanwhile, and what is given up before it began never does.
    assert_eq!(pipe.ask(100, "ping", json!({})).await["result"], json!({}));
    assert!(pipe.ask(101, "tools/list", json!({})).await["result"]["tools"].is_array());
    assert!(tools.events.try_recv().is_err(), "64 at once");
    tools.local.release(70);
    let mut ids = Vec::new();
    for _ in 0..70 {
        let answer = pipe.next().await;
        assert_eq!(answer["result"]["structuredContent"]["value"], json!("released"));
        ids.push(answer["id"].as_u64().expect("an id"));
    }
    ids.sort_unstable();
    assert_eq!(ids, (1..=70).collect::<Vec<u64>>());
}

#[tokio::test(flavor = "multi_thread")]
async fn programs_that_wait_for_their_session_keep_no_place_from_others() {
    let mut tools = Tools::new();
    let profile = Profile::cell().with_isolation(Isolation::Thread);
    let server = CodeServer::builder(tools.host.clone()).profile(profile).build().expect("a server");
    let (mut many, mut other) = (Pipe::new(&server), Pipe::new(&server));
    many.initialize("2025-06-18").await;
    other.initialize("2025-06-18").await;
    let run = |id: usize, code: &str| json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": "run_code", "arguments": {"code": code}}});
    for id in 1..=70 {
        many.send(&run(id, "await host.wait({})")).await;
    }
    assert_eq!(tools.next().await, "wait");
    assert_eq!(many.ask(100, "ping", json!({})).await["result"], json!({}));
    other.send(&run(1, "1 + 1")).await;
    assert_eq!(other.next().await["result"]["structuredContent"]["value"], json!(2));
    tools.local.release(70);
    for _ in 0..70 {
        assert_eq!(many.next().await["result"]["structuredContent"]["status"], json!("ok"));
    }
}

#[tokio::test]
async fn a_client_that_says_again_and_again_that_it_is_ready_is_watched_for_once() {
    let mut pipe = piped(&Tools::new()).await;
    for _ in 0..1_000 {
        pipe.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
    }
    assert_eq!(pipe.ask(1, "ping", json!({})).await["result"], json!({}));
    let few = async {
        while tokio::runtime::Handle::current().metrics().num_alive_tasks() > 100 {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(PATIENCE, few).await.expect("what each of them began has ended");
}
