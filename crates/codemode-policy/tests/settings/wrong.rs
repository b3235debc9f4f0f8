//! What a settings file cannot say: exact messages, with file and line.

use std::fs;

use codemode_policy::{LoadOptions, SettingsErrorKind, Trust, load};
use proptest::prelude::*;

use crate::desk::Desk;

#[track_caller]
fn check(text: &str, expected: &str) {
    let message = Desk::new().user(text).load().expect_err("settings of no use");
    assert_eq!(message, format!("user/codemode.toml:{expected}"), "{text}");
}

#[test]
fn a_key_that_is_no_setting_names_the_nearest() {
    check("[code_mode]\n\nenabeld = true", "3: code_mode.enabeld is no setting; did you mean code_mode.enabled?");
    check("[codemode]\nenabled = true", "1: codemode is no setting; did you mean code_mode?");
    check("[mcpServers.x]\ncommand = \"x\"", "1: mcpServers is no setting; did you mean servers?");
    check("[code_mode.limits]\nmemory = 1", "2: code_mode.limits.memory is no setting; did you mean code_mode.limits.memory_bytes?");
    check("[code_mode.limits]\nmax_calls = 1", "2: code_mode.limits.max_calls is no setting; did you mean code_mode.limits.calls?");
    check("[servers.github]\ncomand = \"x\"", "2: servers.github.comand is no setting; did you mean servers.github.command?");
    check("[servers.\"a b\"]\nurls = \"x\"", "2: servers.\"a b\".urls is no setting; did you mean servers.\"a b\".url?");
    check("[tools]\ndisable = []", "2: tools.disable is no setting; did you mean tools.disabled?");
    check("[results]\nlearn-shapes = true", "2: results.learn-shapes is no setting; did you mean results.learn_shapes?");
}

#[test]
fn a_key_in_the_wrong_table_names_the_right_one() {
    check("compact_direct_tools = true", "1: compact_direct_tools is no setting; did you mean code_mode.compact_direct_tools?");
    check("[tools]\nnudges_enabled = false", "2: tools.nudges_enabled is no setting; did you mean code_mode.nudges_enabled?");
}

#[test]
fn a_key_like_no_other_names_what_there_is() {
    check("zzz = 1", "1: zzz is no setting; there are code_mode, tools, servers, results");
    check("[results]\nzzz = 1", "2: results.zzz is no setting; there are learn_shapes");
    check("\"\" = 1", "1: \"\" is no setting; there are code_mode, tools, servers, results");
}

#[test]
fn code_only_is_no_setting() {
    let message = Desk::new().user("[code_mode]\ncode_only = true").load().expect_err("it is no setting");
    assert_eq!(message, "user/codemode.toml:2: code_mode.code_only is no setting; did you mean code_mode.direct_only?");
    check(
        "[code_mode]\nmode = \"code-only\"",
        "2: code_mode.mode is no setting; there are enabled, compact_direct_tools, direct, disabled, direct_only, nudges_enabled, description_tokens, limits",
    );
}

#[test]
fn the_first_wrong_key_of_the_file_is_named() {
    check(
        "[code_mode]\nzebra = 1\napple = 1\n",
        "2: code_mode.zebra is no setting; there are enabled, compact_direct_tools, direct, disabled, direct_only, nudges_enabled, description_tokens, limits",
    );
}

#[test]
fn a_value_that_a_setting_cannot_have_says_what_it_can() {
    check("[code_mode]\nenabled = \"yes\"", "2: code_mode.enabled is \"yes\"; allowed: true or false");
    check("[code_mode]\nenabled = 1", "2: code_mode.enabled is 1; allowed: true or false");
    check("code_mode = true", "1: code_mode is true; allowed: a table");
    check("code_mode = [1]", "1: code_mode is a list; allowed: a table");
    check("[code_mode]\ndisabled = \"execute\"", "2: code_mode.disabled is \"execute\"; allowed: a list, each item the name of a tool");
    check("[code_mode]\ndisabled = [\n  \"a\",\n  5,\n]", "4: code_mode.disabled[1] is 5; allowed: the name of a tool");
    check("[tools]\ndisabled = [\"\"]", "2: tools.disabled[0] is \"\"; allowed: the name of a tool");
    check("code_mode.description_tokens = 99", "1: code_mode.description_tokens is 99; allowed: 100 to 100000");
    check("code_mode.description_tokens = 100001", "1: code_mode.description_tokens is 100001; allowed: 100 to 100000");
    check("code_mode.description_tokens = -5", "1: code_mode.description_tokens is -5; allowed: 100 to 100000");
    check("code_mode.description_tokens = 1e3", "1: code_mode.description_tokens is 1e3; allowed: 100 to 100000");
    check("servers = 5", "1: servers is 5; allowed: a table for each server");
    check("servers.x = 5", "1: servers.x is a number; allowed: a table");
    check("[servers.\"\"]\ncommand = \"x\"", "1: a table of servers has no name; give it one");
}

