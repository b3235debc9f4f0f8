//! The command `codemode`: runs a program over a workspace's tools, bounded and accounted for.
#![forbid(unsafe_code)]

mod app;
mod args;
mod budgets;
mod check;
mod completions;
mod doctor;
mod exit;
mod frame;
mod init;
mod isolation;
mod language;
mod live;
mod log;
mod mode;
mod run;
mod screen;
mod serve;
mod servers;
mod session;
mod shell;
mod signals;
mod signatures;
mod source;
mod stdout;
mod surface;
mod tools;
mod trust;
mod units;
mod workspace;

/// A worker says by it what it died of.
#[global_allocator]
static ALLOCATOR: codemode::workers::Allocator = codemode::workers::ALLOCATOR;

fn main() -> std::process::ExitCode {
    isolation::worker().unwrap_or_else(|| app::main().into())
}
