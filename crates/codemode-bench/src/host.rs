//! What each workload runs on: one runtime, one runner, one tool.

use std::sync::Arc;
use std::time::Duration;

use codemode_core::{Annotations, Answer, Budgets, Catalog, Ceilings, FnHost, Outcome, Profile, RunRequest, Runner, ToolSpec};
use codemode_luajit::LuaJit;

/// The stack of an interpreter's thread, as in core.
pub(crate) const STACK_BYTES: usize = 64 << 20;

pub(crate) struct Ours {
    tokio: tokio::runtime::Runtime,
    runner: Runner,
}

impl Ours {
    /// A runner of LuaJIT with one tool, `echo`, and budgets that nothing here reaches.
    pub(crate) fn new() -> Self {
        let tool = ToolSpec::new("echo").with_annotations(Annotations::read_only());
        let catalog = Catalog::new([tool]).expect("one tool has no namesake");
        let host = FnHost::new(catalog, |_context, _call| std::future::ready(Answer::text("a hundred bytes at most")));
        let mut profile = Profile::script();
        profile.ceilings = Ceilings(Budgets { calls: 1 << 30, memory_bytes: 1 << 32, ..profile.ceilings.0 });
        profile.budgets = Budgets { calls: 1 << 30, memory_bytes: 1 << 30, compute: Duration::from_secs(120), ..profile.budgets };
        let runner = Runner::builder(Arc::new(LuaJit::new()), profile, Arc::new(host)).build().expect("budgets within their ceilings");
        let tokio = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        Self { tokio, runner }
    }

    /// Runs one program, which must end well.
    pub(crate) fn run(&self, source: &str) -> Outcome {
        let outcome = self.tokio.block_on(self.runner.run(RunRequest::new(source))).expect("the host is whole");
        assert!(outcome.is_ok(), "{}", outcome.to_text("run_code"));
        outcome
    }
}

/// Runs one program on a bare LuaJIT, made for it and dropped, on a fresh thread of the same stack.
pub(crate) fn bare(source: &'static str) {
    let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(move || {
        let lua = mlua::Lua::new();
        let value: mlua::Value =
            lua.load(source).set_mode(mlua::chunk::ChunkMode::Text).into_function().and_then(|chunk| chunk.call(())).expect("runs");
        drop(value);
    });
    thread.expect("a thread").join().expect("no panic");
}
