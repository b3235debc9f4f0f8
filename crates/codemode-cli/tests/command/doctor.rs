//! `codemode doctor`: what it looks at, and when it says that programs cannot be run.

use serde_json::Value;

use crate::process::Place;

/// Each finding's level and what it is about.
fn findings(json: &Value) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().expect("text").to_owned();
    let all = json["findings"].as_array().expect("findings");
    all.iter().map(|finding| (text(&finding["level"]), text(&finding["about"]))).collect()
}

#[test]
fn a_sound_machine_is_usable_and_everything_is_looked_at() {
    let place = Place::new();
    let ran = place.run(&["doctor", "--output", "json"]);
    assert_eq!((ran.code, &*ran.stderr), (Some(0), ""), "{}", ran.stdout);
    let json = ran.json();
    assert_eq!(json["usable"], Value::from(true));
    let about: Vec<_> = findings(&json).into_iter().map(|(_, about)| about).collect();
    let expected = [
        "codemode",
        "worker processes",
        "engine luajit",
        "engine luajit, compiler",
        "engine luajit, time bound",
        "engine luajit, memory bound",
        "engine quickjs",
        "engine quickjs, start",
        "engine quickjs, time bound",
        "engine quickjs, memory bound",
        "root",
        "tools",
        "execute",
        "long output",
        "settings",
    ];
    assert_eq!(about, expected);
    // What is tried out for long output is taken away again.
    let left: Vec<_> = std::fs::read_dir(place.temporary())
        .expect("there")
        .flatten()
        .flat_map(|entry| std::fs::read_dir(entry.path()))
        .flatten()
        .collect();
    assert_eq!(left.len(), 0, "{left:?}");
}

#[test]
fn the_compiler_is_on_or_the_advice_says_how_to_have_it_on() {
    let place = Place::new();
    let json = place.run(&["doctor", "--output", "json"]).json();
    let compiler = &json["findings"][3];
    // A builder's own CFLAGS come before the workspace's.
    let advice = match compiler["level"].as_str() {
        Some("ok") => Value::Null,
        _ => Value::from("build with CFLAGS=-DLUAJIT_ENABLE_CHECKHOOK in the environment, as this project's own .cargo/config.toml does"),
    };
    assert_eq!((&compiler["about"], &compiler["advice"]), (&Value::from("engine luajit, compiler"), &advice));
    assert!(compiler["found"].as_str().is_some_and(|found| found.starts_with("LuaJIT 2.1.")), "{compiler}");
}

#[test]
fn a_root_that_is_not_there_makes_it_unusable_and_says_what_to_do() {
    let place = Place::new();
    let ran = place.run(&["doctor", "--root", "none"]);
    assert_eq!((ran.code, &*ran.stderr), (Some(2), ""));
    let lines: Vec<_> = ran.stdout.lines().collect();
    let at = lines.iter().position(|line| line.starts_with("bad")).expect("a bad finding");
    assert_eq!(
        lines[at..at + 2],
        [
            "bad   root: --root \"none\" cannot be opened: No such file or directory (os error 2); name a folder that exists and can be read",
            "      give another --root"
        ]
    );
    assert_eq!(lines.last(), Some(&"programs cannot be run here; mend what is bad"));
}
