//! A name that the program declares twice: told with both places, where engines tell neither name nor first place.

use std::collections::HashMap;

use oxc_ast::ast::{self, Declaration, Statement};

use super::forms::declaration;
use super::walk::Walk;

impl Walk<'_> {
    /// Refuses the first name that the statements of the program itself declare twice. What functions and blocks declare is
    /// left to the engine.
    pub(super) fn refuse_declared_twice(&mut self, statements: &[&Statement<'_>]) {
        // Of each name, where it was declared first, and whether it may be declared again by `var` or `function`.
        let mut declared: HashMap<&str, (u32, bool)> = HashMap::new();
        for statement in statements {
            let Some(declaration) = declaration(statement) else { continue };
            let (names, may_repeat) = names_of(declaration);
            for name in names {
                let at = name.span.start;
                match declared.get(name.name.as_str()) {
                    Some(&(first, repeats)) if !(repeats && may_repeat) => {
                        let line = self.source.text[..self.source.at(first)].matches('\n').count() + 1;
                        let fix = format!("give one of them another name, or leave the second {} out", word_of(declaration));
                        self.refuse(at, format!("`{}` is declared twice; first on line {line}", name.name), Some(fix));
                        return;
                    }
                    Some(_) => {}
                    None => {
                        declared.insert(name.name.as_str(), (at, may_repeat));
                    }
                }
            }
        }
    }
}

fn names_of<'p, 'a>(declaration: &'p Declaration<'a>) -> (Vec<&'p ast::BindingIdentifier<'a>>, bool) {
    match declaration {
        Declaration::VariableDeclaration(it) => {
            let names = it.declarations.iter().flat_map(|declarator| declarator.id.get_binding_identifiers()).collect();
            (names, it.kind == ast::VariableDeclarationKind::Var)
        }
        Declaration::FunctionDeclaration(it) => (it.id.iter().collect(), true),
        Declaration::ClassDeclaration(it) => (it.id.iter().collect(), false),
        _ => (Vec::new(), true),
    }
}

fn word_of(declaration: &Declaration<'_>) -> String {
    match declaration {
        Declaration::VariableDeclaration(it) => format!("`{}`", it.kind.as_str()),
        _ => "declaration".to_owned(),
    }
}
