//! The examples that the README names, over workspaces whose counts are known.

use serde_json::{Value, json};

use crate::process::{Place, repository};

/// Runs an example in JSON.
fn example(place: &Place, name: &str) -> Value {
    let program = repository(&format!("examples/{name}"));
    let ran = place.run(&["run", program.to_str().expect("UTF-8"), "--output", "json"]);
    assert_eq!((ran.code, &*ran.stderr), (Some(0), ""), "{ran:?}");
    ran.json()
}

#[test]
fn todo_by_crate_counts_each_line_for_the_innermost_crate() {
    let place = Place::new();
    place.write("Cargo.toml", "[workspace]\nmembers = [\"crates/*\"]\n");
    place.write("crates/one/Cargo.toml", "[package]\nversion = \"1.0.0\"\nname = \"one\"\n");
    place.write("crates/one/src/lib.rs", "// TODO: TODO\nfn f() { g().unwrap(); h().unwrap() }\nlet TODOS = unwrap();\n");
    place.write("crates/one/src/deep/more.rs", "fn f() { x.unwrap() }\n");
    place.write("crates/one/inner/Cargo.toml", "[package]\nname = \"inner\"\n");
    place.write("crates/one/inner/src/lib.rs", "// TODO once\n");
    place.write("crates/two/Cargo.toml", "[package]\nname = \"two\"\n");
    place.write("crates/two/src/lib.rs", "fn f() {}\n");
    place.write("crates/two/notes.md", "TODO in no source\n");
    let expected = "\
crate                    files  TODO  unwrap  most in
one                          2     2       3  crates/one/src/lib.rs (4)
inner                        1     1       0  crates/one/inner/src/lib.rs (1)
1 of 3 crates have none
";
    for (name, value) in [("todo-by-crate.ts", json!({"crates": 3, "todo": 3})), ("todo-by-crate.lua", Value::Null)] {
        let json = example(&place, name);
        assert_eq!((json["output"].as_str(), &json["value"]), (Some(expected), &value), "{name}");
        assert_eq!((&json["calls_omitted"], &json["warnings"]), (&json!(0), &json!([])), "{name}");
        assert_eq!(json["calls"].as_array().map(Vec::len), Some(5), "{name}");
    }
}

#[test]
fn todo_by_crate_says_when_there_is_nothing_to_count() {
    let place = Place::new();
    let json = example(&place, "todo-by-crate.ts");
    assert_eq!((&json["value"], &json["usage"]["calls"]), (&json!("no Cargo.toml in this folder"), &json!(1)));
    let json = example(&place, "todo-by-crate.lua");
    assert_eq!(json["output"], json!(format!("no Cargo.toml beneath {}", place.root().display())));
}

#[test]
fn largest_files_names_three_of_each_kind() {
    let place = Place::new();
    for (path, lines) in [("a.md", 1), ("b/b.md", 3), ("c.md", 3), ("d.md", 2), ("e.rs", 0), ("f.txt", 9)] {
        place.write(path, &"line\n".repeat(lines));
    }
    let json = example(&place, "largest-files.ts");
    assert_eq!(json["value"], json!({"rs": ["e.rs: 0"], "md": ["b/b.md: 3", "c.md: 3", "d.md: 2"]}));
    assert_eq!(json["warnings"], json!([]));
}
