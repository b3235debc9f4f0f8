//! The catalog: the tools admitted when a run starts, by name, by alias and by namespace.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use crate::identifier::{identifier_from, is_identifier};
use crate::missing::{Missing, Unavailable};
use crate::nearest::nearest;
use crate::tool::ToolSpec;

/// Tools by name. Immutable and shared; admitting a server's tools makes a new one.
#[derive(Debug, Clone, Default)]
pub struct Catalog {
    tools: BTreeMap<Arc<str>, Entry>,
    /// Alias to raw name; no alias is any tool's name.
    aliases: HashMap<Arc<str>, Arc<str>>,
    /// Names within a server to raw names, by server.
    namespaces: HashMap<Arc<str>, HashMap<Arc<str>, Arc<str>>>,
    /// Tools that exist and that programs may not call.
    excluded: BTreeSet<Arc<str>>,
    /// The only tools that programs may call, where there is such a list.
    only: Option<Arc<BTreeSet<Arc<str>>>>,
    /// Servers that are not listed yet, and the identifiers of their names.
    unlisted: BTreeMap<Arc<str>, Arc<str>>,
    /// Servers that gave no tools when they were touched, and why.
    unavailable: BTreeMap<Arc<str>, Arc<str>>,
}

#[derive(Debug, Clone)]
struct Entry {
    spec: Arc<ToolSpec>,
    alias: Option<Arc<str>>,
}

/// What a name stands for.
#[derive(Debug, Clone)]
pub enum Resolved {
    /// A tool.
    Tool(Arc<ToolSpec>),
    /// A server's name, under which there are tools.
    Namespace(Arc<str>),
    /// Nothing that a program can call.
    Missing(Missing),
}

/// Two tools of one name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("two tools are named \"{0}\"; names are unique, so give one of them its server's name in front")]
pub struct DuplicateTool(
    /// The name.
    pub String,
);

impl Catalog {
    /// A catalog of these tools. `run_code` is never for programs, since programs do not nest.
    ///
    /// # Errors
    /// When two tools have one name.
    pub fn new(tools: impl IntoIterator<Item = ToolSpec>) -> Result<Self, DuplicateTool> {
        let mut catalog = Self { excluded: BTreeSet::from([Arc::from("run_code")]), ..Self::default() };
        for tool in tools {
            let tool = Arc::new(tool);
            if catalog.tools.contains_key(&tool.name) {
                return Err(DuplicateTool(tool.name.to_string()));
            }
            catalog.tools.insert(Arc::clone(&tool.name), Entry { spec: tool, alias: None });
        }
        catalog.name_aliases();
        catalog.index_namespaces();
        Ok(catalog)
    }

    /// Keeps tools of these names away from programs, whether or not they are in the catalog now.
    #[must_use]
    pub fn excluding(mut self, names: impl IntoIterator<Item = impl Into<Arc<str>>>) -> Self {
        self.excluded.extend(names.into_iter().map(Into::into));
        self.index_namespaces();
        self
    }

    /// Keeps tools of all other names away from programs, also those that a server lists later. Of two such lists both hold.
    #[must_use]
    pub fn restricted_to(mut self, names: impl IntoIterator<Item = impl Into<Arc<str>>>) -> Self {
        let names = names.into_iter().map(Into::into).filter(|name| self.only.as_ref().is_none_or(|only| only.contains(name)));
        self.only = Some(Arc::new(names.collect()));
        self.index_namespaces();
        self
    }

    /// Adds the names of servers that are not listed yet: the first touch of one waits for it.
    #[must_use]
    pub fn with_unlisted(mut self, namespaces: impl IntoIterator<Item = impl Into<Arc<str>>>) -> Self {
        self.unlisted.extend(namespaces.into_iter().map(Into::into).map(|name| {
            let identifier = identifier_from(&name);
            (name, identifier.into())
        }));
        self
    }

    /// The catalog after a server was listed. Tools whose names are taken already are left out.
    #[must_use]
    pub fn admitting(&self, namespace: &str, tools: impl IntoIterator<Item = Arc<ToolSpec>>) -> Self {
        let mut catalog = self.clone();
        catalog.unlisted.remove(namespace);
        for tool in tools {
            let taken = catalog.aliases.contains_key(&tool.name);
            if !taken {
                catalog.tools.entry(Arc::clone(&tool.name)).or_insert(Entry { spec: tool, alias: None });
            }
        }
        catalog.name_aliases();
        catalog.index_namespaces();
        catalog
    }

