//! `execute`: status, output, time, confinement, and that nothing is left behind.

use std::path::Path;
use std::time::{Duration, Instant};

use codemode_core::{Answer, Json};
use codemode_workspace::{Confinement, Limits, execute_confinement};
use serde_json::{Value, json};

use crate::desk::{Desk, Told, failed, not_run};

fn desk() -> Desk {
    Desk::with(|builder| builder.execute(true))
}

/// The data of a command without its time, which no test can know.
fn timeless(data: &Json) -> Value {
    let mut data = data.tree().clone();
    assert!(data["milliseconds"].is_u64());
    data.as_object_mut().expect("an object").remove("milliseconds");
    data
}

fn data(stdout: &str, stderr: &str, changes: Value) -> Value {
    let mut data = json!({
        "exit_code": 0, "signal": null, "timed_out": false, "stdout": stdout, "stderr": stderr,
        "stdout_dropped_bytes": 0, "stderr_dropped_bytes": 0, "left_running": 0,
    });
    for (key, value) in changes.as_object().expect("an object") {
        data[key] = value.clone();
    }
    data
}

/// Whether a process is gone, or waits as a zombie for a parent that is not ours.
pub(crate) fn is_gone(pid: &str) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit_once(") ").is_none_or(|(_, rest)| rest.starts_with('Z') || rest.starts_with('X'))
}

#[tokio::test]
async fn success_is_what_was_printed_and_all_the_rest_is_data() {
    let desk = desk();
    let answer = desk.call("execute", json!({"command": "printf 'out\\n'; printf err >&2"})).await;
    let Answer::Succeeded(content) = answer else { panic!("{answer:?}") };
    assert_eq!(content.as_text(), "out\n[standard error]\nerr");
    assert_eq!(timeless(content.structured.as_ref().expect("data")), data("out\n", "err", json!({})));
    let text = async |command: &str| desk.text("execute", json!({"command": command})).await;
    assert_eq!(text("printf out; echo err >&2").await, "out\n[standard error]\nerr\n");
    assert_eq!(text("echo err >&2").await, "[standard error]\nerr\n");
    assert_eq!(text("printf out; (echo err >&2) 2>/dev/null").await, "out");
    desk.put("sub/f", "");
    assert_eq!(desk.text("execute", json!({"command": "ls", "folder": "sub"})).await, "f\n");
    assert_eq!(desk.text("execute", json!({"command": "pwd"})).await, format!("{}\n", desk.root().display()));
}

#[tokio::test]
async fn another_status_or_a_signal_is_a_failure_that_keeps_what_was_printed() {
    let desk = desk();
    let answer = desk.call("execute", json!({"command": "echo out; echo why >&2; exit 3"})).await;
    let Answer::Failed(fault) = answer else { panic!("{answer:?}") };
    assert_eq!(
        (&*fault.code, fault.message.as_str()),
        ("exit_status", "the command ended with status 3\nstandard output:\nout\nstandard error:\nwhy")
    );
    let expected = data("out\n", "why\n", json!({"exit_code": 3}));
    assert_eq!(timeless(fault.data.as_ref().expect("data")), expected);
    let content = fault.content.as_ref().expect("content");
    assert_eq!((&*content.as_text(), timeless(content.structured.as_ref().expect("data"))), ("out\n", expected));

    let answer = desk.call("execute", json!({"command": "echo only out; kill -9 $$"})).await;
    let Answer::Failed(fault) = answer else { panic!("{answer:?}") };
    assert_eq!(fault.message, "the command was ended by signal 9\nstandard output:\nonly out");
    assert_eq!(timeless(fault.data.as_ref().expect("data")), data("only out\n", "", json!({"exit_code": null, "signal": 9})));

    let answer = desk.call("execute", json!({"command": "exit 1"})).await;
    let Answer::Failed(fault) = answer else { panic!("{answer:?}") };
    assert_eq!(fault.message, "the command ended with status 1");
}

