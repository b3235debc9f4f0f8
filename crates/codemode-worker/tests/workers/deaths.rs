//! Deaths: of workers at any moment, and of their host.

use std::collections::HashMap;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Command, ExitCode, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use codemode_core::{CallStatus, FailureKind, RunRequest};
use libtest_mimic::Trial;

use crate::host::{Counting, on_runtime, runner, trial, value, workers};
use crate::machine::{children_of, descriptors, kill, lives, wait_until};

/// What this program is given to be a host that waits for ever.
pub(crate) const HOST: &str = "be-a-host";

pub(crate) fn trials() -> Vec<Trial> {
    vec![
        trial("a_worker_killed_at_a_random_moment_leaves_an_honest_outcome", random_kills),
        trial("a_death_while_a_tool_is_out_is_seen_at_once", a_death_in_a_wait),
        trial("no_worker_outlives_its_host", host_killed),
    ]
}

const RUNS: usize = 1000;

/// Programs that call and compute; somebody kills any of the workers, at any moment.
fn random_kills() {
    let descriptors_before = descriptors();
    let host = Counting::new(Duration::ZERO);
    let all = workers().build();
    let runner = runner(&all, &host);
    let over = Arc::new(AtomicBool::new(false));
    let killer = std::thread::spawn({
        let over = Arc::clone(&over);
        move || {
            let mut random = fastrand::Rng::with_seed(7);
            let mut killed = 0;
            while !over.load(Ordering::SeqCst) {
                std::thread::sleep(Duration::from_micros(random.u64(0..20_000)));
                let workers = children_of(std::process::id());
                if !workers.is_empty() {
                    kill(workers[random.usize(0..workers.len())]);
                    killed += 1;
                }
            }
            killed
        }
    });
    let mut kinds: HashMap<Option<FailureKind>, usize> = HashMap::new();
    on_runtime(async {
        for run in 0..RUNS {
            let source = format!(
                "console.log('begun'); let sum = 0; for (let n = 0; n < 4; n++) {{ await tools.count({{run: {run}, n}}); for (let i = 0; i < 5000; i++) sum += i }} return sum"
            );
            let outcome = runner.run(RunRequest::new(source.as_str())).await.expect("an outcome");
            *kinds.entry(outcome.kind()).or_default() += 1;
            let seen = host.take_seen();
            let told: Vec<String> = outcome.ledger.records().iter().map(|record| record.arguments.text().to_owned()).collect();
            assert_eq!(told, seen, "what was called is what is told, each once and in order");
            let expected: Vec<String> = (0..seen.len()).map(|n| format!("{{\"run\":{run},\"n\":{n}}}")).collect();
            assert_eq!(seen, expected);
            if outcome.is_ok() {
                assert_eq!((value(&outcome), seen.len(), &*outcome.output), (Some("49990000"), 4, "begun\n"));
            } else {
                assert_eq!(outcome.kind(), Some(FailureKind::Crashed), "{outcome:?}");
                assert_eq!(outcome.value, None);
                let before_the_last = outcome.ledger.records().iter().rev().skip(1);
                assert!(before_the_last.clone().all(|record| record.status == CallStatus::Ok), "{outcome:?}");
            }
        }
    });
    over.store(true, Ordering::SeqCst);
    let killed = killer.join().expect("no panic");
    assert!(killed > 20, "{killed} kills");
    assert!(kinds.get(&None).copied().unwrap_or_default() > 20, "{kinds:?}");
    assert!(kinds.get(&Some(FailureKind::Crashed)).copied().unwrap_or_default() > 5, "{kinds:?}");
    drop(runner);
    drop(all);
    wait_until("no process is left", Duration::from_secs(20), || children_of(std::process::id()).is_empty());
    wait_until("no descriptor is left", Duration::from_secs(20), || descriptors() <= descriptors_before + 1);
}

fn a_death_in_a_wait() {
    let host = Counting::new(Duration::from_secs(600));
    let workers = workers().waiting_most(0).build();
    let runner = runner(&workers, &host);
    on_runtime(async {
        let run = tokio::spawn(runner.run(RunRequest::new("console.log('asking'); await tools.count({})")));
        while host.out.load(Ordering::SeqCst) == 0 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        let own = children_of(std::process::id());
        own.into_iter().for_each(kill);
        let began = Instant::now();
        let outcome = run.await.expect("no panic").expect("an outcome");
        assert_eq!(outcome.kind(), Some(FailureKind::Crashed));
        assert_eq!((&*outcome.output, outcome.ledger.records()[0].status), ("asking\n", CallStatus::Unknown));
        let message = outcome.failure.map(|failure| failure.message).unwrap_or_default();
        assert_eq!(
            message,
            "the worker process was killed by signal 9, and not by its host: by somebody else, or by the system for want of memory; \
             the last call was 1: count, unknown"
        );
        assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
    });
}

pub(crate) fn be_a_host() -> ExitCode {
    let host = Counting::new(Duration::from_secs(600));
    let workers = workers().build();
    let runner = runner(&workers, &host);
    on_runtime(async {
        let mut runs = tokio::task::JoinSet::new();
        for number in 0..6 {
            let runner = runner.clone();
            let source = if number % 2 == 0 { "await tools.count({})" } else { "for (;;) {}" };
            runs.spawn(async move { runner.run(RunRequest::new(source)).await });
        }
        while workers.count() < 6 || host.out.load(Ordering::SeqCst) < 3 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        std::io::stdout().write_all(b"ready\n").expect("it is listened to");
        std::future::pending::<()>().await;
    });
    ExitCode::SUCCESS
}

fn host_killed() {
    let program = std::env::current_exe().expect("this program has a name");
    let mut host = Command::new(program).arg(HOST).stdout(Stdio::piped()).stdin(Stdio::null()).spawn().expect("a host starts");
    let mut said = String::new();
    BufReader::new(host.stdout.take().expect("a pipe")).read_line(&mut said).expect("it says something");
    assert_eq!(said, "ready\n");
    let workers = children_of(host.id());
    assert!(workers.len() >= 6, "{workers:?}");
    host.kill().expect("it is killed");
    host.wait().expect("it is dead");
    wait_until("no worker is left", Duration::from_secs(1), || !workers.iter().any(|id| lives(*id)));
}
