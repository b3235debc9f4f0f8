//! What bounds let through and what they stop.

use crate::bed::Bed;

#[test]
fn a_program_returns_its_value() {
    assert_eq!(Bed::default().shows("return 1 + 1"), "2");
}
