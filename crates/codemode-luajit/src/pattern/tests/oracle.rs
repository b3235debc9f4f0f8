//! Every result and message of the four calls, compared with LuaJIT's own.

use mlua::{Function, Lua};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

use super::super::{
    Capture, Caret, Halt, Iteration, Match, Meter, Output, Pattern, Substitution, Template, find_plain, has_specials, search_start,
};
use super::generate;

/// Runs a call and writes down its results: each value with its type and length, then a line end.
const ORACLE: &str = r#"
local function show(ok, ...)
  if not ok then return "error " .. (tostring((...)):gsub("^oracle:%d+: ", "")) end
  local shown = {}
  for i = 1, select('#', ...) do
    local value = (select(i, ...))
    local text = tostring(value)
    shown[i] = type(value) .. " " .. #text .. " " .. text
  end
  return table.concat(shown, "|") .. "\n"
end
local calls = { find = string.find, match = string.match }
function calls.gmatch(subject, pattern)
  local step, shown = string.gmatch(subject, pattern), {}
  for i = 1, 100 do
    local line = show(pcall(step))
    shown[i] = line
    if line == "\n" or line:find("^error") then break end
  end
  return table.concat(shown)
end
function calls.gsub_calls(subject, pattern, most)
  local shown = {}
  local text, count = string.gsub(subject, pattern, function(...)
    shown[#shown + 1] = show(true, ...)
    return "<>"
  end, most)
  return text, count, table.concat(shown)
end
calls.gsub = string.gsub
local pcall = pcall
return function(name, ...) return show(pcall(calls[name], ...)) end
"#;

/// LuaJIT's own functions in an interpreter of their own.
struct Oracle {
    _lua: Lua,
    call: Function,
}

impl Oracle {
    fn new() -> Self {
        let lua = Lua::new();
        let call = lua.load(ORACLE).set_name("=oracle").eval().expect("the oracle is a program");
        Self { _lua: lua, call }
    }

    fn call(&self, arguments: impl mlua::IntoLuaMulti) -> Vec<u8> {
        let shown: mlua::LuaString = self.call.call(arguments).expect("the oracle catches errors");
        shown.as_bytes().to_vec()
    }

    fn bytes(&self, bytes: &[u8]) -> mlua::LuaString {
        self._lua.create_string(bytes).expect("there is memory")
    }
}

/// What a call of ours shows, in the oracle's words.
fn shown(result: Result<Vec<Shown>, Halt>) -> Vec<u8> {
    match result {
        Err(halt) => error(halt),
        Ok(values) => line(&values),
    }
}

enum Shown {
    Nil,
    Number(usize),
    Text(Vec<u8>),
}

fn line(values: &[Shown]) -> Vec<u8> {
    let shown: Vec<Vec<u8>> = values
        .iter()
        .map(|value| {
            let (kind, text) = match value {
                Shown::Nil => ("nil", b"nil".to_vec()),
                Shown::Number(number) => ("number", number.to_string().into_bytes()),
                Shown::Text(text) => ("string", text.clone()),
            };
            [format!("{kind} {} ", text.len()).into_bytes(), text].concat()
        })
        .collect();
    [shown.join(&b'|'), b"\n".to_vec()].concat()
}

fn error(halt: Halt) -> Vec<u8> {
    let Halt::Fault(fault) = halt else { panic!("nothing stops here") };
    format!("error {}", fault.message()).into_bytes()
}

fn capture(subject: &[u8], found: &Match<'_>, index: usize) -> Result<Shown, Halt> {
    Ok(match found.value(index).map_err(Halt::Fault)? {
        Capture::Text(range) => Shown::Text(subject[range].to_vec()),
        Capture::Position(position) => Shown::Number(position),
    })
}

fn values(subject: &[u8], found: &Match<'_>, count: usize) -> Result<Vec<Shown>, Halt> {
    (0..count).map(|index| capture(subject, found, index)).collect()
}

fn find(subject: &[u8], pattern: &[u8], init: i64, plain: bool) -> Result<Vec<Shown>, Halt> {
    let mut go_on = |_| Ok(());
    let mut meter = Meter::new(&mut go_on);
    let from = search_start(init, subject.len());
    if plain || !has_specials(pattern) {
        let found = find_plain(subject, pattern, from, &mut meter)?;
        return Ok(found.map_or(vec![Shown::Nil], |start| vec![Shown::Number(start + 1), Shown::Number(start + pattern.len())]));
    }
    let pattern = Pattern::new(pattern, Caret::Anchors);
    let mut matcher = pattern.over(subject);
    let Some(found) = matcher.search(from, &mut meter)? else { return Ok(vec![Shown::Nil]) };
    let mut shown = vec![Shown::Number(found.whole().start + 1), Shown::Number(found.whole().end)];
    shown.extend(values(subject, &found, found.captures())?);
    Ok(shown)
}

fn match_(subject: &[u8], pattern: &[u8], init: i64) -> Result<Vec<Shown>, Halt> {
    let mut go_on = |_| Ok(());
    let mut meter = Meter::new(&mut go_on);
    let pattern = Pattern::new(pattern, Caret::Anchors);
    let mut matcher = pattern.over(subject);
    let Some(found) = matcher.search(search_start(init, subject.len()), &mut meter)? else {
        return Ok(vec![Shown::Nil]);
    };
    values(subject, &found, found.values())
}

fn gmatch(subject: &[u8], pattern: &[u8]) -> Vec<u8> {
    let pattern = Pattern::new(pattern, Caret::Literal);
    let mut iteration = Iteration::START;
    let mut all = Vec::new();
    for _ in 0..100 {
        let mut go_on = |_| Ok(());
        let mut meter = Meter::new(&mut go_on);
        let mut matcher = pattern.over(subject);
        let step = match iteration.next(&mut matcher, &mut meter) {
            Ok(Some(found)) => values(subject, &found, found.values()),
            Ok(None) => Ok(Vec::new()),
            Err(halt) => Err(halt),
        };
        let step = shown(step);
        let last = step == b"\n" || step.starts_with(b"error");
        all.extend(step);
        if last {
            break;
        }
    }
    line(&[Shown::Text(all)])
}

impl Output for Vec<u8> {
    fn push(&mut self, bytes: &[u8]) -> Result<(), codemode_core::Stopped> {
        self.extend_from_slice(bytes);
        Ok(())
    }
}

fn gsub(subject: &[u8], pattern: &[u8], template: &[u8], most: u64) -> Result<Vec<Shown>, Halt> {
    let mut go_on = |_| Ok(());
    let mut meter = Meter::new(&mut go_on);
    let pattern = Pattern::new(pattern, Caret::Anchors);
    let mut output = Vec::new();
    let mut substitution = Substitution::START;
    substitution.run(&mut pattern.over(subject), most, &mut meter, &mut output, |found, meter, output| {
        Template::new(template).expand(found, subject, meter, output)
    })?;
    Ok(vec![Shown::Text(output), Shown::Number(substitution.replaced() as usize)])
}

fn gsub_calls(subject: &[u8], pattern: &[u8], most: u64) -> Result<Vec<Shown>, Halt> {
    let mut go_on = |_| Ok(());
    let mut meter = Meter::new(&mut go_on);
    let pattern = Pattern::new(pattern, Caret::Anchors);
    let (mut output, mut calls) = (Vec::new(), Vec::new());
    let mut substitution = Substitution::START;
    substitution.run(&mut pattern.over(subject), most, &mut meter, &mut output, |found, _, output| {
        calls.extend(line(&values(subject, found, found.values())?));
        Output::push(output, b"<>").map_err(|_| Halt::Stopped)
    })?;
    Ok(vec![Shown::Text(output), Shown::Number(substitution.replaced() as usize), Shown::Text(calls)])
}

/// Compares all calls on one subject and pattern.
fn check(oracle: &Oracle, subject: &[u8], pattern: &[u8], init: i64, template: &[u8], most: i64) {
    let (own_subject, own_pattern) = (oracle.bytes(subject), oracle.bytes(pattern));
    let pair = (&own_subject, &own_pattern);
    let most_ours = u64::try_from(most).unwrap_or(0);
    let compare = |call: &str, own: Vec<u8>, ours: Vec<u8>| {
        assert!(
            own == ours,
            "{call} of {:?} on {:?} from {init} with {:?}\n LuaJIT {:?}\n ours   {:?}",
            String::from_utf8_lossy(pattern),
            String::from_utf8_lossy(subject),
            String::from_utf8_lossy(template),
            String::from_utf8_lossy(&own),
            String::from_utf8_lossy(&ours),
        );
    };
    compare("find", oracle.call(("find", pair.0, pair.1, init)), shown(find(subject, pattern, init, false)));
    compare("plain find", oracle.call(("find", pair.0, pair.1, init, true)), shown(find(subject, pattern, init, true)));
    compare("match", oracle.call(("match", pair.0, pair.1, init)), shown(match_(subject, pattern, init)));
    compare("gmatch", oracle.call(("gmatch", pair.0, pair.1)), gmatch(subject, pattern));
    compare(
        "gsub",
        oracle.call(("gsub", pair.0, pair.1, oracle.bytes(template), most)),
        shown(gsub(subject, pattern, template, most_ours)),
    );
    compare("gsub with calls", oracle.call(("gsub_calls", pair.0, pair.1, most)), shown(gsub_calls(subject, pattern, most_ours)));
}

fn template() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop::sample::select(&["x", "%0", "%1", "%2", "%%", "%a", "%", "yz"][..]);
    prop::collection::vec(piece, 0..4).prop_map(|pieces| pieces.concat().into_bytes())
}

