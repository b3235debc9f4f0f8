//! The bound of each pattern against what a model spends, and the routes of well-known patterns.

use proptest::prelude::*;
use proptest::test_runner::TestRunner;

use super::super::Pattern;
use super::super::classify::Bounds;
use super::super::program::Caret;
use super::generate;
use super::model::{Cut, Model};

/// Patterns whose bound is higher are not run: the model would take too long.
const MOST_STEPS: u64 = 200_000;

fn bounds(pattern: &[u8]) -> Bounds {
    Bounds::of(pattern, Caret::Anchors)
}

fn check(pattern: &[u8], subject: &[u8]) {
    // The model's patterns end where LuaJIT's do.
    let pattern = pattern.split(|byte| *byte == 0).next().unwrap_or_default();
    let bounds = bounds(pattern);
    for (steps, all) in [(bounds.search, false), (bounds.all_matches, true)] {
        let most_steps = steps.at(subject.len());
        if most_steps > MOST_STEPS {
            continue;
        }
        let mut model = Model::new(subject, pattern, most_steps);
        let run = if all { model.search_all() } else { model.search(0).map(|_| ()) };
        assert!(
            run != Err(Cut::TooManySteps),
            "{:?} on {:?} may take {most_steps} steps of {steps:?}, all matches {all}",
            String::from_utf8_lossy(pattern),
            String::from_utf8_lossy(subject),
        );
    }
}

#[test]
fn no_pattern_takes_more_steps_than_its_bound() {
    let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(20_000) };
    let run = TestRunner::new(config).run(&(generate::pattern(6), generate::subject(60)), |(pattern, subject)| {
        check(&pattern, &subject);
        Ok(())
    });
    run.unwrap_or_else(|failure| panic!("{failure}"));
}

/// The longest subjects that LuaJIT's own functions take: patterns without a second way to match go far, others do not.
#[test]
fn well_known_patterns_go_as_far_as_is_known() {
    let longest = |pattern: &str| Pattern::new(pattern.as_bytes(), Caret::Anchors).longest_own_search(0);
    let at_least = [
        ("TODO", 50_000),
        ("%w+", 50_000),
        ("[^\n]+", 50_000),
        ("[%a_][%w_]*", 50_000),
        ("^(%d+)-(%d+)-(%d+)T(%d+):(%d+)$", 20_000),
        ("^(%S+)%s+(%S+)%s+(.*)$", 10_000),
        ("^%s*$", 100_000),
        ("^%s*(.-)%s*$", 500),
        ("(%w+)=(%w+)", 400),
        ("(.-)\n", 400),
        ("%b()", 800),
        ("%f[%w]%w+%f[%W]", 300),
    ];
    for (pattern, length) in at_least {
        assert!(longest(pattern) >= Some(length), "{pattern}: {:?}", longest(pattern));
    }
    let at_most = [("(%w+)=(%w+)", 2_000), (".-b", 2_000), (".-.-.-.-b", 50), ("(a*)(a*)(a*)%1b", 50), ("%s+$", 2_000), ("a", 1 << 20)];
    for (pattern, length) in at_most {
        assert!(longest(pattern) <= Some(length), "{pattern}: {:?}", longest(pattern));
    }
    let pattern = Pattern::new(b"%w+", Caret::Anchors);
    assert_eq!(pattern.longest_own_search(10_000), pattern.longest_own_search(0));
    assert_eq!(pattern.longest_own_search(1_000_000), None);
    let options = ["a?".repeat(30), "a".repeat(30)].concat();
    assert_eq!(longest(&options), None);
}

/// A set is read for each byte, plain text may be compared at each, and a replacement is made for each match.
#[test]
fn long_sets_texts_and_replacements_count() {
    let set = ["[", &"b".repeat(100_000), "]"].concat();
    assert!(Pattern::new(set.as_bytes(), Caret::Anchors).longest_own_search(0) <= Some(10));
    let text = "a".repeat(1 << 16);
    assert!(Pattern::new(text.as_bytes(), Caret::Anchors).longest_own_search(0) <= Some(256));
    let pattern = Pattern::new(b"(a*)", Caret::Anchors);
    let [short, long] = [2, 20_000].map(|bytes| pattern.longest_own_substitution(bytes, 0));
    assert!(short >= Some(10_000) && long <= Some(10), "{short:?} {long:?}");
}

#[test]
fn the_longest_subject_is_the_last_within_the_steps() {
    let patterns: [&[u8]; 5] = [b"a", b"%w+", b"(.-)\n", b".-.-b", b"^%s*(.-)%s*$"];
    for pattern in patterns {
        let steps = bounds(pattern).search;
        for budget in [100, 1_000, 1 << 20, 1 << 30] {
            let longest = steps.longest_within(budget).expect("a short subject fits");
            assert!(steps.at(longest) <= budget && steps.at(longest + 1) > budget, "{longest} of {steps:?} within {budget}");
        }
    }
}
