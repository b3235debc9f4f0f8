//! Classes: modifiers, abstract and declared members, index signatures, and the ends of fields.

use oxc_ast::ast;
use oxc_ast_visit::walk;
use oxc_span::{GetSpan, Span};

use super::walk::Walk;

impl Walk<'_> {
    /// Blanks `abstract` and `implements …`.
    pub(super) fn blank_class_head(&mut self, it: &ast::Class<'_>) {
        let mut at = self.source.skip(self.source.at(it.decorators.last().map_or(it.span.start, |last| last.span.end)));
        if self.source.word(at) == "abstract" {
            self.edits.blank(at, at + "abstract".len());
            at = self.source.skip(at + "abstract".len());
        }
        if let Some(last) = it.implements.last() {
            let before = [
                it.heritage.as_ref().and_then(|heritage| heritage.type_arguments.as_ref()).map(|types| types.span.end),
                it.heritage.as_ref().map(|heritage| heritage.expression.span().end),
                it.type_parameters.as_ref().map(|types| types.span.end),
                it.id.as_ref().map(|id| id.span.end),
            ];
            let end = before.into_iter().flatten().next().map_or(at + self.source.word(at).len(), |end| self.source.at(end));
            self.edits.blank(self.source.skip(end), self.source.at(last.span.end));
        }
    }

    pub(super) fn read_class_body(&mut self, it: &ast::ClassBody<'_>) {
        // Where the member before is a field that no semicolon ends, a blanked word at the start of the next has to.
        let mut is_open = false;
        for member in &it.body {
            if is_type_alone(member) {
                self.erase(member.span());
                is_open = false;
                continue;
            }
            if let Some((key, computed, optional, definite)) = key_of(member) {
                self.blank_modifiers(member.span(), key, is_open);
                let mut end = self.source.at(key.end);
                if computed {
                    end = self.source.skip(end) + 1;
                }
                if optional {
                    self.blank_mark(end, '?');
                }
                if definite {
                    self.blank_mark(end, '!');
                }
            }
            walk::walk_class_element(self, member);
            let is_field = matches!(member, ast::ClassElement::PropertyDefinition(_) | ast::ClassElement::AccessorProperty(_));
            is_open = is_field && !self.source.between(0, self.source.at(member.span().end)).ends_with(';');
            if is_open {
                self.end_statement(member.span());
            }
        }
    }

    /// Blanks the words before a member's key that only types know.
    fn blank_modifiers(&mut self, member: Span, key: Span, is_open: bool) {
        let (start, key) = (self.source.at(member.start), self.source.at(key.start));
        let mut at = start;
        loop {
            at = self.source.skip(at);
            let word = self.source.word(at);
            if word.is_empty() || at >= key {
                return;
            }
            if matches!(word, "public" | "private" | "protected" | "readonly" | "override" | "abstract" | "declare") {
                self.edits.blank(at, at + word.len());
                if is_open && at == start {
                    self.edits.overwrite(at, ';');
                }
            }
            at += word.len();
        }
    }
}

/// Whether nothing is left of a member without its types.
fn is_type_alone(member: &ast::ClassElement<'_>) -> bool {
    match member {
        ast::ClassElement::StaticBlock(_) => false,
        ast::ClassElement::MethodDefinition(it) => it.r#type.is_abstract() || it.value.body.is_none(),
        ast::ClassElement::PropertyDefinition(it) => it.declare || it.r#type.is_abstract(),
        ast::ClassElement::AccessorProperty(it) => it.r#type.is_abstract(),
        ast::ClassElement::TSIndexSignature(_) => true,
    }
}

/// The key of a member, and whether it is computed, optional, definite.
fn key_of(member: &ast::ClassElement<'_>) -> Option<(Span, bool, bool, bool)> {
    match member {
        ast::ClassElement::MethodDefinition(it) => Some((it.key.span(), it.computed, it.optional, false)),
        ast::ClassElement::PropertyDefinition(it) => Some((it.key.span(), it.computed, it.optional, it.definite)),
        ast::ClassElement::AccessorProperty(it) => Some((it.key.span(), it.computed, false, it.definite)),
        ast::ClassElement::StaticBlock(_) | ast::ClassElement::TSIndexSignature(_) => None,
    }
}
