//! Estimates how large a regular expression becomes, so that matching it can be charged before it is done.

/// A step counts this many times where a pattern looks around or back: such a match may go back and forth.
const LOOKING_AROUND: usize = 2_000;
/// Estimates end here; whatever is larger is too large.
const MOST: usize = 1_000_000;

/// What matching a pattern costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PatternCost {
    /// Steps for each match, whatever the text.
    pub(crate) fixed: usize,
    /// Steps for sixteen bytes of text.
    pub(crate) per_sixteen_bytes: usize,
}

impl PatternCost {
    /// The steps that a match against a text of this many bytes is charged.
    pub(crate) fn of(self, bytes: usize) -> usize {
        self.fixed.saturating_add(self.per_sixteen_bytes.saturating_mul(bytes / 16 + 1))
    }
}

/// Estimates the cost of `pattern` from its text alone: the states it has once its counted repetitions are written out.
///
/// A pattern that does not parse costs something too; it is refused elsewhere.
pub(crate) fn pattern_cost(pattern: &str) -> PatternCost {
    let around = ["(?=", "(?!", "(?<=", "(?<!", "(?>"].iter().any(|sign| pattern.contains(sign)) || looks_back(pattern);
    PatternCost { fixed: if around { LOOKING_AROUND } else { 1 }, per_sixteen_bytes: states(pattern) }
}

/// Whether a pattern refers to what a group of it matched.
fn looks_back(pattern: &str) -> bool {
    let mut escaped = false;
    pattern.chars().any(|letter| {
        let found = escaped && matches!(letter, '1'..='9' | 'k');
        escaped = !escaped && letter == '\\';
        found
    })
}

/// The number of states, with repetitions written out.
fn states(pattern: &str) -> usize {
    // One entry for each open group: the states so far, and those of the last part, which a repetition multiplies.
    let mut open = vec![(0_usize, 0_usize)];
    let mut letters = pattern.chars().peekable();
    while let Some(letter) = letters.next() {
        let part = match letter {
            '(' => {
                open.push((0, 0));
                continue;
            }
            ')' if open.len() > 1 => open.pop().map_or(0, |(sum, last)| sum.saturating_add(last)),
            '[' => {
                skip_class(&mut letters);
                2
            }
            '{' => {
                let most = repetition(&mut letters);
                if let Some((_, last)) = open.last_mut() {
                    *last = last.saturating_mul(most.max(1)).min(MOST);
                }
                continue;
            }
            '*' | '+' | '?' | '|' | '^' | '$' => 0,
            // Classes of Unicode have many ranges.
            '\\' => match letters.next() {
                Some('p' | 'P' | 'w' | 'W' | 'd' | 'D' | 's' | 'S') => 8,
                _ => 1,
            },
            _ => 1,
        };
        if let Some((sum, last)) = open.last_mut()
            && part > 0
        {
            *sum = sum.saturating_add(*last).min(MOST);
            *last = part;
        }
    }
    open.into_iter().fold(1_usize, |all, (sum, last)| all.saturating_add(sum).saturating_add(last)).min(MOST)
}

/// Reads on to the end of a class of characters.
fn skip_class(letters: &mut std::iter::Peekable<std::str::Chars<'_>>) {
    let mut first = true;
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => {
                letters.next();
            }
            ']' if !first => return,
            '^' if first => continue,
            _ => {}
        }
        first = false;
    }
}

/// Reads `m,n}` and gives the larger number.
fn repetition(letters: &mut std::iter::Peekable<std::str::Chars<'_>>) -> usize {
    let mut most = 0_usize;
    let mut number = 0_usize;
    for letter in letters {
        match letter {
            '0'..='9' => {
                let digit = letter.to_digit(10).map_or(0, |digit| digit as usize);
                number = number.saturating_mul(10).saturating_add(digit).min(MOST);
                most = most.max(number);
            }
            '}' => break,
            _ => number = 0,
        }
    }
    most
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repetitions_in_repetitions_multiply_and_others_add() {
        for (pattern, expected) in [
            ("", 1),
            ("abc", 4),
            ("^[a-z0-9-]{1,63}$", 127),
            ("^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{12}$", 51),
            ("(ab{3}){10}", 41),
            ("^(([ab]{1,50}c?){1,50})+$", 5_051),
            ("((a{1000}){1000}){1000}", MOST),
            (r"\p{L}{2}", 17),
            ("[]a]{2}[^]b]", 7),
            (r"\{{3}", 4),
            ("(((", 1),
            (")))", 4),
            ("a{99999999999999999999}", MOST),
        ] {
            assert_eq!(states(pattern), expected, "{pattern}");
        }
    }

    #[test]
    fn looking_around_and_back_is_dear() {
        let fixed = |pattern| pattern_cost(pattern).fixed;
        assert_eq!(
            [r"^a+$", r"^(?=.*a).+$", r"(?<!a)b", r"(a)\1", r"\\1", r"(?P<n>a)\k<n>"].map(fixed),
            [1, 2_000, 2_000, 2_000, 1, 2_000]
        );
        assert_eq!(pattern_cost("abc").of(160), 45);
    }
}
