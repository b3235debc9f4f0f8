//! Says beforehand how much work it is to check arguments against a schema, so that no schema can hold up the host.
//!
//! A schema that uses its definitions twice each, thirty times over, makes a validator take years over one value.
//! The walk here visits what a validator would visit, judges nothing, and stops at a limit.

use std::collections::HashMap;

use codemode_catalog::Locator;
use serde_json::{Map, Value};

use crate::pattern_size::{PatternCost, pattern_cost};

/// The most steps of a check: about thirty milliseconds on an ordinary machine.
pub(crate) const MOST_STEPS: usize = 1_000_000;
/// The most values that alternatives may copy while it is found out why none of them fits.
pub(crate) const MOST_COPIES: usize = 50_000;
/// The deepest that checks may lie within each other.
const MOST_DEPTH: usize = 1_000;
/// The most subschemas of a schema.
const MOST_NODES: usize = 50_000;
/// What is said of properties or items that are left over makes a validator look at everything beside it again.
const TIMES_FOR_UNEVALUATED: usize = 3;

/// Keywords whose value is a schema for the same value.
const SAME_VALUE: &[&str] = &["not", "if", "then", "else"];
/// Keywords whose value is a list of schemas for the same value, and whether they are alternatives.
const SAME_VALUE_LISTS: &[(&str, bool)] = &[("allOf", false), ("anyOf", true), ("oneOf", true)];
/// Keywords whose value is a map of schemas for the same value.
const SAME_VALUE_MAPS: &[&str] = &["dependentSchemas", "dependencies"];

/// How the parts of a schema use each other.
#[derive(Debug)]
pub(crate) struct Graph {
    nodes: Vec<Node>,
}

#[derive(Debug, Default)]
struct Node {
    /// Steps for this part alone.
    weight: usize,
    pattern: Option<PatternCost>,
    /// Parts that look at the same value, and whether they are alternatives.
    same: Vec<(usize, bool)>,
    times: usize,
    properties: HashMap<String, usize>,
    /// Parts for every property: of patterns.
    any_property: Vec<(usize, PatternCost)>,
    /// Parts for properties that are not named.
    other_properties: Vec<usize>,
    names: Option<usize>,
    first_items: Vec<usize>,
    other_items: Option<usize>,
    /// A part for every item, whatever the others say.
    any_item: Option<usize>,
}

/// Why a schema cannot be walked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum GraphError {
    /// It has too many parts.
    TooLarge,
    /// It has a reference of a kind that cannot be followed here.
    Unfollowed,
}

/// How much work a check is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Effort {
    /// Steps, at most a little over [`MOST_STEPS`].
    pub(crate) steps: usize,
    /// Values that alternatives may copy, at most a little over [`MOST_COPIES`].
    pub(crate) copies: usize,
}

impl Effort {
    /// Whether the check may be done at all.
    pub(crate) fn is_bearable(self) -> bool {
        self.steps <= MOST_STEPS
    }

    /// Whether it may be asked why the check failed.
    pub(crate) fn can_be_explained(self) -> bool {
        self.is_bearable() && self.copies <= MOST_COPIES
    }
}

impl Graph {
    /// Reads a schema.
    pub(crate) fn read(schema: &Value) -> Result<Self, GraphError> {
        let mut reader = Reader { locator: Locator::new(schema), numbers: HashMap::new(), targets: Vec::new() };
        let mut nodes = Vec::new();
        reader.number(schema);
        while let Some(&target) = reader.targets.get(nodes.len()) {
            if nodes.len() >= MOST_NODES {
                return Err(GraphError::TooLarge);
            }
            nodes.push(reader.node(target)?);
        }
        Ok(Self { nodes })
    }

    /// The work of checking `value`.
    pub(crate) fn effort(&self, value: &Value) -> Effort {
        let mut walk = Walk { nodes: &self.nodes, effort: Effort::default(), depth: 0, same: Vec::new() };
        walk.part(0, value);
        walk.effort
    }
}

struct Reader<'a> {
    locator: Locator<'a>,
    numbers: HashMap<*const Value, usize>,
    targets: Vec<&'a Value>,
}

impl<'a> Reader<'a> {
    /// The number of the node of `schema`, which is read later if it is new.
    fn number(&mut self, schema: &'a Value) -> usize {
        *self.numbers.entry(std::ptr::from_ref(schema)).or_insert_with(|| {
            self.targets.push(schema);
            self.targets.len() - 1
        })
    }