#[tokio::test]
async fn the_message_of_a_failure_has_the_ends_of_both_outputs() {
    let desk = desk();
    let message = async |command: &str| match desk.call("execute", json!({"command": command})).await {
        Answer::Failed(fault) => fault.message,
        answer => panic!("{answer:?}"),
    };
    // What `seq 1 10000` prints has 48893 bytes without its last line end; a line of the end has five, its end included.
    let end = |lines: usize| -> String {
        let shown: Vec<String> = (10_001 - lines..=10_000).map(|number| number.to_string()).collect();
        format!("[{} bytes cut]\n{}", 48_893 - shown.join("\n").len(), shown.join("\n"))
    };
    // One that has little to say leaves its room to the other.
    let long_error = message("echo out; seq 1 10000 >&2; exit 1").await;
    assert_eq!(long_error, format!("the command ended with status 1\nstandard output:\nout\nstandard error:\n{}", end(359)));
    let both = message("seq 1 10000; seq 1 10000 >&2; exit 1").await;
    let expected = format!("the command ended with status 1\nstandard output:\n{}\nstandard error:\n{}", end(180), end(180));
    assert_eq!(both, expected);
    assert!(both.len() < codemode_core::MESSAGE_BYTES, "{}", both.len());
    // A line that is longer than the room is cut within, between two characters.
    let line = message("printf a; yes ä | head -n 1000 | tr -d '\\n'; exit 1").await;
    assert_eq!(line, format!("the command ended with status 1\nstandard output:\n[201 bytes cut]\n{}", "ä".repeat(900)));
}

#[tokio::test]
async fn there_is_no_input_and_no_terminal() {
    let desk = desk();
    assert_eq!(desk.text("execute", json!({"command": "cat; echo done"})).await, "done\n");
    let told = desk.told("execute", json!({"command": ": < /dev/tty"})).await;
    assert!(matches!(&told, Told::Failed(code, _) if code == "exit_status"), "{told:?}");
    if Path::new("/usr/bin/setsid").exists() {
        // The shell leads a group and a session of its own.
        let text = desk.text("execute", json!({"command": "cut -d' ' -f1,5,6 /proc/$$/stat"})).await;
        let ids: Vec<&str> = text.split_whitespace().collect();
        assert_eq!(ids, [ids[0], ids[0], ids[0]]);
    }
}

#[tokio::test]
async fn arguments_are_checked() {
    let desk = desk();
    let invalid = |message: &str| not_run("invalid_arguments", message);
    let told = async |arguments| desk.told("execute", arguments).await;
    assert_eq!(told(json!({"command": ""})).await, invalid("the command must have 1 to 65536 bytes and no NUL byte"));
    for seconds in [0.0, -1.0, 601.0] {
        assert_eq!(
            told(json!({"command": "true", "timeout_seconds": seconds})).await,
            invalid(&format!("timeout_seconds is {seconds}; more than 0 and at most 600 is allowed"))
        );
    }
    assert_eq!(told(json!({"command": "true", "folder": "none"})).await, failed("not_found", "none does not exist"));
    assert_eq!(
        told(json!({"cmd": "true"})).await,
        invalid("execute: unknown field `cmd`, expected one of `command`, `folder`, `timeout_seconds`")
    );
}

#[tokio::test]
async fn output_is_kept_from_both_ends_and_the_rest_counted() {
    let mut limits = Limits::default();
    limits.output_bytes = 20;
    let desk = Desk::with(|builder| builder.execute(true).limits(limits));
    let answer = desk.call("execute", json!({"command": "seq 1 200000; seq 1 8 >&2"})).await;
    let Answer::Succeeded(content) = answer else { panic!("{answer:?}") };
    let printed: usize = (1..=200_000).map(|number: u32| number.to_string().len() + 1).sum();
    let dropped = printed - 20;
    let stdout = format!("1\n2\n3\n4\n5\n\n[{dropped} bytes dropped]\n99\n200000\n");
    assert_eq!(content.as_text(), format!("{stdout}[standard error]\n1\n2\n3\n4\n5\n6\n7\n8\n"));
    let expected = data(&stdout, "1\n2\n3\n4\n5\n6\n7\n8\n", json!({"stdout_dropped_bytes": dropped}));
    assert_eq!(timeless(content.structured.as_ref().expect("data")), expected);
}

