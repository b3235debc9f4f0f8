//! One table of a settings file: its keys are known ones, and its values are read with their places.

use std::collections::BTreeMap;
use std::ops::Range;

use codemode_core::{nearest, text};
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use super::error::SettingsErrorKind;
use super::keys::{self, Key, Kind};
use crate::units::Unit;

/// The most bytes of a key or of a value in a message.
const SHOWN_BYTES: usize = 60;

/// What is wrong, and where in the text.
#[derive(Debug)]
pub(crate) struct Problem {
    pub(crate) kind: SettingsErrorKind,
    /// From the text's beginning, in bytes.
    pub(crate) at: usize,
    pub(crate) message: String,
}

/// One table, with its path from the top.
pub(crate) struct Table<'a> {
    text: &'a str,
    path: String,
    table: &'a DeTable<'a>,
    keys: Vec<Key>,
}

impl<'a> Table<'a> {
    /// The top of a file, whose keys are all tables.
    pub(crate) fn top(text: &'a str, table: &'a DeTable<'a>) -> Result<Self, Problem> {
        let top = Self { text, path: String::new(), table, keys: Vec::new() };
        let names: Vec<&str> = keys::TOP.iter().map(|(name, _)| *name).collect();
        top.all_known(&names)?;
        Ok(top)
    }

    /// The table of this name within this one, with these keys and perhaps a table of its own.
    pub(crate) fn table(&self, name: &str, keys: &[Key], inner: Option<&str>) -> Result<Option<Self>, Problem> {
        let Some(value) = self.table.get(name) else { return Ok(None) };
        let path = self.path_of(name);
        let Some(table) = value.get_ref().as_table() else { return Err(self.wrong(&path, value, !self.path.is_empty(), "a table")) };
        let found = Self { text: self.text, path, table, keys: keys.to_vec() };
        let names: Vec<&str> = keys.iter().map(|key| key.name).chain(inner).collect();
        found.all_known(&names)?;
        Ok(Some(found))
    }

    /// The tables within the one of this name, whose names are a person's own.
    pub(crate) fn named_tables(&self, name: &str, keys: &[Key]) -> Result<Vec<(String, Self)>, Problem> {
        let Some(value) = self.table.get(name) else { return Ok(Vec::new()) };
        let Some(table) = value.get_ref().as_table() else { return Err(self.wrong(name, value, false, "a table for each server")) };
        let all = Self { text: self.text, path: name.to_owned(), table, keys: Vec::new() };
        let mut found = Vec::new();
        for key in table.keys() {
            if key.get_ref().is_empty() {
                return Err(problem(SettingsErrorKind::WrongValue, key.span(), format!("a table of {name} has no name; give it one")));
            }
            found.extend(all.table(key.get_ref(), keys, None)?.map(|table| (key.get_ref().to_string(), table)));
        }
        Ok(found)
    }

    pub(crate) fn switch(&self, name: &str) -> Result<Option<bool>, Problem> {
        self.read(name, "true or false", |value| value.as_bool())
    }

    /// A list of names, each of at least one character.
    pub(crate) fn names(&self, name: &str) -> Result<Option<Vec<String>>, Problem> {
        self.list(name, "the name of a tool", |item| !item.is_empty())
    }

    pub(crate) fn texts(&self, name: &str) -> Result<Option<Vec<String>>, Problem> {
        self.list(name, "text", |_| true)
    }

    pub(crate) fn text(&self, name: &str) -> Result<Option<String>, Problem> {
        self.read(name, "text that is not empty", |value| value.as_str().filter(|text| !text.is_empty()).map(str::to_owned))
    }

    pub(crate) fn texts_by_name(&self, name: &str) -> Result<Option<BTreeMap<String, String>>, Problem> {
        let Some(value) = self.table.get(name) else { return Ok(None) };
        let path = self.path_of(name);
        let Some(table) = value.get_ref().as_table() else { return Err(self.wrong(&path, value, true, "texts by name")) };
        let pair = |(name, value): (&Spanned<DeString<'_>>, &Spanned<DeValue<'_>>)| match value.get_ref().as_str() {
            Some(text) => Ok((name.get_ref().to_string(), text.to_owned())),
            None => Err(self.wrong(&format!("{path}.{}", shown_key(name.get_ref())), value, true, "text")),
        };
        table.iter().map(pair).collect::<Result<_, _>>().map(Some)
    }

    pub(crate) fn number(&self, name: &str) -> Result<Option<u64>, Problem> {
        let Some(Kind::Number(least, most)) = self.keys.iter().find(|key| key.name == name).map(|key| key.kind) else { return Ok(None) };
        self.read(name, &format!("{least} to {most}"), |value| whole(value).filter(|number| (least..=most).contains(number)))
    }

    /// A quantity of at least one.
    pub(crate) fn quantity(&self, name: &str, unit: Unit) -> Result<Option<u64>, Problem> {
        let Some(value) = self.table.get(name) else { return Ok(None) };
        let path = self.path_of(name);
        let wrong = |message: String| problem(SettingsErrorKind::WrongValue, value.span(), message);
        let quantity = match (value.get_ref(), unit) {
            (DeValue::String(written), _) => unit.parse(written).map_err(|error| wrong(format!("{path}: {error}")))?,
            (DeValue::Integer(_), Unit::Size | Unit::Count) => {
                let allowed = if unit == Unit::Size { "a size, as in \"64MiB\" or 65536" } else { "a count, as in 64" };
                whole(value.get_ref()).ok_or_else(|| self.wrong(&path, value, false, allowed))?
            }
            (_, Unit::Duration) => return Err(self.wrong(&path, value, false, "a duration with its unit, as in \"30s\"")),
            (_, Unit::Size) => return Err(self.wrong(&path, value, false, "a size, as in \"64MiB\" or 65536")),
            (_, Unit::Count) => return Err(self.wrong(&path, value, false, "a count, as in 64")),
        };
        if quantity == 0 {
            return Err(wrong(format!("{path} is 0; allowed: at least {}; zero never means unlimited", unit.write(1))));
        }
        Ok(Some(quantity))
    }

