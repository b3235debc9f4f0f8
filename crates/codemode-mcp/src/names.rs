//! The prefix by which a server's tools are named.

use std::collections::{BTreeMap, BTreeSet};

/// The prefix of each server by its configured name.
///
/// No two names get one prefix, and no prefix holds `__` or begins or ends with `_`, so that `prefix__tool` says which
/// server and which tool are meant. What comes out depends on the set of names alone, never on their order.
#[must_use]
pub fn prefixes<N: AsRef<str>>(names: impl IntoIterator<Item = N>) -> BTreeMap<String, String> {
    let mut groups: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for name in names {
        let name = name.as_ref();
        groups.entry(folded(name)).or_default().insert(name.to_owned());
    }
    // Each folded name is somebody's prefix, so that no number may make it again.
    let mut taken: BTreeSet<String> = groups.keys().cloned().collect();
    let mut prefixes = BTreeMap::new();
    for (prefix, mut names) in groups {
        let keeper = if names.remove(&prefix) { Some(prefix.clone()) } else { names.pop_first() };
        prefixes.extend(keeper.map(|name| (name, prefix.clone())));
        let mut number = 2_usize;
        for name in names {
            let numbered = loop {
                let candidate = format!("{prefix}_{number}");
                number += 1;
                if taken.insert(candidate.clone()) {
                    break candidate;
                }
            };
            prefixes.insert(name, numbered);
        }
    }
    prefixes
}

/// `name` with each run of `_` as one, and none at its ends; `server` where nothing is left.
fn folded(name: &str) -> String {
    let parts: Vec<&str> = name.split('_').filter(|part| !part.is_empty()).collect();
    if parts.is_empty() { "server".to_owned() } else { parts.join("_") }
}
