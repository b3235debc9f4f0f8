//! A megabyte of structured result, parsed and filtered, against the engine's own `JSON.parse` of the same text.

use crate::bare;
use crate::figure::{Figure, Gate};
use crate::ours::Ours;
use crate::turns::minima;

/// A program that begins by taking its rows from `$source`, and keeps three of them.
macro_rules! filtering {
    ($source:literal) => {
        concat!("const rows = ", $source, "; return rows.filter((row) => row.id % 4000 === 7).map((row) => row.name)")
    };
}

pub(crate) fn quickjs(turns: u32) -> Figure {
    let ours = Ours::quickjs();
    let calling = filtering!("await tools.rows({})");
    assert_eq!(ours.gives(calling), r#"["record number 7","record number 4007","record number 8007"]"#);
    let parsing = || bare::quickjs_with_text(filtering!("JSON.parse(text)"), crate::rows::text());
    let measured = minima(turns, || drop(ours.run(calling)), parsing);
    Figure::new("1 MB result", ours.engine, measured, Gate::Ratio(1.2))
}
