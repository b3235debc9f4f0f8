//! The workspace as cargo describes it, and cargo itself, started the same way by every job.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use cargo_metadata::{Metadata, MetadataCommand, Package};

use crate::failure::Failure;

/// The workspace that the current folder belongs to.
#[derive(Debug)]
pub(crate) struct Workspace {
    metadata: Metadata,
}

impl Workspace {
    pub(crate) fn load() -> Result<Self, Failure> {
        let metadata = MetadataCommand::new().no_deps().exec().map_err(|error| Failure::at("cargo metadata", error))?;
        Ok(Self { metadata })
    }

    pub(crate) fn root(&self) -> &Path {
        self.metadata.workspace_root.as_std_path()
    }

    /// Where cargo puts what it builds.
    pub(crate) fn target(&self) -> &Path {
        self.metadata.target_directory.as_std_path()
    }

    pub(crate) fn packages(&self) -> Vec<&Package> {
        self.metadata.workspace_packages()
    }

    pub(crate) fn package(&self, name: &str) -> Result<&Package, Failure> {
        self.packages()
            .into_iter()
            .find(|package| package.name.as_str() == name)
            .ok_or_else(|| Failure::new(format!("the workspace has no package {name}")))
    }

    /// `cargo ARGUMENTS` at the root of the workspace, as if a person had started it.
    pub(crate) fn cargo<'a>(&self, arguments: impl IntoIterator<Item = &'a str>) -> Command {
        let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        command.args(arguments).current_dir(self.root());
        // `cargo run` describes xtask's own package in the environment; a build script that looks must not see it.
        for (name, _) in env::vars_os() {
            let name = name.to_string_lossy();
            if name.starts_with("CARGO_PKG_") || OF_THE_CALLER.contains(&&*name) {
                command.env_remove(&*name);
            }
        }
        if let Some(target) = env::var_os("CARGO_TARGET_DIR").map(PathBuf::from)
            && let Ok(target) = std::path::absolute(target)
        {
            // A relative folder is relative to where xtask was started, which need not be the root.
            command.env("CARGO_TARGET_DIR", target);
        }
        command
    }
}

const OF_THE_CALLER: [&str; 5] =
    ["CARGO_BIN_NAME", "CARGO_CRATE_NAME", "CARGO_MANIFEST_DIR", "CARGO_MANIFEST_PATH", "CARGO_PRIMARY_PACKAGE"];
