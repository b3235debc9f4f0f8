//! Which engine and which profile run a program: what was asked for, else what the file's ending says.

use std::path::Path;
use std::sync::Arc;

use clap::{Args, ValueEnum};
use codemode::{Catalog, ClosureHost, Engine, Form, Isolation, Language, Profile, Runtime, engines};

use crate::exit::CliError;
use crate::source::shown;

/// Endings of files, with the language that they name.
const ENDINGS: &[(&str, Language)] = &[
    ("lua", Language::Lua),
    ("js", Language::JavaScript),
    ("mjs", Language::JavaScript),
    ("cjs", Language::JavaScript),
    ("ts", Language::JavaScript),
    ("mts", Language::JavaScript),
    ("cts", Language::JavaScript),
];

/// The profiles, in the order in which an engine's are preferred.
const PREFERRED: [Form; 4] = [Form::Program, Form::Script, Form::Batch, Form::Cell];
/// What runs a program that nothing is known of.
const FALLBACK: Form = Form::Program;

/// What a program is run by.
#[derive(Debug, Args)]
pub(crate) struct LanguageArgs {
    /// The engine [default: the first that has the profile; `codemode doctor` lists them]
    #[arg(long, value_name = "ENGINE")]
    engine: Option<String>,

    /// The profile: what the program sees and gives back [default: by the file's ending, else program]
    #[arg(long, value_name = "PROFILE", value_enum)]
    profile: Option<ProfileArg>,
}

/// A profile on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ProfileArg {
    /// JavaScript: `await tools.name({…})`, which may overlap; gives back what it returns, or its last expression
    Program,
    /// Lua: `tool.name{…}`; gives back what it prints
    Script,
    /// JavaScript without waiting: `tools.call("name", {…})` gives `{success, content}` or `{success, error}`; needs --intent
    Batch,
    /// JavaScript: `await host.name({…})`, and `state`, which --session keeps
    Cell,
}

impl ProfileArg {
    pub(crate) fn form(self) -> Form {
        match self {
            Self::Program => Form::Program,
            Self::Script => Form::Script,
            Self::Batch => Form::Batch,
            Self::Cell => Form::Cell,
        }
    }
}

/// The engine and the profile that were chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Choice {
    /// The engine's word.
    pub(crate) engine: &'static str,
    /// The profile, as it is by default.
    pub(crate) profile: Profile,
    /// Whether neither an option nor a file's ending said anything.
    pub(crate) is_guess: bool,
}

impl Choice {
    /// How to run a program that would not parse, where it was taken for JavaScript and is whole in Lua.
    pub(crate) fn what_reads_it(&self, source: &str) -> Option<&'static str> {
        if !self.is_guess || self.profile.language == Language::Lua {
            return None;
        }
        // The program is read and not run, so that nothing of the host's is needed.
        let host = ClosureHost::new(Catalog::default(), |name, _| Err(format!("there is no tool {name}")));
        let profile = Profile::script().with_isolation(Isolation::Thread);
        let lua = Runtime::builder(Arc::new(host)).profile(profile).build().ok()?;
        lua.runner().check(source).is_ok().then_some("it parses as Lua: run it with --profile script, or name its file .lua")
    }
}

impl LanguageArgs {
    /// Chooses for a program in this file, or in none, which is to run there.
    pub(crate) fn choose(&self, file: Option<&Path>, isolation: Isolation) -> Result<Choice, CliError> {
        let here = |id: &str| if isolation == Isolation::Thread { codemode::engine(id) } else { codemode::workers::engine(id) };
        let asked = self.engine.as_deref().map(here).transpose().map_err(CliError::of)?;
        let is_guess = self.profile.is_none() && asked.is_none() && file.is_none_or(|file| file.extension().is_none());
        let form = match (self.profile.map(ProfileArg::form), &asked) {
            (Some(form), _) => form,
            (None, Some(engine)) => {
                let first = PREFERRED.into_iter().find(|form| engine.support().form(*form));
                first.ok_or_else(|| CliError::new(format!("engine {} has no profile of this version", engine.id())))?
            }
            (None, None) => form_of_file(file)?,
        };
        let engine = match asked {
            Some(engine) if engine.support().form(form) => engine,
            Some(engine) => {
                return Err(CliError::new(format!(
                    "engine {} has no profile {}; leave out --engine or --profile",
                    engine.id(),
                    form.as_str()
                )));
            }
            None => there(isolation).into_iter().find(|engine| engine.support().form(form)).ok_or_else(|| {
                CliError::new(format!("profile {} needs an engine that is not here ({}); {REBUILD}", form.as_str(), compiled_in()))
            })?,
        };
        Ok(Choice { engine: engine.id(), profile: Profile::of(form).with_isolation(isolation), is_guess })
    }
}

