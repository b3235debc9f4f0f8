//! Objects whose unknown names are asked of a function: the tools of a program and their namespaces.
//!
//! They are of a class of ours and no proxies, so that the console can show them and nothing of them is a trap of the program's.

use std::ptr::null_mut;

use codemode_js::{AskingParts, Slot};
use rquickjs::qjs;

use super::QuickRealm;
use super::natives::no_realm;
use super::read::Read;
use crate::held::Held;
use crate::js::{Js, Raised};

/// What hangs under an object of the class.
struct Asking {
    /// The object whose properties these are; nothing takes one away, and none changes.
    target: qjs::JSValue,
    /// An object of what was asked for before, by name: read before `get` is asked again, and nowhere else.
    made: qjs::JSValue,
    /// Asked for what neither has.
    get: qjs::JSValue,
    /// Gives the target the rest of its properties, when somebody looks at more than one name; undefined once it was called.
    fill: qjs::JSValue,
}

/// How the engine looks at objects of the class.
struct Methods(qjs::JSClassExoticMethods);

// SAFETY: a table of functions that nobody writes.
unsafe impl Sync for Methods {}

static METHODS: Methods = Methods(qjs::JSClassExoticMethods {
    get_own_property: Some(get_own_property),
    get_own_property_names: Some(get_own_property_names),
    delete_property: Some(delete_property),
    define_own_property: Some(define_own_property),
    has_property: Some(has_property),
    get_property: Some(get_property),
    set_property: Some(set_property),
});

/// Registers the class with the runtime of a context.
pub(super) fn register(js: Js) -> Read<qjs::JSClassID> {
    let mut class = 0;
    let definition = qjs::JSClassDef {
        class_name: c"Object".as_ptr(),
        finalizer: Some(finalize),
        gc_mark: Some(mark),
        call: None,
        exotic: (&raw const METHODS.0).cast_mut(),
    };
    // SAFETY: the runtime lives; the definition is copied, and the table it points to is never written.
    let registered = unsafe {
        qjs::JS_NewClassID(js.runtime(), &raw mut class);
        qjs::JS_NewClass(js.runtime(), class, &raw const definition)
    };
    if registered < 0 { Err(Raised) } else { Ok(class) }
}

impl QuickRealm {
    pub(super) fn asking(&self, parts: AskingParts<Held>) -> Read<Held> {
        // SAFETY: the class is registered with this runtime.
        let object = unsafe { self.js.take(qjs::JS_NewObjectProtoClass(self.js.raw(), qjs::JS_NULL, self.asking_class))? };
        // In memory of the engine's, which is counted, and given back with all else where no finalizer runs.
        // SAFETY: the context lives; the block is large enough and aligned as every block of the allocator's is. The object is of the class,
        // whose finalizer frees the block and its references; it is no proxy.
        unsafe {
            let asking = qjs::js_malloc(self.js.raw(), size_of::<Asking>() as _).cast::<Asking>();
            if asking.is_null() {
                return Err(Raised);
            }
            let AskingParts { target, made, get, fill } = parts;
            let fill = fill.map_or(qjs::JS_UNDEFINED, Held::into_raw);
            asking.write(Asking { target: target.into_raw(), made: made.into_raw(), get: get.into_raw(), fill });
            qjs::JS_SetOpaque(object.raw(), asking.cast());
            if qjs::JS_PreventExtensions(self.js.raw(), object.raw()) < 0 {
                return Err(Raised);
            }
        }
        Ok(object)
    }
}

/// What hangs under an object; nothing while it is being made.
///
/// # Safety
/// The object is live and of the class.
unsafe fn hung<'a>(object: qjs::JSValue) -> Option<&'a Asking> {
    let mut class = 0;
    // SAFETY: what objects of the class hold is a block of this type, or null before it was set.
    unsafe { qjs::JS_GetAnyOpaque(object, &raw mut class).cast::<Asking>().as_ref() }
}

