//! Text as bytes and back: UTF-8, UTF-16LE, windows-1252 and base64.

use std::fmt::Write as _;

use crate::globals::arguments::Arguments;
use crate::realm::{Realm, Thrown};

/// What windows-1252 has in place of the controls from 0x80 to 0x9f, as the web reads it.
const WINDOWS_1252: [char; 32] = [
    '\u{20ac}', '\u{81}', '\u{201a}', '\u{192}', '\u{201e}', '\u{2026}', '\u{2020}', '\u{2021}', '\u{2c6}', '\u{2030}', '\u{160}',
    '\u{2039}', '\u{152}', '\u{8d}', '\u{17d}', '\u{8f}', '\u{90}', '\u{2018}', '\u{2019}', '\u{201c}', '\u{201d}', '\u{2022}', '\u{2013}',
    '\u{2014}', '\u{2dc}', '\u{2122}', '\u{161}', '\u{203a}', '\u{153}', '\u{9d}', '\u{17e}', '\u{178}',
];

/// The digits of base64.
const BASE64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The bytes of text as UTF-8.
pub(super) fn encode_utf8<R: Realm>(arguments: &Arguments<'_, R>) -> Result<R::Value, Thrown<R::Value>> {
    Ok(arguments.realm.make_bytes(arguments.text(0)?.as_bytes())?)
}

/// The name of the encoding that a label stands for; `undefined` where it is none of ours.
pub(super) fn encoding_of<R: Realm>(arguments: &Arguments<'_, R>) -> Result<R::Value, Thrown<R::Value>> {
    let label = arguments.text(0)?;
    let name = match label.trim().to_ascii_lowercase().as_str() {
        "utf-8" | "utf8" | "unicode-1-1-utf-8" | "unicode11utf8" | "unicode20utf8" | "x-unicode20utf8" => "utf-8",
        "utf-16le" | "utf-16" | "ucs-2" | "unicode" | "csunicode" | "iso-10646-ucs-2" | "unicodefeff" => "utf-16le",
        "latin1" | "l1" | "iso-8859-1" | "iso8859-1" | "iso88591" | "iso_8859-1" | "ascii" | "us-ascii" | "windows-1252" | "cp1252"
        | "x-cp1252" | "ansi_x3.4-1968" | "ibm819" | "cp819" => "windows-1252",
        _ => return Ok(arguments.realm.undefined()),
    };
    Ok(arguments.realm.make_text(name)?)
}

/// Reads bytes as text: of the encoding, what was left over, the bytes, and whether faults are fatal, more follows, and a byte order mark is dropped.
/// Gives the text and what is left over, or `undefined` where the bytes are at fault.
pub(super) fn decode_text<R: Realm>(arguments: &Arguments<'_, R>) -> Result<R::Value, Thrown<R::Value>> {
    let realm = arguments.realm;
    let encoding = arguments.text(0)?;
    let (fatal, more, drop_mark) =
        (realm.boolean(&arguments.value(3)), realm.boolean(&arguments.value(4)), realm.boolean(&arguments.value(5)));
    let mut size = 0;
    realm.read_bytes(&arguments.value(2), &mut |bytes| size += bytes.len())?;
    // The bytes, and at most three bytes of text for each.
    let _reserved = realm.reserve(size.saturating_mul(4))?;
    let mut bytes = Vec::with_capacity(size);
    for index in [1, 2] {
        realm.read_bytes(&arguments.value(index), &mut |read| bytes.extend_from_slice(read))?;
    }
    let kept = if more { bytes.len() - unfinished(&encoding, &bytes) } else { bytes.len() };
    let Some(mut text) = decoded(&encoding, &bytes[..kept], fatal) else { return Ok(realm.undefined()) };
    if drop_mark && text.starts_with('\u{feff}') {
        text.drain(..'\u{feff}'.len_utf8());
    }
    Ok(realm.make_array(vec![realm.make_text(&text)?, realm.make_bytes(&bytes[kept..])?, realm.make_boolean(kept > 0)])?)
}

/// Base64 of text whose characters are bytes; `undefined` where one is none.
pub(super) fn encode_base64<R: Realm>(arguments: &Arguments<'_, R>) -> Result<R::Value, Thrown<R::Value>> {
    let text = arguments.text(0)?;
    // The bytes, and four digits for each three of them.
    let _reserved = arguments.realm.reserve(text.len().saturating_mul(2))?;
    let bytes: Result<Vec<u8>, _> = text.chars().map(u8::try_from).collect();
    match bytes {
        Ok(bytes) => Ok(arguments.realm.make_text(&to_base64(&bytes))?),
        Err(_) => Ok(arguments.realm.undefined()),
    }
}

/// Text whose characters are the bytes that base64 stands for; `undefined` where it is no base64.
pub(super) fn decode_base64<R: Realm>(arguments: &Arguments<'_, R>) -> Result<R::Value, Thrown<R::Value>> {
    let text = arguments.text(0)?;
    // The digits, the bytes, and at most two bytes of text for each of them.
    let _reserved = arguments.realm.reserve(text.len().saturating_mul(3))?;
    match from_base64(&text) {
        Some(bytes) => Ok(arguments.realm.make_text(&bytes.into_iter().map(char::from).collect::<String>())?),
        None => Ok(arguments.realm.undefined()),
    }
}