    /// The catalog after a server turned out not to be there: its name stays known, and calls under it say why.
    #[must_use]
    pub fn lacking(&self, namespace: &str, why: impl Into<Arc<str>>) -> Self {
        let mut catalog = self.clone();
        catalog.unlisted.remove(namespace);
        catalog.unavailable.insert(Arc::from(namespace), why.into());
        catalog
    }

    /// The tools that programs can call, sorted by name.
    pub fn tools(&self) -> impl Iterator<Item = &Arc<ToolSpec>> {
        self.tools.values().map(|entry| &entry.spec).filter(|spec| !self.is_kept_away(&spec.name))
    }

    /// How many tools programs can call.
    #[must_use]
    pub fn len(&self) -> usize {
        self.tools().count()
    }

    /// Whether there is nothing to call.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tools().next().is_none()
    }

    /// The tool of this raw name or alias, if programs can call it.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Arc<ToolSpec>> {
        let entry = self.tools.get(name).or_else(|| self.tools.get(self.aliases.get(name)?))?;
        (!self.is_kept_away(&entry.spec.name)).then_some(&entry.spec)
    }

    /// The identifier under which a tool is reached as well, where its name is none.
    #[must_use]
    pub fn alias(&self, name: &str) -> Option<&Arc<str>> {
        self.tools.get(name)?.alias.as_ref()
    }

    /// What a name stands for: a tool, `namespace.tool`, a namespace, or nothing.
    #[must_use]
    pub fn resolve(&self, name: &str) -> Resolved {
        if let Some(spec) = self.get(name) {
            return Resolved::Tool(Arc::clone(spec));
        }
        // A server's name may have dots of its own.
        let mut splits = name.match_indices('.').take(MOST_DOTS).map(|(dot, _)| (&name[..dot], &name[dot + 1..]));
        if let Some(spec) = splits.find_map(|(namespace, short)| self.in_namespace(namespace, short)) {
            return Resolved::Tool(Arc::clone(spec));
        }
        if let Some(namespace) = self.namespace(name) {
            return Resolved::Namespace(namespace);
        }
        let unavailable = self.unavailable_for(name);
        Resolved::Missing(Missing {
            // A tool of another server would be another tool.
            nearest: if unavailable.is_some() { Vec::new() } else { self.nearest(name) },
            not_for_programs: self.is_there_but_kept_away(self.aliases.get(name).map_or(name, |raw| &**raw)),
            unavailable,
            ..Missing::new(name)
        })
    }

    /// The server that must be listed before `name` can be resolved, if there is one.
    ///
    /// A name touches a server when it is the server's, or begins with it and `.` or `__`; the server's name counts as an identifier
    /// too, since the aliases of its tools begin with that.
    #[must_use]
    pub fn unlisted_for(&self, name: &str) -> Option<&Arc<str>> {
        if self.unlisted.is_empty() || self.get(name).is_some() {
            return None;
        }
        let by_name = self.unlisted.keys().find(|server| is_under(name, server));
        by_name.or_else(|| self.unlisted.iter().find(|(_, identifier)| is_under(name, identifier)).map(|(server, _)| server))
    }

    /// The servers that are not listed yet.
    pub fn unlisted(&self) -> impl Iterator<Item = &Arc<str>> {
        self.unlisted.keys()
    }

    /// The names that are most like this one: those of tools, and of servers that it does not begin with.
    fn nearest(&self, name: &str) -> Vec<String> {
        let servers = self.namespaces.keys().chain(self.unlisted.keys()).map(|server| &**server);
        let names: BTreeSet<&str> = servers.filter(|server| !is_under(name, server)).chain(self.tools().map(|spec| &*spec.name)).collect();
        nearest(name, names)
    }

    fn unavailable_for(&self, name: &str) -> Option<Unavailable> {
        let found = self.unavailable.iter().find(|(server, _)| is_under(name, server) || is_under(name, &identifier_from(server)));
        found.map(|(server, why)| Unavailable { server: Arc::clone(server), why: Arc::clone(why) })
    }

    fn is_kept_away(&self, name: &str) -> bool {
        self.excluded.contains(name) || self.only.as_ref().is_some_and(|only| !only.contains(name))
    }

    /// An excluded name was named by the host; of a name that is merely on no list, only that of a tool says anything.
    fn is_there_but_kept_away(&self, name: &str) -> bool {
        self.excluded.contains(name) || (self.tools.contains_key(name) && self.is_kept_away(name))
    }

    fn in_namespace(&self, namespace: &str, short: &str) -> Option<&Arc<ToolSpec>> {
        let server = self.namespace(namespace)?;
        self.get(self.namespaces.get(&server)?.get(short)?)
    }

    /// The server of this name; else the first whose name reads so as an identifier.
    fn namespace(&self, name: &str) -> Option<Arc<str>> {
        let listed = self.namespaces.get_key_value(name).map(|(server, _)| server);
        let unlisted = || self.unlisted.get_key_value(name).map(|(server, _)| server);
        let unavailable = || self.unavailable.get_key_value(name).map(|(server, _)| server);
        let by_identifier = || {
            let servers = self.namespaces.keys().chain(self.unlisted.keys()).chain(self.unavailable.keys());
            servers.filter(|server| !is_identifier(server) && identifier_from(server) == name).min()
        };
        listed.or_else(unlisted).or_else(unavailable).or_else(by_identifier).cloned()
    }

    /// Where two tools of a server have one short name, the first by raw name has it.
    fn index_namespaces(&mut self) {
        let mut namespaces: HashMap<Arc<str>, HashMap<Arc<str>, Arc<str>>> = HashMap::new();
        for spec in self.tools() {
            if let Some(namespace) = &spec.namespace {
                let names = namespaces.entry(Arc::clone(namespace)).or_default();
                names.entry(Arc::clone(&spec.short_name)).or_insert_with(|| Arc::clone(&spec.name));
            }
        }
        self.namespaces = namespaces;
    }

    /// Gives each tool whose name is no identifier one that no other tool answers to.
    ///
    /// Names are visited in order and earlier aliases stay, so that the same tools get the same aliases.
    fn name_aliases(&mut self) {
        let wanting: Vec<Arc<str>> = self
            .tools
            .iter()
            .filter(|(name, entry)| entry.alias.is_none() && !is_identifier(name))
            .map(|(name, _)| Arc::clone(name))
            .collect();
        // Where the search for a free number goes on: many names of one base must not make it quadratic.
        let mut numbers: HashMap<String, u32> = HashMap::new();
        for name in wanting {
            let base = identifier_from(&name);
            let free = |candidate: &str| !self.tools.contains_key(candidate) && !self.aliases.contains_key(candidate);
            let alias: Arc<str> = if free(&base) && is_identifier(&base) {
                Arc::from(base)
            } else {
                let number = numbers.entry(base.clone()).or_insert(2);
                loop {
                    let candidate = format!("{base}_{number}");
                    *number += 1;
                    if free(&candidate) {
                        break candidate.into();
                    }
                }
            };
            self.aliases.insert(Arc::clone(&alias), Arc::clone(&name));
            if let Some(entry) = self.tools.get_mut(&name) {
                entry.alias = Some(alias);
            }
        }
    }
}

