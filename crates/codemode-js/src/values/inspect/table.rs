//! The text that `console.table` prints.

use std::collections::HashMap;

use unicode_width::UnicodeWidthStr;

use super::{Allowance, Inspector, View, print_text, quote};
use crate::realm::{Halt, Key, Kind, Property, Realm, Slot};

/// How a cell is shown: on one line, short.
const CELL: View = View { depth: 0, most_items: 3, line_width: usize::MAX / 4 };

/// An object in a cell with more properties than this is shown by its class.
const PROPERTIES_IN_CELL: usize = 2;

/// What a cell takes at least besides its text, in bytes.
const CELL_BYTES: usize = 6;

/// The text that `console.table` prints for `data`, without the line end; for what is no object, the text of `console.log`.
///
/// `columns` are the names to show, where the program gives them. Rows that would pass `most` bytes are left out.
///
/// # Errors
/// When the run is over.
pub fn table_text<R: Realm>(realm: &R, data: &R::Value, columns: Option<&[String]>, most: usize) -> Result<String, Halt> {
    let mut allowance = Allowance::new(realm.guard(), most);
    let kind = realm.kind(data);
    let mut maker = Maker { realm, allowance: &mut allowance, most };
    let table = match kind {
        Kind::Map | Kind::Set => maker.members(data, kind)?,
        Kind::Undefined | Kind::Null | Kind::Boolean | Kind::Number | Kind::BigInt | Kind::Text | Kind::Symbol => {
            return print_text(realm, std::slice::from_ref(data), most);
        }
        Kind::Function | Kind::Class | Kind::Proxy => return print_text(realm, std::slice::from_ref(data), most),
        _ => maker.rows(data, columns)?,
    };
    Ok(table.text(most))
}

/// A table: its head, and the cells of each row, of which a short row lacks the last.
#[derive(Default)]
struct Table {
    head: Vec<String>,
    rows: Vec<Vec<String>>,
}

struct Maker<'m, R: Realm> {
    realm: &'m R,
    allowance: &'m mut Allowance,
    most: usize,
}

impl<R: Realm> Maker<'_, R> {
    fn members(&mut self, data: &R::Value, kind: Kind) -> Result<Table, Halt> {
        let mut table = Table { head: vec!["(iteration index)".to_owned()], rows: Vec::new() };
        if kind == Kind::Map {
            table.head.push("Key".to_owned());
        }
        table.head.push("Values".to_owned());
        // Each row takes more bytes than this.
        let most = self.most / (2 * CELL_BYTES) + 1;
        for (index, (key, value)) in self.realm.entries(data, most)?.iter().enumerate() {
            if self.is_full(table.rows.len(), table.head.len()) {
                break;
            }
            let mut row = vec![index.to_string()];
            if kind == Kind::Map {
                row.push(self.cell(key)?);
            }
            row.push(self.cell(value)?);
            table.rows.push(row);
        }
        Ok(table)
    }

    fn rows(&mut self, data: &R::Value, columns: Option<&[String]>) -> Result<Table, Halt> {
        let mut rows = Rows { names: HashMap::new(), table: Table::default(), values: Vec::new(), has_values: false };
        rows.table.head.push("(index)".to_owned());
        for name in columns.unwrap_or_default() {
            rows.column(name);
        }
        let realm = self.realm;
        if matches!(realm.kind(data), Kind::Array | Kind::TypedArray) {
            for index in 0..u32::try_from(realm.length(data)).unwrap_or(u32::MAX) {
                if self.is_full(rows.table.rows.len(), rows.table.head.len()) {
                    break;
                }
                self.allowance.look()?;
                if let Slot::Data(item) = realm.element(data, index)? {
                    self.row(&index.to_string(), &item, columns.is_some(), &mut rows)?;
                }
            }
        }
        realm.each_property(data, false, &mut |property| {
            if self.is_full(rows.table.rows.len(), rows.table.head.len()) {
                return Ok(false);
            }
            self.allowance.look()?;
            if let Property { key: Key::Text(name), slot: Slot::Data(item), .. } = &property {
                self.row(name, item, columns.is_some(), &mut rows)?;
            }
            Ok(true)
        })?;
        Ok(rows.finish())
    }

    fn row(&mut self, index: &str, item: &R::Value, has_columns: bool, rows: &mut Rows) -> Result<(), Halt> {
        let index = quote::first_bytes(index, self.allowance.left);
        self.allowance.spend(self.realm, index.len() + CELL_BYTES)?;
        let realm = self.realm;
        let mut row = vec![index.to_owned()];
        let mut value = String::new();
        let kind = realm.kind(item);
        let is_object = !matches!(
            kind,
            Kind::Undefined | Kind::Null | Kind::Boolean | Kind::Number | Kind::BigInt | Kind::Text | Kind::Symbol | Kind::Proxy
        );
        if !is_object {
            if !has_columns {
                value = self.cell(item)?;
                rows.has_values = true;
            }
        } else {
            if matches!(kind, Kind::Array | Kind::TypedArray) {
                for index in 0..u32::try_from(realm.length(item)).unwrap_or(u32::MAX) {
                    if self.allowance.is_spent() {
                        break;
                    }
                    self.allowance.look()?;
                    if let Slot::Data(part) = realm.element(item, index)? {
                        self.put(&index.to_string(), &part, has_columns, rows, &mut row)?;
                    }
                }
            }
            realm.each_property(item, false, &mut |property| {
                self.allowance.look()?;
                if let Property { key: Key::Text(name), slot: Slot::Data(part), .. } = &property {
                    self.put(name, part, has_columns, rows, &mut row)?;
                }
                Ok(!self.allowance.is_spent())
            })?;
        }
        rows.table.rows.push(row);
        rows.values.push(value);
        Ok(())
    }

    /// Puts a part of a row into its column; a new one where the program named none.
    fn put(&mut self, name: &str, part: &R::Value, has_columns: bool, rows: &mut Rows, row: &mut Vec<String>) -> Result<(), Halt> {
        let column = match rows.names.get(name) {
            Some(column) => *column,
            None if has_columns => return Ok(()),
            None => {
                let name = quote::first_bytes(name, self.allowance.left);
                self.allowance.spend(self.realm, name.len() + CELL_BYTES)?;
                rows.column(name)
            }
        };
        if row.len() <= column {
            row.resize(column + 1, String::new());
        }
        row[column] = self.cell(part)?;
        Ok(())
    }

    fn cell(&mut self, value: &R::Value) -> Result<String, Halt> {
        let kind = self.realm.kind(value);
        let mut depth = CELL.depth;
        if !matches!(kind, Kind::Array | Kind::TypedArray | Kind::Text | Kind::Proxy) {
            let mut properties = 0;
            self.realm.each_property(value, false, &mut |_| {
                properties += 1;
                Ok(properties <= PROPERTIES_IN_CELL)
            })?;
            if properties > PROPERTIES_IN_CELL {
                depth = -1;
            }
        }
        self.allowance.spend(self.realm, CELL_BYTES)?;
        Inspector::new(self.realm, self.allowance, View { depth, ..CELL }).value(value, 0)
    }

    /// Whether one row more would pass what may be printed. Rows of very different columns take the most.
    fn is_full(&self, rows: usize, columns: usize) -> bool {
        self.allowance.is_spent() || (rows + 1).saturating_mul(columns).saturating_mul(CELL_BYTES) > self.most
    }
}

