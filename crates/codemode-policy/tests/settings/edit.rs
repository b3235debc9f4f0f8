//! Enabling and disabling tools in a file: exact texts before and after.

use std::fs;

use codemode_policy::{Surface, set_tool};
use proptest::prelude::*;

use crate::desk::{Desk, names};

/// What the file holds after a change of one of its lists.
fn after(before: &str, name: &str, surface: Surface, enabled: bool) -> String {
    let desk = Desk::new().project(before);
    let change = set_tool(&desk.project_file(), name, surface, enabled, &[]).expect("a change");
    let after = fs::read_to_string(desk.project_file()).expect("the file");
    assert_eq!((change.path.as_path(), change.before.as_deref(), &change.after), (&*desk.project_file(), Some(before), &after));
    let settings = desk.loaded().settings;
    let list = if surface == Surface::CodeMode { settings.code_mode.disabled } else { settings.tools.disabled };
    assert_eq!((change.is_change(), &change.disabled), (before != after, &list));
    assert_eq!(list.iter().any(|disabled| disabled == name), !enabled);
    after
}

#[test]
fn a_file_that_is_not_there_is_made_with_its_folder() {
    let desk = Desk::new();
    let path = desk.path().join("new/folder/codemode.toml");
    let change = set_tool(&path, "github__delete", Surface::CodeMode, false, &[]).expect("a change");
    assert_eq!(fs::read_to_string(&path).expect("made"), "[code_mode]\ndisabled = [\"github__delete\"]\n");
    assert_eq!((change.before, change.disabled), (None, names(&["github__delete"])));
    let other = desk.path().join("other/codemode.toml");
    let change = set_tool(&other, "github__delete", Surface::CodeMode, true, &[]).expect("no change");
    assert!(!change.is_change() && !other.exists(), "a tool that is enabled already needs no file");
}

#[test]
fn the_two_lists_are_independent() {
    let before = "[code_mode]\ndisabled = [\"a\"]\n\n[tools]\ndisabled = [\"b\"]\n";
    assert_eq!(after(before, "c", Surface::Direct, false), "[code_mode]\ndisabled = [\"a\"]\n\n[tools]\ndisabled = [\"b\", \"c\"]\n");
    assert_eq!(after(before, "a", Surface::CodeMode, true), "[code_mode]\ndisabled = []\n\n[tools]\ndisabled = [\"b\"]\n");
    assert_eq!(after(before, "a", Surface::Direct, true), before, "it is enabled there already");
    assert_eq!(after(before, "b", Surface::Direct, false), before, "it is disabled already");
}

#[test]
fn a_server_s_tool_is_one_tool_however_its_name_is_written() {
    let dotted = "[code_mode]\ndisabled = [\"a\", \"files.delete\"]\n";
    let desk = Desk::new().project(dotted);
    let set = |name: &str, enabled: bool| {
        let change = set_tool(&desk.project_file(), name, Surface::CodeMode, enabled, &[]).expect("a change");
        (change.is_change(), change.disabled)
    };
    assert_eq!(set("files__delete", false), (false, names(&["a", "files.delete"])), "it is disabled already");
    assert_eq!(set("files__delete", true), (true, names(&["a"])));
    assert_eq!(set("files__delete", false), (true, names(&["a", "files__delete"])));
    assert_eq!(set("files.delete", true), (true, names(&["a"])));
}

#[test]
fn lines_end_as_they_did() {
    let before = "# Ours.\r\n[code_mode]\r\ndisabled = [\r\n    \"a\", # because\r\n]\r\n";
    let expected = "# Ours.\r\n[code_mode]\r\ndisabled = [\r\n    \"a\", # because\r\n    \"b\",\r\n]\r\n";
    assert_eq!(after(before, "b", Surface::CodeMode, false), expected);
    assert_eq!(after(before, "a", Surface::CodeMode, false), before);
}

#[test]
fn comments_and_the_order_of_everything_stay() {
    let before = "# Ours.\n\n[servers.x] # a server\ncommand = 'x'   # spaced\n\n# Code mode.\n[code_mode]\nenabled=true # yes\n# the list\n\
                  disabled = [ \"a\" ] # end\n\n[tools]\n";
    let expected = "# Ours.\n\n[servers.x] # a server\ncommand = 'x'   # spaced\n\n# Code mode.\n[code_mode]\nenabled=true # yes\n# the list\n\
                    disabled = [ \"a\", \"b\" ] # end\n\n[tools]\n";
    assert_eq!(after(before, "b", Surface::CodeMode, false), expected);
    let before = "# Only a comment.\n";
    assert_eq!(after(before, "a", Surface::Direct, false), "# Only a comment.\n\n[tools]\ndisabled = [\"a\"]\n");
    let before = "[servers.x]\ncommand = 'x'\n# of x\n";
    let expected = "[servers.x]\ncommand = 'x'\n# of x\n\n[tools]\ndisabled = [\"a\"]\n";
    assert_eq!(after(before, "a", Surface::Direct, false), expected);
}

