//! Evidence of other languages, line by line.

/// What was sent in the place of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sent {
    Shell,
    Python,
    Lua,
    Sql,
    Diff,
    Markup,
    Json,
    Yaml,
    Rust,
    Prose,
}

impl Sent {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Shell => "a shell command",
            Self::Python => "Python",
            Self::Lua => "Lua",
            Self::Sql => "SQL",
            Self::Diff => "a diff",
            Self::Markup => "HTML or XML",
            Self::Json => "JSON",
            Self::Yaml => "YAML",
            Self::Rust => "Rust",
            Self::Prose => "prose",
        }
    }
}

/// How many lines are looked at.
const LINES: usize = 60;

/// The commands of a shell that models send.
const COMMANDS: &[&str] = &[
    "apt", "apt-get", "awk", "bash", "brew", "bun", "cargo", "cat", "cd", "chmod", "chown", "clear", "cmake", "cp", "curl", "deno", "df",
    "docker", "du", "echo", "find", "gh", "git", "go", "grep", "head", "htop", "ifconfig", "jq", "kill", "kubectl", "less", "ll", "ls",
    "make", "mkdir", "mv", "node", "npm", "npx", "pip", "pip3", "pnpm", "ps", "pwd", "pytest", "python", "python3", "rg", "rm", "rustc",
    "scp", "sed", "set", "sh", "sort", "source", "ssh", "sudo", "tail", "tar", "tee", "touch", "tree", "uname", "uniq", "unzip", "wc",
    "wget", "which", "whoami", "xargs", "yarn", "zsh",
];

/// The keys of a text that is one JSON object with at least one key.
pub(super) fn json_keys(text: &str) -> Option<Vec<String>> {
    if !text.starts_with('{') || !text[1..].trim_start().starts_with('"') {
        return None;
    }
    let object: serde_json::Map<String, serde_json::Value> = serde_json::from_str(text).ok()?;
    Some(object.keys().cloned().collect())
}

/// Whether a text that may parse is one shell command, piped on or not: a known word alone, or with nothing but flags and paths.
pub(super) fn is_lone_command(text: &str) -> bool {
    text.split(" | ").all(|command| {
        let (command, rest) = command.split_once(' ').unwrap_or((command, ""));
        COMMANDS.contains(&command) && are_flags_or_paths(rest)
    })
}

fn are_flags_or_paths(words: &str) -> bool {
    words.split_terminator(' ').all(|word| {
        let rest = word.trim_start_matches('-');
        let is_flag = rest.len() < word.len()
            && !rest.is_empty()
            && rest.chars().all(|character| character.is_ascii_alphanumeric() || character == '-');
        let is_path = word.starts_with('/')
            && word.len() > 1
            && word.chars().all(|character| character.is_ascii_alphanumeric() || matches!(character, '/' | '_' | '-'));
        is_flag || is_path
    })
}

/// What a text is by a first line that names what to run it with; `text` has no white space before it.
pub(super) fn sent_to_run(text: &str) -> Option<Sent> {
    let command = text.strip_prefix("#!")?.lines().next().unwrap_or_default();
    Some(match command {
        _ if command.contains("python") => Sent::Python,
        _ if command.contains("lua") => Sent::Lua,
        _ => Sent::Shell,
    })
}

/// What a text is by how it begins; `text` has no white space before it.
pub(super) fn sent_whole(text: &str) -> Option<Sent> {
    let first = text.lines().next().unwrap_or_default();
    let is_tag = |rest: &str| rest.starts_with(['!', '?', '/']) || rest.starts_with(|character: char| character.is_ascii_alphabetic());
    if first.strip_prefix('<').is_some_and(is_tag) && first.contains('>') {
        return Some(Sent::Markup);
    }
    let starts = ["diff --git ", "--- a/", "--- /dev/null", "+++ b/", "@@ -", "*** Begin Patch", "Index: "];
    if starts.iter().any(|start| first.starts_with(start)) {
        return Some(Sent::Diff);
    }
    if text.starts_with(['{', '[']) && looks_like_json(text) {
        return Some(Sent::Json);
    }
    None
}

