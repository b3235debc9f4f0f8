//! Names in TypeScript: of properties as they are, of types made to fit.

use std::collections::HashSet;

use crate::clean::quoted;

/// The names of the types in one file: no two are the same.
#[derive(Debug)]
pub(super) struct Names {
    taken: HashSet<String>,
    /// Those that were taken since the last that were kept.
    since: Vec<String>,
}

impl Names {
    /// No names but these, which are never given.
    pub(super) fn without(reserved: &[&str]) -> Self {
        Self { taken: reserved.iter().map(|name| (*name).to_owned()).collect(), since: Vec::new() }
    }

    /// A free name: `wanted`, or one with a number behind it.
    pub(super) fn take(&mut self, wanted: &str) -> String {
        let mut name = wanted.to_owned();
        let mut number = 2;
        while !self.taken.insert(name.clone()) {
            name = format!("{wanted}_{number}");
            number += 1;
        }
        self.since.push(name.clone());
        name
    }

    /// Frees the names that were taken since the last that were kept.
    pub(super) fn give_back(&mut self) {
        for name in self.since.drain(..) {
            self.taken.remove(&name);
        }
    }

    /// Keeps the names that were taken.
    pub(super) fn keep(&mut self) {
        self.since.clear();
    }
}

/// A name as a property has it: any word that TypeScript takes after a dot, else quoted.
pub(super) fn property_name(name: &str) -> String {
    let mut bytes = name.bytes();
    let word = bytes.next().is_some_and(|first| first.is_ascii_alphabetic() || first == b'_' || first == b'$')
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$');
    if word { name.to_owned() } else { quoted(name, usize::MAX) }
}

/// A name in the way of a type's: `read_file` is `ReadFile`.
pub(super) fn pascal(name: &str) -> String {
    let mut word = String::new();
    for part in name.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|part| !part.is_empty()) {
        let (first, rest) = part.split_at(1);
        word.push_str(&first.to_ascii_uppercase());
        word.push_str(rest);
        if word.len() > 60 {
            word.truncate(60);
            break;
        }
    }
    if word.starts_with(|letter: char| letter.is_ascii_digit()) {
        word.insert(0, '_');
    }
    if word.is_empty() { "_".to_owned() } else { word }
}
