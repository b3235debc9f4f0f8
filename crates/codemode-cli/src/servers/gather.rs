//! Gathers what is configured: the settings, and the servers of every place that was named.

use std::path::Path;

use codemode::Profile;
use codemode_mcp::{Place, Read, ServerConfig, from_settings, known_file, merge, read_file, read_text};
use codemode_policy::{
    LoadOptions, Settings, Source, Trust, load, project_settings_file, read_file_of_at_most, state_folder, user_settings_file,
};

use super::{FromArg, ServersArgs};
use crate::budgets::BudgetArgs;
use crate::exit::CliError;
use crate::screen::Screen;
use crate::source::shown;

/// The most bytes of a file in which servers are configured.
const MOST_BYTES: u64 = 4 << 20;

/// What is configured.
#[derive(Debug)]
pub(crate) struct Gathered {
    /// The settings.
    pub(crate) settings: Settings,
    /// The settings files that were read, the weakest first.
    pub(crate) sources: Vec<Source>,
    /// The servers that may be started, each name once.
    pub(crate) servers: Vec<ServerConfig>,
    /// What a person should know, one line each.
    pub(crate) warnings: Vec<String>,
}

impl ServersArgs {
    /// Reads the settings and every configuration that was named. Nothing is started.
    ///
    /// Of two servers with one name that of the command line wins, then that of the settings, then that of a client.
    pub(crate) fn gather(&self, root: &Path) -> Result<Gathered, CliError> {
        let trust = open_trust();
        let loaded = load(&LoadOptions {
            user: user_settings_file(&environment),
            project: Some(project_settings_file(root)),
            extra: self.config.iter().cloned().collect(),
            trust: &trust,
        })
        .map_err(CliError::of)?;
        let mut reads = Vec::new();
        for file in &self.mcp_config {
            reads.push(read_file(file, &environment).map_err(|error| CliError::new(format!("--mcp-config: {error}")))?);
        }
        reads.push(from_settings(&loaded.settings.servers, "the settings", &environment));
        for from in &self.mcp_from {
            reads.push(of_client(*from, root, &trust)?);
        }
        let merged = merge(reads);
        let warnings = loaded.warnings.into_iter().chain(merged.warnings).collect();
        Ok(Gathered { settings: loaded.settings, sources: loaded.sources, servers: merged.servers, warnings })
    }
}

impl Gathered {
    /// Says on standard error what a person should know.
    pub(crate) fn warn(&self, screen: &Screen) {
        for warning in &self.warnings {
            screen.print(&format!("warning: {warning}\n"));
        }
    }

    /// The profile with the budgets of the settings, and those of the command line over them.
    pub(crate) fn budgeted(&self, mut profile: Profile, budgets: &BudgetArgs) -> Result<Profile, CliError> {
        profile.budgets =
            self.settings.code_mode.limits.apply(&profile).map_err(|error| CliError::new(format!("the settings: {error}")))?;
        profile.budgets = budgets.apply(&profile)?;
        Ok(profile)
    }
}

/// The servers of a client's own configuration. A project's file that nobody trusts yet gives a warning and nothing else.
fn of_client(from: FromArg, root: &Path, trust: &Trust) -> Result<Read, CliError> {
    let (place, of_project) = match from {
        FromArg::Project => (Place::Project, true),
        FromArg::VsCode => (Place::VsCode, true),
        FromArg::ClaudeDesktop => (Place::ClaudeDesktop, false),
    };
    let warning = |text: String| Read { warnings: vec![text], ..Read::default() };
    let files = known_file(place, root);
    let Some(file) = files.iter().find(|file| file.is_file()) else {
        let looked: Vec<String> = files.iter().map(|file| shown(file)).collect();
        let looked = if looked.is_empty() { "its folder is not known".to_owned() } else { format!("there is no {}", looked.join(" or ")) };
        return Ok(warning(format!("--mcp-from {} brings no server: {looked}", from.word())));
    };
    let failed = |error: &dyn std::fmt::Display| CliError::new(format!("--mcp-from {}: {error}", from.word()));
    if of_project {
        let content = read_whole(file).map_err(|error| failed(&error))?;
        if !trust.is_trusted(file, content.as_bytes()) {
            return Ok(warning(format!(
                "the servers of {} wait for your trust: `codemode trust {}` shows what they start, and asks",
                shown(file),
                shown(file)
            )));
        }
        // What was looked at, not what stands there by now.
        return read_text(file, &content, &environment).map_err(|error| failed(&error));
    }
    read_file(file, &environment).map_err(|error| failed(&error))
}

/// The text of a file in which servers are configured.
pub(crate) fn read_whole(file: &Path) -> Result<String, CliError> {
    let unreadable = |why: &dyn std::fmt::Display| CliError::new(format!("{}: {why}", shown(file)));
    let bytes = read_file_of_at_most(file, MOST_BYTES).map_err(|why| unreadable(&why))?;
    String::from_utf8(bytes).map_err(|_| unreadable(&"the file is no UTF-8 text; save it as UTF-8"))
}

/// What this person trusts: nothing where there is no folder to keep it in.
pub(crate) fn open_trust() -> Trust {
    state_folder(&environment).map_or_else(Trust::nothing, Trust::new)
}

/// A variable of this process's environment; one that is no UTF-8 counts as not set.
pub(crate) fn environment(name: &str) -> Option<String> {
    std::env::var(name).ok()
}
