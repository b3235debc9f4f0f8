//! Where this command is, as somebody else starts it.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::exit::CliError;
use crate::servers::absolute;

/// The absolute path of this command: where it was called, not where links lead, so that an update that moves what is
/// behind them changes nothing.
pub(crate) fn path() -> Result<String, CliError> {
    let running = env::current_exe().map_err(|error| CliError::new(format!("cannot find out where this command is: {error}")))?;
    let called = env::args_os().next().and_then(|name| as_called(&name, env::var_os("PATH").as_deref(), &running));
    absolute(&called.unwrap_or(running))
}

/// The path that the name in the command line stands for, if the running program is behind it.
fn as_called(name: &OsStr, search: Option<&OsStr>, running: &Path) -> Option<PathBuf> {
    let running = running.canonicalize().ok()?;
    let is_running = |path: &PathBuf| path.canonicalize().is_ok_and(|path| path == running);
    let name = Path::new(name);
    if name.components().count() > 1 {
        return Some(name.to_owned()).filter(is_running);
    }
    env::split_paths(search?).filter(|folder| folder.is_absolute()).map(|folder| folder.join(name)).find(is_running)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_link_that_was_called_stays_and_another_program_of_that_name_does_not_count() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        for name in ["versions", "bin", "other"] {
            std::fs::create_dir(at(name)).expect("made");
        }
        std::fs::write(at("versions/codemode"), "one").expect("written");
        std::fs::write(at("other/codemode"), "two").expect("written");
        std::os::unix::fs::symlink(at("versions/codemode"), at("bin/codemode")).expect("linked");
        let search = env::join_paths([at("other"), at("bin")]).expect("a search path");
        let called = |name: &str, search: Option<&OsStr>| as_called(OsStr::new(name), search, &at("versions/codemode"));
        assert_eq!(called("codemode", Some(&search)), Some(at("bin/codemode")));
        assert_eq!(called("codemode", None), None);
        let link = at("bin/codemode");
        assert_eq!(called(&link.to_string_lossy(), None), Some(link));
        assert_eq!(called(&at("other/codemode").to_string_lossy(), None), None);
    }
}
