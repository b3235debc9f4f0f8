//! Budgets: every limit of a run, with its ceiling, its range and an error for what lies outside.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// How a text budget counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    /// Bytes of UTF-8.
    Bytes,
    /// Unicode scalar values.
    Scalars,
}

impl Unit {
    /// The size of `text` in this unit.
    #[must_use]
    pub fn measure(self, text: &str) -> u64 {
        match self {
            Self::Bytes => text.len() as u64,
            Self::Scalars => text.chars().count() as u64,
        }
    }

    /// The most bytes of UTF-8 that `amount` of this unit can take.
    #[must_use]
    pub const fn most_bytes(self, amount: u64) -> u64 {
        match self {
            Self::Bytes => amount,
            Self::Scalars => amount.saturating_mul(4),
        }
    }

    /// The longest start of `text` that holds at most `limit` of this unit.
    #[must_use]
    pub fn prefix(self, text: &str, limit: u64) -> &str {
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        match self {
            Self::Bytes => crate::text::prefix(text, limit),
            Self::Scalars => text.char_indices().nth(limit).map_or(text, |(end, _)| &text[..end]),
        }
    }

    /// The unit's word in messages.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Bytes => "bytes",
            Self::Scalars => "characters",
        }
    }
}

/// Every limit of one run. All are on; none can be zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Budgets {
    /// The longest source, in [`Budgets::text_unit`]. A longer one is `compile`.
    pub source: u64,
    /// Time the program spends not waiting for an answer or a timer; conversion at the bridge counts.
    pub compute: Duration,
    /// Time from start to end, never extended.
    pub wall: Duration,
    /// Memory the interpreter and the bridge hold for the program, in bytes.
    pub memory_bytes: u64,
    /// Stack for the program's own recursion, in bytes, where the engine has a setting for it.
    /// Never latches: deep recursion raises an error that the program may catch.
    pub stack_bytes: u64,
    /// Calls dispatched; the next one fires the bound and reaches nobody.
    pub calls: u64,
    /// Calls that may be out at once, for tools that may overlap; one means serial. A tool that may not overlap waits for
    /// those before it, runs alone, and holds back those after it.
    pub calls_in_flight: u64,
    /// The arguments of one call as JSON, in bytes. Larger ones are invalid arguments.
    pub call_arguments_bytes: u64,
    /// One result as delivered, in bytes.
    pub call_result_bytes: u64,
    /// All results of a run together, in bytes.
    pub total_result_bytes: u64,
    /// The returned value, in [`Budgets::text_unit`]; no limit of its own where the value is output.
    pub value: u64,
    /// Output that is held, in [`Budgets::text_unit`]; what goes past it is dropped and counted.
    pub output: u64,
    /// Output as shown to a model, in bytes; the rest is in the spill file.
    pub shown_bytes: u64,
    /// How source, value and output count.
    pub text_unit: Unit,
    /// Whether output and a value that crosses as JSON share the `output` budget: the value comes first, output has the rest.
    pub joint_output: bool,
    /// Committed program state as JSON, in bytes.
    pub state_bytes: u64,
    /// Committed program state, in levels of arrays and objects: `{}` has one, a number none.
    pub state_depth: u64,
    /// Committed program state, in values: each array, object, text, number, boolean and `null` is one, a key is none.
    pub state_nodes: u64,
}

impl Default for Budgets {
    /// The least surprising set: what the profile `script` uses, with room for a returned value.
    fn default() -> Self {
        Self {
            source: 64 << 10,
            compute: Duration::from_secs(30),
            wall: Duration::from_secs(600),
            memory_bytes: 64 << 20,
            stack_bytes: 512 << 10,
            calls: 64,
            calls_in_flight: 1,
            call_arguments_bytes: 1 << 20,
            call_result_bytes: 16 << 20,
            total_result_bytes: 64 << 20,
            value: 8 << 20,
            output: 8 << 20,
            shown_bytes: 32 << 10,
            text_unit: Unit::Bytes,
            joint_output: false,
            state_bytes: 256 << 10,
            state_depth: 32,
            state_nodes: 16_384,
        }
    }
}

/// The range that one budget may be set in; both ends belong to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Range {
    /// The budget's name, as in JSON and, with `-` for `_`, as a flag.
    pub name: &'static str,
    /// What the numbers count.
    pub unit: &'static str,
    /// The least allowed value.
    pub least: u64,
    /// The greatest allowed value: the host's ceiling.
    pub most: u64,
}

/// A budget outside its range.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BudgetError {
    /// The value asked for.
    pub asked: u64,
    /// The range it had to lie in.
    pub range: Range,
}

impl fmt::Display for BudgetError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Range { name, unit, least, most } = self.range;
        write!(formatter, "budget {name} is {} {unit}, and must be {least} to {most}", self.asked)?;
        if self.asked == 0 {
            formatter.write_str("; zero never means unlimited")?;
        }
        Ok(())
    }
}

