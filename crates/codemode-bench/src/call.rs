//! The cost of one tool call, against a bare hop from a thread to a task and back.

use std::sync::{Arc, Condvar, Mutex};

use tokio::sync::mpsc;

use crate::figure::{Figure, Gate};
use crate::ours::Ours;
use crate::turns::minima;

/// Calls in one run.
pub(crate) const CALLS: u32 = 2000;

/// Calls a tool so often, in JavaScript.
pub(crate) const CALLING: &str = "const text = 'x'.repeat(80); for (let i = 0; i < 2000; i++) await tools.echo({ text }); return 1";
/// The same without the calls.
pub(crate) const NOT_CALLING: &str = "const text = 'x'.repeat(80); for (let i = 0; i < 2000; i++) await { text }; return 1";

pub(crate) fn luajit(turns: u32) -> Figure {
    let calling = "local text = ('x'):rep(80) for i = 1, 2000 do tool.echo{text = text} end return 1";
    let not_calling = "local text = ('x'):rep(80) for i = 1, 2000 do local _ = {text = text} end return 1";
    measure(&Ours::luajit(), calling, not_calling, turns)
}

pub(crate) fn quickjs(turns: u32) -> Figure {
    measure(&Ours::quickjs(), CALLING, NOT_CALLING, turns)
}

fn measure(ours: &Ours, calling: &str, not_calling: &str, turns: u32) -> Figure {
    assert_eq!(ours.run(calling).ledger.len(), CALLS as usize);
    let hops = || hop(CALLS);
    let (least, least_bare) = minima(turns, || drop(ours.run(calling)), hops);
    let (empty, _) = minima(turns, || drop(ours.run(not_calling)), || ());
    Figure::new("call", ours.engine, (least.saturating_sub(empty) / CALLS, least_bare / CALLS), Gate::Over(4.0))
}

/// The least that a call can be: a thread asks a task, and sleeps until the task has answered.
fn hop(count: u32) {
    let (ask, mut asked) = mpsc::unbounded_channel::<u32>();
    let answer = Arc::new((Mutex::new(None::<u32>), Condvar::new()));
    let place = Arc::clone(&answer);
    let thread = std::thread::spawn(move || {
        for number in 0..count {
            ask.send(number).expect("the task listens");
            let mut got = place.0.lock().expect("not poisoned");
            while got.take().is_none() {
                got = place.1.wait(got).expect("not poisoned");
            }
        }
    });
    let tokio = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    tokio.block_on(async {
        while let Some(number) = asked.recv().await {
            *answer.0.lock().expect("not poisoned") = Some(number);
            answer.1.notify_one();
        }
    });
    thread.join().expect("no panic");
}
