//! Lists of tools by name, as settings and hosts write them.

use std::collections::BTreeSet;
use std::sync::Arc;

use codemode_core::{Catalog, ToolSpec};

/// Whether two names in settings are of one tool: `server.tool` says the same as `server__tool`.
#[must_use]
pub fn is_same_tool(left: &str, right: &str) -> bool {
    let dotted = |dotted: &str, whole: &str| {
        let mut splits = dotted.match_indices('.').take(MOST_DOTS);
        splits.any(|(dot, _)| {
            let rest = whole.strip_prefix(&dotted[..dot]).and_then(|rest| rest.strip_prefix("__"));
            rest == Some(&dotted[dot + 1..])
        })
    };
    left == right || dotted(left, right) || dotted(right, left)
}

/// Names of tools. Each is a tool's own name, `server__tool` for one of a server; `server.tool` says the same.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct ToolNames(BTreeSet<Arc<str>>);

impl ToolNames {
    pub(crate) fn new<'a>(names: impl IntoIterator<Item = &'a String>) -> Self {
        Self(names.into_iter().map(|name| Arc::from(name.as_str())).collect())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether this tool is named.
    pub(crate) fn hold(&self, tool: &ToolSpec) -> bool {
        let Some(namespace) = &tool.namespace else { return self.0.contains(&tool.name) };
        self.0.contains(&tool.name) || self.0.contains(format!("{namespace}.{}", tool.short_name).as_str())
    }

    /// The raw names of all that are named: those that the catalog has, and those that a server may list later.
    pub(crate) fn raw(&self, catalog: &Catalog) -> BTreeSet<Arc<str>> {
        let later = self.0.iter().flat_map(|name| {
            // Of a server that is not listed yet, nothing but its naming rule is known.
            let of_server = name.match_indices('.').map(|(dot, _)| Arc::from(format!("{}__{}", &name[..dot], &name[dot + 1..])));
            of_server.take(MOST_DOTS).chain([Arc::clone(name)])
        });
        let dotted = self.0.iter().any(|name| name.contains('.'));
        let known = catalog.tools().filter(|tool| dotted && self.hold(tool)).map(|tool| Arc::clone(&tool.name));
        later.chain(known).collect()
    }
}

/// The most places at which a name is split into server and tool.
const MOST_DOTS: usize = 8;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dot_between_server_and_tool_is_two_underscores() {
        for (left, right, same) in [
            ("a__b", "a__b", true),
            ("a.b", "a.b", true),
            ("a.b", "a__b", true),
            ("a__b.c", "a.b.c", true),
            ("my.server__b", "my.server.b", true),
            ("a.b", "a_b", false),
            ("a.b", "a__bc", false),
            ("a.b", "xa__b", false),
            ("a__b.c", "a.b__c", false),
            ("read_file", "read.file", false),
        ] {
            assert_eq!((is_same_tool(left, right), is_same_tool(right, left)), (same, same), "{left} {right}");
        }
    }
}
