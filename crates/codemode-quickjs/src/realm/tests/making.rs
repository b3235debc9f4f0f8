//! What is made, as the program sees it.

use codemode_core::Json;
use codemode_js::{AskingParts, Attributes, ErrorClass, Realm, Slot};

use super::Plain;
use crate::held::Held;

/// Lets the program have a value under a global name.
fn give(plain: &Plain, name: &str, value: Held) {
    plain.realm().define(&plain.realm().global(), name, value, Attributes::Hidden).expect("a global");
}

/// Each script and its value, whole.
fn check(plain: &Plain, cases: &[(&str, &str)]) {
    for (source, expected) in cases {
        assert_eq!(plain.shown(source), *expected, "{source}");
    }
}

#[test]
fn primitives_and_plain_objects_are_the_program_s_own() {
    let plain = Plain::new();
    let realm = plain.realm();
    let object = realm.make_object(true).expect("an object");
    let list = realm.make_array(vec![realm.make_text("a\0b").expect("a text"), realm.make_number(-0.0), realm.make_boolean(true)]);
    realm.define(&object, "list", list.expect("an array"), Attributes::Plain).expect("defined");
    realm.define(&object, "__proto__", realm.null(), Attributes::Plain).expect("defined");
    realm.define(&object, "7", realm.undefined(), Attributes::Plain).expect("defined");
    give(&plain, "made", object);
    give(&plain, "bare", realm.make_object(false).expect("an object"));
    give(&plain, "bytes", realm.make_bytes(&[0, 255]).expect("bytes"));
    check(
        &plain,
        &[
            ("made", r#"{7: undefined, list: ["a\0b", -0.0, true]{~length: 3.0}, __proto__: null}"#),
            (
                "[Object.is(made.list[1], -0), made.list[0].length, Array.isArray(made.list), made instanceof Object]",
                "[true, 3.0, true, true]{~length: 4.0}",
            ),
            ("Object.getPrototypeOf(bare)", "null"),
            ("[bytes instanceof Uint8Array, bytes.length, bytes[1]]", "[true, 2.0, 255.0]{~length: 3.0}"),
        ],
    );
}

#[test]
fn attributes_are_what_their_names_say() {
    let plain = Plain::new();
    let realm = plain.realm();
    let object = realm.make_object(true).expect("an object");
    for (name, attributes) in [
        ("plain", Attributes::Plain),
        ("hidden", Attributes::Hidden),
        ("fixed", Attributes::Fixed),
        ("fixedHidden", Attributes::FixedHidden),
    ] {
        realm.define(&object, name, realm.make_number(1.0), attributes).expect("defined");
    }
    give(&plain, "object", object);
    check(
        &plain,
        &[(
            "Object.entries(Object.getOwnPropertyDescriptors(object)).map(([k, d]) => `${k} ${d.writable} ${d.enumerable} ${d.configurable}`).join(', ')",
            r#""plain true true true, hidden true false true, fixed false true false, fixedHidden false false false""#,
        )],
    );
}

#[test]
fn errors_have_class_message_and_stack() {
    let plain = Plain::new();
    let realm = plain.realm();
    let long = "m".repeat(5000);
    give(&plain, "long", realm.make_error(ErrorClass::Error, &long).expect("an error"));
    for (name, class) in
        [("type", ErrorClass::Type), ("range", ErrorClass::Range), ("syntax", ErrorClass::Syntax), ("reference", ErrorClass::Reference)]
    {
        give(&plain, name, realm.make_error(class, "a\0b").expect("an error"));
    }
    check(
        &plain,
        &[
            ("long.message.length", "5000.0"),
            (
                "[type instanceof TypeError, range instanceof RangeError, syntax instanceof SyntaxError, reference instanceof ReferenceError]",
                "[true, true, true, true]{~length: 4.0}",
            ),
            (
                "[type.message, typeof type.stack, String(range), Object.keys(type).length]",
                r#"["a\0b", "string", "RangeError: a\0b", 0.0]{~length: 4.0}"#,
            ),
        ],
    );
}

#[test]
fn json_becomes_values_whole() {
    let plain = Plain::new();
    for (text, expected) in [
        ("null", "null"),
        ("-0", "-0.0"),
        ("1e300", "1e300"),
        ("0.1", "0.1"),
        ("12345678901234567890", "1.2345678901234567e19"),
        (r#""a\u0000\ud83d\ude00\n""#, r#""a\0😀\n""#),
        (r#"{"b":1,"a":2,"b":3,"2":4,"1":5}"#, "{1: 5.0, 2: 4.0, b: 3.0, a: 2.0}"),
        (r#"{"__proto__":{"x":1},"constructor":1,"":2}"#, "{__proto__: {x: 1.0}, constructor: 1.0, : 2.0}"),
        ("[[],{},[{}]]", "[[]{~length: 0.0}, {}, [{}]{~length: 1.0}]{~length: 3.0}"),
        (" [ true , false ] ", "[true, false]{~length: 2.0}"),
    ] {
        let made = plain.realm().make_json(&Json::parse(text).expect("json")).expect(text);
        assert_eq!(plain.show(&made), expected, "{text}");
    }
    let deep = "[".repeat(codemode_core::MAX_JSON_DEPTH) + &"]".repeat(codemode_core::MAX_JSON_DEPTH);
    assert!(plain.realm().make_json(&Json::parse(deep).expect("json")).is_ok());
}

#[test]
fn json_is_counted_before_it_is_built() {
    let plain = Plain::new();
    let budgets = codemode_core::Budgets { memory_bytes: 10_000, ..codemode_core::Budgets::default() };
    plain.guard.arm(&budgets);
    // The engine counts what it holds; the buffer of an array that is not made yet is the realm's to count.
    let json = Json::parse(format!("[{}0]", "0,".repeat(2000))).expect("json");
    assert!(matches!(plain.realm().make_json(&json), Err(codemode_js::Halt)));
    assert_eq!(plain.guard.fired(), Some((codemode_core::Bound::Memory, 256 * 3 * 16)));
    assert!(plain.realm().take_pending().is_none());
}

/// An asking object that keeps nothing of what was asked.
fn parts(plain: &Plain, target: Held, get: Held, fill: Option<Held>) -> AskingParts<Held> {
    AskingParts { target, made: plain.value("({__proto__: null})"), get, fill }
}

#[test]
fn what_was_made_is_read_before_anybody_is_asked_and_seen_nowhere_else() {
    let plain = Plain::new();
    let target = plain.value("Object.freeze({__proto__: null, known: 1})");
    let made = plain.value("var made = {__proto__: null, known: 2, other: 3}; made");
    let get = plain.value("(name) => made[name] = `asked ${name}`");
    let tools = plain.realm().make_asking(AskingParts { target, made, get, fill: None }).expect("an object");
    give(&plain, "tools", tools);
    check(
        &plain,
        &[
            ("[tools.known, tools.other, tools.more, made.more = 4, tools.more]", r#"[1.0, 3.0, "asked more", 4.0, 4.0]{~length: 5.0}"#),
            ("[Object.keys(tools).join(), 'other' in tools, JSON.stringify(tools)]", r#"["known", false, "{\"known\":1}"]{~length: 3.0}"#),
        ],
    );
}

#[test]
fn asking_objects_answer_for_unknown_names_and_refuse_every_change() {
    let plain = Plain::new();
    let target = plain.value("Object.freeze({__proto__: null, known: 1, [Symbol.toStringTag]: 'tools'})");
    let get = plain.value("(name) => name === 'then' ? undefined : `asked ${name}`");
    give(&plain, "tools", plain.realm().make_asking(parts(&plain, target, get, None)).expect("an object"));
    check(
        &plain,
        &[
            ("tools", "{known: 1.0, [Symbol.toStringTag]: \"tools\"}"),
            (
                "[tools.known, tools.other, tools['a-b'], tools[3], tools.then]",
                r#"[1.0, "asked other", "asked a-b", "asked 3", undefined]{~length: 5.0}"#,
            ),
            (
                "[tools[Symbol.iterator], tools[Symbol.toStringTag], String(Object.prototype.toString.call(tools))]",
                r#"[undefined, "tools", "[object tools]"]{~length: 3.0}"#,
            ),
            (
                "['known' in tools, 'other' in tools, Object.keys(tools).join(), Reflect.ownKeys(tools).length]",
                r#"[true, false, "known", 2.0]{~length: 4.0}"#,
            ),
            ("let {known, more} = tools; [known, more]", r#"[1.0, "asked more"]{~length: 2.0}"#),
            ("({...tools}).known", "1.0"),
            ("Object.getOwnPropertyDescriptor(tools, 'known')", "{value: 1.0, writable: false, enumerable: true, configurable: false}"),
            (
                "[Object.getOwnPropertyDescriptor(tools, 'other'), Object.hasOwn(tools, 'other'), Object.isFrozen(tools), Object.getPrototypeOf(tools), typeof tools]",
                r#"[undefined, false, true, null, "object"]{~length: 5.0}"#,
            ),
            ("Object.freeze(tools) === tools", "true"),
            ("delete tools.other", "true"),
            ("JSON.stringify(tools)", r#""{\"known\":1}""#),
        ],
    );
    for change in [
        "tools.known = 2",
        "tools.other = 2",
        "delete tools.known",
        "Object.defineProperty(tools, 'other', {value: 1})",
        "Object.assign(tools, {a: 1})",
        "Object.create(tools).known = 2",
        "Reflect.set(tools, 'known', 3)",
    ] {
        assert_eq!(plain.shown(change), r#"error{~message: "this object is frozen: it cannot be changed"}"#, "{change}");
    }
    check(
        &plain,
        &[
            ("Object.setPrototypeOf(tools, {})", r#"error{~message: "object is not extensible"}"#),
            ("Reflect.setPrototypeOf(tools, {})", "false"),
            (
                "let child = Object.create(tools); child.own = 1; [child.own, child.known, child.asked]",
                r#"[1.0, 1.0, "asked asked"]{~length: 3.0}"#,
            ),
            ("tools", "{known: 1.0, [Symbol.toStringTag]: \"tools\"}"),
        ],
    );
}

#[test]
fn an_asking_object_is_filled_once_and_only_when_more_than_a_name_is_looked_at() {
    for look in ["Object.keys(tools)", "'known' in tools", "Object.hasOwn(tools, 'known')", "({...tools}).known", "Object.isFrozen(tools)"]
    {
        let plain = Plain::new();
        let target = plain.value("var filled = 0; var target = {__proto__: null}; target");
        let get = plain.value("(name) => `asked ${name}`");
        let fill = plain.value("() => { filled++; Object.keys(tools); target.known = 1; Object.freeze(target) }");
        give(&plain, "tools", plain.realm().make_asking(parts(&plain, target, get, Some(fill))).expect("an object"));
        check(
            &plain,
            &[
                ("[tools.known, tools.other, filled]", r#"["asked known", "asked other", 0.0]{~length: 3.0}"#),
                (&format!("{look}; [filled, tools.known, tools.other]"), r#"[1.0, 1.0, "asked other"]{~length: 3.0}"#),
                ("[Object.keys(tools).join(), 'known' in tools, filled]", r#"["known", true, 1.0]{~length: 3.0}"#),
            ],
        );
    }
}

#[test]
fn what_fills_an_asking_object_may_throw_and_is_asked_again() {
    let plain = Plain::new();
    let target = plain.value("({__proto__: null})");
    let get = plain.value("(name) => `asked ${name}`");
    let fill = plain.value("var room = false; () => { if (!room) throw new RangeError('no room') }");
    give(&plain, "tools", plain.realm().make_asking(parts(&plain, target, get, Some(fill))).expect("an object"));
    let looks = [
        ("Object.keys(tools)", r#"error{~message: "no room"}"#),
        ("'any' in tools", r#"error{~message: "no room"}"#),
        ("tools.any", r#""asked any""#),
        ("room = true; Object.keys(tools).length", "0.0"),
    ];
    check(&plain, &looks);
}

#[test]
fn what_an_asking_object_asks_may_throw() {
    let plain = Plain::new();
    let target = plain.value("Object.freeze({__proto__: null})");
    let get = plain.value("() => { throw new RangeError('no such tool'); }");
    give(&plain, "tools", plain.realm().make_asking(parts(&plain, target, get, None)).expect("an object"));
    check(&plain, &[("tools.any", r#"error{~message: "no such tool"}"#), ("try { tools.any } catch (e) { e.name }", r#""RangeError""#)]);
}

#[test]
fn asking_objects_in_cycles_are_collected() {
    let plain = Plain::new();
    let target = plain.value("globalThis.inner = {__proto__: null, self: {}}; inner");
    let get = plain.value("(() => { const keep = inner; return () => keep; })()");
    let tools = plain.realm().make_asking(parts(&plain, target.clone(), get, None)).expect("an object");
    let Ok(Slot::Data(inner)) = plain.realm().property(&target, "self") else { unreachable!("defined above") };
    plain.realm().define(&inner, "tools", tools, Attributes::Plain).expect("defined");
    plain.value("delete globalThis.inner");
    // The context that is freed at the end of the test counts what is left.
}

#[test]
fn lazy_properties_are_made_when_read_and_replaced_when_assigned() {
    let plain = Plain::new();
    let realm = plain.realm();
    plain.value("var made = 0;");
    let get = plain.value("() => ({number: ++made})");
    for name in ["First", "Second", "Third"] {
        realm.define_lazy(&realm.global(), name, get.clone()).expect("defined");
    }
    check(
        &plain,
        &[
            ("[made, Object.keys(globalThis).includes('First'), 'First' in globalThis]", "[0.0, false, true]{~length: 3.0}"),
            (
                "let d = Object.getOwnPropertyDescriptor(globalThis, 'First'); [d.get.name, d.set.name, d.enumerable, d.configurable, made]",
                r#"["get First", "set First", false, true, 0.0]{~length: 5.0}"#,
            ),
            ("[First.number, First === First, made]", "[1.0, true, 1.0]{~length: 3.0}"),
            (
                "Object.getOwnPropertyDescriptor(globalThis, 'First')",
                "{value: {number: 1.0}, writable: true, enumerable: false, configurable: true}",
            ),
            ("d.get() === First", "true"),
            (
                "Second = 5; [Second, made, Object.getOwnPropertyDescriptor(globalThis, 'Second').enumerable]",
                "[5.0, 1.0, false]{~length: 3.0}",
            ),
            (
                "const own = Object.create(globalThis); own.Third = 6; [own.Third, Object.keys(own).join(), made, Third.number]",
                r#"[6.0, "Third", 1.0, 2.0]{~length: 4.0}"#,
            ),
            ("function Second() {} typeof Second", r#""function""#),
        ],
    );
}

#[test]
fn lazy_properties_of_a_frozen_object_give_one_value() {
    let plain = Plain::new();
    let object = plain.value("var made = 0; var object = {}; object");
    let get = plain.value("() => ({number: ++made})");
    plain.realm().define_lazy(&object, "lazy", get).expect("defined");
    check(
        &plain,
        &[
            ("Object.freeze(object); [object.lazy.number, object.lazy === object.lazy, made]", "[1.0, true, 1.0]{~length: 3.0}"),
            ("object.lazy = 2", r#"error{~message: "property is not configurable"}"#),
            ("[object.lazy.number, made]", "[1.0, 1.0]{~length: 2.0}"),
        ],
    );
}

#[test]
fn a_lazy_property_whose_maker_throws_is_made_anew() {
    let plain = Plain::new();
    let object = plain.value("var tries = 0; var object = {}; object");
    let get = plain.value("() => { if (++tries < 2) throw new Error('not yet'); return tries; }");
    plain.realm().define_lazy(&object, "lazy", get).expect("defined");
    check(
        &plain,
        &[("object.lazy", r#"error{~message: "not yet"}"#), ("object.lazy", "2.0"), ("[object.lazy, tries]", "[2.0, 2.0]{~length: 2.0}")],
    );
}

#[test]
fn carried_texts_are_out_of_reach() {
    let plain = Plain::new();
    let realm = plain.realm();
    let (first, second) = (plain.value("var first = Object.freeze({a: 1}); first"), plain.value("({})"));
    assert_eq!(realm.carried(&first), Ok(None));
    realm.carry(&first, "text\0\u{1f600}").expect("carried");
    realm.carry(&first, "newer").expect("carried");
    assert_eq!((realm.carried(&first), realm.carried(&second)), (Ok(Some("newer".to_owned())), Ok(None)));
    assert_eq!((realm.carried(&realm.null()), realm.carried(&realm.make_number(1.0))), (Ok(None), Ok(None)));
    assert_eq!(plain.shown("first"), "{a: 1.0}");
    assert_eq!(plain.shown("Reflect.ownKeys(first).length"), "1.0");
}

#[test]
fn prototypes_are_set_and_objects_frozen() {
    let plain = Plain::new();
    let realm = plain.realm();
    let object = realm.make_object(false).expect("an object");
    realm.define(&object, "a", realm.null(), Attributes::Plain).expect("defined");
    realm.set_prototype(&object, &plain.value("Array.prototype")).expect("set");
    realm.freeze(&object).expect("frozen");
    give(&plain, "object", object);
    check(&plain, &[("[object instanceof Array, Object.isFrozen(object)]", "[true, true]{~length: 2.0}")]);
}

#[test]
fn promises_settle_by_their_resolvers() {
    let plain = Plain::new();
    let realm = plain.realm();
    plain.value("var seen = []; Promise.prototype.then2 = 1;");
    for (name, text) in [("first", "a"), ("second", "b")] {
        let (promise, resolvers) = realm.make_promise().expect("a promise");
        give(&plain, name, promise);
        let settle = if name == "first" { resolvers.resolve } else { resolvers.reject };
        let text = realm.make_text(text).expect("a text");
        plain.value(&format!("{name}.then(v => seen.push('got ' + v), e => seen.push('lost ' + e)); 0"));
        realm.call(&settle, &realm.undefined(), &[text]).expect("settled");
    }
    assert!(realm.has_jobs());
    assert_eq!((realm.run_jobs(), realm.has_jobs()), (Ok(()), false));
    assert_eq!(plain.shown("seen.join()"), r#""got a,lost b""#);
}