#[test]
fn a_list_of_many_lines_stays_one_with_its_comments() {
    let before =
        "[code_mode]\ndisabled = [\n    # destructive\n    \"a\", # because of a\n    \"b\", # because of b\n    \"c\" # because of c\n]\n";
    let with_d = "[code_mode]\ndisabled = [\n    # destructive\n    \"a\", # because of a\n    \"b\", # because of b\n    \"c\", # because of c\n    \"d\",\n]\n";
    assert_eq!(after(before, "d", Surface::CodeMode, false), with_d);
    let commas = "[code_mode]\ndisabled = [\n    \"a\", # because of a\n]\n";
    let expected = "[code_mode]\ndisabled = [\n    \"a\", # because of a\n    \"b\",\n]\n";
    assert_eq!(after(commas, "b", Surface::CodeMode, false), expected);
    assert_eq!(after(expected, "b", Surface::CodeMode, true), commas);
    let plain = "tools.disabled = [\n  \"a\",\n  \"b\",\n  \"c\",\n]\n";
    assert_eq!(after(plain, "a", Surface::Direct, true), "tools.disabled = [\n  \"b\",\n  \"c\",\n]\n");
    assert_eq!(after(plain, "b", Surface::Direct, true), "tools.disabled = [\n  \"a\",\n  \"c\",\n]\n");
    assert_eq!(after(plain, "c", Surface::Direct, true), "tools.disabled = [\n  \"a\",\n  \"b\",\n]\n");
}

#[test]
fn a_comment_outlives_the_name_it_stood_beside() {
    let before = "[code_mode]\ndisabled = [\n    # first\n    \"a\", # of a\n    # second\n    \"b\", # of b\n]\n";
    let without = |name| after(before, name, Surface::CodeMode, true);
    for name in ["a", "b"] {
        let left = without(name);
        for comment in ["# first", "# of a", "# second", "# of b"] {
            assert!(left.contains(comment), "{left}");
        }
    }
    let none = after(&without("a"), "b", Surface::CodeMode, true);
    for comment in ["# first", "# of a", "# second", "# of b"] {
        assert!(none.contains(comment), "{none}");
    }
}

#[test]
fn tables_of_any_form_are_edited() {
    assert_eq!(
        after("code_mode.enabled = true\n", "a", Surface::CodeMode, false),
        "code_mode.enabled = true\ncode_mode.disabled = [\"a\"]\n"
    );
    assert_eq!(
        after("code_mode = { enabled = true }\n", "a", Surface::CodeMode, false),
        "code_mode = { enabled = true, disabled = [\"a\"] }\n"
    );
    let nested = "[code_mode.limits]\ncalls = 5\n";
    assert_eq!(after(nested, "a", Surface::CodeMode, false), "[code_mode]\ndisabled = [\"a\"]\n[code_mode.limits]\ncalls = 5\n");
    let twice = "tools.disabled = [\"a\", \"b\", \"a\"]\n";
    assert_eq!(after(twice, "a", Surface::Direct, true), "tools.disabled = [\"b\"]\n");
    let odd = "tools.disabled = []\n";
    assert_eq!(after(odd, "say \"hi\"\\\n", Surface::Direct, false).lines().count(), 3);
}

#[test]
fn a_projects_first_list_starts_from_the_users() {
    let inherited = names(&["a", "b"]);
    let desk = Desk::new().user("tools.disabled = [\"a\", \"b\"]").project("# mine\n[tools]\n");
    let disable = |name, enabled| set_tool(&desk.project_file(), name, Surface::Direct, enabled, &inherited).expect("a change");
    assert_eq!(disable("c", false).after, "# mine\n[tools]\ndisabled = [\"a\", \"b\", \"c\"]\n");
    assert_eq!(desk.loaded().settings.tools.disabled, names(&["a", "b", "c"]), "what the user disabled stays disabled");
    // From then on the project's own list counts.
    assert_eq!(disable("a", true).disabled, names(&["b", "c"]));

    let desk = Desk::new().user("tools.disabled = [\"a\"]").project("");
    let change = set_tool(&desk.project_file(), "a", Surface::Direct, true, &names(&["a"])).expect("a change");
    assert_eq!(change.after, "[tools]\ndisabled = []\n");
    assert_eq!(desk.loaded().settings.tools.disabled, Vec::<String>::new());
    let change = set_tool(&desk.user_file(), "a", Surface::Direct, false, &[]).expect("no change");
    assert_eq!((change.is_change(), change.disabled), (false, names(&["a"])));
}

