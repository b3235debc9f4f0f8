//! `codemode tools`: lists, searches, descriptions and signatures of what a program can call.

use serde_json::Value;

use crate::process::{Place, Ran};

fn names(ran: &Ran) -> Vec<String> {
    assert_eq!((ran.code, &*ran.stderr), (Some(0), ""));
    ran.stdout.lines().map(|line| line.split('{').next().unwrap_or_default().to_owned()).collect()
}

#[test]
fn tools_are_listed_by_name_with_their_parameters() {
    let place = Place::new();
    let files = ["edit_file", "find_files", "list_files", "read_file", "read_files", "search_files", "write_file"];
    let listed = place.run(&["tools", "list"]);
    assert_eq!(names(&listed), files);
    assert_eq!(place.run(&["tools"]), listed);
    assert_eq!(listed.stdout.lines().nth(3), Some("read_file{path: string, start_line?: integer, end_line?: integer, lossy?: boolean}"));
    let with_execute = place.run(&["tools", "--tools", "workspace,execute", "list"]);
    assert_eq!(names(&with_execute), [&["edit_file", "execute"], &files[1..]].concat());
    assert_eq!(
        place.run(&["tools", "list", "--tools", "none"]),
        Ran::quiet(0, "[no tools; --tools workspace brings those for files, --mcp-config FILE those of MCP servers]\n")
    );
    let json = place.run(&["tools", "list", "--output", "json"]).json();
    let named: Vec<_> = json.as_array().expect("a list").iter().filter_map(|tool| tool["name"].as_str()).collect();
    assert_eq!(named, files);
    assert_eq!(place.run(&["tools", "--output", "json"]).json(), json);
    assert_eq!(place.run(&["tools", "--output", "json", "list"]).json(), json);
}

#[test]
fn a_search_gives_the_best_first() {
    let place = Place::new();
    let found = names(&place.run(&["tools", "search", "regular", "expression"]));
    assert_eq!(found.first().map(String::as_str), Some("search_files"));
    let none = place.run(&["tools", "search", "xyzzy"]);
    assert_eq!(none, Ran::quiet(0, "[no tool has any of these words; `codemode tools list` shows all]\n"));
    assert_eq!(place.run(&["tools", "search", "xyzzy", "--output", "json"]), Ran::quiet(0, "[]\n"));
}

#[test]
fn a_description_says_what_a_tool_takes_and_gives() {
    let place = Place::new();
    let text = place.run(&["tools", "describe", "list_files"]);
    assert_eq!((text.code, &*text.stderr), (Some(0), ""));
    let mut lines = text.stdout.lines();
    assert_eq!(lines.next(), Some("list_files{path?: string, limit?: integer, offset?: integer}"));
    assert_eq!(lines.next(), Some("List a folder; changes nothing, may overlap with other calls"));
    let json = place.run(&["tools", "describe", "list_files", "--output", "json"]).json();
    let keys: Vec<_> = json.as_object().expect("an object").keys().map(String::as_str).collect();
    assert_eq!(keys, ["name", "title", "description", "signature", "annotations", "parameters", "output"]);
    assert_eq!(json.pointer("/parameters/type"), Some(&Value::from("object")));
    let expected = "error: there is no tool \"readfile\"; did you mean \"read_file\" or \"read_files\" or \"search_files\"? \
                    `codemode tools list` lists what there is\n";
    let unknown = place.run(&["tools", "describe", "readfile"]);
    assert_eq!(unknown, Ran { code: Some(2), stdout: String::new(), stderr: expected.to_owned() });
}

#[test]
fn signatures_are_lua_that_parses_and_names_each_tool() {
    let place = Place::new();
    let signatures = place.run(&["tools", "signatures", "--language", "lua", "--tools", "workspace,execute"]);
    assert_eq!((signatures.code, &*signatures.stderr), (Some(0), ""));
    assert_eq!(signatures.stdout.lines().next(), Some("---@meta"));
    let functions: Vec<_> = signatures.stdout.lines().filter(|line| line.starts_with("function tool.")).collect();
    let listed = names(&place.run(&["tools", "list", "--tools", "workspace,execute"]));
    assert_eq!(functions, listed.iter().map(|name| format!("function tool.{name}(input) end")).collect::<Vec<_>>());
    let checked = place.run_with_input(&["check", "--profile", "script", "-"], signatures.stdout.as_bytes());
    assert_eq!(checked.code, Some(0), "{checked:?}");
}

