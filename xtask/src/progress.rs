//! What a person sees while a job runs: lines on standard error, results on standard output.
#![expect(clippy::print_stderr, clippy::print_stdout, reason = "a command's progress and results are for the terminal")]

use std::time::Duration;

/// One line of progress.
pub(crate) fn say(line: &str) {
    eprintln!("{line}");
}

/// One line of a job's result.
pub(crate) fn result(line: &str) {
    println!("{line}");
}

/// `4.2 s` below a minute, `3 min 07 s` above.
pub(crate) fn time(duration: Duration) -> String {
    let tenths = duration.as_millis() / 100;
    if tenths < 600 {
        return format!("{}.{} s", tenths / 10, tenths % 10);
    }
    let seconds = duration.as_secs();
    format!("{} min {:02} s", seconds / 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_reads_as_seconds_or_as_minutes() {
        let shown: Vec<String> = [0, 4_249, 59_999, 60_000, 187_000].map(|millis| time(Duration::from_millis(millis))).into();
        assert_eq!(shown, ["0.0 s", "4.2 s", "59.9 s", "1 min 00 s", "3 min 07 s"]);
    }
}