#[tokio::test]
async fn a_timeout_kills_all_that_the_command_started() {
    let desk = desk();
    // A child, a grandchild in a session of its own, one that ignores the polite signals, and an endless writer.
    let command = "sleep 1000 & echo $! >> pids\n\
                   setsid sh -c 'echo $$ >> pids; exec sleep 1000' &\n\
                   sh -c 'trap \"\" TERM HUP INT; echo $$ >> pids; while :; do sleep 1000; done' &\n\
                   yes & echo $! >> pids\n\
                   echo $$ > shell; wait";
    let started = Instant::now();
    let answer = desk.call("execute", json!({"command": command, "timeout_seconds": 1})).await;
    let Answer::Failed(fault) = answer else { panic!("{answer:?}") };
    assert_eq!(&*fault.code, "timeout");
    assert_eq!(fault.message.lines().next(), Some("the command was killed after 1 s; its time was up"));
    assert_eq!(fault.data.expect("data").tree()["timed_out"], json!(true));
    assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());
    let pids = desk.get("pids");
    assert_eq!(pids.lines().count(), 4);
    for pid in pids.lines() {
        assert!(is_gone(pid), "process {pid} survived");
    }
    // The shell was ours to wait for: it is no zombie either.
    assert!(!Path::new("/proc").join(desk.get("shell").trim()).exists());
}

#[tokio::test]
async fn what_a_command_leaves_running_neither_delays_nor_outlives_it() {
    let desk = desk();
    let started = Instant::now();
    let command = "sleep 1000 & echo $! >> pids; setsid sleep 1000 > /dev/null 2>&1 & echo $! >> pids; echo started";
    let answer = desk.call("execute", json!({"command": command})).await;
    let Answer::Succeeded(content) = answer else { panic!("{answer:?}") };
    assert_eq!(timeless(content.structured.as_ref().expect("data")), data("started\n", "", json!({"left_running": 2})));
    assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());
    for pid in desk.get("pids").lines() {
        assert!(is_gone(pid), "process {pid} survived");
    }
    // What is printed just after the shell's end is still heard.
    assert_eq!(desk.text("execute", json!({"command": "(sleep 0.05; echo late) &"})).await, "late\n");
}

#[tokio::test]
async fn a_process_that_keeps_moving_is_caught() {
    let desk = desk();
    // Each link starts the next in a session of its own and ends; five hundred at most, so that a broken tool loads no machine for long.
    desk.put("link.sh", "[ $1 -gt 500 ] && exit\nsleep 0.02\nsetsid sh link.sh $(($1 + 1)) > /dev/null 2>&1 &\n");
    let name = format!("link-{}", std::process::id());
    std::fs::rename(desk.root().join("link.sh"), desk.root().join(&name)).expect("renamed");
    desk.put(&name, desk.get(&name).replace("link.sh", &name));
    desk.text("execute", json!({"command": format!("setsid sh {name} 1 > /dev/null 2>&1 & sleep 0.2")})).await;
    let running = std::fs::read_dir("/proc").expect("processes").filter(|entry| {
        let path = entry.as_ref().expect("an entry").path().join("cmdline");
        std::fs::read_to_string(path).is_ok_and(|words| words.split('\0').any(|word| word == name))
    });
    assert_eq!(running.count(), 0);
}

#[tokio::test]
async fn a_temporary_folder_comes_and_goes_with_each_command() {
    let desk = desk();
    let first = desk
        .text("execute", json!({"command": "mkdir -p $TMPDIR/a/b && touch $TMPDIR/a/b/c && chmod 500 $TMPDIR/a && echo $TMPDIR"}))
        .await;
    let second = desk.text("execute", json!({"command": "ls -A $TMPDIR; echo $TMPDIR"})).await;
    assert_ne!(first, second);
    assert!(!Path::new(first.trim()).exists() && !Path::new(second.trim()).exists());
}

