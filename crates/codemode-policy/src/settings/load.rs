//! The one loader: reads the files of each scope, holds back what waits for trust, and merges the rest.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use codemode_core::text;

use super::error::{SettingsError, SettingsErrorKind, shown_path};
use super::file::FileSettings;
use super::{ServerChange, ServerSettings, Settings};
use crate::files::{Unreadable, read_any_of_at_most, read_file_of_at_most};
use crate::trust::Trust;

/// The most bytes of a settings file.
const MOST_BYTES: u64 = 1 << 20;
/// The most servers that a warning names.
const SHOWN_SERVERS: usize = 10;
/// The most bytes of a server's name in a warning.
const NAME_BYTES: usize = 100;

/// Which files are read.
#[derive(Debug)]
pub struct LoadOptions<'a> {
    /// The user's file; one that is not there sets nothing.
    pub user: Option<PathBuf>,
    /// The project's file; one that is not there sets nothing. Not read where there are `extra` ones.
    pub project: Option<PathBuf>,
    /// Files that a person named on the command line: trusted, in the place of the project's, a later one over an earlier one.
    /// They have to be there.
    pub extra: Vec<PathBuf>,
    /// What a person trusts; decides about the project's file.
    pub trust: &'a Trust,
}

/// Whose file it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Scope {
    /// The user's own.
    User,
    /// The project's.
    Project,
    /// Named on the command line.
    Named,
}

/// A file that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// The file.
    pub path: PathBuf,
    /// Whose file it is.
    pub scope: Scope,
}

/// Servers of a project's file that wait for `codemode trust`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Waiting {
    /// The file.
    pub path: PathBuf,
    /// The servers' names, sorted.
    pub servers: Vec<String>,
}

/// Settings, and where they come from.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Loaded {
    /// The merged settings.
    pub settings: Settings,
    /// The files that were read, the weakest first.
    pub sources: Vec<Source>,
    /// What was held back because nobody trusts it yet.
    pub waiting: Vec<Waiting>,
    /// What a person should know, one line each.
    pub warnings: Vec<String>,
}

/// Loads the settings of a process.
///
/// The project's settings win over the user's key by key. What a project's file says about servers waits until a person trusts the file
/// as it is: it is left out then, with a warning. That a server is not used holds at once.
///
/// # Errors
/// Where a file cannot be read, is no TOML, has a key that is no setting or a value that a setting cannot have.
pub fn load(options: &LoadOptions<'_>) -> Result<Loaded, SettingsError> {
    let named = options.extra.iter().map(|path| (path, Scope::Named));
    let project = options.project.iter().filter(|_| options.extra.is_empty()).map(|path| (path, Scope::Project));
    let files = options.user.iter().map(|path| (path, Scope::User)).chain(project).chain(named);
    let mut loaded = Loaded::default();
    let mut merged = FileSettings::default();
    for (path, scope) in files {
        let Some(content) = content_of(path, scope)? else { continue };
        let mut file = FileSettings::read(path, &content)?;
        if scope == Scope::Project && !file.servers.is_empty() && !options.trust.is_trusted(path, &content) {
            loaded.hold_back(path, &mut file, options.trust);
        }
        merged = merged.under(file);
        loaded.sources.push(Source { path: path.clone(), scope });
    }
    let (settings, unreached) = merged.finish();
    // Of a server that waits, the warning about trust says all there is to say.
    let waiting = |name: &String| loaded.waiting.iter().any(|waiting| waiting.servers.contains(name));
    let unreached: Vec<String> = unreached.into_iter().filter(|name| !waiting(name)).collect();
    loaded.warnings.extend(unreached.iter().map(|name| {
        format!("server {} has neither a command nor a url, and is left out; give it one of them in codemode.toml", shown_name(name))
    }));
    loaded.settings = settings;
    Ok(loaded)
}

/// The servers that a settings file with this content names, whether or not it is trusted: for who shows them before they are trusted.
/// Those of which it does not say how they are reached are not among them, but in [`changes_in`].
///
/// # Errors
/// As [`load`].
pub fn servers_in(path: &Path, content: &[u8]) -> Result<BTreeMap<String, ServerSettings>, SettingsError> {
    FileSettings::read(path, content).map(|file| file.finish().0.servers)
}

/// What a settings file with this content changes of servers that another file names, which is held back until it is trusted as well:
/// it may make of a server that a person knows one that does something else.
///
/// # Errors
/// As [`load`].
pub fn changes_in(path: &Path, content: &[u8]) -> Result<BTreeMap<String, ServerChange>, SettingsError> {
    let parts = FileSettings::read(path, content)?.servers.into_iter();
    Ok(parts.filter_map(|(name, part)| Some((name, part.change()?))).collect())
}

impl Loaded {
    fn hold_back(&mut self, path: &Path, file: &mut FileSettings, trust: &Trust) {
        let harmless = file.servers.iter().filter_map(|(name, part)| Some((name.clone(), part.harmless()?))).collect();
        let all = std::mem::replace(&mut file.servers, harmless);
        let servers: Vec<String> = all.into_keys().filter(|name| !file.servers.contains_key(name)).collect();
        if servers.is_empty() {
            return;
        }
        if let Err(error) = trust.list() {
            self.warnings.push(error.to_string());
        }
        let shown = shown_path(path);
        let names = servers.iter().take(SHOWN_SERVERS).map(|name| shown_name(name)).collect::<Vec<_>>().join(", ");
        let (noun, verb, more) = match servers.len() {
            1 => ("server", "waits", String::new()),
            2..=SHOWN_SERVERS => ("servers", "wait", String::new()),
            all => ("servers", "wait", format!(" and {} more", all - SHOWN_SERVERS)),
        };
        self.warnings.push(format!(
            "{shown}: the {noun} {names}{more} {verb} for trust and {} left out; look at the file and run `codemode trust {shown}`",
            if servers.len() == 1 { "is" } else { "are" }
        ));
        self.waiting.push(Waiting { path: path.to_owned(), servers });
    }
}

/// What a file holds; nothing where it is not there and need not be.
pub(crate) fn content_of(path: &Path, scope: Scope) -> Result<Option<Vec<u8>>, SettingsError> {
    let read = if scope == Scope::Named { read_any_of_at_most(path, MOST_BYTES) } else { read_file_of_at_most(path, MOST_BYTES) };
    match read {
        Ok(content) => Ok(Some(content)),
        Err(Unreadable::NotThere) if scope != Scope::Named => Ok(None),
        Err(why) => Err(SettingsError::new(SettingsErrorKind::Unreadable, path, None, &why.to_string())),
    }
}

/// A server's name in a sentence: on its line, cut.
fn shown_name(name: &str) -> String {
    text::cut(&text::one_line(text::prefix(name, NAME_BYTES)), NAME_BYTES).into_owned()
}