/// Whether a name is a server's, or of something of that server's.
fn is_under(name: &str, server: &str) -> bool {
    name.strip_prefix(server).is_some_and(|rest| rest.is_empty() || rest.starts_with('.') || rest.starts_with("__"))
}

/// The most places at which a name is split into server and tool.
const MOST_DOTS: usize = 8;

#[cfg(test)]
mod tests {
    use super::*;

    fn catalog(names: &[&str]) -> Catalog {
        Catalog::new(names.iter().map(|name| ToolSpec::new(*name))).expect("distinct names")
    }

    #[test]
    fn aliases_are_injective_and_take_nobodys_name() {
        let catalog = catalog(&["get-item", "get.item", "get_item", "end", "1st", "größe"]);
        let aliases: Vec<_> = ["get-item", "get.item", "get_item", "end", "1st", "größe"]
            .map(|name| catalog.alias(name).map(ToString::to_string))
            .into_iter()
            .collect();
        let expected = [Some("get_item_2"), Some("get_item_3"), None, Some("end_"), Some("_1st"), Some("gr__e")];
        assert_eq!(aliases, expected.map(|alias| alias.map(str::to_owned)));
        for (alias, name) in &catalog.aliases {
            assert_eq!(catalog.get(alias).map(|spec| &spec.name), Some(name));
        }
    }

    #[test]
    fn what_is_not_for_programs_says_so() {
        let catalog = catalog(&["run_code", "read_file"]).excluding(["spawn_agent"]);
        assert_eq!(catalog.len(), 1);
        let message = |name| match catalog.resolve(name) {
            Resolved::Missing(missing) => missing.message("host.tools()"),
            other => format!("{other:?}"),
        };
        assert_eq!(message("run_code"), "tool \"run_code\" cannot be called from a program; host.tools() lists what can");
        assert_eq!(message("spawn_agent"), "tool \"spawn_agent\" cannot be called from a program; host.tools() lists what can");
        assert_eq!(message("readfile"), "there is no tool \"readfile\"; did you mean \"read_file\"? host.tools() lists what there is");
        assert_eq!(message("zzz"), "there is no tool \"zzz\"; host.tools() lists what there is");
    }

