//! Each allocation denied in turn: no abort, no hang, and an outcome that says what happened.

use std::time::{Duration, Instant};

use codemode_core::threads_left_behind;
use codemode_luajit::{LuaJit, Sweep};
use codemode_testbed::Sampling;

use crate::bed::Bed;

/// Programs that allocate in different places: the parser, the compiler, coroutines, every function of ours.
const PROGRAMS: [(&str, &str); 16] = [
    ("nothing", "return 1"),
    ("tables", "local t = {} for i = 1, 200 do t[i] = {i, k = tostring(i)} end return #t"),
    (
        "strings",
        "local s = '' for i = 1, 60 do s = s .. i .. ',' end return s:rep(20):sub(1, 9), s:upper(), s:reverse(), ('%5d|%s'):format(7, s)",
    ),
    ("compiled", "local x, t = 0, {} for i = 1, 2000 do x = x + i % 7 t[i % 10] = {x} end return x"),
    (
        "closures",
        "local function f(n) return function() n = n + 1 return n end end local g = {} for i = 1, 50 do g[i] = f(i) end return g[50]()",
    ),
    (
        "coroutines",
        "local n = 0 for i = 1, 20 do local c = coroutine.wrap(function(a) n = n + coroutine.yield(a) end) c(i) c(i) end return n, coroutine.resume(coroutine.create(function(...) return ... end), 1, 2)",
    ),
    (
        "caught",
        "for i = 1, 20 do pcall(function() local t = {} for j = 1, 20 do t[j] = {} end error({t}) end) pcall(error, 'x' .. i) end return 'end'",
    ),
    ("handlers", "return xpcall(function() local t = {} t.x.y = 1 end, function(e) return e .. ' handled ' .. ('x'):rep(100) end)"),
    (
        "tools",
        "local r = tool.echo{a = {1, 2, {b = 'c'}}} local a, b = tool.fail{} local ok, e = pcall(tool.deny, {}) return r, a, b, tostring(e), e.tool, e:upper(), host.call('ecko').content, #host.tools()",
    ),
    ("json", "local v = host.json_decode(host.json_encode({list = {1, 2, 3}, text = 'a\\nb', deep = {{{{}}}}})) return v.list[3], v"),
    (
        "loading",
        "local f = load('local a = {} for i = 1, 10 do a[i] = function() return i end end return a') local n = 0 return #f(), load(function() n = n + 1 return n < 20 and 'local x' .. n .. ' = 1 ' or nil end) ~= nil, load('x = = 1')",
    ),
    (
        "patterns",
        "local n = 0 for w, d in ('a1 b22 c333'):gmatch('(%a)(%d+)') do n = n + #d end local s = ('x'):rep(50):gsub('x', function(c) return c .. n end) return s:find('(6)(x)'), (s:gsub('%d', {['6'] = 'six'})), s:match('^(.-)6'), ('a.b'):gsub('.', '%0%0')",
    ),
    (
        "sorting",
        "local t, u = {}, {} for i = 1, 300 do t[i] = (i * 7919) % 307 u[i] = 'k' .. t[i] end table.sort(t) table.sort(u) table.sort(t, function(a, b) return a > b end) return t[1], u[1]",
    ),
    (
        "patterns",
        "local s, n = ('key=value (x) '):rep(600), 0 for k, v, at in s:gmatch('(%w+)=(%w+)()') do n = n + #k + at end \
         for i = 1, 3 do n = n + #s:gsub('%w+', '<%0%0>') + #s:gsub('(%w)(%w)', function(a, b) return b .. a end) + #s:gsub('%a+', {key = 'KEY'}) end \
         for i = 1, 3 do n = n + (s:find('nowhere.-') and 0 or 1) + #s:match('%b()') + select('#', s:find('(.-)(=)()')) + (s:match('x' .. i, -20) and 1 or 0) end \
         return n, pcall(s.gsub, s, '[', ''), pcall(s.gsub, s, '%w+', function() return {} end), pcall(s.match, s, '(%w')",
    ),
    ("printing", "for i = 1, 30 do print(i, {} ~= nil, 'x' .. i, setmetatable({}, {__tostring = function() return 'y' .. i end})) end"),
    ("raising", "local function f(n) if n == 0 then error({code = 1, list = {1, 2}}) end return f(n - 1) + 1 end f(30)"),
];

/// How long one of these programs may take; each takes a few milliseconds.
const SOON: Duration = Duration::from_secs(5);

fn sweep(jit: bool, deny: fn(u64) -> Sweep) {
    let sampling = Sampling::new();
    for (name, source) in PROGRAMS {
        let run = |sweep: Sweep| {
            let engine = LuaJit::new().with_jit(jit).with_sweep(sweep);
            Bed { engine, ..Bed::default() }.run(source)
        };
        let counting = Sweep::one(0);
        let usual = run(counting.clone());
        let allocations = counting.counted();
        assert!(allocations > 100, "{name}: {allocations} allocations");
        for number in sampling.numbers(name, allocations, 100) {
            let (began, sweep) = (Instant::now(), deny(number));
            let outcome = run(sweep.clone());
            // How many allocations there are changes a little from run to run: hashes have seeds.
            let expected = if sweep.counted() >= number { "memory" } else { usual.status.as_str() };
            assert_eq!(outcome.status.as_str(), expected, "{name}, jit {jit}, allocation {number} of {allocations}: {outcome:?}");
            assert!(began.elapsed() < SOON, "{name}, jit {jit}, allocation {number} of {allocations} took {:?}", began.elapsed());
        }
    }
    assert_eq!(threads_left_behind(), 0);
}

#[test]
fn sweep_of_single_denials_with_the_compiler() {
    sweep(true, Sweep::one);
}

#[test]
fn sweep_of_single_denials_without_the_compiler() {
    sweep(false, Sweep::one);
}

#[test]
fn sweep_of_memory_that_ends_with_the_compiler() {
    sweep(true, Sweep::all_from);
}

#[test]
fn sweep_of_memory_that_ends_without_the_compiler() {
    sweep(false, Sweep::all_from);
}
