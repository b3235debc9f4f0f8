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
mod language;
mod live;
mod log;
mod run;
mod screen;
mod session;
mod signals;
mod signatures;
mod source;
mod stdout;
mod surface;
mod tools;
mod units;
mod workspace;

fn main() -> std::process::ExitCode {
    app::main().into()
}
