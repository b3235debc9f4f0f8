//! `codemode trust`: shows what the files of a project would start, and lets a person approve it.

mod proposal;

use std::fs;
use std::io::{self, BufRead as _, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};

use clap::Args;
use codemode_mcp::{Place, known_file};
use codemode_policy::{Trust, project_settings_file};

use self::proposal::Proposal;
use crate::exit::{CliError, Exit};
use crate::screen::Screen;
use crate::servers::open_trust;
use crate::source::shown;
use crate::stdout;

/// Approve the servers that a project's files would start
///
/// A project's codemode.toml, .mcp.json and .vscode/mcp.json can name programs to start and addresses to reach. None of that is
/// done before you have seen it here and approved it. A file is trusted as it is: whatever changes in it takes the trust away.
/// Files named with --config or --mcp-config, and your own settings, need none.
///
/// Exits with 0 when everything that was shown is trusted, with 1 when something is not.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct TrustArgs {
    /// The file [default: those of the three that are at the root]
    #[arg(value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    file: Option<PathBuf>,

    /// The root of the project
    #[arg(long, value_name = "DIR", default_value = ".", value_hint = clap::ValueHint::DirPath)]
    root: PathBuf,

    /// Approve what is shown without asking
    #[arg(long, conflicts_with_all = ["list", "forget"])]
    yes: bool,

    /// List the files that are trusted, and whether they still are what was approved
    #[arg(long, conflicts_with_all = ["forget", "file"])]
    list: bool,

    /// Take the trust away again
    #[arg(long)]
    forget: bool,
}

const EXAMPLES: &str = "\
Examples:
  codemode trust
      Show what this project's files would start, and ask.
  codemode trust .mcp.json --yes
      Show what one file would start, and approve it.
  codemode trust --list
      See what is trusted.
  codemode trust --forget
      Trust this project's files no longer.";

pub(crate) fn run(args: &TrustArgs, screen: &Screen) -> Result<Exit, CliError> {
    let trust = open_trust();
    if args.list {
        return list(&trust);
    }
    let files = match &args.file {
        Some(file) => vec![known(file)?],
        None => of_project(&args.root)?,
    };
    if args.forget {
        return forget(&trust, &files);
    }
    let nobody = !args.yes && !io::stdin().is_terminal();
    let proposals: Vec<Proposal> = files.iter().map(|file| Proposal::read(file)).collect::<Result<_, _>>()?;
    let mut all = Exit::Ok;
    for proposal in &proposals {
        if proposal.is_empty() {
            stdout::write_text(&format!("{} starts nothing; there is nothing to trust", shown(&proposal.path)))?;
        } else if !approve(args, &trust, proposal, nobody, screen)? {
            all = Exit::Failed;
        }
    }
    if nobody && matches!(all, Exit::Failed) {
        // After all of it was shown: --yes approves no more than what stands above.
        return Err(CliError::new(
            "standard input is no terminal, so that nobody can be asked; look at what is shown, and add --yes to approve it",
        ));
    }
    if proposals.is_empty() {
        stdout::write_text(&format!(
            "the root {} has no codemode.toml, .mcp.json or .vscode/mcp.json; there is nothing to trust",
            shown(&args.root)
        ))?;
    }
    Ok(all)
}

/// Shows what a file would start, and trusts it where the person says so, if there is one. Gives whether it is trusted.
fn approve(args: &TrustArgs, trust: &Trust, proposal: &Proposal, nobody: bool, screen: &Screen) -> Result<bool, CliError> {
    stdout::write_text(&proposal.text())?;
    let path = &proposal.path;
    if trust.is_trusted(path, proposal.content.as_bytes()) {
        stdout::write_text("it is trusted already")?;
        return Ok(true);
    }
    if nobody {
        return Ok(false);
    }
    if !args.yes && !ask(screen)? {
        stdout::write_text("it is not trusted; nothing of it is started")?;
        return Ok(false);
    }
    trust.trust(path, proposal.content.as_bytes()).map_err(CliError::of)?;
    stdout::write_text("it is trusted from now on, as long as nothing in it changes")?;
    Ok(true)
}

/// Asks the person at the terminal; nothing but a yes is one.
fn ask(screen: &Screen) -> Result<bool, CliError> {
    screen.print("Approve this? [y/N] ");
    // The prompt has no line break; what is typed stands behind it.
    let _ = io::stderr().flush();
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer).map_err(|error| CliError::new(format!("the answer cannot be read: {error}")))?;
    Ok(matches!(answer.trim().to_ascii_lowercase().as_str(), "y" | "yes"))
}

fn list(trust: &Trust) -> Result<Exit, CliError> {
    let trusted = trust.list().map_err(CliError::of)?;
    if trusted.is_empty() {
        stdout::write_text("nothing is trusted")?;
        return Ok(Exit::Ok);
    }
    let line = |path: &Path| {
        let state = match fs::read(path) {
            Ok(content) if trust.is_trusted(path, &content) => "as it was approved",
            Ok(_) => "changed since, and not trusted until it is approved again",
            Err(_) => "not there any more",
        };
        format!("{}: {state}", shown(path))
    };
    let lines: Vec<String> = trusted.iter().map(|trusted| line(&trusted.path)).collect();
    stdout::write_text(&lines.join("\n"))?;
    Ok(Exit::Ok)
}

fn forget(trust: &Trust, files: &[PathBuf]) -> Result<Exit, CliError> {
    let mut forgotten = Vec::new();
    for file in files {
        if trust.forget(file).map_err(CliError::of)? {
            forgotten.push(format!("{} is trusted no longer", shown(file)));
        }
    }
    let text = if forgotten.is_empty() { "nothing of this was trusted".to_owned() } else { forgotten.join("\n") };
    stdout::write_text(&text)?;
    Ok(Exit::Ok)
}

/// The files of a project that can name servers, as far as they are there.
fn of_project(root: &Path) -> Result<Vec<PathBuf>, CliError> {
    let root = root.canonicalize().map_err(|error| {
        CliError::new(format!("--root {} cannot be opened: {error}; name a folder that exists and can be read", shown(root)))
    })?;
    let mut files = vec![project_settings_file(&root)];
    files.extend([Place::Project, Place::VsCode].into_iter().flat_map(|place| known_file(place, &root)));
    files.retain(|file| file.exists());
    Ok(files)
}

/// A file for which trust means anything.
fn known(file: &Path) -> Result<PathBuf, CliError> {
    let root = file.parent().unwrap_or(Path::new(""));
    let candidates = [Some(root), root.parent()].into_iter().flatten().flat_map(|root| {
        [Place::Project, Place::VsCode].into_iter().flat_map(|place| known_file(place, root)).chain([project_settings_file(root)])
    });
    // In the working directory, the folder of `.vscode` has no name in the path.
    let is_known = candidates.into_iter().any(|known| known == file) || file == Path::new("mcp.json") && in_vscode();
    if is_known {
        return Ok(file.to_owned());
    }
    Err(CliError::new(format!(
        "{} is no file that waits for trust: those are codemode.toml, .mcp.json and .vscode/mcp.json at the root of a project; \
         a file that you name with --config or --mcp-config needs none",
        shown(file)
    )))
}

/// Whether the working directory is a folder `.vscode`.
fn in_vscode() -> bool {
    std::env::current_dir().is_ok_and(|folder| folder.ends_with(".vscode"))
}
