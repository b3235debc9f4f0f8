//! A megabyte of structured result, as a server's list of records is.

use std::fmt::Write as _;
use std::sync::LazyLock;

/// Rows of the list: together about a megabyte.
const ROWS: usize = 9000;

static TEXT: LazyLock<String> = LazyLock::new(|| {
    let mut text = String::from("[");
    for number in 0..ROWS {
        let comma = if number == 0 { "" } else { "," };
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            r#"{comma}{{"id":{number},"name":"record number {number}","score":{}.5,"tags":["one","two"],"open":{},"parent":null}}"#,
            number * 7 % 1000,
            number % 2 == 0
        );
    }
    text.push(']');
    text
});

/// The list as JSON text.
pub(crate) fn text() -> &'static str {
    &TEXT
}
