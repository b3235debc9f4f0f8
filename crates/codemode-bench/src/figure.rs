//! One figure of the table: ours, what it is compared with, and the gate.

use std::fmt;
use std::time::Duration;

use serde::Serialize;

/// How ours may compare with bare.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Gate {
    /// At most this many times as much.
    Ratio(f64),
    /// At most this many units more.
    Over(f64),
    /// At most this many units, whatever bare is.
    Most(f64),
}

/// Ours and bare, in one unit.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Figure {
    name: String,
    engine: &'static str,
    unit: &'static str,
    ours: f64,
    bare: f64,
    ratio: f64,
    gate: Gate,
}

impl Figure {
    pub(crate) const HEADER: &'static str = "workload            engine          ours         bare unit    ratio   gate";

    /// Times, in microseconds.
    pub(crate) fn new(name: impl Into<String>, engine: &'static str, (ours, bare): (Duration, Duration), gate: Gate) -> Self {
        Self::of(name, engine, "us", (ours.as_secs_f64() * 1e6, bare.as_secs_f64() * 1e6), gate)
    }

    /// Memory, in KiB.
    pub(crate) fn memory(name: impl Into<String>, engine: &'static str, (ours, bare): (u64, u64), gate: Gate) -> Self {
        #[expect(clippy::cast_precision_loss, reason = "KiB of one process are far below what an f64 holds exactly")]
        let (ours, bare) = (ours as f64, bare as f64);
        Self::of(name, engine, "KiB", (ours, bare), gate)
    }

    fn of(name: impl Into<String>, engine: &'static str, unit: &'static str, (ours, bare): (f64, f64), gate: Gate) -> Self {
        Self { name: name.into(), engine, unit, ours, bare, ratio: ours / bare, gate }
    }

    pub(crate) fn passes(&self) -> bool {
        match self.gate {
            Gate::Ratio(most) => self.ratio <= most,
            Gate::Over(most) => self.ours - self.bare <= most,
            Gate::Most(most) => self.ours <= most,
        }
    }
}

impl fmt::Display for Figure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, engine, unit, ours, bare, ratio, .. } = self;
        write!(formatter, "{name:<20}{engine:<8}{ours:>12.2}{bare:>13.2} {unit:<4}{ratio:>9.3}   ")?;
        match self.gate {
            Gate::Ratio(most) => write!(formatter, "{most}x")?,
            Gate::Over(most) => write!(formatter, "+{most} {unit} (is {:+.2})", ours - bare)?,
            Gate::Most(most) => write!(formatter, "{most} {unit}")?,
        }
        formatter.write_str(if self.passes() { " ok" } else { " MISSED" })
    }
}
