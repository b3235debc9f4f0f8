//! Authority `local` on this machine: what operations give, their faults, and that no process outlives its run.

mod files;
mod packages;
mod processes;

use std::path::Path;
use std::sync::Arc;

use codemode_core::{Budgets, Guard, Json, Local, LocalAnswer, LocalFault, LocalOp};
use codemode_workspace::Machine;
use serde_json::Value;

/// One run's view of the machine.
struct Run {
    machine: Machine,
    guard: Arc<Guard>,
}

impl Run {
    fn new() -> Self {
        let guard = Guard::new();
        guard.arm(&Budgets::default());
        Self { machine: Machine::new(), guard }
    }

    fn with_bytes(&self, name: &str, arguments: Value, parts: &[&[u8]]) -> Result<LocalAnswer, LocalFault> {
        self.machine.perform(op(name, arguments, parts), &self.guard)
    }

    fn give(&self, name: &str, arguments: Value) -> Value {
        let given = self.with_bytes(name, arguments, &[]);
        given.unwrap_or_else(|fault| panic!("{name}: {fault:?}")).value.tree().clone()
    }

    fn fail(&self, name: &str, arguments: Value) -> String {
        let fault = self.with_bytes(name, arguments, &[]).expect_err("it fails");
        format!("{}: {}", fault.code, fault.message)
    }

    /// The same through `begin`: what is awaited by a program.
    fn await_it(&self, name: &str, arguments: Value) -> Result<LocalAnswer, LocalFault> {
        let (send, receive) = std::sync::mpsc::channel();
        self.machine.begin(op(name, arguments, &[]), &self.guard, Box::new(move |given| drop(send.send(given))));
        receive.recv_timeout(std::time::Duration::from_secs(30)).expect("it is done")
    }
}

fn op(name: &str, arguments: Value, parts: &[&[u8]]) -> LocalOp {
    let arguments = Json::from_value(arguments).expect("a document");
    LocalOp { name: name.to_owned(), arguments, parts: parts.iter().map(|part| Arc::from(*part)).collect() }
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a path in UTF-8")
}
