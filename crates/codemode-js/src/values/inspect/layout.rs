//! How the parts of an object are put on lines: on one where they fit, numbers and short strings in columns, else a line each.

use unicode_width::UnicodeWidthStr;

use super::View;
use super::quote::units;

/// An object whose parts are shown.
pub(super) struct Parts {
    /// What stands before the opening bracket, if anything.
    pub(super) base: String,
    /// The opening bracket, and a class name before it.
    pub(super) open: String,
    /// The closing bracket.
    pub(super) close: &'static str,
    /// Its elements and properties.
    pub(super) items: Vec<String>,
    /// Whether they are elements, which may stand in columns.
    pub(super) is_list: bool,
    /// Whether all of them are numbers, which are aligned to the right.
    pub(super) are_numbers: bool,
}

/// Objects within so many levels above the deepest are kept on one line.
const LEVELS_ON_ONE_LINE: i32 = 3;

/// Lists with more parts than this may stand in columns.
const FEW: usize = 6;

const MOST_COLUMNS: f64 = 15.0;

/// Puts the parts together. `levels` is how many levels of objects are within.
pub(super) fn lay_out(parts: Parts, view: View, indentation: usize, levels: i32) -> String {
    let Parts { base, open, close, mut items, is_list, are_numbers } = parts;
    let before = if base.is_empty() { String::new() } else { format!("{base} ") };
    let in_columns = if is_list && items.len() > FEW { columns(&items, are_numbers, view, indentation) } else { None };
    match in_columns {
        Some(lines) => items = lines,
        None if levels < LEVELS_ON_ONE_LINE => {
            let start = items.len() + indentation + units(&open) + units(&base) + 10;
            if fits(&items, start, view.line_width) && !base.contains('\n') && !items.iter().any(|item| item.contains('\n')) {
                return format!("{before}{open} {} {close}", items.join(", "));
            }
        }
        None => {}
    }
    let line = format!("\n{}", " ".repeat(indentation));
    format!("{before}{open}{line}  {}{line}{close}", items.join(&format!(",{line}  ")))
}

/// Whether the items fit on one line that has `start` units already; each takes a comma and a space.
fn fits(items: &[String], start: usize, width: usize) -> bool {
    let mut total = items.len() + start;
    if total + items.len() > width {
        return false;
    }
    items.iter().all(|item| {
        total += units(item);
        total <= width
    })
}

/// The items in columns of about the width to height of a page; nothing where they are too different in width.
#[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "counts of a hundred items")]
fn columns(items: &[String], are_numbers: bool, view: View, indentation: usize) -> Option<Vec<String>> {
    const SEPARATOR: usize = 2;
    // How many items are not shown stands on a line of its own.
    let shown = if items.len() > view.most_items { items.len() - 1 } else { items.len() };
    let widths: Vec<usize> = items.iter().take(shown).map(|item| item.width()).collect();
    let total: usize = widths.iter().map(|width| width + SEPARATOR).sum();
    let widest = widths.iter().copied().max().unwrap_or(0);
    let actual = widest + SEPARATOR;
    if actual * 3 + indentation >= view.line_width || !(total as f64 / actual as f64 > 5.0 || widest <= FEW) {
        return None;
    }
    let bias = (actual as f64 - total as f64 / items.len() as f64).sqrt();
    let biased = (actual as f64 - 3.0 - bias).max(1.0);
    let count = (2.5 * biased * shown as f64).sqrt() / biased;
    let count = count.round().min(((view.line_width - indentation) / actual) as f64).min(4.0 * 3.0).min(MOST_COLUMNS) as usize;
    if count <= 1 {
        return None;
    }
    let column_widths: Vec<usize> =
        (0..count).map(|column| widths.iter().skip(column).step_by(count).copied().max().unwrap_or(0) + SEPARATOR).collect();
    let mut lines: Vec<String> = Vec::new();
    for start in (0..shown).step_by(count) {
        let end = (start + count).min(shown);
        let mut line = String::new();
        for at in start..end {
            let is_last = at + 1 == end;
            let separator = if is_last { "" } else { ", " };
            let padding = column_widths[at - start].saturating_sub(widths[at] + SEPARATOR);
            let padding = " ".repeat(padding);
            match (are_numbers, is_last) {
                (true, _) => line.extend([&padding, &items[at], separator]),
                (false, false) => line.extend([&items[at], separator, &padding]),
                (false, true) => line.push_str(&items[at]),
            }
        }
        lines.push(line);
    }
    lines.extend(items.get(shown).cloned());
    Some(lines)
}
