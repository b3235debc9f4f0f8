//! Programs over MCP servers: what each command makes of a client's configuration, and what a user sees where one is wrong.

use std::fs;
use std::io::Read as _;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::process::{Place, Ran};

/// A program over the servers of `servers.json`.
fn run(place: &Place, program: &str, more: &[&str]) -> Ran {
    place.run(&[&["run", "--mcp-config", "servers.json", "--output", "json", "-e", program], more].concat())
}

/// A place with two servers, each of which knows half of the people.
fn two() -> Place {
    let place = Place::new();
    place.write_servers("servers.json", json!({"staff": place.server("staff", &[]), "rooms": place.server("rooms", &[])}));
    place
}

fn names(ran: &Ran) -> Vec<String> {
    assert_eq!(ran.code, Some(0), "{ran:?}");
    ran.stdout.lines().map(|line| line.split('{').next().unwrap_or_default().to_owned()).collect()
}

#[test]
fn a_program_joins_what_two_servers_know() {
    let place = two();
    let program = "
        const [staff, rooms] = await Promise.all([tools.staff__people({}), tools.rooms.people({})])
        const room = new Map(rooms.people.map(({ id, room }) => [id, room]))
        return staff.people.map(({ id, name }) => `${name} in ${room.get(id)}`)";
    let ran = run(&place, program, &[]);
    assert_eq!((ran.code, &*ran.stderr), (Some(0), ""), "{ran:?}");
    let json = ran.json();
    assert_eq!(json["value"], json!(["Ada in A1", "Grace in B2"]));
    let mut calls: Vec<_> =
        json["calls"].as_array().expect("calls").iter().map(|call| (call["tool"].clone(), call["status"].clone())).collect();
    calls.sort_by_key(|(tool, _)| tool.to_string());
    assert_eq!(calls, [(json!("rooms__people"), json!("ok")), (json!("staff__people"), json!("ok"))]);
    assert_eq!((&json["effects"], &json["warnings"]), (&json!("none"), &json!([])));
}

