//! Taking types out leaves the tree of the program as it was: where lines end, nothing joins and nothing falls apart.

use codemode_core::Form;
use oxc_allocator::Allocator;
use oxc_ast::{AstKind, AstType, ast};
use oxc_ast_visit::{Visit, walk};
use oxc_parser::{ParseOptions, Parser};
use oxc_span::SourceType;
use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;

use crate::read;

/// The nodes that are no types, in order: what they are, and their names.
#[derive(Debug, Default, PartialEq, Eq)]
struct Kinds(Vec<(AstType, String)>);

impl<'a> Visit<'a> for Kinds {
    fn enter_node(&mut self, kind: AstKind<'a>) {
        if matches!(kind, AstKind::EmptyStatement(_) | AstKind::ParenthesizedExpression(_) | AstKind::Program(_) | AstKind::Directive(_)) {
            return;
        }
        let name = match kind {
            AstKind::IdentifierReference(it) => it.name.to_string(),
            AstKind::BindingIdentifier(it) => it.name.to_string(),
            AstKind::IdentifierName(it) => it.name.to_string(),
            AstKind::StringLiteral(it) => it.value.to_string(),
            _ => String::new(),
        };
        self.0.push((kind.ty(), name));
    }

    fn visit_statement(&mut self, it: &ast::Statement<'a>) {
        let is_type = match it {
            ast::Statement::TSTypeAliasDeclaration(_) | ast::Statement::TSInterfaceDeclaration(_) => true,
            ast::Statement::FunctionDeclaration(it) => it.declare || it.body.is_none(),
            ast::Statement::VariableDeclaration(it) => it.declare,
            ast::Statement::ClassDeclaration(it) => it.declare,
            // The mark of a place, which none of the sources below has of itself.
            ast::Statement::ExpressionStatement(it) => {
                matches!(&it.expression, ast::Expression::NumericLiteral(number) if number.value == 0.0)
            }
            _ => false,
        };
        if !is_type {
            walk::walk_statement(self, it);
        }
    }

    fn visit_class_element(&mut self, it: &ast::ClassElement<'a>) {
        let is_type = match it {
            ast::ClassElement::MethodDefinition(it) => it.value.body.is_none(),
            ast::ClassElement::PropertyDefinition(it) => it.declare || it.r#type.is_abstract(),
            ast::ClassElement::TSIndexSignature(_) => true,
            _ => false,
        };
        if !is_type {
            walk::walk_class_element(self, it);
        }
    }

