//! The limits of a run as settings: every budget by its name.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use codemode_core::{Budgets, Profile};

use crate::units::Unit;

/// One budget as a setting.
pub(crate) struct Limit {
    /// The budget's name, as core says it.
    pub(crate) name: &'static str,
    /// How it is written.
    pub(crate) unit: Unit,
    /// What it limits.
    pub(crate) what: &'static str,
    place: Place,
}

/// Where a budget is among the others.
enum Place {
    Time(fn(&mut Budgets) -> &mut Duration),
    Number(fn(&mut Budgets) -> &mut u64),
}

/// Every budget, in the order of the page.
pub(crate) const LIMITS: &[Limit] = &[
    time("compute", "Time the program may take, not counting its waits for tools.", |all| &mut all.compute),
    time("wall", "Time from start to end, tools included.", |all| &mut all.wall),
    size("memory_bytes", "Memory the program may hold.", |all| &mut all.memory_bytes),
    size("stack_bytes", "Stack for the program's own recursion.", |all| &mut all.stack_bytes),
    count("calls", "Tool calls the program may make.", |all| &mut all.calls),
    count("calls_in_flight", "Tool calls that may be out at once; 1 is one after the other.", |all| &mut all.calls_in_flight),
    size("call_arguments_bytes", "The arguments of one call, as JSON.", |all| &mut all.call_arguments_bytes),
    size("call_result_bytes", "The result of one call.", |all| &mut all.call_result_bytes),
    size("total_result_bytes", "The results of all calls together.", |all| &mut all.total_result_bytes),
    size("source", "The program's own text, in the profile's unit.", |all| &mut all.source),
    size("value", "The returned value, as JSON, in the profile's unit.", |all| &mut all.value),
    size("output", "Printed output that is held, in the profile's unit.", |all| &mut all.output),
    size("shown_bytes", "Output that is shown.", |all| &mut all.shown_bytes),
    size("state_bytes", "Committed state, as JSON.", |all| &mut all.state_bytes),
    count("state_depth", "Levels of nesting in committed state.", |all| &mut all.state_depth),
    count("state_nodes", "Values in committed state.", |all| &mut all.state_nodes),
];

const fn time(name: &'static str, what: &'static str, place: fn(&mut Budgets) -> &mut Duration) -> Limit {
    Limit { name, unit: Unit::Duration, what, place: Place::Time(place) }
}

const fn size(name: &'static str, what: &'static str, place: fn(&mut Budgets) -> &mut u64) -> Limit {
    Limit { name, unit: Unit::Size, what, place: Place::Number(place) }
}

const fn count(name: &'static str, what: &'static str, place: fn(&mut Budgets) -> &mut u64) -> Limit {
    Limit { name, unit: Unit::Count, what, place: Place::Number(place) }
}

impl Limit {
    fn write(&self, budgets: &mut Budgets, quantity: u64) {
        match self.place {
            Place::Time(place) => *place(budgets) = Duration::from_millis(quantity),
            Place::Number(place) => *place(budgets) = quantity,
        }
    }
}

/// The budgets that settings give, by name: milliseconds, bytes (characters where the profile counts in them) or things.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Limits(BTreeMap<&'static str, u64>);

impl Limits {
    /// The limit of this name, where it is set.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<u64> {
        self.0.get(name).copied()
    }

    /// Each limit that is set, sorted by name.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, u64)> + '_ {
        self.0.iter().map(|(name, quantity)| (*name, *quantity))
    }

    /// The profile's budgets with those that are set in their place. One that the profile has no use for does nothing there.
    ///
    /// # Errors
    /// For the first limit that lies outside the profile's range, in the order of their names.
    pub fn apply(&self, profile: &Profile) -> Result<Budgets, LimitError> {
        let mut budgets = profile.budgets;
        for (name, given) in self.iter() {
            let limit = LIMITS.iter().find(|limit| limit.name == name);
            let range = profile.ceilings.ranges().find(|range| range.name == name);
            let (Some(limit), Some(range)) = (limit, range) else { continue };
            if given < range.least || given > range.most {
                return Err(LimitError { name, unit: limit.unit, given, least: range.least, most: range.most, profile: profile.name() });
            }
            limit.write(&mut budgets, given);
        }
        Ok(budgets)
    }

    pub(crate) fn set(&mut self, name: &'static str, quantity: u64) {
        self.0.insert(name, quantity);
    }

    /// These limits with those of a later file over them.
    pub(crate) fn under(mut self, later: Self) -> Self {
        self.0.extend(later.0);
        self
    }
}

/// A limit that a profile does not allow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LimitError {
    /// The budget's name.
    pub name: &'static str,
    /// How it is written.
    pub unit: Unit,
    /// What the settings say.
    pub given: u64,
    /// The least that the profile allows.
    pub least: u64,
    /// The most that the profile allows.
    pub most: u64,
    /// The profile's name.
    pub profile: &'static str,
}

impl fmt::Display for LimitError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [given, least, most] = [self.given, self.least, self.most].map(|quantity| self.unit.write(quantity));
        write!(formatter, "code_mode.limits.{} is {given}; profile {} allows ", self.name, self.profile)?;
        if least == most { write!(formatter, "only {most}") } else { write!(formatter, "{least} to {most}") }
    }
}

impl std::error::Error for LimitError {}
