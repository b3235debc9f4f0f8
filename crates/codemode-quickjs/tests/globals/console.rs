//! The console.

use crate::host::check;

#[tokio::test]
async fn the_console_prints_as_node_does() {
    check(&[
        ("console.log('a', 1, {b: [1, 2]}, null, undefined)", "null\n> a 1 { b: [ 1, 2 ] } null undefined"),
        ("console.info('i'); console.debug('d'); console.warn('w'); console.error('e')", "null\n> i\n> d\n> w\n> e"),
        ("console.log('%s is %d', 'x', 42, 'rest')", "null\n> x is 42 rest"),
        ("console.log()", "null\n> "),
        ("console.log('two\\nlines')", "null\n> two\n> lines"),
        ("console.dir({a: 1}); console.trace('here'); console.trace()", "null\n> { a: 1 }\n> Trace: here\n> Trace"),
        ("const v = {a: {b: {c: {d: {e: 1}}}}}; console.dir(v, {depth: 0}); console.dir(v, {depth: null})", "null\n> { a: [Object] }\n> {\n>   a: {\n>     b: { c: { d: { e: 1 } } }\n>   }\n> }"),
        ("console.assert(true, 'no'); console.assert(1 === 2, 'sum %d', 3); console.assert(false); console.assert(0n); console.assert('')", "null\n> Assertion failed: sum 3\n> Assertion failed\n> Assertion failed\n> Assertion failed"),
        ("console.group('outer'); console.log('in'); console.group(); console.log('deep\\nline'); console.groupEnd(); console.groupEnd(); console.groupEnd(); console.log('out')", "null\n> outer\n>   in\n>     deep\n>     line\n> out"),
        ("console.count(); console.count('x'); console.count(); console.countReset(); console.count(); console.countReset('none')", "null\n> default: 1\n> x: 1\n> default: 2\n> default: 1\n> Warning: Count for 'none' does not exist"),
        ("console.timeEnd('none'); console.timeLog('none')", "null\n> Warning: No such label 'none' for console.timeEnd()\n> Warning: No such label 'none' for console.timeLog()"),
        ("console.table([{a: 1, b: 'x'}, {a: 2}])", "null\n> ┌─────────┬───┬─────┐\n> │ (index) │ a │ b   │\n> ├─────────┼───┼─────┤\n> │ 0       │ 1 │ 'x' │\n> │ 1       │ 2 │     │\n> └─────────┴───┴─────┘"),
        ("console.table([{a: 1, b: 2}], ['b'])", "null\n> ┌─────────┬───┐\n> │ (index) │ b │\n> ├─────────┼───┤\n> │ 0       │ 2 │\n> └─────────┴───┘"),
        ("console.log({get g() { console.log('ran'); return 1 }})", "null\n> { g: [Getter] }"),
        ("const {log} = console; log('apart'); console.clear()", "null\n> apart"),
        ("return [typeof console.log, console.log.name, Object.keys(console).length > 15]", r#"["function","log",true]"#),
    ])
    .await;
}