#[test]
fn servers_and_files_are_one_catalog() {
    let place = two();
    place.write("a.txt", "words");
    let ran = run(&place, "return tools.staff.echo({ text: (await tools.read_file({ path: 'a.txt' })).content ?? 'none' })", &[]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let listed = place.run(&["tools", "list", "--mcp-config", "servers.json"]);
    let own = |server: &str| ["die", "echo", "people", "variable", "wait"].map(|tool| format!("{server}__{tool}"));
    let files = ["edit_file", "find_files", "list_files", "read_file", "read_files"].map(str::to_owned);
    let rest = ["search_files"].map(str::to_owned);
    let expected = [&files[..], &own("rooms"), &rest, &own("staff"), &["write_file".to_owned()]].concat();
    assert_eq!((names(&listed), &*listed.stderr), (expected, ""));
    let alone = place.run(&["tools", "--mcp-config", "servers.json", "--tools", "none"]);
    assert_eq!(names(&alone), [own("rooms"), own("staff")].concat());
}

#[test]
fn tools_of_servers_are_searched_described_and_declared() {
    let place = two();
    let arguments = |words: &[&'static str]| [&["tools"], words, &["--mcp-config", "servers.json"]].concat();
    let found = place.run(&arguments(&["search", "staff", "people"]));
    assert_eq!(names(&found).first().map(String::as_str), Some("staff__people"));
    let described = place.run(&arguments(&["describe", "staff__echo"]));
    let lines: Vec<_> = described.stdout.lines().take(4).collect();
    assert_eq!(lines, ["staff__echo{text: string}", "changes nothing, may overlap with other calls", "", "Give the text back from staff."]);
    let declared = place.run(&arguments(&["signatures"]));
    assert_eq!(declared.code, Some(0));
    assert!(declared.stdout.lines().any(|line| line == "  readonly staff: {"), "{}", declared.stdout);
    let unknown = place.run(&arguments(&["describe", "staff__ech"]));
    assert_eq!((unknown.code, &*unknown.stdout), (Some(2), ""));
    assert!(unknown.stderr.starts_with("error: there is no tool \"staff__ech\"; did you mean \"staff__echo\""), "{unknown:?}");
}

#[test]
fn variables_are_filled_in_and_one_that_is_not_set_costs_that_server_alone() {
    let place = Place::new();
    let mut staff = place.server("staff", &[]);
    staff["env"] = json!({"SECRET": "${GIVEN}", "KIND": "${NOT_GIVEN:-plain}"});
    let mut rooms = place.server("rooms", &[]);
    rooms["env"] = json!({"TOKEN": "${NOT_GIVEN}"});
    place.write_servers("servers.json", json!({"staff": staff, "rooms": rooms}));
    let program = "return [await tools.staff.variable({name: 'SECRET'}), await tools.staff.variable({name: 'KIND'})]";
    let mut command = place.command(&["run", "--mcp-config", "servers.json", "--output", "json", "-e", program]);
    let ran = Ran::of(command.env("GIVEN", "s3cret").env_remove("NOT_GIVEN").output().expect("started"));
    assert_eq!((ran.code, &ran.json()["value"]), (Some(0), &json!(["s3cret", "plain"])), "{ran:?}");
    let lines: Vec<_> = ran.stderr.lines().collect();
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert!(lines[0].starts_with("warning: ") && lines[0].contains("rooms") && lines[0].contains("NOT_GIVEN"), "{lines:?}");
}

#[test]
fn a_server_that_does_not_start_costs_nothing_but_itself() {
    let place = Place::new();
    let gone = place.server("gone", &["--die", "the disk is full"]);
    let missing = json!({"command": "no-such-program-anywhere"});
    place.write_servers("servers.json", json!({"staff": place.server("staff", &[]), "gone": gone, "missing": missing}));
    let ran = run(&place, "return (await tools.staff.people({})).people.length", &[]);
    assert_eq!((ran.code, &ran.json()["value"]), (Some(0), &json!(2)), "{ran:?}");
    assert_eq!(ran.json()["warnings"], json!([]), "the program touched neither");
    let touched = run(&place, "try { await tools.gone.echo({text: 'x'}); return 'there' } catch (error) { return error.message }", &[]);
    let json = touched.json();
    assert!(json["warnings"].as_array().is_some_and(|warnings| warnings.len() == 1), "{json}");
    assert!(json["warnings"][0].as_str().is_some_and(|warning| warning.contains("gone") && warning.contains("the disk is full")), "{json}");
    let listed = place.run(&["tools", "--tools", "none", "--mcp-config", "servers.json"]);
    assert_eq!(names(&listed).len(), 5);
    let warned: Vec<_> = listed.stderr.lines().collect();
    assert_eq!(warned.len(), 2, "{warned:?}");
    assert!(warned[0].starts_with("warning: ") && warned[0].contains("gone") && warned[0].contains("the disk is full"), "{warned:?}");
    assert!(warned[1].starts_with("warning: ") && warned[1].contains("missing"), "{warned:?}");
}

#[test]
fn a_server_that_dies_in_a_call_leaves_it_unknown() {
    let place = two();
    let program = "try { await tools.staff.die({}); return 'went on' } catch (error) { return error.code }";
    let json = run(&place, program, &[]).json();
    assert_eq!(json["value"], json!("outcome_unknown"));
    assert_eq!((&json["calls"][0]["tool"], &json["calls"][0]["status"]), (&json!("staff__die"), &json!("unknown")));
    assert_eq!(json["effects"], json!("some"));
}

#[test]
fn an_interrupt_while_a_server_starts_ends_the_run_and_the_server() {
    let place = Place::new();
    let gate = place.pipe("gate");
    let program = "await tools.slow.echo({text: 'x'})";
    for arguments in [&["run", "--output", "json", "-e", program][..], &["tools", "list"], &["doctor"]] {
        let started = format!("started-{}", arguments[0]);
        let mut server = place.life(&started);
        let options = ["--started", &started, "--gate", &gate.to_string_lossy(), "--stubborn"];
        place.write_servers("servers.json", json!({"slow": place.server("slow", &options)}));
        let child = place.start(&mut place.command(&[arguments, &["--mcp-config", "servers.json"]].concat()));
        server.wait();
        let command = Pid::from_raw(i32::try_from(child.id()).expect("a process id")).expect("not zero");
        kill_process(command, Signal::INT).expect("still there");
        let ran = Ran::of(child.wait_with_output().expect("ended"));
        assert_eq!(ran.code, Some(130), "{arguments:?}: {ran:?}");
        server.wait_for_end();
        if arguments[0] == "run" {
            assert_eq!(ran.json()["status"], json!("interrupted"));
        } else {
            assert_eq!((&*ran.stdout, &*ran.stderr), ("", ""), "{arguments:?}");
        }
    }
}

#[test]
fn servers_that_are_waited_for_are_named() {
    let place = Place::new();
    let gate = place.pipe("gate");
    place.write_servers("servers.json", json!({"slow": place.server("slow", &["--gate", &gate.to_string_lossy()])}));
    let arguments = ["tools", "--tools", "none", "--mcp-config", "servers.json", "--progress", "always"];
    let mut child = place.start(&mut place.command(&arguments));
    let mut stderr = child.stderr.take().expect("piped");
    let mut seen = String::new();
    let mut byte = [0];
    while !seen.ends_with("waiting for 1 server: slow") {
        stderr.read_exact(&mut byte).expect("a line that names the server");
        seen.push(char::from(byte[0]));
    }
    fs::write(gate, "x").expect("the server waits for it");
    let ran = Ran::of(child.wait_with_output().expect("ended"));
    assert_eq!(names(&ran).len(), 5);
}

#[test]
fn settings_bring_servers_and_limits_and_keep_tools_from_programs() {
    let place = Place::new();
    let staff = place.server("staff", &[]);
    place.write_settings(&format!(
        "[code_mode]\ndisabled = [\"staff__echo\", \"write_file\"]\n[code_mode.limits]\ncalls = 1\n[servers.staff]\ncommand = \"python3\"\nargs = {}\n",
        staff["args"]
    ));
    let listed = place.run(&["tools"]);
    assert!(!names(&listed).iter().any(|name| name == "staff__echo" || name == "write_file"), "{listed:?}");
    assert!(names(&listed).iter().any(|name| name == "staff__people"), "{listed:?}");
    let ran = place.run(&["run", "--output", "json", "-e", "return tools.staff.echo({text: 'x'})"]);
    assert_eq!((ran.code, &ran.json()["status"]), (Some(1), &json!("error")), "{ran:?}");
    let twice = "await tools.staff.people({}); await tools.staff.people({})";
    assert_eq!(place.run(&["run", "--output", "json", "-e", twice]).json()["status"], json!("calls"));
    assert_eq!(place.run(&["run", "--output", "json", "--calls", "2", "-e", twice]).json()["status"], json!("ok"));
    let other = place.run(&[
        "run",
        "--config",
        "/dev/null",
        "--output",
        "json",
        "-e",
        "return tools.list().some(({name}) => name === 'staff__people')",
    ]);
    assert_eq!(other.json()["value"], json!(true), "what the user set holds with another project's settings");
}

#[test]
fn doctor_starts_each_server_and_says_how_it_does() {
    let place = two();
    let gone = place.server("gone", &["--die", "the disk is full"]);
    let mut unset = place.server("unset", &[]);
    unset["args"] = json!(["${NOT_GIVEN_ANYWHERE}"]);
    place.write_servers("more.json", json!({"gone": gone, "unset": unset}));
    place.write_servers(".mcp.json", json!({"project": place.server("project", &[])}));
    let ran = place.run(&["doctor", "--output", "json", "--mcp-config", "servers.json", "--mcp-config", "more.json"]);
    assert_eq!((ran.code, &*ran.stderr), (Some(0), ""), "{ran:?}");
    let json = ran.json();
    let of = |about: &str| -> Vec<(String, String)> {
        let all = json["findings"].as_array().expect("findings").iter();
        let fitting = all.filter(|finding| finding["about"] == about);
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        fitting.map(|finding| (text(&finding["level"]), text(&finding["found"]))).collect()
    };
    let [(level, found)] = &of("server staff")[..] else { panic!("{json}") };
    assert_eq!(level, "ok");
    assert!(found.starts_with("staff-server 1.2.3, protocol 20") && found.contains(", 5 tools, there after "), "{found}");
    assert!(found.ends_with(", its tools are named staff__…"), "{found}");
    let [(level, found)] = &of("server gone")[..] else { panic!("{json}") };
    assert_eq!(level, "note");
    assert!(found.starts_with("does not start: ") && found.contains("the disk is full"), "{found}");
    let [(level, found)] = &of("configuration")[..] else { panic!("{json}") };
    assert_eq!(level, "note");
    assert!(found.contains("unset") && found.contains("NOT_GIVEN_ANYWHERE"), "{found}");
    let [(level, found)] = &of("other servers")[..] else { panic!("{json}") };
    assert_eq!((&**level, &**found), ("ok", &*format!("\"{}\" is here and not used", place.root().join(".mcp.json").display())));
}

#[test]
fn doctor_says_what_is_wrong_with_a_file() {
    let place = Place::new();
    place.write("codemode.toml", "[code_mode]\ndisabeld = []\n");
    let ran = place.run(&["doctor", "--output", "json"]);
    assert_eq!((ran.code, &*ran.stderr), (Some(2), ""));
    let json = ran.json();
    let bad: Vec<_> = json["findings"].as_array().expect("findings").iter().filter(|finding| finding["level"] == "bad").collect();
    assert_eq!(bad.len(), 1, "{json}");
    assert_eq!(bad[0]["about"], "settings");
    let found = bad[0]["found"].as_str().expect("text");
    assert!(found.contains("codemode.toml:2: ") && found.contains("disabled"), "{found}");
}

#[test]
fn the_schema_of_the_settings_is_json() {
    let ran = Place::new().run(&["doctor", "--settings-schema"]);
    assert_eq!((ran.code, &*ran.stderr), (Some(0), ""));
    let schema: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    let keys: Vec<_> = schema["properties"].as_object().expect("properties").keys().map(String::as_str).collect();
    assert_eq!(keys, ["code_mode", "tools", "servers", "results"]);
}
