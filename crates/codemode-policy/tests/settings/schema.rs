//! The published schema: fresh, valid, and of one mind with the loader.

use std::fs;
use std::path::Path;

use codemode_policy::json_schema;
use jsonschema::Validator;
use serde_json::Value;

use crate::desk::Desk;

#[test]
fn the_published_schema_is_fresh() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/codemode.schema.json");
    let published = fs::read_to_string(&path).expect("docs/codemode.schema.json is there");
    let fresh = format!("{:#}\n", json_schema());
    assert_eq!(published, fresh, "docs/codemode.schema.json is stale; run `cargo xtask docs`");
}

fn validator() -> Validator {
    let schema = json_schema();
    jsonschema::meta::validate(&schema).expect("a schema of its draft");
    jsonschema::validator_for(&schema).expect("a schema that compiles")
}

/// Whether the loader and the schema take these settings: both have to say the same.
#[track_caller]
fn check(text: &str, expected: bool) {
    let document: Value = serde_json::to_value(toml::from_str::<toml::Table>(text).expect("TOML")).expect("JSON");
    let loaded = Desk::new().user(text).load();
    assert_eq!((loaded.is_ok(), validator().is_valid(&document)), (expected, expected), "{text}: {loaded:?}");
}

#[test]
fn schema_and_loader_take_the_same() {
    for text in [
        "",
        "[code_mode]\nenabled = true\ncompact_direct_tools = false\nnudges_enabled = true\ndescription_tokens = 100",
        "[code_mode]\ndirect = []\ndisabled = [\"a\"]\ndirect_only = [\"b__c\"]\ndescription_tokens = 100000",
        "[code_mode.limits]\ncompute = \"1.5s\"\nwall = \"2H\"\nmemory_bytes = \"64mib\"\ncalls = 5\nsource = \"7\"\nstate_nodes = \"9\"",
        "[code_mode.limits]\noutput = \".5KB\"\nvalue = 1",
        "[tools]\ndisabled = [\"a\"]\n[results]\nlearn_shapes = false",
        "[servers.\"a b\"]\ncommand = \"x\"\nargs = [\"\"]\nenv = { A = \"\" }\ncwd = \".\"\nenabled = false\ntimeout = \"5ms\"",
        "[servers.x]\nurl = \"http://localhost/\"\nheaders = { A = \"b\" }\nmax_timeout = \"5m\"\nstart_timeout = \"1s\"",
        "[servers.x]\nenabled = false",
    ] {
        check(text, true);
    }
}

#[test]
fn schema_and_loader_refuse_the_same() {
    for text in [
        "zzz = 1",
        "code_mode = 1",
        "code_mode.enabled = 1",
        "code_mode.code_only = true",
        "code_mode.direct = \"a\"",
        "code_mode.disabled = [\"\"]",
        "code_mode.direct_only = [1]",
        "code_mode.description_tokens = 99",
        "code_mode.description_tokens = 100001",
        "code_mode.limits.zzz = 1",
        "code_mode.limits.calls = 0",
        "code_mode.limits.calls = -1",
        "code_mode.limits.calls = \"5x\"",
        "code_mode.limits.compute = 30",
        "code_mode.limits.compute = \"30\"",
        "code_mode.limits.compute = \"1m30s\"",
        "code_mode.limits.value = \"5iB\"",
        "code_mode.limits.value = \"5M\"",
        "tools.zzz = []",
        "results.learn_shapes = \"no\"",
        "servers.x = 1",
        "servers.x.zzz = 1",
        "servers.x.command = \"\"",
        "servers.x.args = [1]",
        "servers.x.env.A = 1",
        "servers.x.timeout = 60",
        "[servers.x]\ncommand = \"x\"\nurl = \"y\"",
        "[servers.x]\ncommand = \"x\"\nheaders = {}",
        "[servers.x]\nurl = \"x\"\nargs = []",
        "[servers.x]\nurl = \"x\"\nenv = {}",
        "[servers.x]\nurl = \"x\"\ncwd = \".\"",
    ] {
        check(text, false);
    }
}

#[test]
fn each_part_says_what_it_is_and_nothing_is_a_boolean_schema() {
    fn walk(schema: &Value, path: &str) {
        let described = schema["description"].as_str().is_some_and(|what| what.ends_with('.'));
        assert!(described, "{path} says what it is");
        for (name, part) in schema["properties"].as_object().into_iter().flatten() {
            assert!(part.is_object(), "{path}.{name}");
            walk(part, &format!("{path}.{name}"));
        }
    }
    walk(&json_schema(), "codemode.toml");
    assert_eq!(json_schema().to_string(), json_schema().to_string());
}

/// The page for people shows settings that hold.
#[test]
fn the_page_about_settings_shows_settings_of_use() {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/settings.md")).expect("docs/settings.md is there");
    let blocks: Vec<&str> = page.split("```toml\n").skip(1).map(|rest| rest.split("```").next().unwrap_or_default()).collect();
    assert!(blocks.len() >= 3, "{} examples", blocks.len());
    for block in blocks {
        check(block, true);
    }
    for range in codemode_core::Profile::script().ceilings.ranges() {
        assert!(page.contains(&format!("`{}`", range.name)), "the page names the limit {}", range.name);
    }
}
