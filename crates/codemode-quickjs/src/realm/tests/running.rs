//! Calling, evaluating, jobs.

use codemode_js::{Halt, Realm, Thrown};

use super::Plain;

#[test]
fn a_call_gives_its_value_or_what_it_threw() {
    let plain = Plain::new();
    let realm = plain.realm();
    let add = plain.value("'use strict'; (function (...all) { return [this, ...all]; })");
    let arguments: Vec<_> = (0..6).map(|number| realm.make_number(f64::from(number))).collect();
    let shown =
        |count: usize| realm.call(&add, &realm.make_number(9.0), &arguments[..count]).map(|value| plain.show(&value)).map_err(drop_thrown);
    assert_eq!(shown(0), Ok("[9.0]{~length: 1.0}".to_owned()));
    assert_eq!(shown(6), Ok("[9.0, 0.0, 1.0, 2.0, 3.0, 4.0, 5.0]{~length: 7.0}".to_owned()));
    let thrown = realm.call(&plain.value("() => { throw null; }"), &realm.undefined(), &[]);
    assert!(matches!(thrown, Err(Thrown::Value(value)) if plain.show(&value) == "null"));
    let thrown = realm.call(&realm.make_number(1.0), &realm.undefined(), &[]);
    assert!(matches!(thrown, Err(Thrown::Value(value)) if plain.show(&value) == r#"error{~message: "not a function"}"#));
}

fn drop_thrown<V>(thrown: Thrown<V>) -> &'static str {
    match thrown {
        Thrown::Value(_) => "threw",
        Thrown::Halt => "halted",
    }
}

#[test]
fn a_part_is_strict_and_gives_its_completion_value() {
    let plain = Plain::new();
    let realm = plain.realm();
    let value = realm.evaluate("part.js", "(function () { return [typeof this, 'a\u{e9}']; })()").expect("a value");
    assert_eq!(plain.show(&value), r#"["undefined", "aé"]{~length: 2.0}"#);
    // A second time, from the code kept for the process.
    let again = realm.evaluate("part.js", "(function () { return [typeof this, 'a\u{e9}']; })()").expect("a value");
    assert_eq!(plain.show(&again), r#"["undefined", "aé"]{~length: 2.0}"#);
    let thrown = realm.evaluate("part.js", "\n\n  throw new Error('from a part')");
    let Err(Thrown::Value(error)) = thrown else { unreachable!("it threw, and gave {thrown:?}") };
    assert_eq!(realm.stack(&error), Ok(Some("    at <eval> (part.js:3:13)\n".to_owned())));
    let thrown = realm.evaluate("part.js", "1 +");
    assert!(matches!(thrown, Err(Thrown::Value(error)) if plain.show(&error).starts_with("error")));
}

#[test]
fn a_part_in_another_context_is_made_of_the_same_source() {
    let shown = || {
        let plain = Plain::new();
        let made = plain.realm().evaluate("twice.js", "class A { #x = 1; get x() { return this.#x; } } A").expect("a class");
        let text = plain.value("(c) => `${c.name} ${new c().x} ${c}`");
        let text = plain.realm().call(&text, &plain.realm().undefined(), std::slice::from_ref(&made)).expect("a text");
        (plain.show(&made), plain.show(&text))
    };
    let expected = ("class".to_owned(), r#""A 1 class A { #x = 1; get x() { return this.#x; } }""#.to_owned());
    assert_eq!([shown(), shown()], [expected.clone(), expected]);
}

#[test]
fn jobs_run_until_none_is_left_and_what_they_throw_is_kept() {
    let plain = Plain::new();
    let realm = plain.realm();
    plain.value("var order = []; Promise.resolve().then(() => { order.push(1); return Promise.resolve(); }).then(() => order.push(2)); queueMicrotask(() => { throw new Error('stray'); });");
    assert_eq!((realm.run_jobs(), plain.shown("order.join()")), (Ok(()), r#""1,2""#.to_owned()));
    let strays: Vec<_> = realm.take_strays().iter().map(|stray| plain.show(stray)).collect();
    assert_eq!(strays, [r#"error{~message: "stray"}"#]);
}

#[test]
fn a_stopped_run_runs_no_further_job() {
    let plain = Plain::new();
    plain.value("var order = []; Promise.resolve().then(() => order.push(1));");
    plain.guard.fire(codemode_core::Bound::Wall, 1);
    assert_eq!((plain.realm().run_jobs(), plain.realm().has_jobs()), (Err(Halt), true));
}
