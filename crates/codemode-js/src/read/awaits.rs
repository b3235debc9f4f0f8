//! What is asynchronous in a batch: `await` before a synchronous call is harmless and goes, all else is refused.

use codemode_core::Form;
use oxc_ast::ast;

use super::walk::Walk;

/// How to write a batch that was written asynchronously.
pub(super) const SYNCHRONOUS: &str =
    "calls give their answer at once: `const answer = tools.call(\"name\", { key: \"value\" }); return answer.content`";

/// Advice where the parser's message says that `await` stands in a function that is not async.
pub(super) fn fix_of_await(message: &str, form: Form) -> Option<&'static str> {
    message.starts_with("`await` is only allowed within async functions").then_some(match form {
        Form::Batch => SYNCHRONOUS,
        _ => "make the function async, and await what it gives: `await Promise.all(items.map(async (item) => …))`; `forEach` waits for nothing, `for (const item of items)` does",
    })
}

impl Walk<'_> {
    /// Blanks the word; where the rest would then join the line before, or read as a statement, `0,` stands for it.
    pub(super) fn blank_await(&mut self, it: &ast::AwaitExpression<'_>) {
        let start = self.source.at(it.span.start);
        let end = start + "await".len();
        self.edits.blank(start, end);
        let rest = self.source.skip(end);
        let reads_as_statement = matches!(self.source.word(rest), "function" | "class" | "async" | "let");
        if self.statement == Some(start) && (self.source.joins(rest) || reads_as_statement || self.source.next(rest) == Some('{')) {
            self.edits.overwrite(start, '0');
            self.edits.overwrite(start + 1, ',');
        }
    }

    /// Refuses what only an asynchronous body can have.
    pub(super) fn refuse_async_in_batch(&mut self, position: u32, what: &str) {
        if self.is_batch && self.functions == 0 {
            self.refuse(position, format!("a batch is synchronous and has no {what}"), Some(SYNCHRONOUS.to_owned()));
        }
    }
}
