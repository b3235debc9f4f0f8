// Each line is printed the same by Node 20 and by us; console.txt is what Node prints. Errors have no stack here, since we show none.
const bare = (error) => { error.stack = String(error); return error };
const show = (...values) => { console.log(...values); console.log('--') };
show({ a: { b: { c: { d: 1 } } } }, { a: { b: { c: [1] } } }, { a: { b: { c: {} } } });
{ class Foo { constructor() { this.x = 1 } } show({ a: { b: { c: new Foo } } }, new Foo, Foo, [Foo], new (class extends Foo {})) }
{ const cycle = {}; cycle.me = cycle; const inner = { up: cycle }; inner.me = inner; cycle.inner = inner; show(cycle); show([cycle, cycle]) }
{ const m = new Map; m.set('self', m); show(m); const a = [1]; a.push(a, [a]); show(a) }
for (const n of [54, 55, 56, 57, 58, 76, 77]) show({ a: 'x'.repeat(n), b: 1 }, ['y'.repeat(n)]);
show(["apple", "fig", "banana", "kiwi", "cherry", "date", "elderberry", "grape"]);
show([{ name: 'first', size: 12345, tags: ['one', 'two'] }, { name: 'second', size: 12345, tags: ['one', 'two'] }]);
show({ e: bare(new Error('boom')) }, bare(new TypeError('t')), bare(Object.assign(new Error('m'), { code: 1 })));
{ class ToolError extends Error {} show(bare(new ToolError('m')), [bare(new RangeError(''))]) }
{ const e = bare(new Error('m', { cause: bare(new TypeError('x')) })); show(e); show({ deep: { e } }) }
show(bare(new AggregateError([bare(new Error('a')), 'b'], 'several')));
{ show(bare(Object.assign(new Error('m'), { name: 'Custom' }))); const f = bare(new Error('m')); f.cause = 'c'; show(f) }
show({ e: bare(new Error('two\nlines')) });
show(Object.assign([1], { extra: 'x' }), [1, , , 2, ,], [, 'x'], new Array(5), [undefined, null]);
show({ f() { }, g: async () => { }, h: class A { }, i: class B extends Array { }, j: () => 1, *k() { }, async *l() { } });
show(Object.assign(function named() { }, { a: 1 }), [function () { }], class { }, class extends Map { });
show(new Map([['a', { b: 1 }]]), new Set, new Set([1, 'x', [2]]), new Map, Symbol('s'), { u: undefined });
show(new Map([[{ k: 1 }, new Map([[1, 2]])]]), [new Set([1]), new Map([[1, { a: { b: { c: 1 } } }]])]);
show('%s|%s', { a: { b: 1 } }, 'x', '%s'); show('%o', { a: 1 }); show('%O', { a: { b: { c: { d: 1 } } } }); show('%d %i %f', '42', '42.9px', '1.5x');
show('%s %s %s %s', null, undefined, 5n, Symbol('x')); show('%j', { a: [1] }); show('%', 'x'); show('a%'); show('%i %d', 3.9, -0); show('%c', 'x'); show('%c%s', 'c', 'x');
show('100%% %s', 'x'); show('%x %s', 'x'); show('%s', 'a', 'b', { c: 1 }); show('%d', {}); show('%d', '0x1f'); show('%d', ''); show('%s%%', 1); show('%s %%');
show({ s: 'a\nb' }, { s: "it's" }, ['"\'`', '\'"', '\\', '\t\r\b\f\v\0\x1b[31m\x7f'], 'bare\ttext');
show({}, Object.create(null), Object.assign(Object.create(null), { x: 1 }), [], [[]], [{}], { a: {} }, { a: [] });
show(Math, JSON, [1.5, 2n, -0, NaN, Infinity, 1e21, 1e-7, 123456789.125]);
show(new (class Foo extends Map { })([[1, 2]]), new (class Bar extends Array { })(3), new (class U extends Uint8Array { })(0));
show((function* () { })(), [][Symbol.iterator]());
show(new Boolean(false), new String('abc'), Object.assign(new Number(3), { a: 1 }), new WeakMap, new WeakSet, [new Number(-0)]);
show(Promise.resolve(4), Promise.resolve({ a: { b: { c: 1 } } }), new Promise(() => { }), { p: Promise.resolve([1]) });
show(new Date(NaN), new Date(0), [new Date(86400000)], /x/g, [/a\/b/i], Object.assign(/x/, { a: 1 }), Object.assign(new Date(0), { a: 1 }));
show(new ArrayBuffer(2), new Uint8Array(3), new Float64Array([1.5, -0]), new BigInt64Array(2), new Uint8Array(200), [new Uint8Array(0)]);
show(Array.from({ length: 120 }, (_, i) => i * 3)); show(Array.from({ length: 30 }, (_, i) => 'item' + i)); show(Array.from({ length: 7 }, (_, i) => ({ i })));
show(Array.from({ length: 101 }, (_, i) => 'x'.repeat(i % 7))); show(Array.from({ length: 10 }, (_, i) => -i * 1.25)); show(Array.from({ length: 8 }, (_, i) => 'long'.repeat(i)));
show(new Set(Array.from({ length: 110 }, (_, i) => i))); show(new Map(Array.from({ length: 102 }, (_, i) => [i, i])));
show({ a: [1, 2, 3], b: { c: { d: { e: 1 } } }, long: 'x'.repeat(60) }); show({ 'a-b': 1, '1': 2, 'ä': 3, _x: 4, $y: 5, '': 6, 'new\nline': 7, "it's": 8 });
show({ [Symbol('k')]: 1, [Symbol()]: 2, n: 1 }, { get a() { return 1 }, set b(x) { }, get c() { return 1 }, set c(x) { } });
show({ ['__proto__']: 1 }, Object.defineProperty({}, 'hidden', { value: 1 }), Object.freeze({ a: 1 }));
show({ text: 'line one\nline two is somewhat longer\nline three is the longest of all of them, by far' }, ['short\nlines']);
show('x'.repeat(50), ['x'.repeat(10001)].map((s) => s.length), { s: 'y'.repeat(10003) });
show([['a', 'b'], [1, 2]], [[[[1]]]], [[['deep', ['er']]]], { a: [{ b: [{ c: 1 }] }] });
show([{ id: 1, name: 'Alice Anderson', email: 'alice@example.test' }, { id: 2, name: 'Bob', email: 'bob@example.test', tags: ['a'] }]);
show({ status: 200, headers: { 'content-type': 'application/json', etag: 'W/"x"' }, body: { items: [{ id: 1 }, { id: 2 }], next: null } });
show(true, false, null, undefined, 0, -0, 10n, 'text', Symbol.iterator); show(); show(''); show([''], { '': '' }); show('日本語', ['日本語', 'ü']);
show(['日本', '語', 'ab', 'c', 'd', 'e', 'f', 'gh'], Array.from({ length: 27 }, (_, i) => String.fromCharCode(97 + i % 26)));
console.table([{ a: 1, b: 'Y' }, { a: 'Z', c: { x: { y: 1 } } }, 7]); console.table([[1, 2], [3, 4]]); console.table(new Map([['a', 1]])); console.table(new Set(['x']));
console.table({ r1: { x: 1 }, r2: { x: 2, y: [1, 2, 3, 4] } }); console.table([{ a: 1, b: 2 }], ['b']); console.table('text'); console.table([1, 'b', { c: 1 }]); console.table([]); console.table([{ o: { a: 1, b: 2, c: 3 } }]);
