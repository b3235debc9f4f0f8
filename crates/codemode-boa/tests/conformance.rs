//! The conformance suite on Boa: the page of glue.

use std::sync::Arc;

use codemode_boa::Boa;
use codemode_conformance::{Arguments, Suite};

fn main() {
    let suite = Suite::builtin().with_engine(Arc::new(Boa::unbounded_in_thread()));
    suite.run(&Arguments::from_args()).exit();
}
