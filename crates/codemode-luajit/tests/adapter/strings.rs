//! The string functions: what programs see is what LuaJIT's own give, however long the text, and bounds stop them.

use std::time::{Duration, Instant};

use codemode_core::Budgets;

use crate::bed::Bed;
use crate::hostile::budgets;

/// How long a program may take in all until it is stopped, on a machine with other work.
const SOON: Duration = Duration::from_secs(3);

/// Shows what a call gives, or raises, with each value's type.
const SHOW: &str = r#"
local shown = {}
local function show(...)
  local values = {}
  for i = 1, select('#', ...) do values[i] = type((select(i, ...))) .. ':' .. tostring((select(i, ...))) end
  shown[#shown + 1] = table.concat(values, '|')
end
"#;

/// What a program that ends with these lines gives in LuaJIT as it is.
fn bare(source: &str) -> String {
    let lua = mlua::Lua::new();
    lua.load(source).set_name("=program").eval().expect("the program runs")
}

/// A program shows the same in LuaJIT as it is and in ours, with the compiler and without it.
fn check(body: &str) {
    let source = format!("{SHOW}{body}\nreturn table.concat(shown, '\\n')");
    let expected = bare(&source);
    for jit in [true, false] {
        let outcome = Bed::default().with_jit(jit).run(&source);
        let differing = expected.lines().zip(outcome.output.lines()).find(|(own, ours)| own != ours);
        assert_eq!(differing, None, "jit {jit}: {:?}", outcome.failure);
        assert_eq!(outcome.output.len(), expected.len(), "jit {jit}: {:?}", outcome.failure);
    }
}

/// Each call is made several times: the first is ours, those after it are LuaJIT's own where the text is short.
#[test]
fn string_functions_give_what_luajit_gives() {
    check(
        r#"
local texts = {'', 'a', 'key=value, x1=y2', ' padded ', '((a)b)', 'THE (quick) fox', 'a.b.c', 12, 1.5, 'x\0y', ('ab '):rep(100)}
local patterns = {'', 'a', '%w+', '(%w+)=(%w+)', '^%s*(.-)%s*$', '()', '(a)(', '%b()', '%f[%a]%a+', '.-b', '[', '%', '^a', 'a$', '.', '%d', 1, '(', '(()', '[^,]+', 'no'}
for _, init in ipairs{0, 1, -1, 2.7, -2.7, '2', 5, 1e9, -1e9, 1e10, -1e10, 1e300, -1e300, math.huge, -math.huge, 0/0, 2^31, -2^31, 2^31 - 1, 2^32 + 2} do
  for round = 1, 3 do
    show(pcall(string.find, 'abcb', 'b', init)) show(pcall(string.find, 'abcb', 'b()', init)) show(pcall(string.match, 'abcb', '()b', init))
    show(pcall(string.gsub, 'abcb', 'b', 'x', init)) show(pcall(string.gsub, 'abcb', 'b', {}, init)) show(pcall(string.find, 12345, 3, init))
  end
end
local replacements = {'', 'x', '%0%0', '%1', '<%1>%%', '%2', '%', 7, {}, {a = 'A', key = 1, fox = false}, function(...) return select('#', ...) end,
  function() end, function(a) return a .. '!' end, function() return {} end, setmetatable({}, {__index = function(_, k) return '[' .. k .. ']' end})}
for round = 1, 3 do
  for _, text in ipairs(texts) do
    for _, pattern in ipairs(patterns) do
      show(pcall(string.find, text, pattern)) show(pcall(string.find, text, pattern, 2)) show(pcall(string.find, text, pattern, -3, true))
      show(pcall(string.match, text, pattern)) show(pcall(string.match, text, pattern, 3))
      show(pcall(function() for a, b in string.gmatch(text, pattern) do show(a, b) end end))
      for _, replacement in ipairs(replacements) do
        show(pcall(string.gsub, text, pattern, replacement)) show(pcall(string.gsub, text, pattern, replacement, 1))
      end
    end
  end
end"#,
    );
}

#[test]
fn long_texts_give_what_luajit_gives() {
    check(
        r#"
local long = ('some words, and key=value in (a line)\n'):rep(6000)
for round = 1, 2 do
  show(long:find('value in', 1, true)) show(long:find('nowhere', 1, true)) show(long:find('(%w+)=(%w+)', 100000)) show(long:match('%b()', -50))
  show(long:find('words, and')) show(long:match('^(%w+)')) show(long:match('line.\n$')) show(long:find('', 300000))
  local n = 0 for line in long:gmatch('[^\n]+') do n = n + #line end show(n)
  n = 0 for k, v in long:gmatch('(%w+)=(%w+)') do n = n + #k + #v end show(n)
  n = 0 for at in long:gmatch('()%f[%w]%w+') do n = n + at end show(n)
  for _, replacement in ipairs{'', 'x', '%1%1', ('-'):rep(100), {key = 'KEY'}, function(k, v) return v end} do
    local text, count = long:gsub('(%w+)=(%w+)', replacement) show(count, #text, text:sub(1, 300), text:sub(-50))
  end
  show(select(2, long:gsub('%s', ''))) show(select(2, long:gsub('.', '%0%0'))) show(select(2, long:gsub('', '-'))) show(select(2, long:gsub('^some', 'x')))
  local gaps = ((' '):rep(9000) .. 'k=v' .. ('x'):rep(50) .. '=y '):rep(40)
  for k, v, at in gaps:gmatch('(%w+)=(%w+)()') do show(k, v, at) end
  show((gaps:gsub('%w+=%w+', function(pair) show(pair) return '' end)) == (gaps:gsub('%w+=%w+', '')))
  show(#(long:gsub('%w', {})), #(long:gsub('%w', function() end)), select(2, long:gsub('%w', '%0', 1000)))
end"#,
    );
}

#[test]
fn faults_are_raised_where_the_program_is() {
    check(
        r#"
local long = ('a'):rep(300000)
for round = 1, 2 do
  for _, text in ipairs{'aa', long} do
    show(pcall(function() return text:find('[a') end))
    show(pcall(function() local x = text:match('(a') return x end))
    show(pcall(function() return (text:gsub('a', '%2')) end))
    show(pcall(function() local x = text:gsub('a', function() return {} end) return x end))
    show(pcall(function() local x = text:gsub('a', function() error('mine') end) return x end))
    show(pcall(function() local x = text:gsub('a', function() error({}) end) return x end) == false)
    show(pcall(function() for _ in text:gmatch('%') do end end))
    show(pcall(function() return text:find({}) end)) show(pcall(function() return text:gsub('a', true) end))
    show(pcall(function() return text:find('a', 'x') end)) show(pcall(string.rep, text))
  end
  show(pcall(function() return string.find({}, 'a') end)) show(pcall(function() return string.match(nil, 'a') end))
end"#,
    );
}

#[test]
fn patterns_that_never_end_are_stopped() {
    let quick = Budgets { compute: Duration::from_millis(100), ..budgets() };
    let programs = [
        "local s = ('a'):rep(30) return s:match(('a?'):rep(30) .. s)",
        "local s = ('a'):rep(5000) return s:find('.-.-.-.-b')",
        "local s = ('a'):rep(5000) return s:gsub('(a*)(a*)(a*)%1b', 'x')",
        "local s = ('a'):rep(5000) return s:gsub('(a*)(a*)(a*)%1b', function() end)",
        "local s = ('a'):rep(5000) for _ in s:gmatch('(a*)(a*)(a*)%1b') do end",
        "local s = ('a'):rep(5000) while true do pcall(s.find, s, '(a*)(a*)(a*)%1b') end",
        "while true do pcall(string.match, ('a'):rep(5000), '(a*)(a*)(a*)%1b') end",
        "local s = ('a'):rep(200) while true do s:match('(a*)(a*)b') end",
        "local s, i = ('a'):rep(200), 0 while true do i = i + 1 s:match('(a*)(a*)b' .. i) end",
        "local ok, e = pcall(function() local _ = tool.deny{} end) return e:match(('.-'):rep(30) .. '\\1')",
        "return (('a'):rep(1e6):gsub('(b*)', ('%1'):rep(1e5)))",
        "local t = {} local s = ('a'):rep(2e7) for i = 1, 1000 do t[i] = s:gsub('a', {}) end",
        "local s = ('('):rep(1e6) return s:find('%b()')",
        "local s = ('a'):rep(1e7) while true do s:find(('a'):rep(1e4) .. 'b', 1, true) end",
        "local f f = function() return (('a'):gsub('a', f)) end while true do pcall(f) end",
    ];
    let mut wrong = String::new();
    for jit in [true, false] {
        let bed = Bed::default().with_jit(jit).with_budgets(quick);
        for program in programs {
            let began = Instant::now();
            let outcome = bed.run(program);
            let took = began.elapsed();
            if outcome.status.as_str() != "time" || took > SOON || !outcome.warnings.is_empty() {
                wrong += &format!("\njit {jit}: {program}: {} ms {:?} {:?}", took.as_millis(), outcome.failure, outcome.warnings);
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// Matches are found ahead: one that takes long must not be in the way of those before it.
#[test]
fn a_match_that_is_not_asked_for_is_not_waited_for() {
    let text = "local text = ('b'):rep(9) .. ('a'):rep(5000)";
    let pattern = "'(a*)(a*)(a*)b'";
    let step = format!("{text} local step = text:gmatch({pattern}) for i = 1, 9 do step() end return 'end'");
    let call =
        format!("{text} local n = 0 pcall(text.gsub, text, {pattern}, function() n = n + 1 if n == 9 then error() end end) return n");
    let next = format!("{text} local step = text:gmatch({pattern}) for i = 1, 10 do step() end");
    for jit in [true, false] {
        let bed = Bed::default().with_jit(jit).with_budgets(budgets());
        assert_eq!([bed.shows(&step), bed.shows(&call)], ["end", "9"]);
        assert_eq!(bed.run(&next).status.as_str(), "time");
    }
}

#[test]
fn what_a_substitution_makes_counts_as_memory() {
    let small = Budgets { memory_bytes: 16 << 20, compute: Duration::from_secs(20), ..budgets() };
    let programs = [
        "local s = ('a'):rep(1e6) return #(s:gsub('a', ('b'):rep(100)))",
        "local s = ('a'):rep(1e6) return #(s:gsub('a', function() return ('b'):rep(100) end))",
        "local s = ('a'):rep(1e6) return #(s:gsub('(a)', ('%1'):rep(100)))",
        "local s = ('a'):rep(1e6) local t = setmetatable({}, {__index = function() return ('b'):rep(100) end}) return #(s:gsub('a', t))",
    ];
    for jit in [true, false] {
        for program in programs {
            let outcome = Bed::default().with_jit(jit).with_budgets(small).run(program);
            assert_eq!(outcome.status.as_str(), "memory", "jit {jit}: {program}: {:?}", outcome.failure);
        }
        let kept =
            "local n = 0 for i = 1, 20000 do pcall(string.gsub, ('a'):rep(1000) .. i, 'a', function() error('x') end) end return 'end'";
        assert_eq!(Bed::default().with_jit(jit).with_budgets(small).shows(kept), "end");
    }
}
