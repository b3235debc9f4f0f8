//! Settings as text, a catalog of a few tools, and what an inventory makes of them.

use std::fs;
use std::sync::Arc;

use codemode_core::{Catalog, ToolSpec};
use codemode_policy::{Agent, Inventory, InventoryError, LoadOptions, Mode, Settings, Trust, load};

/// The settings of a user's and a project's file.
pub(crate) fn settings_of(user: &str, project: &str) -> Settings {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).expect("written");
        Some(path)
    };
    let trust = Trust::nothing();
    let options = LoadOptions { user: file("user.toml", user), project: file("project.toml", project), extra: Vec::new(), trust: &trust };
    load(&options).expect("settings of use").settings
}

pub(crate) fn settings(text: &str) -> Settings {
    settings_of(text, "")
}

/// An environment in which the variable that switches code mode has this value.
pub(crate) fn switch(value: Option<&str>) -> impl Fn(&str) -> Option<String> {
    move |name| value.filter(|_| name == "CODEMODE_CODE_MODE").map(str::to_owned)
}

pub(crate) fn inventory(text: &str, mode: Option<Mode>, agent: &Agent) -> Result<Inventory, InventoryError> {
    Inventory::new(&settings(text), mode, agent, &switch(None))
}

/// The inventory of an agent that may do everything.
pub(crate) fn plain(text: &str) -> Inventory {
    inventory(text, None, &Agent::default()).expect("an inventory")
}

/// Two tools of the host, and two of a server.
pub(crate) fn catalog() -> Arc<Catalog> {
    let tools = [
        ToolSpec::new("ask_user"),
        ToolSpec::new("read_file"),
        ToolSpec::new("github__delete_repo").in_namespace("github", "delete_repo"),
        ToolSpec::new("github__issues").in_namespace("github", "issues"),
        // A server may call a tool so: it is for nobody.
        ToolSpec::new("run_code"),
    ];
    Arc::new(Catalog::new(tools).expect("distinct names"))
}

pub(crate) const ALL: [&str; 4] = ["ask_user", "github__delete_repo", "github__issues", "read_file"];

pub(crate) fn direct(inventory: &Inventory) -> Vec<String> {
    inventory.direct(&catalog()).into_iter().map(|tool| tool.name.to_string()).collect()
}

pub(crate) fn for_programs(inventory: &Inventory) -> Vec<String> {
    inventory.for_programs(&catalog()).tools().map(|tool| tool.name.to_string()).collect()
}
