//! Identifiers: names that every language can write after a dot.

/// Words that are no identifiers in Lua or in JavaScript.
const KEYWORDS: &[&str] = &[
    "and",
    "arguments",
    "await",
    "break",
    "case",
    "catch",
    "class",
    "const",
    "continue",
    "debugger",
    "default",
    "delete",
    "do",
    "else",
    "elseif",
    "end",
    "enum",
    "eval",
    "export",
    "extends",
    "false",
    "finally",
    "for",
    "function",
    "goto",
    "if",
    "implements",
    "import",
    "in",
    "instanceof",
    "interface",
    "let",
    "local",
    "new",
    "nil",
    "not",
    "null",
    "or",
    "package",
    "private",
    "protected",
    "public",
    "repeat",
    "return",
    "static",
    "super",
    "switch",
    "then",
    "this",
    "throw",
    "true",
    "try",
    "typeof",
    "until",
    "var",
    "void",
    "while",
    "with",
    "yield",
];

/// Whether `name` can be written after a dot and as a variable in each language.
#[must_use]
pub fn is_identifier(name: &str) -> bool {
    let mut bytes = name.bytes();
    bytes.next().is_some_and(|first| first.is_ascii_alphabetic() || first == b'_')
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && KEYWORDS.binary_search(&name).is_err()
}

/// An identifier that is like `name`: each character that none may have becomes `_`.
pub(crate) fn identifier_from(name: &str) -> String {
    let mut identifier: String =
        name.chars().take(120).map(|character| if character.is_ascii_alphanumeric() { character } else { '_' }).collect();
    if identifier.starts_with(|first: char| first.is_ascii_digit()) || identifier.is_empty() {
        identifier.insert(0, '_');
    }
    if KEYWORDS.binary_search(&identifier.as_str()).is_ok() {
        identifier.push('_');
    }
    identifier
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_are_sorted_for_the_search() {
        assert!(KEYWORDS.is_sorted());
    }
}
