//! Tells whether a pattern is one that JavaScript reads in its strict (Unicode) mode, and other engines as well.

/// Bytes of a pattern.
const MOST_BYTES: usize = 2_000;

/// Whether every client's engine reads the pattern: groups, classes, counts and the usual escapes, and nothing of one engine's own.
pub(super) fn is_portable(pattern: &str) -> bool {
    if pattern.len() > MOST_BYTES {
        return false;
    }
    let mut open = 0_usize;
    // What stands before: something that may be counted, a count, or neither.
    let mut before = Before::Nothing;
    let mut rest = pattern;
    while let Some(first) = rest.chars().next() {
        let after = &rest[first.len_utf8()..];
        (rest, before) = match first {
            '\\' => match escape(after, false) {
                Some(rest) => (rest, Before::Atom),
                None => return false,
            },
            '[' => match class(after) {
                Some(rest) => (rest, Before::Atom),
                None => return false,
            },
            '(' => match group(after) {
                Some(rest) => {
                    open += 1;
                    (rest, Before::Nothing)
                }
                None => return false,
            },
            ')' if open > 0 => {
                open -= 1;
                (after, Before::Atom)
            }
            '*' | '+' if before == Before::Atom => (after, Before::Count),
            '?' if before == Before::Atom => (after, Before::Count),
            // A count that takes as little as it can.
            '?' if before == Before::Count => (after, Before::Nothing),
            '{' if before == Before::Atom => match count(after) {
                Some(rest) => (rest, Before::Count),
                None => return false,
            },
            ')' | ']' | '}' | '{' | '*' | '+' | '?' => return false,
            '^' | '$' | '|' => (after, Before::Nothing),
            _ => (after, Before::Atom),
        };
    }
    open == 0
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    Nothing,
    Atom,
    Count,
}

/// What follows an escape that every engine knows.
fn escape(text: &str, in_class: bool) -> Option<&str> {
    let first = text.chars().next()?;
    let after = &text[first.len_utf8()..];
    match first {
        'd' | 'D' | 'w' | 'W' | 's' | 'S' | 't' | 'r' | 'n' | 'f' | 'v' => Some(after),
        'b' | 'B' if !in_class => Some(after),
        '^' | '$' | '\\' | '.' | '*' | '+' | '?' | '(' | ')' | '[' | ']' | '{' | '}' | '|' | '/' => Some(after),
        '-' if in_class => Some(after),
        'x' => digits(after, 2),
        'u' => digits(after, 4),
        'p' | 'P' => {
            let (name, rest) = after.strip_prefix('{')?.split_once('}')?;
            (!name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'='))).then_some(rest)
        }
        _ => None,
    }
}

fn digits(text: &str, count: usize) -> Option<&str> {
    let digits = text.get(..count)?;
    digits.bytes().all(|byte| byte.is_ascii_hexdigit()).then(|| &text[count..])
}

/// What follows a class of characters, whose `[` was read. A class within a class, and `&&`, are read differently.
fn class(text: &str) -> Option<&str> {
    let mut rest = text.strip_prefix('^').unwrap_or(text);
    if rest.starts_with(']') {
        return None;
    }
    let mut previous: Option<char> = None;
    loop {
        let first = rest.chars().next()?;
        let after = &rest[first.len_utf8()..];
        rest = match first {
            ']' => return Some(after),
            '[' => return None,
            '&' if after.starts_with('&') => return None,
            '\\' => {
                previous = None;
                escape(after, true)?
            }
            '-' => {
                // A range that runs backwards; its ends may be escapes, which are not compared.
                let end = after.chars().next()?;
                if !matches!(end, ']' | '\\') && previous.is_some_and(|start| start > end) {
                    return None;
                }
                previous = None;
                after
            }
            letter => {
                previous = Some(letter);
                after
            }
        };
    }
}

/// What follows the beginning of a group, whose `(` was read.
fn group(text: &str) -> Option<&str> {
    let Some(special) = text.strip_prefix('?') else { return Some(text) };
    for start in [":", "=", "!", "<=", "<!"] {
        if let Some(rest) = special.strip_prefix(start) {
            return Some(rest);
        }
    }
    let (name, rest) = special.strip_prefix('<')?.split_once('>')?;
    let word = name.starts_with(|first: char| first.is_ascii_alphabetic()) && name.bytes().all(|byte| byte.is_ascii_alphanumeric());
    word.then_some(rest)
}

/// What follows `{2}`, `{2,}` or `{2,5}`, whose `{` was read.
fn count(text: &str) -> Option<&str> {
    let (count, rest) = text.split_once('}')?;
    let (least, most) = count.split_once(',').unwrap_or((count, ""));
    let least: u32 = least.parse().ok()?;
    let fits = most.is_empty() || most.parse::<u32>().is_ok_and(|most| least <= most);
    (fits && count.bytes().all(|byte| byte.is_ascii_digit() || byte == b',')).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_every_engine_reads_is_kept_and_what_one_alone_reads_is_not() {
        for pattern in [
            "",
            "^[a-z0-9_-]+$",
            r"^\d{4}-\d{2}(-\d{2})?$",
            "^(?:a|b)*?$",
            "^(?<year>[0-9]{2,})$",
            r"^[\w.+-]+@[\w-]+\.[a-z]+$",
            r"\p{L}+",
            "^#[0-9a-fA-F]{3,6}$",
        ] {
            assert!(is_portable(pattern), "{pattern}");
        }
        for pattern in [
            "(?i)abc",
            "(?P<x>a)",
            r"\Aabc\Z",
            "a++",
            "[",
            "(",
            ")",
            "a{2",
            "*a",
            "a{3,2}",
            "[z-a]",
            "[[:alpha:]]",
            "[a&&b]",
            r"\-",
            "]",
            r"\h",
        ] {
            assert!(!is_portable(pattern), "{pattern}");
        }
    }
}
