//! Programs that give a function of the host's or of LuaJIT's more than it should take at once: each ends soon after its bound,
//! within its memory, and leaves no thread behind.

use std::time::{Duration, Instant};

use codemode_core::{Budgets, threads_left_behind};

use crate::bed::Bed;

/// How long a program may take in all: 300 ms of compute, and what a machine with other work needs to stop it.
const SOON: Duration = Duration::from_millis(1500);

/// What a program may compute that goes on for ever.
const SHORT: Duration = Duration::from_millis(300);

/// For programs that come to their end, on a machine with other work.
const LONG: Duration = Duration::from_secs(10);

fn bed(jit: bool, compute: Duration) -> Bed {
    Bed::default().with_jit(jit).with_budgets(Budgets { compute, ..Budgets::default() })
}

/// Each program shows this text, or fails with this kind and this message. One that comes to its end may take a while.
fn check(cases: &[(&str, &str)]) {
    let mut wrong = String::new();
    for jit in [true, false] {
        for (source, expected) in cases {
            let (compute, soon) = if *expected == TIME { (SHORT, SOON) } else { (LONG, LONG) };
            let bed = bed(jit, compute);
            let began = Instant::now();
            let shown = bed.shows(source);
            let took = began.elapsed();
            let name = codemode_core::text::cut(source, 150);
            eprintln!("jit {jit}: {:>5} ms  {name}", took.as_millis());
            if shown != *expected || took > soon {
                wrong += &format!("\njit {jit}, {} ms: {name}: {}", took.as_millis(), codemode_core::text::cut(&shown, 500));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert_eq!(threads_left_behind(), 0);
}

/// What a program is told that computes for longer than it may.
const TIME: &str = "time: the compute budget of 300 ms ran out; time spent waiting for tools does not count";

/// A table of 30 values whose length is 2^29.
const MADE_UP: &str = "local u = {} for i = 29, 0, -1 do u[2 ^ i] = 1 end ";

#[test]
fn a_readers_piece_is_parsed_in_parts() {
    // LuaJIT parses a chain of `or` in quadratic time.
    let chains = "local a = 'x=a' .. (' or a'):rep(5000) .. '\\n' local s = ('do local f=function() ' .. a .. ' end end '):rep(800) \
        local done load(function() if not done then done = true return s end end)";
    let whole = "local pieces, n = {'return \"', ('x'):rep(4095), ('y'):rep(4096), ('z'):rep(4097), 1, 23, '\"'}, 0 \
        return #load(function() n = n + 1 return pieces[n] end)()";
    check(&[
        (chains, TIME),
        (whole, "12291"),
        ("local n = 0 return (load(function() n = n + 1 return n == 1 and 'return 1' or n == 2 and '' or ' + 1' end)())", "1"),
        (
            "local n = 0 return load(function() n = n + 1 return n == 1 and ('\\27LJ'):rep(9999) or nil end)",
            "nil\tbytecode is not loaded; give the text of a program",
        ),
        ("local n = 0 return load(function() n = n + 1 if n > 1 then error('no more', 0) end return (' '):rep(5000) end)", "nil\tno more"),
    ]);
}

#[test]
fn an_insert_far_from_the_end_is_stopped() {
    check(&[
        (&format!("{MADE_UP} table.insert(u, 1, 'x')"), TIME),
        (&format!("{MADE_UP} pcall(table.insert, u, '1', 'x') print('after')"), TIME),
        ("table.insert({}, -2 ^ 31, 'x')", TIME),
        ("table.insert({}, 2 ^ 31, 'x')", "error: program:1: bad argument #2 to 'insert' (position out of bounds)"),
        ("table.insert({}, 1e308, 'x')", "error: program:1: bad argument #2 to 'insert' (position out of bounds)"),
        ("table.insert({}, 0 / 0, 'x')", "error: program:1: bad argument #2 to 'insert' (position out of bounds)"),
        (&format!("{MADE_UP} table.insert(u, 'x') return u[2 ^ 29 + 1]"), "x"),
    ]);
}

#[test]
fn insert_does_as_luajit_does() {
    let tells = "local function show(...) local t, n = {}, select('#', ...) for i = 1, n do t[i] = tostring((select(i, ...))) end \
        return table.concat(t, ',') end ";
    let told = |source: &str| format!("{tells} {source}");
    check(&[
        (&told("local t = {1, 2, 3} table.insert(t, 2, 'x') table.insert(t, '1', 'y') return show(unpack(t))"), "y,1,x,2,3"),
        (&told("local t = {1, 2} table.insert(t, 4, 'x') table.insert(t, 3.9, 'y') return show(unpack(t, 1, 5))"), "1,2,y,nil,x"),
        (&told("local t = {1, 2} table.insert(t, 0, 'x') return show(unpack(t, -1, 4))"), "nil,x,nil,1,2,nil"),
        (&told("local t = {1, 2} table.insert(t, 1, nil) return show(unpack(t, 1, 4))"), "nil,1,2,nil"),
        (&told("local t = {1, 2} table.insert(t, nil) return show(table.insert(t, 3)), #t"), "\t3"),
        (
            "local t = {} for i = 1, 2e5 do t[i] = i end table.insert(t, 2, 'x') return #t, t[1], t[2], t[3], t[200001]",
            "200001\t1\tx\t2\t200000",
        ),
        (
            "local t = setmetatable({}, {__index = error, __newindex = error}) for i = 1, 1e5 do rawset(t, i, i) end \
             table.insert(t, 1, 0) table.insert(t, 1, -1) return #t, t[1], t[2], t[3]",
            "100002\t-1\t0\t1",
        ),
        ("select, type, rawset, rawget = error, error, error, error local t = {1} table.insert(t, 2) table.insert(t, 1, 0) return #t", "3"),
        ("table.insert()", "error: program:1: bad argument #1 to 'insert' (table expected, got no value)"),
        ("\ntable.insert(nil, 1)", "error: program:2: bad argument #1 to 'insert' (table expected, got nil)"),
        ("table.insert('x', 1, 2)", "error: program:1: bad argument #1 to 'insert' (table expected, got string)"),
        ("table.insert({}, {}, 2)", "error: program:1: bad argument #2 to 'insert' (number expected, got table)"),
        ("table.insert({})", "error: program:1: wrong number of arguments to 'insert'"),
        ("table.insert({}, 1, 2, 3)", "error: program:1: wrong number of arguments to 'insert'"),
    ]);
}

#[test]
fn other_functions_with_made_up_lengths_end() {
    check(&[
        (&format!("{MADE_UP} table.remove(u, 1)"), TIME),
        ("return (table.remove({1, 2}, 2 ^ 31)), (table.remove({}, -2 ^ 31)), (table.remove({}, 1e308))", "nil\tnil\tnil"),
        (&format!("{MADE_UP} table.move(u, 1, 2 ^ 31 - 1, 2)"), TIME),
        ("table.move({}, -2 ^ 31, 2 ^ 31 - 1, 1)", TIME),
        (&format!("{MADE_UP} table.foreachi(u, function() end)"), TIME),
        (&format!("{MADE_UP} local n = 0 table.foreach(u, function() n = n + 1 end) return n"), "30"),
        (&format!("{MADE_UP} for i = 1, #u do rawget(u, i) end"), TIME),
        ("unpack({}, 1, 1e8)", "error: program:1: too many results to unpack"),
        ("unpack({}, -2 ^ 31, 2 ^ 31 - 1)", "error: program:1: too many results to unpack"),
        ("table.concat({}, '', 1, 2 ^ 31 - 1)", "error: program:1: invalid value (nil) at index 1 in table for 'concat'"),
        ("return #table.concat({'a'}, '', 1, 2 ^ 31), #table.concat({}, '', 2, 1)", "0\t0"),
        ("return #(''):rep(1e15), #(''):rep(2 ^ 31 - 1), #(''):rep(2 ^ 31 - 1, ''), #('x'):rep(-1e308)", "0\t0\t0\t0"),
        (&format!("{MADE_UP} local n = 0 for k in next, u do n = n + 1 end return n, table.maxn(u), #u"), "30\t536870912\t536870912"),
        ("local t = {} for i = 1, 3e5 do t['k' .. i] = 1 end for k in pairs(t) do t[k] = nil end while true do next(t) end", TIME),
    ]);
}

/// What is told of a name, or of a path, that is no UTF-8: so many characters and an ellipsis.
fn told(characters: usize) -> String {
    "\u{fffd}".repeat(characters) + "…"
}

#[test]
fn long_bytes_that_are_no_text_are_not_copied_whole() {
    let unknown = format!("there is no tool \"{}\"; host.tools() lists what there is", told(32));
    let too_long = format!("{}: is a path of 30000000 bytes; at most 4095 are allowed", told(165));
    let bytes = "local s = ('\\255'):rep(3e7) ";
    check(&[
        ("print('x') return ('\\255'):rep(3e7)", "x\n"),
        (
            &format!("{bytes} local ok, e = pcall(function() return tool[s] end) return e.message, e.code"),
            &format!("{unknown}\tunknown_tool"),
        ),
        (&format!("{bytes} local r = host.call(s) return r.ok, r.content, r.status"), &format!("false\t{unknown}\tdenied")),
        (&format!("{bytes} return host.read_file(s)"), &format!("nil\t{too_long}")),
        (&format!("{bytes} return host.write_file(s, 'x')"), &format!("nil\t{too_long}")),
        (&format!("{bytes} return loadfile(s)"), &format!("nil\t{too_long}")),
        (&format!("{bytes} dofile(s)"), &format!("error: program:1: {too_long}")),
        (
            "local e = select(2, pcall(function() return tool[('x'):rep(4096)] end)) \
             local f = select(2, pcall(function() return tool[('x'):rep(4097)] end)) return e.message == f.message, #e.tool, #f.tool",
            "true\t4096\t200",
        ),
        ("return (select(2, host.read_file(('x'):rep(4096))):gsub('^x*', ''))", "…: is a path of 4096 bytes; at most 4095 are allowed"),
    ]);
    #[cfg(target_os = "linux")]
    stays_within(160);
}

#[test]
fn long_bytes_that_are_returned_are_counted_as_they_would_be_shown() {
    for jit in [true, false] {
        let outcome = bed(jit, LONG).run("return ('\\255'):rep(3e6)");
        assert_eq!(outcome.failure, None);
        assert_eq!(outcome.output, "\u{fffd}".repeat(outcome.output.chars().count()));
        assert_eq!(outcome.usage.output_bytes + outcome.usage.output_dropped_bytes, 9_000_000);
        assert!(outcome.usage.output_bytes > 0);
    }
}

#[test]
fn a_long_string_of_json_is_scanned_under_the_guards_eye() {
    let long = "local s = ('x'):rep(1e7) ";
    check(&[
        (
            &format!("{long} return select(2, pcall(host.json_decode, '{{\"' .. s .. '\":[x'))"),
            "json_decode: line 1 column 10000006: expected a value, near x",
        ),
        (&format!("{long} s = '\"' .. s .. '\\\\n' .. s:sub(1, 1e6) .. '\"' collectgarbage() while true do host.json_decode(s) end"), TIME),
    ]);
}

/// The process held at most so many MiB at any time: what the budget of 64 MiB lets LuaJIT take for one instruction, and the test
/// itself. Where other tests share the process, nothing can be said.
#[cfg(target_os = "linux")]
fn stays_within(limit: u64) {
    let is_alone = std::env::var("NEXTEST_EXECUTION_MODE").is_ok_and(|mode| mode == "process-per-test");
    if is_alone {
        let peak = codemode_testbed::peak_mib();
        assert!(peak <= limit, "{peak} MiB were held; at most {limit} are allowed");
    }
}
