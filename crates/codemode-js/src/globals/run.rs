//! What the globals take of the run: its clock, its random numbers and its timers.

use codemode_core::Handle;

use crate::globals::arguments::{Arguments, throw};
use crate::globals::encoding::hexadecimal;
use crate::realm::{ErrorClass, Halt, Kind, Realm, Thrown};

/// The most random bytes that are given at once, as on the web.
const MOST_RANDOM_BYTES: f64 = 65_536.0;

/// The run's time in whole milliseconds since 1970.
pub(super) fn now<R: Realm>(realm: &R) -> Result<R::Value, Thrown<R::Value>> {
    Ok(realm.make_number(handle(realm)?.now_ms().floor()))
}

/// A number from zero to less than one, from the run.
pub(super) fn random_number<R: Realm>(realm: &R) -> Result<R::Value, Thrown<R::Value>> {
    // The 53 bits that a number between a half and one holds.
    let drawn = handle(realm)?.random() >> 11;
    Ok(realm.make_number(drawn as f64 / (1_u64 << 53) as f64))
}

/// So many random bytes; `undefined` where they are too many.
pub(super) fn random_bytes<R: Realm>(arguments: &Arguments<'_, R>) -> Result<R::Value, Thrown<R::Value>> {
    let count = arguments.number(0)?;
    if !(0.0..=MOST_RANDOM_BYTES).contains(&count) {
        return Ok(arguments.realm.undefined());
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the range was looked at")]
    let bytes = draw(&handle(arguments.realm)?, count as usize);
    Ok(arguments.realm.make_bytes(&bytes)?)
}

/// A random UUID, of version 4.
pub(super) fn random_uuid<R: Realm>(realm: &R) -> Result<R::Value, Thrown<R::Value>> {
    let mut bytes = draw(&handle(realm)?, 16);
    bytes[6] = (bytes[6] & 0x0f) | 0x40;
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    let digits = hexadecimal(&bytes);
    let parts = [&digits[..8], &digits[8..12], &digits[12..16], &digits[16..20], &digits[20..]];
    Ok(realm.make_text(&parts.join("-"))?)
}

/// More than a timer takes beside what it passes on.
const TIMER_BYTES: usize = 1 << 10;

/// Sets a timer: once, again and again, or as soon as may be.
pub(super) fn set_timer<R: Realm>(arguments: &Arguments<'_, R>, name: &str) -> Result<R::Value, Thrown<R::Value>> {
    let (realm, callback) = (arguments.realm, arguments.value(0));
    // A proxy of a function cannot be told from any other proxy without asking it.
    if !matches!(realm.kind(&callback), Kind::Function | Kind::Class) {
        return throw(realm, ErrorClass::Type, &format!("the first argument of {name} must be a function"));
    }
    let (delay, passed) = if name == "setImmediate" { (0.0, 1) } else { (arguments.number(1)?, 2) };
    let passed = arguments.rest(passed);
    realm.make_room(size_of_val(&*passed) + TIMER_BYTES);
    let number = realm.shared().add_timer(callback, passed, delay, name == "setInterval")?;
    Ok(realm.make_number(f64::from(number)))
}

/// Takes a timer back; whatever is no timer's number is ignored.
pub(super) fn clear_timer<R: Realm>(arguments: &Arguments<'_, R>) -> Result<R::Value, Thrown<R::Value>> {
    let number = arguments.number(0)?;
    if (1.0..=f64::from(u32::MAX)).contains(&number) {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the range was looked at")]
        arguments.realm.shared().clear_timer(number as u32);
    }
    Ok(arguments.realm.undefined())
}

/// Says that a batch has no timers.
pub(super) fn no_timers<R: Realm>(bound: &Arguments<'_, R>) -> Result<R::Value, Thrown<R::Value>> {
    let message = format!(
        "{} is not there: a batch is synchronous and ends with its return; tools.call gives its answer at once, so there is nothing to wait for",
        &*bound.text(0)?
    );
    throw(bound.realm, ErrorClass::Type, &message)
}

/// The handle of the run that goes on.
pub(super) fn handle<R: Realm>(realm: &R) -> Result<Handle, Halt> {
    realm.shared().handle().ok_or(Halt)
}

fn draw(handle: &Handle, count: usize) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(count + 8);
    while bytes.len() < count {
        bytes.extend_from_slice(&handle.random().to_le_bytes());
    }
    bytes.truncate(count);
    bytes
}
