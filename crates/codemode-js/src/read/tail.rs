//! The value of a program that returns nothing: that of its last statement.

use std::borrow::Cow;

use oxc_ast::ast::{self, Declaration, Expression, Statement};
use oxc_span::GetSpan;

use super::forms::{self, Decided};
use super::walk::Walk;

/// A source that is one string parses as a directive; it is an expression like any other.
pub(super) fn give_directive(walk: &mut Walk<'_>, program: &ast::Program<'_>, decided: &mut Decided) {
    match program.directives.last() {
        Some(last) if last.directive != "use strict" => walk.edits.open(walk.source.at(last.span.start), "return "),
        _ => decided.warnings.push(forms::EMPTY.to_owned()),
    }
}

/// Makes the last of `statements` give its value. Functions that are declared after it are declared all the same.
pub(super) fn give_last(walk: &mut Walk<'_>, statements: &[&Statement<'_>], decided: &mut Decided) {
    let Some(last) = last_of(statements.iter().copied()) else {
        warn_of_functions(statements, decided);
        return;
    };
    match forms::declaration(last) {
        Some(Declaration::VariableDeclaration(it)) if !walk.returns => give_declared(it, statements, decided),
        Some(_) => {}
        None => {
            let is_only_end = !walk.returns;
            give(walk, last, is_only_end, decided);
        }
    }
}

/// Makes a statement in tail position give its value; `is_only_end` where the program cannot end well anywhere else.
fn give(walk: &mut Walk<'_>, statement: &Statement<'_>, is_only_end: bool, decided: &mut Decided) {
    match statement {
        Statement::ExpressionStatement(it) => {
            if forms::call_expression(walk, &it.expression) {
                return;
            }
            if let Some(target) = assigned(walk, &it.expression) {
                if is_only_end {
                    warn_of_value(decided, "assigned", target);
                } else {
                    warn_of_one_end(decided, target);
                }
            }
            walk.edits.open(walk.source.at(it.span.start), "return ");
            walk.mark_last(&it.expression);
        }
        Statement::BlockStatement(it) => give_last_of(walk, &it.body, is_only_end, decided),
        Statement::IfStatement(it) => {
            give(walk, &it.consequent, false, decided);
            if let Some(alternate) = &it.alternate {
                give(walk, alternate, false, decided);
            }
        }
        Statement::TryStatement(it) => {
            give_last_of(walk, &it.block.body, is_only_end && it.handler.is_none(), decided);
            if let Some(handler) = &it.handler {
                give_last_of(walk, &handler.body.body, false, decided);
            }
        }
        Statement::SwitchStatement(it) => {
            for (index, case) in it.cases.iter().enumerate() {
                give_case(walk, &case.consequent, index + 1 == it.cases.len(), decided);
            }
        }
        _ => {}
    }
}

/// Makes a case that goes on in no other give its value.
fn give_case(walk: &mut Walk<'_>, statements: &[Statement<'_>], is_last: bool, decided: &mut Decided) {
    match statements {
        [before @ .., Statement::BreakStatement(end)] if end.label.is_none() => give_last_of(walk, before, false, decided),
        [Statement::BlockStatement(only)] => give_case(walk, &only.body, is_last, decided),
        _ if is_last => give_last_of(walk, statements, false, decided),
        _ => {}
    }
}

fn give_last_of(walk: &mut Walk<'_>, statements: &[Statement<'_>], is_only_end: bool, decided: &mut Decided) {
    if let Some(last) = last_of(statements.iter()) {
        give(walk, last, is_only_end, decided);
    }
}

/// The last statement that does something where it stands.
fn last_of<'p, 'a: 'p>(mut statements: impl DoubleEndedIterator<Item = &'p Statement<'a>>) -> Option<&'p Statement<'a>> {
    let is_function = |statement| matches!(forms::declaration(statement), Some(Declaration::FunctionDeclaration(_)));
    statements.rfind(|statement| forms::is_something(statement) && !is_function(statement))
}

/// What an expression assigns to, as the source says it.
fn assigned<'s>(walk: &Walk<'s>, expression: &Expression<'_>) -> Option<&'s str> {
    let span = match expression.get_inner_expression() {
        Expression::AssignmentExpression(it) => it.left.span(),
        Expression::UpdateExpression(it) => it.argument.span(),
        _ => return None,
    };
    Some(walk.source.between(walk.source.at(span.start), walk.source.at(span.end)))
}

/// Gives what the last declarator declares.
fn give_declared(it: &ast::VariableDeclaration<'_>, statements: &[&Statement<'_>], decided: &mut Decided) {
    let Some(last) = it.declarations.last() else { return };
    let names: Vec<&str> = last.id.get_binding_identifiers().iter().map(|name| name.name.as_str()).collect();
    if last.init.as_ref().is_some_and(forms::is_callable) {
        warn_of_functions(statements, decided);
        return;
    }
    decided.suffix = match &last.id {
        ast::BindingPattern::BindingIdentifier(name) => format!(";return {};", name.name),
        _ => format!(";return {{ {} }};", names.join(", ")),
    };
    warn_of_value(decided, "declared", &names.join(", "));
}

fn warn_of_value(decided: &mut Decided, did: &str, what: &str) {
    let what = shown(what);
    warn(decided, format!("nothing was returned, so the value is what the last statement {did}: `{what}`; say `return` to choose"));
}

/// Before it runs, nobody knows which end a program with several comes to.
fn warn_of_one_end(decided: &mut Decided, what: &str) {
    let what = shown(what);
    warn(decided, format!("where the program ends by assigning `{what}`, that is the value; say `return` to choose"));
}

fn shown(what: &str) -> Cow<'_, str> {
    codemode_core::text::cut(what.lines().next().unwrap_or_default(), 80)
}

fn warn(decided: &mut Decided, warning: String) {
    if !decided.warnings.contains(&warning) {
        decided.warnings.push(warning);
    }
}

fn warn_of_functions(statements: &[&Statement<'_>], decided: &mut Decided) {
    let name = statements.iter().rev().find_map(|statement| match forms::declaration(statement)? {
        Declaration::FunctionDeclaration(it) => Some(it.id.as_ref()?.name.to_string()),
        Declaration::VariableDeclaration(it) => Some(it.declarations.last()?.id.get_binding_identifiers().first()?.name.to_string()),
        _ => None,
    });
    let name = name.unwrap_or_else(|| "main".to_owned());
    decided
        .warnings
        .push(format!("the program ends by declaring a function that nothing calls, so the value is null: end with `return {name}()`"));
}
