//! The order of words: `localeCompare` and `Intl.Collator`, as en-US sorts Latin text.

use std::cmp::Ordering;
use std::iter::Peekable;
use std::str::Chars;

use crate::globals::arguments::{Arguments, text, throw};
use crate::globals::locale::look_at_locale;
use crate::realm::{ErrorClass, Kind, Realm, Thrown};

/// The order of what is no letter and no digit, before both.
const SIGNS: &str = "\t\n\u{b}\u{c}\r \u{a0}_‿-‐‑‒–—,;:!¡?¿.…·'‘’\"“”«»()[]{}§¶@*/\\&#%‰†‡•`´^¯°©®+±÷×<=>|¦~¬¤¢$£¥€";

/// Locales that order words as en-US does.
const ALIKE: &[&str] = &["en", "en-US", "en-GB", "en-AU", "en-CA", "en-NZ", "en-IE", "und"];

/// Which differences count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Sensitivity {
    accents: bool,
    case: bool,
    /// Whether digits in a row are compared as the number they make.
    numeric: bool,
    /// Whether signs count for nothing.
    ignores_signs: bool,
    /// Whether capital letters come first.
    upper_first: bool,
}

/// `localeCompare`: this text against another, under the options of the third argument.
pub(super) fn locale_compare<R: Realm>(realm: &R, this: &R::Value, arguments: &Arguments<'_, R>) -> Result<R::Value, Thrown<R::Value>> {
    let other = arguments.value(0);
    let (Kind::Text | Kind::Boxed, Kind::Text | Kind::Boxed) = (realm.kind(this), realm.kind(&other)) else {
        return throw(realm, ErrorClass::Type, "localeCompare compares strings: make both of them with String(...)");
    };
    look_at_locale(arguments, 1, ALIKE)?;
    compare(arguments, this, &other, 2)
}

/// The order of two texts for `Intl.Collator`: of both and the options.
pub(super) fn compare_text<R: Realm>(arguments: &Arguments<'_, R>) -> Result<R::Value, Thrown<R::Value>> {
    compare(arguments, &arguments.value(0), &arguments.value(1), 2)
}

fn compare<R: Realm>(arguments: &Arguments<'_, R>, a: &R::Value, b: &R::Value, at: usize) -> Result<R::Value, Thrown<R::Value>> {
    let realm = arguments.realm;
    let (accents, case) = match arguments.option_text(at, "sensitivity")?.as_deref() {
        Some("base") => (false, false),
        Some("accent") => (true, false),
        Some("case") => (false, true),
        None | Some("variant") => (true, true),
        Some(_) => return throw(realm, ErrorClass::Range, "sensitivity must be base, accent, case or variant"),
    };
    let sensitivity = Sensitivity {
        accents,
        case,
        numeric: arguments.option_boolean(at, "numeric")?.unwrap_or(false),
        ignores_signs: arguments.option_boolean(at, "ignorePunctuation")?.unwrap_or(false),
        upper_first: arguments.option_text(at, "caseFirst")?.as_deref() == Some("upper"),
    };
    let order = ordering(&text(realm, a)?, &text(realm, b)?, sensitivity);
    Ok(realm.make_number(f64::from(order as i8)))
}

/// First the letters alone, then their accents, then their case, each over the whole text.
fn ordering(a: &str, b: &str, sensitivity: Sensitivity) -> Ordering {
    if a == b {
        return Ordering::Equal;
    }
    let order = letters(a, b, sensitivity);
    if order.is_ne() {
        return order;
    }
    let weights = |text: &str, of: fn(char) -> u32| -> Vec<u32> {
        text.chars().filter(|next| next.is_alphabetic() || is_accent(*next)).map(of).collect()
    };
    let accents = if sensitivity.accents { weights(a, accent).cmp(&weights(b, accent)) } else { Ordering::Equal };
    if accents.is_ne() || !sensitivity.case {
        return accents;
    }
    let case = weights(a, is_capital).cmp(&weights(b, is_capital));
    if sensitivity.upper_first { case.reverse() } else { case }
}

fn letters(a: &str, b: &str, sensitivity: Sensitivity) -> Ordering {
    let (mut a, mut b) = (a.chars().peekable(), b.chars().peekable());
    loop {
        let (left, right) = (primary(&mut a, sensitivity), primary(&mut b, sensitivity));
        let order = left.cmp(&right);
        if order.is_ne() || left == Primary::End {
            return order;
        }
    }
}

/// What a piece of text sorts by, in this order.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Primary {
    End,
    Sign(usize),
    /// Another sign.
    Other(char),
    /// A digit by itself.
    Digit(char),
    /// Digits: how many without leading zeros, and which.
    Digits(usize, String),
    Letters(char, Option<char>),
}

