//! Patterns out of the cache do what they did when they were compiled, whatever took their places meanwhile.

use super::super::{Caret, Meter, PatternCache};

/// Where a pattern of the cache matches, and whether the cache knew it.
fn find(cache: &mut PatternCache, subject: &str, pattern: &str, caret: Caret) -> (Option<std::ops::Range<usize>>, bool) {
    let mut go_on = |_| Ok(());
    let pattern = cache.pattern(pattern.as_bytes(), caret);
    let mut matcher = pattern.over(subject.as_bytes());
    let found = matcher.search(0, &mut Meter::new(&mut go_on)).expect("a right pattern");
    (found.map(|found| found.whole()), pattern.is_known())
}

#[test]
fn a_pattern_is_known_when_it_comes_again() {
    let mut cache = PatternCache::default();
    let long = ["x?".repeat(100), "b".to_owned()].concat();
    for pattern in ["b", "(b)", &long] {
        assert_eq!(find(&mut cache, "ab", pattern, Caret::Anchors), (Some(1..2), false), "{pattern}");
        assert_eq!(find(&mut cache, "ab", pattern, Caret::Anchors), (Some(1..2), true), "{pattern}");
        assert_eq!(find(&mut cache, "b", pattern, Caret::Anchors), (Some(0..1), true), "{pattern}");
    }
}

#[test]
fn a_caret_makes_another_pattern() {
    let mut cache = PatternCache::default();
    for _ in 0..3 {
        assert_eq!(find(&mut cache, "a^b", "^b", Caret::Anchors).0, None);
        assert_eq!(find(&mut cache, "a^b", "^b", Caret::Literal).0, Some(1..3));
    }
}

#[test]
fn patterns_take_each_others_places() {
    let mut cache = PatternCache::default();
    for round in 0..3 {
        for number in 0..500 {
            let pattern = format!("{number}$");
            let subject = format!("{round}{number}");
            assert_eq!(find(&mut cache, &subject, &pattern, Caret::Anchors).0, Some(1..subject.len()), "{pattern}");
        }
    }
    // One that is too long to be kept.
    let long = ["x?".repeat(10_000), "b".to_owned()].concat();
    assert_eq!([find(&mut cache, "ab", &long, Caret::Anchors).1, find(&mut cache, "ab", &long, Caret::Anchors).1], [false, false]);
}
