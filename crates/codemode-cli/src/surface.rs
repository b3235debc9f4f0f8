//! What a program has besides its tools: what it may touch, and the name of its table of helpers.

use clap::{Args, ValueEnum};
use codemode::{Authority, Profile, is_identifier};

/// What a program has besides its tools.
#[derive(Debug, Args)]
pub(crate) struct SurfaceArgs {
    /// What the program may touch besides the tools [default: local]
    #[arg(long, value_name = "AUTHORITY", value_enum)]
    authority: Option<AuthorityArg>,

    /// The name of the table of helpers in the program
    #[arg(long, value_name = "NAME", default_value = "host", value_parser = parse_namespace)]
    namespace: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum AuthorityArg {
    /// What this user may: files, processes, environment
    Local,
    /// Nothing: the tools are all there is
    None,
}

/// The globals of profile `script` for the Lua language server; `NAMESPACE` stands for the name of the table of helpers.
const SCRIPT: &str = include_str!("script.luals");
/// What is there with authority `local` only.
const SCRIPT_LOCAL: &str = include_str!("script_local.luals");

impl SurfaceArgs {
    /// The profile with what was asked for.
    pub(crate) fn apply(&self, profile: Profile) -> Profile {
        let mut profile = profile.with_namespace(self.namespace.as_str());
        if let Some(authority) = self.authority {
            profile.authority = match authority {
                AuthorityArg::Local => Authority::Local,
                AuthorityArg::None => Authority::None,
            };
        }
        profile
    }
}

/// What a program under this profile has besides its tools, as annotations for the Lua language server.
pub(crate) fn annotations(profile: &Profile) -> String {
    let local = if profile.authority == Authority::Local { SCRIPT_LOCAL } else { "" };
    format!("{SCRIPT}{local}").replace("NAMESPACE", &profile.namespace)
}

fn parse_namespace(name: &str) -> Result<String, String> {
    /// What a program has under its own name.
    const TAKEN: &[&str] = &["args", "cwd", "print", "tool"];
    if TAKEN.contains(&name) {
        return Err(format!("a program has something else of that name; {} are taken", TAKEN.join(", ")));
    }
    if !is_identifier(name) {
        return Err("a name is letters, digits and _, begins with no digit and is no keyword".to_owned());
    }
    Ok(name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_namespace_is_a_free_identifier() {
        assert_eq!(parse_namespace("host"), Ok("host".to_owned()));
        assert_eq!(parse_namespace("tool"), Err("a program has something else of that name; args, cwd, print, tool are taken".to_owned()));
        for wrong in ["", "1st", "a-b", "end", "ä"] {
            assert_eq!(
                parse_namespace(wrong),
                Err("a name is letters, digits and _, begins with no digit and is no keyword".to_owned()),
                "{wrong:?}"
            );
        }
    }
}
