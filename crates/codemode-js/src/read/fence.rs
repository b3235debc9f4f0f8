//! Markdown around a program: which block is the program, and the source with all else blanked.

use std::borrow::Cow;

use codemode_core::{Profile, Raised};

use super::bound;
use super::evidence;
use super::foreign;
use super::parse::parse;
use super::refuse::refuse_at;
use super::scan::scan;

/// A fenced block: the line of its fence, and its inside.
#[derive(Debug, Clone, Copy)]
struct Block<'s> {
    label: &'s str,
    fence: usize,
    start: usize,
    end: usize,
}

/// The text with a first line that names something to run JavaScript with blanked, if it has one.
pub(super) fn without_shebang(text: &str) -> Cow<'_, str> {
    let start = text.len() - foreign::from_first(text).len();
    match text[start..].strip_prefix("#!") {
        Some(rest) if runs_javascript(rest.lines().next().unwrap_or_default()) => {
            let end = rest.find('\n').map_or(text.len(), |end| start + 2 + end);
            Cow::Owned(keep(text, end, text.len()))
        }
        _ => Cow::Borrowed(text),
    }
}

fn runs_javascript(command: &str) -> bool {
    ["node", "deno", "bun", "tsx", "ts-node", "qjs", "quickjs", "codemode"].iter().any(|runner| command.contains(runner))
}

/// Finds the program in the fences of a source, if there are any: the source with all else blanked, so that each line stays
/// where it was sent.
///
/// # Errors
/// When several blocks are programs.
pub(super) fn unfence(source: &str, profile: &Profile) -> Result<Option<String>, Raised> {
    let found = blocks(source);
    let chosen = match &found[..] {
        [] => return Ok(None),
        // A lone fence after the program is what is left of a pair.
        [only] if source[only.start..only.end].trim().is_empty() && !source[..only.fence].trim().is_empty() => {
            return Ok(Some(keep(source, 0, only.fence)));
        }
        several if stands_in_code(source, several) => return Ok(None),
        [only] => *only,
        several => choose(source, several, profile)?,
    };
    let text = keep(source, chosen.start, chosen.end);
    // A block of Markdown may hold the block that is meant.
    let inside = text.trim_start();
    if (inside.starts_with("```") || inside.starts_with("~~~"))
        && let [only] = blocks(&text)[..]
    {
        return Ok(Some(keep(&text, only.start, only.end)));
    }
    Ok(Some(text))
}

/// Whether declarations stand around the blocks: then they are in a comment or a template of it, and none of them is the program.
fn stands_in_code(source: &str, blocks: &[Block<'_>]) -> bool {
    let ends = std::iter::once(0).chain(blocks.iter().map(|block| block.end));
    let starts = blocks.iter().map(|block| block.fence).chain([source.len()]);
    ends.zip(starts).any(|(end, start)| source[end..start].lines().any(evidence::declares))
}

/// The block that is the program, among several.
fn choose<'s>(source: &str, blocks: &[Block<'s>], profile: &Profile) -> Result<Block<'s>, Raised> {
    let named: Vec<Block<'s>> = blocks.iter().filter(|block| names_javascript(block.label)).copied().collect();
    let candidates =
        if named.is_empty() { blocks.iter().filter(|block| parses(&source[block.start..block.end])).copied().collect() } else { named };
    match candidates[..] {
        [] => Ok(blocks[0]),
        [only] => Ok(only),
        [first, second, ..] => {
            let line = source[..first.fence].matches('\n').count() + 1;
            let mut raised = refuse_at(source, second.fence, &format!("two programs were sent; the first begins at line {line}"));
            raised.fix = Some(format!("send one program: {}", foreign::shape(profile)));
            Err(raised)
        }
    }
}

fn names_javascript(label: &str) -> bool {
    let word = label.split(|character: char| !character.is_ascii_alphanumeric()).find(|word| !word.is_empty()).unwrap_or_default();
    ["js", "javascript", "mjs", "cjs", "ts", "typescript", "mts", "cts", "node", "jsx", "tsx", "ecmascript"]
        .iter()
        .any(|name| word.eq_ignore_ascii_case(name))
}

fn parses(text: &str) -> bool {
    let scanned = scan(text);
    scanned.first.is_some() && bound::check(text, &scanned).is_ok() && matches!(parse(text, scanned.depth, |_| ()), Ok(Ok(())))
}

/// The fenced blocks of a Markdown text. A fence that nothing closes reaches to the end.
fn blocks(source: &str) -> Vec<Block<'_>> {
    let mut blocks: Vec<Block<'_>> = Vec::new();
    let mut open: Option<(char, usize)> = None;
    let mut at = 0;
    for line in source.split_inclusive('\n') {
        let next = at + line.len();
        let trimmed = line.trim_matches(|character: char| character.is_whitespace() || character == '\u{feff}');
        let fence = trimmed.chars().next().filter(|first| matches!(first, '`' | '~')).map(|first| {
            let length = trimmed.chars().take_while(|character| *character == first).count();
            (first, length, &trimmed[length..])
        });
        match (open, fence) {
            (None, Some((character, length, label))) if length >= 3 && !label.contains('`') => {
                open = Some((character, length));
                blocks.push(Block { label: label.trim(), fence: at, start: next, end: source.len() });
            }
            (Some((opened, least)), Some((character, length, ""))) if character == opened && length >= least => {
                open = None;
                if let Some(block) = blocks.last_mut() {
                    block.end = at;
                }
            }
            _ => {}
        }
        at = next;
    }
    blocks
}

/// `source` with one space for each character outside of `start..end`, line ends kept.
fn keep(source: &str, start: usize, end: usize) -> String {
    let blanked =
        |text: &str| text.chars().map(|character| if matches!(character, '\n' | '\r') { character } else { ' ' }).collect::<String>();
    format!("{}{}{}", blanked(&source[..start]), &source[start..end], blanked(&source[end..]))
}
