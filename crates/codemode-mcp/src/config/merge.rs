//! Several places become one list of servers.

use std::collections::BTreeMap;

use super::Read;

/// One list of all servers: of two with one name the one of the earlier place is kept, with a warning that names both.
///
/// A server that an earlier place turned off stays off, without a warning: somebody meant it.
#[must_use]
pub fn merge(reads: Vec<Read>) -> Read {
    let mut merged = Read::default();
    let mut places: BTreeMap<String, Option<String>> = BTreeMap::new();
    for read in reads {
        merged.warnings.extend(read.warnings);
        for server in read.servers {
            match places.get(&server.name) {
                Some(None) => {}
                Some(Some(earlier)) => merged
                    .warnings
                    .push(format!("server `{}` of {} is left out: {earlier} has a server of that name", server.name, server.origin.place)),
                None => {
                    places.insert(server.name.clone(), Some(server.origin.place.clone()));
                    merged.servers.push(server);
                }
            }
        }
        for name in read.disabled {
            if !places.contains_key(&name) {
                places.insert(name.clone(), None);
                merged.disabled.push(name);
            }
        }
    }
    merged
}
