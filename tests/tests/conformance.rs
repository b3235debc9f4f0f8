//! The conformance suite on every engine of ours: the page of glue.

use std::sync::Arc;

use codemode_conformance::{Arguments, Suite};
use codemode_luajit::LuaJit;
use codemode_quickjs::QuickJs;

fn main() {
    let interpreted = Arc::new(LuaJit::new().with_jit(false));
    let suite = Suite::builtin()
        .with_engine(Arc::new(LuaJit::new()))
        .with_engine_as("luajit-interpreted", interpreted)
        .with_engine(Arc::new(QuickJs::new()));
    suite.run(&Arguments::from_args()).exit();
}