    fn node(&mut self, schema: &'a Value) -> Result<Node, GraphError> {
        let mut node = Node { weight: 1, times: 1, ..Node::default() };
        let Value::Object(keywords) = schema else { return Ok(node) };
        for keyword in ["enum", "required"] {
            node.weight += keywords.get(keyword).and_then(Value::as_array).map_or(0, |list| list.len() / 8);
        }
        node.pattern = keywords.get("pattern").and_then(Value::as_str).map(pattern_cost);
        for keyword in ["$ref", "$recursiveRef", "$dynamicRef"] {
            if let Some(reference) = keywords.get(keyword).and_then(Value::as_str) {
                let target = self.locator.find(reference).ok_or(GraphError::Unfollowed)?;
                node.same.push((self.number(target), false));
            }
        }
        self.parts_for_the_same_value(keywords, &mut node);
        self.parts_of_objects(keywords, &mut node);
        self.parts_of_lists(keywords, &mut node);
        if keywords.contains_key("unevaluatedProperties") || keywords.contains_key("unevaluatedItems") {
            node.times = TIMES_FOR_UNEVALUATED;
        }
        Ok(node)
    }

    fn parts_for_the_same_value(&mut self, keywords: &'a Map<String, Value>, node: &mut Node) {
        for keyword in SAME_VALUE {
            if let Some(part) = keywords.get(*keyword) {
                node.same.push((self.number(part), false));
            }
        }
        for (keyword, alternatives) in SAME_VALUE_LISTS {
            for part in keywords.get(*keyword).and_then(Value::as_array).into_iter().flatten() {
                node.same.push((self.number(part), *alternatives));
            }
        }
        for keyword in SAME_VALUE_MAPS {
            for part in keywords.get(*keyword).and_then(Value::as_object).into_iter().flat_map(Map::values) {
                node.same.push((self.number(part), false));
            }
        }
    }

    fn parts_of_objects(&mut self, keywords: &'a Map<String, Value>, node: &mut Node) {
        for (name, part) in keywords.get("properties").and_then(Value::as_object).into_iter().flatten() {
            let number = self.number(part);
            node.properties.insert(name.clone(), number);
        }
        for (pattern, part) in keywords.get("patternProperties").and_then(Value::as_object).into_iter().flatten() {
            let number = self.number(part);
            node.any_property.push((number, pattern_cost(pattern)));
        }
        for keyword in ["additionalProperties", "unevaluatedProperties"] {
            if let Some(part) = keywords.get(keyword) {
                let number = self.number(part);
                node.other_properties.push(number);
            }
        }
        node.names = keywords.get("propertyNames").map(|part| self.number(part));
    }

    fn parts_of_lists(&mut self, keywords: &'a Map<String, Value>, node: &mut Node) {
        let (first, rest) = match (keywords.get("prefixItems"), keywords.get("items")) {
            (Some(Value::Array(first)), rest) => (Some(first), rest),
            (_, Some(Value::Array(first))) => (Some(first), keywords.get("additionalItems")),
            (_, rest) => (None, rest),
        };
        node.first_items = first.into_iter().flatten().map(|part| self.number(part)).collect();
        node.other_items = rest.or_else(|| keywords.get("unevaluatedItems")).map(|part| self.number(part));
        node.any_item = keywords.get("contains").map(|part| self.number(part));
    }
}

struct Walk<'a> {
    nodes: &'a [Node],
    effort: Effort,
    depth: usize,
    /// The parts that look at the value at hand: a part that comes back to itself ends there.
    same: Vec<usize>,
}

impl Walk<'_> {
    fn is_over(&self) -> bool {
        self.effort.steps > MOST_STEPS
    }

    fn part(&mut self, number: usize, value: &Value) {
        let Some(node) = self.nodes.get(number) else { return };
        self.effort.steps += node.weight;
        if let (Some(pattern), Value::String(text)) = (node.pattern, value) {
            self.effort.steps = self.effort.steps.saturating_add(pattern.of(text.len()));
        }
        if self.depth >= MOST_DEPTH {
            self.effort.steps = MOST_STEPS + 1;
        }
        if self.is_over() || self.same.contains(&number) {
            return;
        }
        self.depth += 1;
        self.same.push(number);
        for _ in 0..node.times {
            for &(part, alternative) in &node.same {
                if alternative {
                    self.effort.copies += count(value, MOST_COPIES.saturating_sub(self.effort.copies));
                }
                self.part(part, value);
                if self.is_over() {
                    break;
                }
            }
        }
        let outer = std::mem::take(&mut self.same);
        match value {
            Value::Object(fields) => self.fields(node, fields),
            Value::Array(items) => self.items(node, items),
            _ => {}
        }
        self.same = outer;
        self.same.pop();
        self.depth -= 1;
    }

    fn fields(&mut self, node: &Node, fields: &Map<String, Value>) {
        for (name, value) in fields {
            if self.is_over() {
                return;
            }
            match node.properties.get(name) {
                Some(&part) => self.part(part, value),
                None => node.other_properties.iter().for_each(|&part| self.part(part, value)),
            }
            for &(part, pattern) in &node.any_property {
                self.effort.steps = self.effort.steps.saturating_add(pattern.of(name.len()));
                self.part(part, value);
            }
            if let Some(part) = node.names {
                self.part(part, &Value::String(name.clone()));
            }
        }
    }

    fn items(&mut self, node: &Node, items: &[Value]) {
        for (place, value) in items.iter().enumerate() {
            if self.is_over() {
                return;
            }
            if let Some(&part) = node.first_items.get(place).or(node.other_items.as_ref()) {
                self.part(part, value);
            }
            if let Some(part) = node.any_item {
                self.part(part, value);
            }
        }
    }
}

