//! Functions of ours as the engine calls them, and properties that make their value when they are first read.

use std::ffi::CString;
use std::panic::{AssertUnwindSafe, catch_unwind};

use codemode_js::{Native, Thrown, invoke};
use rquickjs::qjs;

use super::QuickRealm;
use super::read::Read;
use crate::held::{Held, Lent};
use crate::js::{Atom, HIDDEN, OR_RAISE, PLAIN, Raised};

/// What a function of ours gives: a value, or what it threw.
type Given = Result<Held, Thrown<Held>>;

impl QuickRealm {
    /// A function whose first datum is how many are bound, since the engine does not tell.
    pub(super) fn function(&self, native: Native, name: &str, bound: &[Held]) -> Read<Held> {
        let count = i32::try_from(bound.len()).unwrap_or(i32::MAX);
        let mut data = vec![qjs::JS_MKVAL(qjs::JS_TAG_INT, count)];
        data.extend(bound.iter().map(Held::raw));
        self.function_with(call_native, name, 0, i32::from(native.code()), &mut data)
    }

    /// An accessor that turns into a data property when it is read or assigned.
    pub(super) fn lazy(&self, object: &Held, name: &str, get: &Held) -> Read<()> {
        let atom = self.js.atom(name)?;
        let key = self.js.text(name)?;
        let mut data = [object.raw(), get.raw(), key.raw(), qjs::JS_UNINITIALIZED];
        let getter = self.function_with(read_lazy, &format!("get {name}"), 0, 0, &mut data)?;
        let setter = self.function_with(assign_lazy, &format!("set {name}"), 1, 0, &mut data)?;
        // SAFETY: object and atom live; both references are handed over.
        let defined = unsafe {
            qjs::JS_DefinePropertyGetSet(
                self.js.raw(),
                object.raw(),
                atom.raw(),
                getter.into_raw(),
                setter.into_raw(),
                qjs::JS_PROP_CONFIGURABLE as i32 | OR_RAISE,
            )
        };
        if defined < 0 { Err(Raised) } else { Ok(()) }
    }

    fn function_with(&self, function: Called, name: &str, length: i32, magic: i32, data: &mut [qjs::JSValue]) -> Read<Held> {
        let name = CString::new(name.split('\0').next().unwrap_or_default()).unwrap_or_default();
        let count = i32::try_from(data.len()).unwrap_or(i32::MAX);
        // SAFETY: the name ends with a zero; so many live values, each of which the engine counts a reference to.
        unsafe {
            self.js.take(qjs::JS_NewCFunctionData2(self.js.raw(), Some(function), name.as_ptr(), length, magic, count, data.as_mut_ptr()))
        }
    }

    /// Runs a function of ours for the engine: stopped runs first, panics and failed operations last.
    pub(super) fn guarded(&self, function: impl FnOnce() -> Given) -> qjs::JSValue {
        if self.guard.stopped() || self.panicked() {
            return self.throw_halt();
        }
        let given = catch_unwind(AssertUnwindSafe(function)).unwrap_or_else(|panic| {
            self.note_panic(panic.as_ref());
            Err(Thrown::Halt)
        });
        if self.guard.stopped() || self.panicked() {
            return self.throw_halt();
        }
        // An operation that failed without a latch, by a stack that overflowed, raises what the engine raised, though its caller went on.
        match (given, self.take_pending()) {
            (_, Some(pending)) => self.js.throw(pending),
            (Ok(value), None) => value.into_raw(),
            (Err(Thrown::Value(value)), None) => self.js.throw(value),
            (Err(Thrown::Halt), None) => self.throw_halt(),
        }
    }

    /// Does what the engine takes no answer to: a panic is noted, and ends the run at the next function of ours.
    pub(crate) fn shielded(&self, act: impl FnOnce()) {
        if let Err(panic) = catch_unwind(AssertUnwindSafe(act)) {
            self.note_panic(panic.as_ref());
        }
    }

    /// Raises the error that no `try` catches, made beforehand since there may be no memory for another.
    fn throw_halt(&self) -> qjs::JSValue {
        self.js.throw(self.halting.clone())
    }

    fn define_made(&self, object: &Held, key: &Held, value: Held, attributes: i32) -> Read<()> {
        let atom = self.js.atom_of(key)?;
        self.js.define(object, &atom, value, attributes)
    }

    fn read_lazily(&self, object: &Held, get: &Held, key: &Held) -> Given {
        let value = self.called(get, &self.js.undefined(), std::slice::from_ref(key))?;
        if self.define_made(object, key, value.clone(), HIDDEN).is_err() {
            // A frozen object keeps its accessor, which gives the same value each time.
            drop(self.js.exception());
        }
        Ok(value)
    }

