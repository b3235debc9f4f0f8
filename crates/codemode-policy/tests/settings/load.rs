//! What holds without a file, with one and with two.

use std::fs;

use codemode_policy::{CodeModeSettings, Limits, ResultSettings, Scope, Settings, Source, ToolSettings};

use crate::desk::{Desk, names};

#[test]
fn without_a_file_the_defaults_hold() {
    let loaded = Desk::new().loaded();
    let expected = Settings {
        code_mode: CodeModeSettings {
            enabled: None,
            compact_direct_tools: false,
            direct: None,
            disabled: Vec::new(),
            direct_only: Vec::new(),
            nudges_enabled: true,
            description_tokens: 2_000,
            limits: Limits::default(),
        },
        tools: ToolSettings { disabled: Vec::new() },
        servers: Default::default(),
        results: ResultSettings { learn_shapes: true },
    };
    assert_eq!(loaded.settings, expected);
    assert_eq!(loaded.settings, Settings::default());
    assert_eq!((loaded.sources, loaded.waiting, loaded.warnings), (Vec::new(), Vec::new(), Vec::new()));
}

#[test]
fn every_key_outside_the_servers_is_read() {
    let desk = Desk::new().user(
        r#"
        [code_mode]
        enabled = true
        compact_direct_tools = true
        direct = ["read_file"]
        disabled = ["github__delete_repo", "execute"]
        direct_only = ["ask_user"]
        nudges_enabled = false
        description_tokens = 3_000
        limits.calls = 7
        [tools]
        disabled = ["write_file"]
        [results]
        learn_shapes = false
        "#,
    );
    let settings = desk.loaded().settings;
    assert_eq!(settings.code_mode.limits.iter().collect::<Vec<_>>(), [("calls", 7)]);
    let expected = Settings {
        code_mode: CodeModeSettings {
            enabled: Some(true),
            compact_direct_tools: true,
            direct: Some(names(&["read_file"])),
            disabled: names(&["github__delete_repo", "execute"]),
            direct_only: names(&["ask_user"]),
            nudges_enabled: false,
            description_tokens: 3_000,
            limits: settings.code_mode.limits.clone(),
        },
        tools: ToolSettings { disabled: names(&["write_file"]) },
        servers: Default::default(),
        results: ResultSettings { learn_shapes: false },
    };
    assert_eq!(settings, expected);
}

#[test]
fn the_project_wins_key_by_key() {
    let user = r#"
        [code_mode]
        enabled = true
        nudges_enabled = false
        direct_only = ["ask_user"]
        disabled = ["execute"]
        [code_mode.limits]
        calls = 10
        compute = "5s"
        [results]
        learn_shapes = false
    "#;
    let project = r#"
        [code_mode]
        enabled = false
        disabled = ["write_file"]
        limits = { calls = 20 }
    "#;
    let loaded = Desk::new().user(user).project(project).loaded();
    let code_mode = &loaded.settings.code_mode;
    // An explicit `enabled = false` disables, whatever the user says.
    assert_eq!(code_mode.enabled, Some(false));
    assert_eq!(code_mode.disabled, names(&["write_file"]), "a project's list stands in the place of the user's");
    assert_eq!(code_mode.limits.iter().collect::<Vec<_>>(), [("calls", 20), ("compute", 5_000)]);
    assert!(!code_mode.nudges_enabled, "what the project does not set stays");
    assert_eq!(code_mode.direct_only, names(&["ask_user"]));
    assert!(!loaded.settings.results.learn_shapes);
    let enabled = Desk::new().user("code_mode.enabled = false").project("code_mode.enabled = true").loaded();
    assert_eq!(enabled.settings.code_mode.enabled, Some(true));
}

#[test]
fn an_empty_list_clears_what_the_user_listed() {
    let user = "[code_mode]\ndisabled = [\"a\"]\ndirect = [\"b\"]\ndirect_only = [\"c\"]\n[tools]\ndisabled = [\"d\"]\n";
    let project = "[code_mode]\ndisabled = []\ndirect = []\ndirect_only = []\n[tools]\ndisabled = []\n";
    let settings = Desk::new().user(user).project(project).loaded().settings;
    let expected = CodeModeSettings { direct: Some(Vec::new()), ..CodeModeSettings::default() };
    assert_eq!((settings.code_mode, settings.tools), (expected, ToolSettings::default()));
}

#[test]
fn named_files_stand_in_the_place_of_the_projects_and_a_later_one_wins() {
    let desk = Desk::new()
        .user("code_mode.description_tokens = 1000\ncode_mode.nudges_enabled = false")
        .project("code_mode.enabled = false")
        .named("one.toml", "tools.disabled = [\"a\"]\ncode_mode.description_tokens = 500")
        .named("two.toml", "code_mode.description_tokens = 700");
    let loaded = desk.loaded();
    assert_eq!(loaded.settings.code_mode.enabled, None, "the project's file is not read");
    assert_eq!(loaded.settings.code_mode.description_tokens, 700);
    assert_eq!(loaded.settings.tools.disabled, names(&["a"]));
    assert!(!loaded.settings.code_mode.nudges_enabled);
    let source = |path, scope| Source { path, scope };
    let expected = [
        source(desk.user_file(), Scope::User),
        source(desk.path().join("one.toml"), Scope::Named),
        source(desk.path().join("two.toml"), Scope::Named),
    ];
    assert_eq!(loaded.sources, expected);
}

#[test]
fn a_named_file_has_to_be_there() {
    let desk = Desk::new();
    let missing = desk.path().join("gone.toml");
    let error = desk.name(missing).load().expect_err("it is not there");
    assert_eq!(error, "gone.toml: the file is not there; name one that is");
}

#[test]
fn a_file_that_is_no_file_and_one_that_is_too_large_are_errors() {
    let desk = Desk::new();
    fs::create_dir(desk.user_file()).expect("a folder in its place");
    assert_eq!(desk.load().expect_err("a folder"), "user/codemode.toml: it is a folder and no file; name a file");
    let most = "#".repeat(1 << 20);
    assert_eq!(Desk::new().user(&most).load().map(|loaded| loaded.settings), Ok(Settings::default()));
    let desk = Desk::new().user(&format!("{most}#"));
    assert_eq!(
        desk.load().expect_err("a byte too many"),
        "user/codemode.toml: the file has more than 1048576 bytes, which is the most that it may have"
    );
}

#[test]
fn a_mark_at_the_beginning_and_line_ends_of_any_kind_are_read() {
    let settings = Desk::new().user("\u{feff}[code_mode]\r\nenabled = true\r\n").loaded().settings;
    assert_eq!(settings.code_mode.enabled, Some(true));
}
