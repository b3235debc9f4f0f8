//! Words as a POSIX shell reads them back.

use std::borrow::Cow;

/// A word that a shell reads as this text: as it is where nothing in it means anything, else in single quotes.
pub(crate) fn quoted(word: &str) -> Cow<'_, str> {
    let plain = |character: char| character.is_ascii_alphanumeric() || "-_./:=,@%+".contains(character);
    if !word.is_empty() && word.chars().all(plain) {
        return Cow::Borrowed(word);
    }
    Cow::Owned(format!("'{}'", word.replace('\'', r"'\''")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shell_reads_each_word_back() {
        for word in ["plain", "/usr/bin/codemode", "--mcp-config=a.json", "", "two words", "it's", "$HOME", "a\nb", "\"", "~"] {
            let read = std::process::Command::new("sh").args(["-c", &format!("printf %s {}", quoted(word))]).output().expect("a shell");
            assert_eq!(String::from_utf8(read.stdout).expect("UTF-8"), word, "{word:?}");
        }
        assert_eq!(quoted("--mcp-config=a.json"), "--mcp-config=a.json");
        assert_eq!(quoted("it's"), r"'it'\''s'");
    }
}