    fn assign_lazily(&self, object: &Held, key: &Held, this: &Held, value: Held) -> Given {
        let inherits = this.address() != 0 && this.address() != object.address();
        let (target, attributes) = if inherits { (this, PLAIN) } else { (object, HIDDEN) };
        match self.define_made(target, key, value, attributes | OR_RAISE) {
            Ok(()) => Ok(self.js.undefined()),
            Err(Raised) if self.guard.stopped() => Err(Thrown::Halt),
            Err(Raised) => Err(Thrown::Value(self.js.exception())),
        }
    }
}

/// A function as the engine calls it: context, `this`, count of arguments, arguments, magic, data.
type Called =
    unsafe extern "C" fn(*mut qjs::JSContext, qjs::JSValue, qjs::c_int, *mut qjs::JSValue, qjs::c_int, *mut qjs::JSValue) -> qjs::JSValue;

unsafe extern "C" fn call_native(
    context: *mut qjs::JSContext,
    this: qjs::JSValue,
    count: qjs::c_int,
    arguments: *mut qjs::JSValue,
    magic: qjs::c_int,
    data: *mut qjs::JSValue,
) -> qjs::JSValue {
    // SAFETY: the engine calls with a live context; whose realm, where there is one, outlives the call.
    let Some(realm) = (unsafe { QuickRealm::of(context) }) else { return no_realm(context) };
    realm.guarded(|| {
        let native = u16::try_from(magic).ok().and_then(Native::from_code).ok_or(Thrown::Halt)?;
        // SAFETY: the engine lends so many arguments, and `this`, for the length of the call; the first datum counts the others.
        let (lent, this, bound) = unsafe {
            let bound = qjs::JS_VALUE_GET_INT(*data);
            (
                Lent::new(context, arguments, usize::try_from(count).unwrap_or(0)),
                Held::share(context, this),
                Lent::new(context, data.add(1), usize::try_from(bound).unwrap_or(0)),
            )
        };
        invoke(realm, native, &this, bound.values(), lent.values())
    })
}

unsafe extern "C" fn read_lazy(
    context: *mut qjs::JSContext,
    _this: qjs::JSValue,
    _count: qjs::c_int,
    _arguments: *mut qjs::JSValue,
    _magic: qjs::c_int,
    data: *mut qjs::JSValue,
) -> qjs::JSValue {
    // SAFETY: as in `call_native`.
    let Some(realm) = (unsafe { QuickRealm::of(context) }) else { return no_realm(context) };
    realm.guarded(|| {
        // SAFETY: the engine lends the four data that the function was made with, and they belong to this function alone.
        let (object, get, key, made) = unsafe {
            (
                Held::share(context, *data),
                Held::share(context, *data.add(1)),
                Held::share(context, *data.add(2)),
                Held::share(context, *data.add(3)),
            )
        };
        // SAFETY: reading a tag touches no memory.
        if !unsafe { qjs::JS_IsUninitialized(made.raw()) } {
            return Ok(made);
        }
        let value = realm.read_lazily(&object, &get, &key)?;
        // The function may have been let go by the definition, but its caller holds it for the length of the call.
        // SAFETY: the datum is this function's; what it held counts no references, and it is given one of its own.
        unsafe { *data.add(3) = value.to_raw() };
        Ok(value)
    })
}

unsafe extern "C" fn assign_lazy(
    context: *mut qjs::JSContext,
    this: qjs::JSValue,
    count: qjs::c_int,
    arguments: *mut qjs::JSValue,
    _magic: qjs::c_int,
    data: *mut qjs::JSValue,
) -> qjs::JSValue {
    // SAFETY: as in `call_native`.
    let Some(realm) = (unsafe { QuickRealm::of(context) }) else { return no_realm(context) };
    realm.guarded(|| {
        // SAFETY: the engine lends the data that the function was made with, and as many arguments as its length at least.
        let (object, key, this, value) = unsafe {
            (
                Held::share(context, *data),
                Held::share(context, *data.add(2)),
                Held::share(context, this),
                if count > 0 { Held::share(context, *arguments) } else { realm.js.undefined() },
            )
        };
        realm.assign_lazily(&object, &key, &this, value)
    })
}

/// What a function gives whose interpreter is being taken down.
pub(super) fn no_realm(context: *mut qjs::JSContext) -> qjs::JSValue {
    // SAFETY: the engine calls with a live context.
    unsafe { qjs::JS_Throw(context, qjs::JS_UNDEFINED) }
}

impl crate::js::Js {
    /// The key of a string.
    fn atom_of(self, key: &Held) -> Read<Atom> {
        // SAFETY: the value is a string, whose key is made without running anything.
        let atom = unsafe { qjs::JS_ValueToAtom(self.raw(), key.raw()) };
        // SAFETY: the atom was handed over with its reference.
        if atom == qjs::JS_ATOM_NULL { Err(Raised) } else { Ok(unsafe { Atom::own(self.raw(), atom) }) }
    }
}
