//! What a word says about the tokens around it, as far as the lexical scan has to know.

/// The part that a word plays in a row of tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Word {
    /// A name or a value: something may be called on it, divided, or ended by a line end.
    Operand,
    /// A reserved word that something has to follow, or that ends a statement.
    Reserved,
    /// A word that is reserved in some places and a name in others.
    Contextual,
}

/// The part that `word` plays where no dot stands before it.
pub(super) fn part(word: &str) -> Word {
    match word {
        "break" | "case" | "catch" | "class" | "const" | "continue" | "debugger" | "default" | "delete" | "do" | "else" | "enum"
        | "export" | "extends" | "finally" | "for" | "function" | "if" | "import" | "in" | "instanceof" | "new" | "return" | "switch"
        | "throw" | "try" | "typeof" | "var" | "void" | "while" | "with" => Word::Reserved,
        "abstract" | "accessor" | "as" | "assert" | "asserts" | "async" | "await" | "declare" | "defer" | "from" | "get" | "global"
        | "implements" | "infer" | "interface" | "is" | "keyof" | "let" | "module" | "namespace" | "of" | "out" | "override"
        | "package" | "private" | "protected" | "public" | "readonly" | "satisfies" | "set" | "source" | "static" | "type" | "unique"
        | "using" | "yield" => Word::Contextual,
        _ => Word::Operand,
    }
}

/// Whether a parenthesis after `word` is the head of a statement, so that a statement follows it.
pub(super) fn heads_statement(word: &str) -> bool {
    matches!(word, "if" | "while" | "for" | "with")
}

/// Whether the statement that `word` belongs to stays open after it, so that what follows is nested in it.
pub(super) fn keeps_open(word: &str) -> bool {
    matches!(word, "if" | "else" | "while" | "for" | "with" | "do" | "try" | "switch")
}

/// Whether `word` carries on a statement that a semicolon or a brace seemed to end.
pub(super) fn carries_on(word: &str) -> bool {
    matches!(word, "else" | "while" | "catch" | "finally")
}

/// Whether `word` may begin a statement after a line end.
pub(super) fn begins(word: &str) -> bool {
    !matches!(
        word,
        "in" | "instanceof" | "as" | "satisfies" | "extends" | "implements" | "is" | "of" | "from" | "else" | "catch" | "finally"
    )
}

/// Whether `word` cannot stand in a type, but where a type parameter is declared.
pub(super) fn is_no_type(word: &str) -> bool {
    matches!(
        word,
        "break"
            | "class"
            | "const"
            | "continue"
            | "export"
            | "for"
            | "function"
            | "if"
            | "return"
            | "switch"
            | "throw"
            | "try"
            | "var"
            | "while"
    )
}