/// JSON that does not parse as JavaScript: several texts, or one with a mistake.
fn looks_like_json(text: &str) -> bool {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<serde_json::Value>();
    let first = values.next();
    matches!(first, Some(Ok(_))) && matches!(values.next(), Some(Ok(_)) | None)
}

/// What a text is by most of its lines, if they speak against JavaScript. `code` is the text without strings and comments.
pub(super) fn sent(text: &str, code: &str) -> Option<Sent> {
    let lines: Vec<(&str, &str)> = text
        .lines()
        .zip(code.lines())
        .map(|(text, code)| (text.trim(), code.trim()))
        .filter(|(text, _)| !text.is_empty())
        .take(LINES)
        .collect();
    // By how many lines a language is ahead of JavaScript; a line that could be of both speaks for the other.
    let ahead = |is: &dyn Fn(&str, &str) -> usize| {
        let theirs: usize = lines.iter().map(|(text, code)| is(text, code)).sum();
        theirs.saturating_sub(lines.iter().filter(|(text, code)| is(text, code) == 0 && is_javascript(code)).count())
    };
    let of_code = |is: fn(&str) -> bool| ahead(&|_, code| usize::from(is(code)));
    // Keys on lines of their own are those of an object too.
    let opens_a_brace = lines.iter().any(|(_, code)| code.ends_with('{'));
    let others = [
        (Sent::Python, ahead(&|_, code| usize::from(is_python(code)) + usize::from(defines_in_python(code)))),
        (Sent::Lua, of_code(is_lua)),
        (Sent::Rust, of_code(is_rust)),
        (Sent::Sql, of_code(is_sql)),
        (Sent::Shell, of_code(is_shell)),
        (Sent::Yaml, if lines.len() > 1 && !opens_a_brace { of_code(is_yaml) } else { 0 }),
        (Sent::Prose, ahead(&|text, code| usize::from(is_prose(text) && !is_javascript(code)))),
    ];
    // Of equal leads, the language that is named first.
    let (sent, lead) = others.into_iter().rev().max_by_key(|&(_, lead)| lead)?;
    (lead > 0).then_some(sent)
}

fn defines_in_python(line: &str) -> bool {
    let line = line.strip_prefix("async ").unwrap_or(line);
    line.starts_with("def ") && line.contains('(')
}

fn first_word(line: &str) -> &str {
    line.split(|character: char| !(character.is_alphanumeric() || matches!(character, '_' | '-' | '$'))).next().unwrap_or_default()
}

fn has_word(line: &str, word: &str) -> bool {
    line.split(|character: char| !(character.is_alphanumeric() || character == '_')).any(|found| found == word)
}

/// Whether a line of a text around fences declares something: prose hardly ever looks so.
pub(super) fn declares(line: &str) -> bool {
    let line = line.trim();
    matches!(first_word(line), "const" | "let" | "var") && line.contains('=')
}

fn is_javascript(line: &str) -> bool {
    let starts = matches!(first_word(line), "const" | "let" | "var" | "await" | "async" | "switch" | "throw" | "new" | "typeof");
    starts && line.contains([' ', '(', '{'])
        || line.contains("=>")
        || line.contains("===")
        || line.contains("!==")
        || line.ends_with(';')
        || line.ends_with(") {")
        || line.starts_with('}')
        || line.contains("&&") && line.contains('(')
        || line.contains("await ")
        || line.starts_with("tools.")
        || line.starts_with("console.")
        || first_word(line) == "function" && line.contains('{')
}

fn is_python(line: &str) -> bool {
    let first = first_word(line);
    let block = line.ends_with(':');
    match first {
        "def" | "elif" | "except" => block || line.contains(':'),
        "class" | "if" | "for" | "while" | "with" => block && !line.contains('{'),
        "async" => block && (line.contains(" def ") || line.contains(" for ") || line.contains(" with ")),
        "else" | "try" | "finally" => block,
        "import" => line.len() > 7 && line[6..].chars().all(|character| character.is_alphanumeric() || " ._,".contains(character)),
        "from" => line.contains(" import ") && !line.contains('{'),
        "print" | "pass" | "nonlocal" | "del" | "raise" => !line.contains('{') && !line.ends_with(';'),
        _ => {
            line.starts_with('#') && !line.starts_with("#!")
                || ["None", "True", "False", "elif", "lambda"].iter().any(|word| has_word(line, word))
        }
    }
}

