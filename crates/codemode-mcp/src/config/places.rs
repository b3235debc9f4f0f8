//! Where the configuration files of known clients are.

use std::path::{Path, PathBuf};

use etcetera::BaseStrategy as _;

/// A client whose servers can be taken over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// A project's own `.mcp.json`.
    Project,
    /// A project's `.vscode/mcp.json`.
    VsCode,
    /// The settings of Claude Desktop, of this user.
    ClaudeDesktop,
}

/// The files of a place, best first, whether they are there or not; none where the user has no home.
#[must_use]
pub fn known_file(place: Place, root: &Path) -> Vec<PathBuf> {
    match place {
        Place::Project => vec![root.join(".mcp.json")],
        Place::VsCode => vec![root.join(".vscode").join("mcp.json")],
        Place::ClaudeDesktop => {
            desktop_folder().map(|folder| folder.join("Claude").join("claude_desktop_config.json")).into_iter().collect()
        }
    }
}

/// Where desktop applications keep settings on this operating system.
fn desktop_folder() -> Option<PathBuf> {
    let native = etcetera::base_strategy::choose_native_strategy().ok()?;
    Some(if cfg!(target_os = "macos") { native.data_dir() } else { native.config_dir() })
}
