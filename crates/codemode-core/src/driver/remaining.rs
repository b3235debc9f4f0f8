//! What is left of the budgets, as `budget()` tells it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use serde_json::{Value, json};

use super::drive::Drive;
use super::finish::most_value;
use crate::journal::Room;
use crate::json::Json;

fn row(used: u64, limit: u64) -> Value {
    json!({"used": used, "limit": limit, "remaining": limit.saturating_sub(used)})
}

impl Drive {
    /// A snapshot. Taking it uses nothing up; the fields of history are `null` where no journal bounds it.
    pub(super) fn budget(&self) -> Json {
        let (guard, budgets) = (&self.exchange.guard, &self.budgets);
        let room = self.room();
        let history = |read: fn(Room) -> (u64, u64)| room.map(read).map_or(Value::Null, |(used, limit)| row(used, limit));
        let budget = json!({
            "inner_calls": row(self.ledger.len() as u64, budgets.calls),
            "result_bytes": row(self.result_bytes, budgets.total_result_bytes),
            "runtime_ms": row(whole_millis(guard.computed()), whole_millis(budgets.compute)),
            "memory_bytes": row(guard.held() as u64, budgets.memory_bytes),
            "batch_history_bytes": history(|room| (room.run_used, room.run_limit)),
            "session_history_bytes": history(|room| (room.session_used, room.session_limit)),
            "inner_result_bytes_limit": budgets.call_result_bytes,
            "return_bytes_limit": most_value(budgets),
        });
        Json::from_value(budget).unwrap_or_else(|_| Json::null())
    }

    /// The journal's room. One that panics has told nothing.
    fn room(&self) -> Option<Room> {
        let journal = self.setup.journal.as_ref()?;
        catch_unwind(AssertUnwindSafe(|| journal.room())).unwrap_or_else(|panic| {
            tracing::error!(panic = super::seat::panic_text(&*panic), "the journal panicked");
            None
        })
    }
}

fn whole_millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
