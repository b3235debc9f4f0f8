//! The example that the README begins with, over a workspace whose counts are known.

use crate::process::{Place, Ran, repository};

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
    let program = repository("examples/todo-by-crate.lua");
    let ran = place.run(&["run", program.to_str().expect("UTF-8"), "--output", "json"]);
    assert_eq!((ran.code, &*ran.stderr), (Some(0), ""), "{ran:?}");
    let expected = "\
crate                    files  TODO  unwrap  most in
one                          2     2       3  crates/one/src/lib.rs (4)
inner                        1     1       0  crates/one/inner/src/lib.rs (1)
1 of 3 crates have none
";
    let json = ran.json();
    assert_eq!(json["output"].as_str(), Some(expected));
    assert_eq!(json["calls_omitted"], 0);
    assert_eq!(json["calls"].as_array().map(Vec::len), Some(5));
}

#[test]
fn todo_by_crate_says_when_there_is_nothing_to_count() {
    let place = Place::new();
    let program = repository("examples/todo-by-crate.lua");
    let ran = place.run(&["run", program.to_str().expect("UTF-8")]).timeless();
    let expected = format!(
        "run_code ok (1 tool call, _s compute)\n\noutput:\nno Cargo.toml beneath {}\n\ncalls:\n  1 find_files {{\"globs\":[\"Cargo.toml\"]}} -> ok, 79 bytes\n",
        place.root().display()
    );
    assert_eq!(ran, Ran::quiet(0, &expected));
}
