//! One figure of the table: ours, the bare engine's, and the gate.

use std::fmt;
use std::time::Duration;

use serde::Serialize;

/// How ours may compare with bare.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Gate {
    /// At most this many times as long.
    Ratio(f64),
    /// At most this many microseconds longer.
    OverMicros(f64),
}

/// Ours and bare, in microseconds, minima of many turns.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Figure {
    name: String,
    engine: &'static str,
    ours_us: f64,
    bare_us: f64,
    ratio: f64,
    gate: Gate,
}

impl Figure {
    pub(crate) const HEADER: &'static str = "workload            engine      ours us      bare us    ratio   gate";

    pub(crate) fn new(name: impl Into<String>, engine: &'static str, (ours, bare): (Duration, Duration), gate: Gate) -> Self {
        let (ours_us, bare_us) = (ours.as_secs_f64() * 1e6, bare.as_secs_f64() * 1e6);
        Self { name: name.into(), engine, ours_us, bare_us, ratio: ours_us / bare_us, gate }
    }

    pub(crate) fn passes(&self) -> bool {
        match self.gate {
            Gate::Ratio(most) => self.ratio <= most,
            Gate::OverMicros(most) => self.ours_us - self.bare_us <= most,
        }
    }
}

impl fmt::Display for Figure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, engine, ours_us, bare_us, ratio, .. } = self;
        write!(formatter, "{name:<20}{engine:<8}{ours_us:>11.2}{bare_us:>13.2}{ratio:>9.3}   ")?;
        match self.gate {
            Gate::Ratio(most) => write!(formatter, "{most}x")?,
            Gate::OverMicros(most) => write!(formatter, "+{most} us (is {:+.2})", ours_us - bare_us)?,
        }
        formatter.write_str(if self.passes() { " ok" } else { " MISSED" })
    }
}
