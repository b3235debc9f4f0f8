//! Each allocation of the interpreter denied in turn: the conversion ends honestly, and never twice or not at all.

use codemode_core::Bound;

use super::Bench;

const CHUNK: &str = "
    local text = '{\"a\":[1,2,{\"b\":\"c\\\\n\"},[],{}],\"long\":\"' .. ('x'):rep(3000) .. '\",\"deep\":[[[[[[1]]]]]]}'
    local t = host.json_decode(text)
    t.more = {host.json_array(), host.json_null, {k = 'v'}}
    return host.json_encode(t)
";

#[test]
fn every_allocation_denied_in_turn_is_survived() {
    let whole = Bench::new().text(CHUNK, "").expect("nothing is denied");
    let mut denied = 0;
    for number in 1.. {
        let bench = Bench::new();
        bench.state.limit_memory(number);
        let end = bench.text(CHUNK, "");
        bench.state.unlimit_memory();
        match bench.fired() {
            None => {
                assert_eq!(end, Ok(whole));
                break;
            }
            Some(bound) => {
                assert_eq!(bound, Bound::Memory, "at allocation {number}");
                denied += 1;
            }
        }
    }
    assert!(denied > 30, "only {denied} allocations were denied");
}
