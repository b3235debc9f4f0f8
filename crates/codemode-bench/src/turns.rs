//! Measuring in turns: each side once, then again, so that a busy moment hits both.

use std::time::{Duration, Instant};

/// The minima of `ours` and `bare`, measured alternately after one turn that does not count.
pub(crate) fn minima(turns: u32, mut ours: impl FnMut(), mut bare: impl FnMut()) -> (Duration, Duration) {
    ours();
    bare();
    let mut least = (Duration::MAX, Duration::MAX);
    for _ in 0..turns {
        least.0 = least.0.min(time(&mut ours));
        least.1 = least.1.min(time(&mut bare));
    }
    least
}

fn time(work: &mut impl FnMut()) -> Duration {
    let began = Instant::now();
    work();
    began.elapsed()
}
