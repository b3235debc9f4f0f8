//! Units on the command line: quantities as the settings write them, and times as they go on.

use std::time::Duration;

pub(crate) use codemode_policy::Unit;

/// A time as a person reads it while it goes on: tenths of seconds first, then minutes and hours.
pub(crate) fn elapsed(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds {
        0..60 => format!("{seconds}.{}s", time.subsec_millis() / 100),
        60..3600 => format!("{}m {:02}s", seconds / 60, seconds % 60),
        _ => format!("{}h {:02}m {:02}s", seconds / 3600, seconds / 60 % 60, seconds % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elapsed_time_is_short() {
        let shown = [0, 1_990, 59_999, 60_000, 3_723_000].map(|millis| elapsed(Duration::from_millis(millis)));
        assert_eq!(shown, ["0.0s", "1.9s", "59.9s", "1m 00s", "1h 02m 03s"]);
    }
}
