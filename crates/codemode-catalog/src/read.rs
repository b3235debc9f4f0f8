//! Reads a JSON Schema into a shape: one pass, bounded, never following a reference on the call stack.
//!
//! A reference to a definition becomes an index and a place in a queue, so that cycles end and what is used twice is
//! read once. Only `allOf` and the like need the target at hand; those reads spend the same node budget as all others,
//! which is what ends schemas that are exponential when written out.

use serde_json::{Map, Value};

use crate::clean::one_line;
use crate::combine::{intersect, union};
use crate::locate::Locator;
use crate::shape::{Definition, Facts, Field, Form, Literal, LiteralForm, Literals, Object, Rest, Shape, ShapeLimits};

/// How many references in a row are looked through where the target is needed at once.
const MOST_HOPS: usize = 8;

impl Shape {
    /// Reads `schema`, whatever it holds, into a shape whose first definition is called `name`.
    ///
    /// The drafts from 4 to 2020-12 are read alike: where they disagree, the more telling reading is taken.
    /// What has no place in a shape (`not`, `if`, lengths, patterns of strings) is left out: a shape tells a reader
    /// what to write, it does not judge what was written.
    #[must_use]
    pub fn read(schema: &Value, name: &str, limits: &ShapeLimits) -> Self {
        Self::read_part(schema, schema, name, limits)
    }

    /// Reads `part`, a schema within `schema`, into a shape whose first definition is called `name`.
    ///
    /// References in the part lead to places in the whole.
    #[must_use]
    pub fn read_part(schema: &Value, part: &Value, name: &str, limits: &ShapeLimits) -> Self {
        let mut reader = Reader {
            locator: Locator::new(schema),
            limits: *limits,
            nodes_left: limits.nodes.max(1),
            targets: vec![part],
            definitions: Vec::new(),
        };
        // Reading a definition may add targets; each is read once.
        while reader.definitions.len() < reader.targets.len() {
            let target = reader.targets[reader.definitions.len()];
            let form = reader.form(target, 0);
            let name = if reader.definitions.is_empty() {
                name.to_owned()
            } else {
                reader.locator.name_of(target).unwrap_or_else(|| "Definition".to_owned())
            };
            let description = reader.text(target, "description");
            reader.definitions.push(Definition { name, description, form });
        }
        let mut shape = Self { definitions: reader.definitions };
        shape.put_small_definitions_in_place();
        shape
    }
}

/// The state of one reading.
struct Reader<'a> {
    locator: Locator<'a>,
    limits: ShapeLimits,
    nodes_left: usize,
    /// The schemas that definitions are made of, in the order of the definitions.
    targets: Vec<&'a Value>,
    definitions: Vec<Definition>,
}

impl<'a> Reader<'a> {
    /// The form of `schema`, which stands `depth` levels deep in its definition.
    fn form(&mut self, schema: &'a Value, depth: usize) -> Form {
        if self.nodes_left == 0 || depth > self.limits.depth {
            return Form::Cut;
        }
        self.nodes_left -= 1;
        let keywords = match schema {
            Value::Bool(false) => return Form::Never,
            Value::Object(keywords) => keywords,
            // `true`, and what is no schema at all.
            _ => return Form::Any,
        };
        let mut form = self.plain_form(keywords, depth);
        if let Some(reference) = reference_of(keywords) {
            form = match self.locator.find(reference) {
                // What stands beside a reference narrows it; only then is the target needed at once.
                Some(target) if says_little(&form) => self.refer(target),
                Some(target) => self.narrowed(target, form, depth),
                None => form,
            };
        }
        match keywords.get("allOf") {
            Some(Value::Array(parts)) if parts.len() == 1 && says_little(&form) => form = self.form_or(&parts[0], form, depth),
            Some(Value::Array(parts)) => {
                for part in parts.iter().take(self.limits.variants) {
                    form = self.narrowed(part, form, depth);
                }
            }
            _ => {}
        }
        for keyword in ["anyOf", "oneOf"] {
            if let Some(Value::Array(parts)) = keywords.get(keyword) {
                form = self.alternatives(parts, form, depth);
            }
        }
        if keywords.get("nullable") == Some(&Value::Bool(true)) && !matches!(form, Form::Any) {
            form = union(vec![form, Form::Null], self.limits.variants);
        }
        form
    }

