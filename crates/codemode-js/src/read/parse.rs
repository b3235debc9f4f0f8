//! One parse, on a stack that holds it.

use std::thread;

use codemode_core::Raised;
use oxc_allocator::Allocator;
use oxc_ast::ast;
use oxc_parser::{ParseOptions, Parser};
use oxc_span::SourceType;

use super::bound::DEEPEST;
use super::refuse::refuse;

/// The deepest nesting that is parsed on the caller's own stack, of which that takes at most about half a megabyte.
const SHALLOW: usize = 100;

/// The stack for deeper sources, in bytes: 8 KiB a level, of which a parse and a walk were seen to use 4 unoptimised.
const DEEP_STACK_BYTES: usize = DEEPEST * 8 * 1024;

/// The longest advice of the parser that is passed on, in bytes.
const LONGEST_HELP: usize = 160;

/// What the parser says about a source that does not parse, with the byte of the place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SyntaxError {
    pub(super) message: String,
    pub(super) at: usize,
}

/// Parses `text`, whose nesting is at most `depth`, and lets `look` walk the tree.
///
/// It is parsed as a strict TypeScript module without JSX, in which `return` may stand outside functions:
/// so one parse takes bodies with top-level `await` and `return` as well as modules.
///
/// # Errors
/// When the source is deep and the system gives no thread to parse it on.
pub(super) fn parse<R: Send>(
    text: &str,
    depth: usize,
    look: impl FnOnce(&ast::Program<'_>) -> R + Send,
) -> Result<Result<R, SyntaxError>, Raised> {
    if depth <= SHALLOW {
        return Ok(parse_here(text, look));
    }
    thread::scope(|scope| {
        let thread = thread::Builder::new().name("codemode-read".to_owned()).stack_size(DEEP_STACK_BYTES);
        match thread.spawn_scoped(scope, || parse_here(text, look)) {
            Ok(parsing) => parsing.join().map_err(|_| refuse("the parser broke on this source: write it in another way")),
            Err(_) => Err(refuse("the source is nested deeply, and no thread could be started to read it: write it flatter")),
        }
    })
}

fn parse_here<R>(text: &str, look: impl FnOnce(&ast::Program<'_>) -> R) -> Result<R, SyntaxError> {
    let allocator = Allocator::new();
    let options = ParseOptions { allow_return_outside_function: true, ..ParseOptions::default() };
    let parsed = Parser::new(&allocator, text, SourceType::ts().with_module(true)).with_options(options).parse();
    let Some(first) = parsed.diagnostics.first() else {
        return Ok(look(&parsed.program));
    };
    let at = first.labels.first().map_or(0, |label| label.offset() as usize);
    let mut message = sentence(&first.message);
    if let Some(help) = first.help.as_deref().filter(|help| help.len() <= LONGEST_HELP && !help.contains('\n')) {
        message.push_str(": ");
        message.push_str(&sentence(help));
    }
    Err(SyntaxError { message, at })
}

/// The parser's words as ours are written: lower case, no dot at the end.
fn sentence(text: &str) -> String {
    let mut text = text.trim_end_matches('.').to_owned();
    if text.chars().nth(1).is_some_and(|second| second.is_lowercase() || second == ' ')
        && let Some(first) = text.get_mut(..1)
    {
        first.make_ascii_lowercase();
    }
    text
}
