//! `cargo xtask peers`: installs the MCP clients and servers of others that the end-to-end tests talk to, from npm and PyPI.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use clap::Args;

use crate::failure::Failure;
use crate::process;
use crate::progress::say;
use crate::workspace::Workspace;

/// Install the MCP clients and servers of others that the end-to-end tests talk to.
///
/// They go to the folder `peers` in cargo's target folder: `node_modules` as tests/peers/package-lock.json says, and the Python
/// environment `venv` as tests/peers/requirements.txt says.
/// It needs node 18 or newer with npm, and Python 3.11 or newer with venv, and does nothing where all is there already.
#[derive(Debug, Default, Args)]
pub(crate) struct Options {
    /// Install anew, whatever is there.
    #[arg(long)]
    again: bool,
}

/// Where the lists of what is installed are, from the root of the workspace.
const LISTS: &str = "tests/peers";

/// What npm reads, copied to where it installs.
const FOR_NPM: [&str; 3] = ["package.json", "package-lock.json", ".npmrc"];

const FOR_PIP: &str = "requirements.txt";

/// Written last: what was installed, and by what. It is compared whole, so that nothing but the same is taken for done.
const STAMP: &str = "installed";

/// The oldest versions that the peers run on.
const OLDEST_NODE: u32 = 18;
const OLDEST_PYTHON: u32 = 11;

pub(crate) fn run(workspace: &Workspace, options: &Options) -> Result<(), Failure> {
    let lists = workspace.root().join(LISTS);
    let folder = workspace.target().join("peers");
    fs::create_dir_all(&folder).map_err(|error| Failure::at(folder.display(), error))?;
    // Two that install at once would mix their files; the second waits, and then finds all done.
    let lock = File::create(folder.join("lock")).map_err(|error| Failure::at("the lock of the peers' folder", error))?;
    lock.lock().map_err(|error| Failure::at("the lock of the peers' folder", error))?;
    let node = version("node", "node 18 or newer with npm", node_is_new_enough)?;
    let python = version("python3", "Python 3.11 or newer with venv", python_is_new_enough)?;
    let wanted = stamp(&lists, &node, &python)?;
    let stamp = folder.join(STAMP);
    if !options.again && fs::read_to_string(&stamp).is_ok_and(|found| found == wanted) {
        say("the peers are installed");
        return Ok(());
    }
    removed(fs::remove_file(&stamp)).map_err(|error| Failure::at(stamp.display(), error))?;
    install_from_npm(&lists, &folder)?;
    install_from_pypi(&lists, &folder)?;
    fs::write(&stamp, wanted).map_err(|error| Failure::at(stamp.display(), error))
}

fn install_from_npm(lists: &Path, folder: &Path) -> Result<(), Failure> {
    for name in FOR_NPM {
        fs::copy(lists.join(name), folder.join(name)).map_err(|error| Failure::at(format!("{LISTS}/{name}"), error))?;
    }
    process::run(Command::new("npm").args(["ci", "--loglevel=error"]).current_dir(folder))
}

fn install_from_pypi(lists: &Path, folder: &Path) -> Result<(), Failure> {
    process::run(Command::new("python3").args(["-m", "venv", "--clear", "venv"]).current_dir(folder))?;
    let python = folder.join("venv/bin/python");
    let list = lists.join(FOR_PIP);
    process::run(
        Command::new(python)
            .args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input", "--no-deps", "--requirement"])
            .arg(list)
            .current_dir(folder),
    )?;
    process::run(
        Command::new(folder.join("venv/bin/python")).args(["-m", "pip", "--disable-pip-version-check", "check"]).current_dir(folder),
    )
}

/// What `PROGRAM --version` says, where that is new enough.
fn version(program: &str, needed: &str, is_new_enough: fn(&str) -> bool) -> Result<String, Failure> {
    let output = Command::new(program)
        .arg("--version")
        .output()
        .map_err(|error| Failure::new(format!("cannot start `{program}` ({error}): the peers need {needed}; install it and repeat")))?;
    let version = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    if is_new_enough(&version) {
        return Ok(version);
    }
    Err(Failure::new(format!("`{program} --version` says `{version}`: the peers need {needed}")))
}

/// `v18.20.4`
fn node_is_new_enough(version: &str) -> bool {
    let major = version.strip_prefix('v').and_then(|rest| rest.split('.').next()).and_then(|major| major.parse::<u32>().ok());
    major.is_some_and(|major| major >= OLDEST_NODE)
}

/// `Python 3.11.7`
fn python_is_new_enough(version: &str) -> bool {
    let minor = version.strip_prefix("Python 3.").and_then(|rest| rest.split('.').next()).and_then(|minor| minor.parse::<u32>().ok());
    minor.is_some_and(|minor| minor >= OLDEST_PYTHON)
}

/// All that decides what is installed, as one text.
fn stamp(lists: &Path, node: &str, python: &str) -> Result<String, Failure> {
    let mut stamp = format!("node {node}\n{python}\n");
    for name in FOR_NPM.into_iter().chain([FOR_PIP]) {
        let path: PathBuf = lists.join(name);
        let text = fs::read_to_string(&path).map_err(|error| Failure::at(format!("{LISTS}/{name}"), error))?;
        write!(stamp, "\n== {name}\n{text}").map_err(|error| Failure::at(name, error))?;
    }
    Ok(stamp)
}

/// A file that was not there is removed as well.
fn removed(done: io::Result<()>) -> io::Result<()> {
    match done {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        done => done,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_as_node_and_python_print_them() {
        let node = ["v16.20.2", "v18.0.0", "v22.19.1", "20.0.0", ""].map(node_is_new_enough);
        assert_eq!(node, [false, true, true, false, false]);
        let python = ["Python 3.10.18", "Python 3.11.0", "Python 3.13.1", "Python 2.7.18", ""].map(python_is_new_enough);
        assert_eq!(python, [false, true, true, false, false]);
    }

    #[test]
    fn a_program_that_is_missing_or_old_is_named_with_what_is_needed() {
        let missing = version("no-such-program", "node 18 or newer with npm", |_| true).expect_err("it is not there");
        let reason = io::Error::from_raw_os_error(2);
        assert_eq!(
            missing.to_string(),
            format!("cannot start `no-such-program` ({reason}): the peers need node 18 or newer with npm; install it and repeat")
        );
        let old = version("cargo", "Python 3.11 or newer with venv", |_| false).expect_err("it is refused").to_string();
        let (said, needed) = old.split_once("`: ").expect("it quotes the version");
        assert!(said.starts_with("`cargo --version` says `cargo "), "{said}");
        assert_eq!(needed, "the peers need Python 3.11 or newer with venv");
    }

    /// The stamp is what makes the job a no-op, so that it must know each list, and each version that reads them.
    #[test]
    fn the_stamp_holds_all_that_decides_what_is_installed() {
        let root = Workspace::load().expect("the tests run inside the workspace");
        let stamp = stamp(&root.root().join(LISTS), "v20.1.0", "Python 3.11.7").expect("the lists are there");
        assert!(stamp.starts_with("node v20.1.0\nPython 3.11.7\n\n== package.json\n{"), "{}", &stamp[..100]);
        let headings: Vec<&str> = stamp.lines().filter(|line| line.starts_with("== ")).collect();
        assert_eq!(headings, ["== package.json", "== package-lock.json", "== .npmrc", "== requirements.txt"]);
    }
}
