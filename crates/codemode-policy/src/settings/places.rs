//! Where settings, state and caches are: by variables of ours first, else where the platform has them.

use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;

/// How a variable of the environment is looked up.
pub type Environment<'a> = &'a dyn Fn(&str) -> Option<String>;

/// The name of a settings file, in each scope.
const FILE: &str = "codemode.toml";
/// Our folder within the platform's folders.
const FOLDER: &str = "codemode";

/// The user's settings: `$CODEMODE_CONFIG_DIR/codemode.toml`, else `codemode/codemode.toml` in the platform's configuration folder.
///
/// Nothing where neither is known, as for a user without a home.
#[must_use]
pub fn user_settings_file(environment: Environment<'_>) -> Option<PathBuf> {
    folder("CODEMODE_CONFIG_DIR", environment, |platform| Some(platform.config_dir())).map(|folder| folder.join(FILE))
}

/// The settings of the project with this root.
#[must_use]
pub fn project_settings_file(root: &Path) -> PathBuf {
    root.join(FILE)
}

/// Where what must be kept is kept, such as what is trusted: `$CODEMODE_STATE_DIR`, else the platform's folder.
#[must_use]
pub fn state_folder(environment: Environment<'_>) -> Option<PathBuf> {
    folder("CODEMODE_STATE_DIR", environment, |platform| platform.state_dir().or_else(|| Some(platform.data_dir())))
}

/// Where what can be made again is kept, such as remembered signatures: `$CODEMODE_CACHE_DIR`, else the platform's folder.
#[must_use]
pub fn cache_folder(environment: Environment<'_>) -> Option<PathBuf> {
    folder("CODEMODE_CACHE_DIR", environment, |platform| Some(platform.cache_dir()))
}

/// A variable that is empty counts as not set.
fn folder(variable: &str, environment: Environment<'_>, of_platform: impl FnOnce(&dyn BaseStrategy) -> Option<PathBuf>) -> Option<PathBuf> {
    if let Some(folder) = environment(variable).filter(|folder| !folder.is_empty()) {
        return Some(PathBuf::from(folder));
    }
    let platform = etcetera::choose_base_strategy().ok()?;
    of_platform(&platform).map(|folder| folder.join(FOLDER))
}
