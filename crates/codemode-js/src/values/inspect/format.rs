//! The text of a line of output: `console.log` with its placeholders.

use super::{Allowance, DEPTH, Inspector, View, plural, primitive_text, signed_number};
use crate::realm::{Halt, Kind, Realm};
use crate::values::encode::{Crossing, EncodeBounds, Unencoded, to_json};
use crate::values::numeral::{leading_numeral, number_of_text};
use codemode_core::Unit;

/// The longest numeral that is read of a string, in bytes.
const NUMERAL_BYTES: usize = 512;

/// The text that `console.log` prints for these arguments, without the line end. Little more than `most` bytes are made, which is one
/// more than there is room for: what was left out then counts as dropped.
///
/// The first may have placeholders: `%s`, `%d`, `%i`, `%f`, `%j`, `%o`, `%O`, `%c` and `%%`.
///
/// # Errors
/// When the run is over.
pub fn print_text<R: Realm>(realm: &R, arguments: &[R::Value], most: usize) -> Result<String, Halt> {
    let mut allowance = Allowance::new(realm.guard(), most);
    let mut line = Line { realm, allowance: &mut allowance, text: String::new() };
    let mut rest = arguments.iter();
    if let [first, _, ..] = arguments
        && realm.kind(first) == Kind::Text
    {
        rest.next();
        let format = line.whole_text(first)?;
        if !line.fill(&format, &mut rest)? {
            line.text.push_str(&format);
        }
        line.space_before(rest.len());
    }
    while let Some(argument) = rest.next() {
        if line.allowance.is_spent() {
            break;
        }
        line.argument(argument)?;
        line.space_before(rest.len());
    }
    Ok(line.text)
}

struct Line<'l, R: Realm> {
    realm: &'l R,
    allowance: &'l mut Allowance,
    text: String,
}

impl<R: Realm> Line<'_, R> {
    fn space_before(&mut self, left: usize) {
        if left > 0 {
            self.text.push(' ');
        }
    }

    /// A string as far as it can be printed.
    fn whole_text(&mut self, value: &R::Value) -> Result<String, Halt> {
        let mut text = String::new();
        let allowance = &mut *self.allowance;
        let mut spent = Ok(());
        self.realm.read_text(value, &mut |piece| {
            // A little more than can be held shows that something was dropped.
            let piece = codemode_core::text::prefix(piece, allowance.left.saturating_add(4));
            spent = allowance.spend(self.realm, piece.len());
            if spent.is_ok() {
                text.push_str(piece);
            }
        })?;
        spent.map(|()| text)
    }

    fn argument(&mut self, value: &R::Value) -> Result<(), Halt> {
        let shown = if self.realm.kind(value) == Kind::Text { self.whole_text(value)? } else { self.inspect(value, DEPTH)? };
        self.text.push_str(&shown);
        Ok(())
    }

    fn inspect(&mut self, value: &R::Value, depth: i32) -> Result<String, Halt> {
        Inspector::new(self.realm, self.allowance, View { depth, ..View::WHOLE }).value(value, 0)
    }

    /// Writes the format with its placeholders filled; false where it has none, and nothing was written.
    fn fill<'v>(&mut self, format: &str, arguments: &mut impl ExactSizeIterator<Item = &'v R::Value>) -> Result<bool, Halt>
    where
        R::Value: 'v,
    {
        let mut written = 0;
        let mut at = 0;
        let bytes = format.as_bytes();
        while at + 1 < bytes.len() {
            if bytes[at] != b'%' {
                at += 1;
                continue;
            }
            let placeholder = bytes[at + 1];
            if placeholder == b'%' {
                self.text.push_str(&format[written..=at]);
            } else if is_placeholder(placeholder)
                && !self.allowance.is_spent()
                && let Some(argument) = arguments.next()
            {
                self.text.push_str(&format[written..at]);
                let filled = self.placeholder(placeholder, argument)?;
                self.text.push_str(&filled);
            } else {
                at += 2;
                continue;
            }
            at += 2;
            written = at;
        }
        if written > 0 {
            self.text.push_str(&format[written..]);
        }
        Ok(written > 0)
    }

    fn placeholder(&mut self, placeholder: u8, value: &R::Value) -> Result<String, Halt> {
        let kind = self.realm.kind(value);
        let filled = match placeholder {
            b's' => match kind {
                Kind::Text => return self.whole_text(value),
                _ => return self.inspect(value, 0),
            },
            b'o' => return self.inspect(value, 4),
            b'O' => return self.inspect(value, DEPTH),
            b'c' => String::new(),
            b'j' => self.json(value)?,
            _ if kind == Kind::BigInt => primitive_text(self.realm, value, kind, self.allowance.left)?.unwrap_or_default(),
            b'd' => signed_number(self.number(value, kind)?),
            b'i' => signed_number(self.leading_number(value, kind)?.trunc()),
            _ => signed_number(self.leading_number(value, kind)?),
        };
        self.allowance.spend(self.realm, filled.len())?;
        Ok(filled)
    }

    /// What `Number(value)` gives, where no code of the program has to run for it.
    fn number(&self, value: &R::Value, kind: Kind) -> Result<f64, Halt> {
        Ok(match kind {
            Kind::Number | Kind::Date => self.realm.number(value),
            Kind::Boolean => f64::from(u8::from(self.realm.boolean(value))),
            Kind::Null => 0.0,
            Kind::Text => number_of_text(&self.numeral(value)?),
            _ => f64::NAN,
        })
    }

    /// What `parseFloat(value)` gives.
    fn leading_number(&self, value: &R::Value, kind: Kind) -> Result<f64, Halt> {
        Ok(match kind {
            Kind::Number => self.realm.number(value),
            Kind::Text => leading_numeral(self.numeral(value)?.trim_start()).parse().unwrap_or(f64::NAN),
            _ => f64::NAN,
        })
    }

    fn numeral(&self, value: &R::Value) -> Result<String, Halt> {
        Ok(crate::values::lookup::text_of(self.realm, value, NUMERAL_BYTES)?.unwrap_or_default())
    }

    fn json(&mut self, value: &R::Value) -> Result<String, Halt> {
        if self.realm.kind(value) == Kind::Undefined {
            return Ok("undefined".to_owned());
        }
        let bounds = EncodeBounds::size(self.allowance.left as u64, Unit::Bytes);
        Ok(match to_json(self.realm, value, Crossing::ValueAtOnce, &bounds) {
            Ok(encoded) => encoded.json.text().to_owned(),
            Err(Unencoded::Halt) => return Err(Halt),
            Err(Unencoded::Refused(why)) => format!("[{why}]"),
            Err(Unencoded::TooLarge { observed, .. }) => format!("[json of {observed} byte{} or more]", plural(observed as usize)),
            Err(Unencoded::Pending(_) | Unencoded::Rejected(_)) => "[a promise]".to_owned(),
        })
    }
}

fn is_placeholder(byte: u8) -> bool {
    matches!(byte, b's' | b'd' | b'i' | b'f' | b'j' | b'o' | b'O' | b'c')
}
