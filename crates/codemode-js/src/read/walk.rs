//! The one walk over the tree: it blanks types, refuses what cannot run, and notes what the form depends on.

use oxc_ast::ast;
use oxc_ast_visit::{Visit, walk};
use oxc_span::GetSpan;
use oxc_syntax::scope::ScopeFlags;

use super::edits::Edits;
use super::imports;
use super::source::Source;

/// Why the source is refused although it parses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Refusal {
    pub(super) at: usize,
    pub(super) message: String,
    pub(super) fix: Option<String>,
}

/// What the walk gathers.
#[derive(Debug)]
pub(super) struct Walk<'s> {
    pub(super) source: Source<'s>,
    pub(super) edits: Edits,
    /// The first refusal.
    pub(super) refusal: Option<Refusal>,
    /// Whether the program is synchronous, so that `await` outside functions has to go.
    pub(super) is_batch: bool,
    /// What becomes of imports and exports.
    pub(super) imports: Imports,
    /// How many functions the walk is in.
    pub(super) functions: usize,
    /// Whether `return` stands outside functions.
    pub(super) returns: bool,
    /// Where `main` and `run` are used.
    pub(super) used: Vec<(Entry, usize)>,
    /// Where the innermost expression statement begins.
    pub(super) statement: Option<usize>,
}

/// What becomes of imports and exports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Imports {
    /// They are refused: there is nothing to import.
    Refused,
    /// They are awaited where they stand, in a program that may import.
    Awaited,
    /// They stay, in a file that is a module.
    Kept,
}

/// The names of functions that are called when the program does not do so itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Entry {
    Main,
    Run,
}

impl Entry {
    pub(super) const ALL: [Self; 2] = [Self::Main, Self::Run];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Main => "main",
            Self::Run => "run",
        }
    }
}

impl<'s> Walk<'s> {
    pub(super) fn new(source: Source<'s>, is_batch: bool, imports: Imports) -> Self {
        Self {
            source,
            edits: Edits::default(),
            refusal: None,
            is_batch,
            imports,
            functions: 0,
            returns: false,
            used: Vec::new(),
            statement: None,
        }
    }

    /// Refuses the source; the first refusal in the text counts.
    pub(super) fn refuse(&mut self, position: u32, message: impl Into<String>, fix: Option<String>) {
        let at = self.source.at(position);
        if self.refusal.as_ref().is_none_or(|first| at < first.at) {
            self.refusal = Some(Refusal { at, message: message.into(), fix });
        }
    }

    fn in_function(&mut self, inner: impl FnOnce(&mut Self)) {
        self.functions += 1;
        let statement = self.statement.take();
        inner(self);
        self.statement = statement;
        self.functions -= 1;
    }
}

