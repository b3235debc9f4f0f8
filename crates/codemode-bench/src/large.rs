//! A run over 2,500 tools, against the same run over ten: what a catalog costs that nobody looks at.

use std::sync::Arc;

use codemode_core::{Answer, Catalog, FnHost, Json, Profile, RunRequest, Runner, ToolSpec};
use serde_json::Value;

use crate::figure::{Figure, Gate};
use crate::turns::minima;

/// Runs in one measurement, so that the clock's grain does not show.
const RUNS: u32 = 50;

pub(crate) fn quickjs(turns: u32) -> Figure {
    let all = tools();
    assert_eq!(all.len(), 2500);
    let tokio = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    let (large, small) = (runner(all.clone()), runner(all.into_iter().take(10).collect()));
    let runs = |runner: &Runner| {
        for _ in 0..RUNS {
            let outcome = tokio.block_on(runner.run(RunRequest::new("return 1"))).expect("the host is whole");
            assert!(outcome.is_ok(), "{}", outcome.to_text("run_code"));
        }
    };
    let (least, least_small) = minima(turns, || runs(&large), || runs(&small));
    Figure::new("2,500 tools", "quickjs", (least / RUNS, least_small / RUNS), Gate::Ratio(1.2))
}

fn runner(tools: Vec<ToolSpec>) -> Runner {
    let catalog = Catalog::new(tools).expect("no two tools share a name");
    let host = FnHost::new(catalog, |_context, _call| async { Answer::text("") });
    Runner::builder(Arc::new(codemode_quickjs::QuickJs::new()), Profile::program(), Arc::new(host)).build().expect("budgets fit")
}

/// The test catalog; the number in front keeps names apart that two servers join alike.
fn tools() -> Vec<ToolSpec> {
    let data: Value = serde_json::from_str(include_str!("../../codemode-catalog/tests/data/catalog.json")).expect("json");
    let mut tools = Vec::new();
    for server in data["servers"].as_array().into_iter().flatten() {
        let prefix = server["name"].as_str().expect("a name");
        for tool in server["tools"].as_array().into_iter().flatten() {
            let name = tool["name"].as_str().expect("a name");
            let schema = Json::from_value(tool["inputSchema"].clone()).expect("a schema nests no deeper than a document may");
            let spec = ToolSpec::new(format!("s{}_{prefix}__{name}", tools.len())).in_namespace(prefix, name);
            tools.push(spec.with_description(tool["description"].as_str().unwrap_or_default()).with_input_schema(schema));
        }
    }
    tools
}
