//! Several places become one list of servers.

use std::collections::BTreeMap;

use super::Read;
use super::warnings::{Warnings, label};

/// One list of all servers: of two with one name the one of the earlier place is kept, with a warning that names both.
///
/// A server that an earlier place turned off stays off, without a warning: somebody meant it.
#[must_use]
pub fn merge(reads: Vec<Read>) -> Read {
    let mut merged = Read::default();
    let mut warnings = Warnings::default();
    // The place that has a server of this name, or nothing where one turned it off.
    let mut decided: BTreeMap<String, Option<String>> = BTreeMap::new();
    for read in reads {
        for warning in &read.warnings {
            warnings.push(warning);
        }
        for server in read.servers {
            match decided.get(&server.name) {
                Some(None) => {}
                Some(Some(earlier)) => {
                    let label = label(&server.name, &server.origin.place);
                    warnings.push(&format!("{label} is left out: {earlier} has a server of that name"));
                }
                None => {
                    decided.insert(server.name.clone(), Some(server.origin.place.clone()));
                    merged.servers.push(server);
                }
            }
        }
        for name in read.disabled {
            if !decided.contains_key(&name) {
                decided.insert(name.clone(), None);
                merged.disabled.push(name);
            }
        }
    }
    merged.warnings = warnings.finish();
    merged
}