impl<'a> Visit<'a> for Walk<'_> {
    fn visit_statement(&mut self, it: &ast::Statement<'a>) {
        if self.erase_statement(it) {
            return;
        }
        walk::walk_statement(self, it);
        self.end_statement(it.span());
    }

    fn visit_statements(&mut self, it: &oxc_allocator::Vec<'a, ast::Statement<'a>>) {
        self.mark_statements(it);
        walk::walk_statements(self, it);
    }

    fn visit_expression_statement(&mut self, it: &ast::ExpressionStatement<'a>) {
        let outer = self.statement.replace(self.source.at(it.span.start));
        walk::walk_expression_statement(self, it);
        self.statement = outer;
    }

    fn visit_function(&mut self, it: &ast::Function<'a>, flags: ScopeFlags) {
        self.in_function(|walk| {
            if let Some(this_param) = &it.this_param {
                walk.blank_this_param(this_param);
            }
            walk::walk_function(walk, it, flags);
        });
    }

    fn visit_ts_this_parameter(&mut self, _: &ast::TSThisParameter<'a>) {}

    fn visit_arrow_function_expression(&mut self, it: &ast::ArrowFunctionExpression<'a>) {
        self.in_function(|walk| {
            walk::walk_arrow_function_expression(walk, it);
            walk.keep_arrow_on_its_line(it);
        });
    }

    fn visit_class(&mut self, it: &ast::Class<'a>) {
        self.blank_class_head(it);
        walk::walk_class(self, it);
    }

    fn visit_ts_class_implements(&mut self, _: &ast::TSClassImplements<'a>) {}

    fn visit_class_body(&mut self, it: &ast::ClassBody<'a>) {
        self.functions += 1;
        self.read_class_body(it);
        self.functions -= 1;
    }

    fn visit_decorator(&mut self, it: &ast::Decorator<'a>) {
        self.refuse(it.span.start, "decorators are not supported", Some("call the function yourself".to_owned()));
    }

    fn visit_formal_parameter(&mut self, it: &ast::FormalParameter<'a>) {
        self.read_parameter(it);
        walk::walk_formal_parameter(self, it);
    }

    fn visit_variable_declarator(&mut self, it: &ast::VariableDeclarator<'a>) {
        if it.definite {
            self.blank_mark(self.source.at(it.id.span().end), '!');
        }
        walk::walk_variable_declarator(self, it);
    }

    fn visit_variable_declaration(&mut self, it: &ast::VariableDeclaration<'a>) {
        if it.kind == ast::VariableDeclarationKind::AwaitUsing {
            self.refuse_async_in_batch(it.span.start, "`await using`");
        }
        walk::walk_variable_declaration(self, it);
    }

    fn visit_ts_type_annotation(&mut self, it: &ast::TSTypeAnnotation<'a>) {
        self.blank(it.span);
    }

    fn visit_ts_type_parameter_declaration(&mut self, it: &ast::TSTypeParameterDeclaration<'a>) {
        self.blank(it.span);
    }

    fn visit_ts_type_parameter_instantiation(&mut self, it: &ast::TSTypeParameterInstantiation<'a>) {
        self.blank(it.span);
    }

    fn visit_ts_as_expression(&mut self, it: &ast::TSAsExpression<'a>) {
        self.visit_expression(&it.expression);
        self.blank_from(it.expression.span().end, it.span.end);
    }

    fn visit_ts_satisfies_expression(&mut self, it: &ast::TSSatisfiesExpression<'a>) {
        self.visit_expression(&it.expression);
        self.blank_from(it.expression.span().end, it.span.end);
    }

    fn visit_ts_non_null_expression(&mut self, it: &ast::TSNonNullExpression<'a>) {
        self.visit_expression(&it.expression);
        self.blank_from(it.expression.span().end, it.span.end);
    }

    fn visit_ts_type_assertion(&mut self, it: &ast::TSTypeAssertion<'a>) {
        self.blank_assertion(it);
        self.visit_expression(&it.expression);
    }

    fn visit_return_statement(&mut self, it: &ast::ReturnStatement<'a>) {
        self.returns |= self.functions == 0;
        walk::walk_return_statement(self, it);
    }

    fn visit_await_expression(&mut self, it: &ast::AwaitExpression<'a>) {
        if self.is_batch && self.functions == 0 {
            self.blank_await(it);
        }
        walk::walk_await_expression(self, it);
    }

    fn visit_for_of_statement(&mut self, it: &ast::ForOfStatement<'a>) {
        if it.r#await {
            self.refuse_async_in_batch(it.span.start, "`for await`");
        }
        walk::walk_for_of_statement(self, it);
    }

    fn visit_identifier_reference(&mut self, it: &ast::IdentifierReference<'a>) {
        if let Some(entry) = Entry::ALL.into_iter().find(|entry| entry.name() == it.name.as_str()) {
            let at = self.source.at(it.span.start);
            self.used.push((entry, at));
        }
    }

    // What is exported by name is no use of it.
    fn visit_export_named_declaration(&mut self, _: &ast::ExportNamedDeclaration<'a>) {}

    fn visit_import_expression(&mut self, it: &ast::ImportExpression<'a>) {
        if self.imports != Imports::Refused {
            walk::walk_import_expression(self, it);
            return;
        }
        let specifier = match it.source.get_inner_expression() {
            ast::Expression::StringLiteral(literal) => Some(literal.value.as_str()),
            _ => None,
        };
        let (message, fix) = imports::refusal(specifier);
        self.refuse(it.span.start, message, Some(fix));
    }

    fn visit_import_meta(&mut self, it: &ast::ImportMeta) {
        if self.imports == Imports::Kept {
            return;
        }
        self.refuse(it.span.start, "`import.meta` is not available: a program is no file", None);
    }
}
