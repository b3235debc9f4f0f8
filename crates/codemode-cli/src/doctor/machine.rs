//! Looks at the machine: the version, the root, what would confine a command, and where long output would go.

use std::path::Path;

use codemode::{FolderSpill, RunId, Spill as _};
use codemode_workspace::execute_confinement;

use super::{Finding, Level};
use crate::source::shown;
use crate::workspace::{ToolSet, WorkspaceArgs};

/// This command, and what it runs on.
pub(super) fn version() -> Finding {
    let processors =
        std::thread::available_parallelism().map_or_else(|_| "processors unknown".to_owned(), |count| format!("{count} processors"));
    let (system, machine) = (std::env::consts::OS, std::env::consts::ARCH);
    Finding::ok("codemode", format!("{} on {system}, {machine}, {processors}", env!("CARGO_PKG_VERSION")))
}

/// The folder that tools would be confined to.
pub(super) fn root(args: &WorkspaceArgs) -> Vec<Finding> {
    let path = match args.absolute_root() {
        Ok(path) => path,
        Err(error) => return vec![Finding::bad("root", error.to_string(), "give another --root")],
    };
    let about = "root";
    let mut findings = Vec::new();
    findings.push(match std::fs::read_dir(&path) {
        Ok(_) => Finding::ok(about, format!("{} can be read", shown(&path))),
        Err(error) => {
            Finding::bad(about, format!("{} cannot be read: {error}", shown(&path)), "give another --root, or change its permissions")
        }
    });
    if args.tools() == ToolSet::None {
        return findings;
    }
    if let Some(reason) = cannot_write(&path) {
        let found = format!("{} cannot be written: {reason}", shown(&path));
        findings.push(Finding::note(about, found, "programs can read there; write_file and edit_file will fail"));
    }
    match args.host() {
        Ok(host) => findings.push(Finding::ok("tools", format!("{} tools", host.catalog().len()))),
        Err(error) => findings.push(Finding::bad("tools", error.to_string(), "give other --tools, or another --root")),
    }
    findings
}

/// Why nothing can be made in the folder, if nothing can.
fn cannot_write(folder: &Path) -> Option<String> {
    #[cfg(unix)]
    return rustix::fs::access(folder, rustix::fs::Access::WRITE_OK).err().map(|error| error.to_string());
    #[cfg(not(unix))]
    return std::fs::metadata(folder).is_ok_and(|metadata| metadata.permissions().readonly()).then(|| "it is read-only".to_owned());
}

/// What would hold a shell command in.
pub(super) fn confinement(tools: ToolSet) -> Finding {
    let confinement = execute_confinement();
    let asked = tools == ToolSet::FilesAndExecute;
    let found = if asked { format!("a command is {confinement}") } else { format!("not asked for; a command would be {confinement}") };
    if confinement.is_in_force() {
        return Finding::ok("execute", found);
    }
    let advice = "run a kernel with Landlock (Linux 5.13 or later, with landlock among its active security modules), or leave out execute";
    Finding { level: if asked { Level::Note } else { Level::Ok }, about: "execute".to_owned(), found, advice: Some(advice.to_owned()) }
}

/// Where output goes that is too long to show.
pub(super) fn spill() -> Finding {
    let spill = FolderSpill::temporary();
    let about = "long output";
    match spill.spill(&RunId::fresh(), "doctor\n") {
        Ok(place) => {
            // Tried out and taken away; a rest would be pruned with the others.
            let _ = std::fs::remove_file(&place);
            Finding::ok(about, format!("kept in {}", shown(spill.folder())))
        }
        Err(error) => Finding::note(
            about,
            format!("cannot be kept in {}: {error}", shown(spill.folder())),
            "set TMPDIR to a folder of your own; until then output past --shown is lost",
        ),
    }
}
