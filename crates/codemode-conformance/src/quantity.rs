//! Quantities as cases write them: `"300ms"`, `"64MiB"`, or a plain number.

use std::time::Duration;

use serde::de::{Deserialize, Deserializer, Error};

/// A span of time: `"250ms"`, `"2s"`, or a number of milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Time(pub(crate) Duration);

/// A size: `"8MiB"`, `"16KiB"`, or a number of bytes (of characters, where the budget counts those).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Size(pub(crate) u64);

impl<'de> Deserialize<'de> for Time {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let millis = read(deserializer, &[("ms", 1), ("s", 1000)])?;
        Ok(Self(Duration::from_millis(millis)))
    }
}

impl<'de> Deserialize<'de> for Size {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self(read(deserializer, &[("KiB", 1 << 10), ("MiB", 1 << 20)])?))
    }
}

#[derive(serde::Deserialize)]
#[serde(untagged)]
enum Written {
    Number(u64),
    Text(String),
}

fn read<'de, D: Deserializer<'de>>(deserializer: D, units: &[(&str, u64)]) -> Result<u64, D::Error> {
    let text = match Written::deserialize(deserializer)? {
        Written::Number(number) => return Ok(number),
        Written::Text(text) => text,
    };
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let factor = units.iter().find(|(unit, _)| *unit == &text[digits..]).map(|(_, factor)| *factor);
    match (text[..digits].parse::<u64>(), factor) {
        (Ok(number), Some(factor)) if number.checked_mul(factor).is_some() => Ok(number * factor),
        _ => {
            let allowed: Vec<&str> = units.iter().map(|(unit, _)| *unit).collect();
            Err(D::Error::custom(format!("\"{text}\" is no quantity; write a number, or a number and one of {}", allowed.join(", "))))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq, serde::Deserialize)]
    struct Both {
        time: Time,
        size: Size,
    }

    #[test]
    fn quantities_carry_their_unit_or_none() {
        let both = |text: &str| toml::from_str::<Both>(text).map_err(|error| error.message().to_owned());
        let two_seconds = Time(Duration::from_secs(2));
        assert_eq!(both("time = '2s'\nsize = '3MiB'"), Ok(Both { time: two_seconds, size: Size(3 << 20) }));
        assert_eq!(both("time = 2000\nsize = 5"), Ok(Both { time: two_seconds, size: Size(5) }));
        let message = "\"2m\" is no quantity; write a number, or a number and one of ms, s";
        assert_eq!(both("time = '2m'\nsize = 5"), Err(message.to_owned()));
    }
}