/// Whether this machine can confine; says why not where it cannot.
fn can_confine() -> bool {
    match execute_confinement() {
        Confinement::None { reason } => {
            #[expect(clippy::print_stderr, reason = "a test that shows nothing here must say so")]
            {
                eprintln!("skipped: {reason}");
            }
            false
        }
        _ => true,
    }
}

#[tokio::test]
async fn landlock_lets_a_command_write_only_where_it_may() {
    if !can_confine() {
        return;
    }
    let desk = desk();
    std::fs::write(desk.outside("precious"), "kept").expect("a file outside");
    std::fs::create_dir(desk.outside("folder")).expect("a folder outside");
    let outside = [
        "echo x > ../new",
        "echo x > ../precious",
        "echo x >> ../precious",
        "rm ../precious",
        "rmdir ../folder",
        "mkdir ../made",
        "ln -s x ../link",
        "mkfifo ../pipe",
        "mv ../precious .",
        "ln ../precious here",
        "truncate -s 0 ../precious",
        "touch f && mv f ../moved",
    ];
    for command in outside {
        let told = desk.told("execute", json!({"command": command})).await;
        // Linking and moving between folders of unlike rights is told as if they were different devices.
        let refused = |message: &str| ["ermission denied", "cross-device link"].iter().any(|why| message.contains(why));
        assert!(matches!(&told, Told::Failed(code, message) if code == "exit_status" && refused(message)), "{command}: {told:?}");
    }
    let mut names: Vec<_> =
        std::fs::read_dir(desk.outside(".")).expect("the folder").map(|entry| entry.expect("an entry").file_name()).collect();
    names.sort();
    assert_eq!(names, ["folder", "precious", "root"]);
    assert_eq!(std::fs::read_to_string(desk.outside("precious")).expect("still there"), "kept");
    let inside = "cat ../precious && mkdir a b && echo x > a/f && mv a/f b/g && echo y > $TMPDIR/t && cp $TMPDIR/t b/h && ln b/g b/i && \
                  echo z > /dev/null && echo w > /dev/stderr && ls b";
    assert_eq!(desk.text("execute", json!({"command": inside})).await, "keptg\nh\ni\n[standard error]\nw\n");
    // The host itself is as free as before.
    std::fs::write(desk.outside("by-host"), "").expect("the host writes where it likes");
}

#[tokio::test]
async fn landlock_keeps_signals_in_and_says_what_it_does() {
    if !can_confine() {
        return;
    }
    let desk = desk();
    let confinement = execute_confinement();
    assert_eq!(desk.workspace.confinement(), Some(&confinement));
    let description = desk.tool("execute").description.clone();
    assert!(description.ends_with(&format!("A command is {confinement}.")), "{description}");
    if let Confinement::Landlock { scoped: true, .. } = confinement {
        let ours = format!("kill -0 {}", std::process::id());
        let told = desk.told("execute", json!({"command": ours})).await;
        assert!(matches!(&told, Told::Failed(code, _) if code == "exit_status"), "{told:?}");
    }
    assert_eq!(desk.text("execute", json!({"command": "sleep 1000 & kill $! && wait $! 2>/dev/null; echo $?"})).await, "143\n");
}

#[tokio::test]
async fn a_host_can_open_more_folders_to_commands() {
    if !can_confine() {
        return;
    }
    let cache = tempfile::tempdir().expect("a folder");
    let desk = Desk::with(|builder| builder.execute(true).require_confinement(true).execute_writable(cache.path()));
    desk.text("execute", json!({"command": format!("echo x > {}/f", cache.path().display())})).await;
    assert_eq!(std::fs::read_to_string(cache.path().join("f")).expect("the file"), "x\n");
}
