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

#[test]
fn odd_objects_are_shown_and_harm_nothing() {
    let source = r#"
        const revoked = Proxy.revocable({}, {}); revoked.revoke();
        const detached = new ArrayBuffer(8); const view = new Uint8Array(detached); structuredClone(detached, { transfer: [detached] });
        class Chain extends Array {} Object.defineProperty(Chain, 'name', { value: 5 });
        const selfish = {}; Object.setPrototypeOf(selfish, Object.create(Object.create(null)));
        const named = function () {}; Object.defineProperty(named, 'name', { get() { throw 1 } });
        const constructed = { constructor: { name: 'Lie' } };
        const map = new Map; map.size2 = 1; Object.defineProperty(map, 'size', { get() { throw 1 } });
        const error = new Error('m'); error.cause = error;
        const args = (function () { return arguments })(1, 2);
        console.log(revoked.proxy, typeof detached, [Chain], selfish, named, constructed);
        console.log(map, error, args, Object(1n), Object(Symbol('s')), new Proxy(function () {}, {}), [new Proxy([], {})]);
        console.log(globalThis === undefined, Object.prototype, Array.prototype, Function.prototype, Map.prototype);
        let deep = []; for (let i = 0; i < 100000; i++) deep = [deep]; console.log(deep);
        console.log(new Error('x'.repeat(5)), Object.assign(new Date(0), { toISOString: 1 }), new (class extends Date {})(0));
    "#;
    let outcome = run(Profile::program(), source);
    let expected = "\
[Proxy] object [ [class (anonymous) extends Array] ] {} [Function (anonymous)] { constructor: { name: 'Lie' } }
Map(0) { size2: 1 } <ref *1> [Error: m] { cause: [Circular *1] } { '0': 1, '1': 2 } [BigInt: 1n] [Symbol: Symbol(s)] [Proxy] [ [Proxy] ]
false [Object: null prototype] {} Object(0) [] [Function (anonymous)] Object Object [Map] {}
[ [ [ [Array] ] ] ]
[Error: xxxxx] 1970-01-01T00:00:00.000Z { toISOString: 1 } 1970-01-01T00:00:00.000Z
";
    assert_eq!((told(&outcome).as_str(), outcome.output.as_str()), ("null", expected));
}
