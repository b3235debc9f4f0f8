//! Values that are too large to be walked wholly.

use std::time::Duration;

use codemode_core::{Budgets, FailureKind, Profile};

use crate::host::{run, told};

#[test]
fn a_million_entries_are_not_walked_to_print_a_hundred() {
    let budgets = Budgets { compute: Duration::from_secs(8), memory_bytes: 256 << 20, ..Profile::program().budgets };
    let source = r#"
        const map = new Map, set = new Set, list = [], wide = {};
        for (let i = 0; i < 300000; i++) { map.set(i, i); set.add(i); list.push(i); if (i < 50000) wide['key' + i] = i; }
        const sparse = new Array(2 ** 32 - 1);
        for (let i = 0; i < 2000; i++) { console.log(map); console.log(set); console.log(list); console.table(map, ['x']); }
        for (let i = 0; i < 20; i++) { console.log(wide); console.log(sparse); }
        return 'done';
    "#;
    assert_eq!(told(&run(Profile::program().with_budgets(budgets), source)), "\"done\"");
}

#[test]
fn a_value_over_its_budget_is_cut_off_early() {
    let sources = [
        "return new Array(2 ** 32 - 1)",
        "let a = ['x']; for (let i = 0; i < 60; i++) a = [a, a]; return a",
        "let a = {f: undefined, g: () => 1}; for (let i = 0; i < 60; i++) a = {x: a, y: a}; return a",
        "return 'x'.repeat(5e6)",
        "return new Set(Array.from({length: 1e6}, (_, i) => i))",
        "return new Uint8Array(4e6)",
    ];
    for source in sources {
        let outcome = run(Profile::program(), source);
        assert_eq!(outcome.failure.map(|failure| failure.kind), Some(FailureKind::Results), "{source}");
        assert!(outcome.usage.compute < Duration::from_secs(5), "{source}");
    }
}
