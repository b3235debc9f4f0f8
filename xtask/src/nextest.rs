//! `cargo nextest` as every job starts it, with the seed that samples the sweeps.

use std::env;
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::progress::say;
use crate::workspace::Workspace;

/// Names the seed, a whole number, from which a sweep or a soak draws the sample that it runs.
pub(crate) const SEED: &str = "CODEMODE_SEED";

/// Set to `1`, it makes every sweep and every soak run whole.
pub(crate) const SOAK: &str = "CODEMODE_SOAK";

/// `cargo nextest run ARGUMENTS`; the seed is kept where it is set, else drawn, and printed in both cases.
pub(crate) fn command(workspace: &Workspace, profile: &str, arguments: &[&str]) -> Command {
    let seed = env::var(SEED).unwrap_or_else(|_| drawn().to_string());
    say(&format!("{SEED}={seed}: set it to repeat this sample of the sweeps and soaks"));
    let mut command = workspace.cargo(["nextest", "run", "--config-file", "xtask/nextest.toml", "--profile", profile]);
    command.args(arguments).env(SEED, seed);
    command
}

/// The bounds of LuaJIT in a build without the flag that lets compiled code be stopped: `.cargo/config.toml` sets it for us,
/// and a host that embeds the engine may not know of it. The build has a folder of its own, since all of LuaJIT differs.
pub(crate) fn unflagged(workspace: &Workspace) -> Command {
    let mut command =
        command(workspace, "default", &["-p", "codemode-luajit", "-E", "test(probe) or test(hostile_programs_end) or test(bounds)"]);
    command.env("CFLAGS", "").env("CARGO_TARGET_DIR", workspace.target().join("unflagged"));
    command
}

fn drawn() -> u64 {
    // The time is sample enough, and six digits are easily typed again.
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::from(now.subsec_micros())
}