    /// Where a key stands, for a problem with it.
    pub(crate) fn problem_at(&self, name: &str, message: &str) -> Problem {
        let span = self.table.get_key_value(name).map_or(0..0, |(key, _)| key.span());
        problem(SettingsErrorKind::Conflict, span, format!("{}: {message}", self.path))
    }

    fn read<T>(&self, name: &str, allowed: &str, read: impl FnOnce(&DeValue<'_>) -> Option<T>) -> Result<Option<T>, Problem> {
        let Some(value) = self.table.get(name) else { return Ok(None) };
        match read(value.get_ref()) {
            Some(read) => Ok(Some(read)),
            None => Err(self.wrong(&self.path_of(name), value, self.may_be_secret(name), allowed)),
        }
    }

    fn list(&self, name: &str, allowed: &str, fits: impl Fn(&str) -> bool) -> Result<Option<Vec<String>>, Problem> {
        let Some(value) = self.table.get(name) else { return Ok(None) };
        let path = self.path_of(name);
        let secret = self.may_be_secret(name);
        let Some(items) = value.get_ref().as_array() else {
            return Err(self.wrong(&path, value, secret, &format!("a list, each item {allowed}")));
        };
        let item = |(place, item): (usize, &Spanned<DeValue<'_>>)| match item.get_ref().as_str().filter(|text| fits(text)) {
            Some(text) => Ok(text.to_owned()),
            None => Err(self.wrong(&format!("{path}[{place}]"), item, secret, allowed)),
        };
        items.iter().enumerate().map(item).collect::<Result<_, _>>().map(Some)
    }

    /// What says how a server is reached may hold a token; it is in no message.
    fn may_be_secret(&self, name: &str) -> bool {
        let kind = self.keys.iter().find(|key| key.name == name).map(|key| key.kind);
        matches!(kind, Some(Kind::Text | Kind::Texts | Kind::TextsByName))
    }

    fn all_known(&self, names: &[&str]) -> Result<(), Problem> {
        // By place, so that a person mends a file from its top.
        let mut unknown: Vec<_> = self.table.keys().filter(|key| !names.contains(&&**key.get_ref())).collect();
        unknown.sort_by_key(|key| key.span().start);
        let Some(key) = unknown.first() else { return Ok(()) };
        let given = key.get_ref();
        // The very name in another table was meant more likely than a name like it in this one.
        let here = || nearest(given, names.iter().copied()).first().map(|near| self.path_of(near));
        let near = elsewhere(given, true).or_else(here).or_else(|| elsewhere(given, false));
        let advice = match near {
            Some(near) => format!("did you mean {near}?"),
            None => format!("there are {}", names.join(", ")),
        };
        Err(problem(SettingsErrorKind::UnknownKey, key.span(), format!("{} is no setting; {advice}", self.path_of(given))))
    }

    fn path_of(&self, name: &str) -> String {
        let name = shown_key(name);
        if self.path.is_empty() { name } else { format!("{}.{name}", self.path) }
    }

    fn wrong(&self, path: &str, value: &Spanned<DeValue<'_>>, secret: bool, allowed: &str) -> Problem {
        let given = match value.get_ref() {
            DeValue::Array(_) => "a list".to_owned(),
            DeValue::Table(_) => "a table".to_owned(),
            DeValue::String(text) if secret && text.is_empty() => "empty".to_owned(),
            DeValue::String(_) if secret => "text".to_owned(),
            DeValue::Integer(_) | DeValue::Float(_) if secret => "a number".to_owned(),
            DeValue::Boolean(_) | DeValue::Datetime(_) if secret => format!("a {}", value.get_ref().type_str()),
            _ => text::cut(self.text.get(value.span()).unwrap_or_default(), SHOWN_BYTES).into_owned(),
        };
        problem(SettingsErrorKind::WrongValue, value.span(), format!("{path} is {given}; allowed: {allowed}"))
    }
}

fn problem(kind: SettingsErrorKind, span: Range<usize>, message: String) -> Problem {
    Problem { kind, at: span.start, message }
}

/// The setting of another table that may have been meant: of the very name, or of one like it.
fn elsewhere(given: &str, exactly: bool) -> Option<String> {
    let paths = keys::paths();
    let last = |path: &str| path.rsplit('.').next().unwrap_or_default().to_owned();
    let meant = if exactly {
        given.to_owned()
    } else {
        let names: Vec<String> = paths.iter().map(|path| last(path)).collect();
        nearest(given, names.iter().map(String::as_str)).into_iter().next()?
    };
    paths.into_iter().find(|path| last(path) == meant)
}

/// A key as it would be written.
fn shown_key(key: &str) -> String {
    let plain = !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
    let cut = text::cut(key, SHOWN_BYTES);
    if plain { cut.into_owned() } else { format!("\"{}\"", text::one_line(&cut).replace('"', "\\\"")) }
}

/// A whole number that is not negative.
fn whole(value: &DeValue<'_>) -> Option<u64> {
    let number = value.as_integer()?;
    u64::from_str_radix(number.as_str().trim_start_matches('+'), number.radix()).ok()
}
