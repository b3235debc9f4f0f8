//! Erasable TypeScript: what is type alone is blanked where it stands, what would have to be translated is refused.

use oxc_ast::ast;
use oxc_span::{GetSpan, Span};

use super::forms::declaration;
use super::walk::{Imports, Walk};
use super::{imported, imports};

impl Walk<'_> {
    pub(super) fn blank(&mut self, span: Span) {
        self.blank_from(span.start, span.end);
    }

    pub(super) fn blank_from(&mut self, start: u32, end: u32) {
        self.edits.blank(self.source.at(start), self.source.at(end));
    }

    /// Blanks `mark` where it is the next thing from the byte `at` on.
    pub(super) fn blank_mark(&mut self, at: usize, mark: char) {
        let place = self.source.skip(at);
        if self.source.text[place..].starts_with(mark) {
            self.edits.blank(place, place + mark.len_utf8());
        }
    }

    /// Blanks a whole statement or member. A semicolon stays, so that what stands around it cannot join.
    pub(super) fn erase(&mut self, span: Span) {
        self.blank(span);
        self.edits.overwrite(self.source.at(span.start), ';');
    }

    /// Ends a statement whose last token was blanked, where what follows would join it.
    pub(super) fn end_statement(&mut self, span: Span) {
        let end = self.source.at(span.end);
        if self.edits.blanks_up_to(end) && self.source.joins(end) {
            self.edits.overwrite(self.source.last_before(end), ';');
        }
    }

    /// Blanks or refuses a statement that is type alone; false for all others.
    pub(super) fn erase_statement(&mut self, statement: &ast::Statement<'_>) -> bool {
        use ast::Statement;
        match statement {
            Statement::TSExportAssignment(it) => {
                self.refuse(it.span.start, "`export =` is not supported", Some("write `export default` or `return`".to_owned()));
            }
            Statement::TSNamespaceExportDeclaration(it) => self.erase(it.span),
            Statement::ImportDeclaration(it) => {
                let is_type = |specifier: &ast::ImportDeclarationSpecifier<'_>| matches!(specifier, ast::ImportDeclarationSpecifier::ImportSpecifier(it) if it.import_kind.is_type());
                let types_alone = it.specifiers.as_ref().is_some_and(|all| !all.is_empty() && all.iter().all(is_type));
                if it.import_kind.is_type() || types_alone {
                    self.erase(it.span);
                } else {
                    match self.imports {
                        Imports::Refused => self.refuse_import(it.span, &it.source),
                        Imports::Awaited => imported::await_import(self, it),
                        Imports::Kept => imported::blank_types(self, it),
                    }
                }
            }
            Statement::ExportAllDeclaration(it) if it.export_kind.is_type() => self.erase(it.span),
            Statement::ExportAllDeclaration(_) if self.imports == Imports::Kept => return false,
            Statement::ExportAllDeclaration(it) => self.refuse_import(it.span, &it.source),
            Statement::ExportFromDeclaration(it) if it.export_kind.is_type() => self.erase(it.span),
            Statement::ExportFromDeclaration(it) if self.imports == Imports::Kept => imported::blank_exported_types(self, &it.specifiers),
            Statement::ExportFromDeclaration(it) => self.refuse_import(it.span, &it.source),
            Statement::ExportNamedDeclaration(it) if self.imports == Imports::Kept && !it.export_kind.is_type() => {
                imported::blank_exported_types(self, &it.specifiers);
            }
            Statement::ExportNamedDeclaration(it) => self.erase(it.span),
            Statement::ExportDefaultDeclaration(it) => match &it.declaration {
                ast::ExportDefaultDeclarationKind::TSInterfaceDeclaration(_) => self.erase(it.span),
                ast::ExportDefaultDeclarationKind::FunctionDeclaration(function) if function.body.is_none() => self.erase(it.span),
                _ => return false,
            },
            Statement::ExportDeclaration(it) => {
                if !self.erase_declaration(&it.declaration, it.span) {
                    if self.imports == Imports::Kept {
                        return false;
                    }
                    self.edits.blank(self.source.at(it.span.start), self.source.at(it.declaration.span().start));
                    return false;
                }
            }
            _ => return statement.as_declaration().is_some_and(|it| self.erase_declaration(it, statement.span())),
        }
        true
    }

    fn erase_declaration(&mut self, declaration: &ast::Declaration<'_>, whole: Span) -> bool {
        use ast::Declaration;
        if is_type(declaration) {
            self.erase(whole);
            return true;
        }
        let (message, fix) = match declaration {
            Declaration::TSEnumDeclaration(it) => {
                ("an enum has values, and only types can be taken out", format!("write `const {} = {{ Name: \"value\" }}`", it.id.name))
            }
            Declaration::TSNamespaceDeclaration(it) => {
                ("a namespace with values is not supported: only types can be taken out", format!("write `const {} = {{ … }}`", it.id.name))
            }
            Declaration::TSImportEqualsDeclaration(it) => {
                ("an import alias is not supported: only types can be taken out", format!("write `const {} = …`", it.id.name))
            }
            _ => return false,
        };
        self.refuse(declaration.span().start, message, Some(fix));
        true
    }

    fn refuse_import(&mut self, span: Span, source: &ast::StringLiteral<'_>) {
        if self.imports == Imports::Awaited {
            let fix = "import it, and return what you need".to_owned();
            self.refuse(span.start, "a program exports nothing that others could import", Some(fix));
            return;
        }
        let (message, fix) = imports::refusal(Some(source.value.as_str()));
        self.refuse(span.start, message, Some(fix));
    }

    /// `this: T` is the first parameter, and takes its comma along.
    pub(super) fn blank_this_param(&mut self, it: &ast::TSThisParameter<'_>) {
        self.blank(it.span);
        self.blank_mark(self.source.at(it.span.end), ',');
    }

    pub(super) fn read_parameter(&mut self, it: &ast::FormalParameter<'_>) {
        if it.accessibility.is_some() || it.readonly || it.r#override {
            let fix = "declare the field, and assign it in the constructor".to_owned();
            self.refuse(it.span.start, "a parameter property is not supported: only types can be taken out", Some(fix));
        }
        if it.optional {
            self.blank_mark(self.source.at(it.pattern.span().end), '?');
        }
    }

    /// `=>` must stand on the line of `)`, and `(` on the line of `async`: where a blanked type has line ends, they move.
    pub(super) fn keep_arrow_on_its_line(&mut self, it: &ast::ArrowFunctionExpression<'_>) {
        if let Some(types) = &it.type_parameters {
            self.move_bracket_to(self.source.at(types.span.start), self.source.at(it.params.span.start));
        }
        if let Some(result) = &it.return_type {
            let (start, end) = (self.source.at(it.params.span.end), self.source.at(result.span.end));
            if self.source.breaks_line(start, end) {
                self.edits.blank(start - 1, start);
                self.edits.overwrite(self.source.last_before(end), ')');
            }
        }
    }

    /// Moves the `(` at `bracket` to `start`, the first byte of what was blanked before it, if a line ends between.
    fn move_bracket_to(&mut self, start: usize, bracket: usize) {
        if self.source.breaks_line(start, bracket) {
            self.edits.overwrite(start, '(');
            self.edits.blank(bracket, bracket + 1);
        }
    }

    /// `<T>value`; where a line ends in it, brackets keep `return` and the value together.
    pub(super) fn blank_assertion(&mut self, it: &ast::TSTypeAssertion<'_>) {
        let (start, value) = (self.source.at(it.span.start), self.source.at(it.expression.span().start));
        self.edits.blank(start, value);
        if self.source.breaks_line(start, value) {
            self.edits.overwrite(start, '(');
            self.edits.close(self.source.at(it.span.end), ")");
        }
    }
}

