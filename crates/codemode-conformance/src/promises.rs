//! The promises that cases show: their list, and the check that each has a case.

use serde::Deserialize;

use crate::builtin::PROMISES;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    promise: Vec<Promise>,
}

/// One promise of the contract that a program can observe.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Promise {
    /// Its name, which cases give.
    pub id: String,
    /// What is promised.
    pub text: String,
    /// The section of the design that makes it.
    pub section: String,
}

/// Every promise that the built-in cases show.
///
/// # Panics
/// When the list of this crate is malformed, which its own tests rule out.
#[must_use]
pub fn promises() -> Vec<Promise> {
    match toml::from_str::<List>(PROMISES) {
        Ok(list) => list.promise,
        Err(error) => panic!("promises.toml: {error}"),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::builtin::FILES;
    use crate::case;

    #[test]
    fn every_promise_has_a_case_and_every_case_shows_promises_that_are_listed() {
        let listed: Vec<String> = promises().into_iter().map(|promise| promise.id).collect();
        let distinct: BTreeSet<String> = listed.iter().cloned().collect();
        assert_eq!(listed.len(), distinct.len(), "a promise is listed twice");
        let mut shown = BTreeSet::new();
        let mut without = Vec::new();
        for (file, text) in FILES {
            for case in case::read(file, text).unwrap_or_else(|error| panic!("{error}")) {
                if case.promises.is_empty() {
                    without.push(case.id);
                }
                shown.extend(case.promises);
            }
        }
        assert_eq!(without, Vec::<String>::new(), "cases that show no promise");
        assert_eq!(shown, distinct, "left: promises that cases name; right: promises that are listed");
    }
}
