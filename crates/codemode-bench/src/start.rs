//! The cost of a run that does nothing: `return 1` on an interpreter of its own.

use crate::figure::{Figure, Gate};
use crate::host::{Ours, bare};
use crate::turns::minima;

/// Runs in one measurement, so that the clock's grain does not show.
const RUNS: u32 = 50;

pub(crate) fn measure(turns: u32) -> Figure {
    let ours = Ours::new();
    assert_eq!(ours.run("return 1").output, "1");
    let repeated = |work: &dyn Fn()| (0..RUNS).for_each(|_| work());
    let (least, least_bare) = minima(turns, || repeated(&|| drop(ours.run("return 1"))), || repeated(&|| bare("return 1")));
    Figure::new("start", least / RUNS, least_bare / RUNS, Gate::Ratio(1.5))
}
