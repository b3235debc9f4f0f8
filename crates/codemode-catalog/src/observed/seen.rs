//! What was seen of one kind of value: its forms and keys. It has no place for a value.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// Levels of arrays and objects that are looked into.
pub(super) const MOST_DEPTH: usize = 6;
/// Keys of one object; one with more is taken for a map.
const MOST_KEYS: usize = 48;
/// Bytes of a key; a longer one is data.
const MOST_KEY_BYTES: usize = 64;
/// Items of one array that are looked at.
const MOST_ITEMS: usize = 50;

/// The forms in which a value was seen.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Seen {
    #[serde(skip_serializing_if = "is_false")]
    null: bool,
    #[serde(skip_serializing_if = "is_false")]
    boolean: bool,
    #[serde(skip_serializing_if = "is_false")]
    integer: bool,
    #[serde(skip_serializing_if = "is_false")]
    number: bool,
    #[serde(skip_serializing_if = "is_false")]
    string: bool,
    /// The items of arrays, together.
    #[serde(skip_serializing_if = "Option::is_none")]
    array: Option<Box<Seen>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    object: Option<Fields>,
}

/// The keys of objects.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
struct Fields {
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    keys: BTreeMap<String, Key>,
    /// The values of all keys together, where keys are data: identifiers, addresses, dates.
    #[serde(skip_serializing_if = "Option::is_none")]
    map: Option<Box<Seen>>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Key {
    /// Whether each object had it.
    always: bool,
    value: Seen,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over references")]
fn is_false(flag: &bool) -> bool {
    !flag
}

impl Seen {
    /// Whether learning from `value` would change nothing; `steps` bounds the walk, past which nothing more is new.
    pub(super) fn covers(&self, value: &Value, depth: usize, steps: &mut usize) -> bool {
        if *steps == 0 {
            return true;
        }
        *steps -= 1;
        match value {
            Value::Null => self.null,
            Value::Bool(_) => self.boolean,
            Value::Number(number) if number.is_f64() => self.number,
            Value::Number(_) => self.integer,
            Value::String(_) => self.string,
            Value::Array(items) => self
                .array
                .as_ref()
                .is_some_and(|seen| depth >= MOST_DEPTH || items.iter().take(MOST_ITEMS).all(|item| seen.covers(item, depth + 1, steps))),
            Value::Object(object) => self.object.as_ref().is_some_and(|fields| depth >= MOST_DEPTH || fields.cover(object, depth, steps)),
        }
    }

    /// Learns the forms and keys of `value`.
    pub(super) fn learn(&mut self, value: &Value, depth: usize, steps: &mut usize) {
        if *steps == 0 {
            return;
        }
        *steps -= 1;
        match value {
            Value::Null => self.null = true,
            Value::Bool(_) => self.boolean = true,
            Value::Number(number) if number.is_f64() => self.number = true,
            Value::Number(_) => self.integer = true,
            Value::String(_) => self.string = true,
            Value::Array(items) => {
                let seen = self.array.get_or_insert_default();
                let looked_at = if depth < MOST_DEPTH { MOST_ITEMS } else { 0 };
                items.iter().take(looked_at).for_each(|item| seen.learn(item, depth + 1, steps));
            }
            Value::Object(object) => {
                let first = self.object.is_none();
                let fields = self.object.get_or_insert_default();
                if depth < MOST_DEPTH {
                    fields.learn(object, first, depth, steps);
                }
            }
        }
    }

    /// Takes in what was seen elsewhere.
    fn merge(&mut self, other: Self) {
        self.null |= other.null;
        self.boolean |= other.boolean;
        self.integer |= other.integer;
        self.number |= other.number;
        self.string |= other.string;
        if let Some(items) = other.array {
            self.array.get_or_insert_default().merge(*items);
        }
        if let Some(theirs) = other.object {
            match &mut self.object {
                None => self.object = Some(theirs),
                Some(ours) => ours.merge(theirs),
            }
        }
    }

    /// What was seen as a JSON Schema, open for what was not.
    pub(super) fn schema(&self) -> Value {
        let mut forms: Vec<Value> = Vec::new();
        let plain = [
            (self.null, "null"),
            (self.boolean, "boolean"),
            (self.integer && !self.number, "integer"),
            (self.number, "number"),
            (self.string, "string"),
        ];
        let plain: Vec<&str> = plain.into_iter().filter_map(|(seen, name)| seen.then_some(name)).collect();
        match plain.as_slice() {
            [] => {}
            [one] => forms.push(json!({"type": one})),
            several => forms.push(json!({"type": several})),
        }
        if let Some(items) = &self.array {
            forms.push(json!({"type": "array", "items": items.schema()}));
        }
        if let Some(fields) = &self.object {
            forms.push(fields.schema());
        }
        match forms.len() {
            0 => json!({}),
            1 => forms.remove(0),
            _ => json!({"anyOf": forms}),
        }
    }

    /// Whether it is within the bounds that learning keeps; what was kept in a file may not be.
    pub(super) fn is_bounded(&self, depth: usize) -> bool {
        let items = self.array.as_ref().is_none_or(|items| items.is_bounded(depth + 1));
        let fields = self.object.as_ref().is_none_or(|fields| {
            fields.keys.len() <= MOST_KEYS
                && fields.keys.iter().all(|(key, field)| is_key(key) && field.value.is_bounded(depth + 1))
                && fields.map.as_ref().is_none_or(|value| value.is_bounded(depth + 1))
        });
        depth <= MOST_DEPTH + 1 && items && fields
    }
}

impl Fields {
    fn cover(&self, object: &Map<String, Value>, depth: usize, steps: &mut usize) -> bool {
        if let Some(map) = &self.map {
            return object.values().take(MOST_ITEMS).all(|value| map.covers(value, depth + 1, steps));
        }
        object.iter().all(|(key, value)| self.keys.get(key).is_some_and(|known| known.value.covers(value, depth + 1, steps)))
            && self.keys.iter().all(|(key, known)| !known.always || object.contains_key(key))
    }

    fn learn(&mut self, object: &Map<String, Value>, first: bool, depth: usize, steps: &mut usize) {
        let new = object.keys().filter(|key| !self.keys.contains_key(*key)).count();
        if self.map.is_none() && (self.keys.len() + new > MOST_KEYS || !object.keys().all(|key| is_key(key))) {
            self.become_map();
        }
        if let Some(map) = &mut self.map {
            object.values().take(MOST_ITEMS).for_each(|value| map.learn(value, depth + 1, steps));
            return;
        }
        for (key, known) in &mut self.keys {
            known.always &= object.contains_key(key);
        }
        for (key, value) in object {
            match self.keys.get_mut(key) {
                Some(known) => known.value.learn(value, depth + 1, steps),
                None => {
                    let mut seen = Seen::default();
                    seen.learn(value, depth + 1, steps);
                    self.keys.insert(key.clone(), Key { always: first, value: seen });
                }
            }
        }
    }

    /// Forgets the keys: they are data.
    fn become_map(&mut self) {
        let mut all = Seen::default();
        for (_, key) in std::mem::take(&mut self.keys) {
            all.merge(key.value);
        }
        self.map = Some(Box::new(all));
    }

    fn merge(&mut self, mut other: Self) {
        let new = other.keys.keys().filter(|key| !self.keys.contains_key(*key)).count();
        if self.map.is_some() || other.map.is_some() || self.keys.len() + new > MOST_KEYS {
            for fields in [&mut *self, &mut other] {
                if fields.map.is_none() {
                    fields.become_map();
                }
            }
            if let (Some(ours), Some(theirs)) = (&mut self.map, other.map) {
                ours.merge(*theirs);
            }
            return;
        }
        for (key, known) in &mut self.keys {
            known.always &= other.keys.contains_key(key);
        }
        for (key, theirs) in other.keys {
            match self.keys.get_mut(&key) {
                Some(ours) => {
                    ours.always &= theirs.always;
                    ours.value.merge(theirs.value);
                }
                None => {
                    self.keys.insert(key, Key { always: false, value: theirs.value });
                }
            }
        }
    }

    fn schema(&self) -> Value {
        if let Some(map) = &self.map {
            return json!({"type": "object", "additionalProperties": map.schema()});
        }
        let properties: Map<String, Value> = self.keys.iter().map(|(key, known)| (key.clone(), known.value.schema())).collect();
        let required: Vec<&String> = self.keys.iter().filter(|(_, known)| known.always).map(|(key, _)| key).collect();
        let mut schema = json!({"type": "object", "properties": properties});
        if !required.is_empty() {
            schema["required"] = json!(required);
        }
        schema
    }
}

/// Whether a key looks like the name of a field, and not like data: a letter first, then letters, digits and a few signs, and
/// fewer than five digits in all.
fn is_key(key: &str) -> bool {
    key.len() <= MOST_KEY_BYTES
        && key.starts_with(|first: char| first.is_alphabetic() || matches!(first, '_' | '$' | '@'))
        && key.chars().skip(1).all(|letter| letter.is_alphanumeric() || matches!(letter, '_' | '-' | '$' | ' '))
        && key.chars().filter(char::is_ascii_digit).count() < 5
}
