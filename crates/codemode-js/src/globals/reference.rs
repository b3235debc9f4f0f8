//! Advice on a `ReferenceError`: a name used before its declaration, one that is assigned and never declared, one that is not there.

use std::sync::Arc;

use codemode_core::Form;

use super::absent::{hint, missing_name};

/// Advice on a `ReferenceError` with `message` in the program that is evaluated as `text`; nothing where it says all.
///
/// `names` are the listed tools, and `surface` is the name of the object that has them.
pub(crate) fn advise(message: &str, text: &str, names: &[Arc<str>], form: Form, surface: &str) -> Option<String> {
    let name = missing_name(message)?;
    if message.ends_with(" is not initialized") {
        return Some(format!("{name} is used before the line that declares it; where the global was meant, declare another name"));
    }
    hint(name, names, form, surface)
        .or_else(|| assigns(text, name).then(|| format!("{name} is assigned and never declared: write `let {name}` before it")))
}

/// Advice on a name that a module has, where there are modules; nothing for all other names.
pub(crate) fn advise_import(message: &str) -> Option<String> {
    let name = missing_name(message)?;
    let module = match name {
        "fs" | "path" | "child_process" => return Some(format!("import it: const {name} = (await import(\"{name}\")).default")),
        "fsp" => return Some("import it: const fsp = await import(\"fs/promises\")".to_owned()),
        "__dirname" => return Some("process.cwd() is the folder that the program works in".to_owned()),
        "readFileSync" | "writeFileSync" | "readdirSync" | "existsSync" | "statSync" | "mkdirSync" | "appendFileSync" | "rmSync" => "fs",
        "readFile" | "writeFile" | "readdir" | "stat" | "mkdir" => "fs/promises",
        "execSync" | "execFileSync" | "spawnSync" | "exec" | "execFile" | "spawn" => "child_process",
        "promisify" => "util",
        _ => return None,
    };
    Some(format!("import it: const {{ {name} }} = await import(\"{module}\")"))
}

/// Whether a text has an assignment to a name, wherever it stands.
fn assigns(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(at, _)| {
        let is_part = |character: char| character.is_alphanumeric() || matches!(character, '_' | '$' | '.' | '#');
        let rest = text[at + name.len()..].trim_start();
        let operator = rest.trim_start_matches(['+', '-', '*', '/', '%', '&', '|', '^', '?', '<', '>']);
        let is_update = rest.starts_with("++") || rest.starts_with("--");
        let is_assignment = operator.starts_with('=')
            && !operator.starts_with("==")
            && !operator.starts_with("=>")
            && (operator.len() == rest.len() || !matches!(&rest[..rest.len() - operator.len()], "<" | ">"));
        !text[..at].ends_with(is_part) && (is_update || is_assignment)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_of_a_module_is_imported() {
        let advice = |name: &str| advise_import(&format!("{name} is not defined"));
        assert_eq!(advice("fs").as_deref(), Some("import it: const fs = (await import(\"fs\")).default"));
        assert_eq!(advice("execSync").as_deref(), Some("import it: const { execSync } = await import(\"child_process\")"));
        assert_eq!(advice("mine"), None);
    }

    #[test]
    fn a_name_that_is_missing_is_told_how_to_mend() {
        let advice = |message: &str, text: &str| advise(message, text, &[], Form::Program, "tools");
        let declare = Some("x is assigned and never declared: write `let x` before it".to_owned());
        for text in ["x = 1", "for (x = 0; ;) {}", "y; x += 2", "x ??= 1", "x++", "a(x>>>=1)"] {
            assert_eq!(advice("x is not defined", text), declare, "{text}");
        }
        for text in ["x == 1", "x", "a.x = 1", "xy = 1", "ax = 1", "x <= 2", "x >= 2", "x => 1", "x + 1"] {
            assert_eq!(advice("x is not defined", text), None, "{text}");
        }
        assert_eq!(
            advice("tools is not initialized", "const tools = await tools.list()").as_deref(),
            Some("tools is used before the line that declares it; where the global was meant, declare another name")
        );
        assert_eq!(advice("Buffer is not defined", "Buffer = 1"), hint("Buffer", &[], Form::Program, "tools"));
    }
}
