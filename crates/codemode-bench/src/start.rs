//! The cost of a run that does nothing: `return 1` on an interpreter of its own, with thirty tools to call.

use crate::bare;
use crate::figure::{Figure, Gate};
use crate::ours::Ours;
use crate::turns::minima;

/// Runs in one measurement, so that the clock's grain does not show.
const RUNS: u32 = 50;

pub(crate) fn luajit(turns: u32) -> Figure {
    measure(&Ours::luajit(), bare::luajit, turns, 1.5)
}

pub(crate) fn quickjs(turns: u32) -> Figure {
    measure(&Ours::quickjs(), bare::quickjs_with_tools, turns, 1.4)
}

fn measure(ours: &Ours, bare: fn(&'static str), turns: u32, most: f64) -> Figure {
    assert_eq!(ours.gives("return 1"), "1");
    let repeated = |work: &dyn Fn()| (0..RUNS).for_each(|_| work());
    let (least, least_bare) = minima(turns, || repeated(&|| drop(ours.run("return 1"))), || repeated(&|| bare("return 1")));
    Figure::new("start", ours.engine, (least / RUNS, least_bare / RUNS), Gate::Ratio(most))
}