fn is_lua(line: &str) -> bool {
    matches!(first_word(line), "local" | "elseif" | "repeat" | "until" | "end")
        || line.ends_with(" then")
        || line.ends_with(" do") && matches!(first_word(line), "for" | "while")
        || line.starts_with("-- ")
        || line.starts_with("function ") && line.ends_with(')')
        || line.contains("~=")
        || line.contains(" .. ")
        || has_word(line, "nil")
        || calls_a_tool_in_lua(line)
}

/// `tool.name{`: a call of Lua's surface, which is no JavaScript with any mistake.
fn calls_a_tool_in_lua(line: &str) -> bool {
    let is_word = |character: char| character.is_ascii_alphanumeric() || character == '_';
    line.match_indices("tool.").any(|(at, start)| {
        let rest = &line[at + start.len()..];
        let after = rest.trim_start_matches(is_word);
        after.len() < rest.len() && after.trim_start().starts_with('{') && !line[..at].ends_with(|before| is_word(before) || before == '.')
    })
}

fn is_rust(line: &str) -> bool {
    let starts = ["fn ", "pub fn ", "pub struct ", "impl ", "use std::", "let mut ", "#include", "#[derive", "package main", "func "];
    starts.iter().any(|start| line.starts_with(start)) || line.contains("println!(")
}

fn is_sql(line: &str) -> bool {
    let upper = line.to_ascii_uppercase();
    let is = |start: &str, with: &str| upper.starts_with(start) && upper.contains(with);
    is("SELECT ", " FROM ") || is("INSERT INTO ", "") || is("UPDATE ", " SET ") || is("DELETE FROM ", "") || is("CREATE TABLE ", "(")
}

fn is_shell(line: &str) -> bool {
    if line.starts_with("$ ") {
        return true;
    }
    let first = first_word(line);
    let rest = line[first.len()..].trim_start();
    COMMANDS.contains(&first) && !rest.starts_with(['=', '(', '.', ';', ',', '[', '?'])
        || first == "export"
            && rest
                .split('=')
                .next()
                .is_some_and(|name| !name.is_empty() && name.chars().all(|character| character.is_ascii_uppercase() || character == '_'))
}

fn is_yaml(line: &str) -> bool {
    let key = line.strip_prefix("- ").unwrap_or(line);
    let name = first_word(key);
    let rest = &key[name.len()..];
    !name.is_empty() && (rest == ":" || rest.starts_with(": ")) && !line.ends_with([',', ';', '{']) || line == "---"
}

/// Whether a line reads as a sentence: several words, nearly all of them letters alone.
pub(super) fn is_prose(line: &str) -> bool {
    let line = line.trim().trim_start_matches(['#', '*', '-', '>', ' ']);
    let words: Vec<&str> = line.split_whitespace().collect();
    if words.len() < 3 || line.contains([';', '{', '}', '=']) || line.ends_with(['(', ',']) && words.len() < 5 {
        return false;
    }
    let is_word = |word: &&str| {
        let bare =
            word.trim_matches(|character: char| matches!(character, '.' | ',' | ':' | '!' | '?' | '(' | ')' | '"' | '\'' | '`' | '*'));
        !bare.is_empty() && bare.chars().all(|character| character.is_alphabetic() || matches!(character, '\'' | '\u{2019}' | '-'))
    };
    words.iter().filter(|word| is_word(word)).count() * 10 >= words.len() * 7
}

/// Whether code holds what looks like elements of a page.
pub(super) fn has_markup(code: &str) -> bool {
    ["</", "/>"].iter().any(|mark| code.contains(mark)) && code.contains('<')
}
