//! Pure computing: what the hook, the allocator and the wrapped functions cost a program that calls no tool.

use crate::bare;
use crate::figure::{Figure, Gate};
use crate::ours::Ours;
use crate::turns::minima;

/// A program that computes for some tens of milliseconds and returns a value that tells whether it did.
#[derive(Debug)]
pub(crate) struct Workload {
    pub(crate) name: &'static str,
    source: &'static str,
    expected: &'static str,
    /// The most times as long as bare that it may take.
    most: f64,
    language: Language,
}

/// What a workload is written in.
#[derive(Debug, Clone, Copy)]
enum Language {
    Lua,
    JavaScript,
}

/// The shapes that programs have: recursion, arithmetic, building strings, sorting, scanning lines.
pub(crate) const WORKLOADS: &[Workload] = &[
    Workload {
        name: "recursion",
        source: "local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end return fib(32)",
        expected: "2178309",
        most: 1.10,
        language: Language::Lua,
    },
    Workload {
        name: "float loop",
        source: "local x = 0 for i = 1, 5e7 do x = x + i % 7 * 0.5 end return x",
        expected: "74999999",
        most: 1.10,
        language: Language::Lua,
    },
    Workload {
        name: "strings",
        source: "local n = 0 for i = 1, 3e5 do local s = 'item ' .. i .. ':' .. (i * 3) n = n + #s:upper():sub(2, -2) end return n",
        expected: "4651860",
        most: 1.10,
        language: Language::Lua,
    },
    Workload {
        name: "sort",
        source: "local t = {} local x = 42 for i = 1, 2e5 do x = (x * 16807) % 2147483647 t[i] = x end \
                 table.sort(t) for i = 2, #t do assert(t[i - 1] <= t[i]) end return #t",
        expected: "200000",
        most: 1.10,
        language: Language::Lua,
    },
    Workload {
        name: "sort with function",
        source: "local t = {} local x = 42 for i = 1, 5e4 do x = (x * 16807) % 2147483647 t[i] = x end \
                 table.sort(t, function(a, b) return a > b end) for i = 2, #t do assert(t[i - 1] >= t[i]) end return #t",
        expected: "50000",
        most: 1.10,
        language: Language::Lua,
    },
    Workload {
        name: "backtracking",
        source: "local text = ('key = value, '):rep(400) local n = 0 \
                 for _ = 1, 20 do for key, value in text:gmatch('(%w+) = (%w+)') do n = n + #key + #value end \
                 if text:find('(%w+) = (%d+)') then n = -1 end n = n + #text:match('^%s*(.-)%s*$') end return n",
        expected: "167980",
        most: 1.5,
        language: Language::Lua,
    },
    Workload {
        name: "line scan",
        source: "local lines = {} for i = 1, 2000 do lines[i] = i .. ': key_' .. i .. ' = value ' .. (i * 7) .. (i % 10 == 0 and ' TODO' or '') end \
                 local text = table.concat(lines, '\\n') local hits, keys = 0, 0 \
                 for _ = 1, 20 do for line in text:gmatch('[^\\n]+') do if line:find('TODO', 1, true) then hits = hits + 1 end \
                 if line:match('key_(%d+) = value') then keys = keys + 1 end end end return hits .. ' ' .. keys",
        expected: "4000 40000",
        most: 1.10,
        language: Language::Lua,
    },
    Workload {
        name: "recursion",
        source: "const fib = (n) => (n < 2 ? n : fib(n - 1) + fib(n - 2)); return fib(27)",
        expected: "196418",
        most: 1.03,
        language: Language::JavaScript,
    },
    Workload {
        name: "float loop",
        source: "let x = 0; for (let i = 0; i < 3e6; i++) x += (i % 7) * 0.5; return x",
        expected: "4499997",
        most: 1.03,
        language: Language::JavaScript,
    },
    Workload {
        name: "strings",
        source: "let n = 0; for (let i = 0; i < 1e5; i++) { const s = `item ${i}:${i * 3}`; n += s.toUpperCase().slice(1, -1).length } return n",
        expected: "1451850",
        most: 1.03,
        language: Language::JavaScript,
    },
    Workload {
        name: "sort",
        source: "const t = []; let x = 42; for (let i = 0; i < 1e5; i++) { x = (x * 16807) % 2147483647; t.push(x) } t.sort((a, b) => a - b); return t.length",
        expected: "100000",
        most: 1.03,
        language: Language::JavaScript,
    },
    Workload {
        name: "line scan",
        source: "const lines = Array.from({ length: 2000 }, (_, i) => `${i}: key_${i} = value ${i * 7}${i % 10 === 0 ? ' TODO' : ''}`); const text = lines.join('\\n'); let hits = 0, keys = 0; for (let n = 0; n < 20; n++) for (const line of text.split('\\n')) { if (line.includes('TODO')) hits++; if (/key_(\\d+) = value/.test(line)) keys++ } return `${hits} ${keys}`",
        expected: "\"4000 40000\"",
        most: 1.03,
        language: Language::JavaScript,
    },
    Workload {
        name: "objects",
        source: "const groups = {}; for (let i = 0; i < 1e5; i++) { const row = { id: i, kind: 'k' + (i % 17), size: i % 101 }; (groups[row.kind] ??= []).push(row) } return Object.values(groups).reduce((sum, rows) => sum + rows.filter((row) => row.size > 50).length, 0)",
        expected: "49500",
        most: 1.03,
        language: Language::JavaScript,
    },
];

/// The whole run against the whole bare run, interpreter made and dropped in both.
pub(crate) fn measure(workload: &Workload, turns: u32) -> Figure {
    let (ours, bare): (Ours, fn(&'static str)) = match workload.language {
        Language::Lua => (Ours::luajit(), bare::luajit),
        Language::JavaScript => (Ours::quickjs(), bare::quickjs),
    };
    assert_eq!(ours.gives(workload.source), workload.expected, "{}", workload.name);
    let measured = minima(turns, || drop(ours.run(workload.source)), || bare(workload.source));
    Figure::new(workload.name, ours.engine, measured, Gate::Ratio(workload.most))
}
