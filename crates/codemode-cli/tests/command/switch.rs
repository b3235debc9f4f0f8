//! `codemode tools enable` and `disable`: edits of settings files, and what is said where they do nothing here.

use serde_json::json;

use crate::process::{Place, Ran};

fn user_settings(place: &Place) -> String {
    std::fs::read_to_string(place.own().join("config/codemode.toml")).expect("there")
}

#[test]
fn a_tool_is_kept_from_programs_and_given_back_and_comments_stay() {
    let place = Place::new();
    place.write_settings("# mine\n[code_mode]\n# small\ndescription_tokens = 900\n");
    let file = place.own().join("config/codemode.toml").display().to_string();
    let ran = place.run(&["tools", "disable", "write_file"]);
    let expected = format!("write_file is disabled for programs in \"{file}\", from the next start of codemode on\n");
    assert_eq!(ran, Ran::quiet(0, &expected));
    let text = user_settings(&place);
    assert!(text.starts_with("# mine\n[code_mode]\n# small\ndescription_tokens = 900\n"), "{text}");
    assert!(text.contains("disabled = [\"write_file\"]"), "{text}");
    assert!(!place.run(&["tools", "list"]).stdout.contains("write_file"));
    let again = place.run(&["tools", "disable", "write_file"]);
    let expected = format!("write_file is disabled for programs already; nothing was changed in \"{file}\"\n");
    assert_eq!(again, Ran::quiet(0, &expected));
    let ran = place.run(&["tools", "enable", "write_file", "--output", "json"]);
    let report = json!({"tool": "write_file", "enabled": true, "surface": "code_mode", "file": file, "changed": true, "disabled": []});
    assert_eq!((ran.code, &*ran.stderr, ran.json()), (Some(0), "", report));
    assert!(place.run(&["tools", "list"]).stdout.contains("write_file"));
}

#[test]
fn direct_calls_have_a_list_of_their_own() {
    let place = Place::new();
    let ran = place.run(&["tools", "disable", "write_file", "--direct", "--output", "json"]);
    assert_eq!(ran.json()["surface"], json!("direct"));
    assert!(place.run(&["tools", "list"]).stdout.contains("write_file"), "programs still have it");
    assert!(user_settings(&place).contains("[tools]"), "{}", user_settings(&place));
}

#[test]
fn a_project_s_list_begins_with_the_user_s_and_stands_in_its_place() {
    let place = Place::new();
    place.run(&["tools", "disable", "write_file"]);
    let ran = place.run(&["tools", "disable", "edit_file", "--scope", "project", "--output", "json"]);
    assert_eq!(ran.json()["disabled"], json!(["write_file", "edit_file"]));
    let ran = place.run(&["tools", "enable", "write_file"]);
    let expected = format!(
        "warning: \"{}\" has a list of its own, which stands in place of yours: with the root \"{}\", write_file stays disabled; \
         change it with --scope project\n",
        place.root().join("codemode.toml").display(),
        place.root().display()
    );
    assert_eq!((ran.code, &*ran.stderr), (Some(0), &*expected));
}

#[test]
fn what_is_disabled_already_needs_no_file_of_the_project() {
    let place = Place::new();
    place.run(&["tools", "disable", "write_file"]);
    let ran = place.run(&["tools", "disable", "write_file", "--scope", "project", "--config", "other.toml"]);
    assert_eq!(ran, Ran::quiet(0, "write_file is disabled for programs already; nothing was changed in \"other.toml\"\n"));
    assert!(!place.root().join("other.toml").exists());
}

#[test]
fn a_file_that_was_trusted_still_is() {
    let place = Place::new();
    let staff = place.server("staff", &[]);
    place.write("codemode.toml", &format!("[servers.staff]\ncommand = \"python3\"\nargs = {}\n", staff["args"]));
    assert_eq!(place.run(&["trust", "--yes"]).code, Some(0));
    let ran = place.run(&["tools", "disable", "staff__echo", "--scope", "project"]);
    let expected = format!("\"{}\" was trusted and still is: its servers are the same\n", place.root().join("codemode.toml").display());
    assert_eq!((ran.code, &*ran.stderr), (Some(0), &*expected));
    let listed = place.run(&["tools", "--tools", "none"]);
    assert_eq!((listed.code, &*listed.stderr, listed.stdout.lines().count()), (Some(0), "", 4), "{listed:?}");
}

#[test]
fn a_name_that_nothing_has_is_kept_with_a_warning() {
    let place = Place::new();
    place.write_settings("[servers.git_hub]\ncommand = \"github\"\n");
    let warned = |name: &str| place.run(&["tools", "disable", name]).stderr;
    assert_eq!(warned("git_hub__create_issue"), "");
    assert_eq!(warned("git_hub.create_issue"), "");
    assert_eq!(warned("execute"), "");
    assert_eq!(warned("github__create_issue"), "warning: no server here is named github; there are git_hub\n");
    assert_eq!(warned("writefile"), "warning: no tool here is named writefile; a server's tools are named SERVER__TOOL\n");
    assert_eq!(
        Place::new().run(&["tools", "disable", "github__x"]).stderr,
        "warning: no server here is named github; none is configured\n"
    );
}
