//! Each allocation of the interpreter denied in turn: the conversion ends honestly, and never twice or not at all.

use codemode_core::Bound;

use super::Bench;
use crate::sweep::Sweep;

const CHUNK: &str = "
    local text = '{\"a\":[1,2,{\"b\":\"c\\\\n\"},[],{}],\"long\":\"' .. ('x'):rep(3000) .. '\",\"deep\":[[[[[[1]]]]]]}'
    local t = host.json_decode(text)
    t.more = {host.json_array(), host.json_null, {k = 'v'}}
    return host.json_encode(t)
";

#[test]
fn every_allocation_denied_in_turn_is_survived() {
    let counter = Sweep::default();
    let whole = Bench::with_sweep(64 << 20, Some(counter.clone()));
    let before = counter.counted();
    let text = whole.text(CHUNK, "").expect("nothing is denied");
    let after = counter.counted();
    assert!(after - before > 30, "only {} allocations", after - before);
    for number in before + 1..=after {
        for sweep in [Sweep::one(number), Sweep::all_from(number)] {
            let bench = Bench::with_sweep(64 << 20, Some(sweep.clone()));
            let end = bench.text(CHUNK, "");
            let denied = sweep.counted() >= number;
            assert_eq!(bench.fired(), denied.then_some(Bound::Memory), "at allocation {number}: {end:?}");
            assert!(denied || end == Ok(text.clone()), "at allocation {number}: {end:?}");
        }
    }
}
