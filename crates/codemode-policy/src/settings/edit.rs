//! Changes a settings file and keeps its comments.

use std::path::{Path, PathBuf};

use toml_edit::{Array, DocumentMut, Item, RawString, Table, Value, value};

use super::error::{SettingsError, SettingsErrorKind};
use super::file::FileSettings;
use super::load::{Scope, content_of};
use super::replace_file;
use crate::tool_names::is_same_tool;

/// Which of the two independent lists is changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Surface {
    /// `code_mode.disabled`: what programs may call.
    CodeMode,
    /// `tools.disabled`: what the model may call directly.
    Direct,
}

/// What was changed in a settings file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The file.
    pub path: PathBuf,
    /// What it held before; nothing where it was not there.
    pub before: Option<String>,
    /// What it holds now.
    pub after: String,
    /// The list as it is now.
    pub disabled: Vec<String>,
}

impl Change {
    /// Whether the file is another than before.
    #[must_use]
    pub fn is_change(&self) -> bool {
        self.before.as_deref().unwrap_or_default() != self.after
    }
}

/// Enables or disables a tool on one surface, in one file. The file is made where it is not there, replaced in one step, and its
/// comments stay. It holds from the next start of a host.
///
/// `name` is the tool's own name, `server__tool` for one of a server. `inherited` is the list that holds where this file has none of its
/// own: the user's, for a project's file. A project's list stands in the place of the user's, so that a first change starts from it.
///
/// # Errors
/// Where the file is of no use as it is, or cannot be written; then it is what it was.
pub fn set_tool(path: &Path, name: &str, surface: Surface, enabled: bool, inherited: &[String]) -> Result<Change, SettingsError> {
    if name.is_empty() {
        return Err(SettingsError::new(SettingsErrorKind::WrongValue, path, None, "the tool has no name; give the name of a tool"));
    }
    let content = content_of(path, Scope::User)?;
    // What the loader refuses is not edited, since a person has to mend it first.
    FileSettings::read(path, content.as_deref().unwrap_or_default())?;
    let before = content.map(|content| String::from_utf8_lossy(&content).into_owned());
    let (mark, text) = match before.as_deref() {
        Some(text) => text.strip_prefix(BYTE_ORDER_MARK).map_or(("", text), |text| (BYTE_ORDER_MARK, text)),
        None => ("", ""),
    };
    let changed = edited(text, name, surface, enabled, inherited)
        .map_err(|message| SettingsError::new(SettingsErrorKind::Syntax, path, None, &message))?;
    let (after, disabled) = match changed {
        Some((edited, disabled)) => (format!("{mark}{}", ended_as(text, edited)), disabled),
        None => (before.clone().unwrap_or_default(), current(text, surface).unwrap_or_else(|| inherited.to_vec())),
    };
    let change = Change { path: path.to_owned(), before, after, disabled };
    if change.is_change() {
        // The loader has to read what is about to be written.
        FileSettings::read(path, change.after.as_bytes())?;
        replace_file(path, change.after.as_bytes(), false)
            .map_err(|why| SettingsError::new(SettingsErrorKind::Unwritable, path, None, &format!("the file cannot be written: {why}")))?;
    }
    Ok(change)
}

const BYTE_ORDER_MARK: &str = "\u{feff}";
/// The key of both lists.
const DISABLED: &str = "disabled";

impl Surface {
    fn table(self) -> &'static str {
        match self {
            Self::CodeMode => "code_mode",
            Self::Direct => "tools",
        }
    }
}

/// The text with the list changed, and the list; nothing where there is nothing to change.
fn edited(text: &str, name: &str, surface: Surface, enabled: bool, inherited: &[String]) -> Result<Option<(String, Vec<String>)>, String> {
    let mut document: DocumentMut = text.parse().map_err(|error: toml_edit::TomlError| format!("this is no TOML: {}", error.message()))?;
    let own = current(text, surface);
    let is_disabled = own.as_deref().unwrap_or(inherited).iter().any(|disabled| is_same_tool(disabled, name));
    if is_disabled != enabled {
        return Ok(None);
    }
    if !document.contains_key(surface.table()) {
        // What stands at the end of the file stays before what is added to it.
        let end = raw(Some(document.trailing())).to_owned();
        let mut table = Table::new();
        if !end.trim().is_empty() {
            table.decor_mut().set_prefix(format!("{}\n\n", end.trim_end()));
            document.set_trailing("");
        }
        document.insert(surface.table(), Item::Table(table));
    }
    let table = document.entry(surface.table()).or_insert_with(|| Item::Table(Table::new()));
    // Within braces, the space before the closing one belongs to the last value.
    let last = table.as_inline_table_mut().filter(|table| !table.contains_key(DISABLED)).and_then(|table| table.iter_mut().last());
    let space = last.map(|(_, last)| {
        let space = raw(last.decor().suffix()).to_owned();
        last.decor_mut().set_suffix("");
        space
    });
    let table = table.as_table_like_mut().ok_or_else(|| format!("{} is no table", surface.table()))?;
    let list = table.entry(DISABLED).or_insert_with(|| value(inherited.iter().collect::<Array>()));
    let list = list.as_array_mut().ok_or_else(|| format!("{}.{DISABLED} is no list", surface.table()))?;
    if enabled {
        remove(list, name)
    } else {
        append(list, name)
    }
    if let Some(space) = space {
        list.decor_mut().set_suffix(space);
    }
    let disabled = names(list);
    Ok(Some((document.to_string(), disabled)))
}

