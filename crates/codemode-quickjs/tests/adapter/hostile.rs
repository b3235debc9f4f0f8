//! Programs that hide from bounds: each ends with the kind of its bound, or with its value, and the process lives.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use codemode_core::{RunRequest, threads_left_behind};
use codemode_testbed::{part, run, run_part, say};
use serde::Deserialize;

use crate::bed::Bed;

/// The bound that the programs run into.
const COMPUTE: Duration = Duration::from_millis(200);

/// How long after its bound a program may go on, the two seconds of the driver's grace among that. The benchmarks hold it to less, in
/// a build that counts and on a machine without other work.
const LATE: Duration = Duration::from_secs(4);

/// How long a child may take.
const LONGEST: Duration = Duration::from_secs(120);

#[derive(Deserialize)]
struct Programs {
    program: Vec<Program>,
}

#[derive(Deserialize)]
pub(crate) struct Program {
    pub(crate) name: String,
    /// The statuses that are right.
    ends: Vec<String>,
    /// Nothing stops it: its thread is left behind.
    #[serde(default)]
    pub(crate) wedges: bool,
    /// It stops by itself, long after its bound; where the machine is slow its thread is left behind too.
    #[serde(default)]
    pub(crate) late: bool,
    pub(crate) source: String,
}

/// The hostile programs.
pub(crate) fn programs() -> Vec<Program> {
    toml::from_str::<Programs>(include_str!("../data/hostile.toml")).expect("programs").program
}

/// What a child says of its program: the status, the milliseconds it took, and whether a thread was left behind.
fn perform(program: &Program) {
    let runner = Bed::default().with(|budgets| budgets.compute = COMPUTE).runner();
    let began = Instant::now();
    let outcome = run(&runner, RunRequest::new(program.source.as_str()));
    let took = began.elapsed().as_millis();
    let (status, left) = (outcome.status.as_str(), threads_left_behind());
    let told = match &outcome.failure {
        None => format!("{:?}", outcome.value.as_ref().map(|value| serde_json::to_string(value).expect("JSON"))),
        Some(failure) => failure.message.clone(),
    };
    say(&format!("{status} {took} {left} {}", codemode_core::text::cut(&codemode_core::text::one_line(&told), 100)));
    // A thread that cannot be stopped ends with the process.
    std::process::exit(0);
}

/// What is wrong with a program's end; nothing where all is right.
fn judge(program: &Program) -> Option<String> {
    let ended = run_part("hostile::hostile_programs_end", &program.name, &[]);
    let said = ended.said.first().cloned().unwrap_or_default();
    let line = format!("{:<16} {:?} {said}", program.name, ended.status.code());
    eprintln!("{line}");
    let mut words = said.split(' ');
    let (status, took, left) = (words.next()?, words.next(), words.next());
    let took = Duration::from_millis(took.and_then(|took| took.parse().ok()).unwrap_or(u64::MAX));
    let right = ended.status.success()
        && program.ends.iter().any(|end| end == status)
        && (left == Some(if program.wedges { "1" } else { "0" }) || program.late)
        && took < COMPUTE + LATE;
    (!right).then(|| format!("\n{line}\n{}", ended.rest))
}

#[test]
fn hostile_programs_end() {
    let programs = programs();
    if let Some(name) = part(LONGEST) {
        return perform(programs.iter().find(|program| program.name == name).expect("a program of this name"));
    }
    let (waiting, wrong) = (Mutex::new(programs.iter()), Mutex::new(String::new()));
    let next = || waiting.lock().expect("nobody panics").next();
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(program) = next() {
                    if let Some(found) = judge(program) {
                        wrong.lock().expect("nobody panics").push_str(&found);
                    }
                }
            });
        }
    });
    let wrong = wrong.into_inner().expect("nobody panics");
    assert!(wrong.is_empty(), "{wrong}");
}
