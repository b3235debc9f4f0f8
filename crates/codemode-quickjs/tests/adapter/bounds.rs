//! What bounds let through and what they stop, where an engine's own stop would leak.

use std::time::Duration;

use codemode_core::{Engine, FailureKind, Guard, OpenSpec, RunRequest, threads_left_behind};
use codemode_quickjs::QuickJs;
use codemode_testbed::run;

use crate::bed::Bed;

/// A short time to compute in.
fn short() -> Bed {
    Bed::default().with(|budgets| budgets.compute = Duration::from_millis(50))
}

#[test]
fn a_program_returns_its_value() {
    assert_eq!(Bed::default().shows("return 1 + 1"), "2");
    assert_eq!(Bed::default().shows("const n: number = 2; n * 3"), "6");
}

#[test]
fn after_a_bound_nothing_goes_on() {
    let after = "console.log('after'); await tools.echo({}).catch(() => {});";
    let time = [
        format!("try {{ for (;;); }} catch {{ {after} }} finally {{ {after} }} {after} return 1"),
        format!(
            "function* g() {{ try {{ yield 1; for (;;); }} finally {{ console.log('after') }} }} try {{ for (const x of g()); }} catch {{ }} {after}"
        ),
        format!("await new Promise(() => {{ for (;;); }}).catch(() => {{}}); {after}"),
        format!("await Promise.try(() => {{ for (;;); }}).catch(() => {{}}); {after}"),
        format!("await Promise.resolve({{then() {{ for (;;); }}}}).catch(() => {{}}); {after}"),
        format!("await Promise.all({{[Symbol.iterator]() {{ for (;;); }}}}).catch(() => {{}}); {after}"),
        format!("await (async () => {{ for (;;); }})().catch(() => {{}}).finally(() => console.log('after')); {after}"),
        format!(
            "await Promise.race([tools.echo({{get x() {{ for (;;); }}}}), new Promise(() => {{ for (;;); }})]).catch(() => {{}}); {after}"
        ),
        format!(
            "setTimeout(() => {{ for (;;); }}, 0); setTimeout(() => console.log('after'), 1); await new Promise(r => setTimeout(r, 5)); {after}"
        ),
        format!("queueMicrotask(() => {{ for (;;); }}); await null; {after}"),
        format!("await Array.fromAsync({{[Symbol.asyncIterator]() {{ for (;;); }}}}).catch(() => {{}}); {after}"),
    ];
    // What fills the memory may take a slow machine too long.
    let memory = [
        format!("const k = []; try {{ for (;;) k.push('x'.repeat(1e6) + k.length) }} catch {{ }} {after}"),
        format!("const k = []; for (;;) try {{ for (;;) k.push({{k}}) }} catch {{ {after} }}"),
    ];
    let calls = [
        format!("let n = 0; try {{ for (;;) {{ await tools.echo({{}}); n++ }} }} catch {{ }} {after} return n"),
        format!("await Promise.all(Array.from({{length: 500}}, () => tools.echo({{}}).catch(() => {{}}))); {after}"),
    ];
    let kinds = |kinds: &'static [FailureKind]| move |source| (source, kinds);
    let time = time.into_iter().map(kinds(&[FailureKind::Time]));
    let memory = memory.into_iter().map(kinds(&[FailureKind::Memory, FailureKind::Time]));
    let calls = calls.into_iter().map(kinds(&[FailureKind::Calls]));
    for (source, kinds) in time.chain(memory).chain(calls) {
        let outcome = short().with(|budgets| budgets.calls = 3).run(&source);
        assert!(outcome.kind().is_some_and(|kind| kinds.contains(&kind)), "{source}: {outcome:?}");
        assert_eq!((outcome.output.as_str(), outcome.value.is_none()), ("", true), "{source}: {outcome:?}");
        assert!(outcome.ledger.len() <= 3, "{source}: {outcome:?}");
    }
    assert_eq!(threads_left_behind(), 0);
}