/// Whether nothing of a declaration exists when the program runs.
pub(super) fn is_type(declaration: &ast::Declaration<'_>) -> bool {
    use ast::Declaration;
    match declaration {
        Declaration::VariableDeclaration(it) => it.declare,
        Declaration::FunctionDeclaration(it) => it.declare || it.body.is_none(),
        Declaration::ClassDeclaration(it) => it.declare,
        Declaration::TSEnumDeclaration(it) => it.declare,
        Declaration::TSNamespaceDeclaration(it) => it.declare || holds_types_alone(it),
        Declaration::TSImportEqualsDeclaration(it) => it.import_kind.is_type(),
        Declaration::TSTypeAliasDeclaration(_)
        | Declaration::TSInterfaceDeclaration(_)
        | Declaration::TSExternalModuleDeclaration(_)
        | Declaration::TSGlobalDeclaration(_) => true,
    }
}

fn holds_types_alone(namespace: &ast::TSNamespaceDeclaration<'_>) -> bool {
    match &namespace.body {
        ast::TSNamespaceDeclarationBody::TSNamespaceDeclaration(inner) => holds_types_alone(inner),
        ast::TSNamespaceDeclarationBody::TSModuleBlock(block) => block.body.iter().all(|it| declaration(it).is_some_and(is_type)),
    }
}
