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

fn main() -> std::process::ExitCode {
    app::main().into()
}