    /// The form that the keywords of one schema object say by themselves.
    fn plain_form(&mut self, keywords: &'a Map<String, Value>, depth: usize) -> Form {
        let allowed = types_of(keywords);
        if let Some(value) = keywords.get("const") {
            return self.literals(std::slice::from_ref(value), allowed.as_deref());
        }
        if let Some(Value::Array(values)) = keywords.get("enum") {
            return self.literals(values, allowed.as_deref());
        }
        match allowed {
            Some(types) => {
                let forms = types.iter().map(|name| self.form_of_type(name, keywords, depth)).collect();
                union(forms, self.limits.variants)
            }
            None if has_any(keywords, &["properties", "required", "additionalProperties", "patternProperties"]) => {
                self.object(keywords, depth)
            }
            None if has_any(keywords, &["items", "prefixItems"]) => self.array(keywords, depth),
            None => Form::Any,
        }
    }

    /// The form of one type's name, with the keywords that belong to it.
    fn form_of_type(&mut self, name: &str, keywords: &'a Map<String, Value>, depth: usize) -> Form {
        match name {
            "string" => Form::String,
            "integer" => Form::Integer,
            "number" => Form::Number,
            "boolean" => Form::Boolean,
            "null" => Form::Null,
            "array" => self.array(keywords, depth),
            "object" => self.object(keywords, depth),
            _ => Form::Any,
        }
    }

