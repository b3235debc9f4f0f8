//! Values that are too large to be walked wholly.

use std::time::Duration;

use codemode_core::{Budgets, FailureKind, Profile};

use crate::host::{run, told};

#[test]
fn large_collections_are_not_walked_wholly_to_print_a_hundred_entries() {
    // Walking the list wholly each time takes several times the budget.
    let sources = [
        "const map = new Map; for (let i = 0; i < 300000; i++) map.set(i, i); for (let i = 0; i < 100; i++) console.log(map)",
        "const set = new Set; for (let i = 0; i < 300000; i++) set.add(i); for (let i = 0; i < 100; i++) console.log(set)",
        "const list = []; for (let i = 0; i < 300000; i++) list.push(i); for (let i = 0; i < 1000; i++) console.log(list)",
        "const list = new Uint8Array(300000); for (let i = 0; i < 100; i++) console.log(list)",
        "const map = new Map; for (let i = 0; i < 300000; i++) map.set(i, i); for (let i = 0; i < 5; i++) console.table(map)",
        "const wide = {}; for (let i = 0; i < 50000; i++) wide['key' + i] = i; for (let i = 0; i < 5; i++) console.log(wide)",
        "const sparse = new Array(2 ** 32 - 1); for (let i = 0; i < 5; i++) console.log(sparse)",
    ];
    let budgets = Budgets { compute: Duration::from_secs(10), memory_bytes: 256 << 20, ..Profile::program().budgets };
    for source in sources {
        let outcome = run(Profile::program().with_budgets(budgets), source);
        assert_eq!(told(&outcome), "null", "{source}");
    }
}

#[test]
fn a_value_over_its_budget_is_cut_off_early() {
    let sources = [
        "return new Array(2 ** 32 - 1)",
        "let a = ['x']; for (let i = 0; i < 60; i++) a = [a, a]; return a",
        "let a = {f: undefined, g: () => 1}; for (let i = 0; i < 60; i++) a = {x: a, y: a}; return a",
        "return 'x'.repeat(5e6)",
        "return new Set(Array.from({length: 1e5}, (_, i) => i))",
        "return new Uint8Array(4e6)",
    ];
    for source in sources {
        let budgets = Budgets { value: 10_000, ..Profile::program().budgets };
        let outcome = run(Profile::program().with_budgets(budgets), source);
        assert_eq!(outcome.failure.map(|failure| failure.kind), Some(FailureKind::Results), "{source}");
        assert!(outcome.usage.compute < Duration::from_secs(5), "{source}");
    }
}

#[test]
fn garbage_is_collected_before_a_buffer_of_the_hosts_is_refused() {
    // What is alive at each collection moves the next one up, until less is left to the budget than the buffer takes.
    let garbage = "const waste = () => { const cycle = {first: new ArrayBuffer(17e6)}; cycle.self = cycle; cycle.list = [{}]; \
                   cycle.second = new ArrayBuffer(9e6); cycle.more = [{}] }; const text = 'x'.repeat(4.5e6);";
    let uses = [
        "const encoder = new TextEncoder; waste(); return encoder.encode(text).length",
        "waste(); return btoa(text).length * 3 / 4",
        "waste(); return text",
    ];
    let budgets = Budgets { memory_bytes: 32 << 20, value: 8 << 20, call_arguments_bytes: 8 << 20, ..Profile::program().budgets };
    let mut wrong = String::new();
    for used in uses {
        let outcome = run(Profile::program().with_budgets(budgets), &format!("{garbage} {used}"));
        let told = told(&outcome);
        if told != "4500000" && told.len() != 4_500_002 {
            wrong += &format!("\n{used}: {told}");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn state_with_half_of_a_surrogate_pair_is_refused_with_its_path() {
    let cases = [
        (
            r"state.list = ['ok', '\u{1F600}', '\ufffd', 'a\ud83d']",
            "error: state.list[3] is a string with half of a surrogate pair; store text.toWellFormed()",
        ),
        (r"state['\udc00'] = 1", "error: state[\"\u{fffd}\"] is a name with half of a surrogate pair; use a well-formed one"),
        (r"state['\ufffd'] = '\ufffd\ud83d\ude00'", "1"),
    ];
    for (source, expected) in cases {
        let outcome = run(Profile::cell(), &format!("{source}; return 1"));
        assert_eq!(told(&outcome), expected, "{source}");
    }
}
