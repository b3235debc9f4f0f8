//! Imports where there is something to import: awaited in a program, kept without their types in a file.

use oxc_ast::ast::{self, ImportDeclarationSpecifier as Specifier};
use oxc_span::{GetSpan, Span};

use super::walk::Walk;

/// Puts `const { … } = await import("…")` in the place of an import.
pub(super) fn await_import(walk: &mut Walk<'_>, it: &ast::ImportDeclaration<'_>) {
    let source = serde_json::to_string(it.source.value.as_str()).unwrap_or_default();
    let (mut names, mut all) = (Vec::new(), None);
    for specifier in it.specifiers.iter().flatten() {
        match specifier {
            Specifier::ImportSpecifier(it) if it.import_kind.is_type() => {}
            Specifier::ImportSpecifier(it) => {
                let imported = serde_json::to_string(it.imported.name().as_str()).unwrap_or_default();
                names.push(format!("{imported}: {}", it.local.name));
            }
            Specifier::ImportDefaultSpecifier(it) => names.push(format!("default: {}", it.local.name)),
            Specifier::ImportNamespaceSpecifier(it) => all = Some(it.local.name.to_string()),
        }
    }
    let text = match all {
        Some(all) if names.is_empty() => format!("const {all} = await import({source});"),
        Some(all) => format!("const {all} = await import({source}), {{ {} }} = {all};", names.join(", ")),
        None if names.is_empty() => format!("await import({source});"),
        None => format!("const {{ {} }} = await import({source});", names.join(", ")),
    };
    walk.blank(it.span);
    walk.edits.open(walk.source.at(it.span.start), &text);
}

/// Takes the names that are types out of an import that stays.
pub(super) fn blank_types(walk: &mut Walk<'_>, it: &ast::ImportDeclaration<'_>) {
    for specifier in it.specifiers.iter().flatten() {
        if let Specifier::ImportSpecifier(it) = specifier
            && it.import_kind.is_type()
        {
            blank_item(walk, it.span);
        }
    }
}

/// Takes the names that are types out of an export that stays.
pub(super) fn blank_exported_types(walk: &mut Walk<'_>, specifiers: &[ast::ExportSpecifier<'_>]) {
    for specifier in specifiers.iter().filter(|specifier| specifier.export_kind.is_type()) {
        blank_item(walk, specifier.span());
    }
}

/// One of a list, with the comma after it; a comma that is left before the end does no harm.
fn blank_item(walk: &mut Walk<'_>, span: Span) {
    walk.blank(span);
    walk.blank_mark(walk.source.at(span.end), ',');
}
