//! The examples of the library crates: all are built, and all that tidy.toml does not set aside are run.

use std::collections::BTreeSet;
use std::process::Command;
use std::time::Duration;

use cargo_metadata::{Package, Target};

use crate::failure::Failure;
use crate::process::{self, Built, Ending};
use crate::progress::say;
use crate::tidy::Settings;
use crate::workspace::Workspace;

/// An example is there to be read and tried; one that takes longer belongs among the workloads.
const LIMIT: Duration = Duration::from_secs(120);

pub(crate) fn run(workspace: &Workspace) -> Result<(), Failure> {
    let settings = Settings::read(workspace.root())?;
    let mut set_aside: BTreeSet<&str> = settings.example_not_run.iter().map(|example| example.name.as_str()).collect();
    let mut built = process::build(workspace, &["--workspace", "--examples"])?;
    let mut ran = 0;
    for (package, example) in examples(workspace) {
        let name = format!("{}/{}", package.name, example.name);
        let path = match program(&built, package, example) {
            Some(path) => path,
            // `--examples` leaves out an example whose required features are not on.
            None => {
                let features = example.required_features.join(",");
                built.extend(process::build(workspace, &["-p", &package.name, "--example", &example.name, "--features", &features])?);
                program(&built, package, example).ok_or_else(|| Failure::new(format!("cargo built no program for the example {name}")))?
            }
        };
        if set_aside.remove(name.as_str()) {
            say(&format!("{name} is built and not run: see xtask/tidy.toml"));
            continue;
        }
        say(&format!("example {name}"));
        match process::run_within(Command::new(path).current_dir(workspace.root()), LIMIT)? {
            Ending::Succeeded => ran += 1,
            Ending::Failed(status) => {
                return Err(Failure::new(format!("the example {name} ended with {status}")));
            }
            Ending::TimedOut => {
                return Err(Failure::new(format!("the example {name} ran longer than {} s", LIMIT.as_secs())));
            }
        }
    }
    if let Some(name) = set_aside.first() {
        return Err(Failure::new(format!("xtask/tidy.toml sets aside the example {name}, which does not exist")));
    }
    say(&format!("{ran} examples ran"));
    Ok(())
}

/// Each example of each package that is a library.
fn examples(workspace: &Workspace) -> Vec<(&Package, &Target)> {
    let mut examples = Vec::new();
    for package in workspace.packages() {
        if package.targets.iter().any(Target::is_lib) {
            examples.extend(package.targets.iter().filter(|target| target.is_example()).map(|target| (package, target)));
        }
    }
    examples
}

fn program<'a>(built: &'a [Built], package: &Package, example: &Target) -> Option<&'a std::path::PathBuf> {
    built.iter().find(|built| built.package == package.manifest_path.as_std_path() && built.target == example.name).map(|built| &built.path)
}
