//! Thrown values, read without running anything.

use codemode_core::{Form, Location, MESSAGE_BYTES, Raised};
use codemode_js::{Kind, Realm, Slot, read_thrown};

use crate::mock::{Mock, MockRealm};

fn at_line_before(line: u32, column: u32) -> Option<Location> {
    (line > 1).then(|| Location { line: line - 1, column: Some(column) })
}

fn read(realm: &MockRealm, thrown: &Mock, form: Form) -> Raised {
    read_thrown(realm, thrown, form, &at_line_before).expect("not stopped")
}

#[test]
fn an_error_has_its_class_message_frames_and_place() {
    let realm = MockRealm::default();
    let error = realm.error("TypeError", "x is not a function");
    *error.node().text.borrow_mut() = Some("    at f (program:3:7)\n    at call (native)\n    at program (program:5:1)\n".into());
    let expected = Raised {
        message: "TypeError: x is not a function".to_owned(),
        traceback: Some("    at f (program:2:7)\n    at program:4:1".to_owned()),
        location: Some(Location { line: 2, column: Some(7) }),
        ..Raised::default()
    };
    assert_eq!(read(&realm, &error, Form::Program), expected);
}

#[test]
fn names_and_messages_come_from_data_properties_alone() {
    let realm = MockRealm::default();
    let accessors = realm.error("Error", "hidden").with_accessor("message", true, false).with_accessor("name", true, false);
    let renamed = realm.error("Error", "m").with("name", "Custom");
    let nameless = realm.error("Error", "m").with("name", "");
    let odd = realm.error("Error", "").with("message", 5.0);
    let proxied = realm.error("Error", "");
    *proxied.node().prototype.borrow_mut() = Some(realm.make(Kind::Proxy, "Object"));
    let cases = [
        (accessors, "Error"),
        (renamed, "Custom: m"),
        (nameless, "m"),
        (odd, "Error"),
        (proxied, "Error"),
        (realm.error("ToolError", "no such file"), "ToolError: no such file"),
    ];
    for (error, expected) in cases {
        assert_eq!(read(&realm, &error, Form::Program), Raised { message: expected.to_owned(), ..Raised::default() });
    }
}

#[test]
fn what_is_no_error_is_shown_or_told_in_general() {
    let realm = MockRealm::default();
    let cases = [
        ("out of cheese".into(), "threw 'out of cheese'"),
        (Mock::Null, "threw null"),
        (Mock::Undefined, "threw undefined"),
        (realm.object().with("code", 1.0).with_accessor("message", true, false), "threw { code: 1, message: [Getter] }"),
        (realm.make(Kind::Proxy, "Object"), "threw [Proxy]"),
    ];
    for (thrown, expected) in cases {
        assert_eq!(read(&realm, &thrown, Form::Cell).message, expected);
        let general = "the program threw a value that is no Error; throw new Error(message) to say what went wrong";
        assert_eq!(read(&realm, &thrown, Form::Batch).message, general);
    }
}

#[test]
fn causes_and_errors_of_several_are_told_briefly() {
    let realm = MockRealm::default();
    let inner = realm.error("RangeError", "inner").with_hidden("cause", realm.error("Error", "innermost"));
    let outer = realm.error("Error", "outer").with_hidden("cause", inner);
    assert_eq!(read(&realm, &outer, Form::Program).message, "Error: outer\ncause: RangeError: inner");
    let errors = realm.list((0..5).map(|at| realm.error("Error", &format!("e{at}"))));
    errors.node().elements.borrow_mut()[1] = Slot::Data("text".into());
    let several = realm.error("AggregateError", "All promises were rejected").with_hidden("errors", errors);
    let expected = "AggregateError: All promises were rejected\n- Error: e0\n- 'text'\n- Error: e2\n- and 2 more";
    assert_eq!(read(&realm, &several, Form::Program).message, expected);
}

#[test]
fn messages_are_as_long_as_those_of_an_outcome_at_most() {
    let realm = MockRealm::default();
    let nameless = |message: &str| realm.error("Error", message).with("name", "");
    let cases = [
        (realm.error("Error", &"é".repeat(10_000)), format!("Error: {}…", "é".repeat(1019))),
        (realm.error("Error", &"e".repeat(2041)), format!("Error: {}", "e".repeat(2041))),
        (nameless(&"e".repeat(MESSAGE_BYTES)), "e".repeat(MESSAGE_BYTES)),
        (nameless(&"e".repeat(MESSAGE_BYTES + 1)), format!("{}…", "e".repeat(MESSAGE_BYTES - 3))),
        ("é".repeat(10_000).as_str().into(), format!("threw '{}…", "é".repeat(510))),
    ];
    for (thrown, expected) in cases {
        assert_eq!(read(&realm, &thrown, Form::Program).message, expected);
    }
    assert!(realm.guard().fired().is_none());
}
