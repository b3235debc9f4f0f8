//! Budgets as flags: one for each limit of a run, with its unit, and each profile's default and range.

use std::time::Duration;

use clap::error::ErrorKind;
use clap::{Arg, ArgMatches, Command, FromArgMatches};
use codemode::{Budgets, Form, Language, Profile, Unit as TextUnit};

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
    /// Which profiles it does anything for.
    of: Of,
    what: &'static str,
    place: Place,
}

/// Where a budget is among the others.
#[derive(Clone, Copy)]
enum Place {
    Time(fn(&mut Budgets) -> &mut Duration),
    Number(fn(&mut Budgets) -> &mut u64),
}

/// For which profiles a budget does anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Of {
    /// For all of them.
    All,
    /// For all, and counted in the profile's own unit of text.
    AllTexts,
    /// For those whose returned value is no output, counted in the profile's own unit of text.
    Values,
    /// For those of JavaScript: LuaJIT's stack has a size of its own.
    JavaScript,
    /// For those that keep state.
    State,
}

impl Of {
    fn fits(self, profile: &Profile) -> bool {
        match self {
            Self::All | Self::AllTexts => true,
            Self::Values => !profile.value_is_output,
            Self::JavaScript => profile.language == Language::JavaScript,
            Self::State => profile.form == Form::Cell,
        }
    }

    fn counts_characters(self, profile: &Profile) -> bool {
        matches!(self, Self::AllTexts | Self::Values) && profile.budgets.text_unit == TextUnit::Scalars
    }
}

/// By the name in core, the flag, for which profiles it is, what it limits and where it is.
const FLAGS: &[Flag] = &[
    time("compute", "compute", Of::All, "Time the program may take, not counting its waits for tools", |all| &mut all.compute),
    time("wall", "wall", Of::All, "Time from start to end, tools included", |all| &mut all.wall),
    size("memory_bytes", "memory", Of::All, "Memory the program may hold", |all| &mut all.memory_bytes).or("memory-bytes"),
    count("calls", "calls", Of::All, "Tool calls the program may make", |all| &mut all.calls),
    count("calls_in_flight", "calls-in-flight", Of::All, "Tool calls that may be out at once; 1 is one after the other", |all| {
        &mut all.calls_in_flight
    }),
    size("call_arguments_bytes", "call-arguments", Of::All, "The arguments of one call, as JSON", |all| &mut all.call_arguments_bytes)
        .or("call-arguments-bytes"),
    size("call_result_bytes", "call-result", Of::All, "The result of one call", |all| &mut all.call_result_bytes).or("call-result-bytes"),
    size("total_result_bytes", "total-result", Of::All, "The results of all calls together", |all| &mut all.total_result_bytes)
        .or("total-result-bytes"),
    size("source", "source", Of::AllTexts, "The program's own text", |all| &mut all.source),
    size(
        "output",
        "output-bytes",
        Of::AllTexts,
        "Printed output that is held, and in script the returned value; what goes past it is dropped and counted",
        |all| &mut all.output,
    ),
    size("shown_bytes", "shown", Of::All, "Output that is shown; all that was held goes to a file then, whose path is shown", |all| {
        &mut all.shown_bytes
    })
    .or("shown-bytes"),
    size("value", "value", Of::Values, "The returned value, as JSON", |all| &mut all.value),
    size(
        "stack_bytes",
        "stack",
        Of::JavaScript,
        "Stack for the program's own recursion; past it, an error that the program may catch",
        |all| &mut all.stack_bytes,
    )
    .or("stack-bytes"),
    size("state_bytes", "state-bytes", Of::State, "Committed state, as JSON", |all| &mut all.state_bytes),
    count("state_depth", "state-depth", Of::State, "Levels of nesting in committed state", |all| &mut all.state_depth),
    count("state_nodes", "state-nodes", Of::State, "Values in committed state", |all| &mut all.state_nodes),
];

const fn time(budget: &'static str, long: &'static str, of: Of, what: &'static str, place: fn(&mut Budgets) -> &mut Duration) -> Flag {
    Flag { budget, long, alias: None, unit: Unit::Duration, of, what, place: Place::Time(place) }
}

const fn size(budget: &'static str, long: &'static str, of: Of, what: &'static str, place: fn(&mut Budgets) -> &mut u64) -> Flag {
    Flag { budget, long, alias: None, unit: Unit::Size, of, what, place: Place::Number(place) }
}

