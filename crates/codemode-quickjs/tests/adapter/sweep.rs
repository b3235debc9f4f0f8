//! Memory that ends at each allocation in turn: no abort, no hang, and an outcome that says what happened.

use std::time::{Duration, Instant};

use codemode_core::threads_left_behind;
use codemode_quickjs::{QuickJs, Sweep};
use codemode_testbed::{Sampling, part, run_part, say};

use crate::bed::Bed;

/// Programs that allocate in different places: the parser, the compiler, promises, generators, every function of ours.
const PROGRAMS: [(&str, &str); 18] = [
    ("nothing", "return 1"),
    ("objects", "const a = []; for (let i = 0; i < 400; i++) a.push({i, k: 'k' + i, ['p' + i]: [i]}); return a.length"),
    (
        "strings",
        "let s = ''; for (let i = 0; i < 300; i++) s += i + ','; return [s.repeat(20).slice(1, 9), s.toUpperCase().length, s.split(',').join(';').length, s.padStart(4000, 'ab').length, s.normalize('NFD').length]",
    ),
    ("closures", "const f = n => () => ++n; const g = []; for (let i = 0; i < 300; i++) g.push(f(i)); return g[50]()"),
    (
        "classes",
        "class A { #p = [1]; static s = {a: 1}; get p() { return this.#p } m() { return super.toString() } } class B extends A { constructor() { super(); this.x = new Map([[1, 2]]) } } const k = []; for (let i = 0; i < 100; i++) k.push(new B()); return k.map(b => b.p[0] + b.m().length).reduce((a, b) => a + b)",
    ),
    (
        "generators",
        "function* g(n) { for (let i = 0; i < n; i++) { const x = yield {i}; if (x) return x } } let n = 0; for (const {i} of g(100)) n += i; const it = g(5); it.next(); it.return(7); return [n, ...g(20), [...[1, 2, 3].values().map(x => x * 2).filter(x => x > 2)]].length",
    ),
    (
        "promises",
        "const w = async n => { for (let i = 0; i < n; i++) await null; return n }; const r = await Promise.all(Array.from({length: 40}, (_, i) => w(i))); const s = await Promise.allSettled([Promise.reject(new Error('x')), 1]); return [r.length, s.length, await Promise.any([Promise.reject(1), 2]), await new Promise(r => queueMicrotask(() => r(3)))]",
    ),
    (
        "async generators",
        "async function* g() { for (let i = 0; i < 30; i++) yield new Promise(r => r({i})) } let n = 0; for await (const {i} of g()) n += i; return [n, await Array.fromAsync(g()).then(a => a.length)]",
    ),
    (
        "caught",
        "let n = 0; for (let i = 0; i < 40; i++) { try { const t = []; for (let j = 0; j < 20; j++) t.push({j}); throw new Error('x' + i, {cause: t}) } catch (e) { n += e.stack.length } finally { n++ } } try { null.x } catch (e) { n += e.message.length } return n > 0",
    ),
    (
        "tools",
        "const r = await tools.echo({a: [1, 2, {b: 'c'}]}); const f = await tools.fail({}).catch(e => e.message); const d = await tools.deny({}).catch(e => [e.name, e.code, String(e)]); const u = await tools.echoo({}).catch(e => e.message); return [r, f, d, u, tools.list().length, tools.search('echo'), tools.describe('a-b'), tools.budget(), await Promise.all([tools['a-b']({}), tools.structured({}), tools.github.issues({})])]",
    ),
    (
        "json",
        "const v = JSON.parse(JSON.stringify({list: [1, 2, 3], text: 'a\\nb', deep: [[[[{}]]]], keys: Object.fromEntries(Array.from({length: 60}, (_, i) => ['k' + i, i]))})); return {v, big: Array.from({length: 300}, (_, i) => ({i, t: 't' + i}))}",
    ),
    (
        "collections",
        "const m = new Map(), s = new Set(), w = new WeakMap(); for (let i = 0; i < 200; i++) { m.set('k' + i, {i}); s.add(i); w.set({}, i) } const u = s.union(new Set([1, 1000])); return [m, [...u].length, Object.groupBy([1, 2, 3], x => x % 2 ? 'odd' : 'even'), structuredClone({m, d: new Date(0), e: new Error('x'), a: new Uint8Array(10)})]",
    ),
    (
        "binary",
        "const b = new ArrayBuffer(5000); const f = new Float64Array(b, 8, 100); f.fill(1.5); f.sort(); const v = new DataView(b); v.setInt32(0, 7); const t = new TextEncoder().encode('h\\u00e9'.repeat(500)); return [v.getInt32(0), Array.from(f).length, new TextDecoder().decode(t).length, btoa('x'.repeat(900)).length, b.slice(10).byteLength, Uint8Array.from([1, 2, 3]), 3n ** 900n, BigInt('7'.repeat(400)).toString().length]",
    ),
    (
        "regexps",
        "const s = 'key=value (x) '.repeat(200); let n = 0; for (const m of s.matchAll(/(?<k>\\w+)=(\\w+)/g)) n += m.groups.k.length + m.index; return [n, s.replace(/(\\w)(\\w)/g, '$2$1').length, s.replaceAll('x', (c, i) => c + i).length, /(?:a|b)*c$/.test('ab'.repeat(300)), s.split(/\\s/).length, new RegExp('[\\\\p{L}--[a-z]]', 'v').source]",
    ),
    (
        "compiling",
        "const f = new Function('a', 'b', 'let x = a + b; for (let i = 0; i < 3; i++) { if (x) { x += i } else continue } try { return {x, y: [1, 2, `z${x}`], f() { return a }} } catch (e) { return e } finally { x = null }'); let g = eval('(class { static #a = 1; static b() { return this.#a } })'); const bad = []; for (const t of ['x = = 1', '({', 'a=>', '`${', 'function f(a,a){\"use strict\"}']) try { eval(t) } catch (e) { bad.push(e.message) } return [f(1, 2).y, g.b(), bad.length]",
    ),
    (
        "sorting",
        "const t = []; for (let i = 0; i < 600; i++) t.push(i * 7919 % 601); const u = t.map(x => 'k' + x); return [t.toSorted((a, b) => b - a)[0], u.sort()[0], t.sort()[1], t.flatMap(x => [x, [x]]).length, t.with(3, 4).toSpliced(1, 2).length, [...t.entries()].length, t.copyWithin(0, 3).reverse().length]",
    ),
    (
        "printing",
        "for (let i = 0; i < 20; i++) console.log(i, {a: {b: {c: [i, 'x']}}, m: new Map([[i, new Set([i])]])}, [1, , 3], new Error('e'), () => 1, Symbol('s')); console.table([{a: 1}, {a: 2}]); const url = new URL('https://a.b/c?d=e#f'); url.searchParams.set('g', 'h'); return [String(url), new Date(0).toLocaleString(), (1234.5).toLocaleString()]",
    ),
    (
        "raising",
        "const p = new Proxy({}, {get(t, k) { return k === 'then' ? undefined : [k] }, ownKeys() { return ['a'] }, getOwnPropertyDescriptor() { return {value: 1, configurable: true, enumerable: true} }}); const r = Reflect.ownKeys(p).map(k => p[k]); const f = n => { if (n === 0) throw Object.assign(new RangeError('deep'), {code: r, list: [1, 2]}); return f(n - 1) + 1 }; setTimeout(() => {}, 1); f(30)",
    ),
];

