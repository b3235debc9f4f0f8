//! The budgets that a case sets, over those of its profile.

use codemode_core::Budgets;
use serde::Deserialize;

use crate::quantity::{Size, Time};

/// Budgets by their names in core; one that is absent is the profile's.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Limits {
    pub(crate) source: Option<Size>,
    compute: Option<Time>,
    wall: Option<Time>,
    memory_bytes: Option<Size>,
    stack_bytes: Option<Size>,
    calls: Option<u64>,
    calls_in_flight: Option<u64>,
    call_arguments_bytes: Option<Size>,
    call_result_bytes: Option<Size>,
    total_result_bytes: Option<Size>,
    value: Option<Size>,
    output: Option<Size>,
    shown_bytes: Option<Size>,
    state_bytes: Option<Size>,
    state_depth: Option<u64>,
    state_nodes: Option<u64>,
}

impl Limits {
    /// `base` with what the case sets.
    pub(crate) fn over(&self, base: Budgets) -> Budgets {
        let size = |set: Option<Size>, base: u64| set.map_or(base, |size| size.0);
        Budgets {
            source: size(self.source, base.source),
            compute: self.compute.map_or(base.compute, |time| time.0),
            wall: self.wall.map_or(base.wall, |time| time.0),
            memory_bytes: size(self.memory_bytes, base.memory_bytes),
            stack_bytes: size(self.stack_bytes, base.stack_bytes),
            calls: self.calls.unwrap_or(base.calls),
            calls_in_flight: self.calls_in_flight.unwrap_or(base.calls_in_flight),
            call_arguments_bytes: size(self.call_arguments_bytes, base.call_arguments_bytes),
            call_result_bytes: size(self.call_result_bytes, base.call_result_bytes),
            total_result_bytes: size(self.total_result_bytes, base.total_result_bytes),
            value: size(self.value, base.value),
            output: size(self.output, base.output),
            shown_bytes: size(self.shown_bytes, base.shown_bytes),
            state_bytes: size(self.state_bytes, base.state_bytes),
            state_depth: self.state_depth.unwrap_or(base.state_depth),
            state_nodes: self.state_nodes.unwrap_or(base.state_nodes),
            ..base
        }
    }
}