#[test]
fn deep_recursion_is_the_programs_to_catch() {
    let shallow = Bed::default().with(|budgets| budgets.stack_bytes = 128 << 10);
    let source = "let n = 0; const f = () => { n++; f() }; try { f() } catch (e) { return [e.name, n > 50 && n < 100000] }";
    assert_eq!(Bed::default().shows(source), r#"["RangeError",true]"#);
    assert_eq!(shallow.shows(source), r#"["RangeError",true]"#);
    let chain = "let it = [1].values(); for (let i = 0; i < 2e4; i++) it = it.map(x => x); return it.next().value";
    assert_eq!(Bed::default().shows(chain), "error: RangeError: Maximum call stack size exceeded");
}

#[test]
fn memory_counts_what_is_held_and_not_what_is_garbage() {
    let bed = Bed::default().with(|budgets| budgets.memory_bytes = 16 << 20);
    let kept = "const kept = []; for (let i = 0; i < 10; i++) kept.push('x'.repeat(1e6) + i);";
    for (source, expected) in [
        (format!("{kept} for (let i = 0; i < 2e5; i++) {{ const o = {{i}}; o.o = o }} return kept.length"), "10"),
        (format!("{kept} for (let i = 0; i < 2000; i++) await new Promise(r => {{ r.r = r; r({{r}}) }}); return kept.length"), "10"),
        (format!("{kept} for (let i = 0; i < 300; i++) 'y'.repeat(2e6); return kept.length"), "10"),
        ("let s = ''; for (let i = 0; i < 1e5; i++) s += 'abc'; return s.length".to_owned(), "300000"),
        ("return 'x'.repeat(17e6).length".to_owned(), "memory: the program held more than its memory budget of 16777216 bytes"),
        (
            "const k = []; for (let i = 0; i < 1e6; i++) k.push(() => i); return 1".to_owned(),
            "memory: the program held more than its memory budget of 16777216 bytes",
        ),
    ] {
        assert_eq!(bed.shows(&source), expected, "{source}");
    }
}

#[test]
fn what_blocks_or_tells_of_the_collector_is_not_there() {
    let names = "return ['Atomics', 'SharedArrayBuffer', 'WeakRef', 'FinalizationRegistry'].filter(name => name in globalThis)";
    assert_eq!(Bed::default().shows(names), "[]");
    assert_eq!(Bed::default().shows("Error.prepareStackTrace = () => { throw 1 }; return typeof new Error('x').stack"), r#""string""#);
    assert_eq!(Bed::default().shows("return [eval('1 + 1'), new Function('a', 'return a + 1')(2)]"), "[2,3]");
}

#[test]
fn what_a_program_has_compiled_is_bounded() {
    let message = "error: RangeError: a text of 300000 bytes is too long to be compiled while the program runs; at most 262144 are";
    assert_eq!(Bed::default().shows("return eval('1;'.repeat(150000))"), message);
    assert_eq!(Bed::default().shows("return eval('1;'.repeat(100000))"), "1");
}

#[test]
fn a_stopped_interpreter_leaves_its_session_to_another() {
    let bed = short();
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    let session = bed.runner().session();
    for (source, expected) in [("globalThis.kept = 1; return 1", "ok"), ("for (;;);", "time"), ("return typeof kept", "ok")] {
        let outcome = runtime.block_on(session.run(RunRequest::new(source))).expect("an outcome");
        assert_eq!(outcome.status.as_str(), expected, "{outcome:?}");
    }
    assert_eq!(run(&bed.runner(), RunRequest::new("return 1")).status.as_str(), "ok");
}

#[test]
fn an_interpreter_gives_all_its_memory_back() {
    let engine = QuickJs::new();
    let spec = OpenSpec { profile: Bed::default().profile, deterministic: false, stack_bytes: 8 << 20, local: None };
    let guard = Guard::new();
    for _ in 0..3 {
        let interpreter = engine.open(&spec, &guard).expect("an interpreter");
        assert!(guard.held() > 50_000);
        drop(interpreter);
        assert_eq!(guard.held(), 0);
    }
}

#[test]
fn checking_runs_nothing_and_says_what_is_wrong() {
    let engine = QuickJs::new();
    let spec = OpenSpec { profile: Bed::default().profile, deterministic: false, stack_bytes: 8 << 20, local: None };
    assert_eq!(engine.check(&spec, "for (;;); return 1"), Ok(()));
    let raised = engine.check(&spec, "let a = 1;\nlet a = 2;").expect_err("it is declared twice");
    assert_eq!(raised.location.map(|location| location.line), Some(2), "{raised:?}");
}
