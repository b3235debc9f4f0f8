//! The matcher stops where its budget says so, within a bounded number of steps, and does nothing more after that.

use codemode_core::Stopped;

use super::super::meter::STEPS_BETWEEN_QUESTIONS;
use super::super::{Caret, Halt, Iteration, Meter, Output, Pattern, PatternFault, Substitution, Template, find_plain};

/// The most steps that are told at one question: those between two, and one block of bytes.
const MOST_AT_ONCE: u64 = STEPS_BETWEEN_QUESTIONS + 2048;

/// A budget that says yes so many times, and what it was told.
fn budget(questions: usize, told: &mut Vec<u64>) -> impl FnMut(u64) -> Result<(), Stopped> {
    move |steps| {
        told.push(steps);
        if told.len() > questions { Err(Stopped) } else { Ok(()) }
    }
}

/// Searches under a budget of a thousand questions, and expects to be stopped by it.
fn expect_stop(subject: &[u8], pattern: &[u8]) {
    let mut told = Vec::new();
    let mut budget = budget(1000, &mut told);
    let pattern = Pattern::new(pattern, Caret::Anchors);
    let stopped = pattern.over(subject).search(0, &mut Meter::new(&mut budget)).map(|found| found.is_some());
    drop(budget);
    assert_eq!(stopped, Err(Halt::Stopped));
    assert_eq!(told.len(), 1001, "it is asked until it says no");
    assert!(told.iter().all(|steps| (STEPS_BETWEEN_QUESTIONS..=MOST_AT_ONCE).contains(steps)), "{told:?}");
}

#[test]
fn patterns_that_never_end_are_stopped() {
    let many = |count| "a".repeat(count).into_bytes();
    expect_stop(&many(30), &[b"a?".repeat(30), many(30)].concat());
    expect_stop(&many(5000), b".-.-.-.-b");
    expect_stop(&many(3000), b".-.-.-b");
    expect_stop(&many(3000), b"(a*)(a*)(a*)%1b");
    expect_stop(&many(3000), b"^(.-)(.*)(.+)%2b");
    expect_stop(&b"(".repeat(1_000_000), b"%b()");
    expect_stop(&many(1 << 24), b"b");
    expect_stop(&many(1 << 24), b"^a*$");
    expect_stop(&many(1 << 24), b"^[ab]-b");
}

#[test]
fn long_looks_for_plain_bytes_are_stopped() {
    let subject = "a".repeat(1 << 24).into_bytes();
    let needle = ["a".repeat(2000), "b".to_owned()].concat();
    let mut told = Vec::new();
    let mut budget = budget(5, &mut told);
    assert_eq!(find_plain(&subject, needle.as_bytes(), 0, &mut Meter::new(&mut budget)), Err(Halt::Stopped));
    drop(budget);
    assert_eq!(told.len(), 6);
}

#[test]
fn plain_bytes_are_found_across_windows() {
    let mut go_on = |_| Ok(());
    let mut meter = Meter::new(&mut go_on);
    let mut subject = vec![b'a'; 300_000];
    for at in [0, 1, 65_535, 65_536, 131_070, 299_997] {
        subject[at..at + 3].copy_from_slice(b"xyz");
        assert_eq!(find_plain(&subject, b"xyz", 0, &mut meter), Ok(Some(at)));
        assert_eq!(find_plain(&subject, b"xyz", at + 1, &mut meter), Ok(None));
        subject[at..at + 3].copy_from_slice(b"aaa");
    }
}

/// What happens in a substitution, in order.
#[derive(Debug, PartialEq, Eq)]
enum Event {
    Asked,
    Replaced,
    Pushed(usize),
}

/// An output that takes so many pushes.
struct Pushes<'e> {
    events: &'e std::cell::RefCell<Vec<Event>>,
    taken: usize,
}

impl Output for Pushes<'_> {
    fn push(&mut self, bytes: &[u8]) -> Result<(), Stopped> {
        self.events.borrow_mut().push(Event::Pushed(bytes.len()));
        self.taken = self.taken.checked_sub(1).ok_or(Stopped)?;
        Ok(())
    }
}