#[test]
fn a_file_that_the_loader_refuses_stays_as_it_is() {
    for (text, expected) in [
        ("[tools]\ndisable = []\n", "project/codemode.toml:2: tools.disable is no setting; did you mean tools.disabled?"),
        ("tools = 5\n", "project/codemode.toml:1: tools is 5; allowed: a table"),
    ] {
        let desk = Desk::new().project(text);
        let error = set_tool(&desk.project_file(), "a", Surface::Direct, false, &[]).expect_err("of no use");
        assert_eq!(desk.shown(&error.to_string()), expected);
        assert_eq!(fs::read_to_string(desk.project_file()).expect("the file"), text);
    }
    let desk = Desk::new();
    let error = set_tool(&desk.project_file(), "", Surface::Direct, false, &[]).expect_err("no name");
    assert_eq!(desk.shown(&error.to_string()), "project/codemode.toml: the tool has no name; give the name of a tool");
    fs::write(desk.path().join("file"), "").expect("a file");
    let within = desk.path().join("file/codemode.toml");
    let error = set_tool(&within, "a", Surface::Direct, false, &[]).expect_err("a file is no folder");
    assert_eq!(
        desk.shown(&error.to_string()),
        "file/codemode.toml: the file cannot be read: Not a directory (os error 20); look at what stands there, or name another"
    );
}

#[cfg(unix)]
#[test]
fn a_link_and_the_permissions_stay_and_nothing_is_left_behind() {
    use std::os::unix::fs::PermissionsExt as _;
    let desk = Desk::new().project("tools.disabled = []\n");
    let kept = desk.path().join("project/kept.toml");
    fs::rename(desk.project_file(), &kept).expect("moved");
    fs::set_permissions(&kept, fs::Permissions::from_mode(0o640)).expect("set");
    std::os::unix::fs::symlink(&kept, desk.project_file()).expect("a link");
    set_tool(&desk.project_file(), "a", Surface::Direct, false, &[]).expect("a change");
    assert!(fs::symlink_metadata(desk.project_file()).expect("there").is_symlink());
    assert_eq!(fs::read_to_string(&kept).expect("there"), "tools.disabled = [\"a\"]\n");
    assert_eq!(fs::metadata(&kept).expect("there").permissions().mode() & 0o777, 0o640);
    assert_eq!(fs::read_dir(desk.path().join("project")).expect("a folder").count(), 2);
}

#[test]
fn a_change_holds_from_the_next_load_on() {
    let desk = Desk::new().project("");
    let before = desk.loaded();
    set_tool(&desk.project_file(), "a", Surface::CodeMode, false, &[]).expect("a change");
    assert_eq!(before.settings.code_mode.disabled, Vec::<String>::new());
    assert_eq!(desk.loaded().settings.code_mode.disabled, names(&["a"]));
}

/// A list as a person may have written it, with a comment in many places.
fn written_list() -> impl Strategy<Value = String> {
    let item = ("[abc]", prop::sample::select(vec!["", " ", "\n  ", "\n  # x\n  "]), prop::sample::select(vec!["", " ", " # y\n"]));
    (prop::collection::vec(item, 0..5), any::<bool>()).prop_map(|(items, comma)| {
        let items: Vec<String> = items.iter().map(|(name, before, after)| format!("{before}\"{name}\"{after}")).collect();
        let comma = if comma && !items.is_empty() { "," } else { "" };
        format!("# top\n[tools]\ndisabled = [{}{comma}\n] # end\n# last\n", items.join(","))
    })
}

proptest! {
    #[test]
    fn any_list_is_edited_to_what_was_meant_and_loses_no_comment(text in written_list(), name in "[abcd]", enabled: bool) {
        let desk = Desk::new().project(&text);
        let before = desk.loaded().settings.tools.disabled;
        set_tool(&desk.project_file(), &name, Surface::Direct, enabled, &[]).expect("a change");
        let mut expected = before.clone();
        if enabled {
            expected.retain(|other| *other != name);
        } else if !before.contains(&name) {
            expected.push(name);
        }
        prop_assert_eq!(desk.loaded().settings.tools.disabled, expected);
        let after = fs::read_to_string(desk.project_file()).expect("the file");
        prop_assert_eq!(after.matches('#').count(), text.matches('#').count(), "{}", after);
    }
}
