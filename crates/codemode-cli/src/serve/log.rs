//! What goes on while it serves: warnings of servers on standard error, and what was learned into its file.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use crate::screen::Screen;
use crate::servers::Host;

/// How often what was learned is written, where anything was.
const PERIOD: Duration = Duration::from_secs(30);
/// How many warnings are known, so that each is said once. A server that fails in ever new ways is heard from again.
const KNOWN: usize = 1_000;

/// Says each warning once, and keeps what was learned; for ever.
pub(super) async fn keep(host: Arc<Host>, screen: Arc<Screen>) {
    let mut changes = host.servers().changes();
    let mut known: HashSet<String> = HashSet::new();
    loop {
        for warning in host.servers().warnings() {
            if known.len() >= KNOWN {
                known.clear();
            }
            if !known.contains(&warning) {
                screen.print(&format!("warning: {warning}\n"));
                known.insert(warning);
            }
        }
        tokio::select! {
            changed = changes.changed() => {
                if changed.is_err() {
                    return;
                }
            }
            () = tokio::time::sleep(PERIOD) => host.keep(),
        }
    }
}