const REBUILD: &str = "build the command with its default features, which bring every engine";

/// The engines that were compiled in, as they are there.
fn there(isolation: Isolation) -> Vec<Arc<dyn Engine>> {
    if isolation == Isolation::Thread { engines() } else { codemode::workers::engines() }
}

/// The engines that were compiled in, for messages.
pub(crate) fn compiled_in() -> String {
    let there: Vec<_> = codemode::workers::engines().iter().map(|engine| engine.id()).collect();
    if there.is_empty() { "no engine is compiled in".to_owned() } else { format!("compiled in: {}", there.join(", ")) }
}

fn form_of_file(file: Option<&Path>) -> Result<Form, CliError> {
    let Some((file, ending)) = file.and_then(|file| Some((file, file.extension()?.to_string_lossy().into_owned()))) else {
        return Ok(FALLBACK);
    };
    match ENDINGS.iter().find(|(known, _)| known.eq_ignore_ascii_case(&ending)) {
        Some((_, Language::Lua)) => Ok(Form::Script),
        Some(_) => Ok(Form::Program),
        None => Err(CliError::new(format!(
            "the ending of {} names no language that is known here; name the file .ts, .js or .lua, or choose with --profile",
            shown(file)
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(engine: Option<&str>, profile: Option<ProfileArg>, file: Option<&str>) -> Result<(&'static str, &'static str), String> {
        let args = LanguageArgs { engine: engine.map(str::to_owned), profile };
        args.choose(file.map(Path::new), Isolation::Process)
            .map(|choice| (choice.engine, choice.profile.name()))
            .map_err(|error| error.to_string())
    }

    #[cfg(all(feature = "luajit", feature = "quickjs"))]
    #[test]
    fn the_ending_chooses_unless_something_else_does() {
        let script = Ok(("luajit", "script"));
        let program = Ok(("quickjs", "program"));
        assert_eq!(chosen(None, None, None), program);
        for file in ["a.js", "a.mjs", "a.cjs", "a.ts", "a.mts", "a.cts", "a.TS", "folder.d/program"] {
            assert_eq!(chosen(None, None, Some(file)), program, "{file}");
        }
        assert_eq!(chosen(None, None, Some("a.lua")), script);
        assert_eq!(chosen(None, None, Some("a.LUA")), script);
        assert_eq!(chosen(Some("luajit"), None, Some("a.txt")), script);
        assert_eq!(chosen(Some("quickjs"), None, Some("a.lua")), program);
        assert_eq!(chosen(None, Some(ProfileArg::Script), Some("a.js")), script);
        assert_eq!(chosen(None, Some(ProfileArg::Batch), Some("a.lua")), Ok(("quickjs", "batch")));
        assert_eq!(chosen(None, Some(ProfileArg::Cell), None), Ok(("quickjs", "cell")));
        assert_eq!(
            chosen(Some("luajit"), Some(ProfileArg::Cell), None),
            Err("engine luajit has no profile cell; leave out --engine or --profile".to_owned())
        );
    }

    #[cfg(all(feature = "luajit", feature = "quickjs"))]
    #[test]
    fn what_is_not_here_names_what_is() {
        assert_eq!(
            chosen(None, None, Some("a.py")),
            Err("the ending of \"a.py\" names no language that is known here; name the file .ts, .js or .lua, or choose with --profile"
                .to_owned())
        );
        assert_eq!(
            chosen(Some("v8"), None, None),
            Err("engine \"v8\" is not here; this version has no such engine, only luajit, quickjs, boa; compiled in: luajit, quickjs"
                .to_owned())
        );
    }

    #[cfg(not(feature = "quickjs"))]
    #[test]
    fn a_build_without_an_engine_for_the_profile_says_so() {
        let there = if cfg!(feature = "luajit") { "compiled in: luajit" } else { "no engine is compiled in" };
        let expected = format!(
            "profile program needs an engine that is not here ({there}); build the command with its default features, which bring every engine"
        );
        assert_eq!(chosen(None, None, None), Err(expected));
    }
}
