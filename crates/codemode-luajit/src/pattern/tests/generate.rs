//! Random patterns, right and wrong, and random subjects over a small alphabet.

use proptest::collection::vec;
use proptest::prelude::*;

/// Bytes that patterns and subjects share, so that they meet.
const BYTES: &[u8] = b"aaaabbbcA1 =()[]%-^$._\n\x00\xff";

pub(super) fn subject(longest: usize) -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        vec(prop::sample::select(BYTES), 0..=longest),
        vec(prop::sample::select(b"aab".as_slice()), 0..=longest),
        vec(prop::sample::select(b"a ".as_slice()), 0..=longest),
        vec(prop::sample::select(b"(a)".as_slice()), 0..=longest),
    ]
}

/// A pattern of at most `pieces` pieces, a third of them wrong somewhere.
pub(super) fn pattern(pieces: usize) -> impl Strategy<Value = Vec<u8>> {
    let right = (any::<bool>(), vec(piece(), 0..=pieces), any::<bool>()).prop_map(|(anchor, pieces, end)| {
        let mut pattern = Vec::new();
        pattern.extend(anchor.then_some(b'^'));
        pattern.extend(pieces.concat());
        pattern.extend(end.then_some(b'$'));
        pattern
    });
    let wild = vec(prop_oneof![3 => piece(), 2 => junk()], 0..=pieces).prop_map(|pieces| pieces.concat());
    prop_oneof![2 => right, 1 => wild]
}

fn piece() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        8 => repeated(),
        2 => vec(repeated(), 0..3).prop_map(|pieces| [b"(".to_vec(), pieces.concat(), b")".to_vec()].concat()),
        1 => Just(b"()".to_vec()),
        1 => prop::sample::select(&["%b()", "%bab", "%baa", "%1", "%2"][..]).prop_map(|text| text.as_bytes().to_vec()),
        1 => set().prop_map(|set| [b"%f".to_vec(), set].concat()),
    ]
}

fn repeated() -> impl Strategy<Value = Vec<u8>> {
    (single(), repeat()).prop_map(|(item, repeat)| [item, repeat].concat())
}

fn single() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        4 => prop::sample::select(b"aab1 =".as_slice()).prop_map(|byte| vec![byte]),
        2 => Just(b".".to_vec()),
        2 => prop::sample::select(b"acdglpsuwxzACDGLPSUWXZ()%.[]-k@".as_slice()).prop_map(|byte| vec![b'%', byte]),
        2 => set(),
    ]
}

fn repeat() -> impl Strategy<Value = Vec<u8>> {
    prop::sample::select(&["", "", "", "?", "*", "+", "-"][..]).prop_map(|text| text.as_bytes().to_vec())
}

fn set() -> impl Strategy<Value = Vec<u8>> {
    let member = prop_oneof![
        3 => prop::sample::select(BYTES).prop_map(|byte| vec![byte]),
        1 => (prop::sample::select(BYTES), prop::sample::select(BYTES)).prop_map(|(from, to)| vec![from, b'-', to]),
        1 => prop::sample::select(b"adswzWSD%]-".as_slice()).prop_map(|byte| vec![b'%', byte]),
    ];
    (any::<bool>(), vec(member, 1..4)).prop_map(|(negated, members)| {
        let start = if negated { b"[^".to_vec() } else { b"[".to_vec() };
        [start, members.concat(), b"]".to_vec()].concat()
    })
}

fn junk() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        3 => prop::sample::select(b"%[]()^$.*+-?\x00b".as_slice()).prop_map(|byte| vec![byte]),
        1 => prop::sample::select(&["%b", "%f", "%f[", "[^", "%0", "%3", "[a-", "[%", "(("][..])
            .prop_map(|text| text.as_bytes().to_vec()),
    ]
}
