//! The conformance suite on every engine of ours: the page of glue.

use std::sync::Arc;

use codemode_conformance::{Arguments, Suite};
use codemode_luajit::LuaJit;

fn main() {
    let engines = Suite::builtin().with_engine(Arc::new(LuaJit::new()));
    engines.run(&Arguments::from_args()).exit();
}
