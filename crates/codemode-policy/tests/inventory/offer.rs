//! Whether code mode is offered, and in which inventory.

use codemode_core::code;
use codemode_policy::{Agent, HandedOn, Inventory, Mode, Settings};

use crate::desk::{ALL, direct, for_programs, inventory, plain, settings, settings_of, switch};

const NONE: [&str; 0] = [];

#[test]
fn code_mode_is_on_where_nobody_says_otherwise_and_an_explicit_false_disables() {
    let offered = |user, project| {
        Inventory::new(&settings_of(user, project), None, &Agent::default(), &switch(None)).expect("an inventory").offers_code_mode()
    };
    assert!(offered("", ""));
    assert!(!offered("code_mode.enabled = false", ""));
    assert!(!offered("code_mode.enabled = true", "code_mode.enabled = false"));
    assert!(offered("code_mode.enabled = false", "code_mode.enabled = true"));
}

#[test]
fn each_host_has_its_own_default() {
    let agent = Agent { code_mode_by_default: false, ..Agent::default() };
    let offered = |text| inventory(text, None, &agent).expect("an inventory").offers_code_mode();
    assert_eq!((offered(""), offered("code_mode.enabled = true"), offered("code_mode.enabled = false")), (false, true, false));
}

#[test]
fn the_variable_overrides_for_one_process_and_anything_else_leaves_the_configuration_alone() {
    for (text, configured) in [("code_mode.enabled = true", true), ("code_mode.enabled = false", false), ("", true)] {
        let offered =
            |value| Inventory::new(&settings(text), None, &Agent::default(), &switch(value)).expect("an inventory").offers_code_mode();
        assert_eq!((offered(Some("1")), offered(Some("0"))), (true, false), "{text}");
        for other in [None, Some(""), Some("true"), Some("false"), Some("on"), Some("off"), Some("2"), Some(" 1"), Some("00")] {
            assert_eq!(offered(other), configured, "{text} with {other:?}");
        }
    }
}

#[test]
fn without_code_mode_the_model_has_its_tools_as_before() {
    let inventory = plain("code_mode.enabled = false");
    assert_eq!((inventory.mode(), direct(&inventory)), (Mode::Full, ALL.map(str::to_owned).to_vec()));
    let fault = inventory.may_run().expect_err("it is not offered");
    assert_eq!(fault.code, code::DENIED);
    assert_eq!(fault.message, "code mode is not offered here, and nothing was run: code_mode.enabled is false");
}

#[test]
fn full_is_all_direct_tools_and_code_mode() {
    let inventory = plain("");
    assert_eq!((inventory.mode(), inventory.offers_code_mode()), (Mode::Full, true));
    assert_eq!((direct(&inventory), for_programs(&inventory)), (ALL.map(str::to_owned).to_vec(), ALL.map(str::to_owned).to_vec()));
    assert_eq!(inventory.may_run(), Ok(()));
}

#[test]
fn compact_is_a_list_of_direct_tools_and_code_mode() {
    let text = "[code_mode]\ncompact_direct_tools = true\ndirect = [\"read_file\", \"github.issues\"]";
    let inventory = plain(text);
    assert_eq!((inventory.mode(), inventory.offers_code_mode()), (Mode::Compact, true));
    assert_eq!(direct(&inventory), ["github__issues", "read_file"]);
    assert_eq!(for_programs(&inventory), ALL, "what is hidden stays there for programs");
}

#[test]
fn a_compact_inventory_without_a_list_has_what_the_host_keeps_direct() {
    let agent = Agent { compact_direct: vec!["ask_user".to_owned()], ..Agent::default() };
    let direct = |text| direct(&inventory(text, Some(Mode::Compact), &agent).expect("an inventory"));
    assert_eq!(direct(""), ["ask_user"]);
    assert_eq!(direct("code_mode.direct = [\"read_file\"]"), ["read_file"]);
    assert_eq!(direct("code_mode.direct = []"), NONE);
}

#[test]
fn code_only_is_no_direct_tool_and_code_mode() {
    let inventory = inventory("", Some(Mode::CodeOnly), &Agent::default()).expect("an inventory");
    assert_eq!((inventory.mode(), inventory.offers_code_mode()), (Mode::CodeOnly, true));
    assert_eq!((direct(&inventory), for_programs(&inventory)), (Vec::new(), ALL.map(str::to_owned).to_vec()));
}

#[test]
fn the_invocation_says_which_inventory_it_is_before_the_settings_do() {
    let mode = |mode| inventory("code_mode.compact_direct_tools = true", mode, &Agent::default()).expect("an inventory").mode();
    assert_eq!((mode(None), mode(Some(Mode::Full)), mode(Some(Mode::CodeOnly))), (Mode::Compact, Mode::Full, Mode::CodeOnly));
}

#[test]
fn code_only_is_per_invocation_and_handed_on_to_agents_started_from_it() {
    let parent = inventory("", Some(Mode::CodeOnly), &Agent::default()).expect("an inventory");
    assert_eq!(parent.handed_on(), HandedOn { code_only: true });
    // The next invocation with the same settings knows nothing of it.
    assert_eq!((plain("").mode(), plain("").handed_on()), (Mode::Full, HandedOn { code_only: false }));

    let child = Agent { handed_on: parent.handed_on(), ..Agent::default() };
    for mode in [None, Some(Mode::Full), Some(Mode::Compact)] {
        let inventory = inventory("code_mode.compact_direct_tools = true", mode, &child).expect("an inventory");
        assert_eq!((inventory.mode(), inventory.handed_on()), (Mode::CodeOnly, HandedOn { code_only: true }), "{mode:?}");
    }
}

