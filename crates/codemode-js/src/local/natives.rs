//! What the prelude of authority `local` calls.

use codemode_core::{LocalOp, Unit};

use crate::globals::arguments::{Arguments, throw};
use crate::local::desk::record;
use crate::read::{FileText, read_file};
use crate::realm::{ErrorClass, Halt, Realm, Slot, Thrown};
use crate::values::{Crossing, EncodeBounds, Unencoded, to_json};

/// The longest arguments of an operation, in bytes; what is written or sent goes as bytes beside them.
const MOST_ARGUMENTS: u64 = 4 << 20;

/// Operations that change nothing.
const READS: &[&str] =
    &["fs.readFile", "fs.stat", "fs.readdir", "fs.access", "fs.realpath", "fs.readlink", "module.resolve", "process.info", "process.next"];

type Given<R> = Result<<R as Realm>::Value, Thrown<<R as Realm>::Value>>;

/// Does an operation now: name, arguments, byte parts; gives `[fault, value, parts]`.
pub(crate) fn perform<R: Realm>(given: &Arguments<'_, R>) -> Given<R> {
    let realm = given.realm;
    let (op, reserved) = op(given)?;
    let service = realm.shared().with(|run| run.local.as_ref().map(|desk| std::sync::Arc::clone(&desk.service))).flatten();
    let Some(service) = service else { return over(realm) };
    let answer = service.perform(op, realm.guard());
    drop(reserved);
    realm.guard().check().map_err(|_| Halt)?;
    Ok(record(realm, answer)?)
}

/// Begins an operation; gives a promise of the same.
pub(crate) fn begin<R: Realm>(given: &Arguments<'_, R>) -> Given<R> {
    let realm = given.realm;
    let (op, reserved) = op(given)?;
    let (promise, resolvers) = realm.make_promise()?;
    let noted = realm.shared().with(|run| {
        let handle = run.handle.clone();
        run.local.as_mut().map(|desk| (desk.note(promise.clone(), resolvers, Some(reserved)), handle))
    });
    let Some(((service, place), handle)) = noted.flatten() else { return over(realm) };
    let done = move |given| {
        place.put(given);
        handle.wake();
    };
    service.begin(op, realm.guard(), Box::new(done));
    Ok(promise)
}

/// The run does not wait at its end for the operation of this promise.
pub(crate) fn unref<R: Realm>(given: &Arguments<'_, R>) -> Given<R> {
    let realm = given.realm;
    let identity = realm.identity(&given.value(0));
    realm.shared().with(|run| {
        if let Some(desk) = &mut run.local {
            desk.unref(|promise| realm.identity(promise) == identity);
        }
    });
    Ok(realm.undefined())
}

fn op<R: Realm>(given: &Arguments<'_, R>) -> Result<(LocalOp, codemode_core::Reserved), Thrown<R::Value>> {
    let realm = given.realm;
    let name = given.text(0)?.to_string();
    let bounds = EncodeBounds::size(MOST_ARGUMENTS, Unit::Bytes);
    let arguments = match to_json(realm, &given.value(1), Crossing::Arguments, &bounds) {
        Ok(encoded) => encoded.json,
        Err(Unencoded::Halt) => return Err(Thrown::Halt),
        Err(Unencoded::Refused(why)) => return throw(realm, ErrorClass::Type, &why),
        Err(Unencoded::TooLarge { .. }) => {
            return throw(realm, ErrorClass::Range, &format!("the arguments of {name} are larger than {MOST_ARGUMENTS} bytes"));
        }
        Err(Unencoded::Pending(_) | Unencoded::Rejected(_)) => {
            return throw(realm, ErrorClass::Type, &format!("an argument of {name} is a promise; await it first"));
        }
    };
    let mut reserved = realm.reserve(arguments.bytes())?;
    let mut parts = Vec::new();
    let list = given.value(2);
    let count = u32::try_from(realm.length(&list)).unwrap_or(u32::MAX).min(16);
    for index in 0..count {
        let Slot::Data(part) = realm.element(&list, index)? else { continue };
        let mut size = 0;
        realm.read_bytes(&part, &mut |bytes| size += bytes.len())?;
        reserved.absorb(realm.reserve(2 * size)?);
        let mut copied = Vec::with_capacity(size);
        realm.read_bytes(&part, &mut |bytes| copied.extend_from_slice(bytes))?;
        parts.push(copied.into());
    }
    note_effect(realm, &name);
    Ok((LocalOp { name, arguments, parts }, reserved))
}

/// Tells the host once a run that the program may have changed the world.
fn note_effect<R: Realm>(realm: &R, name: &str) {
    let handle = realm.shared().with(|run| {
        let desk = run.local.as_mut()?;
        if desk.noted || READS.contains(&name) {
            return None;
        }
        desk.noted = true;
        Some(run.handle.clone())
    });
    if let Some(handle) = handle.flatten() {
        handle.raw_effect();
    }
}

/// The folder that relative paths begin at.
pub(crate) fn folder<R: Realm>(realm: &R) -> Given<R> {
    let folder = realm.shared().with(|run| run.local.as_ref().map(|desk| desk.folder.clone())).flatten();
    Ok(realm.make_text(&folder.unwrap_or_else(|| "/".to_owned()))?)
}

/// Lets relative paths begin elsewhere, until the run ends.
pub(crate) fn set_folder<R: Realm>(given: &Arguments<'_, R>) -> Given<R> {
    let folder = given.text(0)?.to_string();
    given.realm.shared().with(|run| {
        if let Some(desk) = &mut run.local {
            desk.folder = folder;
        }
    });
    Ok(given.realm.undefined())
}

/// Prints text as it is.
pub(crate) fn write_out<R: Realm>(given: &Arguments<'_, R>) -> Given<R> {
    let Some(handle) = given.realm.shared().handle() else { return over(given.realm) };
    handle.print(&given.text(0)?).map_err(|_| Halt)?;
    Ok(given.realm.undefined())
}

/// Evaluates the text of a file, as a script of its name.
pub(crate) fn evaluate_file<R: Realm>(given: &Arguments<'_, R>) -> Given<R> {
    let (name, text) = (given.text(0)?, given.text(1)?);
    given.realm.evaluate_file(&name, &text)
}

/// Reads a file's text: of its text, `module`, `commonjs` or `any`, and whether it has types. Gives `[is a module, text]`.
pub(crate) fn read_module<R: Realm>(given: &Arguments<'_, R>) -> Given<R> {
    let realm = given.realm;
    let (text, format, name) = (given.text(0)?, given.text(1)?, given.text(3)?);
    let _reserved = realm.reserve(text.len())?;
    let is_module = match &*format {
        "module" => Some(true),
        "commonjs" => Some(false),
        _ => None,
    };
    match read_file(&text, is_module, realm.boolean(&given.value(2))) {
        Ok(FileText { is_module, text }) => Ok(realm.make_array(vec![realm.make_boolean(is_module), realm.make_text(&text)?])?),
        Err(raised) => {
            let line = raised.location.map(|location| format!(":{}", location.line)).unwrap_or_default();
            let fix = raised.fix.map(|fix| format!("; {fix}")).unwrap_or_default();
            throw(realm, ErrorClass::Syntax, &format!("{}{line}: {}{fix}", codemode_core::text::cut(&name, 300), raised.message))
        }
    }
}

/// A function that was kept from a run that is over.
fn over<R: Realm>(realm: &R) -> Given<R> {
    throw(realm, ErrorClass::Error, "nothing was done: the run that this belongs to is over")
}
