//! `codemode tools signatures`: what a program can call, as declarations of its own language.

use clap::{Args, ValueEnum};
use codemode::{Catalog, Form, Language, Profile};
use codemode_catalog::{LualsOptions, TypeScriptForm, TypeScriptOptions, luals, typescript};

use crate::exit::CliError;
use crate::language::ProfileArg;
use crate::surface::{SurfaceArgs, annotations};

/// Whose surface is printed, and how.
#[derive(Debug, Args)]
pub(crate) struct SignatureArgs {
    /// The language of the declarations [default: the profile's]
    #[arg(long, value_name = "LANGUAGE", value_enum)]
    language: Option<LanguageArg>,

    /// The profile of the programs [default: program, or script with --language lua]
    #[arg(long, value_name = "PROFILE", value_enum)]
    profile: Option<ProfileArg>,

    #[command(flatten)]
    surface: SurfaceArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum LanguageArg {
    /// TypeScript declarations
    Ts,
    /// Annotations for the Lua language server
    Lua,
}

impl SignatureArgs {
    pub(crate) fn print(&self, catalog: &Catalog) -> Result<String, CliError> {
        let profile = self.surface.apply(Profile::of(self.form()?))?;
        let form = match profile.form {
            Form::Script => {
                return Ok(format!("{}{}", luals(catalog, &LualsOptions::default()), annotations(&profile)));
            }
            Form::Batch => TypeScriptForm::Batch,
            Form::Cell => TypeScriptForm::Cell,
            _ => TypeScriptForm::Program,
        };
        let (namespace, call_intents) = (profile.namespace.to_string(), profile.call_intents);
        Ok(typescript(catalog, &TypeScriptOptions { form, namespace, call_intents, ..TypeScriptOptions::default() }))
    }

    fn form(&self) -> Result<Form, CliError> {
        let form = self.profile.map(ProfileArg::form).unwrap_or(if self.language == Some(LanguageArg::Lua) {
            Form::Script
        } else {
            Form::Program
        });
        let written_in = Profile::of(form).language;
        match (self.language, written_in) {
            (Some(LanguageArg::Lua), Language::JavaScript) => {
                Err(CliError::new(format!("profile {} is written in JavaScript; leave out --language or --profile", form.as_str())))
            }
            (Some(LanguageArg::Ts), Language::Lua) => {
                Err(CliError::new(format!("profile {} is written in Lua; leave out --language or --profile", form.as_str())))
            }
            _ => Ok(form),
        }
    }
}