/// Bytes as lower-case hexadecimal digits.
pub(super) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// How many bytes at the end begin a character that further bytes may finish.
fn unfinished(encoding: &str, bytes: &[u8]) -> usize {
    match encoding {
        "utf-8" => {
            for back in 1..=3.min(bytes.len()) {
                let start = bytes.len() - back;
                if bytes[start] & 0xc0 != 0x80 {
                    let begins = std::str::from_utf8(&bytes[start..]).is_err_and(|error| error.error_len().is_none());
                    return if begins { back } else { 0 };
                }
            }
            0
        }
        "utf-16le" => {
            let odd = bytes.len() % 2;
            let whole = &bytes[..bytes.len() - odd];
            let high = whole.last_chunk::<2>().is_some_and(|pair| (0xd800..0xdc00).contains(&u16::from_le_bytes(*pair)));
            odd + if high { 2 } else { 0 }
        }
        _ => 0,
    }
}

fn decoded(encoding: &str, bytes: &[u8], fatal: bool) -> Option<String> {
    match encoding {
        "utf-8" if fatal => std::str::from_utf8(bytes).ok().map(str::to_owned),
        "utf-8" => Some(String::from_utf8_lossy(bytes).into_owned()),
        "utf-16le" => {
            let (pairs, rest) = bytes.as_chunks::<2>();
            let mut text = String::new();
            for character in char::decode_utf16(pairs.iter().map(|pair| u16::from_le_bytes(*pair))) {
                match character {
                    Ok(character) => text.push(character),
                    Err(_) if fatal => return None,
                    Err(_) => text.push(char::REPLACEMENT_CHARACTER),
                }
            }
            if !rest.is_empty() {
                if fatal {
                    return None;
                }
                text.push(char::REPLACEMENT_CHARACTER);
            }
            Some(text)
        }
        _ => Some(
            bytes
                .iter()
                .map(|byte| {
                    byte.checked_sub(0x80).and_then(|high| WINDOWS_1252.get(usize::from(high))).copied().unwrap_or(char::from(*byte))
                })
                .collect(),
        ),
    }
}

fn to_base64(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let word = chunk.iter().fold(0_u32, |word, byte| (word << 8) | u32::from(*byte)) << (8 * (3 - chunk.len()));
        for place in 0..4 {
            let digit = (word >> (18 - 6 * place)) & 63;
            text.push(if place <= chunk.len() { char::from(BASE64[digit as usize]) } else { '=' });
        }
    }
    text
}

/// Base64 as the web reads it: white space is skipped, the padding may be missing, bits left over are dropped.
fn from_base64(text: &str) -> Option<Vec<u8>> {
    let mut digits: Vec<u8> = text.bytes().filter(|byte| !matches!(byte, b' ' | b'\t' | b'\n' | b'\x0c' | b'\r')).collect();
    if digits.len().is_multiple_of(4) {
        for _ in 0..2 {
            if digits.last() == Some(&b'=') {
                digits.pop();
            }
        }
    }
    if digits.len() % 4 == 1 {
        return None;
    }
    let mut bytes = Vec::with_capacity(digits.len() / 4 * 3 + 2);
    let (mut word, mut bits) = (0_u32, 0);
    for digit in digits {
        let value = match digit {
            b'A'..=b'Z' => digit - b'A',
            b'a'..=b'z' => digit - b'a' + 26,
            b'0'..=b'9' => digit - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        word = (word << 6) | u32::from(value);
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.push((word >> bits) as u8);
            word &= (1 << bits) - 1;
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_written_with_padding_and_read_with_or_without() {
        for (plain, encoded) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("a\u{0}b", "YQBi")] {
            assert_eq!(to_base64(plain.as_bytes()), encoded);
            assert_eq!(from_base64(encoded).as_deref(), Some(plain.as_bytes()));
            assert_eq!(from_base64(encoded.trim_end_matches('=')).as_deref(), Some(plain.as_bytes()));
        }
        for (text, bytes) in [(" Z m9\nv ", Some(&b"foo"[..])), ("Zg=", None), ("Z", None), ("Zg==Zg==", None), ("Z-==", None), ("=", None)]
        {
            assert_eq!(from_base64(text).as_deref(), bytes, "{text:?}");
        }
    }

    #[test]
    fn bytes_that_begin_a_character_wait_for_the_rest() {
        for (encoding, bytes, waits) in [
            ("utf-8", &b"a"[..], 0),
            ("utf-8", b"a\xe2\x82", 2),
            ("utf-8", b"\xf0\x9f\x98", 3),
            ("utf-8", b"\xe2\x82\xac", 0),
            ("utf-8", b"\xff", 0),
            ("utf-8", b"\x80\x80", 0),
            ("utf-16le", b"a\x00b", 1),
            ("utf-16le", b"\x3d\xd8", 2),
            ("windows-1252", b"\xe2", 0),
        ] {
            assert_eq!(unfinished(encoding, bytes), waits, "{encoding} {bytes:x?}");
        }
    }

    #[test]
    fn faulty_bytes_are_replaced_or_refused() {
        for (encoding, bytes, lossy, strict) in [
            ("utf-8", &b"a\xffb"[..], "a\u{fffd}b", None),
            ("utf-8", b"\xe2\x82\xac", "€", Some("€")),
            ("utf-8", b"\xe2\x82", "\u{fffd}", None),
            ("utf-16le", b"h\x00i\x00", "hi", Some("hi")),
            ("utf-16le", b"\x3d\xd8", "\u{fffd}", None),
            ("utf-16le", b"h\x00i", "h\u{fffd}", None),
            ("windows-1252", b"\x80\xe9", "€é", Some("€é")),
        ] {
            assert_eq!(decoded(encoding, bytes, false).as_deref(), Some(lossy));
            assert_eq!(decoded(encoding, bytes, true).as_deref(), strict);
        }
    }
}
