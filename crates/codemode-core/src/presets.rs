//! The four profiles as they come: what each gives a run by default, and the most that a run may ask for.

use std::sync::Arc;
use std::time::Duration;

use crate::budget::{Budgets, Ceilings, Unit};
use crate::profile::{Authority, Form, Isolation, Language, Profile};

const HOUR: Duration = Duration::from_secs(3600);

impl Profile {
    /// The profile of this form, with its own defaults.
    #[must_use]
    pub fn of(form: Form) -> Self {
        match form {
            Form::Script => Self::script(),
            Form::Batch => Self::batch(),
            Form::Program => Self::program(),
            Form::Cell => Self::cell(),
        }
    }

    /// The profile of this name: `script`, `batch`, `program` or `cell`.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Form::ALL.into_iter().find(|form| form.as_str() == name).map(Self::of)
    }

    /// The profile `script`: a LuaJIT chunk with synchronous calls and local authority.
    ///
    /// Defaults: 30 s of compute (at most 120 s), 600 s of wall clock, 64 MiB, 64 calls, 64 KiB of source, 8 MiB of output held.
    #[must_use]
    pub fn script() -> Self {
        let ceilings =
            Budgets { compute: Duration::from_secs(120), wall: Duration::from_secs(600), calls_in_flight: 1, ..Ceilings::default().0 };
        Self {
            authority: Authority::Local,
            isolation: Isolation::Thread,
            value_is_output: true,
            ..Self::new(Form::Script, Language::Lua, Budgets::default(), ceilings)
        }
    }

    /// The profile `batch`: a synchronous JavaScript function body that calls tools one after the other and returns a value.
    ///
    /// Defaults, with their ranges: 60 s of compute (1 ms to 1 h), 24 h of wall clock, 32 MiB (1 to 256), 200 calls (1 to 1,000),
    /// 64 KiB of source (to 1 MiB), one result 1 MiB (to 16), all results 8 MiB (to 64), returned value 256 KiB (to 4 MiB).
    /// A run needs an intent, and calls that are out at a stop are awaited for 600 s.
    #[must_use]
    pub fn batch() -> Self {
        let budgets = Budgets {
            compute: Duration::from_secs(60),
            wall: 24 * HOUR,
            memory_bytes: 32 << 20,
            calls: 200,
            call_result_bytes: 1 << 20,
            total_result_bytes: 8 << 20,
            value: 256 << 10,
            output: 256 << 10,
            shown_bytes: 256 << 10,
            ..Budgets::default()
        };
        let ceilings = Budgets {
            compute: HOUR,
            wall: 24 * HOUR,
            memory_bytes: 256 << 20,
            calls: 1_000,
            calls_in_flight: 1,
            call_result_bytes: 16 << 20,
            total_result_bytes: 64 << 20,
            value: 4 << 20,
            output: 4 << 20,
            shown_bytes: 4 << 20,
            ..Ceilings::default().0
        };
        Self { settle: Duration::from_secs(600), intent_required: true, ..Self::new(Form::Batch, Language::JavaScript, budgets, ceilings) }
    }

    /// The profile `program`: an asynchronous JavaScript program whose calls may overlap.
    ///
    /// Defaults: 120 s of compute and of wall clock, calls included (at most 600 s), 64 MiB, 100 calls of which 64 may be out at
    /// once; source, returned value and log 20,000 Unicode scalar values each. It wants a worker process unless told otherwise.
    #[must_use]
    pub fn program() -> Self {
        const CHARACTERS: u64 = 20_000;
        let budgets = Budgets {
            source: CHARACTERS,
            compute: Duration::from_secs(120),
            wall: Duration::from_secs(120),
            calls: 100,
            calls_in_flight: 64,
            value: CHARACTERS,
            output: CHARACTERS,
            shown_bytes: Unit::Scalars.most_bytes(CHARACTERS),
            text_unit: Unit::Scalars,
            ..Budgets::default()
        };
        let ceilings = Budgets {
            compute: Duration::from_secs(600),
            wall: Duration::from_secs(600),
            calls_in_flight: 256,
            text_unit: Unit::Scalars,
            ..Ceilings::default().0
        };
        Self { isolation: Isolation::Process, ..Self::new(Form::Program, Language::JavaScript, budgets, ceilings) }
    }

    /// The profile `cell`: asynchronous JavaScript with `scratch`, which lives as long as its interpreter, and with `state`,
    /// which is committed when a run ends well.
    ///
    /// Defaults: 60 s of compute, 120 s of wall clock, 64 MiB, 64 calls one after the other (at most 4 at once), 256 KiB of
    /// source, 512 KiB for log and returned value together; `state` has 256 KiB, 32 levels and 16,384 values.
    /// Its authority is `none` unless it is given more, and it wants a worker process unless told otherwise.
    #[must_use]
    pub fn cell() -> Self {
        const JOINT: u64 = 512 << 10;
        let budgets = Budgets {
            source: 256 << 10,
            compute: Duration::from_secs(60),
            wall: Duration::from_secs(120),
            value: JOINT,
            output: JOINT,
            shown_bytes: JOINT,
            joint_output: true,
            ..Budgets::default()
        };
        let ceilings = Budgets {
            compute: Duration::from_secs(600),
            wall: Duration::from_secs(600),
            calls_in_flight: 4,
            joint_output: true,
            ..Ceilings::default().0
        };
        Self { isolation: Isolation::Process, ..Self::new(Form::Cell, Language::JavaScript, budgets, ceilings) }
    }

    /// A profile in a thread, without authority, whose calls have two seconds to settle at a stop.
    fn new(form: Form, language: Language, budgets: Budgets, ceilings: Budgets) -> Self {
        Self {
            form,
            language,
            namespace: Arc::from("host"),
            host_version: Arc::from(concat!("codemode ", env!("CARGO_PKG_VERSION"))),
            budgets,
            ceilings: Ceilings(ceilings),
            authority: Authority::None,
            isolation: Isolation::Thread,
            settle: Duration::from_secs(2),
            value_is_output: false,
            intent_required: false,
            call_intents: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_profile_has_its_name_and_lies_within_its_own_ceilings() {
        for form in Form::ALL {
            let profile = Profile::of(form);
            assert_eq!((profile.form, Profile::named(form.as_str()).as_ref()), (form, Some(&profile)));
            assert_eq!(profile.ceilings.check(&profile.budgets), Ok(()), "{form:?}");
        }
        assert_eq!(Profile::named("Batch"), None);
    }

    fn range(profile: &Profile, name: &str) -> (u64, u64) {
        profile.ceilings.ranges().find(|range| range.name == name).map(|range| (range.least, range.most)).unwrap_or_default()
    }

    #[test]
    fn the_limits_of_batch_have_the_ranges_of_its_page() {
        let batch = Profile::batch();
        for (name, expected) in [
            ("source", (1, 1_048_576)),
            ("calls", (1, 1_000)),
            ("compute", (1, 3_600_000)),
            ("wall", (1, 86_400_000)),
            ("memory_bytes", (1_048_576, 268_435_456)),
            ("call_result_bytes", (1, 16_777_216)),
            ("total_result_bytes", (1, 67_108_864)),
            ("value", (1, 4_194_304)),
            ("calls_in_flight", (1, 1)),
        ] {
            assert_eq!(range(&batch, name), expected, "{name}");
        }
        let expected = Budgets {
            source: 65_536,
            calls: 200,
            compute: Duration::from_millis(60_000),
            wall: Duration::from_millis(86_400_000),
            memory_bytes: 33_554_432,
            call_result_bytes: 1_048_576,
            total_result_bytes: 8_388_608,
            value: 262_144,
            output: 262_144,
            shown_bytes: 262_144,
            stack_bytes: 524_288,
            ..Budgets::default()
        };
        assert_eq!(batch.budgets, expected);
    }

    #[test]
    fn calls_overlap_in_program_by_default_and_in_cell_where_they_are_let() {
        assert_eq!((Profile::program().budgets.calls_in_flight, range(&Profile::program(), "calls_in_flight")), (64, (1, 256)));
        assert_eq!((Profile::cell().budgets.calls_in_flight, range(&Profile::cell(), "calls_in_flight")), (1, (1, 4)));
    }
}
