//! The schedule of calls: submission order, overlap for tools that allow it, barriers around those that do not.

use std::collections::VecDeque;

/// Waiting calls, and how many are out. `T` is whatever a caller keeps of a call.
#[derive(Debug)]
pub(super) struct Schedule<T> {
    waiting: VecDeque<(T, bool)>,
    width: usize,
    out: usize,
    alone: bool,
}

impl<T> Schedule<T> {
    /// `width` calls may be out at once; one means serial.
    pub(super) fn new(width: usize) -> Self {
        Self { waiting: VecDeque::new(), width: width.max(1), out: 0, alone: false }
    }

    pub(super) fn submit(&mut self, call: T, parallel: bool) {
        self.waiting.push_back((call, parallel));
    }

    /// The next call that may start now. Each one given is out until [`Schedule::ended`].
    pub(super) fn start(&mut self) -> Option<T> {
        let (_, parallel) = self.waiting.front()?;
        let may = !self.alone && self.out < self.width && (*parallel || self.out == 0);
        if !may {
            return None;
        }
        let (call, parallel) = self.waiting.pop_front()?;
        self.out += 1;
        self.alone = !parallel;
        Some(call)
    }

    /// A call that was out has ended.
    pub(super) fn ended(&mut self) {
        self.out = self.out.saturating_sub(1);
        self.alone = false;
    }

    /// Nothing that is out is awaited any more.
    pub(super) fn abandon(&mut self) {
        self.out = 0;
        self.alone = false;
    }

    /// How many calls are out.
    pub(super) fn out(&self) -> usize {
        self.out
    }

    /// Drops what was not started.
    pub(super) fn drop_waiting(&mut self) -> impl Iterator<Item = T> + '_ {
        self.waiting.drain(..).map(|(call, _)| call)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start_all(schedule: &mut Schedule<&'static str>) -> Vec<&'static str> {
        std::iter::from_fn(|| schedule.start()).collect()
    }

    #[test]
    fn a_sequential_call_waits_runs_alone_and_holds_back_the_rest() {
        let mut schedule = Schedule::new(4);
        for (name, parallel) in [("a", true), ("b", true), ("C", false), ("d", true)] {
            schedule.submit(name, parallel);
        }
        assert_eq!(start_all(&mut schedule), ["a", "b"]);
        schedule.ended();
        assert_eq!(start_all(&mut schedule), Vec::<&str>::new());
        schedule.ended();
        assert_eq!(start_all(&mut schedule), ["C"]);
        schedule.ended();
        assert_eq!(start_all(&mut schedule), ["d"]);
    }

    #[test]
    fn width_bounds_what_is_out_and_one_is_serial() {
        let mut schedule = Schedule::new(1);
        schedule.submit("a", true);
        schedule.submit("b", true);
        assert_eq!(start_all(&mut schedule), ["a"]);
        assert_eq!(schedule.drop_waiting().collect::<Vec<_>>(), ["b"]);
    }
}
