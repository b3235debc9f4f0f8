//! `cargo deny`: licences, duplicates and sources always; advisories where their database can be had.

use std::env;
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use crate::failure::Failure;
use crate::process::{self, Ending};
use crate::progress::say;
use crate::workspace::Workspace;

/// A host that cannot be reached answers at once or never; the database itself is small.
const FETCH_LIMIT: Duration = Duration::from_secs(120);

pub(crate) fn check(workspace: &Workspace) -> Result<(), Failure> {
    process::run(&mut workspace.cargo([
        "deny",
        "check",
        "--hide-inclusion-graph",
        // An exception that nothing needs any more is taken out.
        "-D",
        "unmatched-skip",
        "-D",
        "unnecessary-skip",
        "bans",
        "licenses",
        "sources",
    ]))?;
    let fetched = process::run_within(&mut workspace.cargo(["deny", "fetch", "db"]), FETCH_LIMIT)?;
    if fetched != Ending::Succeeded {
        if !database_is_here() {
            say("WARNING: advisories were NOT checked: their database cannot be fetched, and there is no copy of it here");
            return Ok(());
        }
        say("WARNING: the database of advisories cannot be fetched; the copy that is here may be old");
    }
    process::run(&mut advisories(workspace))
}

fn advisories(workspace: &Workspace) -> Command {
    workspace.cargo(["deny", "check", "--disable-fetch", "advisories"])
}

/// Whether an earlier fetch left a database where cargo-deny keeps them.
fn database_is_here() -> bool {
    let home = env::var_os("CARGO_HOME").map(PathBuf::from).or_else(|| env::home_dir().map(|home| home.join(".cargo")));
    let Some(entries) = home.and_then(|home| fs::read_dir(home.join("advisory-dbs")).ok()) else {
        return false;
    };
    entries.flatten().any(|entry| entry.path().join("crates").is_dir())
}
