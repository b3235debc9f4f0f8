//! What bounds let through and what they stop, where the hook alone would not see it.

use std::time::{Duration, Instant};

use codemode_core::{Budgets, FailureKind};

use crate::bed::Bed;
use crate::hostile::{SOON, budgets};

/// Each program ends within `soon`, as one of these says.
fn check(soon: Duration, budgets: Budgets, cases: &[(&str, &[&str], &str)]) {
    let mut wrong = String::new();
    for jit in [true, false] {
        let bed = Bed::default().with_jit(jit).with_budgets(budgets);
        for (name, expected, source) in cases {
            let began = Instant::now();
            let outcome = bed.run(source);
            let took = began.elapsed();
            let status = outcome.status.as_str();
            let line = format!("jit {jit}: {name:<18} {:>5} ms  {status} {:?} {:?}", took.as_millis(), outcome.failure, outcome.warnings);
            eprintln!("{line}");
            if !expected.contains(&status) || took > soon || !outcome.warnings.is_empty() {
                wrong += &format!("\n{line}");
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn what_nests_on_the_threads_stack_ends() {
    check(
        SOON,
        Budgets { memory_bytes: 512 << 20, ..budgets() },
        &[
            ("resume", &["time", "memory", "ok"], "local function go() return coroutine.resume(coroutine.create(go)) end go()"),
            ("wrap", &["time", "memory", "error"], "local function go() return coroutine.wrap(go)() end go()"),
            ("gsub", &["time", "memory", "error"], "local function go() string.gsub('a', 'a', go) end go()"),
            (
                "gsub in wrap",
                &["time", "memory", "error"],
                "local function go() return coroutine.wrap(function() string.gsub('a', 'a', go) end)() end go()",
            ),
            (
                "sort in wrap",
                &["time", "memory", "error"],
                "local function go() return coroutine.wrap(function() table.sort({1, 2, 3}, function(a, b) go() return a < b end) end)() end go()",
            ),
            (
                "load in wrap",
                &["time", "memory", "error", "ok"],
                "local function go() return coroutine.wrap(function() load(function() go() end) end)() end go()",
            ),
            (
                "tostring",
                &["time", "memory", "error"],
                "local t = setmetatable({}, {}) getmetatable(t).__tostring = function() return tostring(t) end tostring(t)",
            ),
            (
                "tostring in wrap",
                &["time", "memory", "error"],
                "local t = setmetatable({}, {}) getmetatable(t).__tostring = coroutine.wrap(function() return coroutine.wrap(function() return tostring(t) end)() end) tostring(t)",
            ),
            (
                "print in wrap",
                &["time", "memory", "error"],
                "local function go() return coroutine.wrap(function() print(setmetatable({}, {__tostring = go})) end)() end go()",
            ),
            ("xpcall", &["time", "memory", "error"], "local function go() return xpcall(go, go) end go() error('end')"),
            ("caught", &["time"], "local function go() pcall(coroutine.wrap(go)) end while true do go() end"),
            (
                "metamethods",
                &["error"],
                "local t = setmetatable({}, {}) getmetatable(t).__index = function(t, k) return t[k .. 'x'] end return t.a",
            ),
        ],
    );
}

/// Numbers in an order that takes a quicksort which parts by the median of three quadratic time.
const KILLER: &str = "local function killer(n) local t = {} for i = 1, n do t[i] = i end \
    local m = math.floor(n / 2) for i = 1, m do if i % 2 == 1 then t[i], t[i + 1] = i, m + i end t[m + i] = 2 * i end return t end ";

#[test]
fn long_calls_into_c_are_stopped_or_short() {
    let sorts = |rest: &str| format!("{KILLER} {rest}");
    let sources = [
        ("sort numbers", sorts("table.sort(killer(400000))")),
        ("sort by order", sorts("table.sort(killer(400000), function(a, b) return a < b end)")),
        ("sort by builtin", sorts("local t = {} for i = 1, 1e6 do t[i] = {} end table.sort(t, rawequal)")),
        ("sort mixed", "local t = {} for i = 1, 1e5 do t[i] = setmetatable({}, {__lt = rawequal}) end table.sort(t)".to_owned()),
        ("sort texts", "local p = ('a'):rep(1e4) local t = {} for i = 1, 3000 do t[i] = p .. (i * 7919 % 3001) end table.sort(t)".to_owned()),
        ("load pieces", "load(collectgarbage)".to_owned()),
        ("load long", "load('return {' .. ('1,'):rep(2e7) .. '}')".to_owned()),
        ("load gotos", "local t = {} for i = 1, 30000 do t[i] = 'goto l' .. i end for i = 1, 30000 do t[30000 + i] = '::l' .. i .. '::' end load(table.concat(t, ' '))".to_owned()),
        ("load nested", "load(('('):rep(1e6) .. '1' .. (')'):rep(1e6)) load(('do '):rep(1e6)) load(('{'):rep(1e6)) load(('function() '):rep(1e5))".to_owned()),
        ("insert", "local t = {} for i = 0, 30 do t[2 ^ i] = 1 end table.insert(t, 1, 0)".to_owned()),
        ("insert often", "local t = {} for i = 1, 2e6 do t[i] = i end while true do table.insert(t, 1, 0) end".to_owned()),
        ("rep of nothing", "return #(''):rep(2 ^ 31 - 1), #(''):rep(2 ^ 31 - 1, '')".to_owned()),
        ("concat of nothing", "local t = {} for i = 1, 1e6 do t[i] = '' end for i = 1, 1e6 do table.concat(t) end".to_owned()),
        ("print much", "for i = 1, 1e9 do print(('x'):rep(1e6)) end".to_owned()),
        ("print no utf-8", "local s = ('\\255'):rep(3e7) while true do print(s) end".to_owned()),
        ("collect", "local t = {} for i = 1, 5e5 do t[i] = {} end while true do collectgarbage() end".to_owned()),
        ("tonumber", "local s = ('1'):rep(3e7) while true do tonumber(s) end".to_owned()),
        ("errors", "while true do pcall(error, {}) pcall(tool.echo, print) pcall(function() return tool.nothing end) end".to_owned()),
        ("json", "local t = {} for i = 1, 1e6 do t[i] = i end while true do host.json_encode(t) end".to_owned()),
        ("next", "local t = {} for i = 1, 1e6 do t['k' .. i] = 1 end for k in pairs(t) do t[k] = nil end while true do next(t) end".to_owned()),
        ("unpack", "while true do pcall(unpack, {}, 1, 7000) pcall(unpack, {}, 1, 1e9) end".to_owned()),
    ];
    let ended: &[&str] = &["ok", "time", "memory", "error"];
    let cases: Vec<(&str, &[&str], &str)> = sources.iter().map(|(name, source)| (*name, ended, source.as_str())).collect();
    check(SOON, budgets(), &cases);
}

#[test]
fn coroutines_inside_each_other_are_limited() {
    let source = "local n = 0 local function go() n = n + 1 local ok, e = coroutine.resume(coroutine.create(go)) if not ok then error(e, 0) end end local ok, e = pcall(go) return n, e";
    for jit in [true, false] {
        assert_eq!(Bed::default().with_jit(jit).shows(source), "10001\tstack overflow: too many coroutines resume each other");
    }
}

#[test]
fn after_a_bound_nothing_goes_on() {
    let caught = "local printed = print pcall(function() while true do end end) printed('after') ";
    for jit in [true, false] {
        let bed = Bed::default().with_jit(jit).with_budgets(Budgets { calls: 2, ..budgets() });
        for source in [
            format!("{caught} return 'value'"),
            "print('before') tool.echo{} tool.echo{} pcall(tool.echo, {}) print('after') tool.echo{} return 1".to_owned(),
            "print('before') pcall(string.rep, 'x', 6e8) print('after') return 1".to_owned(),
            "coroutine.wrap(function() pcall(function() while true do end end) coroutine.yield() end)() print('after')".to_owned(),
            "xpcall(function() while true do end end, function() print('after') end) print('after')".to_owned(),
            "local t = setmetatable({}, {__index = function() while true do end end}) pcall(function() return t.x end) print('after')"
                .to_owned(),
            "load(function() while true do end end) print('after')".to_owned(),
            "pcall(table.sort, {1, 2, 3}, function() while true do end end) print('after')".to_owned(),
            "local ok, e = pcall(function() while true do end end) error(e, 0)".to_owned(),
            "host.call('echo') host.call('echo') host.call('echo') print('after')".to_owned(),
        ] {
            let outcome = bed.run(&source);
            let kind = outcome.kind();
            assert!(matches!(kind, Some(FailureKind::Time | FailureKind::Memory | FailureKind::Calls)), "jit {jit}: {source}: {outcome:?}");
            assert!(!outcome.output.contains("after"), "jit {jit}: {source}: {outcome:?}");
            assert!(outcome.ledger.len() <= 2, "jit {jit}: {source}: {outcome:?}");
        }
    }
}

#[test]
fn memory_counts_what_is_held_and_not_what_is_garbage() {
    let thirty = "local held = {} for i = 1, 30 do held[i] = ('x'):rep(1e6 - 40) .. i end ";
    let small = "local held = {} for i = 1, 270000 do held[i] = {i} end ";
    let long = Budgets { compute: Duration::from_secs(20), ..Budgets::default() };
    let cases: Vec<(&str, &[&str], String)> = vec![
        ("garbage strings", &["ok"], format!("{thirty} for i = 1, 500 do local s = ('y'):rep(1e6 - 40) .. i end return #held")),
        ("garbage tables", &["ok"], format!("{small} for i = 1, 3e6 do local t = {{i, tostring}} held[0] = t end return #held")),
        ("garbage functions", &["ok"], format!("{small} for i = 1, 1e6 do held[0] = function() return i end end return #held")),
        ("garbage threads", &["ok"], format!("{small} for i = 1, 1e5 do coroutine.wrap(function() return 1 end)() end return #held")),
        ("one large string", &["ok"], "return #(('x'):rep(40e6))".to_owned()),
        ("large ones in turn", &["ok"], "local n = 0 for i = 1, 30 do n = n + #(('x'):rep(30e6) .. i) end return n".to_owned()),
        ("joined", &["ok"], "local t = {} for i = 1, 300 do t[i] = ('x'):rep(1e5) .. i end return #table.concat(t)".to_owned()),
        ("too large a string", &["memory"], "return #(('x'):rep(70e6))".to_owned()),
        ("strings", &["memory"], "local t = {} for i = 1, 100 do t[i] = ('x'):rep(1e6) .. i end".to_owned()),
        ("tables", &["memory"], "local t = {} for i = 1, 1e7 do t[i] = {i} end".to_owned()),
        ("one table", &["memory"], "local t = {} for i = 1, 1e9 do t[i] = i end".to_owned()),
        ("closures", &["memory"], "local t = {} for i = 1, 1e9 do t[i] = function() return i end end".to_owned()),
        ("threads", &["memory"], "local t = {} for i = 1, 1e9 do t[i] = coroutine.create(print) end".to_owned()),
        ("caught", &["memory"], "local t = {} while true do pcall(function() for i = 1, 1e6 do t[#t + 1] = {} end end) end".to_owned()),
        ("names", &["memory"], "local t = {} for i = 1, 1e9 do t['k' .. i] = true end".to_owned()),
    ];
    let cases: Vec<(&str, &[&str], &str)> = cases.iter().map(|(name, expected, source)| (*name, *expected, source.as_str())).collect();
    // What counts here is how each ends: some compute for a second.
    check(Duration::from_secs(30), long, &cases);
}