/// How long one of these programs may take; each takes a few milliseconds.
const SOON: Duration = Duration::from_secs(20);

/// How long a child may take, which goes through all points of a program.
const LONGEST: Duration = Duration::from_secs(120);

/// What keeps the engine's arenas from being as full at each point as they are without it, so that it is another function
/// that asks for the next arena.
fn padded(padding: u64, source: &str) -> String {
    format!("const pad = []; for (let i = 0; i < {padding}; i++) pad.push({{}}, 'p' + i, [i], () => i, 'q'.repeat(i)); {source}")
}

/// Where memory ends.
type Ends = fn(u64) -> Sweep;

/// Runs a program whose memory ends at each of these points in turn, and says so before and after.
fn perform(name: &str, padding: u64, ends: Ends, numbers: &[u64]) {
    let source = PROGRAMS.iter().find(|(known, _)| *known == name).expect("a program of this name").1;
    let source = padded(padding, source);
    let run = |sweep: Sweep| Bed { engine: QuickJs::new().with_sweep(sweep), ..Bed::default() }.run(&source);
    let usual = run(Sweep::default()).status.as_str();
    for &number in numbers {
        say(&format!("at {number}"));
        let (began, sweep) = (Instant::now(), ends(number));
        let outcome = run(sweep.clone());
        let expected = if sweep.counted() >= number { "memory" } else { usual };
        assert_eq!(outcome.status.as_str(), expected, "{name}, allocation {number}: {outcome:?}");
        assert!(began.elapsed() < SOON, "{name}, allocation {number} took {:?}", began.elapsed());
    }
    assert_eq!(threads_left_behind(), 0);
    say("end");
}