unsafe extern "C" fn finalize(runtime: *mut qjs::JSRuntime, object: qjs::JSValue) {
    let mut class = 0;
    // SAFETY: the engine finalizes an object once; the block and its references are this object's.
    unsafe {
        let block = qjs::JS_GetAnyOpaque(object, &raw mut class);
        if let Some(asking) = block.cast::<Asking>().as_ref() {
            qjs::JS_FreeValueRT(runtime, asking.target);
            qjs::JS_FreeValueRT(runtime, asking.made);
            qjs::JS_FreeValueRT(runtime, asking.get);
            qjs::JS_FreeValueRT(runtime, asking.fill);
            qjs::js_free_rt(runtime, block);
        }
    }
}

unsafe extern "C" fn mark(runtime: *mut qjs::JSRuntime, object: qjs::JSValue, mark: qjs::JS_MarkFunc) {
    // SAFETY: the object is of the class, and the references are its own.
    unsafe {
        if let Some(asking) = hung(object) {
            qjs::JS_MarkValue(runtime, asking.target, mark);
            qjs::JS_MarkValue(runtime, asking.made, mark);
            qjs::JS_MarkValue(runtime, asking.get, mark);
            qjs::JS_MarkValue(runtime, asking.fill, mark);
        }
    }
}

/// The target with all of its properties; nothing while the object is being made, an error where they could not be made.
///
/// # Safety
/// The object is live and of the class, and so is the context.
unsafe fn filled<'a>(context: *mut qjs::JSContext, object: qjs::JSValue) -> Read<Option<&'a Asking>> {
    // SAFETY: the object is of the class; the block is its own, and this is the one place that writes to it.
    unsafe {
        let mut class = 0;
        let asking = qjs::JS_GetAnyOpaque(object, &raw mut class).cast::<Asking>();
        if asking.is_null() {
            return Ok(None);
        }
        if !qjs::JS_IsUndefined((*asking).fill) {
            // Taken first: what fills the target may look at the object.
            let js = Js::new(context);
            let fill = js.take(std::mem::replace(&mut (*asking).fill, qjs::JS_UNDEFINED))?;
            if js.call(&fill, &js.undefined(), &[]).is_err() {
                // A program at the end of its stack may look again from further up.
                (*asking).fill = fill.into_raw();
                return Err(Raised);
            }
        }
        Ok(Some(&*asking))
    }
}

unsafe extern "C" fn get_own_property(
    context: *mut qjs::JSContext,
    descriptor: *mut qjs::JSPropertyDescriptor,
    object: qjs::JSValue,
    name: qjs::JSAtom,
) -> qjs::c_int {
    // SAFETY: the engine calls with a live context and an object of the class; the target is an ordinary object.
    unsafe {
        match filled(context, object) {
            Ok(Some(asking)) => qjs::JS_GetOwnProperty(context, descriptor, asking.target, name),
            Ok(None) => 0,
            Err(Raised) => -1,
        }
    }
}

unsafe extern "C" fn get_own_property_names(
    context: *mut qjs::JSContext,
    table: *mut *mut qjs::JSPropertyEnum,
    count: *mut u32,
    object: qjs::JSValue,
) -> qjs::c_int {
    // SAFETY: the object is of the class; the engine gives places to write to, and frees the table.
    unsafe {
        *table = null_mut();
        *count = 0;
        let mask = qjs::JS_GPN_STRING_MASK | qjs::JS_GPN_SYMBOL_MASK;
        match filled(context, object) {
            Ok(Some(asking)) => qjs::JS_GetOwnPropertyNames(context, table, count, asking.target, mask as i32),
            Ok(None) => 0,
            Err(Raised) => -1,
        }
    }
}

unsafe extern "C" fn has_property(context: *mut qjs::JSContext, object: qjs::JSValue, name: qjs::JSAtom) -> qjs::c_int {
    // SAFETY: as in `get_own_property`; no descriptor is asked for.
    unsafe { get_own_property(context, null_mut(), object, name) }
}