#[test]
fn nothing_happens_after_a_stop() {
    let events = std::cell::RefCell::new(Vec::new());
    let mut never = |_| {
        events.borrow_mut().push(Event::Asked);
        Err(Stopped)
    };
    let mut meter = Meter::new(&mut never);
    let mut output = Pushes { events: &events, taken: usize::MAX };
    let subject = [b"ab".as_slice(), &b"a".repeat(10_000)].concat();
    let pattern = Pattern::new(b"a-b", Caret::Anchors);
    let mut matcher = pattern.over(&subject);
    for _ in 0..3 {
        let mut substitution = Substitution::START;
        let result: Result<(), Halt> = substitution.run(&mut matcher, u64::MAX, &mut meter, &mut output, |_, _, _| {
            events.borrow_mut().push(Event::Replaced);
            Ok(())
        });
        assert_eq!(result, Err(Halt::Stopped));
    }
    let mut iteration = Iteration::START;
    assert_eq!(iteration.next(&mut matcher, &mut meter).map(|found| found.is_some()), Err(Halt::Stopped));
    assert_eq!(find_plain(&subject, b"b", 0, &mut meter), Err(Halt::Stopped));
    assert_eq!(*events.borrow(), [Event::Replaced, Event::Asked], "the budget is asked once, and then never again");
}

#[test]
fn an_output_that_is_full_stops_the_substitution() {
    let events = std::cell::RefCell::new(Vec::new());
    let mut go_on = |_| {
        events.borrow_mut().push(Event::Asked);
        Ok(())
    };
    let mut meter = Meter::new(&mut go_on);
    let mut output = Pushes { events: &events, taken: 3 };
    let subject = b"a-".repeat(10_000);
    let pattern = Pattern::new(b"(a)", Caret::Anchors);
    let template = Template::new(b"%1%1");
    let mut matcher = pattern.over(&subject);
    for _ in 0..2 {
        let mut substitution = Substitution::START;
        let result: Result<(), Halt> = substitution.run(&mut matcher, u64::MAX, &mut meter, &mut output, |found, meter, output| {
            events.borrow_mut().push(Event::Replaced);
            template.expand(found, &subject, meter, output)
        });
        assert_eq!(result, Err(Halt::Stopped));
    }
    let (replaced, one) = (Event::Replaced, Event::Pushed(1));
    assert_eq!(*events.borrow(), [replaced, one, Event::Pushed(1), Event::Pushed(1), Event::Replaced, Event::Pushed(1)]);
}

/// Captures that match nothing make no output, so that a long replacement must count by itself.
#[test]
fn long_replacements_are_counted() {
    let mut told = Vec::new();
    let mut budget = budget(10, &mut told);
    let mut meter = Meter::new(&mut budget);
    let text = b"%1".repeat(1 << 20);
    let subject = b"b".repeat(10);
    let pattern = Pattern::new(b"(a*)", Caret::Anchors);
    let events = std::cell::RefCell::new(Vec::new());
    let mut output = Pushes { events: &events, taken: usize::MAX };
    let mut substitution = Substitution::START;
    let result: Result<(), Halt> =
        substitution.run(&mut pattern.over(&subject), u64::MAX, &mut meter, &mut output, |found, meter, output| {
            Template::new(&text).expand(found, &subject, meter, output)
        });
    assert_eq!(result, Err(Halt::Stopped));
    assert_eq!(events.borrow().len(), 0);
}

#[test]
fn a_pattern_of_too_many_parts_is_too_complex_only_where_it_is_reached() {
    let mut go_on = |_| Ok(());
    let mut meter = Meter::new(&mut go_on);
    let text = b"%a".repeat(70_000);
    let pattern = Pattern::new(&text, Caret::Anchors);
    let mut reach = |length: usize| pattern.over(&b"a".repeat(length)).search(0, &mut meter).map(|found| found.is_some());
    assert_eq!(reach(1000), Ok(false));
    assert_eq!(reach(65_535), Err(Halt::Fault(PatternFault::TooComplex)));
}