/// A part: the program, the padding and the points.
fn written(name: &str, padding: u64, numbers: &[u64]) -> String {
    let numbers: Vec<String> = numbers.iter().map(u64::to_string).collect();
    format!("{name}|{padding}|{}", numbers.join(","))
}

fn read(part: &str) -> (&str, u64, Vec<u64>) {
    let mut words = part.split('|');
    let mut next = || words.next().expect("three words");
    let (name, padding, numbers) = (next(), next().parse().expect("a number"), next());
    (name, padding, numbers.split(',').map(|number| number.parse().expect("a number")).collect())
}

/// Sweeps all programs, and tells of each point at which one aborts.
fn sweep(test: &str, ends: Ends) {
    if let Some(part) = part(LONGEST) {
        let (name, padding, numbers) = read(&part);
        return perform(name, padding, ends, &numbers);
    }
    let sampling = Sampling::new();
    let paddings: &[u64] = if sampling.is_whole() { &[0, 1, 3, 7, 12, 20, 33, 50] } else { &[0, 7] };
    let (mut points, mut wrong) = (0, String::new());
    for (name, source) in PROGRAMS {
        for &padding in paddings {
            let counting = Sweep::default();
            let usual = Bed { engine: QuickJs::new().with_sweep(counting.clone()), ..Bed::default() }.run(&padded(padding, source));
            assert!(["ok", "error"].contains(&usual.status.as_str()), "{name}: {usual:?}");
            let mut numbers = sampling.numbers(name, counting.counted(), 40);
            points += numbers.len();
            // A child goes through them all; one that dies is followed by another, from the next point on.
            while !numbers.is_empty() {
                let ended = run_part(test, &written(name, padding, &numbers), &[]);
                if ended.said.last().is_some_and(|said| said == "end") {
                    break;
                }
                let at = ended.said.last().and_then(|said| said.strip_prefix("at ")).and_then(|at| at.parse::<u64>().ok());
                let cause = codemode_core::text::cut(&ended.rest, 1500);
                wrong += &format!("\n{name}, padding {padding}, point {at:?}: {}\n{cause}", ended.status);
                numbers.retain(|number| at.is_some_and(|at| *number > at));
            }
        }
    }
    eprintln!("{points} points");
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn sweep_of_memory_that_ends() {
    sweep("sweep::sweep_of_memory_that_ends", Sweep::bound_at);
}

#[test]
fn sweep_of_memory_of_which_nothing_is_left() {
    sweep("sweep::sweep_of_memory_of_which_nothing_is_left", Sweep::all_from);
}

#[test]
fn sweep_of_memory_that_ends_as_the_collector_is_due() {
    sweep("sweep::sweep_of_memory_that_ends_as_the_collector_is_due", Sweep::collected_at);
}
