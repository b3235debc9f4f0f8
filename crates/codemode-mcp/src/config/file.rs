//! Configuration files of clients: JSON, with comments and trailing commas, as people have them.

use std::path::{Path, PathBuf};

use codemode_policy::{Environment, read_any_of_at_most};
use jsonc_parser::ast::{Object, Value};
use jsonc_parser::{CollectOptions, CommentCollectionStrategy, ParseOptions, parse_to_ast};

use super::draft::Draft;
use super::fields::{draft, kind_of};
use super::finish::Finish;
use super::warnings::{Warnings, label, shown_place};
use super::{ConfigError, Origin, Read};

/// The largest file that is read, in bytes.
const MOST_BYTES: usize = 4 << 20;

/// The objects that hold servers: what most clients say, and what VS Code says.
const SECTIONS: [&str; 2] = ["mcpServers", "servers"];

/// The servers of the configuration file at `path`: those under `mcpServers` and those under `servers`.
///
/// Variables are filled in from `environment`.
/// A server that cannot be used is left out with a warning, and the others work; fields that are not known are passed over.
/// Relative folders are taken from the project that the file belongs to: its own folder, or the one above `.vscode`,
/// `.cursor` and the like.
///
/// # Errors
/// The file cannot be read, has more than 4 MiB, or is no JSON object of servers.
pub fn read_file(path: &Path, environment: Environment<'_>) -> Result<Read, ConfigError> {
    let place = shown_place(&path.to_string_lossy());
    let fault = |what: &str| ConfigError::new(&place, what);
    let bytes = read_any_of_at_most(path, MOST_BYTES as u64).map_err(|why| fault(&why.to_string()))?;
    let text = String::from_utf8(bytes).map_err(|_| fault("is no UTF-8 text: save it as UTF-8"))?;
    read_text(path, &text, environment)
}

/// The servers of `text`, which is what the file at `path` holds: for whoever has read it already, to decide about it.
///
/// # Errors
/// As [`read_file`].
pub fn read_text(path: &Path, text: &str, environment: Environment<'_>) -> Result<Read, ConfigError> {
    read(path, text, Some(environment))
}

/// The servers of `text` as they are written, with no variable filled in and no folder made absolute: to be shown to a person.
///
/// Each server that [`read_text`] gives with some environment is here too, so that nothing is started that was not shown.
/// Such a server is none to start.
///
/// # Errors
/// As [`read_file`].
pub fn read_as_written(path: &Path, text: &str) -> Result<Read, ConfigError> {
    read(path, text, None)
}

fn read(path: &Path, text: &str, environment: Option<Environment<'_>>) -> Result<Read, ConfigError> {
    let place = shown_place(&path.to_string_lossy());
    let fault = |what: &str| ConfigError::new(&place, what);
    if text.len() > MOST_BYTES {
        return Err(fault(&format!("has more than {MOST_BYTES} bytes, which is the most that a configuration file may have")));
    }
    if path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("toml")) {
        return Err(fault("is TOML, and this reads JSON: servers in TOML stand in codemode.toml, under [servers.NAME]"));
    }
    // Some editors put a mark before the text.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let root = parse(text).map_err(|what| fault(&what))?;
    let mut warnings = Warnings::default();
    let drafts = match &root {
        None => Vec::new(),
        Some(Value::Object(root)) => drafts(root, &place, &mut warnings).map_err(|what| fault(&what))?,
        Some(other) => return Err(fault(&format!("is {}, and must be an object with `mcpServers` or `servers`", kind_of(other)))),
    };
    let folder = project(path);
    let finish = Finish { origin: Origin { place: place.clone(), file: Some(path.to_owned()) }, folder: folder.as_deref(), environment };
    Ok(finish.read(drafts, warnings))
}

/// The tree of `text`, `None` where it holds nothing, or what is wrong with it.
fn parse(text: &str) -> Result<Option<Value<'_>>, String> {
    let json_with_comments = ParseOptions {
        allow_comments: true,
        allow_trailing_commas: true,
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    };
    let tree_alone = CollectOptions { comments: CommentCollectionStrategy::Off, tokens: false };
    match parse_to_ast(text, &tree_alone, &json_with_comments) {
        Ok(parsed) => Ok(parsed.value),
        // The error's words hold nothing of the file, which may have secrets at that place.
        Err(error) => {
            let mut what = error.kind().to_string();
            if let Some(first) = what.get_mut(..1) {
                first.make_ascii_lowercase();
            }
            Err(format!("is no JSON: {what} (line {}, column {})", error.line_display(), error.column_display()))
        }
    }
}

/// What is written for each server, in the order of the file.
fn drafts(root: &Object<'_>, place: &str, warnings: &mut Warnings) -> Result<Vec<Draft>, String> {
    let mut entries: Vec<(&str, &Value<'_>)> = Vec::new();
    let mut places = std::collections::HashMap::new();
    let mut found = false;
    for section in &root.properties {
        let section_name = section.name.as_str();
        if !SECTIONS.contains(&section_name) {
            continue;
        }
        found = true;
        let Value::Object(servers) = &section.value else {
            return Err(format!("`{section_name}` is {}, and must be an object with one entry a server", kind_of(&section.value)));
        };
        for server in &servers.properties {
            let name = server.name.as_str();
            if let Some(&at) = places.get(name) {
                let entry: &mut (&str, &Value<'_>) = &mut entries[at];
                entry.1 = &server.value;
                warnings.push(&format!("{} is written twice: the last one counts", label(name, place)));
            } else {
                places.insert(name, entries.len());
                entries.push((name, &server.value));
            }
        }
    }
    if !found {
        warnings.push(&format!("{place} has no `mcpServers` and no `servers`: no server comes from it"));
    }
    Ok(entries.into_iter().map(|(name, entry)| draft(name, entry)).collect())
}

/// The folder of the project that a file belongs to, absolute.
fn project(path: &Path) -> Option<PathBuf> {
    let path = std::path::absolute(path).ok()?;
    let folder = path.parent()?;
    let of_client = folder.file_name().is_some_and(|name| {
        let name = name.to_string_lossy();
        matches!(name.as_ref(), ".vscode" | ".cursor" | ".codemode" | ".claude" | ".gemini" | ".roo" | ".kiro")
    });
    match folder.parent() {
        Some(above) if of_client => Some(above.to_owned()),
        _ => Some(folder.to_owned()),
    }
}
