//! Workers that do not do what workers do: they end, and their host goes on.

use std::io::{Read as _, Write as _};
use std::process::ExitCode;
use std::time::Duration;

use codemode_worker::{Launch, Workers};
use libtest_mimic::Trial;

/// What this program is given, with a kind, to be such a worker.
pub(crate) const BROKEN: &str = "be-broken";

/// What a broken worker sends first.
fn sent(kind: &str) -> Vec<u8> {
    match kind {
        "noise" => b"HTTP/1.1 200 OK\r\n\r\n".to_vec(),
        "huge" => u32::MAX.to_le_bytes().to_vec(),
        "torn" => vec![200, 0, 0, 0, 1, 2, 3],
        "empty" => vec![0, 0, 0, 0],
        "unknown" => vec![3, 0, 0, 0, 250, 1, 2],
        _ => Vec::new(),
    }
}

pub(crate) fn be_one(kind: &str) -> ExitCode {
    let _ = std::io::stdout().write_all(&sent(kind));
    let _ = std::io::stdout().flush();
    if kind != "torn" {
        // It stays until its host lets go of it.
        let _ = std::io::stdin().read_to_end(&mut Vec::new());
    }
    ExitCode::SUCCESS
}

pub(crate) fn trials() -> Vec<Trial> {
    [
        ("noise", "it announced a message of 1347703880 bytes, which is more than it may send"),
        ("huge", "it announced a message of 4294967295 bytes, which is more than it may send"),
        ("torn", "it ended within a message"),
        ("empty", "it sent what is no message: Hit the end of buffer, expected more data"),
        ("unknown", "it sent what is no message: "),
    ]
    .into_iter()
    .map(|(kind, expected)| {
        Trial::test(format!("a_worker_that_begins_with_what_is_{kind}_is_told_and_ended"), move || {
            let launch = Launch::this_program(BROKEN).expect("this program has a name").argument(kind);
            let before = std::time::Instant::now();
            let error = Workers::builder(launch).build().engine("quickjs").err().map(|error| error.to_string()).unwrap_or_default();
            assert!(error.starts_with(&format!("cannot start a worker process: {expected}")), "{error}");
            assert!(before.elapsed() < Duration::from_secs(8), "{:?}", before.elapsed());
            Ok(())
        })
    })
    .collect()
}