#[test]
fn signatures_have_what_a_program_has_besides_its_tools() {
    let place = Place::new();
    let shown = place.run(&["tools", "signatures", "--language", "lua", "--tools", "none"]);
    insta::assert_snapshot!("signatures", shown.stdout);
    // Each program tells what it really has; a difference either way is a mistake in the annotations.
    let program = "local names = {} for name in pairs(agent) do names[#names + 1] = name end table.sort(names)
                   return table.concat(names, ' ') .. ' ' .. type(args) .. ' ' .. type(cwd)";
    for authority in ["local", "none"] {
        let surface = ["--namespace", "agent", "--authority", authority];
        let ran = place.run(&[&["run", "--profile", "script", "--output", "json", "-e", program], &surface[..]].concat());
        let signatures = place.run(&[&["tools", "signatures", "--profile", "script", "--tools", "none"], &surface[..]].concat());
        assert_eq!((signatures.code, &*signatures.stderr), (Some(0), ""));
        let has = |global: &str| signatures.stdout.lines().any(|line| line == global);
        let mut named: Vec<_> = signatures
            .stdout
            .lines()
            .filter_map(|line| {
                let function = line.strip_prefix("function agent.").and_then(|rest| rest.split_once('('));
                function.map(|(name, _)| name).or_else(|| field_of(&signatures.stdout, "agent", line))
            })
            .collect();
        named.sort_unstable();
        assert_eq!(ran.json()["output"], Value::from(format!("{} table string", named.join(" "))), "{authority}");
        assert!(has("args = {}") && has("cwd = \"\"") && has("agent = {}"), "{signatures:?}");
    }
}

#[test]
fn declarations_name_what_each_javascript_program_has() {
    let place = Place::new();
    for (profile, object, more) in
        [("program", "tools", &[][..]), ("batch", "tools", &["--intent", "look"][..]), ("cell", "agent", &["--namespace", "agent"][..])]
    {
        let surface = if profile == "cell" { more } else { &[] };
        let declared = place.run(&[&["tools", "signatures", "--profile", profile], surface].concat());
        assert_eq!((declared.code, &*declared.stderr), (Some(0), ""));
        // A member stands two blanks in; an overload of `call` for one tool is no member of its own.
        let mut members: Vec<&str> = declared
            .stdout
            .split_once(&format!("declare const {object}: {{\n"))
            .and_then(|(_, rest)| rest.split_once("\n};\n"))
            .expect("a declaration")
            .0
            .lines()
            .filter(|line| line.starts_with("  ") && line.as_bytes()[2].is_ascii_alphabetic())
            .map(|line| line.trim_start().trim_start_matches("readonly ").split([':', '(']).next().unwrap_or_default())
            .collect();
        members.sort_unstable();
        members.dedup();
        let program = format!("return Object.keys({object}).sort().join(' ')");
        let ran = place.run(&[&["run", "--profile", profile, "--output", "json", "-e", &program], more].concat());
        assert_eq!(ran.json()["value"], Value::from(members.join(" ")), "{profile}: {ran:?}");
    }
}

#[test]
fn declarations_of_the_workspace_tools() {
    let place = Place::new();
    insta::assert_snapshot!("declarations", place.run(&["tools", "signatures", "--tools", "workspace,execute"]).stdout);
    let default = place.run(&["tools", "signatures"]);
    for arguments in [&["--language", "ts"][..], &["--profile", "program"], &["--profile", "program", "--language", "ts"]] {
        assert_eq!(place.run(&[&["tools", "signatures"], arguments].concat()), default, "{arguments:?}");
    }
}

/// The name of the field that a line declares, where it stands in the declaration of this class.
fn field_of<'a>(text: &'a str, class: &str, line: &'a str) -> Option<&'a str> {
    let declaration = text.split_once(&format!("---@class {class}\n"))?.1.split("\n\n").next()?;
    let name = line.strip_prefix("---@field ")?.split(' ').next()?;
    declaration.lines().any(|there| there == line).then_some(name)
}
