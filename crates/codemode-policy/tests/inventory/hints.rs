//! Hints: when there is one, what it says, and when there is none.

use codemode_core::{Annotations, ToolSpec};
use codemode_policy::{Agent, Hint, HintReason, Hints};

use crate::desk::{inventory, plain};

fn reading(name: &str) -> ToolSpec {
    ToolSpec::new(name).with_annotations(Annotations::read_only())
}

fn editing(name: &str) -> ToolSpec {
    ToolSpec::new(name).with_annotations(Annotations { read_only: Some(false), edits_files: Some(true), ..Annotations::default() })
}

fn of_server(name: &str) -> ToolSpec {
    ToolSpec::new(format!("files__{name}")).in_namespace("files", name)
}

/// The calls, from 1, after which there was a hint.
fn hinted(hints: &mut Hints, calls: &[(ToolSpec, usize)]) -> Vec<(usize, HintReason)> {
    let mut found = Vec::new();
    for (place, (tool, bytes)) in calls.iter().enumerate() {
        found.extend(hints.direct_call(tool, *bytes).map(|hint| (place + 1, hint.reason)));
    }
    found
}

fn calls(tools: &[ToolSpec]) -> Vec<(ToolSpec, usize)> {
    tools.iter().map(|tool| (tool.clone(), 10)).collect()
}

#[test]
fn six_mechanical_calls_of_any_kind_are_hinted_at() {
    let six = [reading("a"), editing("b"), of_server("c"), reading("a"), editing("b"), of_server("c"), reading("d")];
    assert_eq!(hinted(&mut Hints::new(true), &calls(&six)), [(6, HintReason::MechanicalCalls(6))]);
    assert_eq!(hinted(&mut Hints::new(true), &calls(&six[..5])), []);
}

#[test]
fn four_calls_of_one_mechanical_tool_are_hinted_at() {
    let four = [reading("a"), editing("b"), reading("a"), reading("a"), reading("a")];
    let reason = HintReason::CallsOfOneTool { tool: "a".into(), calls: 4 };
    assert_eq!(hinted(&mut Hints::new(true), &calls(&four)), [(5, reason)]);
}

#[test]
fn so_many_bytes_of_output_are_hinted_at_and_not_one_less() {
    let other = ToolSpec::new("execute");
    let reason = HintReason::OutputBytes(65_536);
    assert_eq!(hinted(&mut Hints::new(true), &[(other.clone(), 65_535), (other.clone(), 1)]), [(2, reason)]);
    assert_eq!(hinted(&mut Hints::new(true), &[(other.clone(), 65_535), (other.clone(), 0)]), []);
    let reason = HintReason::OutputBytes(usize::MAX);
    assert_eq!(hinted(&mut Hints::new(true), &[(other.clone(), 1), (other, usize::MAX)]), [(2, reason)]);
}

#[test]
fn other_tools_are_not_mechanical() {
    let writing = ToolSpec::new("b").with_annotations(Annotations { read_only: Some(false), ..Annotations::default() });
    let many: Vec<_> = (0..20).map(|place| if place % 2 == 0 { ToolSpec::new("a") } else { writing.clone() }).collect();
    assert_eq!(hinted(&mut Hints::new(true), &calls(&many)), []);
    // Any tool of a server is, whatever it says about itself.
    let server = of_server("x").with_annotations(Annotations { destructive: Some(true), ..Annotations::default() });
    let reason = HintReason::CallsOfOneTool { tool: "files__x".into(), calls: 4 };
    assert_eq!(hinted(&mut Hints::new(true), &calls(&vec![server; 4])), [(4, reason)]);
}

#[test]
fn there_is_at_most_one_hint_a_turn_and_counts_begin_anew() {
    let mut hints = Hints::new(true);
    assert_eq!(hinted(&mut hints, &calls(&vec![reading("a"); 50])).len(), 1);
    hints.turn_started();
    assert_eq!(hinted(&mut hints, &calls(&vec![reading("a"); 3])), []);
    hints.turn_started();
    assert_eq!(hinted(&mut hints, &calls(&vec![reading("a"); 3])), [], "three and three in two turns are not six");
    assert_eq!(hinted(&mut hints, &calls(&[reading("a")])).len(), 1);
}

#[test]
fn hints_are_silent_after_code_mode_was_used() {
    let mut hints = Hints::new(true);
    assert_eq!(hinted(&mut hints, &calls(&vec![reading("a"); 3])), []);
    hints.code_mode_used();
    assert_eq!(hinted(&mut hints, &calls(&vec![reading("a"); 50])), []);
    hints.turn_started();
    assert_eq!(hinted(&mut hints, &calls(&vec![reading("a"); 50])), [], "the model knows code mode by now");
}

#[test]
fn nudges_off_silences_them_and_leaves_code_mode_on() {
    let inventory = plain("code_mode.nudges_enabled = false");
    assert!(inventory.offers_code_mode());
    assert_eq!(hinted(&mut inventory.hints(), &calls(&vec![reading("a"); 50])), []);
    assert_eq!(hinted(&mut plain("").hints(), &calls(&vec![reading("a"); 50])).len(), 1);
}

#[test]
fn an_agent_without_code_mode_gets_no_hints() {
    assert_eq!(hinted(&mut plain("code_mode.enabled = false").hints(), &calls(&vec![reading("a"); 50])), []);
    let inspecting = Agent { inspection_only: true, ..Agent::default() };
    let inventory = inventory("", None, &inspecting).expect("an inventory");
    assert_eq!(hinted(&mut inventory.hints(), &calls(&vec![reading("a"); 50])), []);
}

#[test]
fn a_hint_is_a_message_of_its_own_that_can_be_recorded() {
    let last = |tool: ToolSpec, count: usize, bytes: usize| {
        let mut hints = Hints::new(true);
        (0..count).filter_map(|_| hints.direct_call(&tool, bytes)).next_back().expect("a hint")
    };
    let end = "where the next steps are mechanical, one program in run_code can make such calls together and return only what matters";
    let hint = last(reading("read_file"), 4, 10);
    assert_eq!(hint.message, format!("4 calls of read_file in this turn: {end}"));
    let recorded = serde_json::to_string(&hint).expect("JSON");
    assert_eq!(serde_json::from_str::<Hint>(&recorded).expect("a hint"), hint, "a replay has the same");
    assert_eq!(last(ToolSpec::new("execute"), 2, 40_000).message, format!("80000 bytes of tool output in this turn: {end}"));
    let hostile = last(reading(&format!("a\u{1b}\n{}", "x".repeat(500))), 4, 0);
    assert_eq!(hostile.message, format!("4 calls of a\\u{{1b}}\\n{}… in this turn: {end}", "x".repeat(108)));
    let mut hints = Hints::new(true);
    let six = ["a", "b", "c", "d", "e", "f"].into_iter().filter_map(|name| hints.direct_call(&reading(name), 1)).next().expect("a hint");
    assert_eq!(six.message, format!("6 mechanical tool calls in this turn: {end}"));
}