#[test]
fn what_is_no_toml_names_the_line() {
    let kind = |text: &[u8]| {
        let desk = Desk::new();
        fs::write(desk.user_file(), text).expect("a file");
        let trust = Trust::nothing();
        let options = LoadOptions { user: Some(desk.user_file()), project: None, extra: Vec::new(), trust: &trust };
        let error = load(&options).expect_err("settings of no use");
        (error.kind, error.line)
    };
    assert_eq!(kind(b"[code_mode]\n\nenabled = \n"), (SettingsErrorKind::Syntax, Some(3)));
    assert_eq!(kind(b"[tools]\n[tools]\n"), (SettingsErrorKind::Syntax, Some(2)));
    assert_eq!(kind(b"[tools]\n# \xff\n"), (SettingsErrorKind::Unreadable, Some(2)));
    assert_eq!(kind(b"zzz = 1"), (SettingsErrorKind::UnknownKey, Some(1)));
    assert_eq!(kind(b"tools.disabled = 1"), (SettingsErrorKind::WrongValue, Some(1)));
    assert_eq!(kind(b"[servers.x]\ncommand = 'a'\nurl = 'b'"), (SettingsErrorKind::Conflict, Some(3)));
}

#[test]
fn no_message_holds_what_may_be_secret() {
    check("[servers.x]\ncommand = \"\"", "2: servers.x.command is empty; allowed: text that is not empty");
    check("[servers.x]\nurl = 5", "2: servers.x.url is a number; allowed: text that is not empty");
    check("[servers.x]\ncommand = \"x\"\nargs = \"--token=hush\"", "3: servers.x.args is text; allowed: a list, each item text");
    check("[servers.x]\ncommand = \"x\"\nargs = [\"a\", 4711]", "3: servers.x.args[1] is a number; allowed: text");
    check("[servers.x]\ncommand = \"x\"\nenv = { TOKEN = 4711 }", "3: servers.x.env.TOKEN is a number; allowed: text");
    check("[servers.x]\nurl = \"x\"\nheaders.Authorization = [\"hush\"]", "3: servers.x.headers.Authorization is a list; allowed: text");
    check("[servers.x]\nurl = \"x\"\nheaders = \"hush\"", "3: servers.x.headers is text; allowed: texts by name");
}

#[test]
fn what_is_shown_stays_on_its_line_and_is_cut() {
    check(
        "[code_mode]\n\"a\\u001b[2J\\nb\" = 1",
        "2: code_mode.\"a\\u{1b}[2J\\nb\" is no setting; there are enabled, compact_direct_tools, direct, disabled, direct_only, \
         nudges_enabled, description_tokens, limits",
    );
    let text = format!("code_mode.enabled = \"{}\"", "x".repeat(500));
    check(&text, &format!("1: code_mode.enabled is \"{}…; allowed: true or false", "x".repeat(56)));
    let deep = format!("x = {}", "[".repeat(100_000));
    let message = Desk::new().user(&deep).load().expect_err("too deep");
    assert!(message.len() < 1_100, "{message}");
}

proptest! {
    #[test]
    fn no_text_breaks_the_loader_and_messages_are_bounded(text in "[a-z\\[\\]{}=.\"'#0-9\n ,_\u{1b}\u{202e}é]{0,200}") {
        if let Err(message) = Desk::new().user(&text).load() {
            prop_assert!(message.len() < 1_100 && !message.contains(char::is_control), "{message:?}");
        }
    }
}
