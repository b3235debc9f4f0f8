//! The budgets of a run in words.

use std::time::Duration;

use codemode_core::{Profile, Unit};

/// One sentence on the limits of a run.
pub(super) fn limits(profile: &Profile) -> String {
    let budgets = &profile.budgets;
    let text = |amount: u64| match budgets.text_unit {
        Unit::Bytes => bytes(amount),
        Unit::Scalars => format!("{} characters", grouped(amount)),
    };
    let mut parts = vec![
        format!("{} of computing, {} in all", time(budgets.compute), time(budgets.wall)),
        format!("{} calls", grouped(budgets.calls)),
        format!("{} of memory", bytes(budgets.memory_bytes)),
        format!("{} of code", text(budgets.source)),
        format!("{} a result", bytes(budgets.call_result_bytes)),
        format!("{} of results", bytes(budgets.total_result_bytes)),
    ];
    if budgets.joint_output {
        parts.push(format!("{} of value and output together", text(budgets.output)));
    } else if profile.value_is_output {
        parts.push(format!("{} of output, of which {} are shown", text(budgets.output), bytes(budgets.shown_bytes.min(budgets.output))));
    } else {
        parts.push(format!("{} of value", text(budgets.value)));
        parts.push(format!("{} of output", text(budgets.output)));
    }
    format!("Limits of a run: {}.", parts.join(", "))
}

fn time(time: Duration) -> String {
    let millis = time.as_millis();
    match millis {
        millis if millis % 3_600_000 == 0 => format!("{} h", millis / 3_600_000),
        millis if millis % 1_000 == 0 => format!("{} s", millis / 1_000),
        millis => format!("{millis} ms"),
    }
}

fn bytes(amount: u64) -> String {
    match amount {
        amount if amount > 0 && amount % (1 << 20) == 0 => format!("{} MiB", amount >> 20),
        amount if amount > 0 && amount % (1 << 10) == 0 => format!("{} KiB", amount >> 10),
        amount => format!("{} bytes", grouped(amount)),
    }
}

/// A number with a comma before each three digits.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_profile_says_its_own_limits() {
        for (profile, expected) in [
            (
                Profile::script(),
                "Limits of a run: 30 s of computing, 600 s in all, 64 calls, 64 MiB of memory, 64 KiB of code, 16 MiB a result, \
                 64 MiB of results, 8 MiB of output, of which 32 KiB are shown.",
            ),
            (
                Profile::batch(),
                "Limits of a run: 60 s of computing, 24 h in all, 200 calls, 32 MiB of memory, 64 KiB of code, 1 MiB a result, \
                 8 MiB of results, 256 KiB of value, 256 KiB of output.",
            ),
            (
                Profile::program(),
                "Limits of a run: 120 s of computing, 120 s in all, 100 calls, 64 MiB of memory, 20,000 characters of code, \
                 16 MiB a result, 64 MiB of results, 20,000 characters of value, 20,000 characters of output.",
            ),
            (
                Profile::cell(),
                "Limits of a run: 60 s of computing, 120 s in all, 64 calls, 64 MiB of memory, 256 KiB of code, 16 MiB a result, \
                 64 MiB of results, 512 KiB of value and output together.",
            ),
        ] {
            assert_eq!(limits(&profile), expected);
        }
    }

    #[test]
    fn figures_that_are_not_round_are_exact() {
        assert_eq!(
            (time(Duration::from_millis(1_500)), bytes(1_500), grouped(1_234_567)),
            ("1500 ms".into(), "1,500 bytes".into(), "1,234,567".into())
        );
    }
}
