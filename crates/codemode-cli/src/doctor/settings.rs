//! Looks at the settings, and at the places where servers are configured: what was read, and what could be.

use std::path::Path;

use codemode_mcp::{Place, known_file};
use codemode_policy::{Scope, project_settings_file, user_settings_file};

use super::{Finding, Level};
use crate::servers::{FromArg, Gathered, ServersArgs, environment};
use crate::source::shown;

/// The settings that hold, and what was left out of them.
pub(super) fn settings(gathered: &Gathered, root: &Path) -> Vec<Finding> {
    let about = "settings";
    let whose = |scope: Scope| match scope {
        Scope::User => "yours",
        Scope::Project => "the project's",
        _ => "named on the command line",
    };
    let read: Vec<String> = gathered.sources.iter().map(|source| format!("{} ({})", shown(&source.path), whose(source.scope))).collect();
    let mut findings = vec![if read.is_empty() {
        let yours = user_settings_file(&environment).map(|path| format!("yours would be {}, ", shown(&path))).unwrap_or_default();
        Finding::ok(about, format!("none; {yours}the project's {}", shown(&project_settings_file(root))))
    } else {
        Finding::ok(about, format!("read {}", read.join(" and ")))
    }];
    let warned = gathered.warnings.iter().map(|warning| Finding {
        level: Level::Note,
        about: "configuration".to_owned(),
        found: warning.clone(),
        advice: None,
    });
    findings.extend(warned);
    findings
}

/// Configurations of clients that are here and were not asked for.
pub(super) fn other_places(args: &ServersArgs, root: &Path) -> Vec<Finding> {
    let places = [
        (FromArg::Project, Place::Project, "project"),
        (FromArg::VsCode, Place::VsCode, "vscode"),
        (FromArg::ClaudeDesktop, Place::ClaudeDesktop, "claude-desktop"),
    ];
    let unasked = places.into_iter().filter(|(from, ..)| !args.mcp_from.contains(from));
    let there = unasked.filter_map(|(_, place, word)| Some((known_file(place, root).into_iter().find(|file| file.is_file())?, word)));
    there
        .map(|(file, word)| Finding {
            level: Level::Ok,
            about: "other servers".to_owned(),
            found: format!("{} is here and not used", shown(&file)),
            advice: Some(format!("--mcp-from {word} uses the servers in it")),
        })
        .collect()
}
