//! Budgets as flags: one for each limit of a run, with its unit, its default and its range.

use std::time::Duration;

use clap::error::ErrorKind;
use clap::{Arg, ArgMatches, Command, FromArgMatches};
use codemode::{Budgets, Profile};

use crate::exit::CliError;
use crate::units::Unit;

/// One budget's flag.
struct Flag {
    /// The budget's name, as core says it.
    budget: &'static str,
    /// The flag.
    long: &'static str,
    /// The budget's name as a flag, where the flag is shorter.
    alias: Option<&'static str>,
    unit: Unit,
    what: &'static str,
    read: fn(&Budgets) -> u64,
    write: fn(&mut Budgets, u64),
}

const FLAGS: &[Flag] = &[
    Flag {
        budget: "compute",
        long: "compute",
        alias: None,
        unit: Unit::Duration,
        what: "Time the program may take, not counting its waits for tools",
        read: |budgets| millis(budgets.compute),
        write: |budgets, value| budgets.compute = Duration::from_millis(value),
    },
    Flag {
        budget: "wall",
        long: "wall",
        alias: None,
        unit: Unit::Duration,
        what: "Time from start to end, tools included",
        read: |budgets| millis(budgets.wall),
        write: |budgets, value| budgets.wall = Duration::from_millis(value),
    },
    Flag {
        budget: "memory_bytes",
        long: "memory",
        alias: Some("memory-bytes"),
        unit: Unit::Size,
        what: "Memory the program may hold",
        read: |budgets| budgets.memory_bytes,
        write: |budgets, value| budgets.memory_bytes = value,
    },
    Flag {
        budget: "calls",
        long: "calls",
        alias: None,
        unit: Unit::Count,
        what: "Tool calls the program may make",
        read: |budgets| budgets.calls,
        write: |budgets, value| budgets.calls = value,
    },
    Flag {
        budget: "calls_in_flight",
        long: "calls-in-flight",
        alias: None,
        unit: Unit::Count,
        what: "Tool calls that may be out at once; 1 is one after the other",
        read: |budgets| budgets.calls_in_flight,
        write: |budgets, value| budgets.calls_in_flight = value,
    },
    Flag {
        budget: "call_arguments_bytes",
        long: "call-arguments",
        alias: Some("call-arguments-bytes"),
        unit: Unit::Size,
        what: "The arguments of one call, as JSON",
        read: |budgets| budgets.call_arguments_bytes,
        write: |budgets, value| budgets.call_arguments_bytes = value,
    },
    Flag {
        budget: "call_result_bytes",
        long: "call-result",
        alias: Some("call-result-bytes"),
        unit: Unit::Size,
        what: "The result of one call",
        read: |budgets| budgets.call_result_bytes,
        write: |budgets, value| budgets.call_result_bytes = value,
    },
    Flag {
        budget: "total_result_bytes",
        long: "total-result",
        alias: Some("total-result-bytes"),
        unit: Unit::Size,
        what: "The results of all calls together",
        read: |budgets| budgets.total_result_bytes,
        write: |budgets, value| budgets.total_result_bytes = value,
    },
    Flag {
        budget: "source",
        long: "source",
        alias: None,
        unit: Unit::Size,
        what: "The program's own text",
        read: |budgets| budgets.source,
        write: |budgets, value| budgets.source = value,
    },
    Flag {
        budget: "output",
        long: "output-bytes",
        alias: None,
        unit: Unit::Size,
        what: "Output that is held, returned value included; what goes past it is dropped and counted",
        read: |budgets| budgets.output,
        write: |budgets, value| budgets.output = value,
    },
    Flag {
        budget: "shown_bytes",
        long: "shown",
        alias: Some("shown-bytes"),
        unit: Unit::Size,
        what: "Output that is shown; all that was held goes to a file then, whose path is shown",
        read: |budgets| budgets.shown_bytes,
        write: |budgets, value| budgets.shown_bytes = value,
    },
];

/// Budgets for which a flag would do nothing yet: in `script` the returned value is output and no state is kept, and LuaJIT's
/// stack has a size of its own.
#[cfg(test)]
const WITHOUT_FLAG: &[&str] = &["stack_bytes", "value", "state_bytes", "state_depth", "state_nodes"];

/// The budgets that were given, by their flags' places.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct BudgetArgs(Vec<Option<u64>>);

impl BudgetArgs {
    /// The profile's budgets with those that were given in their place.
    pub(crate) fn apply(&self, profile: &Profile) -> Result<Budgets, CliError> {
        let mut budgets = profile.budgets;
        for (flag, given) in FLAGS.iter().zip(&self.0) {
            let Some(given) = *given else { continue };
            let (least, most) = range(flag, profile);
            if given < least || given > most {
                let given = flag.unit.write(given);
                let never = if given.starts_with('0') { "; zero never means unlimited" } else { "" };
                return Err(CliError::new(format!(
                    "--{} is {given}; profile {} allows {}{never}",
                    flag.long,
                    profile.name(),
                    written_range(flag.unit, least, most)
                )));
            }
            (flag.write)(&mut budgets, given);
        }
        Ok(budgets)
    }
}