#[test]
fn an_agent_that_cannot_have_code_mode_keeps_its_tools_and_hands_code_only_on() {
    let handed_on = HandedOn { code_only: true };
    let inspecting = Agent { inspection_only: true, handed_on, ..Agent::default() };
    let inventory = inventory("", None, &inspecting).expect("an inventory");
    assert_eq!((inventory.mode(), direct(&inventory).len(), inventory.handed_on()), (Mode::Full, ALL.len(), handed_on));
}

#[test]
fn inspection_only_agents_never_get_code_mode() {
    let agent = Agent { inspection_only: true, ..Agent::default() };
    for text in ["", "code_mode.enabled = true", "[code_mode]\nenabled = true\ncompact_direct_tools = true"] {
        for value in [None, Some("1")] {
            let inventory = Inventory::new(&settings(text), None, &agent, &switch(value)).expect("an inventory");
            assert!(!inventory.offers_code_mode(), "{text} with {value:?}");
            // Nothing is hidden from an agent that could not reach it otherwise.
            assert_eq!(direct(&inventory), ALL);
            let message = inventory.may_run().expect_err("it is not offered").message;
            assert_eq!(message, "code mode is not offered here, and nothing was run: this agent may only inspect");
        }
    }
}

#[test]
fn code_mode_is_not_offered_without_native_tool_calling() {
    let agent = Agent { native_tool_calling: false, ..Agent::default() };
    let inventory = Inventory::new(&settings("code_mode.enabled = true"), None, &agent, &switch(Some("1"))).expect("an inventory");
    assert!(!inventory.offers_code_mode());
    assert_eq!(direct(&inventory), ALL);
    let message = inventory.may_run().expect_err("it is not offered").message;
    assert_eq!(message, "code mode is not offered here, and nothing was run: this model has no native tool calling");
}

#[test]
fn compact_needs_code_mode_and_disabling_it_says_so() {
    let message = |settings: &Settings, mode, agent: &Agent, value| {
        Inventory::new(settings, mode, agent, &switch(value)).expect_err("no code mode").to_string()
    };
    let compact = settings("[code_mode]\nenabled = false\ncompact_direct_tools = true");
    let agent = Agent::default();
    assert_eq!(
        message(&compact, None, &agent, None),
        "a compact inventory needs code mode, which is not offered: code_mode.enabled is false; set code_mode.enabled to true, or clear \
         code_mode.compact_direct_tools"
    );
    let off = Agent { code_mode_by_default: false, ..Agent::default() };
    assert_eq!(
        message(&settings("code_mode.compact_direct_tools = true"), None, &off, None),
        "a compact inventory needs code mode, which is not offered: it is off by default here, and code_mode.enabled is not set; set \
         code_mode.enabled to true, or clear code_mode.compact_direct_tools"
    );
    assert_eq!(
        message(&settings("code_mode.enabled = false"), Some(Mode::CodeOnly), &agent, None),
        "a code-only inventory needs code mode, which is not offered: code_mode.enabled is false; set code_mode.enabled to true, or choose \
         the full inventory"
    );
    assert_eq!(
        message(&settings(""), Some(Mode::Compact), &agent, Some("0")),
        "a compact inventory needs code mode, which is not offered: CODEMODE_CODE_MODE=0 turns it off for this process; unset the variable, \
         or choose the full inventory"
    );
    let textual = Agent { native_tool_calling: false, ..Agent::default() };
    assert_eq!(
        message(&settings(""), Some(Mode::CodeOnly), &textual, None),
        "a code-only inventory needs code mode, which is not offered: this model has no native tool calling; choose the full inventory"
    );
}

#[test]
fn the_variable_turns_code_mode_off_without_a_change_of_the_settings() {
    let compact = settings("code_mode.compact_direct_tools = true");
    let inventory = Inventory::new(&compact, None, &Agent::default(), &switch(Some("0"))).expect("an inventory");
    assert_eq!((inventory.offers_code_mode(), direct(&inventory)), (false, ALL.map(str::to_owned).to_vec()));
    let expected =
        "a compact inventory needs code mode, and CODEMODE_CODE_MODE=0 turns it off for this process: the model gets all direct tools";
    assert_eq!(inventory.warnings(), [expected]);
    assert_eq!(plain("").warnings(), NONE);
}

#[test]
fn plan_mode_refuses_code_mode_whole_and_names_how_to_leave() {
    let agent = Agent { plan_mode: Some("call exit_plan_mode".to_owned()), ..Agent::default() };
    let inventory = inventory("", None, &agent).expect("an inventory");
    assert!(inventory.offers_code_mode(), "it is there, and refuses");
    let fault = inventory.may_run().expect_err("plan mode");
    assert_eq!(fault.code, code::DENIED);
    assert_eq!(fault.message, "code mode is refused whole in plan mode, and nothing was run; to leave it, call exit_plan_mode");
    inventory.leave_plan_mode();
    assert_eq!(inventory.may_run(), Ok(()));
    inventory.enter_plan_mode("press\u{1b} shift+tab".to_owned() + &"!".repeat(500));
    let message = inventory.may_run().expect_err("plan mode again").message;
    let expected =
        format!("code mode is refused whole in plan mode, and nothing was run; to leave it, press\\u{{1b}} shift+tab{}…", "!".repeat(276));
    assert_eq!(message, expected);
}