impl std::error::Error for BudgetError {}

/// The greatest value of each budget that a run may ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ceilings(
    /// A set of budgets whose values are the ceilings.
    pub Budgets,
);

impl Default for Ceilings {
    /// Wide, so that a host narrows what it cares for.
    fn default() -> Self {
        Self(Budgets {
            source: 1 << 20,
            compute: Duration::from_secs(120),
            wall: Duration::from_secs(600),
            memory_bytes: 1 << 30,
            stack_bytes: 16 << 20,
            calls: 10_000,
            calls_in_flight: 64,
            call_arguments_bytes: 16 << 20,
            call_result_bytes: 64 << 20,
            total_result_bytes: 1 << 30,
            value: 64 << 20,
            output: 64 << 20,
            shown_bytes: 1 << 20,
            text_unit: Unit::Bytes,
            joint_output: false,
            state_bytes: 8 << 20,
            state_depth: 100,
            state_nodes: 1 << 20,
        })
    }
}

/// The least memory an interpreter can start in.
const LEAST_MEMORY: u64 = 1 << 20;
/// The least stack an engine can start in.
const LEAST_STACK: u64 = 64 << 10;

/// A budget's name, its unit, its least value, and where it stands.
type Column = (&'static str, &'static str, u64, fn(&Budgets) -> u64);

const COLUMNS: [Column; 16] = [
    ("source", "bytes or characters", 1, |budgets| budgets.source),
    ("compute", "ms", 1, |budgets| millis(budgets.compute)),
    ("wall", "ms", 1, |budgets| millis(budgets.wall)),
    ("memory_bytes", "bytes", LEAST_MEMORY, |budgets| budgets.memory_bytes),
    ("stack_bytes", "bytes", LEAST_STACK, |budgets| budgets.stack_bytes),
    ("calls", "calls", 1, |budgets| budgets.calls),
    ("calls_in_flight", "calls", 1, |budgets| budgets.calls_in_flight),
    ("call_arguments_bytes", "bytes", 1, |budgets| budgets.call_arguments_bytes),
    ("call_result_bytes", "bytes", 1, |budgets| budgets.call_result_bytes),
    ("total_result_bytes", "bytes", 1, |budgets| budgets.total_result_bytes),
    ("value", "bytes or characters", 1, |budgets| budgets.value),
    ("output", "bytes or characters", 1, |budgets| budgets.output),
    ("shown_bytes", "bytes", 1, |budgets| budgets.shown_bytes),
    ("state_bytes", "bytes", 1, |budgets| budgets.state_bytes),
    ("state_depth", "levels", 1, |budgets| budgets.state_depth),
    ("state_nodes", "values", 1, |budgets| budgets.state_nodes),
];

impl Ceilings {
    /// The range of each budget under these ceilings.
    pub fn ranges(&self) -> impl Iterator<Item = Range> + '_ {
        COLUMNS.iter().map(|(name, unit, least, read)| Range { name, unit, least: *least, most: read(&self.0) })
    }

    /// Checks that each budget lies in its range.
    ///
    /// # Errors
    /// For the first budget that does not, naming the value and the range.
    pub fn check(&self, budgets: &Budgets) -> Result<(), BudgetError> {
        for ((_, _, _, read), range) in COLUMNS.iter().zip(self.ranges()) {
            let asked = read(budgets);
            if asked < range.least || asked > range.most {
                return Err(BudgetError { asked, range });
            }
        }
        Ok(())
    }
}

/// Whole milliseconds, rounded up, so that no budget under a millisecond reads as zero.
fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos().div_ceil(1_000_000)).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_and_too_much_are_errors_with_the_range() {
        let ceilings = Ceilings::default();
        assert_eq!(ceilings.check(&Budgets::default()), Ok(()));
        let none = Budgets { calls: 0, ..Budgets::default() };
        let error = ceilings.check(&none).expect_err("zero");
        assert_eq!(error.to_string(), "budget calls is 0 calls, and must be 1 to 10000; zero never means unlimited");
        let long = Budgets { compute: Duration::from_secs(121), ..Budgets::default() };
        let error = ceilings.check(&long).expect_err("over the ceiling");
        assert_eq!(error.to_string(), "budget compute is 121000 ms, and must be 1 to 120000");
    }

    #[test]
    fn the_least_and_the_greatest_duration_are_what_they_are() {
        let widest = Ceilings(Budgets { compute: Duration::MAX, ..Ceilings::default().0 });
        for compute in [Duration::from_nanos(1), Duration::MAX] {
            assert_eq!(widest.check(&Budgets { compute, ..Budgets::default() }), Ok(()));
        }
    }

    #[test]
    fn text_is_measured_in_its_unit() {
        assert_eq!((Unit::Bytes.measure("aé"), Unit::Scalars.measure("aé")), (3, 2));
        assert_eq!((Unit::Bytes.prefix("aéb", 2), Unit::Scalars.prefix("aéb", 2)), ("a", "aé"));
    }
}