    #[test]
    fn a_touch_names_the_server_that_must_be_listed() {
        let catalog = catalog(&["read_file"]).with_unlisted(["github"]);
        assert_eq!(catalog.unlisted_for("github__issues").map(|name| &**name), Some("github"));
        assert_eq!(catalog.unlisted_for("github.issues").map(|name| &**name), Some("github"));
        assert_eq!(catalog.unlisted_for("githubber"), None);
        let issues = Arc::new(ToolSpec::new("github__issues").in_namespace("github", "issues"));
        let catalog = catalog.admitting("github", [issues]);
        assert_eq!(catalog.unlisted_for("github__issues"), None);
        assert!(matches!(catalog.resolve("github.issues"), Resolved::Tool(spec) if &*spec.name == "github__issues"));
        assert!(matches!(catalog.resolve("github"), Resolved::Namespace(_)));
    }

    #[test]
    fn names_that_all_want_one_alias_cost_no_more_than_others() {
        let names: Vec<String> = (0..20_000_u32).map(|number| format!("{}{number:b}", "-".repeat(120))).collect();
        let catalog = Catalog::new(names.iter().map(|name| ToolSpec::new(name.as_str()))).expect("distinct names");
        assert_eq!(catalog.aliases.len(), names.len());
        for (alias, name) in &catalog.aliases {
            assert_eq!(catalog.get(alias).map(|spec| &spec.name), Some(name));
        }
    }

    #[test]
    fn a_servers_name_may_have_dots_and_an_excluded_tool_leaves_no_server() {
        let tools = [ToolSpec::new("a__x").in_namespace("my.server", "x"), ToolSpec::new("b__y").in_namespace("other", "y")];
        let catalog = Catalog::new(tools).expect("distinct").excluding(["b__y"]);
        assert!(matches!(catalog.resolve("my.server.x"), Resolved::Tool(spec) if &*spec.name == "a__x"));
        assert!(matches!(catalog.resolve("my.server"), Resolved::Namespace(_)));
        assert!(matches!(catalog.resolve("other"), Resolved::Missing(_)));
        assert!(matches!(catalog.resolve("other.y"), Resolved::Missing(_)));
    }

    #[test]
    fn an_alias_of_what_is_not_for_programs_says_so_and_a_hostile_name_stays_on_its_line() {
        let catalog = catalog(&["spawn-agent"]).excluding(["spawn-agent"]);
        let message = |name: &str| match catalog.resolve(name) {
            Resolved::Missing(missing) => missing.message("the list"),
            other => format!("{other:?}"),
        };
        assert_eq!(message("spawn_agent"), "tool \"spawn_agent\" cannot be called from a program; the list lists what can");
        assert_eq!(message("a\u{1b}[2J\nb"), "there is no tool \"a\\u{1b}[2J\\nb\"; the list lists what there is");
        assert!(message(&"\n".repeat(1 << 20)).len() < 200);
    }

    #[test]
    fn a_restricted_catalog_lets_nothing_else_in_later() {
        let catalog = catalog(&["read_file", "write_file"]).with_unlisted(["github"]).restricted_to(["read_file", "github__issues"]);
        let listed = ["github__issues", "github__delete"].map(|name| Arc::new(ToolSpec::new(name).in_namespace("github", &name[8..])));
        let catalog = catalog.admitting("github", listed);
        assert_eq!(catalog.tools().map(|tool| &*tool.name).collect::<Vec<_>>(), ["github__issues", "read_file"]);
        let message = |name| match catalog.resolve(name) {
            Resolved::Missing(missing) => missing.message("the list"),
            other => format!("{other:?}"),
        };
        assert_eq!(message("write_file"), "tool \"write_file\" cannot be called from a program; the list lists what can");
        assert!(matches!(catalog.resolve("github.delete"), Resolved::Missing(_)));
        let narrower = catalog.restricted_to(["write_file", "read_file"]);
        assert_eq!(narrower.tools().map(|tool| &*tool.name).collect::<Vec<_>>(), ["read_file"]);
    }

    #[test]
    fn two_tools_of_one_name_are_refused() {
        let error = Catalog::new([ToolSpec::new("a"), ToolSpec::new("a")]).expect_err("twice");
        assert_eq!(error, DuplicateTool("a".to_owned()));
    }
}
