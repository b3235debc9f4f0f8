//! `cargo xtask features`: every subset of the facade's engines compiles; none, each and all of them are tested.

use clap::Args;

use crate::failure::Failure;
use crate::workspace::Workspace;
use crate::{nextest, process};

/// Check every subset of the facade's engine features, and test none, each and all of them.
///
/// The features are read from the manifest of the crate `codemode`; `default` is not one of them.
/// Warnings are errors, because code that only one subset leaves unused is seen nowhere else.
/// The command (`codemode-cli`) is checked with no feature and with all.
#[derive(Debug, Default, Args)]
pub(crate) struct Options {
    /// Only check; run no test.
    #[arg(long)]
    check_only: bool,
}

pub(crate) fn run(workspace: &Workspace, options: &Options) -> Result<(), Failure> {
    let facade = workspace.package("codemode")?;
    let features: Vec<&str> = facade.features.keys().map(String::as_str).filter(|feature| *feature != "default").collect();
    for subset in subsets(&features) {
        check(workspace, "codemode", &subset)?;
    }
    let command = workspace.package("codemode-cli")?;
    let all: Vec<&str> = command.features.keys().map(String::as_str).filter(|feature| *feature != "default").collect();
    check(workspace, "codemode-cli", &[])?;
    check(workspace, "codemode-cli", &all)?;
    if options.check_only {
        return Ok(());
    }
    for subset in none_each_all(&features) {
        let list = subset.join(",");
        process::run(&mut nextest::command(workspace, "default", &["-p", "codemode", "--no-default-features", "--features", &list]))?;
    }
    Ok(())
}

fn check(workspace: &Workspace, package: &str, features: &[&str]) -> Result<(), Failure> {
    let list = features.join(",");
    process::run(&mut workspace.cargo(["clippy", "-p", package, "--no-default-features", "--features", &list, "--", "-D", "warnings"]))
}

/// Every subset, from the empty one to the whole.
fn subsets<'a>(features: &[&'a str]) -> Vec<Vec<&'a str>> {
    let mut subsets = vec![Vec::new()];
    for feature in features {
        for at in 0..subsets.len() {
            let mut with = subsets[at].clone();
            with.push(*feature);
            subsets.push(with);
        }
    }
    subsets
}

/// None, each alone and all: where there is one feature, each is all and comes once.
fn none_each_all<'a>(features: &[&'a str]) -> Vec<Vec<&'a str>> {
    let mut chosen = subsets(features);
    chosen.retain(|subset| subset.len() <= 1 || subset.len() == features.len());
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_engines_have_eight_subsets_of_which_five_are_tested() {
        let engines = ["luajit", "quickjs", "boa"];
        let shown = |subsets: Vec<Vec<&str>>| -> Vec<String> { subsets.iter().map(|subset| subset.join(",")).collect() };
        assert_eq!(
            shown(subsets(&engines)),
            ["", "luajit", "quickjs", "luajit,quickjs", "boa", "luajit,boa", "quickjs,boa", "luajit,quickjs,boa"]
        );
        assert_eq!(shown(none_each_all(&engines)), ["", "luajit", "quickjs", "boa", "luajit,quickjs,boa"]);
        assert_eq!(shown(none_each_all(&["luajit"])), ["", "luajit"]);
    }
}
