//! Rule: every bullet on an engine's page of limitations starts with the id of its gap.

use std::collections::BTreeSet;

use super::Finding;
use super::tree::File;

const PAGES: &str = "docs/limitations/";

pub(super) fn check(files: &[File]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in files.iter().filter(|file| file.path.starts_with(PAGES) && file.path.ends_with(".md")) {
        let mut seen = BTreeSet::new();
        let mut in_code = false;
        for (number, line) in file.text.lines().enumerate() {
            in_code ^= line.starts_with("```");
            let Some(bullet) = line.strip_prefix("- ").or_else(|| line.strip_prefix("* ")) else {
                continue;
            };
            if in_code {
                continue;
            }
            match gap_id(bullet) {
                None => findings.push(Finding::new(
                    &file.path,
                    number + 1,
                    "a bullet starts with the id of its gap, as in - `id`: what is different",
                )),
                Some(id) if !seen.insert(id) => {
                    findings.push(Finding::new(&file.path, number + 1, format!("the gap `{id}` has two bullets")))
                }
                Some(_) => {}
            }
        }
    }
    findings
}

/// The id between backticks at the start of a bullet.
fn gap_id(bullet: &str) -> Option<&str> {
    let (id, _) = bullet.strip_prefix('`')?.split_once('`')?;
    let valid = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '_' | '.');
    (!id.is_empty() && id.chars().all(valid)).then_some(id)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(path: &str, text: &str) -> Vec<(usize, String)> {
        check(&[File { path: path.to_owned(), text: text.to_owned() }]).into_iter().map(|found| (found.line, found.message)).collect()
    }

    #[test]
    fn a_bullet_without_its_id_and_an_id_with_two_bullets_are_found() {
        let text =
            "# LuaJIT\n\n- `one-gap`: text.\n  - a detail.\n- No id.\n- `Not An Id` text.\n* `one-gap` again.\n```text\n- code\n```\n";
        let no_id = || "a bullet starts with the id of its gap, as in - `id`: what is different".to_owned();
        assert_eq!(
            lines("docs/limitations/luajit.md", text),
            [(5, no_id()), (6, no_id()), (7, "the gap `one-gap` has two bullets".to_owned())]
        );
    }

    #[test]
    fn other_pages_have_bullets_of_their_own() {
        assert_eq!(lines("docs/architecture.md", "- No id.\n"), []);
    }
}
