//! The requests of a client that have no answer yet.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rmcp::model::{ErrorCode, ErrorData, JsonRpcMessage, RequestId, ServerJsonRpcMessage};

/// The most requests without an answer.
const MOST_REQUESTS: usize = 4_096;
/// The most bytes of them.
const REQUEST_BYTES: usize = 64 << 20;
/// The code of a request that came while too many others had no answer.
const BUSY: ErrorCode = ErrorCode(-32_000);

/// The requests without an answer, with their sizes.
#[derive(Debug, Default)]
pub(in crate::server) struct Pending(Mutex<Waiting>);

#[derive(Debug, Default)]
struct Waiting {
    sizes: HashMap<RequestId, usize>,
    bytes: usize,
}

impl Pending {
    /// Notes a request of this size.
    ///
    /// # Errors
    /// When its id is another's, whose answer could not be told from this one's, or when too much waits.
    pub(in crate::server) fn begin(&self, id: &RequestId, bytes: usize) -> Result<(), ErrorData> {
        let mut waiting = self.lock();
        if waiting.sizes.contains_key(id) {
            let why = "another request of this id has no answer yet; give each request an id of its own";
            return Err(ErrorData::invalid_request(why, None));
        }
        if waiting.sizes.len() >= MOST_REQUESTS {
            let why = format!("{MOST_REQUESTS} requests have no answer yet, and more are not taken; wait for some of them");
            return Err(ErrorData::new(BUSY, why, None));
        }
        if waiting.bytes + bytes > REQUEST_BYTES {
            let why =
                format!("requests of {} bytes have no answer yet, and at most {REQUEST_BYTES} are held; wait for some", waiting.bytes);
            return Err(ErrorData::new(BUSY, why, None));
        }
        waiting.bytes += bytes;
        waiting.sizes.insert(id.clone(), bytes);
        Ok(())
    }

    /// Forgets the request that a message answers, where it is an answer.
    pub(in crate::server) fn answer(&self, message: &ServerJsonRpcMessage) {
        match message {
            JsonRpcMessage::Response(response) => self.end(&response.id),
            JsonRpcMessage::Error(error) => error.id.iter().for_each(|id| self.end(id)),
            _ => {}
        }
    }

    /// Those that have no answer yet.
    pub(in crate::server) fn ids(&self) -> Vec<RequestId> {
        self.lock().sizes.keys().cloned().collect()
    }

    /// Whether all are answered.
    pub(in crate::server) fn is_empty(&self) -> bool {
        self.lock().sizes.is_empty()
    }

    /// Forgets a request that is answered, or that wants no answer any more.
    pub(in crate::server) fn end(&self, id: &RequestId) {
        let mut waiting = self.lock();
        if let Some(bytes) = waiting.sizes.remove(id) {
            waiting.bytes -= bytes;
        }
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(pending: &Pending, id: i64, bytes: usize) -> Option<(i32, String)> {
        pending.begin(&RequestId::Number(id), bytes).err().map(|error| (error.code.0, error.message.into_owned()))
    }

    #[test]
    fn an_id_is_one_requests_until_it_is_answered() {
        let pending = Pending::default();
        assert_eq!(refused(&pending, 1, 10), None);
        let why = "another request of this id has no answer yet; give each request an id of its own";
        assert_eq!(refused(&pending, 1, 10), Some((-32_600, why.to_owned())));
        pending.end(&RequestId::Number(1));
        pending.end(&RequestId::Number(1));
        assert_eq!(refused(&pending, 1, 10), None);
        assert_eq!(pending.begin(&RequestId::String("1".into()), 10), Ok(()));
    }

    #[test]
    fn so_many_wait_and_no_more() {
        let pending = Pending::default();
        for id in 0..4_096 {
            assert_eq!(refused(&pending, id, 1), None);
        }
        let why = "4096 requests have no answer yet, and more are not taken; wait for some of them";
        assert_eq!(refused(&pending, 5_000, 1), Some((-32_000, why.to_owned())));
        pending.end(&RequestId::Number(7));
        let why = "requests of 4095 bytes have no answer yet, and at most 67108864 are held; wait for some";
        assert_eq!(refused(&pending, 5_000, 64 << 20), Some((-32_000, why.to_owned())));
        assert_eq!(refused(&pending, 5_000, (64 << 20) - 4_095), None);
    }
}