/// The number of values within a value, itself included; counting ends a little over `most`.
fn count(value: &Value, most: usize) -> usize {
    let mut all = 1;
    match value {
        Value::Array(items) => {
            for item in items {
                if all > most {
                    break;
                }
                all += count(item, most - all.min(most));
            }
        }
        Value::Object(fields) => {
            for field in fields.values() {
                if all > most {
                    break;
                }
                all += count(field, most - all.min(most));
            }
        }
        _ => {}
    }
    all
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn effort(schema: &Value, value: &Value) -> Effort {
        Graph::read(schema).expect("it can be read").effort(value)
    }

    /// A schema in which each of `count` definitions uses the next one twice.
    fn twice_each(count: usize, keyword: &str) -> Value {
        let mut definitions = Map::new();
        for level in 0..count {
            let next = json!({"$ref": format!("#/$defs/D{}", level + 1)});
            definitions.insert(format!("D{level}"), json!({keyword: [next, next]}));
        }
        definitions.insert(format!("D{count}"), json!({"type": "string"}));
        json!({"$ref": "#/$defs/D0", "$defs": definitions})
    }

    #[test]
    fn small_schemas_are_small_work() {
        let schema = json!({
            "type": "object",
            "properties": {"a": {"type": "string"}, "b": {"anyOf": [{"type": "integer"}, {"type": "null"}]}, "c": {"items": {"$ref": "#"}}},
            "additionalProperties": false,
        });
        assert_eq!(effort(&schema, &json!({})), Effort { steps: 1, copies: 0 });
        assert_eq!(effort(&schema, &json!({"a": "x", "b": 1})), Effort { steps: 5, copies: 2 });
        assert_eq!(effort(&schema, &json!({"c": [{"a": "x"}, {"z": 1}]})), Effort { steps: 8, copies: 0 });
    }

    #[test]
    fn what_multiplies_is_seen_and_the_walk_ends() {
        for keyword in ["allOf", "anyOf", "oneOf"] {
            assert!(effort(&twice_each(8, keyword), &json!("x")).is_bearable());
            assert!(!effort(&twice_each(40, keyword), &json!("x")).is_bearable());
        }
        let mut unevaluated = json!({"type": "object"});
        for _ in 0..20 {
            unevaluated = json!({"allOf": [unevaluated], "unevaluatedProperties": false});
        }
        assert!(!effort(&unevaluated, &json!({"a": 1})).is_bearable());
        let either = json!({"properties": {"a": {"$ref": "#"}}});
        let tree = json!({"anyOf": [either, either.clone(), {"type": "string"}]});
        let nested = |depth: usize| (0..depth).fold(json!(1), |value, _| json!({"a": value}));
        assert!(effort(&tree, &nested(5)).can_be_explained());
        assert!(!effort(&tree, &nested(30)).is_bearable());
        let wide: Vec<Value> = (0..500).map(|number| json!({"const": number})).collect();
        let long = Value::Array((0..2_000).map(Value::from).collect());
        assert!(!effort(&json!({"items": {"anyOf": wide}}), &long).can_be_explained());
        assert!(!effort(&json!({"items": {"enum": vec![0; 10_000]}}), &long).is_bearable());
        assert!(!effort(&json!({"pattern": "^(([ab]{1,50}c?){1,50})+$"}), &json!("ab".repeat(10_000))).is_bearable());
    }

    #[test]
    fn loops_end_and_lost_references_are_told() {
        let ring = json!({"$ref": "#/$defs/X", "$defs": {"X": {"$ref": "#/$defs/Y"}, "Y": {"$ref": "#/$defs/X"}}});
        assert_eq!(effort(&ring, &json!(1)), Effort { steps: 4, copies: 0 });
        assert_eq!(Graph::read(&json!({"$ref": "#/$defs/Missing"})).err(), Some(GraphError::Unfollowed));
        assert_eq!(Graph::read(&json!({"$ref": "https://example.invalid/x.json"})).err(), Some(GraphError::Unfollowed));
        let many: Map<String, Value> = (0..MOST_NODES).map(|number| (number.to_string(), json!(true))).collect();
        assert_eq!(Graph::read(&json!({"properties": many})).err(), Some(GraphError::TooLarge));
        let chain: Vec<Value> = (0..3_000).map(|number| json!({"$ref": format!("#/allOf/{}", number + 1)})).collect();
        assert!(!effort(&json!({"allOf": chain.into_iter().chain([json!({})]).collect::<Vec<_>>()}), &json!(1)).is_bearable());
    }
}
