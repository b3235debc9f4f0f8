//! `codemode check`: the front end alone.

use serde_json::json;

use crate::process::{Place, Ran};

#[test]
fn a_program_that_parses_is_ok_and_does_not_run() {
    let place = Place::new();
    place.write("a.lua", "host.write_file('ran', '') error('ran')");
    assert_eq!(place.run(&["check", "a.lua"]), Ran::quiet(0, "check ok: \"a.lua\" parses (script, luajit)\n"));
    assert_eq!(
        place.run_with_input(&["check", "--profile", "script", "-"], b"error('ran')"),
        Ran::quiet(0, "check ok: the program parses (script, luajit)\n")
    );
    assert!(!place.root().join("ran").exists());
    let as_run = place.run(&["check", "a.lua", "--authority", "none", "--namespace", "agent"]);
    assert_eq!(as_run, Ran::quiet(0, "check ok: \"a.lua\" parses (script, luajit)\n"));
    let ran = place.run(&["check", "--profile", "script", "--output", "json", "-e", "return 1"]);
    assert_eq!((ran.code, ran.json()), (Some(0), json!({"status": "ok", "failure": null, "engine": "luajit", "profile": "script"})));
}

#[test]
fn a_program_that_does_not_parse_fails_as_it_would_when_run() {
    let place = Place::new();
    place.write("a.lua", "local x = 1\nreturn x +");
    let checked = place.run(&["check", "--output", "json", "a.lua"]);
    let run = place.run(&["run", "--output", "json", "a.lua"]);
    assert_eq!((checked.code, run.code), (Some(1), Some(1)));
    assert_eq!(checked.json()["failure"], run.json()["failure"]);
    let message = checked.json()["failure"]["message"].as_str().map(str::to_owned).expect("a message");
    let expected = format!("check compile: \"a.lua\" would not run (script, luajit)\n{message}\n");
    assert_eq!(place.run(&["check", "a.lua"]), Ran::quiet(1, &expected));
}
