//! Reading a file that a program imports: whether it is a module, and its text without types.

use codemode_core::Raised;
use oxc_ast::ast::Statement;
use oxc_ast_visit::Visit;

use super::parse::parse;
use super::refuse::refuse_at;
use super::scan::scan;
use super::source::Source;
use super::walk::{Imports, Walk};
use super::{bound, fence};

/// A file as an engine evaluates it. Its lines are those of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FileText {
    /// Whether it is an ES module; else it is CommonJS.
    pub(crate) is_module: bool,
    pub(crate) text: String,
}

/// Reads a file. `is_module` says what it is, where its name or its package tells; with `typed`, types are taken out.
///
/// # Errors
/// When it is TypeScript and does not parse, or has more than types to take out; or when it is too large or too deep.
pub(crate) fn read_file(source: &str, is_module: Option<bool>, typed: bool) -> Result<FileText, Raised> {
    bound::check_size(source)?;
    let text = fence::without_shebang(source);
    if let (Some(is_module), false) = (is_module, typed) {
        return Ok(FileText { is_module, text: text.to_string() });
    }
    let scanned = scan(&text);
    bound::check(&text, &scanned)?;
    let parsed = parse(&text, scanned.depth, |program| {
        let has_modules = program.body.iter().any(is_of_modules);
        if !typed {
            return Ok((has_modules, None));
        }
        let mut walk = Walk::new(Source { text: &text, shift: 0 }, false, Imports::Kept);
        walk.visit_program(program);
        match walk.refusal {
            Some(refusal) => Err(refusal),
            None => Ok((has_modules, Some(walk.edits.make("", &text).text))),
        }
    })?;
    match parsed {
        Ok(Ok((has_modules, made))) => {
            let text = made.unwrap_or_else(|| text.to_string());
            Ok(FileText { is_module: is_module.unwrap_or(has_modules), text })
        }
        Ok(Err(refusal)) => {
            let mut raised = refuse_at(&text, refusal.at, &refusal.message);
            raised.fix = refusal.fix;
            Err(raised)
        }
        // What is no module may be CommonJS of the kind that is not strict: the engine has the last word.
        Err(_) if !typed => Ok(FileText { is_module: is_module.unwrap_or(false), text: text.to_string() }),
        Err(error) => Err(refuse_at(&text, error.at, &error.message)),
    }
}

/// Whether a statement is there in modules alone.
fn is_of_modules(statement: &Statement<'_>) -> bool {
    matches!(
        statement,
        Statement::ImportDeclaration(_)
            | Statement::ExportAllDeclaration(_)
            | Statement::ExportFromDeclaration(_)
            | Statement::ExportNamedDeclaration(_)
            | Statement::ExportDefaultDeclaration(_)
            | Statement::ExportDeclaration(_)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(source: &str, is_module: Option<bool>, typed: bool) -> (bool, String) {
        let FileText { is_module, text } = read_file(source, is_module, typed).expect("it is read");
        (is_module, text)
    }

    #[test]
    fn a_file_tells_by_its_text_what_it_is() {
        for (source, is_module) in [
            ("export const a = 1", true),
            ("import 'x'", true),
            ("module.exports = 1", false),
            ("const x = import('y')", false),
            ("with (a) { b }", false),
            ("const a = '; export const b'", false),
            ("#!/usr/bin/env node\nexport {}", true),
        ] {
            assert_eq!(read(source, None, false).0, is_module, "{source}");
        }
        assert_eq!(read("x", Some(true), false), (true, "x".to_owned()));
    }

    #[test]
    fn types_are_taken_out_of_a_module_and_the_rest_stays() {
        for (source, text) in [
            ("export const a: number = 1", "export const a         = 1"),
            ("import {type A, b} from './x'", "import {        b} from './x'"),
            ("import type {A} from './x'\nexport {b, type C}", ";                         \nexport {b,       }"),
            ("export interface I {}\nexport default 1 as number", ";                    \nexport default 1          "),
            ("export * from './x'", "export * from './x'"),
        ] {
            assert_eq!(read(source, None, true), (true, text.to_owned()), "{source}");
        }
        assert_eq!(read("const a: string = require('x')", None, true), (false, "const a         = require('x')".to_owned()));
        let error = read_file("enum A { B }", None, true).expect_err("an enum");
        assert_eq!(error.message, "an enum has values, and only types can be taken out");
    }
}
