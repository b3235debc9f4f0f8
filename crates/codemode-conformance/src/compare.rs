//! Comparing what was observed with what was expected, or two engines with each other, as differences that a person can read.

use std::fmt::Write as _;

use codemode_core::Bound;
use similar::TextDiff;

use crate::observed::Observed;

/// The most of one value that a difference shows, in bytes on each side.
const SHOWN: usize = 4000;
/// Context before the first difference of a long value, in bytes.
const BEFORE: usize = 200;

/// Every part in which the two differ; nothing where they are alike. `names` say what stands on the left and on the right.
pub(crate) fn differences(names: (&str, &str), left: &Observed, right: &Observed) -> Option<String> {
    let mut text = String::new();
    for ((part, left), (_, right)) in left.parts().into_iter().zip(right.parts()) {
        if left != right {
            let (left, right) = (around_the_difference(&left, &right), around_the_difference(&right, &left));
            let diff = TextDiff::from_lines(&left, &right).unified_diff().context_radius(3).header(names.0, names.1).to_string();
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{part} differs:\n{diff}");
        }
    }
    (!text.is_empty()).then_some(text)
}

/// The value, or where it is long a window of it around its first difference from `other`, with the length said.
fn around_the_difference(value: &str, other: &str) -> String {
    if value.len() <= SHOWN {
        return ended(value);
    }
    let same = value.bytes().zip(other.bytes()).take_while(|(left, right)| left == right).count();
    let start = value.floor_char_boundary(same.saturating_sub(BEFORE));
    let end = value.floor_char_boundary((start + SHOWN).min(value.len()));
    ended(&format!("[{} bytes; shown from byte {start}]\n{}", value.len(), &value[start..end]))
}

/// With a line end, so that a missing one is no difference of its own in the rendering.
fn ended(text: &str) -> String {
    if text.ends_with('\n') { format!("{text}[line end]\n") } else { format!("{text}\n") }
}

/// Two engines of one language on one case: nothing where they agree, else both and where they differ.
///
/// What engines word themselves, messages and tracebacks of their own, is compared by kind and line alone: `own_words` says
/// whether this run has such a message.
pub(crate) fn disagreement(left: (&str, &Observed), right: (&str, &Observed), own_words: bool) -> Option<String> {
    let same_words = |observed: &Observed| {
        let mut observed = Observed { traceback: None, took_ms: 0, text: String::new(), json: String::new(), ..observed.clone() };
        if let Some(bound) = observed.bound {
            // What a clock or an allocator observed is no promise, and neither is how many answers arrived before the end.
            let is_measured = matches!(bound, Bound::Compute | Bound::Wall | Bound::Memory);
            let most = observed.limit.map(|limit| if is_measured { limit } else { limit.saturating_add(1) });
            observed.observed = observed.observed.zip(most).map(|(seen, most)| seen.min(most));
            observed.result_bytes = 0;
        }
        if own_words {
            observed.message = None;
        }
        observed
    };
    differences((left.0, right.0), &same_words(left.1), &same_words(right.1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(output: &str) -> Observed {
        Observed { status: "ok".to_owned(), output: output.to_owned(), ..Observed::default() }
    }

    #[test]
    fn what_is_alike_is_no_difference() {
        assert_eq!(differences(("expected", "observed"), &seen("a"), &seen("a")), None);
    }

    #[test]
    fn a_difference_names_the_part_and_shows_both() {
        let text = differences(("expected", "observed"), &seen("a\nb\n"), &seen("a\nc\n"));
        let expected = "output differs:\n--- expected\n+++ observed\n@@ -1,3 +1,3 @@\n a\n-b\n+c\n [line end]\n\n";
        assert_eq!(text.as_deref(), Some(expected));
    }

    #[test]
    fn long_values_are_shown_around_their_first_difference() {
        let (left, right) = ("x".repeat(1_000_000), format!("{}y", "x".repeat(999_999)));
        let text = differences(("expected", "observed"), &seen(&left), &seen(&right)).expect("a difference");
        assert!(text.len() < 2000, "{} bytes", text.len());
        assert!(text.starts_with("output differs:\n--- expected\n+++ observed\n"), "{text}");
    }

    #[test]
    fn engines_agree_on_all_but_their_own_words() {
        let one = Observed { message: Some("one".to_owned()), traceback: Some("t".to_owned()), ..seen("a") };
        let two = Observed { message: Some("two".to_owned()), ..seen("a") };
        assert_eq!(disagreement(("one", &one), ("two", &two), true), None);
        let text = disagreement(("one", &one), ("two", &two), false);
        assert_eq!(text.as_deref(), Some("message differs:\n--- one\n+++ two\n@@ -1 +1 @@\n-one\n+two\n\n"));
        let timed = |observed: u64, result_bytes: u64| Observed {
            bound: Some(Bound::Compute),
            limit: Some(200),
            observed: Some(observed),
            result_bytes,
            ..seen("a")
        };
        assert_eq!(disagreement(("one", &timed(200, 3)), ("two", &timed(209, 0)), false), None);
        let counted = |observed: u64| Observed { bound: Some(Bound::Calls), limit: Some(3), observed: Some(observed), ..seen("a") };
        let text = disagreement(("one", &counted(3)), ("two", &counted(4)), false);
        assert_eq!(text.as_deref(), Some("observed differs:\n--- one\n+++ two\n@@ -1 +1 @@\n-3\n+4\n\n"));
        let other = Observed { line: Some(3), ..two };
        let text = disagreement(("one", &one), ("two", &other), true);
        assert_eq!(text.as_deref(), Some("line differs:\n--- one\n+++ two\n@@ -1 +1 @@\n-none\n+3\n\n"));
    }
}
