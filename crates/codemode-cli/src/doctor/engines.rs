//! Looks at the engines: each one runs small programs that show what it does, not what it says of itself.

use std::sync::Arc;
use std::time::Duration;

use codemode::workers::{Workers, engines};
use codemode::{Authority, Budgets, Catalog, ClosureHost, Engine, FailureKind, Form, Isolation, Outcome, Profile, RunRequest, Runtime};

use super::Finding;
use crate::exit::CliError;
use crate::isolation::{IsolationArgs, Programs};

/// The compute budget of a program that never ends.
const ENDLESS: Duration = Duration::from_millis(200);
/// How long past its budget a program may be stopped and still count as stopped at once.
const SLACK: Duration = Duration::from_millis(500);
/// The memory budget of a program that never has enough, in bytes.
const HUNGRY: u64 = 16 << 20;

/// Programs that show what an engine does.
struct Probes {
    /// The profile that they are for.
    form: Form,
    /// Ends well, and shows what is told of the start.
    start: &'static str,
    /// What is told of the start.
    told: fn(String, &Outcome) -> Finding,
    /// Never ends.
    endless: &'static str,
    /// Holds ever more memory.
    hungry: &'static str,
}

const PROBES: &[Probes] = &[
    Probes {
        form: Form::Script,
        // The engine's own version, and then whether it compiles what it runs.
        start: "print(jit.version) print((jit.status()))",
        told: compiler,
        endless: "local n = 0 while true do n = n + 1 end",
        hungry: "local held = {} while true do held[#held + 1] = ('x'):rep(4096) .. #held end",
    },
    Probes {
        form: Form::Program,
        // Types are taken out, and a promise is awaited.
        start: "const parts: string[] = await Promise.all(['a', 'b'].map(async part => part + 1))\nreturn parts.join('')",
        told: typescript,
        endless: "let n = 0\nwhile (true) n++",
        hungry: "const held = []\nwhile (true) held.push('x'.repeat(4096) + held.length)",
    },
];

/// What there is to say of the engines.
pub(super) fn look() -> Result<Vec<Finding>, CliError> {
    let there = engines();
    if there.is_empty() {
        let advice = "build the command with its default features, which bring every engine";
        return Ok(vec![Finding::bad("engines", "none is compiled in", advice)]);
    }
    let executor = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| CliError::new(format!("cannot start a runtime: {error}")))?;
    let Some(workers) = IsolationArgs::default().workers(&Profile::program(), Programs::Many)? else { return Ok(Vec::new()) };
    let mut findings = vec![executor.block_on(sandbox(&workers, there[0].id()))];
    for engine in there {
        findings.push(roster(&*engine));
        for probes in PROBES.iter().filter(|probes| engine.support().form(probes.form)) {
            findings.extend(executor.block_on(try_out(&workers, engine.id(), probes)));
        }
    }
    Ok(findings)
}

/// Whether worker processes start, and what holds them.
async fn sandbox(workers: &Workers, engine: &'static str) -> Finding {
    let about = "worker processes";
    let form = PROBES
        .iter()
        .map(|probes| probes.form)
        .find(|form| codemode::workers::engine(engine).is_ok_and(|engine| engine.support().form(*form)));
    let mut profile = Profile::of(form.unwrap_or(Form::Program));
    profile.authority = Authority::None;
    match run(workers, engine, profile, "return 1", None).await {
        Ok(outcome) if outcome.is_ok() => match workers.missing().as_slice() {
            [] => Finding::ok(about, "they start, and without authority local they reach no file, no network and no process"),
            missing => Finding::note(
                about,
                format!("they start, and part of their sandbox does not hold: {}", missing.join("; ")),
                "run programs whose model you trust, or a newer Linux; --require-sandbox refuses to run any here",
            ),
        },
        Ok(outcome) => broken(about.to_owned(), &outcome),
        Err(error) => Finding::bad(about, error.to_string(), "use --isolation thread, and report it"),
    }
}

/// What an engine says of itself.
fn roster(engine: &dyn Engine) -> Finding {
    let support = engine.support();
    let forms = Form::ALL.into_iter().filter(|form| support.form(*form));
    let profiles: Vec<_> = forms.map(Form::as_str).collect();
    let authority = if support.grant_local { "local, none" } else { "none" };
    let gaps = match engine.gaps().len() {
        0 => "no known gaps".to_owned(),
        1 => "1 known gap, see its page of limitations".to_owned(),
        count => format!("{count} known gaps, see its page of limitations"),
    };
    Finding::ok(format!("engine {}", engine.id()), format!("profiles {}; authority {authority}; {gaps}", profiles.join(", ")))
}