/// Rows of objects, whose properties make the columns.
struct Rows {
    names: HashMap<String, usize>,
    table: Table,
    /// What stands under `Values`: rows that are no objects.
    values: Vec<String>,
    has_values: bool,
}

impl Rows {
    fn column(&mut self, name: &str) -> usize {
        if let Some(column) = self.names.get(name) {
            return *column;
        }
        self.table.head.push(name.to_owned());
        self.names.insert(name.to_owned(), self.table.head.len() - 1);
        self.table.head.len() - 1
    }

    fn finish(mut self) -> Table {
        if self.has_values {
            let column = self.table.head.len();
            self.table.head.push("Values".to_owned());
            for (row, value) in self.table.rows.iter_mut().zip(self.values) {
                row.resize(column, String::new());
                row.push(value);
            }
        }
        self.table
    }
}

impl Table {
    /// The table in lines; a wide column pads every row, so that rows past `most` bytes are not even made.
    fn text(&self, most: usize) -> String {
        // No column needs to be wider than all that is printed.
        let mut widths: Vec<usize> = self.head.iter().map(|name| name.width().min(most)).collect();
        for row in &self.rows {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = (*width).max(cell.width()).min(most);
            }
        }
        let rule = |left: char, middle: &str, right: char| {
            let spans: Vec<String> = widths.iter().map(|width| "─".repeat(width + 2)).collect();
            format!("{left}{}{right}", spans.join(middle))
        };
        let mut text = rule('┌', "┬", '┐');
        text.push('\n');
        write_row(&mut text, &self.head, &widths);
        text.push_str(&rule('├', "┼", '┤'));
        text.push('\n');
        for row in &self.rows {
            if text.len() > most {
                break;
            }
            write_row(&mut text, row, &widths);
        }
        text.push_str(&rule('└', "┴", '┘'));
        text
    }
}

fn write_row(text: &mut String, row: &[String], widths: &[usize]) {
    for (column, width) in widths.iter().enumerate() {
        let cell = row.get(column).map_or("", String::as_str);
        text.push_str(if column == 0 { "│ " } else { " │ " });
        text.push_str(cell);
        text.push_str(&" ".repeat(width.saturating_sub(cell.width())));
    }
    text.push_str(" │\n");
}
