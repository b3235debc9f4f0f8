//! Pure computing: what the hook, the allocator and the wrapped functions cost a program that calls no tool.

use crate::figure::{Figure, Gate};
use crate::host::{Ours, bare};
use crate::turns::minima;

/// A program that computes for some tens of milliseconds and returns a value that tells whether it did.
#[derive(Debug)]
pub(crate) struct Workload {
    pub(crate) name: &'static str,
    source: &'static str,
    expected: &'static str,
    /// The most times as long as bare that it may take.
    most: f64,
}

/// The shapes that programs have: recursion, arithmetic, building strings, sorting, scanning lines.
pub(crate) const WORKLOADS: &[Workload] = &[
    Workload {
        name: "recursion",
        source: "local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end return fib(32)",
        expected: "2178309",
        most: 1.10,
    },
    Workload {
        name: "float loop",
        source: "local x = 0 for i = 1, 5e7 do x = x + i % 7 * 0.5 end return x",
        expected: "74999999",
        most: 1.10,
    },
    Workload {
        name: "strings",
        source: "local n = 0 for i = 1, 3e5 do local s = 'item ' .. i .. ':' .. (i * 3) n = n + #s:upper():sub(2, -2) end return n",
        expected: "4651860",
        most: 1.10,
    },
    Workload {
        name: "sort",
        source: "local t = {} local x = 42 for i = 1, 2e5 do x = (x * 16807) % 2147483647 t[i] = x end \
                 table.sort(t) for i = 2, #t do assert(t[i - 1] <= t[i]) end return #t",
        expected: "200000",
        most: 1.10,
    },
    Workload {
        name: "sort with function",
        source: "local t = {} local x = 42 for i = 1, 5e4 do x = (x * 16807) % 2147483647 t[i] = x end \
                 table.sort(t, function(a, b) return a > b end) for i = 2, #t do assert(t[i - 1] >= t[i]) end return #t",
        expected: "50000",
        most: 1.10,
    },
    Workload {
        name: "backtracking",
        source: "local text = ('key = value, '):rep(400) local n = 0 \
                 for _ = 1, 20 do for key, value in text:gmatch('(%w+) = (%w+)') do n = n + #key + #value end \
                 if text:find('(%w+) = (%d+)') then n = -1 end n = n + #text:match('^%s*(.-)%s*$') end return n",
        expected: "167980",
        most: 1.5,
    },
    Workload {
        name: "line scan",
        source: "local lines = {} for i = 1, 2000 do lines[i] = i .. ': key_' .. i .. ' = value ' .. (i * 7) .. (i % 10 == 0 and ' TODO' or '') end \
                 local text = table.concat(lines, '\\n') local hits, keys = 0, 0 \
                 for _ = 1, 20 do for line in text:gmatch('[^\\n]+') do if line:find('TODO', 1, true) then hits = hits + 1 end \
                 if line:match('key_(%d+) = value') then keys = keys + 1 end end end return hits .. ' ' .. keys",
        expected: "4000 40000",
        most: 1.10,
    },
];

/// The whole run against the whole bare run, interpreter made and dropped in both.
pub(crate) fn measure(workload: &Workload, turns: u32) -> Figure {
    let ours = Ours::new();
    assert_eq!(ours.run(workload.source).output, workload.expected, "{}", workload.name);
    let (least, least_bare) = minima(turns, || drop(ours.run(workload.source)), || bare(workload.source));
    Figure::new(workload.name, least, least_bare, Gate::Ratio(workload.most))
}