    /// The form of an object's keywords.
    fn object(&mut self, keywords: &'a Map<String, Value>, depth: usize) -> Form {
        let mut object = Object::default();
        let required: Vec<&str> = match keywords.get("required") {
            Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).take(self.limits.fields).collect(),
            _ => Vec::new(),
        };
        if let Some(Value::Object(properties)) = keywords.get("properties") {
            for (position, (name, schema)) in properties.iter().enumerate() {
                if self.nodes_left == 0 || object.fields.len() >= self.limits.fields {
                    object.omitted += properties.len() - position;
                    break;
                }
                if name.len() > self.limits.name_bytes {
                    object.omitted += 1;
                    continue;
                }
                let required = required.contains(&name.as_str());
                object.fields.push(self.field(name, required, schema, depth));
            }
        }
        // A name that is required and nowhere described is still a field.
        for name in required {
            let described = matches!(keywords.get("properties"), Some(Value::Object(properties)) if properties.contains_key(name));
            if !described && name.len() <= self.limits.name_bytes && !object.fields.iter().any(|field| field.name == name) {
                let bare = Field { name: name.to_owned(), required: true, form: Form::Any, description: None, facts: Facts::default() };
                object.fields.push(bare);
            }
        }
        object.rest = self.rest_of_object(keywords, depth);
        match object.rest {
            Rest::Of(form) if object.fields.is_empty() && object.omitted == 0 => Form::Map(form),
            _ => Form::Object(object),
        }
    }

    /// One field of an object.
    fn field(&mut self, name: &str, required: bool, schema: &'a Value, depth: usize) -> Field {
        let form = self.form(schema, depth + 1);
        Field { name: name.to_owned(), required, form, description: self.text(schema, "description"), facts: self.facts(schema) }
    }

    /// What the keys may hold that are no properties.
    fn rest_of_object(&mut self, keywords: &'a Map<String, Value>, depth: usize) -> Rest {
        let others = keywords.get("additionalProperties").or_else(|| keywords.get("unevaluatedProperties"));
        match (others, keywords.get("patternProperties")) {
            (Some(Value::Bool(false)), Some(Value::Object(patterns))) if !patterns.is_empty() => {
                let forms = patterns.values().take(self.limits.variants).map(|schema| self.form(schema, depth + 1)).collect();
                Rest::Of(Box::new(union(forms, self.limits.variants)))
            }
            (Some(Value::Bool(false)), _) => Rest::Closed,
            (Some(schema @ Value::Object(_)), None) => Rest::Of(Box::new(self.form(schema, depth + 1))),
            _ => Rest::Open,
        }
    }

    /// The form of a list's keywords: `prefixItems` and `items`, or the older list of `items` and `additionalItems`.
    fn array(&mut self, keywords: &'a Map<String, Value>, depth: usize) -> Form {
        let (first, rest) = match (keywords.get("prefixItems"), keywords.get("items")) {
            (Some(Value::Array(first)), rest) => (first.as_slice(), rest),
            (_, Some(Value::Array(first))) => (first.as_slice(), keywords.get("additionalItems")),
            (_, rest) => (&[][..], rest),
        };
        let rest = match rest {
            Some(Value::Bool(false)) => None,
            Some(schema) => Some(Box::new(self.form(schema, depth + 1))),
            None => Some(Box::new(Form::Any)),
        };
        if first.is_empty() {
            return Form::Array(rest.unwrap_or_else(|| Box::new(Form::Never)));
        }
        let mut items: Vec<Form> = first.iter().take(self.limits.variants).map(|schema| self.form(schema, depth + 1)).collect();
        if first.len() > self.limits.variants {
            items.push(Form::Cut);
        }
        Form::Tuple { items, rest }
    }

    /// The written-out values of `enum` or `const`, as far as the types that stand beside them allow.
    fn literals(&mut self, values: &'a [Value], allowed: Option<&[&str]>) -> Form {
        let mut literals = Literals::default();
        let mut null = false;
        for value in values {
            let Some((form, literal)) = literal_of(value) else {
                null |= allowed.is_none_or(|allowed| allowed.contains(&"null"));
                continue;
            };
            if !allowed.is_none_or(|allowed| allows(allowed, form)) {
                continue;
            }
            if !literals.forms.contains(&form) {
                literals.forms.push(form);
            }
            match literal {
                Some(literal) if literals.values.len() < self.limits.values && self.is_short(&literal) => {
                    if !literals.values.contains(&literal) {
                        literals.values.push(literal);
                    }
                }
                _ => literals.omitted += 1,
            }
        }
        self.nodes_left = self.nodes_left.saturating_sub(literals.values.len());
        let written = if literals.forms.is_empty() { Form::Never } else { Form::Literals(literals) };
        if null { union(vec![written, Form::Null], self.limits.variants) } else { written }
    }

    /// Whether a written-out value is short enough to be written.
    fn is_short(&self, literal: &Literal) -> bool {
        !matches!(literal, Literal::String(text) if text.len() > self.limits.name_bytes)
    }

    /// The form of `anyOf` or `oneOf`, each alternative narrowed by what stands beside them.
    fn alternatives(&mut self, parts: &'a [Value], beside: Form, depth: usize) -> Form {
        // Alternatives that only say which keys must be there would repeat the whole object for each of them.
        if parts.is_empty() || parts.iter().all(only_requires) {
            return beside;
        }
        let mut forms: Vec<Form> = Vec::new();
        for part in parts.iter().take(self.limits.variants) {
            let beside = beside.clone();
            forms.push(if says_little(&beside) { self.form_or(part, beside, depth) } else { self.narrowed(part, beside, depth) });
        }
        if parts.len() > self.limits.variants {
            forms.push(Form::Cut);
        }
        union(forms, self.limits.variants)
    }

    /// The form of `schema`, or `beside` where it says nothing.
    fn form_or(&mut self, schema: &'a Value, beside: Form, depth: usize) -> Form {
        match self.form(schema, depth + 1) {
            Form::Any => beside,
            form => form,
        }
    }

    /// `beside` and the form of `schema` together, with the references on top of `schema` looked through.
    fn narrowed(&mut self, schema: &'a Value, beside: Form, depth: usize) -> Form {
        let mut target = schema;
        for _ in 0..MOST_HOPS {
            match target.as_object().and_then(reference_of).and_then(|reference| self.locator.find(reference)) {
                Some(next) => target = next,
                None => break,
            }
        }
        let form = if target.as_object().is_some_and(|keywords| reference_of(keywords).is_some()) {
            Form::Any
        } else {
            self.form(target, depth + 1)
        };
        // Where a reference has something beside it as well, both count.
        let form = match schema.as_object() {
            Some(keywords) if !std::ptr::eq(target, schema) => {
                let own = self.plain_form(keywords, depth + 1);
                intersect(form, own, self.limits.fields)
            }
            _ => form,
        };
        // The copies of `beside` that unions make are paid for here.
        self.nodes_left = self.nodes_left.saturating_sub(weight(&beside));
        intersect(beside, form, self.limits.fields)
    }

    /// A reference to the definition made of `target`, which is added where it is new.
    fn refer(&mut self, target: &'a Value) -> Form {
        match target {
            Value::Bool(false) => return Form::Never,
            Value::Object(_) => {}
            _ => return Form::Any,
        }
        let known = self.targets.iter().position(|known| std::ptr::eq(*known, target));
        Form::Reference(known.unwrap_or_else(|| {
            self.targets.push(target);
            self.targets.len() - 1
        }))
    }

    /// What a schema says about a value beside its form.
    fn facts(&self, schema: &Value) -> Facts {
        let number = |keyword: &str| match schema.get(keyword) {
            Some(Value::Number(number)) => Some(number.to_string()),
            _ => None,
        };
        let default = schema.get("default").filter(|value| !value.is_null());
        Facts {
            default: default.and_then(|value| one_line(&value.to_string(), self.limits.text_bytes.min(80))),
            format: self.text(schema, "format"),
            minimum: number("minimum"),
            maximum: number("maximum"),
            deprecated: schema.get("deprecated") == Some(&Value::Bool(true)),
        }
    }

    /// A keyword's text, clean and cut.
    fn text(&self, schema: &Value, keyword: &str) -> Option<String> {
        one_line(schema.get(keyword)?.as_str()?, self.limits.text_bytes)
    }
}

