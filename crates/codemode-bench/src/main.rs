//! Measures codemode's engines against the bare ones, and prints a table.

mod bare;
mod call;
mod compute;
mod core;
mod figure;
mod large;
mod late;
mod ours;
mod result;
mod rows;
mod served;
mod start;
mod together;
mod turns;
mod workers;

use std::process::ExitCode;

use anstream::{eprintln, println};
use clap::Parser;

use crate::figure::Figure;

/// Measure codemode's engines against the bare ones, in turns, minima of each.
#[derive(Debug, Parser)]
struct Arguments {
    /// Print one JSON object a line instead of a table.
    #[arg(long)]
    json: bool,
    /// Exit with 1 where a figure is past its gate.
    #[arg(long)]
    gate: bool,
    /// How often each side of a workload is measured.
    #[arg(long, default_value_t = 15, value_parser = clap::value_parser!(u32).range(3..=1000))]
    turns: u32,
    /// Run only workloads whose name contains this.
    #[arg(long)]
    only: Option<String>,
    /// Be an upstream server that takes this many milliseconds to start: what the workloads of `serve` start.
    #[arg(long, value_name = "MS", hide = true)]
    upstream: Option<u64>,
    /// End at once: what a start of this program costs.
    #[arg(long, hide = true)]
    do_nothing: bool,
}

/// A workload's name, and what measures it in this many turns.
type Measured = (&'static str, fn(u32) -> Figure);

/// A worker says by it what it died of.
#[global_allocator]
static ALLOCATOR: codemode_worker::WorkerAllocator<std::alloc::System> = codemode_worker::WorkerAllocator(std::alloc::System);

fn main() -> ExitCode {
    if std::env::args().nth(1).as_deref() == Some(workers::WORKER) {
        return workers::be_one();
    }
    let arguments = Arguments::parse();
    if let Some(delay) = arguments.upstream {
        return if served::upstream::serve(delay).is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE };
    }
    if arguments.do_nothing {
        return ExitCode::SUCCESS;
    }
    let wanted = |name: &str| arguments.only.as_deref().is_none_or(|only| name.contains(only));
    let mut figures: Vec<Figure> = Vec::new();
    for workload in compute::WORKLOADS.iter().filter(|workload| wanted(workload.name)) {
        eprintln!("measuring {} …", workload.name);
        figures.push(compute::measure(workload, arguments.turns));
    }
    let on_one_core: [Measured; 5] = [
        ("start", start::luajit),
        ("start", start::quickjs),
        ("2,500 tools", large::quickjs),
        ("call", call::luajit),
        ("call", call::quickjs),
    ];
    for (name, measure) in on_one_core.into_iter().filter(|(name, _)| wanted(name)) {
        eprintln!("measuring {name} …");
        figures.push(core::on_one_core(|| measure(arguments.turns)));
    }
    let rest: [Measured; 13] = [
        ("1 MB result", result::quickjs),
        ("fifty at once", together::quickjs),
        ("latest hostile", late::quickjs),
        ("serve: first list", served::first_list),
        ("serve: memory", served::memory),
        ("serve: return 1", served::return_one),
        ("serve: ten calls", served::ten_calls),
        ("worker: return 1", workers::start),
        ("worker: 10,000 runs", workers::one_by_one),
        ("worker: call", workers::call),
        ("worker: memory", workers::memory),
        ("worker: spawn", workers::spawn),
        ("worker: from 1 GiB", workers::spawn_from_large),
    ];
    for (name, measure) in rest.into_iter().filter(|(name, _)| wanted(name)) {
        eprintln!("measuring {name} …");
        figures.push(measure(arguments.turns));
    }
    if !arguments.json {
        println!("{}", Figure::HEADER);
    }
    for figure in &figures {
        if arguments.json {
            println!("{}", serde_json::to_string(figure).unwrap_or_default());
        } else {
            println!("{figure}");
        }
    }
    let missed = figures.iter().filter(|figure| !figure.passes()).count();
    if arguments.gate && missed > 0 {
        eprintln!("{missed} of {} figures are past their gates", figures.len());
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}
