//! Objects: what stands before their bracket, and when they are shown without one.

use super::layout::{Parts, lay_out};
use super::{Inspector, quote, signed_number};
use crate::realm::{Halt, Key, Kind, Realm, Slot};
use crate::values::date::iso_date;
use crate::values::lookup::{NAME_BYTES, class_name, function_name, text_of};

/// How many prototypes are looked at for a tag.
const TAGGED_PROTOTYPES: usize = 4;

/// How many properties of each are looked at for a tag.
const PROPERTIES_FOR_TAG: u32 = 64;

/// Lists that are longer than this are not searched for named properties: engines list those behind all elements.
const MOST_NAMED: u64 = 10_000;

/// What stands for an object that nothing is left to show.
const NOT_READ: &str = "…";

/// The built-in classes of typed arrays.
const TYPED: &[&str] = &[
    "Int8Array",
    "Uint8Array",
    "Uint8ClampedArray",
    "Int16Array",
    "Uint16Array",
    "Int32Array",
    "Uint32Array",
    "BigInt64Array",
    "BigUint64Array",
    "Float16Array",
    "Float32Array",
    "Float64Array",
];

/// How an object is shown, before any of its parts is.
struct Shape {
    base: String,
    open: String,
    close: &'static str,
    is_list: bool,
    /// How it is shown when it has no parts.
    when_empty: String,
    /// Whether it has parts besides its properties.
    has_entries: bool,
    /// Whether it keeps to this when it is too deep to show its properties.
    never_deep: bool,
}

impl Shape {
    /// Braces after a prefix.
    fn braces(prefix: &str, has_entries: bool) -> Self {
        Self {
            base: String::new(),
            open: format!("{prefix}{{"),
            close: "}",
            is_list: false,
            when_empty: format!("{prefix}{{}}"),
            has_entries,
            never_deep: false,
        }
    }

    /// Square brackets after a prefix.
    fn brackets(prefix: &str, has_entries: bool) -> Self {
        Self { open: format!("{prefix}["), close: "]", is_list: true, when_empty: format!("{prefix}[]"), ..Self::braces("", has_entries) }
    }

    /// A text of its own, which braces with properties may follow.
    fn text(base: String) -> Self {
        Self { when_empty: base.clone(), base, ..Self::braces("", false) }
    }
}

