//! The front end: reads what a model wrote as a program, and changes nothing of it but spans.
//!
//! The order is fixed. A lexical scan bounds the depth and finds Markdown fences; what is no part of the program is
//! blanked; one parse gives the tree that decides the form and what is edited. A second parse is made only where the
//! text itself asks for it: it begins with a brace or a function without a name, or has fences that the scan did not see or
//! of which one is to be chosen.

mod awaits;
mod bound;
mod classes;
mod edits;
mod evidence;
mod fence;
mod file;
mod foreign;
mod forms;
mod imported;
mod imports;
mod marks;
mod parse;
mod program;
mod refuse;
mod scan;
mod source;
mod tail;
mod twice;
mod types;
mod walk;
mod words;

use codemode_core::{Authority, Form, Profile, Raised};

pub(crate) use self::file::{FileText, read_file};
pub use self::program::Program;

use self::forms::decide;
use self::parse::{SyntaxError, parse};
use self::refuse::{refuse, refuse_at};
use self::scan::{Scan, scan};
use self::source::Source;
use self::walk::{Imports, Walk};

/// Reads `source` as a program of `profile`.
///
/// Takes Markdown fences off, blanks erasable TypeScript, and finds out what is called or given back.
/// Runs in time that grows with the source, on the caller's stack, or for deep sources on a thread of its own;
/// the size that a profile allows is the caller's to bound.
///
/// # Errors
/// When it is no program, with the message, the place in the source as it was sent and how to mend it.
pub fn read(source: &str, profile: &Profile) -> Result<Program, Raised> {
    if profile.form == Form::Script {
        return Err(refuse("the form script is Lua, and this reads JavaScript: use batch, program or cell"));
    }
    bound::check_size(source)?;
    let text = fence::without_shebang(source);
    let scanned = scan(&text);
    let starts_fenced = scanned.backticks.is_some();
    if starts_fenced && let Some(unfenced) = fence::unfence(&text, profile)? {
        return read_unfenced(&unfenced, profile);
    }
    let error = match read_text(&text, &scanned, profile)? {
        Ok(program) => return Ok(program),
        Err(error) => error,
    };
    if !starts_fenced && let Some(unfenced) = fence::unfence(&text, profile)? {
        return read_unfenced(&unfenced, profile);
    }
    Err(no_program(&text, &scanned, &error, profile))
}

fn read_unfenced(unfenced: &str, profile: &Profile) -> Result<Program, Raised> {
    let text = fence::without_shebang(unfenced);
    let scanned = scan(&text);
    read_text(&text, &scanned, profile)?.map_err(|error| no_program(&text, &scanned, &error, profile))
}

/// Reads a text without fences; the inner error is that of the parser.
fn read_text(text: &str, scanned: &Scan, profile: &Profile) -> Result<Result<Program, SyntaxError>, Raised> {
    bound::check(text, scanned)?;
    if let Some(raised) = foreign::judge_whole(text, scanned, profile) {
        return Err(raised);
    }
    let mut furthest: Option<SyntaxError> = None;
    for &bracketed in attempts(text, scanned) {
        match read_as(text, scanned, profile, bracketed)? {
            Ok(program) => return Ok(Ok(program?)),
            Err(error) if furthest.as_ref().is_none_or(|first| error.at > first.at) => furthest = Some(error),
            Err(_) => {}
        }
    }
    Ok(Err(furthest.unwrap_or_else(|| SyntaxError { message: "no program".to_owned(), at: 0 })))
}

/// The ways to parse a text, in order: as it is (false), or as one expression in brackets (true).
fn attempts(text: &str, scanned: &Scan) -> &'static [bool] {
    let Some(first) = scanned.first else { return &[false] };
    let source = Source { text, shift: 0 };
    if text[first..].starts_with('{') {
        return &[true, false];
    }
    let mut at = first;
    if source.word(at) == "async" {
        at = source.skip(at + "async".len());
    }
    if source.word(at) == "function" {
        at = source.skip(at + "function".len());
        if text[at..].starts_with('*') {
            at = source.skip(at + 1);
        }
        if text[at..].starts_with(['(', '<']) {
            return &[true, false];
        }
    }
    &[false]
}

type Attempt = Result<Result<Program, Raised>, SyntaxError>;

fn read_as(text: &str, scanned: &Scan, profile: &Profile, bracketed: bool) -> Result<Attempt, Raised> {
    let form = profile.form;
    let may_import = form == Form::Cell && profile.authority == Authority::Local;
    let imports = if may_import { Imports::Awaited } else { Imports::Refused };
    let whole = bracketed.then_some((scanned.first.unwrap_or(0), scanned.last));
    let bracketed_text = whole.map(|(first, last)| format!("{}({}){}", &text[..first], &text[first..last], &text[last..]));
    let shift = usize::from(bracketed);
    let parsed = parse(bracketed_text.as_deref().unwrap_or(text), scanned.depth + shift, |tree| {
        let mut walk = Walk::new(Source { text, shift }, form == Form::Batch, imports);
        let decided = decide(&mut walk, tree, whole);
        match walk.refusal {
            Some(refusal) => Err(refusal),
            None => Ok((walk.edits, decided)),
        }
    })?;
    Ok(match parsed {
        Ok(Ok((edits, decided))) => Ok(Ok(Program::new(text, edits, form != Form::Batch, &decided.suffix, decided.warnings))),
        Ok(Err(refusal)) => {
            let mut raised = refuse_at(text, refusal.at, &refusal.message);
            raised.fix = refusal.fix;
            Ok(Err(raised))
        }
        Err(error) => Err(SyntaxError { at: error.at.saturating_sub(shift), ..error }),
    })
}

/// The refusal of what does not parse: what was sent instead, or the mistake in it.
fn no_program(text: &str, scanned: &Scan, error: &SyntaxError, profile: &Profile) -> Raised {
    if let Some(raised) = foreign::judge(text, scanned, profile) {
        return raised;
    }
    // At the end of the source, the place is the end of its last token.
    let at = error.at.min(scanned.last);
    let mut raised = refuse_at(text, at, &error.message);
    raised.fix = match awaits::fix_of_await(&error.message, profile.form) {
        Some(fix) => Some(fix.to_owned()),
        None => foreign::fix_of_syntax(text, scanned, at, profile),
    };
    raised
}
