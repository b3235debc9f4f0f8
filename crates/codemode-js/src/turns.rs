//! The job loop of a run: jobs, answers and timers, one after the other, until what is waited for has settled.

use codemode_core::{Handle, Next};

use crate::local::{Desk, settle_local};
use crate::realm::{Halt, Promised, Realm, Thrown};
use crate::sdk::settle;

/// Why the loop ended before what it waited for.
pub(crate) enum Stuck {
    /// The run is over.
    Halt,
    /// Nothing can settle it: no job, no call, no timer is left.
    Never,
}

impl From<Halt> for Stuck {
    fn from(_: Halt) -> Self {
        Self::Halt
    }
}

/// Turns until a promise has settled, and gives its value or its reason.
pub(crate) fn until_settled<R: Realm>(realm: &R, handle: &Handle, promise: &R::Value) -> Result<Result<R::Value, R::Value>, Stuck> {
    realm.run_jobs()?;
    loop {
        match realm.promised(promise) {
            Promised::Fulfilled(value) => return Ok(Ok(value)),
            Promised::Rejected(reason) => return Ok(Err(reason)),
            Promised::Pending => {}
        }
        if !turn(realm, handle, true)? {
            return Err(Stuck::Never);
        }
    }
}

/// Fires the timers that are still set once the program has ended; those that they set too. Intervals would never end: they are
/// cleared, and the reader is told.
pub(crate) fn drain_timers<R: Realm>(realm: &R, handle: &Handle) -> Result<(), Halt> {
    realm.run_jobs()?;
    loop {
        let cleared = realm.shared().timers().borrow_mut().clear_intervals();
        match cleared.len() {
            0 => {}
            1 => realm.shared().warn("an interval was still set when the program had ended, and was cleared".to_owned()),
            count => realm.shared().warn(format!("{count} intervals were still set when the program had ended, and were cleared")),
        }
        drop(cleared);
        let awaits = realm.shared().with(|run| run.local.as_ref().is_some_and(Desk::is_awaited)).unwrap_or_default();
        if (realm.shared().timers().borrow().is_empty() && !awaits) || !turn(realm, handle, false)? {
            return Ok(());
        }
    }
}

/// One turn: waits for the next answer or the first timer, and lets the program go on. False where there is nothing to wait for.
fn turn<R: Realm>(realm: &R, handle: &Handle, for_calls: bool) -> Result<bool, Halt> {
    let until = realm.shared().timers().borrow().wait_until(handle);
    // What was done before the wait began is not waited for.
    if settle_local(realm)? {
        return Ok(true);
    }
    let is_out = realm.shared().with(|run| match &run.local {
        Some(desk) if desk.is_awaited() || (for_calls && desk.is_out()) => true,
        _ => for_calls && !run.calls.is_empty(),
    });
    if until.is_none() && !is_out.unwrap_or_default() {
        return Ok(false);
    }
    match handle.next(until) {
        Next::Answer(delivered) => {
            settle(realm, delivered)?;
            realm.run_jobs()?;
        }
        Next::Due => fire_timers(realm, handle)?,
        Next::Woken => {
            settle_local(realm)?;
        }
        Next::Stopped => return Err(Halt),
    }
    Ok(true)
}

/// Fires the timers that are due. Those that they set wait for the next turn, so that answers get their turn as well. What a
/// callback throws ends nothing but the callback, as a rejection that nobody handles: the reader is told.
fn fire_timers<R: Realm>(realm: &R, handle: &Handle) -> Result<(), Halt> {
    let due = realm.shared().timers().borrow().due(handle);
    for number in due {
        let timer = realm.shared().timers().borrow_mut().fire(handle, number);
        // One that went before may have cleared it.
        let Some((callback, arguments)) = timer else { continue };
        match realm.call(&callback, &realm.undefined(), &arguments) {
            Ok(_) => {}
            Err(Thrown::Value(value)) => realm.shared().threw_in_timer(value),
            Err(Thrown::Halt) => return Err(Halt),
        }
        realm.run_jobs()?;
    }
    Ok(())
}