async fn try_out(workers: &Workers, id: &'static str, probes: &Probes) -> Vec<Finding> {
    let about = |what: &str| format!("engine {id}, {what}");
    let budgets = Budgets { compute: ENDLESS, wall: Duration::from_secs(10), ..Profile::of(probes.form).budgets };
    let start = match probe(workers, id, probes, probes.start, budgets).await {
        Ok(outcome) if outcome.is_ok() => outcome,
        Ok(outcome) => return vec![broken(about("start"), &outcome)],
        Err(error) => {
            return vec![Finding::bad(about("start"), error.to_string(), "rebuild the command; if that does not help, report it")];
        }
    };
    let mut findings = vec![(probes.told)(format!("engine {id}"), &start)];
    for (what, source, kind, budgets) in [
        ("time bound", probes.endless, FailureKind::Time, budgets),
        ("memory bound", probes.hungry, FailureKind::Memory, Budgets { memory_bytes: HUNGRY, compute: Duration::from_secs(10), ..budgets }),
    ] {
        findings.push(match probe(workers, id, probes, source, budgets).await {
            Ok(outcome) => bound(about(what), &outcome, kind, &budgets),
            Err(error) => Finding::bad(about(what), error.to_string(), "rebuild the command; if that does not help, report it"),
        });
    }
    findings
}

async fn probe(workers: &Workers, id: &'static str, probes: &Probes, source: &'static str, budgets: Budgets) -> Result<Outcome, CliError> {
    run(workers, id, Profile::of(probes.form), source, Some(budgets)).await
}

/// Runs a program where the command runs programs.
async fn run(
    workers: &Workers,
    id: &'static str,
    profile: Profile,
    source: &'static str,
    budgets: Option<Budgets>,
) -> Result<Outcome, CliError> {
    // The programs call no tool.
    let host = ClosureHost::new(Catalog::default(), |name, _| Err(format!("there is no tool {name}")));
    let runtime = Runtime::builder(Arc::new(host))
        .engine(id)
        .profile(profile.with_isolation(Isolation::Process))
        .workers(workers.clone())
        .build()
        .map_err(CliError::of)?;
    let request = RunRequest::new(source);
    let request = if let Some(budgets) = budgets { request.with_budgets(budgets) } else { request };
    runtime.run(request).await.map_err(CliError::of)
}

/// Which LuaJIT it is, and whether it compiles what it runs.
fn compiler(engine: String, outcome: &Outcome) -> Finding {
    let about = format!("{engine}, compiler");
    match outcome.output.lines().collect::<Vec<_>>().as_slice() {
        [version, "true"] => Finding::ok(about, format!("{version}, on: compiled code can be stopped, so that it runs at full speed")),
        [version, "false"] => Finding::note(
            about,
            format!(
                "{version}, off: compiled code could not be stopped in this build, so that programs are interpreted, about 1 to 7 times slower"
            ),
            "build with CFLAGS=-DLUAJIT_ENABLE_CHECKHOOK in the environment, as this project's own .cargo/config.toml does",
        ),
        _ => broken(about, outcome),
    }
}

/// Whether TypeScript and promises do what they should.
fn typescript(engine: String, outcome: &Outcome) -> Finding {
    let about = format!("{engine}, start");
    match &outcome.value {
        Some(value) if value.text() == "\"a1b1\"" => Finding::ok(about, "a TypeScript program that awaits promises gives what it should"),
        _ => broken(about, outcome),
    }
}

fn bound(about: String, outcome: &Outcome, kind: FailureKind, budgets: &Budgets) -> Finding {
    if outcome.kind() != Some(kind) {
        return broken(about, outcome);
    }
    let (took, peak) = (outcome.usage.compute, outcome.usage.memory_peak_bytes);
    match kind {
        FailureKind::Time => {
            let found =
                format!("an endless program is stopped {} ms after it began, of {} allowed", took.as_millis(), budgets.compute.as_millis());
            if took <= budgets.compute + SLACK {
                Finding::ok(about, found)
            } else {
                Finding::note(about, found, "this machine may be busy; look again when it is not")
            }
        }
        _ => Finding::ok(
            about,
            format!("a program that holds ever more is stopped at {} MiB, of {} allowed", peak >> 20, budgets.memory_bytes >> 20),
        ),
    }
}

/// A program of ours ended as it should not: the engine does not do here what it is for.
fn broken(about: String, outcome: &Outcome) -> Finding {
    let message = outcome.failure.as_ref().map_or("it gave something else than it should", |failure| &failure.message);
    let found = format!("a small program ended as {}: {}", outcome.status.as_str(), codemode::text::cut(message, 300));
    Finding::bad(about, found, "rebuild the command; if that does not help, report it")
}
