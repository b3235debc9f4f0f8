//! Binary parts of results: what is held, for how long, and in which pieces it is read.

use codemode_core::{Answer, Blob, Fault, code};
use codemode_session::BlobStore;

/// What a piece says, as JSON, with `{handle}` for the handle; else code and message.
fn opened(store: &BlobStore, blob: &Blob, offset: u64, limit: u64) -> String {
    match store.open(&blob.handle, offset, limit) {
        Answer::Succeeded(content) => content.structured.expect("structured").text().replace(&*blob.handle, "{handle}"),
        Answer::Failed(Fault { code, message, .. }) => format!("failed {code}: {message}"),
        Answer::NotRun(Fault { code, message, .. }) => format!("not run {code}: {message}"),
        Answer::Unknown(fault) => panic!("nothing is unknown here: {fault:?}"),
    }
}

fn keep(store: &BlobStore, media_type: &str, bytes: &[u8]) -> Blob {
    store.keep(media_type, bytes).expect("small enough")
}

#[test]
fn what_is_kept_is_found_by_a_handle_that_is_nobody_elses() {
    let store = BlobStore::default();
    let (first, second) = (keep(&store, "image/png", b"one"), keep(&store, "image/png", b"one"));
    assert_ne!(first.handle, second.handle);
    let secret = first.handle.strip_prefix(Blob::PREFIX).expect("the prefix");
    assert!(secret.len() == 24 && secret.bytes().all(|byte| byte.is_ascii_hexdigit()), "{secret}");
    assert_eq!((&*first.media_type, first.bytes), ("image/png", 3));
    assert_eq!(store.get(&first.handle), Some((first.clone(), b"one".as_slice().into())));
    assert_eq!(store.describe(&second.handle), Some(second.clone()));
    assert_eq!(store.list(), [second, first]);
    assert_eq!((store.get("blob:1"), store.describe("")), (None, None));
}

#[test]
fn the_oldest_are_forgotten_for_new_ones_and_a_part_has_a_quarter_at_most() {
    let store = BlobStore::new(64 << 10);
    let most = store.most_part_bytes();
    assert_eq!(most, (16 << 10) - 512);
    assert_eq!(store.keep("a/b", vec![0; most + 1]), None);
    let four: Vec<Blob> = (0..4).map(|_| keep(&store, "a/b", &vec![0; most])).collect();
    assert_eq!(store.list().len(), 4);
    // Even a part without bytes takes room.
    let empty = keep(&store, "a/b", b"");
    assert_eq!(store.list(), [&empty, &four[3], &four[2], &four[1]].map(Clone::clone));
    assert_eq!(store.get(&four[0].handle), None);
    let expected = "failed unknown_handle: nothing is held under the handle \"{}\"; handles come in results, and the oldest are forgotten \
                    when new ones need room: make the call again"
        .replace("{}", &four[0].handle);
    assert_eq!(opened(&store, &four[0], 0, 1), expected);
}

#[test]
fn empty_parts_are_bounded_as_well() {
    let store = BlobStore::new(10 * 512);
    for _ in 0..100 {
        keep(&store, "a/b", b"");
    }
    assert_eq!(store.list().len(), 10);
}

#[test]
fn a_media_type_that_is_none_is_that_of_unknown_bytes() {
    let store = BlobStore::default();
    let long = format!("text/{}", "x".repeat(200));
    for wrong in ["", "png", "image/", "/png", "image/png\nblob:1", "a b/c", "text/\u{202e}plain", &long] {
        assert_eq!(&*keep(&store, wrong, b"").media_type, "application/octet-stream", "{wrong:?}");
    }
    for right in ["image/svg+xml", "text/plain; charset=utf-8", "application/vnd.a.b+json"] {
        assert_eq!(&*keep(&store, right, b"").media_type, right);
    }
    assert_eq!(&*keep(&store, " image/png ", b"").media_type, "image/png");
}