const fn count(budget: &'static str, long: &'static str, of: Of, what: &'static str, place: fn(&mut Budgets) -> &mut u64) -> Flag {
    Flag { budget, long, alias: None, unit: Unit::Count, of, what, place: Place::Number(place) }
}

impl Flag {
    /// The same flag, which can also be written as `alias`.
    const fn or(self, alias: &'static str) -> Self {
        Self { alias: Some(alias), ..self }
    }

    fn read(&self, mut budgets: Budgets) -> u64 {
        match self.place {
            Place::Time(place) => millis(*place(&mut budgets)),
            Place::Number(place) => *place(&mut budgets),
        }
    }

    fn write(&self, budgets: &mut Budgets, quantity: u64) {
        match self.place {
            Place::Time(place) => *place(budgets) = Duration::from_millis(quantity),
            Place::Number(place) => *place(budgets) = quantity,
        }
    }
}

/// The budgets that were given, by their flags' places.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct BudgetArgs(Vec<Option<u64>>);

impl BudgetArgs {
    /// The profile's budgets with those that were given in their place.
    pub(crate) fn apply(&self, profile: &Profile) -> Result<Budgets, CliError> {
        let mut budgets = profile.budgets;
        for (flag, given) in FLAGS.iter().zip(&self.0) {
            let Some(given) = *given else { continue };
            if !flag.of.fits(profile) {
                return Err(CliError::new(format!(
                    "--{} does nothing under profile {}; leave it out, or choose {}",
                    flag.long,
                    profile.name(),
                    choices(flag)
                )));
            }
            let (least, most) = range(flag, profile);
            if given < least || given > most {
                let never = if given == 0 { "; zero never means unlimited" } else { "" };
                return Err(CliError::new(format!(
                    "--{} is {}; profile {} allows {}{never}",
                    flag.long,
                    written(flag, profile, given),
                    profile.name(),
                    written_range(flag, profile)
                )));
            }
            flag.write(&mut budgets, given);
        }
        Ok(budgets)
    }
}

/// The profiles for which a flag does something, as they are chosen.
fn choices(flag: &Flag) -> String {
    let fitting = Form::ALL.into_iter().filter(|form| flag.of.fits(&Profile::of(*form)));
    fitting.map(|form| format!("--profile {}", form.as_str())).collect::<Vec<_>>().join(" or ")
}

/// The range of a budget under the profile's ceilings.
fn range(flag: &Flag, profile: &Profile) -> (u64, u64) {
    let found = profile.ceilings.ranges().find(|range| range.name == flag.budget);
    found.map_or((1, flag.read(profile.ceilings.0)), |range| (range.least, range.most))
}

/// A quantity in the unit in which the profile counts.
fn written(flag: &Flag, profile: &Profile, quantity: u64) -> String {
    if flag.of.counts_characters(profile) { format!("{quantity} characters") } else { flag.unit.write(quantity) }
}

fn written_range(flag: &Flag, profile: &Profile) -> String {
    let (least, most) = range(flag, profile);
    if least == most {
        format!("only {}", written(flag, profile, most))
    } else if flag.of.counts_characters(profile) {
        format!("{least} to {}", written(flag, profile, most))
    } else {
        format!("{} to {}", flag.unit.write(least), flag.unit.write(most))
    }
}

/// What holds where the flag is not given, and what may be given: for the profile of a program of which nothing is known, then
/// for those in which it differs.
fn defaults(flag: &Flag) -> String {
    let mut groups: Vec<(String, Vec<&str>)> = Vec::new();
    // The profile that is the default comes first.
    let forms = [Form::Program, Form::Script, Form::Batch, Form::Cell];
    for profile in forms.map(Profile::of).iter().filter(|profile| flag.of.fits(profile)) {
        let default = written(flag, profile, flag.read(profile.budgets));
        let range = written_range(flag, profile);
        let text = format!("{default} ({})", range.strip_suffix(" characters").unwrap_or(&range));
        match groups.iter_mut().find(|(known, _)| *known == text) {
            Some((_, names)) => names.push(profile.name()),
            None => groups.push((text, vec![profile.name()])),
        }
    }
    match groups.as_slice() {
        [(text, _)] => format!("default: {text}"),
        groups => groups.iter().map(|(text, names)| format!("{}: {text}", names.join(", "))).collect::<Vec<_>>().join("; "),
    }
}

/// Whole milliseconds; budgets are made of no less.
fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

