//! What a program has besides its tools: what it may touch, and the name of its table of helpers.

use clap::{Args, ValueEnum};
use codemode::{Authority, Form, Profile, is_identifier};

use crate::exit::CliError;

/// What a program has besides its tools.
#[derive(Debug, Args)]
pub(crate) struct SurfaceArgs {
    /// What the program may touch besides the tools [default: local in script, none elsewhere; script and cell can have it]
    #[arg(long, value_name = "AUTHORITY", value_enum)]
    authority: Option<AuthorityArg>,

    /// The name of script's table of helpers, or of the object of cell's tools [default: host]
    #[arg(long, value_name = "NAME", value_parser = parse_namespace)]
    namespace: Option<String>,
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
    pub(crate) fn apply(&self, mut profile: Profile) -> Result<Profile, CliError> {
        if let Some(namespace) = &self.namespace {
            let taken = match profile.form {
                Form::Script => TAKEN_IN_LUA,
                Form::Cell => TAKEN_IN_JAVASCRIPT,
                form => {
                    return Err(CliError::new(format!(
                        "--namespace does nothing under profile {}, whose tools are in `tools`; leave it out, or choose --profile script or --profile cell",
                        form.as_str()
                    )));
                }
            };
            if taken.contains(&namespace.as_str()) {
                return Err(CliError::new(format!(
                    "--namespace is {namespace}, and a program has something else of that name; taken are {}",
                    taken.join(", ")
                )));
            }
            profile = profile.with_namespace(namespace.as_str());
        }
        match self.authority {
            None => {}
            Some(AuthorityArg::None) => profile.authority = Authority::None,
            Some(AuthorityArg::Local) if matches!(profile.form, Form::Script | Form::Cell) => profile.authority = Authority::Local,
            Some(AuthorityArg::Local) => {
                return Err(CliError::new(format!(
                    "--authority local is for the profiles script and cell, and this is profile {}; leave it out: the tools of --tools work on files, and --tools workspace,execute brings shell commands",
                    profile.name()
                )));
            }
        }
        Ok(profile)
    }
}

/// What a program under this profile has besides its tools, as annotations for the Lua language server.
pub(crate) fn annotations(profile: &Profile) -> String {
    let local = if profile.authority == Authority::Local { SCRIPT_LOCAL } else { "" };
    format!("{SCRIPT}{local}").replace("NAMESPACE", &profile.namespace)
}

fn parse_namespace(name: &str) -> Result<String, String> {
    if is_identifier(name) {
        Ok(name.to_owned())
    } else {
        Err("a name is letters, digits and _, begins with no digit and is no keyword".to_owned())
    }
}

/// What a Lua program has under its own name.
const TAKEN_IN_LUA: &[&str] = &["args", "cwd", "print", "tool"];
/// What a cell has under its own name, and what no JavaScript program goes without.
const TAKEN_IN_JAVASCRIPT: &[&str] = &[
    "Array",
    "Buffer",
    "Date",
    "Error",
    "Infinity",
    "JSON",
    "Map",
    "Math",
    "NaN",
    "Number",
    "Object",
    "Promise",
    "Set",
    "String",
    "ToolError",
    "console",
    "fetch",
    "globalThis",
    "process",
    "project",
    "require",
    "scratch",
    "state",
    "undefined",
];

#[cfg(test)]
mod tests {
    use super::*;

    fn applied(namespace: &str, profile: Profile) -> Result<String, String> {
        let namespace = Some(parse_namespace(namespace)?);
        let applied = SurfaceArgs { authority: None, namespace }.apply(profile);
        applied.map(|profile| profile.namespace.to_string()).map_err(|error| error.to_string())
    }

    #[test]
    fn a_namespace_is_a_free_identifier() {
        assert_eq!(applied("agent", Profile::script()), Ok("agent".to_owned()));
        assert_eq!(applied("tool", Profile::cell()), Ok("tool".to_owned()));
        assert_eq!(
            applied("tool", Profile::script()),
            Err("--namespace is tool, and a program has something else of that name; taken are args, cwd, print, tool".to_owned())
        );
        assert_eq!(
            applied("state", Profile::cell()),
            Err(format!(
                "--namespace is state, and a program has something else of that name; taken are {}",
                TAKEN_IN_JAVASCRIPT.join(", ")
            ))
        );
        assert_eq!(
            applied("agent", Profile::program()),
            Err("--namespace does nothing under profile program, whose tools are in `tools`; leave it out, \
                 or choose --profile script or --profile cell"
                .to_owned())
        );
        for wrong in ["", "1st", "a-b", "end", "ä"] {
            assert_eq!(
                applied(wrong, Profile::script()),
                Err("a name is letters, digits and _, begins with no digit and is no keyword".to_owned()),
                "{wrong:?}"
            );
        }
    }

    #[test]
    fn authority_local_is_where_there_is_one() {
        let applied = |authority, profile| {
            let applied = SurfaceArgs { authority, namespace: None }.apply(profile);
            applied.map(|profile| profile.authority).map_err(|error| error.to_string())
        };
        assert_eq!(applied(None, Profile::script()), Ok(Authority::Local));
        assert_eq!(applied(Some(AuthorityArg::None), Profile::script()), Ok(Authority::None));
        assert_eq!(applied(Some(AuthorityArg::None), Profile::cell()), Ok(Authority::None));
        assert_eq!(applied(Some(AuthorityArg::Local), Profile::cell()), Ok(Authority::Local));
        assert_eq!(
            applied(Some(AuthorityArg::Local), Profile::program()),
            Err("--authority local is for the profiles script and cell, and this is profile program; leave it out: the tools of \
                 --tools work on files, and --tools workspace,execute brings shell commands"
                .to_owned())
        );
    }
}
