//! The way back from places in the text to places in the source as it was sent.

use codemode_core::{Form, Location, Profile};

use crate::read;

/// The place in the source of the first `mark` in the text, with the place of that in the text.
fn place(source: &str, mark: &str) -> (Option<Location>, (u32, u32)) {
    let program = read(source, Form::Program).expect("a program");
    let (line, text) = program.text().lines().enumerate().find(|(_, line)| line.contains(mark)).expect("the mark");
    let column = text[..text.find(mark).expect("the mark")].chars().count() + 1;
    let (line, column) = (u32::try_from(line + 1).expect("a line"), u32::try_from(column).expect("a column"));
    (program.locate(line, column), (line, column))
}

fn at(line: u32, column: u32) -> Option<Location> {
    Some(Location { line, column: Some(column) })
}

#[test]
fn each_place_in_the_text_leads_to_its_place_in_the_source() {
    let cases = [
        ("return mark", at(1, 8), (2, 8)),
        ("mark + 1", at(1, 1), (2, 8)),
        ("const x: string = mark", at(1, 19), (2, 19)),
        ("const größe: \"日本\" = mark; 1", at(1, 21), (2, 21)),
        ("// one\n\n  () => mark", at(3, 9), (4, 17)),
        ("Prose.\n```js\nawait mark()\n```", at(3, 7), (4, 14)),
        ("#!/usr/bin/env node\n{ a: mark }", at(2, 6), (3, 14)),
        ("export default async () => mark", at(1, 28), (2, 51)),
        ("return <{\n  a: number }>mark; 1", at(2, 15), (3, 15)),
        ("return <{\n  a: number }>x + mark; 1", at(2, 19), (3, 20)),
    ];
    for (source, expected, in_text) in cases {
        assert_eq!(place(source, "mark"), (expected, in_text), "{source:?}");
    }
}

#[test]
fn what_was_put_around_the_source_has_no_place_in_it() {
    let program = read("async () => 1", Form::Program).expect("a program");
    assert_eq!(program.text(), "(async function program(){\"use strict\";\nreturn (async () => 1)()\n})");
    let places: Vec<_> = [(0, 1), (1, 1), (1, 30), (2, 1), (2, 8), (2, 9), (2, 10), (2, 24), (3, 1), (4, 1), (u32::MAX, 1)]
        .into_iter()
        .map(|(line, column)| program.locate(line, column))
        .collect();
    assert_eq!(places, [None, None, None, at(1, 1), at(1, 1), at(1, 1), at(1, 2), at(1, 14), None, None, None]);
}

#[test]
fn columns_in_bytes_lead_to_the_same_places() {
    let program = read("const a: ü = \"é🎉\"; mark", Form::Program).expect("a program");
    // On line 2 of the text one byte is left of the type; the é has two, 🎉 four, and a place within it is its own; the last begins with
    // what was put before it, `return `.
    let columns = [1, 14, 15, 16, 17, 18, 21, 22, 24, 31, 32];
    let places: Vec<_> = columns.map(|column| program.locate_byte(2, column).and_then(|place| place.column)).into();
    assert_eq!(places, [1, 14, 15, 15, 16, 16, 17, 18, 20, 20, 21].map(Some));
    assert_eq!([(0, 1), (1, 1), (9, 1)].map(|(line, column)| program.locate_byte(line, column)), [None, None, None]);
}

#[test]
fn the_form_decides_whether_calling_gives_a_promise() {
    let kinds: Vec<_> = [Form::Batch, Form::Program, Form::Cell].map(|form| read("return 1", form).expect("a program").is_async()).into();
    assert_eq!(kinds, [false, true, true]);
}

#[test]
fn advice_for_a_cell_names_the_object_as_the_host_does() {
    let profile = Profile { namespace: "zebra".into(), ..Profile::cell() };
    let raised = codemode_js::read("ls -la", &profile).expect_err("a shell command");
    assert_eq!(
        raised.fix.as_deref(),
        Some("send JavaScript; where a tool runs commands, call it: `const value = await zebra.name({ key: \"value\" }); return value`")
    );
}
