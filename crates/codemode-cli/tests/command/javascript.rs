//! `codemode run` and `check` with JavaScript and TypeScript: from everywhere, under each profile.

use serde_json::{Value, json};

use crate::process::{Place, Ran};

#[test]
fn a_program_comes_from_the_command_line_a_file_or_standard_input() {
    let place = Place::new();
    let expected = Ran::quiet(0, "run_code ok (0 tool calls, _s compute)\n\nvalue:\n\"hello\"\n");
    let program = "return 'hello'";
    assert_eq!(place.run(&["run", "-e", program]).timeless(), expected);
    for name in ["a.js", "a.mjs", "a.cjs", "a.ts", "a.mts", "a.cts", "without-ending"] {
        place.write(name, program);
        assert_eq!(place.run(&["run", name]).timeless(), expected, "{name}");
    }
    assert_eq!(place.run_with_input(&["run", "-"], program.as_bytes()).timeless(), expected);
}

#[test]
fn a_typescript_program_calls_tools_at_once_and_gives_back_a_value() {
    let place = Place::new();
    place.write("a.txt", "one\ntwo\n");
    place.write("b.txt", "three\n");
    place.write(
        "count.ts",
        "type Size = { path: string; lines: number }
const { files } = await tools.find_files({ globs: ['*.txt'] })
const sizes: Size[] = await Promise.all(files.map(async (path: string): Promise<Size> => {
  const text: string = await tools.read_file({ path })
  return { path, lines: text.split('\\n').length - 1 }
}))
console.log('read', sizes.length)
sizes
",
    );
    let ran = place.run(&["run", "count.ts"]).timeless();
    let expected = "run_code ok (3 tool calls, _s compute)

value:
[{\"path\":\"a.txt\",\"lines\":2},{\"path\":\"b.txt\",\"lines\":1}]

output:
read 2

calls:
  1 find_files {\"globs\":[\"*.txt\"]} -> ok, 94 bytes
  2 read_file {\"path\":\"a.txt\"} -> ok, 8 bytes
  3 read_file {\"path\":\"b.txt\"} -> ok, 6 bytes
";
    assert_eq!(ran, Ran::quiet(0, expected));
}

#[test]
fn json_says_which_engine_and_profile_ran_it() {
    let place = Place::new();
    let shown = |arguments: &[&str]| {
        let ran = place.run(&[&["run", "--output", "json"], arguments].concat());
        assert_eq!((ran.code, &*ran.stderr), (Some(0), ""), "{ran:?}");
        let json = ran.json();
        ["value", "engine", "profile", "intent", "state_committed"].map(|key| json[key].clone())
    };
    let expected =
        |value: Value, profile: &str, intent: Value, committed: Value| [value, json!("quickjs"), json!(profile), intent, committed];
    assert_eq!(shown(&["-e", "1 + 1"]), expected(json!(2), "program", Value::Null, Value::Null));
    assert_eq!(
        shown(&["--profile", "batch", "--intent", "look", "-e", "return tools.call('list_files', {}).success"]),
        expected(json!(true), "batch", json!("look"), Value::Null)
    );
    assert_eq!(
        shown(&["--profile", "cell", "--intent", "look", "-e", "state.n = 1; return (await host.list_files({})).total"]),
        expected(json!(0), "cell", json!("look"), json!(true))
    );
    assert_eq!(shown(&["--engine", "quickjs", "-e", "return null"]), expected(Value::Null, "program", Value::Null, Value::Null));
}

#[test]
fn the_exit_code_tells_how_a_program_failed() {
    let place = Place::new();
    let status = |program: &str, more: &[&str]| {
        let ran = place.run(&[&["run", "--output", "json", "-e", program], more].concat());
        assert_eq!(ran.stderr, "");
        (ran.code, ran.json()["status"].as_str().map(str::to_owned))
    };
    let expected = |code: i32, status: &str| (Some(code), Some(status.to_owned()));
    assert_eq!(status("return 1", &[]), expected(0, "ok"));
    assert_eq!(status("return 1 +", &[]), expected(1, "compile"));
    assert_eq!(status("print('this is Lua') local x = 1", &[]), expected(1, "compile"));
    assert_eq!(status("throw new Error('no')", &[]), expected(1, "error"));
    assert_eq!(status("await tools.read_file({path: '../secret'})", &[]), expected(1, "denied"));
    assert_eq!(status("while (true);", &["--compute", "50ms"]), expected(1, "time"));
    assert_eq!(
        status("const held = []; while (true) held.push('x'.repeat(999) + held.length)", &["--memory", "4MiB"]),
        expected(1, "memory")
    );
    assert_eq!(status("for (let i = 0; i < 3; i++) await tools.list_files({})", &["--calls", "2"]), expected(1, "calls"));
    assert_eq!(status("await tools.find_files({})", &["--call-result", "1B"]), expected(1, "results"));
    assert_eq!(status("return 'x'.repeat(100)", &["--value", "50"]), expected(1, "results"));
    assert_eq!(status("return 1", &["--source", "4"]), expected(1, "compile"));
    assert_eq!(status("state.a = [1, 2, 3]", &["--profile", "cell", "--state-nodes", "3"]), expected(1, "results"));
}

#[test]
fn arguments_are_checked_before_a_call_is_made() {
    let place = Place::new();
    let ran = place.run(&["run", "--output", "json", "-e", "await tools.read_file({pth: 'a'})"]);
    let json = ran.json();
    assert_eq!((ran.code, &json["status"], &json["calls"]), (Some(1), &json!("error"), &json!([])));
    let fix = "read_file takes {path: string, start_line?: integer, end_line?: integer, lossy?: boolean}";
    assert_eq!(json.pointer("/failure/fix"), Some(&json!(fix)));
}

#[test]
fn a_program_that_fails_for_want_of_execute_is_told_what_brings_it() {
    let place = Place::new();
    let ran = place.run(&["run", "--output", "json", "-e", "await tools.execute({command: 'true'})"]);
    assert_eq!((ran.code, &*ran.stderr), (Some(1), ""));
    assert_eq!(ran.json()["failure"]["fix"], json!("run it again with the tool execute; it comes with --tools workspace,execute"));
}

#[test]
fn check_reads_a_program_with_the_front_end_that_would_run_it() {
    let place = Place::new();
    place.write("a.ts", "const path: string = 'ran'\nawait tools.write_file({ path, content: '' })");
    assert_eq!(place.run(&["check", "a.ts"]), Ran::quiet(0, "check ok: \"a.ts\" parses (program, quickjs)\n"));
    assert!(!place.root().join("ran").exists());
    assert_eq!(
        place.run(&["check", "--profile", "batch", "-e", "return 1"]),
        Ran::quiet(0, "check ok: the program parses (batch, quickjs)\n")
    );
    for program in ["const x = 1\nreturn x +", "enum Colour { Red }\nreturn Colour.Red", "ls -la", "{\"a\": 1}"] {
        place.write("b.ts", program);
        let checked = place.run(&["check", "--output", "json", "b.ts"]);
        let run = place.run(&["run", "--output", "json", "b.ts"]);
        assert_eq!((checked.code, run.code), (Some(1), Some(1)), "{program}");
        assert_eq!(checked.json()["failure"], run.json()["failure"], "{program}");
        assert_eq!(checked.json()["status"], json!("compile"), "{program}");
    }
}

#[test]
fn lua_that_was_taken_for_javascript_is_told_how_to_run() {
    let place = Place::new();
    let fix = |arguments: &[&str]| {
        let ran = place.run(arguments);
        assert_eq!((ran.code, &*ran.stderr), (Some(1), ""));
        ran.json()["failure"]["fix"].clone()
    };
    let lua = "print(tool.read_file{path = 'a.txt'})";
    let expected = json!("it parses as Lua: run it with --profile script, or name its file .lua");
    assert_eq!(fix(&["run", "--output", "json", "-e", lua]), expected);
    assert_eq!(fix(&["check", "--output", "json", "-e", lua]), expected);
    assert_ne!(fix(&["run", "--output", "json", "--profile", "program", "-e", lua]), expected);
    assert_ne!(fix(&["run", "--output", "json", "-e", "return 1 +"]), expected);
}