unsafe extern "C" fn delete_property(context: *mut qjs::JSContext, object: qjs::JSValue, name: qjs::JSAtom) -> qjs::c_int {
    // SAFETY: as in `get_own_property`.
    match unsafe { has_property(context, object, name) } {
        0 => 1,
        found if found < 0 => found,
        _ => refuse(context),
    }
}

unsafe extern "C" fn define_own_property(
    context: *mut qjs::JSContext,
    object: qjs::JSValue,
    name: qjs::JSAtom,
    _value: qjs::JSValue,
    _getter: qjs::JSValue,
    _setter: qjs::JSValue,
    flags: qjs::c_int,
) -> qjs::c_int {
    let change = qjs::JS_PROP_HAS_VALUE | qjs::JS_PROP_HAS_GET | qjs::JS_PROP_HAS_SET | qjs::JS_PROP_HAS_ENUMERABLE;
    let loosen = qjs::JS_PROP_CONFIGURABLE | qjs::JS_PROP_WRITABLE;
    // What only says that a property is frozen changes nothing: freezing a frozen object is no mistake.
    // SAFETY: as in `get_own_property`.
    if flags as u32 & (change | loosen) == 0 && unsafe { has_property(context, object, name) } == 1 {
        return 1;
    }
    refuse(context)
}

unsafe extern "C" fn set_property(
    context: *mut qjs::JSContext,
    object: qjs::JSValue,
    name: qjs::JSAtom,
    value: qjs::JSValue,
    receiver: qjs::JSValue,
    _flags: qjs::c_int,
) -> qjs::c_int {
    // SAFETY: all values live during the call.
    unsafe {
        let inherits = qjs::JS_IsObject(receiver) && qjs::JS_VALUE_GET_PTR(receiver) != qjs::JS_VALUE_GET_PTR(object);
        // What inherits from a frozen object may have its own properties of other names.
        if inherits && has_property(context, object, name) == 0 {
            let flags = (qjs::JS_PROP_C_W_E | qjs::JS_PROP_THROW) as i32;
            return qjs::JS_DefinePropertyValue(context, receiver, name, qjs::JS_DupValue(context, value), flags);
        }
    }
    refuse(context)
}

unsafe extern "C" fn get_property(
    context: *mut qjs::JSContext,
    object: qjs::JSValue,
    name: qjs::JSAtom,
    _receiver: qjs::JSValue,
) -> qjs::JSValue {
    // SAFETY: the engine calls with a live context; whose realm, where there is one, outlives the call.
    let Some(realm) = (unsafe { QuickRealm::of(context) }) else { return no_realm(context) };
    // SAFETY: the object is of the class and lives during the call, and with it what hangs under it.
    let (target, made, get) = unsafe {
        let Some(asking) = hung(object) else { return qjs::JS_UNDEFINED };
        (Held::share(context, asking.target), Held::share(context, asking.made), Held::share(context, asking.get))
    };
    for place in [&target, &made] {
        match realm.js.own_property(place, name) {
            Ok(Slot::Data(value)) => return value.into_raw(),
            Ok(Slot::Accessor { .. }) => return qjs::JS_UNDEFINED,
            Ok(Slot::Missing) => {}
            Err(Raised) => return qjs::JS_EXCEPTION,
        }
    }
    // SAFETY: the atom lives during the call; its value is handed over with its reference.
    let Ok(key) = (unsafe { realm.js.take(qjs::JS_AtomToValue(context, name)) }) else { return qjs::JS_EXCEPTION };
    // SAFETY: reading a tag touches no memory.
    if unsafe { qjs::JS_IsSymbol(key.raw()) } {
        return qjs::JS_UNDEFINED;
    }
    match realm.js.call(&get, &realm.js.undefined(), &[key]) {
        Ok(value) => value.into_raw(),
        Err(Raised) => qjs::JS_EXCEPTION,
    }
}

fn refuse(context: *mut qjs::JSContext) -> qjs::c_int {
    // SAFETY: the engine calls with a live context, which outlives this.
    let js = unsafe { Js::new(context) };
    js.throw_type_error(c"this object is frozen: it cannot be changed");
    -1
}