    fn visit_ts_type_annotation(&mut self, _: &ast::TSTypeAnnotation<'a>) {}
    fn visit_ts_type_parameter_declaration(&mut self, _: &ast::TSTypeParameterDeclaration<'a>) {}
    fn visit_ts_type_parameter_instantiation(&mut self, _: &ast::TSTypeParameterInstantiation<'a>) {}
    fn visit_ts_this_parameter(&mut self, _: &ast::TSThisParameter<'a>) {}
    fn visit_ts_class_implements(&mut self, _: &ast::TSClassImplements<'a>) {}
    fn visit_ts_as_expression(&mut self, it: &ast::TSAsExpression<'a>) {
        self.visit_expression(&it.expression);
    }
    fn visit_ts_satisfies_expression(&mut self, it: &ast::TSSatisfiesExpression<'a>) {
        self.visit_expression(&it.expression);
    }
    fn visit_ts_non_null_expression(&mut self, it: &ast::TSNonNullExpression<'a>) {
        self.visit_expression(&it.expression);
    }
    fn visit_ts_type_assertion(&mut self, it: &ast::TSTypeAssertion<'a>) {
        self.visit_expression(&it.expression);
    }
    fn visit_ts_instantiation_expression(&mut self, it: &ast::TSInstantiationExpression<'a>) {
        self.visit_expression(&it.expression);
    }
}

/// The nodes of a source as it was written.
fn written(source: &str) -> Option<Kinds> {
    let allocator = Allocator::new();
    let options = ParseOptions { allow_return_outside_function: true, ..ParseOptions::default() };
    let parsed = Parser::new(&allocator, source, SourceType::ts().with_module(true)).with_options(options).parse();
    parsed.diagnostics.is_empty().then(|| {
        let mut kinds = Kinds::default();
        kinds.visit_statements(&parsed.program.body);
        kinds
    })
}

/// The nodes within the function that a text is.
fn read_back(text: &str) -> Kinds {
    let allocator = Allocator::new();
    let parsed = Parser::new(&allocator, text, SourceType::script()).parse();
    assert!(parsed.diagnostics.is_empty(), "{:?}\n{text}", parsed.diagnostics);
    let mut kinds = Kinds::default();
    match &parsed.program.body[..] {
        [ast::Statement::ExpressionStatement(only)] => match only.expression.without_parentheses() {
            ast::Expression::FunctionExpression(function) => {
                kinds.visit_statements(&function.body.as_ref().expect("a body").statements);
            }
            _ => panic!("no function: {text}"),
        },
        _ => panic!("no single function: {text}"),
    }
    kinds
}

/// What may end a line without a semicolon, and what may begin the next.
const ENDS: &[&str] = &[
    "a as any",
    "a satisfies T<U>",
    "a!",
    "f<T>(a)",
    "f(a!)",
    "new A<T>",
    "new A<T>()",
    "<T>a",
    "<T\n>a",
    "x = a as any",
    "const c1 = a as any",
    "let c2: T",
    "let c3!: T[]",
    "var c4: {\n a: T\n}",
    "var c5 = a as {\n a: T\n}",
    "var c6 = (a): T => a as any",
    "var c7 = async <T\n>(a: T): Promise<\nT> => a!",
    "var c8 = f<T>",
    "type T1 = A",
    "type T2<X> = {\n [K in keyof X]: X }",
    "interface I1 { a: T }",
    "declare let d1: any",
    "function f1(a: T): void",
    "function f2<T>(this: A, a?: T): a is T { return a! }",
    "class A1<T> extends B<T> implements C, D<T> { a?: T\n;['b']: T = 1 as any\n c!: U\n*d() {} private e = a!\n static f: T\n in_ }",
    "abstract class A2 { abstract a: T\n abstract b(): T\n [k: string]: T\n declare c: T\n private ['d'] = 1\n readonly e\n public static async f?(): T {} }",
    "if (a as any) b!; else c as T",
    "if (a) type_ as any",
    "for (const k1 of a as T[]) b as any",
    "for (let k2: T = a as any; ;) break",
    "do a as any\nwhile (b!)",
    "try { a as any } catch (e: any) { b! }",
    "throw_(a as any ? (b): T => c : (d as T))",
    "label: a as any",
    "`${a as any}`",
    "a?.<T>(b!)",
    "a![0]!.b!()",
    "(a as any) = b!",
    "({ a: b as T, c<T>(d?: T): T { return d! }, get e(): T { return 1 } })",
    "switch (a as T) { case b as any: c as any }",
    "x = a ? b as any : c!",
    "x = function <T>(a: T): T { return a as any }",
    "x = class<T> { a!: T }",
    "++a!",
    "a!++",
    "delete a!.b",
    "(a as T)++",
    "var { a: a9, ...b9 }: T = c as any",
    "var c9 = y satisfies any // why\n",
];

const BEGINS: &[&str] = &[
    "(b)",
    "[c].d",
    "`e`",
    "/f/g.h",
    "+i",
    "-j",
    "++k",
    "--l",
    "*m",
    "!n",
    "~o",
    "p",
    "q!",
    "<T>r",
    "{ s }",
    "function t() {}",
    "class U {}",
    "async (v: T) => v",
    "; w",
    ".x",
    "?.y",
    "instanceof z",
    "in a",
    "as b",
    "?c:d",
    "await e",
    "new F<T>",
    "typeof g",
    "\"h\"",
    "1",
];

fn line() -> impl Strategy<Value = String> {
    let end = prop::sample::select(ENDS);
    let between = prop::sample::select(vec!["\n", "\n", "\n", ";\n", " ", "\r\n", " // c\n", "\n/* c */ "]);
    (end, between, prop::sample::select(BEGINS)).prop_map(|(end, between, begins)| format!("{end}{between}{begins}\n"))
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 3_000,
        failure_persistence: Some(Box::new(FileFailurePersistence::Off)),
        max_global_rejects: 100_000,
        ..ProptestConfig::default()
    })]

    #[test]
    fn the_tree_is_the_same_without_types(lines in prop::collection::vec(line(), 1..3)) {
        let source = format!("{}\n;return 0", lines.concat());
        if let Some(kinds) = written(&source) {
            let program = match read(&source, Form::Program) {
                // Two lines may declare one name, which is refused as it should be.
                Err(raised) if raised.message.contains("` is declared twice; first on line ") => return Err(TestCaseError::reject("twice")),
                outcome => outcome.map_err(|raised| TestCaseError::fail(format!("{raised:?}\n{source}")))?,
            };
            prop_assert_eq!(read_back(program.text()), kinds, "{}\n{}", source, program.text());
        }
    }
}

/// Every pair of an end and a beginning, each on its own.
#[test]
fn each_end_and_beginning_stay_apart_or_together() {
    let mut count = 0;
    for end in ENDS {
        for begins in BEGINS {
            for between in ["\n", " "] {
                let source = format!("{end}{between}{begins}\n;return 0");
                let Some(kinds) = written(&source) else { continue };
                let program = read(&source, Form::Program).unwrap_or_else(|raised| panic!("{raised:?}\n{source}"));
                assert_eq!(read_back(program.text()), kinds, "{source}\n{}", program.text());
                count += 1;
            }
        }
    }
    assert!(count > 900, "only {count} pairs parse");
}
