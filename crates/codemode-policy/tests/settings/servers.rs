//! Servers: what is said about one, how two files go together, and what waits for trust.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use codemode_policy::{ServerChange, ServerSettings, Waiting, changes_in, servers_in};

use crate::desk::{Desk, names};

fn texts(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
    pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

#[test]
fn every_key_of_a_server_is_read() {
    let desk = Desk::new().user(
        r#"
        [servers.files]
        command = "npx"
        args = ["-y", "${PACKAGE:-files}", ""]
        env = { TOKEN = "${TOKEN}", EMPTY = "" }
        cwd = "sub/folder"
        enabled = true
        timeout = "60s"
        max_timeout = "10m"
        start_timeout = "1.5s"
        [servers."my server"]
        url = "https://${HOST}/mcp"
        headers.Authorization = "Bearer ${TOKEN}"
        enabled = false
        "#,
    );
    let files = ServerSettings {
        command: Some("npx".to_owned()),
        args: names(&["-y", "${PACKAGE:-files}", ""]),
        env: texts(&[("TOKEN", "${TOKEN}"), ("EMPTY", "")]),
        cwd: Some(desk.path().join("user/sub/folder")),
        enabled: Some(true),
        timeout: Some(Duration::from_secs(60)),
        max_timeout: Some(Duration::from_secs(600)),
        start_timeout: Some(Duration::from_millis(1_500)),
        file: desk.user_file(),
        ..ServerSettings::default()
    };
    let mine = ServerSettings {
        url: Some("https://${HOST}/mcp".to_owned()),
        headers: texts(&[("Authorization", "Bearer ${TOKEN}")]),
        enabled: Some(false),
        file: desk.user_file(),
        ..ServerSettings::default()
    };
    let loaded = desk.loaded();
    assert_eq!((files.is_enabled(), mine.is_enabled()), (true, false));
    assert_eq!(loaded.settings.servers, BTreeMap::from([("files".to_owned(), files), ("my server".to_owned(), mine)]));
    assert_eq!(loaded.warnings, Vec::<String>::new());
}

#[test]
fn an_absolute_folder_stays() {
    let servers = Desk::new().user("[servers.x]\ncommand = \"x\"\ncwd = \"/srv\"").loaded().settings.servers;
    assert_eq!(servers["x"].cwd, Some(PathBuf::from("/srv")));
    assert!(servers["x"].is_enabled(), "a server that says nothing about it is used");
}

#[test]
fn what_does_not_go_together_is_refused_where_it_stands() {
    let message = |text: &str| Desk::new().user(&format!("[servers.x]\n{text}")).load().expect_err("it does not go together");
    assert_eq!(
        message("command = \"x\"\nurl = \"y\""),
        "user/codemode.toml:3: servers.x: a server has either a command or a url; keep the one that is meant"
    );
    assert_eq!(
        message("headers = {}\ncommand = \"x\""),
        "user/codemode.toml:2: servers.x: a server with a command has no headers; they go with a url"
    );
    assert_eq!(
        message("url = \"x\"\ncwd = \".\""),
        "user/codemode.toml:3: servers.x: a server with a url has no cwd; it goes with a command"
    );
    assert_eq!(
        message("timeout = \"0ms\""),
        "user/codemode.toml:2: servers.x.timeout is 0; allowed: at least 1ms; zero never means unlimited"
    );
    assert_eq!(message("timeout = 60"), "user/codemode.toml:2: servers.x.timeout is 60; allowed: a duration with its unit, as in \"30s\"");
}

#[test]
fn a_server_that_is_nowhere_is_left_out_with_a_warning() {
    let desk = Desk::new().user("[servers.x]\ntimeout = \"5s\"\n[servers.y]\nenabled = false");
    assert_eq!(desk.loaded().settings.servers, BTreeMap::new());
    assert_eq!(
        desk.warnings(),
        ["server x has neither a command nor a url, and is left out; give it one of them in codemode.toml"],
        "of a server that is not used nothing is missed"
    );
}

#[test]
fn a_trusted_project_wins_key_by_key() {
    let user = "[servers.x]\ncommand = \"x\"\nargs = [\"a\"]\nenv = { A = \"1\" }\ntimeout = \"5s\"\nstart_timeout = \"6s\"";
    let project = "[servers.x]\nargs = []\ntimeout = \"7s\"\n[servers.y]\nurl = \"http://localhost:1/mcp\"";
    let desk = Desk::new().user(user).project(project).trusted();
    let x = ServerSettings {
        command: Some("x".to_owned()),
        env: texts(&[("A", "1")]),
        timeout: Some(Duration::from_secs(7)),
        start_timeout: Some(Duration::from_secs(6)),
        file: desk.user_file(),
        ..ServerSettings::default()
    };
    let y = ServerSettings { url: Some("http://localhost:1/mcp".to_owned()), file: desk.project_file(), ..ServerSettings::default() };
    assert_eq!(desk.loaded().settings.servers, BTreeMap::from([("x".to_owned(), x), ("y".to_owned(), y)]));
}

#[test]
fn secrets_for_one_server_go_to_no_other() {
    let user = "[servers.x]\nurl = \"https://mine.example/mcp\"\nheaders = { Authorization = \"hush\" }\ntimeout = \"5s\"\n\
                [servers.y]\ncommand = \"y\"\nenv = { TOKEN = \"hush\" }";
    let project = "[servers.x]\nurl = \"https://theirs.example/mcp\"\n[servers.y]\ncommand = \"z\"";
    let desk = Desk::new().user(user).project(project).trusted();
    let x = ServerSettings {
        url: Some("https://theirs.example/mcp".to_owned()),
        timeout: Some(Duration::from_secs(5)),
        file: desk.project_file(),
        ..ServerSettings::default()
    };
    let y = ServerSettings { command: Some("z".to_owned()), file: desk.project_file(), ..ServerSettings::default() };
    assert_eq!(desk.loaded().settings.servers, BTreeMap::from([("x".to_owned(), x), ("y".to_owned(), y)]));
}

#[test]
fn the_debug_form_hides_values_of_variables_and_headers() {
    let text = "[servers.x]\ncommand = \"x\"\nenv = { TOKEN = \"hush\" }\n[servers.y]\nurl = \"y\"\nheaders = { Key = \"hush\" }";
    let shown = format!("{:?}", Desk::new().user(text).loaded());
    assert!(shown.contains("TOKEN") && shown.contains("Key") && !shown.contains("hush"), "{shown}");
}

const WAITING: &str =
    "[code_mode]\nenabled = false\ndisabled = []\n[servers.github]\ncommand = \"github\"\n[servers.files]\nenabled = false";

#[test]
fn a_projects_servers_wait_for_trust_and_the_rest_of_it_holds() {
    let desk = Desk::new()
        .user("[code_mode]\ndisabled = [\"a\"]\n[servers.files]\ncommand = \"files\"\n[servers.mine]\ncommand = \"mine\"")
        .project(WAITING);
    let loaded = desk.loaded();
    let used: Vec<_> = loaded.settings.servers.iter().map(|(name, server)| (name.as_str(), server.is_enabled())).collect();
    // That a server is not used holds at once, since it starts nothing.
    assert_eq!(used, [("files", false), ("mine", true)]);
    assert_eq!(loaded.settings.code_mode.enabled, Some(false));
    assert_eq!(loaded.settings.code_mode.disabled, Vec::<String>::new(), "enabling a tool that the user disabled needs no trust");
    assert_eq!(loaded.waiting, [Waiting { path: desk.project_file(), servers: names(&["github"]) }]);
    let expected = "project/codemode.toml: the server github waits for trust and is left out; look at the file and run \
                    `codemode trust project/codemode.toml`";
    assert_eq!(desk.warnings(), [expected]);

    let desk = desk.trusted();
    assert_eq!(desk.warnings(), Vec::<String>::new());
    assert_eq!(desk.loaded().settings.servers.keys().collect::<Vec<_>>(), ["files", "github", "mine"]);
}

#[test]
fn enabling_or_changing_a_server_of_the_users_waits_as_well() {
    let user = "[servers.x]\ncommand = \"x\"\nenabled = false\n[servers.y]\ncommand = \"y\"";
    let project = "[servers.x]\nenabled = true\n[servers.y]\nargs = [\"--force\"]\n[servers.z]\ntimeout = \"1s\"";
    let desk = Desk::new().user(user).project(project);
    let loaded = desk.loaded();
    assert!(!loaded.settings.servers["x"].is_enabled());
    assert_eq!(loaded.settings.servers["y"].args, Vec::<String>::new());
    assert_eq!(loaded.waiting, [Waiting { path: desk.project_file(), servers: names(&["x", "y", "z"]) }]);
    let expected = "project/codemode.toml: the servers x, y, z wait for trust and are left out; look at the file and run \
                    `codemode trust project/codemode.toml`";
    assert_eq!(desk.warnings(), [expected]);
}

#[test]
fn a_server_that_is_disabled_and_more_is_disabled_alone_until_it_is_trusted() {
    let desk = Desk::new().user("[servers.x]\ncommand = \"x\"").project("[servers.x]\ncommand = \"evil\"\nenabled = false");
    let servers = desk.loaded().settings.servers;
    assert_eq!((servers["x"].command.as_deref(), servers["x"].is_enabled()), (Some("x"), false));
}

#[test]
fn a_change_of_a_trusted_file_takes_its_trust_away() {
    let desk = Desk::new().project(WAITING).trusted();
    assert_eq!(desk.loaded().waiting, []);
    let desk = desk.project(&format!("{WAITING}\n# a comment"));
    assert_eq!(desk.loaded().waiting, [Waiting { path: desk.project_file(), servers: names(&["github"]) }]);
    // As it was, it is trusted again: nothing of it changed since a person looked at it.
    let desk = desk.project(WAITING);
    assert_eq!(desk.loaded().waiting, []);
}

#[test]
fn a_named_file_is_trusted() {
    let desk = Desk::new().named("named.toml", WAITING);
    assert_eq!(desk.loaded().settings.servers.keys().collect::<Vec<_>>(), ["github"]);
    assert_eq!(desk.loaded().waiting, []);
}

#[test]
fn many_servers_and_long_names_are_cut_in_the_warning() {
    let project: String = (0..50).map(|number| format!("[servers.s{number:02}]\ncommand = \"x\"\n")).collect();
    let expected = "project/codemode.toml: the servers s00, s01, s02, s03, s04, s05, s06, s07, s08, s09 and 40 more wait for trust and are \
                    left out; look at the file and run `codemode trust project/codemode.toml`";
    assert_eq!(Desk::new().project(&project).warnings(), [expected]);
    let project = format!("[servers.\"\\u001b{}\"]\ncommand = \"x\"", "n".repeat(500));
    let expected = format!(
        "project/codemode.toml: the server \\u{{1b}}{}… waits for trust and is left out; look at the file and run \
         `codemode trust project/codemode.toml`",
        "n".repeat(91)
    );
    assert_eq!(Desk::new().project(&project).warnings(), [expected]);
}

#[test]
fn who_shows_servers_reads_them_without_trust() {
    let desk = Desk::new().project(WAITING);
    let servers = servers_in(&desk.project_file(), WAITING.as_bytes()).expect("settings of use");
    let github = ServerSettings { command: Some("github".to_owned()), file: desk.project_file(), ..ServerSettings::default() };
    assert_eq!(servers, BTreeMap::from([("github".to_owned(), github)]));
    let error = servers_in(&desk.project_file(), b"zzz = 1").expect_err("no settings");
    assert_eq!(desk.shown(&error.to_string()), "project/codemode.toml:1: zzz is no setting; there are code_mode, tools, servers, results");
}

#[test]
fn what_is_changed_of_another_file_s_server_is_read_for_who_shows_it() {
    let text = "[servers.own]\ncommand = 'x'\nargs = ['y']\n[servers.off]\nenabled = false\nargs = ['y']\n[servers.on]\nenabled = true\n\
                [servers.mine]\nargs = ['evil']\nenv = { KEY = 'v' }\ncwd = '/srv'\n[servers.slow]\ntimeout = '9s'\n\
                [servers.web]\nheaders = { KEY = 'v' }\n";
    let changes = changes_in(&PathBuf::from("codemode.toml"), text.as_bytes()).expect("settings of use");
    let mine = ServerChange {
        args: Some(names(&["evil"])),
        env: Some(texts(&[("KEY", "v")])),
        cwd: Some(PathBuf::from("/srv")),
        ..ServerChange::default()
    };
    let on = ServerChange { switched_on: true, ..ServerChange::default() };
    let slow = ServerChange { timed: true, ..ServerChange::default() };
    let web = ServerChange { headers: Some(texts(&[("KEY", "v")])), ..ServerChange::default() };
    let expected = [("mine", mine), ("on", on), ("slow", slow), ("web", web)];
    assert_eq!(changes, expected.map(|(name, change)| (name.to_owned(), change)).into());
    let shown = "ServerChange { args: None, env: None, cwd: None, headers: Some([\"KEY\"]), switched_on: false, timed: false }";
    assert_eq!(format!("{:?}", changes["web"]), shown);
}
