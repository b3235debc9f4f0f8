//! Runs that are the same each time.

use crate::bed::Bed;

#[test]
fn the_order_of_keys_is_fixed_and_documented() {
    let bed = Bed::new().with_seed(1);
    let table = [
        (
            "local t = {[3] = 1, [1] = 1, [-2.5] = 1, b = 1, a = 1, ['10'] = 1, B = 1, [true] = 1, [false] = 1, [2^40] = 1}
             local shown = {} for k in pairs(t) do shown[#shown + 1] = tostring(k) end print(table.concat(shown, ' '))",
            "-2.5 1 3 1099511627776 10 B a b false true\n",
        ),
        (
            "local made = {} for i = 1, 50 do made[i] = i % 3 == 0 and {} or i % 3 == 1 and function() return i end or coroutine.create(print) end
             local t = {} for i = 50, 1, -1 do t[made[(i * 7) % 50 + 1]] = (i * 7) % 50 + 1 end
             local last = 0 for k, i in pairs(t) do assert(i > last) last = i end print(last)",
            "50\n",
        ),
        (
            "local t = {} for i = 1, 20 do t['k' .. i] = i end
             local n = 0 for k, v in pairs(t) do n = n + 1 t[k] = nil t.k7 = t.k7 and 'changed' if k == 'k7' then print(v) end end print(n, next(t))",
            "changed\n20\tnil\n",
        ),
        (
            "local t = {5, 6, x = 1, y = 2, [true] = 3} local k, v = next(t) local n = 0
             while k ~= nil do io.write(tostring(k), '=', v, ' ') t[k] = nil k, v = next(t, k) end print(next(t))",
            "1=5 2=6 x=1 y=2 true=3 nil\n",
        ),
        ("local t = {a = 1, b = 2, c = 3} print(next(t, 'a'), next(t, 'b'), next(t, 'c'), next(t, 'bb'), next({}))", "b\tc\tnil\tc\tnil\n"),
        ("for k, v in next, {b = 1, a = 2} do io.write(k, v) end", "a2b1"),
        ("print(table.foreach({b = 1, a = 2}, function(k, v) io.write(k) return v > 1 and k or nil end))", "aa\n"),
        ("print(pcall(pairs, 1)) print(pcall(next)) print(pcall(pairs))", "false\tbad argument #1 to 'pairs' (table expected, got number)\nfalse\tbad argument #1 to 'next' (table expected, got nil)\nfalse\tbad argument #1 to 'pairs' (table expected, got nil)\n"),
        ("local f, s, c = pairs({x = 1}) print(type(f), type(s), c, f(s, c))", "function\ttable\tnil\tx\t1\n"),
        ("local co = coroutine.wrap(function() for k in pairs({a = 1, b = 2}) do coroutine.yield(k) end end) print(co(), co())", "a\tb\n"),
    ];
    for (program, shown) in table {
        assert_eq!(bed.shows(program), shown, "{program}");
    }
}

#[test]
fn nothing_shows_an_address() {
    let bed = Bed::new().with_seed(1);
    let table = [
        (
            "local a, b = {}, {} print(b, a, print, tostring(b), coroutine.create(print), io.stdout)",
            "table: 1\ttable: 2\tfunction: 1\ttable: 1\tthread: 1\tfile (1)\n",
        ),
        (
            "local t = {} print(('%s %10s|%-10s|'):format(t, {}, print), string.format('%d%%%s', 3, t))",
            "table: 1   table: 2|function: 1|\t3%table: 1\n",
        ),
        (
            "print(setmetatable({}, {__tostring = function() return 'mine' end}), string.format('%s', host.json_null), host.json_null)",
            "mine\tnull\tnull\n",
        ),
        (
            "print(pcall(string.format, '%p', {}))",
            "false\tbad argument #1 to 'format' (%p shows addresses, and a deterministic run has none)\n",
        ),
        ("print(pcall(string.format, '%d', {}))", "false\tbad argument #2 to '?' (number expected, got table)\n"),
        (
            "print(string.format('%5.1f %q %s %s', 1.25, 'a', nil, true), pcall(tostring))",
            "  1.2 \"a\" nil true\tfalse\tbad argument #1 to 'tostring' (value expected)\n",
        ),
        ("print(collectgarbage('count'), collectgarbage('step'), collectgarbage())", "0\ttrue\t0\n"),
        ("string.format('%d', {})", "error: program:1: bad argument #2 to 'format' (number expected, got table)"),
        ("return {}", "{}"),
        ("return print", "function: 1"),
        ("error({})", "error: the program raised a table: {}"),
    ];
    for (program, shown) in table {
        assert_eq!(bed.shows(program), shown, "{program}");
    }
}

/// Uses whatever could differ from run to run.
const EVERYTHING: &str = "
    local seen = {}
    local function note(...) seen[#seen + 1] = table.concat({...}, ' ') end
    for i = 1, 200 do
        local t, f = {}, function() return i end
        seen[t], seen[f] = i, tostring(f)
        seen['k' .. i] = math.random(1000)
    end
    note(os.time(), os.clock(), os.date(), os.date('!%c'), os.date('*t').sec)
    note(math.random(), math.random(5), math.random(-3, 3))
    for k, v in pairs(seen) do print(k, v) end
    for k in next, _G do print(k) end
    for k in pairs(host) do print(k) end
    print(string.format('%s %s', {}, print), coroutine.create(print), io.tmpfile(), collectgarbage('count'))
    math.randomseed(42) local a = {math.random(100), math.random(100)} math.randomseed(42)
    print(a[1] == math.random(100) and a[2] == math.random(100))
    return seen
";

#[test]
fn two_runs_of_one_seed_are_the_same_and_other_seeds_differ() {
    let first = Bed::new().with_seed(7).shows(EVERYTHING);
    assert!(first.lines().count() > 600, "{first}");
    for _ in 0..5 {
        // Other allocations in between move everything.
        let moved: Vec<Vec<u8>> = (0..50).map(|size| vec![0; size * 100]).collect();
        assert_eq!(Bed::new().with_seed(7).shows(EVERYTHING), first);
        drop(moved);
    }
    assert_ne!(Bed::new().with_seed(8).shows(EVERYTHING), first);
}

#[test]
fn random_numbers_keep_to_their_intervals() {
    let program = "
        for _ = 1, 2000 do
            local a, b, c = math.random(), math.random(3), math.random(-2, 2)
            assert(a >= 0 and a < 1 and b >= 1 and b <= 3 and b % 1 == 0 and c >= -2 and c <= 2 and c % 1 == 0)
        end
        print(pcall(math.random, 0)) print(pcall(math.random, 2, 1))
    ";
    let shown = "false\tbad argument #1 to '?' (interval is empty)\nfalse\tbad argument #2 to '?' (interval is empty)\n";
    assert_eq!(Bed::new().with_seed(3).shows(program), shown);
}

#[test]
fn time_is_the_runs_own() {
    let program = "local a = os.time() local b = os.clock() for _ = 1, 1000 do os.time() end print(os.date('%Y-%m-%d', a), b, os.clock() > 0.9, os.time() > a)";
    assert_eq!(Bed::new().with_seed(3).shows(program), "2026-01-01\t0\ttrue\ttrue\n");
}

#[test]
fn a_bound_stops_what_is_written_in_lua_too() {
    let bed = Bed::new().with_seed(3).with_budgets(|budgets| budgets.compute = std::time::Duration::from_millis(300));
    let programs = [
        "local t = {} for i = 1, 1e5 do t['k' .. i] = i end while true do pcall(pairs, t) end",
        "local t = {} for i = 1, 1e5 do t[{}] = i end while true do pcall(next, t) end",
        "local t = {} for i = 1, 1e5 do t[i] = i end while true do for k in pairs(t) do end end",
    ];
    for program in programs {
        let (kind, took) = bed.ends(program);
        assert_eq!(kind, Some(codemode_core::FailureKind::Time), "{program}");
        assert!(took < std::time::Duration::from_secs(3), "{program} took {took:?}");
    }
}
