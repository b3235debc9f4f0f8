//! What `console.table` prints.

use codemode_js::{Kind, table_text};

use crate::mock::{Mock, MockRealm};

#[track_caller]
fn check(realm: &MockRealm, data: &Mock, columns: Option<&[&str]>, expected: &str) {
    let columns: Option<Vec<String>> = columns.map(|columns| columns.iter().map(|name| (*name).to_owned()).collect());
    let text = table_text(realm, data, columns.as_deref(), 1 << 20).expect("not stopped");
    assert_eq!(text, expected.trim_start());
}

#[test]
fn rows_of_objects_of_lists_and_of_values() {
    let realm = MockRealm::default();
    let first = realm.object().with("a", 1.0).with("b", "Y");
    let second = realm.object().with("a", "Zed").with("c", realm.object().with("x", realm.object().with("y", 1.0)));
    check(
        &realm,
        &realm.list([first.clone(), second, 7.0.into()]),
        None,
        "
┌─────────┬───────┬─────┬─────────────────┬────────┐
│ (index) │ a     │ b   │ c               │ Values │
├─────────┼───────┼─────┼─────────────────┼────────┤
│ 0       │ 1     │ 'Y' │                 │        │
│ 1       │ 'Zed' │     │ { x: [Object] } │        │
│ 2       │       │     │                 │ 7      │
└─────────┴───────┴─────┴─────────────────┴────────┘",
    );
    check(
        &realm,
        &realm.object().with("row", first),
        Some(&["b", "z"]),
        "
┌─────────┬─────┬───┐
│ (index) │ b   │ z │
├─────────┼─────┼───┤
│ row     │ 'Y' │   │
└─────────┴─────┴───┘",
    );
    check(
        &realm,
        &realm.list([realm.list([1.0, 2.0])]),
        None,
        "
┌─────────┬───┬───┐
│ (index) │ 0 │ 1 │
├─────────┼───┼───┤
│ 0       │ 1 │ 2 │
└─────────┴───┴───┘",
    );
}

#[test]
fn collections_and_primitives() {
    let realm = MockRealm::default();
    let map = realm.collection(Kind::Map, vec![("a".into(), 1.0.into())]);
    check(
        &realm,
        &map,
        None,
        "
┌───────────────────┬─────┬────────┐
│ (iteration index) │ Key │ Values │
├───────────────────┼─────┼────────┤
│ 0                 │ 'a' │ 1      │
└───────────────────┴─────┴────────┘",
    );
    check(&realm, &"text".into(), None, "text");
}

#[test]
fn a_table_is_bounded_however_many_rows_and_columns_there_are() {
    let realm = MockRealm::default();
    let rows = (0..20_000).map(|at| realm.object().with(&format!("column{at}"), 1.0));
    let diagonal = realm.list(rows);
    realm.reads.set(0);
    let text = table_text(&realm, &diagonal, None, 10_000).expect("not stopped");
    assert!(text.len() < 200_000, "{}", text.len());
    assert!(realm.reads.get() < 2000, "{}", realm.reads.get());
}
