//! Places that engines lose: what may throw before its statement has named anything would be told at the line before.
//!
//! An engine notes a place where it reads a name, makes a call or begins an expression statement. A pattern that takes `null`
//! apart, or a property of `this`, does neither where it is declared or returned. So an expression statement comes first, a
//! number, of which QuickJS keeps the place alone.

use oxc_ast::ast::{self, Declaration, Expression, Statement};
use oxc_span::GetSpan;

use super::forms::declaration;
use super::walk::Walk;

impl Walk<'_> {
    /// Marks the places of the statements of a list that need it.
    pub(super) fn mark_statements(&mut self, statements: &[Statement<'_>]) {
        for statement in statements {
            if may_lose_its_place(statement) {
                self.edits.open(self.source.at(statement.span().start), "0;");
            }
        }
    }

    /// Marks the place of an expression that is returned at the end, if it needs it: once a run, naming a global costs nothing.
    pub(super) fn mark_last(&mut self, it: &Expression<'_>) {
        if has_no_name_first(it) {
            self.edits.open(self.source.at(it.span().start), "undefined,");
        }
    }
}

fn may_lose_its_place(statement: &Statement<'_>) -> bool {
    match statement {
        Statement::ForOfStatement(it) => takes_apart(&it.left),
        Statement::ForInStatement(it) => takes_apart(&it.left),
        Statement::ForStatement(it) => {
            matches!(&it.init, Some(ast::ForStatementInit::VariableDeclaration(declared)) if declares_without_place(declared))
        }
        Statement::ReturnStatement(it) => it.argument.as_ref().is_some_and(has_no_name_first),
        Statement::LabeledStatement(it) => may_lose_its_place(&it.body),
        _ => matches!(declaration(statement), Some(Declaration::VariableDeclaration(it)) if !it.declare && declares_without_place(it)),
    }
}

fn takes_apart(left: &ast::ForStatementLeft<'_>) -> bool {
    match left {
        ast::ForStatementLeft::VariableDeclaration(it) => it.declarations.iter().any(|declarator| is_pattern(&declarator.id)),
        ast::ForStatementLeft::ArrayAssignmentTarget(_) | ast::ForStatementLeft::ObjectAssignmentTarget(_) => true,
        _ => false,
    }
}

fn declares_without_place(it: &ast::VariableDeclaration<'_>) -> bool {
    it.declarations.iter().any(|declarator| is_pattern(&declarator.id) || declarator.init.as_ref().is_some_and(has_no_name_first))
}

fn is_pattern(pattern: &ast::BindingPattern<'_>) -> bool {
    matches!(pattern, ast::BindingPattern::ObjectPattern(_) | ast::BindingPattern::ArrayPattern(_))
}

/// Whether an expression reads a property that may not be there before it has read any name.
fn has_no_name_first(expression: &Expression<'_>) -> bool {
    let mut inner = expression.get_inner_expression();
    let mut reads = false;
    loop {
        let (next, is_read) = match inner {
            Expression::StaticMemberExpression(it) => (&it.object, true),
            Expression::ComputedMemberExpression(it) => (&it.object, true),
            Expression::CallExpression(it) => (&it.callee, true),
            Expression::TaggedTemplateExpression(it) => (&it.tag, true),
            Expression::AwaitExpression(it) => (&it.argument, false),
            Expression::BinaryExpression(it) => (&it.left, false),
            Expression::LogicalExpression(it) => (&it.left, false),
            Expression::ConditionalExpression(it) => (&it.test, false),
            // What other literals have at hand is there, and what is called of it notes its own place.
            Expression::NullLiteral(_) | Expression::ThisExpression(_) => return reads,
            _ => return false,
        };
        reads |= is_read;
        inner = next.get_inner_expression();
    }
}
