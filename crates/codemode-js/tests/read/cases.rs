//! Runs the files of cases, each with the exact text or the exact refusal.
//!
//! A case is a line `=== form: what it shows`, the source, a line `--->`, and what came of it.
//! Blanks at the end of a line are written as `·`, carriage returns as `␍`, and a byte order mark as `␂`.
//! With `CODEMODE_BLESS=1` set, the files are written anew, to be read before they are committed.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use codemode_core::{Form, Raised};
use codemode_js::Program;
use oxc_allocator::Allocator;
use oxc_parser::Parser;
use oxc_span::SourceType;

use crate::read;

#[test]
fn each_source_is_read_as_its_case_says() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/read/cases");
    let mut files: Vec<PathBuf> =
        fs::read_dir(&folder).expect("the folder of cases").map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    let mut count = 0;
    let mut wrong = Vec::new();
    for file in files {
        let written = fs::read_to_string(&file).expect("a file of cases");
        let mut anew = String::new();
        for case in format!("\n{written}").split("\n=== ").skip(1) {
            count += 1;
            let (heading, rest) = case.split_once('\n').unwrap_or((case, ""));
            let (source, expected) = rest.split_once("\n--->\n").unwrap_or((rest.trim_end_matches('\n'), ""));
            let source = unmark(source);
            let form = heading.split_once(':').and_then(|(form, _)| Form::ALL.into_iter().find(|known| known.as_str() == form));
            let outcome = read(&source, form.unwrap_or_else(|| panic!("no form in {heading:?}")));
            if let Ok(program) = &outcome {
                assert_is_javascript(heading, program);
                assert_eq!(source.matches('\n').count() + 2, program.text().matches('\n').count(), "the lines of {heading:?}");
            }
            let observed = mark(&show(&outcome));
            if expected.trim_end_matches('\n') != observed.trim_end_matches('\n') {
                wrong.push(format!("{}: {heading}\n{observed}", file.display()));
            }
            write!(anew, "=== {heading}\n{}\n--->\n{observed}\n", mark(&source)).expect("text");
        }
        if std::env::var_os("CODEMODE_BLESS").is_some() {
            fs::write(&file, anew).expect("a file of cases");
            wrong.clear();
        }
    }
    assert!(wrong.is_empty(), "{} of {count} cases:\n{}", wrong.len(), wrong.join("\n"));
    assert!(count >= 278, "{count} cases are fewer than there were");
}

/// The text must be plain JavaScript: what types left behind would otherwise be found by the engine alone.
fn assert_is_javascript(heading: &str, program: &Program) {
    let allocator = Allocator::new();
    let parsed = Parser::new(&allocator, program.text(), SourceType::script()).parse();
    assert!(parsed.diagnostics.is_empty(), "{heading}: {:?}\n{}", parsed.diagnostics, program.text());
}

fn show(outcome: &Result<Program, Raised>) -> String {
    match outcome {
        Ok(program) => {
            let mut shown = program.text().to_owned();
            for warning in program.warnings() {
                write!(shown, "\nwarning: {warning}").expect("text");
            }
            shown
        }
        Err(raised) => {
            let place = raised.location.map_or_else(String::new, |at| format!("{}:{}: ", at.line, at.column.unwrap_or(0)));
            let mut shown = format!("refused: {place}{}", raised.message);
            for (name, part) in [("\n", &raised.traceback), ("\nfix: ", &raised.fix)] {
                if let Some(part) = part {
                    write!(shown, "{name}{part}").expect("text");
                }
            }
            shown
        }
    }
}

fn mark(text: &str) -> String {
    let lines = text.split('\n').map(|line| {
        let line = line.replace('\r', "␍").replace('\u{feff}', "␂");
        let kept = line.trim_end_matches(' ');
        format!("{kept}{}", "·".repeat(line.len() - kept.len()))
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn unmark(text: &str) -> String {
    text.replace('·', " ").replace('␍', "\r").replace('␂', "\u{feff}")
}