/// Whether a form adds nothing to what is said elsewhere: anything, or an object of which nothing is known.
fn says_little(form: &Form) -> bool {
    match form {
        Form::Any => true,
        Form::Object(object) => *object == Object::default(),
        _ => false,
    }
}

/// The reference that a schema object holds, if it holds one.
fn reference_of(keywords: &Map<String, Value>) -> Option<&str> {
    ["$ref", "$dynamicRef", "$recursiveRef"].into_iter().find_map(|keyword| keywords.get(keyword)?.as_str())
}

/// The names of the types that `type` allows; absent where it says nothing that can be read.
fn types_of(keywords: &Map<String, Value>) -> Option<Vec<&str>> {
    match keywords.get("type")? {
        Value::String(name) => Some(vec![name]),
        // Seven names exist; a longer list repeats itself.
        Value::Array(names) => Some(names.iter().filter_map(Value::as_str).take(16).collect()),
        _ => None,
    }
}

fn has_any(keywords: &Map<String, Value>, names: &[&str]) -> bool {
    names.iter().any(|name| keywords.contains_key(*name))
}

/// Whether an alternative says nothing but which keys must be there, or must not.
fn only_requires(schema: &Value) -> bool {
    schema.as_object().is_some_and(|keywords| {
        !keywords.is_empty() && keywords.keys().all(|keyword| matches!(keyword.as_str(), "required" | "not" | "title" | "description"))
    })
}

/// The form of one written-out value, and the value where it can be written; absent for `null`.
fn literal_of(value: &Value) -> Option<(LiteralForm, Option<Literal>)> {
    Some(match value {
        Value::Null => return None,
        Value::Bool(value) => (LiteralForm::Boolean, Some(Literal::Boolean(*value))),
        Value::Number(number) if number.is_f64() => (LiteralForm::Number, Some(Literal::Number(number.clone()))),
        Value::Number(number) => (LiteralForm::Integer, Some(Literal::Number(number.clone()))),
        Value::String(text) => (LiteralForm::String, Some(Literal::String(text.clone()))),
        Value::Array(_) => (LiteralForm::Array, None),
        Value::Object(_) => (LiteralForm::Object, None),
    })
}

/// Whether a value of this form is among the types that are allowed.
fn allows(allowed: &[&str], form: LiteralForm) -> bool {
    let names: &[&str] = match form {
        LiteralForm::Boolean => &["boolean"],
        LiteralForm::Integer => &["integer", "number"],
        // `1.0` is a whole number to JSON Schema.
        LiteralForm::Number => &["number", "integer"],
        LiteralForm::String => &["string"],
        LiteralForm::Array => &["array"],
        LiteralForm::Object => &["object"],
    };
    allowed.iter().any(|name| names.contains(name))
}

/// How many nodes a copy of a form costs.
fn weight(form: &Form) -> usize {
    match form {
        Form::Array(form) | Form::Map(form) => 1 + weight(form),
        Form::Tuple { items, rest } => 1 + items.iter().map(weight).sum::<usize>() + rest.as_deref().map_or(0, weight),
        Form::Object(object) => {
            let rest = if let Rest::Of(form) = &object.rest { weight(form) } else { 0 };
            1 + rest + object.fields.iter().map(|field| weight(&field.form)).sum::<usize>()
        }
        Form::Union(forms) => 1 + forms.iter().map(weight).sum::<usize>(),
        Form::Literals(literals) => 1 + literals.values.len(),
        _ => 1,
    }
}
