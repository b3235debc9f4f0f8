//! Fifty tools of 20 ms at once, against one sleep of 20 ms.

use crate::figure::{Figure, Gate};
use crate::ours::{NAP, Ours};
use crate::turns::minima;

pub(crate) fn quickjs(turns: u32) -> Figure {
    let ours = Ours::quickjs();
    let napping = "return (await Promise.all(Array.from({ length: 50 }, () => tools.nap({})))).length";
    assert_eq!(ours.gives(napping), "50");
    let measured = minima(turns, || drop(ours.run(napping)), || std::thread::sleep(NAP));
    Figure::new("fifty at once", ours.engine, measured, Gate::Over(10_000.0))
}
