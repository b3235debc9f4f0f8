//! What the source is, and what of it is called or given back.

use oxc_ast::ast::{self, Declaration, ExportDefaultDeclarationKind, Expression, Statement};
use oxc_ast_visit::Visit;
use oxc_span::{GetSpan, Span};

use super::awaits::SYNCHRONOUS;
use super::tail;
use super::types::is_type;
use super::walk::{Entry, Walk};

/// The warning for a program in which nothing stands.
pub(super) const EMPTY: &str = "the program is empty, so the value is null";

/// What the program comes to, apart from its edits.
#[derive(Debug, Default)]
pub(super) struct Decided {
    /// What stands after the source, on a line of its own.
    pub(super) suffix: String,
    pub(super) warnings: Vec<String>,
}

/// A function that is called, and what there is to know about it.
#[derive(Clone, Copy)]
struct Callable<'p, 'a> {
    is_async: bool,
    is_generator: bool,
    is_arrow: bool,
    params: &'p ast::FormalParameters<'a>,
    span: Span,
}

/// Walks the program and decides its form, with the edits that this needs. `whole` is what parses as one expression
/// only in brackets, where it does.
pub(super) fn decide(walk: &mut Walk<'_>, program: &ast::Program<'_>, whole: Option<(usize, usize)>) -> Decided {
    walk.visit_program(program);
    let mut decided = Decided::default();
    let statements: Vec<&Statement<'_>> = program.body.iter().filter(|statement| is_something(statement)).collect();
    walk.refuse_declared_twice(&statements);

    if let [Statement::ExpressionStatement(only)] = statements[..]
        && assigned_to_module(only).is_none()
    {
        let place = whole.unwrap_or((walk.source.at(only.expression.span().start), walk.source.at(only.expression.span().end)));
        if let Some(callable) = callable(&only.expression) {
            call_in_place(walk, callable, place);
            return decided;
        }
        refuse_async_call(walk, &only.expression);
        if whole.is_some() {
            walk.edits.open(place.0, if walk.is_batch { "(" } else { "return (" });
            walk.edits.close(place.1, ")");
            warn_of_missing_return(walk, &mut decided, program);
            return decided;
        }
    }
    if let [only] = statements[..]
        && let Some((name, callable)) = declared_function(only)
        && !is_used(walk, name, only.span())
    {
        decided.suffix = call_by_name(walk, name, callable);
    } else if let Some(default) = statements.iter().find_map(|statement| default_export(statement)) {
        decided.suffix = give_default(walk, default, &statements);
    } else if let Some(name) = program.body.iter().find_map(exported_as_default) {
        decided.suffix = give_by_name(walk, &name, &name, &statements);
    } else if let Some(exported) = statements.iter().find_map(|statement| match statement {
        Statement::ExpressionStatement(it) => assigned_to_module(it),
        _ => None,
    }) {
        decided.suffix = give_assigned(walk, exported, &statements);
    } else if let Some((name, callable)) = entry(walk, &statements) {
        decided.suffix = call_by_name(walk, name, callable);
    } else if walk.is_batch {
        warn_of_missing_return(walk, &mut decided, program);
    } else if statements.is_empty() {
        tail::give_directive(walk, program, &mut decided);
    } else {
        tail::give_last(walk, &statements, &mut decided);
    }
    decided
}

/// Whether a statement is more than a semicolon, a type or a list of names.
pub(super) fn is_something(statement: &Statement<'_>) -> bool {
    match statement {
        Statement::EmptyStatement(_)
        | Statement::ImportDeclaration(_)
        | Statement::ExportAllDeclaration(_)
        | Statement::ExportFromDeclaration(_)
        | Statement::ExportNamedDeclaration(_)
        | Statement::TSNamespaceExportDeclaration(_) => false,
        Statement::ExportDefaultDeclaration(it) => match &it.declaration {
            ExportDefaultDeclarationKind::TSInterfaceDeclaration(_) => false,
            ExportDefaultDeclarationKind::FunctionDeclaration(function) => function.body.is_some(),
            _ => true,
        },
        _ => !declaration(statement).is_some_and(is_type),
    }
}