/// The next piece.
fn primary(rest: &mut Peekable<Chars<'_>>, sensitivity: Sensitivity) -> Primary {
    loop {
        let Some(next) = rest.next() else { return Primary::End };
        if next.is_ascii_alphabetic() {
            return Primary::Letters(next.to_ascii_lowercase(), None);
        }
        if next.is_ascii_digit() {
            if !sensitivity.numeric {
                return Primary::Digit(next);
            }
            let mut digits = String::from(next);
            while let Some(digit) = rest.next_if(char::is_ascii_digit) {
                digits.push(digit);
            }
            let digits = digits.trim_start_matches('0').to_owned();
            return Primary::Digits(digits.len(), digits);
        }
        if let Some(place) = SIGNS.chars().position(|sign| sign == next) {
            if sensitivity.ignores_signs {
                continue;
            }
            return Primary::Sign(place);
        }
        // Accents that stand alone belong to the letter before them.
        if is_accent(next) {
            continue;
        }
        if next.is_alphabetic() {
            let (letter, second) = base(next);
            return Primary::Letters(letter, second);
        }
        return Primary::Other(next);
    }
}

/// The letters that a letter is made of, small and without accents: known for Latin text, itself elsewhere.
fn base(letter: char) -> (char, Option<char>) {
    let small = letter.to_lowercase().next().unwrap_or(letter);
    let plain = match small {
        'à'..='å' | 'ā' | 'ă' | 'ą' | 'ǎ' => 'a',
        'ç' | 'ć' | 'ĉ' | 'ċ' | 'č' => 'c',
        'ď' | 'đ' => 'd',
        'è'..='ë' | 'ē' | 'ĕ' | 'ė' | 'ę' | 'ě' => 'e',
        'ĝ' | 'ğ' | 'ġ' | 'ģ' => 'g',
        'ĥ' | 'ħ' => 'h',
        'ì'..='ï' | 'ĩ' | 'ī' | 'ĭ' | 'į' | 'ı' => 'i',
        'ĵ' => 'j',
        'ķ' => 'k',
        'ĺ' | 'ļ' | 'ľ' | 'ŀ' | 'ł' => 'l',
        'ñ' | 'ń' | 'ņ' | 'ň' => 'n',
        'ò'..='ö' | 'ø' | 'ō' | 'ŏ' | 'ő' => 'o',
        'ŕ' | 'ŗ' | 'ř' => 'r',
        'ś' | 'ŝ' | 'ş' | 'š' | 'ș' => 's',
        'ţ' | 'ť' | 'ŧ' | 'ț' => 't',
        'ù'..='ü' | 'ũ' | 'ū' | 'ŭ' | 'ů' | 'ű' | 'ų' => 'u',
        'ŵ' => 'w',
        'ý' | 'ÿ' | 'ŷ' => 'y',
        'ź' | 'ż' | 'ž' => 'z',
        'ß' => return ('s', Some('s')),
        'æ' => return ('a', Some('e')),
        'œ' => return ('o', Some('e')),
        other => other,
    };
    (plain, None)
}

/// Zero for letters without an accent, else what tells accents apart.
fn accent(letter: char) -> u32 {
    let small = letter.to_lowercase().next().unwrap_or(letter);
    let accented = small.is_alphabetic() && base(small) != (small, None) || is_accent(small);
    if accented { u32::from(small) } else { 0 }
}

/// Whether it is an accent that belongs to the letter before it.
fn is_accent(character: char) -> bool {
    ('\u{300}'..='\u{36f}').contains(&character)
}

fn is_capital(letter: char) -> u32 {
    u32::from(letter.is_uppercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: Sensitivity = Sensitivity { accents: true, case: true, numeric: false, ignores_signs: false, upper_first: false };

    fn sorted(words: &str, sensitivity: Sensitivity) -> String {
        let mut words: Vec<&str> = words.split(' ').collect();
        words.sort_by(|a, b| ordering(a, b, sensitivity));
        words.join(" ")
    }

    #[test]
    fn words_sort_by_letters_then_accents_then_case() {
        for (words, expected) in [
            ("b a C A B c", "a A b B c C"),
            ("Zebra apple Mango", "apple Mango Zebra"),
            ("résumé resume Resume résume", "resume Resume résume résumé"),
            ("z é e f", "e é f z"),
            ("a10 a2 a1", "a1 a10 a2"),
            ("a-b ab a_b a.b a1", "a_b a-b a.b a1 ab"),
            ("b.rs b_test.rs b-c.rs b", "b b_test.rs b-c.rs b.rs"),
            ("10 9 1 $ a", "$ 1 10 9 a"),
        ] {
            assert_eq!(sorted(words, ALL), expected);
        }
        assert_eq!(sorted("a10 a2 a1 a02", Sensitivity { numeric: true, ..ALL }), "a1 a2 a02 a10");
        assert_eq!(ordering("a", "Á", Sensitivity { accents: false, case: false, ..ALL }), Ordering::Equal);
        assert_eq!(ordering("a", "A", Sensitivity { case: false, ..ALL }), Ordering::Equal);
        assert_eq!(ordering("a", "A", Sensitivity { upper_first: true, ..ALL }), Ordering::Greater);
        assert_eq!(ordering("co-op", "coop", Sensitivity { ignores_signs: true, ..ALL }), Ordering::Equal);
    }
}
