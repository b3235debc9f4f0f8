//! Servers of the settings file `codemode.toml`, its tables `[servers.NAME]`.

use std::collections::BTreeMap;
use std::path::Path;

use codemode_policy::{Environment, ServerSettings};

use super::draft::Draft;
use super::finish::Finish;
use super::warnings::{Warnings, shown_place};
use super::{Origin, Read};

/// The servers of settings, sorted by name; `place` is shown for those that came from no file.
///
/// Variables are filled in from `environment`, as in a configuration file, and what cannot be used is left out with a warning.
#[must_use]
pub fn from_settings(servers: &BTreeMap<String, ServerSettings>, place: &str, environment: Environment<'_>) -> Read {
    // Two scopes make one table, so that its servers can come from two files.
    let mut files: BTreeMap<&Path, Vec<Draft>> = BTreeMap::new();
    for (name, server) in servers {
        files.entry(&server.file).or_default().push(draft(name, server));
    }
    let mut all = Read::default();
    for (file, drafts) in files {
        let file = (!file.as_os_str().is_empty()).then_some(file);
        let origin = Origin {
            place: file.map_or_else(|| shown_place(place), |file| shown_place(&file.to_string_lossy())),
            file: file.map(Path::to_owned),
        };
        let read = Finish { origin, folder: file.and_then(Path::parent), environment: Some(environment) }.read(drafts, Warnings::default());
        all.servers.extend(read.servers);
        all.disabled.extend(read.disabled);
        all.warnings.extend(read.warnings);
    }
    all.servers.sort_by(|one, other| one.name.cmp(&other.name));
    all.disabled.sort();
    all
}

fn draft(name: &str, server: &ServerSettings) -> Draft {
    let mut faults = Vec::new();
    // The loader has put the file's folder before it, which is wrong where a variable makes it absolute.
    let folder = server.file.parent().unwrap_or(Path::new(""));
    let cwd = server.cwd.as_deref().map(|cwd| cwd.strip_prefix(folder).unwrap_or(cwd));
    if cwd.is_some_and(|cwd| cwd.to_str().is_none()) {
        faults.push("`cwd` is no UTF-8 text".to_owned());
    }
    Draft {
        name: name.to_owned(),
        off: !server.is_enabled(),
        kind: None,
        command: server.command.clone(),
        args: server.args.clone(),
        env: server.env.clone(),
        cwd: cwd.and_then(Path::to_str).map(str::to_owned),
        url: server.url.clone(),
        headers: server.headers.clone(),
        timeout: server.timeout,
        max_timeout: server.max_timeout,
        start_timeout: server.start_timeout,
        faults,
        notes: Vec::new(),
    }
}
