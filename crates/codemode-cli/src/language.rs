//! Which engine and which profile run a program: what was asked for, else what the file's ending says.

use std::path::Path;

use clap::Args;
use codemode::{Form, Language, Profile, engine, engines};

use crate::exit::CliError;
use crate::source::shown;

/// Endings of files, with the language that they name.
const ENDINGS: &[(&str, Language)] = &[
    ("lua", Language::Lua),
    ("js", Language::JavaScript),
    ("mjs", Language::JavaScript),
    ("cjs", Language::JavaScript),
    ("jsx", Language::JavaScript),
    ("ts", Language::JavaScript),
    ("mts", Language::JavaScript),
    ("cts", Language::JavaScript),
    ("tsx", Language::JavaScript),
];

/// A profile of this version.
#[derive(Debug, Clone, Copy)]
struct Offer {
    form: Form,
    profile: fn() -> Profile,
}

/// The profiles of this version, in the order in which an engine's are preferred.
const OFFERS: &[Offer] = &[Offer { form: Form::Script, profile: Profile::script }];
/// What runs a program that nothing is known of.
const FALLBACK: Form = Form::Script;
/// The form for a file of this language.
const FORMS: &[(Language, Form)] = &[(Language::Lua, Form::Script)];

/// What a program is run by.
#[derive(Debug, Args)]
pub(crate) struct LanguageArgs {
    /// The engine [default: the first that has the profile; `codemode doctor` lists them]
    #[arg(long, value_name = "ENGINE")]
    engine: Option<String>,

    /// The profile: what the program sees and gives back [default: by the file's ending, else script]
    #[arg(long, value_name = "PROFILE", value_parser = parse_profile)]
    profile: Option<Form>,
}

/// The engine and the profile that were chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Choice {
    /// The engine's word.
    pub(crate) engine: &'static str,
    /// The profile, as it is by default.
    pub(crate) profile: Profile,
}

impl LanguageArgs {
    /// Chooses for a program in this file, or in none.
    pub(crate) fn choose(&self, file: Option<&Path>) -> Result<Choice, CliError> {
        let asked = self.engine.as_deref().map(engine).transpose().map_err(CliError::of)?;
        let Offer { form, profile } = match (self.profile, &asked) {
            (Some(form), _) => offer(form)?,
            (None, Some(engine)) => {
                let first = OFFERS.iter().find(|offer| engine.support().form(offer.form));
                first.copied().ok_or_else(|| CliError::new(format!("engine {} has no profile of this version", engine.id())))?
            }
            (None, None) => offer(form_of_file(file)?)?,
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
            None => engines().into_iter().find(|engine| engine.support().form(form)).ok_or_else(|| {
                CliError::new(format!("profile {} needs an engine that is not here ({}); {REBUILD}", form.as_str(), compiled_in()))
            })?,
        };
        Ok(Choice { engine: engine.id(), profile: profile() })
    }
}

const REBUILD: &str = "build the command with its default features, which bring every engine";

/// The engines that were compiled in, for messages.
pub(crate) fn compiled_in() -> String {
    let there: Vec<_> = engines().iter().map(|engine| engine.id()).collect();
    if there.is_empty() { "no engine is compiled in".to_owned() } else { format!("compiled in: {}", there.join(", ")) }
}

fn offer(form: Form) -> Result<Offer, CliError> {
    OFFERS.iter().find(|offer| offer.form == form).copied().ok_or_else(|| CliError::new(no_such_profile(form.as_str())))
}

fn parse_profile(text: &str) -> Result<Form, String> {
    OFFERS.iter().map(|offer| offer.form).find(|form| form.as_str() == text).ok_or_else(|| no_such_profile(text))
}

fn no_such_profile(name: &str) -> String {
    let names: Vec<_> = OFFERS.iter().map(|offer| offer.form.as_str()).collect();
    format!("this version has no profile \"{}\"; it has: {}", codemode::text::cut(name, 60), names.join(", "))
}

fn form_of_file(file: Option<&Path>) -> Result<Form, CliError> {
    let Some((file, ending)) = file.and_then(|file| Some((file, file.extension()?.to_string_lossy().into_owned()))) else {
        return Ok(FALLBACK);
    };
    let Some((_, language)) = ENDINGS.iter().find(|(known, _)| known.eq_ignore_ascii_case(&ending)) else {
        return Err(CliError::new(format!(
            "the ending of {} names no language that is known here; name the file .lua, or choose with --profile script",
            shown(file)
        )));
    };
    FORMS.iter().find(|(known, _)| known == language).map(|(_, form)| *form).ok_or_else(|| {
        CliError::new(format!(
            "{} is {} by its ending, and no engine for that is here ({}); write the program in lua and name it .lua",
            shown(file),
            language.name(),
            compiled_in()
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(engine: Option<&str>, profile: Option<Form>, file: Option<&str>) -> Result<(&'static str, &'static str), String> {
        let args = LanguageArgs { engine: engine.map(str::to_owned), profile };
        args.choose(file.map(Path::new)).map(|choice| (choice.engine, choice.profile.name())).map_err(|error| error.to_string())
    }

    #[cfg(feature = "luajit")]
    #[test]
    fn the_ending_chooses_unless_something_else_does() {
        let script = Ok(("luajit", "script"));
        assert_eq!(chosen(None, None, None), script);
        assert_eq!(chosen(None, None, Some("a.lua")), script);
        assert_eq!(chosen(None, None, Some("a.LUA")), script);
        assert_eq!(chosen(None, None, Some("folder.d/program")), script);
        assert_eq!(chosen(Some("luajit"), None, Some("a.txt")), script);
        assert_eq!(chosen(None, Some(Form::Script), Some("a.js")), script);
    }

    #[cfg(feature = "luajit")]
    #[test]
    fn what_is_not_here_names_what_is() {
        assert_eq!(
            chosen(None, None, Some("a.ts")),
            Err("\"a.ts\" is javascript by its ending, and no engine for that is here (compiled in: luajit); \
                 write the program in lua and name it .lua"
                .to_owned())
        );
        assert_eq!(
            chosen(None, None, Some("a.py")),
            Err("the ending of \"a.py\" names no language that is known here; name the file .lua, or choose with --profile script"
                .to_owned())
        );
        assert_eq!(
            chosen(Some("v8"), None, None),
            Err("engine \"v8\" is not here; this version has no such engine, only luajit; compiled in: luajit".to_owned())
        );
        assert_eq!(parse_profile("program"), Err("this version has no profile \"program\"; it has: script".to_owned()));
    }

    #[cfg(not(feature = "luajit"))]
    #[test]
    fn a_build_without_engines_says_so() {
        assert_eq!(
            chosen(None, None, None),
            Err("profile script needs an engine that is not here (no engine is compiled in); build the command with its default features, which bring every engine".to_owned())
        );
    }
}
