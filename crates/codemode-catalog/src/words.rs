//! Splits names and prose into words that can be compared: folded in case and accents, without their common endings.

/// Words that carry no meaning of their own in a search.
const FILLERS: &[&str] = &[
    "a", "about", "all", "am", "an", "and", "any", "are", "as", "at", "be", "been", "but", "by", "can", "could", "did", "do", "does",
    "for", "from", "had", "has", "have", "he", "her", "here", "him", "his", "how", "i", "if", "in", "into", "is", "it", "its", "me", "my",
    "no", "not", "of", "on", "onto", "or", "our", "out", "please", "she", "should", "so", "some", "than", "that", "the", "their", "them",
    "then", "there", "these", "they", "this", "those", "to", "too", "up", "us", "want", "was", "we", "were", "what", "when", "where",
    "which", "while", "who", "whom", "whose", "why", "will", "with", "would", "you", "your",
];

/// Words longer than this are cut; nobody types them.
const MOST_BYTES: usize = 64;

/// Calls `found` with each word of `text`, as it is compared, at most `most` times.
///
/// Identifiers are split at changes of case, at digits and at punctuation; runs of Chinese, Japanese and Korean
/// characters become their overlapping pairs.
pub(crate) fn each_word(text: &str, most: usize, mut found: impl FnMut(&str)) {
    let mut left = most;
    each_run(text, |run, kind| {
        if left == 0 {
            return false;
        }
        if kind == Kind::Wide {
            let letters: Vec<char> = run.chars().collect();
            for pair in letters.windows(2.min(letters.len())) {
                if left == 0 {
                    return false;
                }
                left -= 1;
                found(&pair.iter().collect::<String>());
            }
        } else {
            left -= 1;
            found(&stem(&folded(run)));
        }
        true
    });
}

/// The words of a query that are worth searching for: all but the fillers, or all where there are only fillers.
pub(crate) fn query_words(query: &str, most: usize) -> Vec<String> {
    let mut words: Vec<(String, bool)> = Vec::new();
    each_run(query, |run, kind| {
        let filler = kind == Kind::Letters && FILLERS.binary_search(&run.to_lowercase().as_str()).is_ok();
        each_word(run, most, |word| {
            if !words.iter().any(|(known, _)| known == word) {
                words.push((word.to_owned(), filler));
            }
        });
        words.len() < most
    });
    if words.iter().any(|(_, filler)| !filler) {
        words.retain(|(_, filler)| !filler);
    }
    words.into_iter().map(|(word, _)| word).collect()
}

/// What a run of characters is made of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Letters,
    Digits,
    /// Characters of scripts that put no blanks between words.
    Wide,
}

/// Calls `found` with each run of characters that belong together, until it says to stop.
fn each_run(text: &str, mut found: impl FnMut(&str, Kind) -> bool) {
    let mut start = 0;
    let mut current: Option<Kind> = None;
    let mut letters = text.char_indices().peekable();
    let mut before = ' ';
    while let Some((place, letter)) = letters.next() {
        let kind = kind_of(letter);
        let next = letters.peek().map_or(' ', |(_, next)| *next);
        let same = kind == current && !(kind == Some(Kind::Letters) && is_break(before, letter, next));
        if !same {
            if let Some(kind) = current
                && !found(&text[start..place], kind)
            {
                return;
            }
            start = place;
            current = kind;
        }
        before = letter;
    }
    if let Some(kind) = current {
        found(&text[start..], kind);
    }
}

/// Whether a word begins at `letter`: `fileName`, `HTTPServer`.
fn is_break(before: char, letter: char, next: char) -> bool {
    letter.is_uppercase() && (before.is_lowercase() || (before.is_uppercase() && next.is_lowercase()))
}

fn kind_of(letter: char) -> Option<Kind> {
    match letter {
        // Combining marks stay with their letter; folding drops them.
        '\u{300}'..='\u{36f}' => Some(Kind::Letters),
        '\u{3040}'..='\u{30ff}'
        | '\u{31f0}'..='\u{31ff}'
        | '\u{3400}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}'
        | '\u{ac00}'..='\u{d7af}'
        | '\u{f900}'..='\u{faff}'
        | '\u{ff66}'..='\u{ff9f}'
        | '\u{20000}'..='\u{3ffff}' => Some(Kind::Wide),
        _ if letter.is_numeric() => Some(Kind::Digits),
        _ if letter.is_alphabetic() => Some(Kind::Letters),
        _ => None,
    }
}

