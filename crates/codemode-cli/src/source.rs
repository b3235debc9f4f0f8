//! Where the program comes from: a file, standard input, or the command line.

use std::fs::File;
use std::io::{self, IsTerminal as _, Read};
use std::path::{Path, PathBuf};

use clap::Args;

use crate::exit::CliError;

/// The most bytes that are read of a program: past every `--source`, so that the budget's own message is what a user sees.
const MOST_BYTES: u64 = 16 << 20;

/// The program to run.
#[derive(Debug, Args)]
pub(crate) struct SourceArgs {
    /// The program's file; `-` reads standard input
    #[arg(value_name = "FILE|-", value_hint = clap::ValueHint::FilePath)]
    file: Option<PathBuf>,

    /// The program itself, in place of a file
    #[arg(short, long, value_name = "CODE", allow_hyphen_values = true)]
    eval: Option<String>,
}

/// A program's text, and what is known of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Program {
    /// The text.
    pub(crate) text: String,
    /// The file that it is in, if it is in one; its ending tells the language.
    pub(crate) file: Option<PathBuf>,
}

impl Program {
    /// The program's name in messages.
    pub(crate) fn name(&self) -> String {
        self.file.as_deref().map_or_else(|| "the program".to_owned(), shown)
    }
}

impl SourceArgs {
    /// Reads the program.
    pub(crate) fn read(&self) -> Result<Program, CliError> {
        match (&self.file, &self.eval) {
            (Some(file), Some(_)) => {
                Err(CliError::new(format!("two programs were given, {} and the one after -e; leave out one of them", shown(file))))
            }
            (None, None) => Err(CliError::new("no program was given; name a FILE, use - to read standard input, or write it after -e")),
            (None, Some(text)) => Ok(Program { text: text.clone(), file: None }),
            (Some(file), None) if file != Path::new("-") => Ok(Program { text: read_file(file)?, file: Some(file.clone()) }),
            (Some(_), None) if io::stdin().is_terminal() => Err(CliError::new(
                "standard input, from which - reads the program, is a terminal here; pipe a program in, name a FILE, or write it after -e",
            )),
            (Some(_), None) => Ok(Program { text: read_text(io::stdin().lock(), "standard input")?, file: None }),
        }
    }
}

/// A path as messages show it.
pub(crate) fn shown(path: &Path) -> String {
    format!("\"{}\"", codemode::text::one_line(&codemode::text::cut(&path.to_string_lossy(), 240)))
}

fn read_file(path: &Path) -> Result<String, CliError> {
    let name = shown(path);
    let file = File::open(path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => CliError::new(format!("there is no file {name}; name one that exists, or write the program after -e")),
        _ => CliError::new(format!("the file {name} cannot be read: {error}; let this user read it, or name another")),
    })?;
    if file.metadata().is_ok_and(|metadata| metadata.is_dir()) {
        return Err(CliError::new(format!("{name} is a folder; name the file of a program in it")));
    }
    read_text(file, &format!("the file {name}"))
}

fn read_text(from: impl Read, name: &str) -> Result<String, CliError> {
    let mut bytes = Vec::new();
    from.take(MOST_BYTES + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| CliError::new(format!("{name} cannot be read: {error}; name another file, or write the program after -e")))?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(CliError::new(format!("{name} is over {} MiB, which no program may be; see --source", MOST_BYTES >> 20)));
    }
    String::from_utf8(bytes).map_err(|error| {
        let error = error.utf8_error();
        CliError::new(format!(
            "{name} is no UTF-8 text from byte {} on; save it as UTF-8, and write other bytes as escapes",
            error.valid_up_to() + 1
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failure(args: &SourceArgs) -> String {
        args.read().expect_err("no program").to_string()
    }

    #[test]
    fn a_program_is_read_from_where_it_is() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.lua");
        std::fs::write(&path, "return 1").expect("written");
        let args = SourceArgs { file: Some(path.clone()), eval: None };
        assert_eq!(args.read(), Ok(Program { text: "return 1".to_owned(), file: Some(path) }));
        let args = SourceArgs { file: None, eval: Some(String::new()) };
        assert_eq!(args.read(), Ok(Program { text: String::new(), file: None }));
    }

    #[test]
    fn what_cannot_be_read_says_what_to_do() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| SourceArgs { file: Some(folder.path().join(name)), eval: None };
        let name = |file: &str| folder.path().join(file).display().to_string();
        assert_eq!(
            failure(&SourceArgs { file: None, eval: None }),
            "no program was given; name a FILE, use - to read standard input, or write it after -e"
        );
        assert_eq!(
            failure(&SourceArgs { file: Some(PathBuf::from("a.lua")), eval: Some("return 1".to_owned()) }),
            "two programs were given, \"a.lua\" and the one after -e; leave out one of them"
        );
        assert_eq!(
            failure(&at("none.lua")),
            format!("there is no file \"{}\"; name one that exists, or write the program after -e", name("none.lua"))
        );
        assert_eq!(failure(&at(".")), format!("\"{}\" is a folder; name the file of a program in it", name(".")));
        std::fs::write(folder.path().join("latin.lua"), b"return '\xe4'").expect("written");
        assert_eq!(
            failure(&at("latin.lua")),
            format!(
                "the file \"{}\" is no UTF-8 text from byte 9 on; save it as UTF-8, and write other bytes as escapes",
                name("latin.lua")
            )
        );
        let large = File::create(folder.path().join("large.lua")).expect("made");
        large.set_len(MOST_BYTES + 1).expect("sparse");
        assert_eq!(
            failure(&at("large.lua")),
            format!("the file \"{}\" is over 16 MiB, which no program may be; see --source", name("large.lua"))
        );
    }
}