#[test]
fn text_is_given_whole_characters_at_a_time() {
    let store = BlobStore::default();
    let blob = keep(&store, "text/plain; charset=utf-8", "aß𝄞z".as_bytes());
    let piece = |offset: u64, given: &str, next: &str| {
        format!(r#"{{"handle":"{{handle}}","type":"text/plain; charset=utf-8","bytes":8,"offset":{offset},{given},"next":{next}}}"#)
    };
    for (offset, limit, given, next) in [
        (0, 100, r#""text":"aß𝄞z""#, "null"),
        (0, 8, r#""text":"aß𝄞z""#, "null"),
        (0, 2, r#""text":"a""#, "1"),
        (1, 5, r#""text":"ß""#, "3"),
        (1, 6, r#""text":"ß𝄞""#, "7"),
        // Not even one character fits: there is one all the same, so that reading goes on.
        (3, 1, r#""text":"𝄞""#, "7"),
        // Within a character.
        (2, 1, r#""base64":"nw==""#, "3"),
        (8, 4, r#""text":"""#, "null"),
    ] {
        assert_eq!(opened(&store, &blob, offset, limit), piece(offset, given, next), "{offset}, {limit}");
    }
}

#[test]
fn what_is_no_text_is_given_in_base64() {
    let store = BlobStore::default();
    let given = |media_type: &str, bytes: &[u8], limit| {
        let blob = keep(&store, media_type, bytes);
        let piece: serde_json::Value = serde_json::from_str(&opened(&store, &blob, 0, limit)).expect("json");
        (piece["text"].as_str().map(str::to_owned), piece["base64"].as_str().map(str::to_owned), piece["next"].as_u64())
    };
    let base64 = |text: &str, next| (None, Some(text.to_owned()), next);
    assert_eq!(given("image/png", b"abc", 100), base64("YWJj", None));
    assert_eq!(given("image/png", b"abc", 2), base64("YWI=", Some(2)));
    // Its type is one of text, and its bytes are not: a wrong byte, and a character that never ends.
    assert_eq!(given("text/plain", b"a\xff", 100), base64("Yf8=", None));
    assert_eq!(given("text/plain", b"a\xc3", 100), base64("YcM=", None));
    for text in ["application/json", "application/problem+json", "image/svg+xml", "TEXT/HTML", "application/yaml"] {
        assert_eq!(given(text, b"abc", 2), (Some("ab".to_owned()), None, Some(2)), "{text}");
    }
}

#[test]
fn a_range_that_is_none_is_refused_and_a_piece_is_a_mebibyte_at_most() {
    let store = BlobStore::default();
    let blob = keep(&store, "image/png", &vec![0; (1 << 20) + 1]);
    assert_eq!(opened(&store, &blob, 0, 0), "not run invalid_arguments: limit is 0, and a piece has 1 to 1048576 bytes");
    assert_eq!(
        opened(&store, &blob, u64::MAX, 1),
        "not run invalid_arguments: offset is 18446744073709551615, and the part has 1048577 bytes; begin at 0, or at the last piece's next"
    );
    let end = format!(r#"{{"handle":"{{handle}}","type":"image/png","bytes":1048577,"offset":{},"base64":"AA==","next":null}}"#, 1 << 20);
    assert_eq!(opened(&store, &blob, 1 << 20, u64::MAX), end);
    assert!(opened(&store, &blob, 0, u64::MAX).ends_with(r#","next":1048576}"#));
}

#[test]
fn a_hostile_handle_stays_on_its_line_and_short() {
    let store = BlobStore::default();
    let hostile = Blob { handle: format!("blob:\u{1b}[2J\n{}", "x".repeat(1 << 20)).into(), media_type: "a/b".into(), bytes: 0 };
    let Answer::Failed(fault) = store.open(&hostile.handle, 0, 1) else { panic!("nothing is held") };
    assert_eq!(fault.code, code::UNKNOWN_HANDLE);
    let expected = format!("nothing is held under the handle \"blob:\\u{{1b}}[2J\\n{}…\"; ", "x".repeat(81));
    assert!(fault.message.starts_with(&expected), "{}", fault.message);
    assert!(fault.message.len() < 300);
}
