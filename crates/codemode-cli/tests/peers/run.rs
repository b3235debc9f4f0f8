//! `codemode run` and `codemode tools` over real servers.

use std::fs;

use serde_json::{Value, json};

use crate::place::{Place, peers};

/// The data of a server from npm and of one from PyPI, joined by one program, comes back as one result.
#[test]
fn a_program_joins_the_data_of_two_servers() {
    let place = Place::new();
    let graph = [("engine.rs", "ada"), ("parser.rs", "grace"), ("fuzz.rs", "tim")]
        .map(|(name, owner)| json!({"type": "entity", "name": name, "entityType": "file", "observations": [owner]}).to_string());
    place.write("graph", &graph.join("\n"));
    let memory = json!({
        "command": peers().join("node_modules/.bin/mcp-server-memory"),
        "env": {"MEMORY_FILE_PATH": place.root().join("graph")},
    });
    place.write("memory.json", &json!({"servers": {"memory": memory}}).to_string());
    place.write(
        "join.ts",
        r#"
const [{ entities }, { result: people }] = await Promise.all([tools.memory.read_graph({}), tools.team.list_people({})])
const team = (name: string) => people.find((person: { name: string }) => person.name === name).team
entities.map((file: { name: string, observations: string[] }) => `${file.name}: ${team(file.observations[0])}`)
"#,
    );
    let arguments =
        ["run", "join.ts", "--tools", "none", "--mcp-config", "servers.json", "--mcp-config", "memory.json", "--output", "json"];
    let output = place.codemode(&arguments).output().expect("started");
    let outcome: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"));
    let calls: Vec<(&Value, &Value)> =
        outcome["calls"].as_array().expect("a list").iter().map(|call| (&call["tool"], &call["status"])).collect();
    assert_eq!(
        (&outcome["status"], &outcome["value"], &outcome["effects"], output.status.code()),
        (&json!("ok"), &json!(["engine.rs: engines", "parser.rs: compilers", "fuzz.rs: engines"]), &json!("none"), Some(0)),
        "{output:?}"
    );
    assert_eq!(calls, [(&json!("memory__read_graph"), &json!("ok")), (&json!("team__list_people"), &json!("ok"))]);
}

/// One that cannot be started and one whose variable is not set: each is told, and neither is in the way of the others.
#[test]
fn a_server_that_is_not_there_is_a_warning_and_the_others_work() {
    let place = Place::new();
    let servers = fs::read_to_string(place.root().join("servers.json")).expect("there");
    let mut servers: Value = serde_json::from_str(&servers).expect("JSON");
    servers["mcpServers"]["gone"] = json!({"command": "no-such-server"});
    servers["mcpServers"]["unset"] = json!({"command": "${NOT_SET_ANYWHERE}"});
    place.write("servers.json", &servers.to_string());
    let program = "let failed; try { await tools.call('gone__x', {}) } catch (error) { failed = error.code }\nreturn [failed, await tools.team.say({ text: 'here' })]";
    let arguments = ["run", "-e", program, "--tools", "none", "--mcp-config", "servers.json", "--output", "json"];
    let output = place.codemode(&arguments).output().expect("started");
    let outcome: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"));
    assert_eq!((&outcome["status"], &outcome["value"][1]), (&json!("ok"), &json!("here")), "{output:?}");
    assert_eq!(outcome["value"][0], json!("unavailable"), "{output:?}");
    let said = String::from_utf8(output.stderr).expect("UTF-8");
    let unset = said.lines().filter(|line| line.contains("NOT_SET_ANYWHERE")).count();
    assert_eq!(unset, 1, "{said}");
}

/// Every tool of every server, by its whole name.
#[test]
fn tools_of_all_servers_are_listed() {
    let place = Place::new();
    let arguments = ["tools", "search", "sum of two", "--tools", "none", "--mcp-config", "servers.json"];
    let output = place.codemode(&arguments).output().expect("started");
    let said = String::from_utf8(output.stdout).expect("UTF-8");
    assert_eq!(output.status.code(), Some(0), "{said}");
    for name in ["team__add", "everything__get-sum"] {
        assert_eq!(said.lines().filter(|line| line.contains(name)).count(), 1, "{said}");
    }
}
