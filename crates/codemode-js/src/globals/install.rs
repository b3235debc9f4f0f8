//! What every interpreter gets besides its surface, once, before its first run.

use codemode_core::{Form, OpenSpec};

use crate::globals::{Global, parts};
use crate::native::Native;
use crate::realm::{Attributes, Halt, Realm, Slot};

/// Constructors and namespaces that the prelude parts get as they were before any program ran.
const GLOBALS: &[&str] = &["Date", "Map", "Set", "RegExp", "Error", "TypeError", "RangeError", "Uint8Array"];

/// Functions that the prelude parts get: where they lie, and their names in the record.
const FUNCTIONS: &[(&[&str], &str)] = &[
    (&["Object", "keys"], "keys"),
    (&["Object", "hasOwn"], "hasOwn"),
    (&["Object", "defineProperty"], "defineProperty"),
    (&["Reflect", "apply"], "apply"),
    (&["Reflect", "construct"], "construct"),
    (&["Date", "UTC"], "utc"),
    (&["String", "prototype", "slice"], "slice"),
    (&["ArrayBuffer", "prototype", "transfer"], "transfer"),
    (&["Map", "prototype", "get"], "mapGet"),
    (&["Map", "prototype", "set"], "mapSet"),
    (&["Set", "prototype", "add"], "setAdd"),
];

/// Functions that answer in en-US where the engine has no locale at all.
const METHODS: &[(&str, &str, Global)] = &[
    ("Number", "toLocaleString", Global::NumberToLocaleString),
    ("BigInt", "toLocaleString", Global::NumberToLocaleString),
    ("String", "localeCompare", Global::LocaleCompare),
];

/// The timers, and their natives where there are timers.
const TIMERS: &[(&str, Global)] = &[
    ("setTimeout", Global::SetTimeout),
    ("setInterval", Global::SetInterval),
    ("setImmediate", Global::SetImmediate),
    ("clearTimeout", Global::ClearTimer),
    ("clearInterval", Global::ClearTimer),
    ("clearImmediate", Global::ClearTimer),
];

/// Gives an interpreter its globals. Called once, before any program ran in it and before its memory is bounded.
///
/// Most of them are made when a program first touches them. A deterministic run draws `Math.random` from its seed; dates always read the run's clock.
/// With authority `local` there are those of the machine as well.
///
/// # Errors
/// When the interpreter was stopped, or memory was refused.
pub fn install_globals<R: Realm>(realm: &R, spec: &OpenSpec) -> Result<(), Halt> {
    let (form, deterministic) = (spec.profile.form, spec.deterministic);
    let global = realm.global();
    let kept = realm.make_object(false)?;
    realm.define(&kept, parts::INTRINSICS, intrinsics(realm, form)?, Attributes::FixedHidden)?;
    parts::define_all(realm, &kept, spec.granted_local().is_some())?;

    for (name, native) in TIMERS {
        let native = if form == Form::Batch { Global::NoTimers } else { *native };
        let bound = if form == Form::Batch { vec![realm.make_text(name)?] } else { Vec::new() };
        let function = realm.make_function(Native::Global(native), name, bound)?;
        realm.define(&global, name, function, Attributes::Hidden)?;
    }
    for (class, name, native) in METHODS {
        if let Some(prototype) = at(realm, &[class, "prototype"])? {
            let function = realm.make_function(Native::Global(*native), name, Vec::new())?;
            realm.define(&prototype, name, function, Attributes::Hidden)?;
        }
    }
    if deterministic && let Some(math) = at(realm, &["Math"])? {
        let random = realm.make_function(Native::Global(Global::RandomNumber), "random", Vec::new())?;
        realm.define(&math, "random", random, Attributes::Hidden)?;
    }
    // Code that asks where it runs looks for either name.
    realm.define(&global, "global", global.clone(), Attributes::Hidden)?;
    Ok(())
}

/// The intrinsics as they are now, under their own names.
fn intrinsics<R: Realm>(realm: &R, form: Form) -> Result<R::Value, Halt> {
    let record = realm.make_object(false)?;
    for name in GLOBALS {
        if let Some(value) = at(realm, &[name])? {
            realm.define(&record, name, value, Attributes::Fixed)?;
        }
    }
    for (path, name) in FUNCTIONS {
        if let Some(value) = at(realm, path)? {
            realm.define(&record, name, value, Attributes::Fixed)?;
        }
    }
    realm.define(&record, "hasTimers", realm.make_boolean(form != Form::Batch), Attributes::Fixed)?;
    Ok(record)
}

/// What lies at this path from the global object.
fn at<R: Realm>(realm: &R, path: &[&str]) -> Result<Option<R::Value>, Halt> {
    let mut value = realm.global();
    for name in path {
        match realm.property(&value, name)? {
            Slot::Data(next) => value = next,
            Slot::Accessor { .. } | Slot::Missing => return Ok(None),
        }
    }
    Ok(Some(value))
}
