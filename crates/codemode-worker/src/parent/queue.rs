//! Who runs next: so many programs at once, and the others in the order in which they came.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::Thread;

use codemode_core::Guard;

/// The places in which programs run.
#[derive(Debug)]
pub(super) struct Queue(Mutex<Places>);

#[derive(Debug)]
struct Places {
    free: usize,
    waiting: VecDeque<(u64, Thread)>,
    last: u64,
}

/// A place, given back when it is dropped.
#[derive(Debug)]
pub(super) struct Place<'q>(&'q Queue);

impl Queue {
    pub(super) fn new(places: usize) -> Self {
        Self(Mutex::new(Places { free: places, waiting: VecDeque::new(), last: 0 }))
    }

    fn lock(&self) -> MutexGuard<'_, Places> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for a place. Nothing where the run was stopped meanwhile, for which its thread must be unparked.
    pub(super) fn enter(&self, guard: &Guard) -> Option<Place<'_>> {
        let mut places = self.lock();
        if places.free > 0 && places.waiting.is_empty() {
            places.free -= 1;
            return Some(Place(self));
        }
        places.last += 1;
        let ticket = places.last;
        places.waiting.push_back((ticket, std::thread::current()));
        loop {
            let is_first = places.waiting.front().is_some_and(|(first, _)| *first == ticket);
            let stopped = guard.stopped();
            if stopped || (is_first && places.free > 0) {
                places.waiting.retain(|(other, _)| *other != ticket);
                if !stopped {
                    places.free -= 1;
                }
                call_first(&places);
                return (!stopped).then(|| Place(self));
            }
            drop(places);
            std::thread::park();
            places = self.lock();
        }
    }

    /// How many programs wait for a place.
    #[cfg(test)]
    pub(super) fn waiting(&self) -> usize {
        self.lock().waiting.len()
    }
}

fn call_first(places: &Places) {
    if places.free > 0
        && let Some((_, thread)) = places.waiting.front()
    {
        thread.unpark();
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        let mut places = self.0.lock();
        places.free += 1;
        call_first(&places);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use codemode_core::Bound;
    use std::sync::Arc;
    use std::sync::mpsc::channel;

    #[test]
    fn places_are_given_in_the_order_in_which_they_were_asked_for() {
        let queue = Arc::new(Queue::new(1));
        let held = queue.enter(&Guard::new()).expect("a free place");
        let (told, tells) = channel();
        let threads: Vec<_> = (0..5)
            .map(|number| {
                let (queue, told) = (Arc::clone(&queue), told.clone());
                let thread = std::thread::spawn({
                    let queue = Arc::clone(&queue);
                    move || {
                        let place = queue.enter(&Guard::new());
                        told.send(number).expect("it is listened to");
                        drop(place);
                    }
                });
                while queue.waiting() <= number {
                    std::thread::yield_now();
                }
                thread
            })
            .collect();
        drop(held);
        assert_eq!(tells.iter().take(5).collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
        for thread in threads {
            thread.join().expect("it ends");
        }
    }

    #[test]
    fn who_is_stopped_waits_no_longer_and_is_in_nobodys_way() {
        let queue = Arc::new(Queue::new(1));
        let held = queue.enter(&Guard::new()).expect("a free place");
        let guard = Guard::new();
        let stopped = std::thread::spawn({
            let (queue, guard) = (Arc::clone(&queue), Arc::clone(&guard));
            move || queue.enter(&guard).is_none()
        });
        while queue.waiting() == 0 {
            std::thread::yield_now();
        }
        guard.fire(Bound::Interrupted, 0);
        stopped.thread().unpark();
        assert!(stopped.join().expect("it ends"));
        assert_eq!(queue.waiting(), 0);
        drop(held);
        assert!(queue.enter(&Guard::new()).is_some());
    }
}
