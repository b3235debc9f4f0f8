//! A realm without an engine: values are an enum, and nothing can be run.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use codemode_core::{Budgets, Guard, Json};
use codemode_js::{
    AskingParts, Attributes, ErrorClass, Halt, Key, Kind, Native, Promised, Property, Realm, Resolvers, Shared, Slot, Thrown,
};

/// A value of the mock.
#[derive(Clone, Debug)]
pub(crate) enum Mock {
    Undefined,
    Null,
    Boolean(bool),
    Number(f64),
    BigInt(&'static str),
    Text(Rc<str>),
    Symbol(&'static str),
    Object(Rc<Node>),
}

/// An object of the mock.
#[derive(Debug)]
pub(crate) struct Node {
    kind: Kind,
    pub(crate) number: Cell<f64>,
    pub(crate) text: RefCell<Option<Rc<str>>>,
    pub(crate) carried: RefCell<Option<String>>,
    pub(crate) elements: RefCell<Vec<Slot<Mock>>>,
    pub(crate) entries: RefCell<Vec<(Mock, Mock)>>,
    pub(crate) bytes: RefCell<Vec<u8>>,
    pub(crate) promised: RefCell<Promised<Mock>>,
    properties: RefCell<Vec<Own>>,
    places: RefCell<HashMap<String, usize>>,
    pub(crate) prototype: RefCell<Option<Mock>>,
}

/// An own property of the mock.
#[derive(Debug, Clone)]
struct Own {
    name: String,
    is_symbol: bool,
    enumerable: bool,
    slot: Slot<Mock>,
}

impl Mock {
    pub(crate) fn node(&self) -> &Node {
        match self {
            Self::Object(node) => node,
            other => panic!("{other:?} is no object"),
        }
    }

    /// Sets a property.
    pub(crate) fn put(&self, name: &str, slot: Slot<Self>, enumerable: bool, is_symbol: bool) -> &Self {
        let own = Own { name: name.to_owned(), is_symbol, enumerable, slot };
        let mut properties = self.node().properties.borrow_mut();
        let key = if is_symbol { format!("@{name}") } else { name.to_owned() };
        let place = *self.node().places.borrow_mut().entry(key).or_insert(properties.len());
        match properties.get_mut(place) {
            Some(old) => *old = own,
            None => properties.push(own),
        }
        self
    }

    /// Sets an enumerable data property.
    pub(crate) fn with(self, name: &str, value: impl Into<Self>) -> Self {
        self.put(name, Slot::Data(value.into()), true, false);
        self
    }

    /// Sets a data property that is not enumerable.
    pub(crate) fn with_hidden(self, name: &str, value: impl Into<Self>) -> Self {
        self.put(name, Slot::Data(value.into()), false, false);
        self
    }

    /// Sets an enumerable accessor.
    pub(crate) fn with_accessor(self, name: &str, get: bool, set: bool) -> Self {
        self.put(name, Slot::Accessor { get, set }, true, false);
        self
    }

    pub(crate) fn push(&self, slot: Slot<Self>) {
        self.node().elements.borrow_mut().push(slot);
    }

    /// Lets go of what the value holds: cycles are not dropped by themselves.
    pub(crate) fn empty(&self) {
        self.node().properties.borrow_mut().clear();
        self.node().elements.borrow_mut().clear();
        self.node().entries.borrow_mut().clear();
    }
}

impl From<&str> for Mock {
    fn from(text: &str) -> Self {
        Self::Text(text.into())
    }
}

impl From<f64> for Mock {
    fn from(number: f64) -> Self {
        Self::Number(number)
    }
}

impl From<bool> for Mock {
    fn from(boolean: bool) -> Self {
        Self::Boolean(boolean)
    }
}

/// The realm, with one prototype a class.
pub(crate) struct MockRealm {
    guard: Arc<Guard>,
    shared: Shared<Mock>,
    classes: RefCell<HashMap<String, Mock>>,
    /// How many elements, entries and properties were shown.
    pub(crate) reads: Cell<u64>,
}

impl Default for MockRealm {
    fn default() -> Self {
        let realm = Self { guard: Guard::new(), shared: Shared::default(), classes: RefCell::default(), reads: Cell::new(0) };
        realm.guard.arm(&Budgets { memory_bytes: 64 << 20, ..Budgets::default() });
        realm
    }
}

impl MockRealm {
    /// A realm whose guard lets so many bytes be held.
    pub(crate) fn with_memory(memory_bytes: u64) -> Self {
        let realm = Self::default();
        realm.guard.arm(&Budgets { memory_bytes, ..Budgets::default() });
        realm
    }

    fn bare(&self, kind: Kind, prototype: Option<Mock>) -> Mock {
        Mock::Object(Rc::new(Node {
            kind,
            number: Cell::new(f64::NAN),
            text: RefCell::default(),
            carried: RefCell::default(),
            elements: RefCell::default(),
            entries: RefCell::default(),
            bytes: RefCell::default(),
            promised: RefCell::new(Promised::Pending),
            properties: RefCell::default(),
            places: RefCell::default(),
            prototype: RefCell::new(prototype),
        }))
    }

    /// The prototype of a class, with a constructor of its name.
    pub(crate) fn class(&self, name: &str, parent: Option<&str>) -> Mock {
        if let Some(class) = self.classes.borrow().get(name) {
            return class.clone();
        }
        let parent = match (name, parent) {
            ("Object", _) => None,
            (_, None) => Some(self.class("Object", None)),
            (_, Some(parent)) => Some(self.class(parent, None)),
        };
        let prototype = self.bare(Kind::Object, parent);
        let kind = if name.ends_with("Function") || name == "Object" { Kind::Function } else { Kind::Class };
        let constructor = self.bare(kind, None).with_hidden("name", name);
        prototype.put("constructor", Slot::Data(constructor), false, false);
        self.classes.borrow_mut().insert(name.to_owned(), prototype.clone());
        prototype
    }

    /// An object of a kind and class.
    pub(crate) fn make(&self, kind: Kind, class: &str) -> Mock {
        let prototype = self.class(class, None);
        self.bare(kind, Some(prototype))
    }

    pub(crate) fn object(&self) -> Mock {
        self.make(Kind::Object, "Object")
    }

    pub(crate) fn list(&self, items: impl IntoIterator<Item = impl Into<Mock>>) -> Mock {
        let list = self.make(Kind::Array, "Array");
        items.into_iter().for_each(|item| list.push(Slot::Data(item.into())));
        list
    }

    pub(crate) fn collection(&self, kind: Kind, entries: Vec<(Mock, Mock)>) -> Mock {
        let collection = self.make(kind, if kind == Kind::Map { "Map" } else { "Set" });
        *collection.node().entries.borrow_mut() = entries;
        collection
    }

    pub(crate) fn promise(&self, promised: Promised<Mock>) -> Mock {
        let promise = self.make(Kind::Promise, "Promise");
        *promise.node().promised.borrow_mut() = promised;
        promise
    }

    pub(crate) fn function(&self, kind: Kind, class: &str, name: &str) -> Mock {
        self.make(kind, class).with_hidden("name", name)
    }

    pub(crate) fn date(&self, time: f64) -> Mock {
        let date = self.make(Kind::Date, "Date");
        date.node().number.set(time);
        date
    }

    /// An object of a kind that shows text.
    pub(crate) fn texted(&self, kind: Kind, class: &str, text: &str) -> Mock {
        let object = self.make(kind, class);
        *object.node().text.borrow_mut() = Some(text.into());
        object
    }

    pub(crate) fn error(&self, class: &str, message: &str) -> Mock {
        self.class("Error", None).with_hidden("name", "Error").with_hidden("message", "");
        let parent = if class == "Error" { None } else { Some("Error") };
        let prototype = self.class(class, parent);
        let error = self.bare(Kind::Error, Some(prototype));
        error.with_hidden("message", message)
    }

    fn read(&self) {
        self.reads.set(self.reads.get() + 1);
    }
}

impl Realm for MockRealm {
    type Value = Mock;

    fn kind(&self, value: &Mock) -> Kind {
        match value {
            Mock::Undefined => Kind::Undefined,
            Mock::Null => Kind::Null,
            Mock::Boolean(_) => Kind::Boolean,
            Mock::Number(_) => Kind::Number,
            Mock::BigInt(_) => Kind::BigInt,
            Mock::Text(_) => Kind::Text,
            Mock::Symbol(_) => Kind::Symbol,
            Mock::Object(node) => node.kind,
        }
    }

    fn identity(&self, value: &Mock) -> usize {
        match value {
            Mock::Object(node) => Rc::as_ptr(node) as usize,
            _ => 0,
        }
    }

    fn boolean(&self, value: &Mock) -> bool {
        match value {
            Mock::Boolean(boolean) => *boolean,
            Mock::Object(node) => node.bytes.borrow().first() == Some(&1),
            _ => false,
        }
    }

    fn number(&self, value: &Mock) -> f64 {
        match value {
            Mock::Number(number) => *number,
            Mock::Object(node) => node.number.get(),
            _ => f64::NAN,
        }
    }

    fn read_text(&self, value: &Mock, read: &mut dyn FnMut(&str)) -> Result<(), Halt> {
        match value {
            Mock::Text(text) => read(text),
            Mock::BigInt(text) | Mock::Symbol(text) => read(text),
            Mock::Object(node) => {
                if let Some(text) = node.text.borrow().as_deref() {
                    read(text);
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn unboxed(&self, value: &Mock) -> Result<Mock, Halt> {
        let Mock::Object(node) = value else { return Ok(value.clone()) };
        if node.kind != Kind::Boxed {
            return Ok(value.clone());
        }
        if let Some(text) = node.text.borrow().as_ref() {
            return Ok(Mock::Text(Rc::clone(text)));
        }
        Ok(match node.bytes.borrow().first() {
            Some(byte) => Mock::Boolean(*byte == 1),
            None => Mock::Number(node.number.get()),
        })
    }

    fn is_well_formed(&self, _value: &Mock) -> Result<bool, Halt> {
        Ok(true)
    }

    fn length(&self, value: &Mock) -> u64 {
        let length = match value {
            Mock::Text(text) => text.encode_utf16().count(),
            Mock::Object(node) => node.elements.borrow().len() + node.entries.borrow().len() + node.bytes.borrow().len(),
            _ => 0,
        };
        length as u64
    }

    fn element(&self, value: &Mock, index: u32) -> Result<Slot<Mock>, Halt> {
        self.read();
        Ok(value.node().elements.borrow().get(index as usize).cloned().unwrap_or(Slot::Missing))
    }

    fn each_property(
        &self,
        value: &Mock,
        hidden: bool,
        visit: &mut dyn FnMut(Property<'_, Mock>) -> Result<bool, Halt>,
    ) -> Result<(), Halt> {
        let Mock::Object(node) = value else { return Ok(()) };
        let mut at = 0;
        loop {
            let Some(own) = node.properties.borrow().get(at).cloned() else { return Ok(()) };
            at += 1;
            if !hidden && (own.is_symbol || !own.enumerable) {
                continue;
            }
            self.read();
            let key = if own.is_symbol { Key::Symbol(&own.name) } else { Key::Text(&own.name) };
            if !visit(Property { key, enumerable: own.enumerable, slot: own.slot })? {
                return Ok(());
            }
        }
    }

    fn property(&self, value: &Mock, name: &str) -> Result<Slot<Mock>, Halt> {
        let node = value.node();
        let place = node.places.borrow().get(name).copied();
        Ok(place.and_then(|place| node.properties.borrow().get(place).map(|own| own.slot.clone())).unwrap_or(Slot::Missing))
    }

    fn prototype(&self, value: &Mock) -> Result<Option<Mock>, Halt> {
        Ok(match value {
            Mock::Object(node) if node.kind != Kind::Proxy => node.prototype.borrow().clone(),
            _ => None,
        })
    }

    fn is_plain_prototype(&self, value: &Mock) -> bool {
        let classes = self.classes.borrow();
        ["Object", "Array"].iter().any(|name| classes.get(*name).is_some_and(|class| self.identity(class) == self.identity(value)))
    }

    fn entries(&self, value: &Mock, most: usize) -> Result<Vec<(Mock, Mock)>, Halt> {
        let entries: Vec<_> = value.node().entries.borrow().iter().take(most).cloned().collect();
        self.reads.set(self.reads.get() + entries.len() as u64);
        Ok(entries)
    }

    fn read_bytes(&self, value: &Mock, read: &mut dyn FnMut(&[u8])) -> Result<(), Halt> {
        read(&value.node().bytes.borrow());
        Ok(())
    }

    fn promised(&self, value: &Mock) -> Promised<Mock> {
        value.node().promised.borrow().clone()
    }

    fn stack(&self, error: &Mock) -> Result<Option<String>, Halt> {
        Ok(error.node().text.borrow().as_deref().map(str::to_owned))
    }

    fn carried(&self, value: &Mock) -> Result<Option<String>, Halt> {
        Ok(value.node().carried.borrow().clone())
    }

    fn undefined(&self) -> Mock {
        Mock::Undefined
    }

    fn null(&self) -> Mock {
        Mock::Null
    }

    fn make_boolean(&self, value: bool) -> Mock {
        Mock::Boolean(value)
    }

    fn make_number(&self, value: f64) -> Mock {
        Mock::Number(value)
    }

    fn make_text(&self, text: &str) -> Result<Mock, Halt> {
        Ok(text.into())
    }

    fn make_array(&self, items: Vec<Mock>) -> Result<Mock, Halt> {
        Ok(self.list(items))
    }

    fn make_object(&self, with_prototype: bool) -> Result<Mock, Halt> {
        Ok(if with_prototype { self.object() } else { self.bare(Kind::Object, None) })
    }

    fn make_bytes(&self, bytes: &[u8]) -> Result<Mock, Halt> {
        let array = self.make(Kind::TypedArray, "Uint8Array");
        bytes.iter().for_each(|byte| array.push(Slot::Data(f64::from(*byte).into())));
        Ok(array)
    }

    fn make_error(&self, class: ErrorClass, message: &str) -> Result<Mock, Halt> {
        Ok(match class {
            ErrorClass::Error => self.error("Error", message),
            ErrorClass::Type => self.error("TypeError", message),
            ErrorClass::Range => self.error("RangeError", message),
            ErrorClass::Syntax => self.error("SyntaxError", message),
            ErrorClass::Reference => self.error("ReferenceError", message),
        })
    }

    fn make_json(&self, json: &Json) -> Result<Mock, Halt> {
        codemode_js::from_json(self, json)
    }

    fn make_function(&self, _native: Native, name: &str, _bound: Vec<Mock>) -> Result<Mock, Halt> {
        Ok(self.function(Kind::Function, "Function", name))
    }

    fn make_asking(&self, _parts: AskingParts<Mock>) -> Result<Mock, Halt> {
        Ok(self.bare(Kind::Proxy, None))
    }

    fn make_promise(&self) -> Result<(Mock, Resolvers<Mock>), Halt> {
        let settle = self.function(Kind::Function, "Function", "");
        Ok((self.promise(Promised::Pending), Resolvers { resolve: settle.clone(), reject: settle }))
    }

    fn define(&self, object: &Mock, name: &str, value: Mock, attributes: Attributes) -> Result<(), Halt> {
        let enumerable = matches!(attributes, Attributes::Plain | Attributes::Fixed);
        object.put(name, Slot::Data(value), enumerable, false);
        Ok(())
    }

    fn define_lazy(&self, object: &Mock, name: &str, _get: Mock) -> Result<(), Halt> {
        object.put(name, Slot::Accessor { get: true, set: true }, false, false);
        Ok(())
    }

    fn set_prototype(&self, object: &Mock, prototype: &Mock) -> Result<(), Halt> {
        *object.node().prototype.borrow_mut() = Some(prototype.clone());
        Ok(())
    }

    fn freeze(&self, _object: &Mock) -> Result<(), Halt> {
        Ok(())
    }

    fn carry(&self, object: &Mock, text: &str) -> Result<(), Halt> {
        *object.node().carried.borrow_mut() = Some(text.to_owned());
        Ok(())
    }

    fn global(&self) -> Mock {
        self.object()
    }

    fn call(&self, _function: &Mock, _this: &Mock, _arguments: &[Mock]) -> Result<Mock, Thrown<Mock>> {
        panic!("reading and making values calls nothing of the program");
    }

    fn evaluate(&self, _name: &str, _source: &str) -> Result<Mock, Thrown<Mock>> {
        panic!("reading and making values evaluates nothing");
    }

    fn run_jobs(&self) -> Result<(), Halt> {
        panic!("reading and making values runs no job");
    }

    fn has_jobs(&self) -> bool {
        false
    }

    fn guard(&self) -> &Arc<Guard> {
        &self.guard
    }

    fn shared(&self) -> &Shared<Mock> {
        &self.shared
    }
}