/// A word in lower case, without accents.
fn folded(word: &str) -> String {
    let mut folded = String::with_capacity(word.len());
    for letter in word.chars().flat_map(char::to_lowercase) {
        match letter {
            '\u{300}'..='\u{36f}' => continue,
            'à'..='å' | 'ā' | 'ă' | 'ą' => folded.push('a'),
            'ç' | 'ć' | 'ĉ' | 'ċ' | 'č' => folded.push('c'),
            'ď' | 'đ' | 'ð' => folded.push('d'),
            'è'..='ë' | 'ē' | 'ĕ' | 'ė' | 'ę' | 'ě' => folded.push('e'),
            'ĝ' | 'ğ' | 'ġ' | 'ģ' => folded.push('g'),
            'ì'..='ï' | 'ĩ' | 'ī' | 'ĭ' | 'į' | 'ı' => folded.push('i'),
            'ł' | 'ĺ' | 'ļ' | 'ľ' => folded.push('l'),
            'ñ' | 'ń' | 'ņ' | 'ň' => folded.push('n'),
            'ò'..='ö' | 'ø' | 'ō' | 'ŏ' | 'ő' => folded.push('o'),
            'ŕ' | 'ŗ' | 'ř' => folded.push('r'),
            'ś' | 'ŝ' | 'ş' | 'š' => folded.push('s'),
            'ţ' | 'ť' | 'ŧ' => folded.push('t'),
            'ù'..='ü' | 'ũ' | 'ū' | 'ŭ' | 'ů' | 'ű' | 'ų' => folded.push('u'),
            'ý' | 'ÿ' => folded.push('y'),
            'ź' | 'ż' | 'ž' => folded.push('z'),
            'æ' => folded.push_str("ae"),
            'œ' => folded.push_str("oe"),
            'ß' => folded.push_str("ss"),
            other => folded.push(other),
        }
        if folded.len() >= MOST_BYTES {
            break;
        }
    }
    folded
}

/// A folded word without its plural, its `-ing` or `-ed`, a last `e` and a doubled last consonant.
///
/// The result need not be a word: it only has to be the same for the forms of one word.
fn stem(word: &str) -> String {
    let mut stem = word;
    if !word.is_ascii() || word.len() < 3 {
        return word.to_owned();
    }
    if stem.len() > 3 && stem.ends_with('s') && !["ss", "us", "is"].iter().any(|end| stem.ends_with(end)) {
        stem = &stem[..stem.len() - 1];
    }
    if let Some(start) = stem.strip_suffix("ie").filter(|start| start.len() > 2) {
        return format!("{start}y");
    }
    if let Some(start) = stem.strip_suffix("ied").filter(|start| start.len() > 2) {
        return format!("{start}y");
    }
    for ending in ["ing", "ed"] {
        if let Some(start) = stem.strip_suffix(ending).filter(|start| start.len() > 2 && has_vowel(start)) {
            stem = start;
            break;
        }
    }
    if stem.len() > 3 {
        stem = stem.strip_suffix('e').unwrap_or(stem);
    }
    let bytes = stem.as_bytes();
    if let [.., one, two] = bytes
        && one == two
        && bytes.len() > 3
        && !is_vowel(*two)
    {
        stem = &stem[..stem.len() - 1];
    }
    stem.to_owned()
}

fn has_vowel(word: &str) -> bool {
    word.bytes().any(is_vowel)
}

fn is_vowel(letter: u8) -> bool {
    matches!(letter, b'a' | b'e' | b'i' | b'o' | b'u' | b'y')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        let mut words = Vec::new();
        each_word(text, 100, |word| words.push(word.to_owned()));
        words
    }

    #[test]
    fn fillers_are_sorted_for_the_search() {
        assert!(FILLERS.is_sorted());
    }

    #[test]
    fn names_are_split_however_they_are_written() {
        for name in ["read_text_file", "readTextFile", "ReadTextFile", "read-text-file", "READ_TEXT_FILE", "API/read.text file"] {
            let found = words(name);
            assert_eq!(found[found.len() - 3..], ["read", "text", "fil"], "{name}");
        }
        assert_eq!(words("parseHTTPServer2xx"), ["pars", "http", "server", "2", "xx"]);
        assert_eq!(words("prévisions_météo"), ["prevision", "meteo"]);
        assert_eq!(words("nai\u{308}ve"), words("naïve"));
        assert_eq!(words("検索する ok 東"), ["検索", "索す", "する", "ok", "東"]);
        assert_eq!(words("--$ \u{200b}"), Vec::<String>::new());
    }

    #[test]
    fn the_forms_of_a_word_are_one() {
        for forms in [
            ["rename", "renames", "renamed", "renaming"],
            ["archive", "archives", "archived", "archiving"],
            ["query", "queries", "queried", "querying"],
            ["run", "runs", "run", "running"],
            ["roll", "rolls", "rolled", "rolling"],
            ["database", "databases", "database", "database"],
            ["address", "addresses", "addressed", "addressing"],
            ["branch", "branches", "branched", "branching"],
            ["status", "statuses", "status", "status"],
        ] {
            let stems: Vec<String> = forms.iter().map(|form| stem(form)).collect();
            assert!(stems.iter().all(|stem| *stem == stems[0]), "{forms:?} became {stems:?}");
        }
        assert_eq!(["sing", "red", "bus", "is", "string", "need"].map(stem), ["sing", "red", "bus", "is", "string", "need"]);
    }

    #[test]
    fn a_query_loses_its_fillers_unless_it_has_nothing_else() {
        assert_eq!(query_words("Who is the owner of this file?", 16), ["owner", "fil"]);
        assert_eq!(query_words("who is it", 16), ["who", "is", "it"]);
        assert_eq!(query_words("file files FILE", 16), ["fil"]);
        assert_eq!(query_words("a b c d e", 2), ["b"]);
        assert_eq!(query_words("", 16), Vec::<String>::new());
    }
}
