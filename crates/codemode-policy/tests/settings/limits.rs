//! The limits of a run as settings.

use std::time::Duration;

use codemode_core::{Budgets, Form, Profile};

use crate::desk::Desk;

#[test]
fn each_budget_is_a_setting_by_its_name() {
    for range in Profile::script().ceilings.ranges() {
        let written = if range.unit == "ms" { "\"2m\"" } else { "77" };
        let expected = if range.unit == "ms" { 120_000 } else { 77 };
        let loaded = Desk::new().user(&format!("[code_mode.limits]\n{} = {written}", range.name)).loaded();
        assert_eq!(loaded.settings.code_mode.limits.iter().collect::<Vec<_>>(), [(range.name, expected)]);
    }
}

#[test]
fn units_are_those_of_the_command() {
    let text = r#"
        [code_mode.limits]
        compute = "1.5s"
        wall = "250ms"
        memory_bytes = "64MiB"
        call_result_bytes = "2KB"
        total_result_bytes = 65_536
        value = "7B"
        calls = 5
        calls_in_flight = "3"
    "#;
    let limits = Desk::new().user(text).loaded().settings.code_mode.limits;
    let expected = [
        ("call_result_bytes", 2_000),
        ("calls", 5),
        ("calls_in_flight", 3),
        ("compute", 1_500),
        ("memory_bytes", 64 << 20),
        ("total_result_bytes", 65_536),
        ("value", 7),
        ("wall", 250),
    ];
    assert_eq!(limits.iter().collect::<Vec<_>>(), expected);
    assert_eq!((limits.get("calls"), limits.get("source")), (Some(5), None));
}

#[test]
fn every_limit_is_positive_and_written_as_its_unit_asks() {
    let message = |line: &str| Desk::new().user(&format!("[code_mode.limits]\n{line}")).load().expect_err("no limit");
    let at = "user/codemode.toml:2: code_mode.limits";
    let duration = "allowed: a duration with its unit, as in \"30s\"";
    assert_eq!(message("calls = 0"), format!("{at}.calls is 0; allowed: at least 1; zero never means unlimited"));
    assert_eq!(message("source = \"0KiB\""), format!("{at}.source is 0; allowed: at least 1B; zero never means unlimited"));
    assert_eq!(message("wall = \"0s\""), format!("{at}.wall is 0; allowed: at least 1ms; zero never means unlimited"));
    assert_eq!(message("compute = 30"), format!("{at}.compute is 30; {duration}"));
    assert_eq!(message("compute = true"), format!("{at}.compute is true; {duration}"));
    assert_eq!(message("calls = -1"), format!("{at}.calls is -1; allowed: a count, as in 64"));
    assert_eq!(message("calls = 1.5"), format!("{at}.calls is 1.5; allowed: a count, as in 64"));
    assert_eq!(message("value = 1.5"), format!("{at}.value is 1.5; allowed: a size, as in \"64MiB\" or 65536"));
    assert_eq!(
        message("compute = \"30\""),
        format!("{at}.compute: \"30\" has no unit; a duration is a number and ms, s, m or h, as in 250ms, 30s, 2m or 1h")
    );
}

#[test]
fn limits_take_the_place_of_a_profiles_defaults() {
    let text = "[code_mode.limits]\ncompute = \"5s\"\nmemory_bytes = \"32MiB\"\ncalls = 9\nstate_depth = 3\nsource = 1000";
    let limits = Desk::new().user(text).loaded().settings.code_mode.limits;
    for profile in Form::ALL.map(Profile::of) {
        let expected = Budgets {
            compute: Duration::from_secs(5),
            memory_bytes: 32 << 20,
            calls: 9,
            // A profile without state has no use for it, and does not mind.
            state_depth: 3,
            source: 1_000,
            ..profile.budgets
        };
        assert_eq!(limits.apply(&profile), Ok(expected), "{}", profile.name());
    }
}

#[test]
fn a_limit_outside_a_profiles_range_names_the_range() {
    let message = |line: &str, profile: &Profile| {
        let limits = Desk::new().user(&format!("[code_mode.limits]\n{line}")).loaded().settings.code_mode.limits;
        limits.apply(profile).expect_err("outside").to_string()
    };
    assert_eq!(message("calls = 1001", &Profile::batch()), "code_mode.limits.calls is 1001; profile batch allows 1 to 1000");
    assert_eq!(message("compute = \"121s\"", &Profile::script()), "code_mode.limits.compute is 121s; profile script allows 1ms to 2m");
    assert_eq!(message("memory_bytes = 5", &Profile::cell()), "code_mode.limits.memory_bytes is 5B; profile cell allows 1MiB to 1GiB");
    assert_eq!(message("calls_in_flight = 2", &Profile::script()), "code_mode.limits.calls_in_flight is 2; profile script allows only 1");
}
