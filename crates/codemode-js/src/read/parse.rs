//! One parse, on a stack that holds it.

use oxc_allocator::Allocator;
use oxc_ast::ast;
use oxc_parser::{ParseOptions, Parser};
use oxc_span::SourceType;

/// What a parser said about a source that does not parse, with the byte of the place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SyntaxError {
    pub(super) message: String,
    pub(super) at: usize,
}

/// Parses `text` as strict TypeScript without JSX, in which `await` and `return` stand outside functions too.
pub(super) fn parse<R>(text: &str, look: impl FnOnce(&ast::Program<'_>) -> R) -> Result<R, SyntaxError> {
    let allocator = Allocator::new();
    let options = ParseOptions { allow_return_outside_function: true, ..ParseOptions::default() };
    let parsed = Parser::new(&allocator, text, SourceType::ts()).with_options(options).parse();
    match parsed.diagnostics.first() {
        Some(first) => Err(SyntaxError {
            message: first.message.to_string(),
            at: first.labels.first().map_or(0, |label| label.offset() as usize),
        }),
        None => Ok(look(&parsed.program)),
    }
}
