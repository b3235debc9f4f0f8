//! The envelope of every outcome: its JSON and its text, made steady, and what must hold whatever the program did.

use codemode_core::{Bound, CallStatus, Effects, Failure, MESSAGE_BYTES, Outcome, SHOWN_CALLS, Status, TRACEBACK_BYTES};
use serde_json::{Value, json};

use crate::observed::TOOL;

/// The keys of the JSON form, in their order.
const KEYS: &[&str] = &[
    "status",
    "value",
    "output",
    "failure",
    "effects",
    "calls",
    "calls_omitted",
    "usage",
    "warnings",
    "spill",
    "state_committed",
    "run",
    "engine",
    "profile",
    "intent",
    "evidence",
    "recovery",
    "context",
    "content",
    "parked",
];

/// The most bytes of text besides the output that is shown: failure, ledger, warnings and context each have limits of their own.
const TEXT_BESIDES_OUTPUT: usize = 256 << 10;

pub(crate) fn word(effects: Effects) -> &'static str {
    match effects {
        Effects::None => "none",
        Effects::Some => "some",
        Effects::Unknown => "unknown",
    }
}

/// The text with `{compute}` for the seconds in its first line.
pub(crate) fn steady_text(text: &str) -> String {
    let (header, rest) = text.split_at(text.find('\n').unwrap_or(text.len()));
    let steady = header.strip_suffix("s compute)").and_then(|start| start.rsplit_once(", "));
    match steady {
        Some((start, seconds)) if seconds.parse::<f64>().is_ok() => format!("{start}, {{compute}}s compute){rest}"),
        _ => text.to_owned(),
    }
}

/// The JSON, indented, with a name in braces for what differs from run to run.
pub(crate) fn steady_json(text: &str) -> Result<String, serde_json::Error> {
    let mut tree: Value = serde_json::from_str(text)?;
    for (pointer, name) in [
        ("/usage/compute_ms", "{ms}"),
        ("/usage/wall_ms", "{ms}"),
        ("/evidence/elapsed_ms", "{ms}"),
        ("/usage/memory_peak_bytes", "{bytes}"),
        ("/run", "{run}"),
        ("/engine", "{engine}"),
    ] {
        steady(&mut tree, pointer, name);
    }
    // It stands where the program had a process of its own.
    if let Some(usage) = tree.pointer_mut("/usage").and_then(Value::as_object_mut) {
        usage.remove("processor_ms");
    }
    let measured = matches!(tree.pointer("/failure/bound").and_then(Value::as_str), Some("compute" | "wall" | "memory"));
    if measured {
        steady(&mut tree, "/failure/observed", "{observed}");
    }
    for call in tree["calls"].as_array_mut().into_iter().flatten() {
        steady(call, "/ms", "{ms}");
    }
    serde_json::to_string_pretty(&tree)
}

fn steady(tree: &mut Value, pointer: &str, name: &str) {
    if let Some(place) = tree.pointer_mut(pointer) {
        *place = json!(name);
    }
}

/// What must hold for every outcome, and does not for this one.
pub(crate) fn broken_promises(outcome: &Outcome) -> Vec<String> {
    let mut broken = Vec::new();
    let mut hold = |holds: bool, promise: &str| {
        if !holds {
            broken.push(promise.to_owned());
        }
    };
    let tree: Value = serde_json::from_str(&outcome.to_json()).unwrap_or_default();
    let keys: Vec<&str> = tree.as_object().into_iter().flat_map(|map| map.keys().map(String::as_str)).collect();
    hold(keys == KEYS, "the keys of the json are the documented ones, in order");
    hold(tree["status"] == outcome.status.as_str(), "json and outcome have one status");
    let records = outcome.ledger.records();
    let shown = tree["calls"].as_array().map_or(&[][..], Vec::as_slice);
    hold(shown.len() == records.len().min(SHOWN_CALLS), "at most 100 calls are in the json");
    hold(tree["calls_omitted"] == records.len() - shown.len(), "the calls that are left out are counted");
    let troubled = records.iter().filter(|record| record.status != CallStatus::Ok).count();
    let troubled_shown = shown.iter().filter(|call| call["status"] != "ok").count();
    hold(troubled_shown == troubled.min(SHOWN_CALLS), "failures and unknowns are shown first");
    hold(records.iter().zip(1..).all(|(record, seq)| record.seq == seq), "calls are numbered from 1, in order");
    hold(outcome.usage.calls == records.len() as u64, "usage counts every call of the ledger");
    hold(outcome.usage.output_bytes == outcome.output.len() as u64, "usage counts what was held of the output");
    hold(outcome.usage.wall >= outcome.usage.compute, "no more was computed than time went by");
    let text = outcome.to_text(TOOL);
    let expected = match &outcome.failure {
        None => format!("{TOOL} ok ("),
        Some(failure) => format!("{TOOL} {}: ", failure.kind),
    };
    hold(text.starts_with(&expected), "the header names the kind");
    hold(text.len() as u64 <= outcome.shown_bytes + TEXT_BESIDES_OUTPUT as u64, "the text for a model is bounded");
    match (&outcome.status, &outcome.failure) {
        (Status::Ok, None) => {}
        (Status::Failed(kind), Some(failure)) if *kind == failure.kind => broken.extend(broken_by(failure, outcome)),
        _ => broken.push("status and failure agree".to_owned()),
    }
    broken
}

fn broken_by(failure: &Failure, outcome: &Outcome) -> Option<String> {
    let within = failure.message.len() <= MESSAGE_BYTES && failure.traceback.as_ref().is_none_or(|text| text.len() <= TRACEBACK_BYTES);
    let spent = match failure.bound {
        Some(Bound::Compute) => outcome.usage.compute.as_millis() >= u128::from(failure.limit.unwrap_or_default()),
        Some(Bound::Wall) => outcome.usage.wall.as_millis() >= u128::from(failure.limit.unwrap_or_default()),
        _ => true,
    };
    match (within, spent) {
        (false, _) => Some("message and traceback are bounded".to_owned()),
        (_, false) => Some("a clock that ran out was used up".to_owned()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_differs_from_run_to_run_is_replaced() {
        assert_eq!(
            steady_text("run_code ok (1 tool call, 0.42s compute)\n\noutput:\nx, 1s compute)"),
            "run_code ok (1 tool call, {compute}s compute)\n\noutput:\nx, 1s compute)"
        );
        assert_eq!(
            steady_text("run_code error: the program raised (after 0 tool calls)"),
            "run_code error: the program raised (after 0 tool calls)"
        );
        let json =
            r#"{"failure":{"observed":65,"bound":"calls"},"calls":[{"seq":1,"ms":3}],"usage":{"compute_ms":2,"processor_ms":1},"run":"x"}"#;
        let steady = steady_json(json).expect("valid");
        let expected =
            r#"{"failure":{"observed":65,"bound":"calls"},"calls":[{"seq":1,"ms":"{ms}"}],"usage":{"compute_ms":"{ms}"},"run":"{run}"}"#;
        let tree = |text: &str| serde_json::from_str::<Value>(text).expect("valid");
        assert_eq!(tree(&steady), tree(expected));
    }
}
