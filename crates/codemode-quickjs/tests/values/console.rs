//! What the console prints, compared with what Node printed.

use codemode_core::Profile;

use crate::host::{run, told};

/// Both texts in pieces, one a line of the program's.
fn pieces(text: &str) -> Vec<&str> {
    text.split("\n--\n").collect()
}

#[test]
fn values_are_printed_as_node_prints_them() {
    let outcome = run(Profile::program(), include_str!("console.js"));
    assert!(outcome.failure.is_none(), "{}", told(&outcome));
    let (ours, nodes) = (pieces(&outcome.output), pieces(include_str!("console.txt")));
    let wrong: Vec<String> = ours
        .iter()
        .zip(&nodes)
        .filter(|(ours, nodes)| ours.trim_end() != nodes.trim_end())
        .map(|(ours, nodes)| format!("ours:\n{ours}\nnode's:\n{nodes}\n"))
        .collect();
    assert!(wrong.is_empty(), "{} of {} differ\n{}", wrong.len(), nodes.len(), wrong.join("\n"));
    assert_eq!(ours.len(), nodes.len());
}

#[test]
fn nothing_of_the_program_runs_to_show_a_value() {
    let source = r#"
        let ran = 0;
        const map = new Map([[1, 2]]);
        const run = () => { ran += 1; return 'ran' };
        const trap = new Proxy({}, { get: run, getPrototypeOf: run, ownKeys: run, getOwnPropertyDescriptor: run, has: run });
        Object.prototype.toString = run;
        Object.defineProperty(Object.prototype, Symbol.toStringTag, { get: run, configurable: true });
        Array.prototype.join = run; Array.prototype[Symbol.iterator] = run; Map.prototype.entries = run; Date.prototype.toISOString = run;
        Error.prototype.toString = run; Function.prototype.toString = run; RegExp.prototype.toString = run;
        Object.defineProperty(Function.prototype, 'name', { get: run });
        class Foo { get [Symbol.toStringTag]() { return run() } toString() { return run() } static get name() { return run() } toJSON() { return run() } }
        const error = new Error('e'); Object.defineProperty(error, 'message', { get: run }); Object.defineProperty(error, 'name', { get: run });
        const odd = Object.create(trap); odd.x = 1;
        console.log(trap, [1], map, new Date(0), /x/, new Foo, Foo, error, odd, { get g() { return run() } }, { toString: run });
        console.log('%s %d %i %f %o %O %j', new Foo, new Foo, { valueOf: run }, trap, trap, trap, new Foo);
        console.table([trap, new Foo, { get g() { return run() } }]);
        return ran;
    "#;
    let outcome = run(Profile::program(), source);
    assert_eq!(told(&outcome), "0", "{}", outcome.output);
}
