//! Globals that are asked for too much.

use std::time::Duration;

use codemode_core::{Budgets, Profile, RunRequest};

use crate::host::{check, check_on, runner};

#[tokio::test]
async fn what_is_too_much_is_an_error_or_a_bound() {
    check(&[
        ("let deep = []; for (let i = 0; i < 1e5; i++) deep = [deep]; try { structuredClone(deep) } catch (e) { return e.name }", r#""RangeError""#),
        ("return btoa('x'.repeat(3e6)).length", "4000000"),
        ("const big = new URLSearchParams('a=1&'.repeat(1e5)); big.sort(); return big.size", "100000"),
        ("return new TextDecoder().decode(new Uint8Array(4e6)).length", "4000000"),
        ("return ('9'.repeat(1e5) + 'n').length + BigInt('9'.repeat(3e4)).toLocaleString().length", "140000"),
        ("return new Date('1'.repeat(1e6)).getTime()", "null"),
        ("return ('a'.repeat(1e6)).localeCompare('a'.repeat(1e6) + 'b')", "-1"),
        ("const w = []; for (let i = 0; i < 1e4; i++) w.push('name' + (i * 7919 % 10007)); w.sort((a, b) => a.localeCompare(b)); return [w[0], w[9999]]", r#"["name0","name9999"]"#),
    ])
    .await;
}

#[tokio::test]
async fn a_value_is_shown_to_a_depth_that_the_thread_has_stack_for() {
    let source = "let deep = {}; for (let i = 0; i < 1e4; i++) deep = {deep}; console.dir(deep, {depth: Infinity}); return 1";
    let outcome = runner(Profile::program()).run(RunRequest::new(source)).await.expect("the host is well");
    let lines: Vec<&str> = outcome.output.lines().map(str::trim).collect();
    let innermost = lines.iter().position(|line| *line == "deep: [Object]");
    assert_eq!((outcome.failure, innermost), (None, Some(101)));
}

#[tokio::test]
async fn names_that_do_not_fit_are_not_put_together_to_be_shown() {
    check_starts(&[
        ("console.log(Symbol('\\x01'.repeat(2e7)))", "Symbol(\\x01\\x01"),
        ("console.log({[Symbol('\\x01'.repeat(1e7))]: 1})", "{\n  [Symbol(\\x01\\x01"),
        ("console.log({['\\x01'.repeat(1e7)]: 1})", "{\n  '\\x01\\x01"),
        ("const k = 'k'.repeat(1e7); console.table([{[k]: k}])", "┌─────────┬──"),
        ("console.table([{['k'.repeat(4e4)]: 1}, ...Array(3000).fill(1)])", "┌─────────┬──"),
        ("console.table({['k'.repeat(1e7)]: 1})", "┌──────"),
    ])
    .await;
}

/// A list of empty elements takes no memory, however long it is: only the clock ends a walk through it.
#[tokio::test]
async fn a_list_without_end_is_walked_no_further_than_the_clock_allows() {
    let mut profile = Profile::program();
    profile.budgets = Budgets { compute: Duration::from_millis(100), ..profile.budgets };
    let expected = "time: the compute budget of 100 ms ran out; time spent waiting for tools does not count";
    let sources = ["endless", "[endless]", "[[], endless], ['a']"]
        .map(|shown| format!("const endless = Array(4294967295); console.table({shown}); for (;;);"));
    check_on(&runner(profile), &sources.each_ref().map(|source| (source.as_str(), expected))).await;
    check(&[("try { new Intl.NumberFormat(Array(4294967295)) } catch (e) { return e.name }", r#""RangeError""#)]).await;
}

/// Each program prints all that is held, which starts like this, and takes little beside what it made itself.
async fn check_starts(cases: &[(&str, &str)]) {
    let runner = runner(Profile::program());
    for (source, expected) in cases {
        let outcome = runner.run(RunRequest::new(*source)).await.expect("the host is well");
        assert_eq!(outcome.failure, None, "{source}");
        assert!(outcome.output.starts_with(expected), "{source}: {}", codemode_core::text::cut(&outcome.output, 200));
        assert!(outcome.usage.memory_peak_bytes < 32 << 20, "{source}: {}", outcome.usage.memory_peak_bytes);
    }
}

/// A timer takes some 350 bytes beside its callback, in trees whose nodes may be half full.
#[tokio::test]
async fn timers_count_as_memory() {
    let source = "const f = () => {}; for (let i = 0; i < 1e5; i++) setTimeout(f, 1)";
    let outcome = runner(Profile::program()).run(RunRequest::new(source)).await.expect("the host is well");
    assert_eq!(outcome.failure, None);
    assert!(outcome.usage.memory_peak_bytes > 27_000_000, "{}", outcome.usage.memory_peak_bytes);
}
