//! Which prefix a server's tools get.

use std::collections::{BTreeMap, BTreeSet};

use codemode_mcp::prefixes;
use proptest::prelude::*;

#[test]
fn prefixes_are_the_names_where_they_can_be() {
    for (names, expected) in [
        (&[][..], &[][..]),
        (&["github", "file-system", "My Server"], &["github", "file-system", "My Server"]),
        (&["my__server", "_x_", "a___b_"], &["my_server", "x", "a_b"]),
        (&["", "_", "___"], &["server", "server_2", "server_3"]),
        // Whose name is the prefix keeps it, wherever it stands.
        (&["a__b", "a_b", "a___b"], &["a_b_3", "a_b", "a_b_2"]),
        (&["__", "server"], &["server_2", "server"]),
        // A number that somebody has is passed over, be it a name or what is made of one.
        (&["a__b", "a_b", "a_b_2"], &["a_b_3", "a_b", "a_b_2"]),
        (&["a__b", "a_b", "a_b__2"], &["a_b_3", "a_b", "a_b_2"]),
        (&["x", "_x", "_x_2", "x_2", "x_3"], &["x", "x_4", "x_2_2", "x_2", "x_3"]),
        // Case is kept, and tells names apart.
        (&["A", "a"], &["A", "a"]),
        (&["same", "same"], &["same", "same"]),
    ] {
        let made = prefixes(names);
        let told: Vec<&str> = names.iter().map(|&name| made[name].as_str()).collect();
        assert_eq!(told, expected, "{names:?}");
    }
}

/// Names that meet often: few letters, many underscores, and the numbers that are given out.
fn names() -> impl Strategy<Value = Vec<String>> {
    let name = prop_oneof!["[ab_]{0,5}", "_{0,2}(a|server)_{0,2}[0-9]{0,2}", any::<String>()];
    proptest::collection::vec(name, 0..12)
}

proptest! {
    #[test]
    fn no_two_names_of_tools_are_the_same(names in names(), tools in proptest::collection::vec("[ab_]{0,4}", 1..4)) {
        let made = prefixes(&names);
        let servers: BTreeSet<&str> = names.iter().map(String::as_str).collect();
        prop_assert_eq!(made.keys().map(String::as_str).collect::<BTreeSet<_>>(), servers);
        let mut seen: BTreeMap<String, (&str, &str)> = BTreeMap::new();
        for (server, prefix) in &made {
            prop_assert!(!prefix.is_empty() && !prefix.contains("__"), "{:?}", prefix);
            prop_assert!(!prefix.starts_with('_') && !prefix.ends_with('_'), "{:?}", prefix);
            for tool in tools.iter().collect::<BTreeSet<_>>() {
                let other = seen.insert(format!("{prefix}__{tool}"), (server, tool));
                prop_assert_eq!(other, None, "{} and {}", server, tool);
            }
        }
    }

    #[test]
    fn the_order_of_names_changes_nothing(names in names()) {
        let reversed: Vec<&String> = names.iter().rev().collect();
        prop_assert_eq!(prefixes(&names), prefixes(reversed));
    }
}
