//! Which tools are on which surface: the two lists, what is for direct calls alone, and what the agent may not use.

use std::sync::Arc;

use codemode_core::{Catalog, Resolved, ToolSpec};
use codemode_policy::{Agent, Mode};

use crate::desk::{ALL, catalog, direct, for_programs, inventory, plain};

#[test]
fn the_two_lists_are_independent_of_each_other() {
    let inventory = plain("code_mode.disabled = [\"read_file\"]");
    assert_eq!(direct(&inventory), ALL);
    assert_eq!(for_programs(&inventory), ["ask_user", "github__delete_repo", "github__issues"]);
    // Direct calls off and programs on is how work is routed through code mode.
    let inventory = plain("tools.disabled = [\"github__issues\", \"github.delete_repo\"]");
    assert_eq!(direct(&inventory), ["ask_user", "read_file"]);
    assert_eq!(for_programs(&inventory), ALL);
}

#[test]
fn a_list_of_a_compact_inventory_brings_nothing_back_that_is_disabled() {
    let inventory =
        plain("[code_mode]\ncompact_direct_tools = true\ndirect = [\"read_file\", \"ask_user\"]\n[tools]\ndisabled = [\"read_file\"]");
    assert_eq!(direct(&inventory), ["ask_user"]);
    assert_eq!(for_programs(&inventory), ALL);
}

#[test]
fn what_compact_hides_is_there_for_programs_unless_it_is_disabled_there() {
    let inventory = plain("[code_mode]\ncompact_direct_tools = true\ndirect = []\ndisabled = [\"github.delete_repo\"]");
    assert_eq!(
        (direct(&inventory).len(), for_programs(&inventory)),
        (0, vec!["ask_user".into(), "github__issues".into(), "read_file".into()])
    );
}

#[test]
fn a_direct_only_tool_is_direct_in_compact_as_well_and_never_for_programs() {
    for (mode, expected) in [(Mode::Full, &ALL[..]), (Mode::Compact, &["ask_user"]), (Mode::CodeOnly, &[])] {
        let inventory = inventory("code_mode.direct_only = [\"ask_user\"]", Some(mode), &Agent::default()).expect("an inventory");
        assert_eq!(direct(&inventory), expected, "{mode:?}");
        assert_eq!(for_programs(&inventory), ["github__delete_repo", "github__issues", "read_file"]);
    }
}

#[test]
fn a_tool_that_is_not_for_programs_says_so() {
    let catalog = plain("code_mode.direct_only = [\"ask_user\"]").for_programs(&catalog());
    let Resolved::Missing(missing) = catalog.resolve("ask_user") else { panic!("it is not for programs") };
    assert_eq!(missing.message("tools.list()"), "tool \"ask_user\" cannot be called from a program; tools.list() lists what can");
}

#[test]
fn restrictions_hold_on_both_surfaces() {
    let denied = Agent { denied: vec!["github.delete_repo".to_owned()], ..Agent::default() };
    let inventory = inventory("", None, &denied).expect("an inventory");
    assert_eq!(direct(&inventory), ["ask_user", "github__issues", "read_file"]);
    assert_eq!(for_programs(&inventory), ["ask_user", "github__issues", "read_file"]);
}

#[test]
fn a_list_of_what_an_agent_may_use_holds_on_both_surfaces_and_no_setting_widens_it() {
    let allowed = Some(vec!["github.issues".to_owned(), "ask_user".to_owned()]);
    let agent = Agent { allowed, denied: vec!["ask_user".to_owned()], ..Agent::default() };
    for text in ["", "[code_mode]\ncompact_direct_tools = true\ndirect = [\"read_file\", \"github__issues\"]\ndirect_only = [\"ask_user\"]"]
    {
        let inventory = inventory(text, None, &agent).expect("an inventory");
        assert_eq!((direct(&inventory), for_programs(&inventory)), (vec!["github__issues".into()], vec!["github__issues".into()]));
    }
}

#[test]
fn what_a_server_lists_later_is_held_to_the_same_lists() {
    let unlisted = Arc::new(Catalog::clone(&catalog()).with_unlisted(["files"]));
    let listed = ["delete", "read"].map(|name| Arc::new(ToolSpec::new(format!("files__{name}")).in_namespace("files", name)));
    let seen = |text: &str, agent: &Agent| {
        let inventory = inventory(text, None, agent).expect("an inventory");
        let programs = inventory.for_programs(&unlisted).admitting("files", listed.clone());
        programs.tools().filter(|tool| tool.namespace.as_deref() == Some("files")).map(|tool| tool.name.to_string()).collect::<Vec<_>>()
    };
    let agent = Agent::default();
    assert_eq!(seen("", &agent), ["files__delete", "files__read"]);
    assert_eq!(seen("code_mode.disabled = [\"files__delete\"]", &agent), ["files__read"]);
    assert_eq!(seen("code_mode.direct_only = [\"files.delete\"]", &agent), ["files__read"]);
    assert_eq!(seen("", &Agent { denied: vec!["files.delete".to_owned()], ..Agent::default() }), ["files__read"]);
    let allowed = Some(vec!["read_file".to_owned(), "files.read".to_owned()]);
    assert_eq!(seen("", &Agent { allowed, ..Agent::default() }), ["files__read"]);
}

#[test]
fn the_same_catalog_comes_back_where_nothing_is_kept_from_programs() {
    let catalog = catalog();
    for text in ["", "tools.disabled = [\"read_file\"]", "code_mode.disabled = [\"no_such_tool\"]"] {
        assert!(Arc::ptr_eq(&plain(text).for_programs(&catalog), &catalog), "{text}");
    }
}

#[test]
fn a_narrowed_catalog_is_made_once() {
    let inventory = plain("code_mode.disabled = [\"read_file\"]");
    let (one, other) = (catalog(), catalog());
    let first = inventory.for_programs(&one);
    assert!(Arc::ptr_eq(&first, &inventory.for_programs(&one)));
    assert!(!Arc::ptr_eq(&first, &inventory.for_programs(&other)), "another catalog is another answer");
    assert_eq!(first.len(), 3);
}

#[test]
fn programs_do_not_nest_and_run_code_is_nobodys_tool() {
    let inventory = plain("code_mode.direct = [\"run_code\"]");
    assert!(!direct(&inventory).contains(&"run_code".to_owned()));
    let Resolved::Missing(missing) = inventory.for_programs(&catalog()).resolve("run_code") else { panic!("programs do not nest") };
    assert!(missing.not_for_programs);
}
