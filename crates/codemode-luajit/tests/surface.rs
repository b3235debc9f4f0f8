//! What a program sees and what comes back of it.

use std::sync::Arc;

use codemode_core::{Answer, Catalog, FnHost, Profile, RunRequest, Runner};
use codemode_luajit::LuaJit;

#[tokio::test]
async fn a_returned_number_is_what_comes_back() {
    let host = FnHost::new(Catalog::new([]).expect("no tools"), |_, _| async { Answer::text("") });
    let runner = Runner::builder(Arc::new(LuaJit::new()), Profile::script(), Arc::new(host)).build().expect("a runner");
    let outcome = runner.run(RunRequest::new("return 1")).await.expect("an outcome");
    assert_eq!((outcome.status.as_str(), outcome.output.as_str()), ("ok", "1"));
}