/// The edited text with its lines ended as those of the text before: by carriage return and line feed, where any was.
fn ended_as(before: &str, edited: String) -> String {
    if before.contains("\r\n") { edited.replace("\r\n", "\n").replace('\n', "\r\n") } else { edited }
}

/// The list as the file has it.
fn current(text: &str, surface: Surface) -> Option<Vec<String>> {
    let document: DocumentMut = text.parse().ok()?;
    document.get(surface.table())?.get(DISABLED)?.as_array().map(names)
}

fn names(list: &Array) -> Vec<String> {
    list.iter().filter_map(Value::as_str).map(str::to_owned).collect()
}

/// Adds a name in the way in which the list is written: on a line of its own, where the others are.
fn append(list: &mut Array, name: &str) {
    let mut item = Value::from(name);
    let Some(last) = list.len().checked_sub(1).and_then(|last| list.get_mut(last)) else {
        list.push_formatted(item);
        return;
    };
    let prefix = raw(last.decor().prefix()).to_owned();
    let suffix = raw(last.decor().suffix()).to_owned();
    last.decor_mut().set_suffix("");
    match prefix.rfind('\n').map(|line| &prefix[line + 1..]) {
        Some(indent) => {
            // A comment behind the last item stays behind it, and so before the new one.
            let behind = format!("{suffix}{}", raw(Some(list.trailing())));
            item.decor_mut().set_prefix(format!("{}\n{indent}", behind.trim_end_matches([' ', '\t', '\n', '\r'])));
            list.push_formatted(item);
            list.set_trailing("\n");
            list.set_trailing_comma(true);
        }
        None => {
            item.decor_mut().set_prefix(" ");
            item.decor_mut().set_suffix(suffix);
            list.push_formatted(item);
        }
    }
}

/// Removes a name and keeps the comments around it.
fn remove(list: &mut Array, name: &str) {
    while let Some(place) = place_of(list, name) {
        let removed = list.remove(place);
        let before = raw(removed.decor().prefix()).to_owned();
        let around = format!("{before}{}", raw(removed.decor().suffix()));
        let next = list.get(place).map(|item| raw(item.decor().prefix()).to_owned());
        match (next, around.contains('#')) {
            (Some(after), true) => set_prefix(list, place, &joined(&around, &after)),
            // The first of a list has no space before it.
            (Some(after), false) if !after.contains('#') => set_prefix(list, place, &before),
            (None, true) => {
                let trailing = joined(&around, raw(Some(list.trailing())));
                list.set_trailing(trailing);
            }
            (Some(_) | None, false) => {}
        }
        if list.is_empty() && !raw(Some(list.trailing())).contains('#') {
            list.set_trailing("");
            list.set_trailing_comma(false);
        }
    }
}

/// Comments with what follows them: the line of the last one ends once.
fn joined(comments: &str, after: &str) -> String {
    let ended = after.starts_with(['\n', '\r']);
    let comments = comments.trim_end_matches(|end| matches!(end, ' ' | '\t') || (ended && matches!(end, '\n' | '\r')));
    format!("{comments}{after}")
}

fn place_of(list: &Array, name: &str) -> Option<usize> {
    list.iter().position(|item| item.as_str().is_some_and(|item| is_same_tool(item, name)))
}

fn set_prefix(list: &mut Array, place: usize, prefix: &str) {
    if let Some(item) = list.get_mut(place) {
        item.decor_mut().set_prefix(prefix);
    }
}

/// White space and comments as they are written.
fn raw(text: Option<&RawString>) -> &str {
    text.and_then(RawString::as_str).unwrap_or_default()
}
