//! The engine's own functions that reading and making need, captured before any program runs.

use std::path::Path;

use boa_engine::object::JsObject;
use boa_engine::script::Script;
use boa_engine::{Context, JsNativeError, JsResult, JsString, JsValue, Source};
use codemode_js::ErrorClass;

/// Captured functions. Each looks at the internal slots of what it is called on, and at no property.
pub(super) struct Intrinsics {
    pub(super) object_prototype: JsObject,
    pub(super) array_prototype: JsObject,
    pub(super) function_text: JsObject,
    pub(super) date_time: JsObject,
    pub(super) regexp_source: JsObject,
    /// The letter of each flag and the getter that tells whether it is set, in the order of the letters.
    pub(super) regexp_flags: Vec<(char, JsObject)>,
    pub(super) error_stack: JsObject,
    /// Each refuses what is not of its class.
    pub(super) weak_has: [JsObject; 2],
    /// What hangs texts under objects: a weak map that no program sees.
    pub(super) carried: JsObject,
    /// What stands behind each object of ours that asks for its names.
    pub(super) asked: JsObject,
    pub(super) weak_get: JsObject,
    pub(super) weak_set: JsObject,
    /// Makes such an object.
    pub(super) make_asking: JsObject,
    errors: [JsObject; 5],
}

const FLAGS: [(char, &str); 8] = [
    ('d', "hasIndices"),
    ('g', "global"),
    ('i', "ignoreCase"),
    ('m', "multiline"),
    ('s', "dotAll"),
    ('u', "unicode"),
    ('v', "unicodeSets"),
    ('y', "sticky"),
];

impl Intrinsics {
    /// Captures them from a context that has run no program.
    pub(super) fn capture(context: &mut Context) -> JsResult<Self> {
        let global = context.global_object();
        let mut get = |path: &[&str]| -> JsResult<JsObject> {
            let mut found = global.clone();
            for name in path {
                let value = found.get(JsString::from(*name), context)?;
                found = value.as_object().ok_or_else(|| lacks(name))?;
            }
            Ok(found)
        };
        let errors = ["Error", "TypeError", "RangeError", "SyntaxError", "ReferenceError"];
        let errors = [get(&errors[..1])?, get(&errors[1..2])?, get(&errors[2..3])?, get(&errors[3..4])?, get(&errors[4..5])?];
        let object_prototype = get(&["Object", "prototype"])?;
        let array_prototype = get(&["Array", "prototype"])?;
        let function_text = get(&["Function", "prototype", "toString"])?;
        let date_time = get(&["Date", "prototype", "getTime"])?;
        let weak_has = [get(&["WeakMap", "prototype", "has"])?, get(&["WeakSet", "prototype", "has"])?];
        let (weak_get, weak_set) = (get(&["WeakMap", "prototype", "get"])?, get(&["WeakMap", "prototype", "set"])?);
        let regexp = get(&["RegExp", "prototype"])?;
        let error_prototype = get(&["Error", "prototype"])?;
        let weak_map = get(&["WeakMap"])?;
        let mut weak = || weak_map.construct(&[], None, context);
        let (carried, asked) = (weak()?, weak()?);
        let script = Source::from_bytes(include_str!("asking.js")).with_path(Path::new("codemode:asking"));
        let make_asking = Script::parse(script, None, context)?.evaluate(context)?.as_object().ok_or_else(|| lacks("asking"))?;
        Ok(Self {
            object_prototype,
            array_prototype,
            function_text,
            date_time,
            regexp_source: getter(&regexp, "source")?,
            regexp_flags: FLAGS.iter().map(|(letter, name)| Ok((*letter, getter(&regexp, name)?))).collect::<JsResult<_>>()?,
            error_stack: getter(&error_prototype, "stack")?,
            weak_has,
            carried,
            asked,
            weak_get,
            weak_set,
            make_asking,
            errors,
        })
    }

    /// The constructor of a class of errors.
    pub(super) fn error(&self, class: ErrorClass) -> &JsObject {
        let place = match class {
            ErrorClass::Error => 0,
            ErrorClass::Type => 1,
            ErrorClass::Range => 2,
            ErrorClass::Syntax => 3,
            ErrorClass::Reference => 4,
        };
        &self.errors[place]
    }
}

/// The getter of an own accessor that a fresh context has.
fn getter(object: &JsObject, name: &str) -> JsResult<JsObject> {
    let property = object.borrow().properties().get(&JsString::from(name).into());
    property.and_then(|property| property.get().and_then(JsValue::as_object)).ok_or_else(|| lacks(name))
}

fn lacks(name: &str) -> boa_engine::JsError {
    JsNativeError::typ().with_message(format!("the context lacks {name}")).into()
}
