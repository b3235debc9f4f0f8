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
