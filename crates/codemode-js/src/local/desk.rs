//! The operations of a run that were begun and are not settled yet.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use codemode_core::{Guard, Local, LocalAnswer, LocalFault, Reserved};
use serde_json::json;

use crate::realm::{Halt, Realm, Resolvers};
use crate::sdk::finish;

type Given = Result<LocalAnswer, LocalFault>;

/// What one run has of the service.
pub(crate) struct Desk<V> {
    pub(crate) service: Arc<dyn Local>,
    /// The folder that relative paths begin at.
    pub(crate) folder: String,
    /// Whether it was noted that a function was used which can change the world.
    pub(crate) noted: bool,
    last: u64,
    out: BTreeMap<u64, Out<V>>,
    done: Arc<Mutex<Vec<(u64, Given)>>>,
}

/// An operation that is out.
struct Out<V> {
    resolvers: Resolvers<V>,
    promise: V,
    /// Whether the end of the run waits for it.
    is_awaited: bool,
    _reserved: Option<Reserved>,
}

/// Where the result of one operation goes.
pub(crate) struct Place {
    number: u64,
    done: Arc<Mutex<Vec<(u64, Given)>>>,
}

impl Place {
    pub(crate) fn put(self, given: Given) {
        self.done.lock().unwrap_or_else(PoisonError::into_inner).push((self.number, given));
    }
}

impl<V: Clone> Desk<V> {
    pub(crate) fn new(service: Arc<dyn Local>, folder: String) -> Self {
        Self { service, folder, noted: false, last: 0, out: BTreeMap::new(), done: Arc::default() }
    }

    /// Notes an operation, and gives its number and where its result goes.
    pub(crate) fn note(&mut self, promise: V, resolvers: Resolvers<V>, reserved: Option<Reserved>) -> (Arc<dyn Local>, Place) {
        self.last += 1;
        let number = self.last;
        self.out.insert(number, Out { resolvers, promise, is_awaited: true, _reserved: reserved });
        (Arc::clone(&self.service), Place { number, done: Arc::clone(&self.done) })
    }

    /// No longer waits for the operation of a promise at the end of the run.
    pub(crate) fn unref(&mut self, is_it: impl Fn(&V) -> bool) {
        if let Some(out) = self.out.values_mut().find(|out| is_it(&out.promise)) {
            out.is_awaited = false;
        }
    }

    /// Whether something is out that can settle a promise.
    pub(crate) fn is_out(&self) -> bool {
        !self.out.is_empty()
    }

    /// Whether something is out that the end of the run waits for.
    pub(crate) fn is_awaited(&self) -> bool {
        self.out.values().any(|out| out.is_awaited)
    }

    /// Ends what goes on.
    pub(crate) fn end(self, guard: &Arc<Guard>) {
        self.service.ended(guard);
    }

    fn take(&mut self) -> Option<(Out<V>, Given)> {
        loop {
            let (number, given) = {
                let mut done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
                if done.is_empty() {
                    return None;
                }
                done.remove(0)
            };
            if let Some(out) = self.out.remove(&number) {
                return Some((out, given));
            }
        }
    }
}

/// Settles what is done, and lets the program go on after each; false where nothing was.
pub(crate) fn settle_local<R: Realm>(realm: &R) -> Result<bool, Halt> {
    let mut any = false;
    loop {
        let taken = realm.shared().with(|run| run.local.as_mut().and_then(Desk::take)).flatten();
        let Some((out, given)) = taken else { return Ok(any) };
        any = true;
        let record = record(realm, given)?;
        finish(realm, &out.resolvers.resolve, record)?;
        drop(out);
        realm.run_jobs()?;
    }
}

/// What an operation gave, as `[fault, value, parts]`.
pub(super) fn record<R: Realm>(realm: &R, given: Given) -> Result<R::Value, Halt> {
    let LocalAnswer { value, parts, held } = match given {
        Ok(answer) => answer,
        Err(fault) => {
            let LocalFault { code, errno, syscall, path, dest, message } = fault;
            let fault = json!({"code": code, "errno": errno, "syscall": syscall, "path": path, "dest": dest, "message": message});
            let fault = codemode_core::Json::from_serialize(&fault).unwrap_or_else(|_| codemode_core::Json::null());
            return realm.make_array(vec![realm.make_json(&fault)?, realm.undefined(), realm.undefined()]);
        }
    };
    realm.make_room(parts.iter().map(|part| part.len()).sum());
    let mut made = Vec::with_capacity(parts.len());
    for part in parts {
        made.push(realm.make_bytes(&part)?);
    }
    let value = realm.make_json(&value)?;
    drop(held);
    realm.make_array(vec![realm.undefined(), value, realm.make_array(made)?])
}