fn run<S: Strategy>(cases: u32, strategy: S, test: impl Fn(S::Value)) {
    let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases) };
    let run = TestRunner::new(config).run(&strategy, |value| {
        test(value);
        Ok(())
    });
    run.unwrap_or_else(|failure| panic!("{failure}"));
}

#[test]
fn random_patterns_give_what_luajit_gives() {
    let oracle = Oracle::new();
    let most = prop_oneof![Just(100i64), -1..3i64];
    let cases = (generate::subject(16), generate::pattern(6), -4i64..20, template(), most);
    run(20_000, cases, |(subject, pattern, init, template, most)| {
        check(&oracle, &subject, &pattern, init, &template, most);
    });
}

/// Patterns about as deep as LuaJIT allows: which part is too deep, and whether it is reached, must agree.
#[test]
fn deep_patterns_are_too_complex_where_they_are_for_luajit() {
    let oracle = Oracle::new();
    let piece = prop::sample::select(&["a*", "a-", "a?", "(b*)", "()", "b?", "a+", ".-", "[ab]*"][..]);
    // Each byte of the subject multiplies the ways to fail.
    let subject = prop::sample::select(&["", "a", "b", "ab"][..]);
    let cases = (piece, prop_oneof![100usize..192, 192usize..205], generate::pattern(3), subject);
    run(400, cases, |(piece, times, end, subject)| {
        // With more than 32 captures there are too many of them before they are too deep.
        let (lead, times) = if piece.starts_with('(') { ("c?c*".repeat(times - 60), 30) } else { (String::new(), times) };
        let pattern = [lead.as_bytes(), piece.repeat(times).as_bytes(), &end].concat();
        check(&oracle, subject.as_bytes(), &pattern, 1, b"%0", 3);
    });
}