/// The range of a budget under the profile's ceilings.
fn range(flag: &Flag, profile: &Profile) -> (u64, u64) {
    let found = profile.ceilings.ranges().find(|range| range.name == flag.budget);
    found.map_or((1, (flag.read)(&profile.ceilings.0)), |range| (range.least, range.most))
}

fn written_range(unit: Unit, least: u64, most: u64) -> String {
    if least == most { format!("only {}", unit.write(most)) } else { format!("{} to {}", unit.write(least), unit.write(most)) }
}

/// Whole milliseconds; budgets are made of no less.
fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

// The flags are made from the table, so that their help has the defaults and ranges that hold.
impl clap::Args for BudgetArgs {
    fn augment_args(command: Command) -> Command {
        let profile = Profile::script();
        FLAGS.iter().fold(command.next_help_heading("Budgets"), |command, flag| {
            let unit = flag.unit;
            let (least, most) = range(flag, &profile);
            let default = unit.write((flag.read)(&profile.budgets));
            let arg = Arg::new(flag.long)
                .long(flag.long)
                .value_name(unit.value_name())
                .allow_negative_numbers(true)
                .value_parser(move |text: &str| unit.parse(text))
                .help(format!("{} [default: {default}; {}]", flag.what, written_range(unit, least, most)));
            command.arg(match flag.alias {
                Some(alias) => arg.alias(alias),
                None => arg,
            })
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for BudgetArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let given = |flag: &Flag| matches.try_get_one::<u64>(flag.long).map(Option::<&u64>::copied);
        let given = FLAGS.iter().map(given).collect::<Result<_, _>>();
        given.map(Self).map_err(|error| clap::Error::raw(ErrorKind::InvalidValue, error))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use clap::Args as _;
    use proptest::prelude::*;

    use super::*;

    fn parse(arguments: &[&str]) -> Result<BudgetArgs, clap::Error> {
        let command = BudgetArgs::augment_args(Command::new("test").no_binary_name(true));
        command.try_get_matches_from(arguments).and_then(|matches| BudgetArgs::from_arg_matches(&matches))
    }

    fn applied(arguments: &[&str]) -> Result<Budgets, String> {
        let given = parse(arguments).map_err(|error| error.to_string())?;
        given.apply(&Profile::script()).map_err(|error| error.to_string())
    }

    #[test]
    fn each_budget_has_a_flag_or_is_known_to_have_none() {
        let mut named: Vec<_> = FLAGS.iter().map(|flag| flag.budget).chain(WITHOUT_FLAG.iter().copied()).collect();
        let ceilings = Profile::script().ceilings;
        let mut all: Vec<_> = ceilings.ranges().map(|range| range.name).collect();
        named.sort_unstable();
        all.sort_unstable();
        assert_eq!(named, all);
    }

    #[test]
    fn what_is_not_given_stays_as_the_profile_has_it() {
        assert_eq!(applied(&[]), Ok(Profile::script().budgets));
        let expected = Budgets {
            compute: Duration::from_secs(5),
            memory_bytes: 32 << 20,
            calls: 7,
            output: 1_000,
            call_result_bytes: 2_000,
            ..Profile::script().budgets
        };
        let given = ["--compute=5s", "--memory-bytes=32MiB", "--calls=7", "--output-bytes=1000", "--call-result=2KB"];
        assert_eq!(applied(&given), Ok(expected));
    }

    #[test]
    fn what_is_out_of_range_names_the_value_and_the_range() {
        let message = |arguments: &[&str]| applied(arguments).expect_err("out of range");
        assert_eq!(message(&["--calls=0"]), "--calls is 0; profile script allows 1 to 10000; zero never means unlimited");
        assert_eq!(message(&["--compute=0s"]), "--compute is 0ms; profile script allows 1ms to 2m; zero never means unlimited");
        assert_eq!(message(&["--compute=121s"]), "--compute is 121s; profile script allows 1ms to 2m");
        assert_eq!(message(&["--memory=64"]), "--memory is 64B; profile script allows 1MiB to 1GiB");
        assert_eq!(message(&["--calls-in-flight=2"]), "--calls-in-flight is 2; profile script allows only 1");
    }

    proptest! {
        #[test]
        fn what_passes_here_passes_in_core(place in 0..FLAGS.len(), value: u64) {
            let flag = &FLAGS[place];
            let profile = Profile::script();
            let mut given = vec![None; FLAGS.len()];
            given[place] = Some(value);
            let (least, most) = range(flag, &profile);
            match BudgetArgs(given).apply(&profile) {
                Ok(budgets) => {
                    prop_assert_eq!((flag.read)(&budgets), value);
                    prop_assert_eq!(profile.ceilings.check(&budgets), Ok(()));
                }
                Err(_) => prop_assert!(value < least || value > most),
            }
        }
    }
}