// The flags are made from the table, so that their help has the defaults and ranges that hold.
impl clap::Args for BudgetArgs {
    fn augment_args(command: Command) -> Command {
        FLAGS.iter().fold(command.next_help_heading("Budgets"), |command, flag| {
            let unit = flag.unit;
            let arg = Arg::new(flag.long)
                .long(flag.long)
                .value_name(unit.value_name())
                .allow_negative_numbers(true)
                .value_parser(move |text: &str| unit.parse(text))
                .help(format!("{} [{}]", flag.what, defaults(flag)));
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

    fn applied(profile: &Profile, arguments: &[&str]) -> Result<Budgets, String> {
        let given = parse(arguments).map_err(|error| error.to_string())?;
        given.apply(profile).map_err(|error| error.to_string())
    }

    #[test]
    fn each_budget_has_a_flag() {
        let mut named: Vec<_> = FLAGS.iter().map(|flag| flag.budget).collect();
        let ceilings = Profile::script().ceilings;
        let mut all: Vec<_> = ceilings.ranges().map(|range| range.name).collect();
        named.sort_unstable();
        all.sort_unstable();
        assert_eq!(named, all);
    }

    #[test]
    fn what_is_not_given_stays_as_the_profile_has_it() {
        for profile in Form::ALL.map(Profile::of) {
            assert_eq!(applied(&profile, &[]), Ok(profile.budgets));
        }
        let expected = Budgets {
            compute: Duration::from_secs(5),
            memory_bytes: 32 << 20,
            calls: 7,
            output: 1_000,
            call_result_bytes: 2_000,
            ..Profile::script().budgets
        };
        let given = ["--compute=5s", "--memory-bytes=32MiB", "--calls=7", "--output-bytes=1000", "--call-result=2KB"];
        assert_eq!(applied(&Profile::script(), &given), Ok(expected));
        let expected =
            Budgets { value: 9, stack_bytes: 1 << 20, state_bytes: 100, state_depth: 3, state_nodes: 5, ..Profile::cell().budgets };
        let given = ["--value=9", "--stack=1MiB", "--state-bytes=100", "--state-depth=3", "--state-nodes=5"];
        assert_eq!(applied(&Profile::cell(), &given), Ok(expected));
    }

    #[test]
    fn what_is_out_of_range_names_the_value_and_the_range() {
        let message = |profile: &Profile, arguments: &[&str]| applied(profile, arguments).expect_err("out of range");
        let script = |argument: &str| message(&Profile::script(), &[argument]);
        assert_eq!(script("--calls=0"), "--calls is 0; profile script allows 1 to 10000; zero never means unlimited");
        assert_eq!(script("--compute=0s"), "--compute is 0ms; profile script allows 1ms to 2m; zero never means unlimited");
        assert_eq!(script("--compute=121s"), "--compute is 121s; profile script allows 1ms to 2m");
        assert_eq!(script("--memory=64"), "--memory is 64B; profile script allows 1MiB to 1GiB");
        assert_eq!(script("--calls-in-flight=2"), "--calls-in-flight is 2; profile script allows only 1");
        assert_eq!(
            message(&Profile::program(), &["--source=2MiB"]),
            "--source is 2097152 characters; profile program allows 1 to 1048576 characters"
        );
        assert_eq!(message(&Profile::batch(), &["--value=5MiB"]), "--value is 5MiB; profile batch allows 1B to 4MiB");
    }

    #[test]
    fn a_flag_that_would_do_nothing_is_refused() {
        let message = |profile: &Profile, argument: &str| applied(profile, &[argument]).expect_err("it does nothing");
        assert_eq!(
            message(&Profile::script(), "--value=1KiB"),
            "--value does nothing under profile script; leave it out, or choose --profile batch or --profile program or --profile cell"
        );
        assert_eq!(
            message(&Profile::program(), "--state-depth=3"),
            "--state-depth does nothing under profile program; leave it out, or choose --profile cell"
        );
    }

    proptest! {
        #[test]
        fn what_passes_here_passes_in_core(place in 0..FLAGS.len(), form in prop::sample::select(Form::ALL.to_vec()), value: u64) {
            let flag = &FLAGS[place];
            let profile = Profile::of(form);
            let mut given = vec![None; FLAGS.len()];
            given[place] = Some(value);
            let (least, most) = range(flag, &profile);
            match BudgetArgs(given).apply(&profile) {
                Ok(budgets) => {
                    prop_assert_eq!(flag.read(budgets), value);
                    prop_assert_eq!(profile.ceilings.check(&budgets), Ok(()));
                }
                Err(_) => prop_assert!(value < least || value > most || !flag.of.fits(&profile)),
            }
        }
    }
}
