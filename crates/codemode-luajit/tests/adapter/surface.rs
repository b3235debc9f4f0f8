//! What a program sees and what comes back of it.

use codemode_core::{CallStatus, Effects, FailureKind, RunRequest};

use codemode_testbed::run;

use crate::bed::Bed;

/// Each program shows this, with the compiler and without it.
fn check(cases: &[(&str, &str)]) {
    let mut wrong = String::new();
    for jit in [true, false] {
        let bed = Bed::default().with_jit(jit);
        for (source, expected) in cases {
            let shown = bed.shows(source);
            if shown != *expected {
                wrong += &format!("\njit {jit}: {source}\n  shows    {shown:?}\n  expected {expected:?}");
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn values_come_back_as_text() {
    check(&[
        ("return 1", "1"),
        ("return 'a', nil, true, 1.5", "a\tnil\ttrue\t1.5"),
        ("return nil", ""),
        ("return", ""),
        ("local x = 1", ""),
        ("return {b = 1, a = {1, 2}}", "{\"a\":[1,2],\"b\":1}"),
        ("print('a', 1, nil, true) return 'unseen'", "a\t1\tnil\ttrue\n"),
        ("return setmetatable({}, {__tostring = function() return 'shown' end})", "{}"),
        ("print(setmetatable({}, {__tostring = function() return 'shown' end}))", "shown\n"),
        ("print('caf\\233 \\195\\169')", "caf\u{fffd} \u{e9}\n"),
        ("return '\\255'", "\u{fffd}"),
        ("print()", "\n"),
    ]);
}

#[test]
fn a_tool_gives_one_of_three_answers() {
    check(&[
        ("return tool.echo{b = 1, a = 'x'}", "{\"a\":\"x\",\"b\":1}"),
        ("return tool.echo{}", "{}"),
        ("return tool.echo()", "{}"),
        ("return tool.echo(nil)", "{}"),
        ("return tool['a-b']{x = {1}}", "{\"x\":[1]}"),
        ("return tool.a_b{}", "{}"),
        ("return tool.structured{}", "{\"n\":1}"),
        ("return tool.fail{}", "nil\tthe tool failed"),
        ("return tool.lose{}", "nil\tno answer was seen"),
        ("return tool.github.issues{}", "github__issues"),
        ("local f = tool.echo return f{x = 1}", "{\"x\":1}"),
        ("return tool.echo == tool.echo", "true"),
        ("\nlocal _ = tool.deny{}", "denied: program:2: the rules say no"),
        ("return tool.deny{}", "denied: the rules say no"),
        ("local _ = tool.unavailable{}", "error: program:1: the server is away"),
        ("return tool.ecko", "error: program:1: there is no tool \"ecko\"; did you mean \"echo\"? host.tools() lists what there is"),
        (
            "return pcall(function() return tool.run_code end)",
            "false\tprogram:1: tool \"run_code\" cannot be called from a program; host.tools() lists what can",
        ),
        (
            "local _ = tool.echo{f = print}",
            "error: program:1: tool.echo arguments: $.f: a function has no json form; leave it out or make it text",
        ),
        (
            "local _ = tool.echo{1}",
            "error: program:1: tool.echo arguments: $: arguments are one table of names, as in {path = \"x\"}, not an array",
        ),
        (
            "local _ = tool.echo('x')",
            "error: program:1: tool.echo takes one table of named arguments, as in {name = value}; given a string",
        ),
        (
            "local _ = tool['a-b']('x')",
            "error: program:1: tool[\"a-b\"] takes one table of named arguments, as in {name = value}; given a string",
        ),
        (
            "local _ = tool:echo{}",
            "error: program:1: tool.echo takes one table of named arguments; given 2 arguments; call it with a dot, not with a colon",
        ),
        ("tool.x = 1", "error: program:1: tools cannot be assigned; use a local variable"),
        ("return tool[1]", "error: program:1: tools have names, as in tool.name or tool[\"a-b\"]; given a number"),
        ("return tostring(getmetatable(tool))", "false"),
    ]);
}

#[test]
fn the_error_of_a_call_that_was_not_run_reads_as_text_and_keeps_its_fields() {
    let with = |rest: &str| format!("local ok, e = pcall(function() local _ = tool.deny{{}} end) {rest}");
    let cases = [
        ("print(e)", "program:1: the rules say no\n"),
        ("return type(e), e.tool, e.code, e.message, tostring(e.ran)", "table\tdeny\tdenied\tthe rules say no\tfalse"),
        ("return e:match('rules'), e:find('no', 1, true)", "rules\t26\t27"),
        ("return 'x: ' .. e, e .. '!'", "x: program:1: the rules say no\tprogram:1: the rules say no!"),
        ("return string.format('%s', e), tostring(e.nothing)", "program:1: the rules say no\tnil"),
        ("return e", "program:1: the rules say no"),
        ("e.message = 'x'", "error: program:1: this error cannot be changed; make a table of your own"),
        ("return tostring(getmetatable(e))", "false"),
        ("error(e)", "denied: program:1: the rules say no"),
        ("error(e, 0)", "denied: program:1: the rules say no"),
        ("local _, again = xpcall(error, function(x) return x end, e) error(again)", "denied: program:1: the rules say no"),
        ("local _, again = coroutine.resume(coroutine.create(error), e) error(again)", "denied: program:1: the rules say no"),
        ("coroutine.wrap(function() error(e) end)()", "denied: program:1: the rules say no"),
        ("error(tostring(e), 0)", "error: program:1: the rules say no"),
        ("error({message = e.message})", "error: the program raised a table: {\"message\":\"the rules say no\"}"),
        ("return 'handled'", "handled"),
    ];
    let cases: Vec<(String, &str)> = cases.iter().map(|(rest, expected)| (with(rest), *expected)).collect();
    check(&cases.iter().map(|(source, expected)| (source.as_str(), *expected)).collect::<Vec<_>>());
}

#[test]
fn host_call_says_everything_as_data() {
    let show = "print(r.ok, r.status, r.content)";
    let cases = [
        ("host.call('echo', {a = 1})", "true\tok\t{\"a\":1}\n"),
        ("host.call('echo')", "true\tok\t{}\n"),
        ("host.call('fail', {})", "false\treported\tthe tool failed\n"),
        ("host.call('lose', {})", "false\treported\tno answer was seen\n"),
        ("host.call('deny', {})", "false\tdenied\tthe rules say no\n"),
        ("host.call('unavailable', {})", "false\tdenied\tthe server is away\n"),
        ("host.call('ecko')", "false\tdenied\tthere is no tool \"ecko\"; did you mean \"echo\"? host.tools() lists what there is\n"),
        ("host.call('github')", "false\tdenied\t\"github\" is a server, and a call names one of its tools\n"),
        ("host.call()", "false\tdenied\thost.call takes the tool's name and a table of arguments; given nothing as the name\n"),
        ("host.call('echo', 'x')", "false\tdenied\thost.call takes a table of named arguments after the name; given a string\n"),
        (
            "host.call('echo', {print})",
            "false\tdenied\targuments: $: arguments are one table of names, as in {path = \"x\"}, not an array\n",
        ),
    ];
    let cases: Vec<(String, &str)> = cases.iter().map(|(call, expected)| (format!("local r = {call} {show}"), *expected)).collect();
    check(&cases.iter().map(|(source, expected)| (source.as_str(), *expected)).collect::<Vec<_>>());
}

#[test]
fn the_rest_of_the_surface_is_there() {
    check(&[
        ("return table.concat(host.tools(), ' ')", "a-b deny echo fail github__issues lose structured unavailable"),
        ("return host.runtime, host.version", "luajit\tcodemode 0.1.0"),
        ("return type(args), next(args), cwd", "table\tnil\t."),
        ("return host.json_encode({b = 1, a = true})", "{\"a\":true,\"b\":1}"),
        ("return host.json_decode('[1,2]')[2]", "2"),
    ]);
    let outcome = Bed::default().run("tool.echo{} host.call('deny') pcall(function() return tool.nothing end)");
    let statuses: Vec<CallStatus> = outcome.ledger.records().iter().map(|record| record.status).collect();
    assert_eq!((statuses, outcome.effects), (vec![CallStatus::Ok, CallStatus::Denied], Effects::Some));
}

#[test]
fn the_namespace_is_the_embedders() {
    let mut bed = Bed::default();
    bed.profile = bed.profile.with_namespace("wizard");
    assert_eq!(bed.shows("return wizard.runtime, tostring(host)"), "luajit\tnil");
    assert_eq!(
        bed.shows("return tool.ecko"),
        "error: program:1: there is no tool \"ecko\"; did you mean \"echo\"? wizard.tools() lists what there is"
    );
}

#[test]
fn raw_files_are_read_and_written_from_the_working_directory() {
    let folder = tempfile::tempdir().expect("a folder");
    let bed = Bed { cwd: folder.path().display().to_string(), ..Bed::default() };
    assert_eq!(bed.shows("return host.write_file('a.txt', 'one\\0two'), #host.read_file('a.txt')"), "true\t7");
    assert_eq!(bed.shows("return host.read_file('none.txt')"), "nil\tnone.txt: No such file or directory (os error 2)");
    assert_eq!(bed.shows("return host.read_file('.')"), "nil\t.: is a folder");
    assert_eq!(bed.shows("return host.read_file('/dev/zero')"), "nil\t/dev/zero: is no regular file");
    assert_eq!(bed.shows("local _ = host.read_file()"), "error: program:1: read_file takes a path; given nothing");
    assert_eq!(
        bed.shows("local _ = host.write_file('b')"),
        "error: program:1: write_file takes a path and a text; given string and nothing"
    );
    std::fs::write(folder.path().join("m.lua"), "#!/usr/bin/lua\nlocal a = ...\nreturn 'loaded', ffi").expect("a file");
    assert_eq!(bed.shows("return dofile('m.lua')"), "loaded\tnil");
    assert_eq!(bed.shows("return loadfile('m.lua')()"), "loaded\tnil");
    assert_eq!(bed.shows("return loadfile('none.lua')"), "nil\tnone.lua: No such file or directory (os error 2)");
    let reading = bed.run("return host.read_file('a.txt')");
    assert_eq!((reading.effects, reading.output.as_str()), (Effects::None, "one\0two"));
    assert_eq!(bed.run("host.write_file('b.txt', '')").effects, Effects::Unknown);
}

#[test]
fn without_authority_there_are_no_files() {
    let bed = Bed::default().without_authority();
    assert_eq!(
        bed.shows(
            "return tostring(os), tostring(io), tostring(loadfile), tostring(dofile), tostring(host.read_file), tostring(host.write_file)"
        ),
        "nil\tnil\tnil\tnil\tnil\tnil"
    );
}

#[test]
fn what_would_break_the_sandbox_is_not_there() {
    check(&[
        (
            "return tostring(newproxy), tostring(string.dump), tostring(require), tostring(module), tostring(package), tostring(debug.sethook), tostring(ffi)",
            "nil\tnil\tnil\tnil\tnil\tnil\tnil",
        ),
        ("return tostring(jit.on), tostring(jit.attach), tostring(jit.util), tostring(jit.opt), jit.os", "nil\tnil\tnil\tnil\tLinux"),
        ("return tostring(getmetatable('')), ('x'):rep(3)", "false\txxx"),
        ("return load('\\27LJ')", "nil\tbytecode is not loaded; give the text of a program"),
        (
            "local given = false return load(function() if given then return nil end given = true return '\\27LJ' end)",
            "nil\tbytecode is not loaded; give the text of a program",
        ),
        ("return load('return 1', 'x', 'b')", "nil\tbytecode is not loaded; give the text of a program"),
        ("return load('return x', 'x', 't', {x = 5})()", "5"),
        ("return loadstring('return 1 +')", "nil\t[string \"return 1 +\"]:1: unexpected symbol near '<eof>'"),
        ("local parts, n = {'return ', '4', '2'}, 0 return load(function() n = n + 1 return parts[n] end)()", "42"),
        (
            "collectgarbage('stop')",
            "error: program:1: collectgarbage takes \"collect\", \"count\" or \"step\"; the host sets the collector",
        ),
        ("collectgarbage() return collectgarbage('count') > 10", "true"),
    ]);
    assert_eq!(Bed::default().with_jit(false).shows("return jit.status()"), "false");
    assert_eq!(Bed::default().shows("return jit.status()"), "true");
}

#[test]
fn what_a_program_does_to_its_globals_does_not_reach_the_host() {
    check(&[
        (
            "string, tostring, table, error, setmetatable = nil print({} ~= nil, 1.5, nil) print(tool.echo{a = {1}})",
            "true\t1.5\tnil\n{\"a\":[1]}\n",
        ),
        ("for name in pairs(string) do string[name] = nil end local ok, e = pcall(tool.deny, {}) print(e) return 1", "the rules say no\n"),
        ("setfenv(0, {}) local r = tool.echo{} return r", "{}"),
        ("setfenv(1, {tool = tool}) return tool.echo{}", "{}"),
        ("return pcall(setfenv, print, {}) ~= nil, getfenv(xpcall) == _G", "true\ttrue"),
        ("rawset(tool, 'echo', function() return 'own' end) return tool.echo{}, host.call('echo').content", "own\t{}"),
        ("host.tools = nil host = nil tool = nil args = 1 return 'fine'", "fine"),
        ("_G.print = nil _G = nil return cwd", "."),
    ]);
}

#[test]
fn libraries_that_were_replaced_behave_as_before() {
    check(&[
        ("local t = {3, 1, 2} table.sort(t) return table.concat(t, ',')", "1,2,3"),
        ("local t = {3, 1, 2} table.sort(t, function(a, b) return a > b end) return table.concat(t, ',')", "3,2,1"),
        ("local t = {'b', 'a', 'ab', ''} table.sort(t) return table.concat(t, ',')", ",a,ab,b"),
        ("table.sort({1, 'a'})", "error: attempt to compare string with number"),
        ("table.sort({3, 2, 1, 4}, function() return true end)", "error: program:1: invalid order function for sorting"),
        (
            "local t = {} for i = 1, 1e5 do t[i] = (i * 7919) % 100003 end table.sort(t) for i = 2, 1e5 do assert(t[i - 1] <= t[i]) end return t[1], t[1e5]",
            "1\t100002",
        ),
        (
            "local t = {} for i = 1, 1e5 do t[i] = 'k' .. (i * 7919) % 100003 end table.sort(t) for i = 2, 1e5 do assert(t[i - 1] <= t[i]) end return #t",
            "100000",
        ),
        (
            "local co = coroutine.create(function(a) local b = coroutine.yield(a + 1) error('x' .. b) end) local r = {coroutine.resume(co, 1)} r[3], r[4] = coroutine.resume(co, 'y') r[5], r[6] = coroutine.resume(co) for i = 1, 6 do r[i] = tostring(r[i]) end return table.concat(r, ' ')",
            "true 2 false program:1: xy false cannot resume dead coroutine",
        ),
        ("local f = coroutine.wrap(function(...) for _, v in ipairs{...} do coroutine.yield(v) end end) return f(1, 2), f(), f()", "1\t2"),
        ("local f f = coroutine.wrap(function() local _ = f() end) return pcall(f)", "false\tprogram:1: cannot resume running coroutine"),
        ("return coroutine.resume(coroutine.running() or coroutine.create(function() end))", "true"),
        ("return xpcall(function(a) error(a, 0) end, function(e) return 'handled ' .. e end, 'x')", "false\thandled x"),
        ("return xpcall(function() return 1, 2 end, print)", "true\t1\t2"),
        ("return coroutine.wrap(function() return xpcall(function() return coroutine.yield(1) end, print) end)()", "1"),
        ("return tostring(setmetatable({}, {__tostring = function() return 'x' end})), tostring(nil), tostring(1.5)", "x\tnil\t1.5"),
    ]);
}

#[test]
fn a_program_that_does_not_compile_ran_nothing() {
    let bed = Bed::default();
    let outcome = bed.run("print('ran')\nlocal x = = 1");
    let failure = outcome.failure.expect("a failure");
    assert_eq!((failure.kind, failure.message.as_str()), (FailureKind::Compile, "program:2: unexpected symbol near '='"));
    assert_eq!((failure.location.map(|location| location.line), failure.traceback, outcome.output.as_str()), (Some(2), None, ""));
    let looks = |what| Some(format!("a program is Lua 5.1 as LuaJIT reads it, without anything around it; this looks like {what}"));
    assert_eq!(bed.run("{\"a\": 1}").failure.expect("a failure").fix, looks("JSON"));
    assert_eq!(bed.shows("```lua\nreturn ffi.x\n```"), "error: program:2: attempt to index global 'ffi' (a nil value)");
    let runner = bed.runner();
    assert_eq!(runner.check("return 1"), Ok(()));
    assert_eq!(
        runner.check("return return").map_err(|raised| raised.message),
        Err("program:1: unexpected symbol near 'return'".to_owned())
    );
    assert_eq!(
        runner.check("\u{1b}LJ").map_err(|raised| raised.message),
        Err("bytecode is not loaded; give the text of a program".to_owned())
    );
}

#[test]
fn failures_tell_where_they_come_from() {
    let source = "local function inner()\n  error('boom')\nend\nlocal function outer()\n  inner()\n  return 1\nend\nouter()";
    let failure = Bed::default().run(source).failure.expect("a failure");
    assert_eq!((failure.kind, failure.message.as_str()), (FailureKind::Error, "program:2: boom"));
    assert_eq!(failure.location.map(|location| location.line), Some(2));
    assert_eq!(
        failure.traceback.as_deref(),
        Some("  program:2: in function 'inner'\n  program:5: in function 'outer'\n  program:8: in main chunk")
    );
    let source = "local f = coroutine.wrap(function()\n  error({code = 1})\nend)\nf()";
    let failure = Bed::default().run(source).failure.expect("a failure");
    assert_eq!(failure.message, "the program raised a table: {\"code\":1}");
    assert_eq!(failure.traceback.as_deref(), Some("  program:2: in function <program:1>\n  program:4: in main chunk"));
    let source = "local function f(n) if n == 0 then error('deep') end f(n - 1) return 1 end f(1000)";
    let traceback = Bed::default().run(source).failure.and_then(|failure| failure.traceback).expect("a traceback");
    let lines: Vec<&str> = traceback.lines().collect();
    assert_eq!((lines.len(), lines[10], lines[20]), (21, "  ... (982 more)", "  program:1: in main chunk"));
}

#[test]
fn whatever_is_raised_is_shown_and_bounded() {
    check(&[
        ("error('plain', 0)", "error: plain"),
        ("error()", "error: the program raised nil"),
        ("error(false)", "error: the program raised false"),
        ("error(42)", "error: program:1: 42"),
        ("error(42, 0)", "error: 42"),
        ("error(print)", "error: the program raised a function"),
        ("error(coroutine.create(print))", "error: the program raised a thread"),
        ("error({1, 2})", "error: the program raised a table: [1,2]"),
        (
            "error({f = print})",
            "error: the program raised a table that has no json form: value: $.f: a function has no json form; leave it out or make it text",
        ),
        (
            "error(setmetatable({code = 1}, {__tostring = function() print('ran') return 'own words' end}))",
            "error: the program raised a table: {\"code\":1}",
        ),
        ("error('\\255')", "error: program:1: \u{fffd}"),
    ]);
    let long = Bed::default().run("error(('x'):rep(1e6))").failure.expect("a failure");
    assert_eq!(long.message.len(), 2048);
    let wide = Bed::default().run("local t = {} for i = 1, 1e4 do t[i] = i end error(t)").failure.expect("a failure");
    assert_eq!(wide.message.len(), "the program raised a table: ".len() + 1024);
}

#[test]
fn nothing_survives_a_run_of_a_session() {
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    let session = Bed::default().runner().session();
    let run = |source: &str| runtime.block_on(session.run(RunRequest::new(source))).expect("an outcome").output;
    assert_eq!(run("kept, string.own = tool.echo, 1 return 'first'"), "first");
    assert_eq!(run("return tostring(kept), tostring(string.own), tool.echo{}"), "nil\tnil\t{}");
}

#[test]
fn much_output_is_success_and_counted() {
    for source in ["for i = 1, 20 do print(('x'):rep(1e6 - 1)) end", "return ('x'):rep(20e6)"] {
        let outcome = run(&Bed::default().runner(), RunRequest::new(source));
        assert_eq!(
            (outcome.status.as_str(), outcome.output.len(), outcome.usage.output_dropped_bytes),
            ("ok", 8 << 20, 20_000_000 - (8 << 20))
        );
    }
}