/// What is easy to get wrong, each on a few subjects.
#[test]
fn awkward_patterns_give_what_luajit_gives() {
    let oracle = Oracle::new();
    let many_captures = "()".repeat(33);
    let patterns: &[&[u8]] = &[
        b"",
        b"^",
        b"$",
        b"^$",
        b"$$",
        b"^^",
        b"^*",
        b"*",
        b"**",
        b"+a",
        b"-",
        b"--",
        b"a--",
        b"a**",
        b"?",
        b"a??",
        b".",
        b"..",
        b".-",
        b".*",
        b".+",
        b".-$",
        b"^.-$",
        b"[]]",
        b"[^]]",
        b"[]",
        b"[^]",
        b"[a-]",
        b"[-a]",
        b"[a-%z]",
        b"[a-%%]",
        b"[a-%%]]",
        b"[%a-z]",
        b"[--a]",
        b"[]-a]",
        b"[a",
        b"[%",
        b"[%]",
        b"[%]]",
        b"[^%s]",
        b"%",
        b"a%",
        b"%%",
        b"%z",
        b"%Z",
        b"%w+",
        b"%W",
        b"%1",
        b"(a)%1",
        b"(a%1)",
        b"()%1",
        b"(a*)%1$",
        b"(a",
        b"a)",
        b"())",
        b"((a)b)",
        b"(()a)",
        b"(a)(b",
        b"%0",
        b"%b",
        b"%b(",
        b"%b()",
        b"%b()*",
        b"%baa",
        b"%f",
        b"%fa",
        b"%f[",
        b"%f[a]",
        b"%f[%z]",
        b"%f[^a]a+",
        b"%f[%w]%w+%f[%W]",
        b"a$b",
        b"a$",
        b"$a",
        b"a\0b",
        b"a*\0(",
        b"[\0]",
        b"%\0",
        b"(.-)%s*$",
        b"^%s*(.-)%s*$",
        b"(%w+)=(%w+)",
        b"(.)(.)%2%1",
        b"a?a?a?aaa",
        b"a-b",
        b"a-$",
        b"a+b",
        b"a*b",
        b"%s+$",
        b"(a*)(a*)b",
        b"a.-b.-a",
        b"[^\n]*",
        b"([^\n]*)\n",
        b"%u%l*",
        b"\xff",
        b"[\x80-\xff]+",
    ];
    let subjects: &[&[u8]] = &[
        b"",
        b"a",
        b"b",
        b"aa",
        b"ab",
        b"aab",
        b"aaab ",
        b" ab=ba ",
        b"((a)b)",
        b"(a",
        b"a)",
        b"]",
        b"^",
        b"-",
        b"%",
        b"$",
        b"a$b",
        b"aA1_ \n",
        b"\n\n",
        b"\0",
        b"a\0b",
        b"abba",
        b"aaabbb",
        b"k=v, a=1",
        b"aaaa",
    ];
    for pattern in patterns.iter().copied().chain([many_captures.as_bytes()]) {
        for subject in subjects {
            for (init, most) in [(1, 100), (-1, 1), (3, 0)] {
                check(&oracle, subject, pattern, init, b"<%0%1%%%", most);
            }
        }
    }
}

#[test]
fn set_of_all_classes_is_that_of_luajit() {
    let oracle = Oracle::new();
    let all: Vec<u8> = (0..=255).collect();
    for letter in 1..=255u8 {
        check(&oracle, &all, &[b'[', b'%', letter, b']', b'+'], 1, b"", 300);
    }
}