/// The function that an expression is.
fn callable<'p, 'a>(expression: &'p Expression<'a>) -> Option<Callable<'p, 'a>> {
    match expression.get_inner_expression() {
        Expression::ArrowFunctionExpression(it) => {
            Some(Callable { is_async: it.r#async, is_generator: false, is_arrow: true, params: &it.params, span: it.span })
        }
        Expression::FunctionExpression(it) => Some(of_function(it)),
        _ => None,
    }
}

/// Whether an expression is a function.
pub(super) fn is_callable(expression: &Expression<'_>) -> bool {
    callable(expression).is_some()
}

fn of_function<'p, 'a>(it: &'p ast::Function<'a>) -> Callable<'p, 'a> {
    Callable { is_async: it.r#async, is_generator: it.generator, is_arrow: false, params: &it.params, span: it.span }
}

/// The declaration of a statement, exported or not.
pub(super) fn declaration<'p, 'a>(statement: &'p Statement<'a>) -> Option<&'p Declaration<'a>> {
    match statement {
        Statement::ExportDeclaration(it) => Some(&it.declaration),
        _ => statement.as_declaration(),
    }
}

/// The one function that a statement declares, with its name.
fn declared_function<'p, 'a>(statement: &'p Statement<'a>) -> Option<(&'p str, Callable<'p, 'a>)> {
    match declaration(statement)? {
        Declaration::FunctionDeclaration(it) => Some((it.id.as_ref()?.name.as_str(), of_function(it))),
        Declaration::VariableDeclaration(it) => match &it.declarations[..] {
            [only] => {
                let ast::BindingPattern::BindingIdentifier(name) = &only.id else { return None };
                Some((name.name.as_str(), callable(only.init.as_ref()?)?))
            }
            _ => None,
        },
        _ => None,
    }
}

fn default_export<'p, 'a>(statement: &'p Statement<'a>) -> Option<&'p ast::ExportDefaultDeclaration<'a>> {
    match statement {
        Statement::ExportDefaultDeclaration(it) => Some(it),
        _ => None,
    }
}

/// `main` or `run`, where the program declares it as a function, does not use it and does not return by itself.
fn entry<'p, 'a>(walk: &Walk<'_>, statements: &[&'p Statement<'a>]) -> Option<(&'static str, Callable<'p, 'a>)> {
    if walk.returns {
        return None;
    }
    Entry::ALL.into_iter().find_map(|entry| {
        let (statement, callable) = statements.iter().find_map(|statement| {
            let (name, callable) = declared_function(statement)?;
            (name == entry.name()).then_some((statement, callable))
        })?;
        (!is_used(walk, entry.name(), statement.span())).then_some((entry.name(), callable))
    })
}

/// Whether the program uses `main` or `run` outside of its own declaration.
fn is_used(walk: &Walk<'_>, name: &str, declared: Span) -> bool {
    let declared = walk.source.at(declared.start)..walk.source.at(declared.end);
    walk.used.iter().any(|&(entry, at)| entry.name() == name && !declared.contains(&at))
}

fn call_in_place(walk: &mut Walk<'_>, callable: Callable<'_, '_>, (start, end): (usize, usize)) {
    check(walk, callable);
    walk.edits.open(start, "return (");
    walk.edits.close(end, &format!(")({})", arguments(callable.params)));
}

fn call_by_name(walk: &mut Walk<'_>, name: &str, callable: Callable<'_, '_>) -> String {
    check(walk, callable);
    format!(";return {name}({});", arguments(callable.params))
}

/// Calls the function that a last expression statement is.
pub(super) fn call_expression(walk: &mut Walk<'_>, expression: &Expression<'_>) -> bool {
    let Some(callable) = callable(expression) else { return false };
    call_in_place(walk, callable, (walk.source.at(expression.span().start), walk.source.at(expression.span().end)));
    true
}

/// Refuses a function that cannot be the program.
fn check(walk: &mut Walk<'_>, callable: Callable<'_, '_>) {
    if callable.is_generator {
        let fix = "write a plain or async function, and return an array".to_owned();
        walk.refuse(callable.span.start, "a generator cannot be the program: nothing takes what it yields", Some(fix));
    } else if callable.is_async && walk.is_batch {
        let what = if callable.is_arrow { "an async arrow function" } else { "an async function" };
        walk.refuse(callable.span.start, format!("a batch is synchronous, and this program is {what}"), Some(SYNCHRONOUS.to_owned()));
    }
}

/// A batch that is nothing but the call of an async function, whatever is chained to it, is an async body too.
fn refuse_async_call(walk: &mut Walk<'_>, expression: &Expression<'_>) {
    let mut callee = expression.get_inner_expression();
    let mut called = false;
    loop {
        callee = match callee {
            Expression::AwaitExpression(it) => it.argument.get_inner_expression(),
            Expression::CallExpression(it) => {
                called = true;
                it.callee.get_inner_expression()
            }
            Expression::StaticMemberExpression(it) => it.object.get_inner_expression(),
            _ => break,
        };
    }
    if called
        && walk.is_batch
        && let Some(callable) = callable(callee)
        && callable.is_async
    {
        check(walk, callable);
    }
}

/// What a function that takes parameters is given: the globals of their names.
fn arguments(params: &ast::FormalParameters<'_>) -> String {
    let argument = |param: &ast::FormalParameter<'_>| match &param.pattern {
        ast::BindingPattern::BindingIdentifier(name) => format!("globalThis.{}", name.name),
        ast::BindingPattern::ObjectPattern(_) => "globalThis".to_owned(),
        _ => "undefined".to_owned(),
    };
    params.items.iter().map(argument).collect::<Vec<_>>().join(", ")
}

/// What keeps the default export.
const DEFAULT: &str = "program$default";

/// Gives the default export at the end: called, if it is a function.
fn give_default(walk: &mut Walk<'_>, it: &ast::ExportDefaultDeclaration<'_>, statements: &[&Statement<'_>]) -> String {
    if let ExportDefaultDeclarationKind::FunctionDeclaration(function) = &it.declaration
        && let Some(name) = &function.id
    {
        walk.blank_from(it.span.start, function.span.start);
        return call_by_name(walk, name.name.as_str(), of_function(function));
    }
    keep(walk, it.span.start, it.declaration.span());
    match &it.declaration {
        ExportDefaultDeclarationKind::FunctionDeclaration(function) => call_by_name(walk, DEFAULT, of_function(function)),
        declaration => give_kept(walk, declaration.as_expression(), statements),
    }
}

/// Gives what is assigned to `module.exports`, as the default export.
fn give_assigned(walk: &mut Walk<'_>, it: &ast::AssignmentExpression<'_>, statements: &[&Statement<'_>]) -> String {
    keep(walk, it.span.start, it.right.span());
    give_kept(walk, Some(&it.right), statements)
}

/// Keeps the value that stands at the end of a statement, in the place of what stands before it from `start` on.
fn keep(walk: &mut Walk<'_>, start: u32, value: Span) {
    walk.blank_from(start, value.start);
    walk.edits.open(walk.source.at(start), &format!("const {DEFAULT} ="));
    walk.edits.close(walk.source.at(value.end), ";");
}

fn give_kept(walk: &mut Walk<'_>, kept: Option<&Expression<'_>>, statements: &[&Statement<'_>]) -> String {
    if let Some(Expression::Identifier(name)) = kept.map(Expression::get_inner_expression) {
        return give_by_name(walk, name.name.as_str(), DEFAULT, statements);
    }
    match kept.and_then(callable) {
        Some(callable) => call_by_name(walk, DEFAULT, callable),
        None => give_value(DEFAULT),
    }
}

/// Gives what is declared as `name` and kept as `kept`: called, if it is a function.
fn give_by_name(walk: &mut Walk<'_>, name: &str, kept: &str, statements: &[&Statement<'_>]) -> String {
    let mut functions = statements.iter().filter_map(|statement| declared_function(statement));
    match functions.find(|(declared, _)| *declared == name) {
        Some((_, callable)) => call_by_name(walk, kept, callable),
        None => give_value(kept),
    }
}

fn give_value(name: &str) -> String {
    format!(";return typeof {name} === \"function\" && !/^class\\b/.test({name}) ? {name}() : {name};")
}

/// The name that `export { name as default }` exports.
fn exported_as_default(statement: &Statement<'_>) -> Option<String> {
    let Statement::ExportNamedDeclaration(it) = statement else { return None };
    if it.export_kind.is_type() {
        return None;
    }
    it.specifiers.iter().find(|specifier| specifier.exported.name() == "default").map(|specifier| specifier.local.name().to_string())
}

/// The assignment to `module.exports` that a statement is. An object is left as it is: it holds several things, none the program.
fn assigned_to_module<'p, 'a>(statement: &'p ast::ExpressionStatement<'a>) -> Option<&'p ast::AssignmentExpression<'a>> {
    let Expression::AssignmentExpression(it) = &statement.expression else { return None };
    let ast::AssignmentTarget::StaticMemberExpression(left) = &it.left else { return None };
    let is_exports = left.property.name == "exports" && left.object.is_specific_id("module")
        || left.property.name == "default" && left.object.is_specific_id("exports");
    let is_object = matches!(it.right.get_inner_expression(), Expression::ObjectExpression(_));
    (it.operator == ast::AssignmentOperator::Assign && is_exports && !is_object).then_some(it)
}

fn warn_of_missing_return(walk: &Walk<'_>, decided: &mut Decided, program: &ast::Program<'_>) {
    if !walk.is_batch || walk.returns {
        return;
    }
    decided.warnings.push(if program.body.is_empty() {
        EMPTY.to_owned()
    } else {
        "nothing was returned, so the value is null: end with `return` and what you want to see".to_owned()
    });
}