impl<R: Realm> Inspector<'_, R> {
    /// Shows an object that is inside of `depth` others.
    pub(super) fn object(&mut self, value: &R::Value, kind: Kind, identity: usize, depth: i32) -> Result<String, Halt> {
        // A caller asks for a byte more than it has room for, so that the last one is never held.
        if self.allowance.left <= 1 {
            return Ok(NOT_READ.to_owned());
        }
        let class = class_name(self.realm, value)?;
        let tag = self.tag(value, kind, class.as_deref())?;
        let mut extra = Vec::new();
        let mut hidden = Vec::new();
        let shape = self.shape(value, kind, class.as_deref(), &tag, &mut extra, &mut hidden)?;
        let is_long_list = shape.is_list && self.realm.length(value) > MOST_NAMED;
        if !shape.has_entries && extra.is_empty() && (is_long_list || !self.has_properties(value, &hidden)?) {
            self.allowance.spend(self.realm, shape.when_empty.len())?;
            return Ok(shape.when_empty);
        }
        if depth > self.view.depth {
            let prefix = prefix(class.as_deref(), &tag, "Object", "");
            let name = prefix.trim_end();
            let shown = match (shape.never_deep, &class) {
                (true, _) => shape.base,
                (false, Some(_)) => format!("[{name}]"),
                (false, None) => name.to_owned(),
            };
            self.allowance.spend(self.realm, shown.len())?;
            return Ok(shown);
        }
        self.allowance.spend(self.realm, shape.base.len() + shape.open.len() + shape.close.len())?;
        self.around.push(identity);
        self.deepest = depth + 1;
        let mut are_numbers = false;
        let mut items = self.entries(value, kind, depth + 1, &mut are_numbers)?;
        let entries = items.len();
        if !is_long_list {
            self.properties(value, depth + 1, &hidden, &mut items)?;
        }
        for (name, value) in extra {
            let shown = self.indented(&value, depth + 1)?;
            items.push(format!("[{name}]: {shown}"));
        }
        self.around.pop();
        let mut base = shape.base;
        if let Some(number) = self.circular.iter().position(|circular| *circular == identity) {
            let reference = format!("<ref *{}>", number + 1);
            base = if base.is_empty() { reference } else { format!("{reference} {base}") };
        }
        are_numbers &= entries == items.len();
        let parts = Parts { base, open: shape.open, close: shape.close, items, is_list: shape.is_list, are_numbers };
        Ok(lay_out(parts, self.view, self.indentation, self.deepest - (depth + 1)))
    }

    /// What kind of object it is. Parts that are shown though they are hidden are put into `extra`; `hidden` gets the names
    /// of those that are not shown though they are enumerable.
    fn shape(
        &mut self,
        value: &R::Value,
        kind: Kind,
        class: Option<&str>,
        tag: &str,
        extra: &mut Vec<(&'static str, R::Value)>,
        hidden: &mut Vec<&'static str>,
    ) -> Result<Shape, Halt> {
        let realm = self.realm;
        let length = realm.length(value);
        let sized = |fallback: &str| prefix(class, tag, fallback, &format!("({length})"));
        let plain = |fallback: &str| prefix(class, tag, fallback, "");
        let named = |own: &str, text: String| if class == Some(own) { text } else { format!("{}{text}", plain(own)) };
        Ok(match kind {
            Kind::Array if class == Some("Array") => Shape::brackets("", length > 0),
            Kind::Array => Shape::brackets(&sized("Array"), length > 0),
            Kind::TypedArray if matches!(class, Some("DataView")) => Shape::braces("DataView ", true),
            Kind::TypedArray => Shape::brackets(&sized("TypedArray"), length > 0),
            Kind::Map => Shape::braces(&sized("Map"), length > 0),
            Kind::Set => Shape::braces(&sized("Set"), length > 0),
            Kind::Promise => Shape::braces(&plain("Promise"), true),
            Kind::Weak => Shape::braces(&plain("WeakMap"), true),
            Kind::ArrayBuffer => Shape::braces(&plain("ArrayBuffer"), true),
            Kind::Function => Shape::text(self.function(value, class)?),
            Kind::Class => Shape::text(self.class(value, class)?),
            Kind::RegExp => {
                let mut text = String::new();
                realm.read_text(value, &mut |piece| text.push_str(piece))?;
                Shape { never_deep: true, ..Shape::text(named("RegExp", text)) }
            }
            Kind::Date => {
                let date = iso_date(realm.number(value)).unwrap_or_else(|| "Invalid Date".to_owned());
                Shape::text(named("Date", date))
            }
            Kind::Error => Shape::text(self.error(value, class, extra, hidden)?),
            Kind::Boxed => Shape::text(self.boxed(value, class)?),
            Kind::Iterator => Shape::braces(&prefix(Some("Object"), if tag.is_empty() { "Iterator" } else { tag }, "", ""), false),
            _ => match realm.carried(value)? {
                Some(text) => Shape::text(text),
                None if class == Some("Object") && tag.is_empty() => Shape::braces("", false),
                None => Shape::braces(&plain("Object"), false),
            },
        })
    }

    /// A function, by its kind and name.
    fn function(&self, function: &R::Value, class: Option<&str>) -> Result<String, Halt> {
        let kinds = ["AsyncFunction", "GeneratorFunction", "AsyncGeneratorFunction"];
        let kind = class.filter(|class| kinds.contains(class)).unwrap_or("Function");
        let name = function_name(self.realm, function)?;
        let name = if name.is_empty() { " (anonymous)".to_owned() } else { format!(": {name}") };
        let null = if class.is_none() { " (null prototype)" } else { "" };
        let after = class.filter(|class| *class != kind).map(|class| format!(" {class}")).unwrap_or_default();
        Ok(format!("[{kind}{null}{name}]{after}"))
    }

    /// A class, by its name and what it extends.
    fn class(&self, class: &R::Value, of: Option<&str>) -> Result<String, Halt> {
        let name = function_name(self.realm, class)?;
        let name = if name.is_empty() { "(anonymous)" } else { &name };
        let of = of.filter(|of| *of != "Function").map(|of| format!(" [{of}]")).unwrap_or_default();
        let extends = match self.realm.prototype(class)? {
            None => " extends [null prototype]".to_owned(),
            Some(parent) => match function_name(self.realm, &parent)? {
                parent if parent.is_empty() => String::new(),
                parent => format!(" extends {parent}"),
            },
        };
        Ok(format!("[class {name}{of}{extends}]"))
    }

    fn boxed(&self, value: &R::Value, class: Option<&str>) -> Result<String, Halt> {
        let realm = self.realm;
        let primitive = realm.unboxed(value)?;
        let mut text = String::new();
        realm.read_text(&primitive, &mut |piece| text.push_str(quote::first_bytes(piece, self.allowance.left)))?;
        let (kind, text) = match realm.kind(&primitive) {
            Kind::BigInt => ("BigInt", format!("{text}n")),
            Kind::Symbol => ("Symbol", format!("Symbol({})", quote::escaped(&text))),
            Kind::Number => ("Number", signed_number(realm.number(&primitive))),
            Kind::Boolean => ("Boolean", realm.boolean(&primitive).to_string()),
            _ => ("String", quote::quoted(quote::first_units(&text, super::STRING_UNITS))),
        };
        let of = match class {
            None => " (null prototype)".to_owned(),
            Some(class) if class == kind => String::new(),
            Some(class) => format!(" ({class})"),
        };
        Ok(format!("[{kind}{of}: {text}]"))
    }

    /// What the object calls itself besides its class: `Symbol.toStringTag`, where it is a data property.
    fn tag(&self, value: &R::Value, kind: Kind, class: Option<&str>) -> Result<String, Halt> {
        let tag = match kind {
            Kind::Map => "Map".to_owned(),
            Kind::Set => "Set".to_owned(),
            Kind::Promise => "Promise".to_owned(),
            Kind::ArrayBuffer => "ArrayBuffer".to_owned(),
            Kind::TypedArray => self.typed_name(value)?,
            Kind::Object | Kind::Iterator => self.tag_property(value)?,
            _ => String::new(),
        };
        Ok(if class == Some(tag.as_str()) { String::new() } else { tag })
    }

    /// The built-in class of a typed array that is of a class of the program's.
    fn typed_name(&self, value: &R::Value) -> Result<String, Halt> {
        let mut holder = value.clone();
        for _ in 0..TAGGED_PROTOTYPES {
            match self.realm.prototype(&holder)? {
                Some(prototype) => holder = prototype,
                None => break,
            }
            if let Slot::Data(constructor) = self.realm.property(&holder, "constructor")? {
                let name = function_name(self.realm, &constructor)?;
                if TYPED.contains(&name.as_str()) {
                    return Ok(name);
                }
            }
        }
        Ok(String::new())
    }

    fn tag_property(&self, value: &R::Value) -> Result<String, Halt> {
        let realm = self.realm;
        let mut holder = value.clone();
        for level in 0..TAGGED_PROTOTYPES {
            if realm.kind(&holder) == Kind::Proxy || realm.is_plain_prototype(&holder) {
                break;
            }
            let mut tag = None;
            let mut left = PROPERTIES_FOR_TAG;
            realm.each_property(&holder, true, &mut |property| {
                left -= 1;
                // An own enumerable one is shown among the properties.
                if property.key == Key::Symbol("Symbol.toStringTag") && !(level == 0 && property.enumerable) {
                    if let Slot::Data(value) = &property.slot {
                        tag = text_of(realm, value, NAME_BYTES)?;
                    }
                    return Ok(false);
                }
                Ok(left > 0)
            })?;
            if let Some(tag) = tag {
                return Ok(tag);
            }
            match realm.prototype(&holder)? {
                Some(prototype) => holder = prototype,
                None => break,
            }
        }
        Ok(String::new())
    }
}

/// A class name, what it calls itself where that is another name, and how many entries it has.
fn prefix(class: Option<&str>, tag: &str, fallback: &str, size: &str) -> String {
    match class {
        None if tag.is_empty() || tag == fallback => format!("[{fallback}{size}: null prototype] "),
        None => format!("[{fallback}{size}: null prototype] [{tag}] "),
        Some(class) if tag.is_empty() || tag == class => format!("{class}{size} "),
        Some(class) => format!("{class}{size} [{tag}] "),
    }
}
