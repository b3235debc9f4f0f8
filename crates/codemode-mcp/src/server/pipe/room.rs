//! How much waits to be read by a client: work for one that reads nothing has to wait as well.

use std::sync::Arc;

use tokio::sync::watch;

/// The most bytes that wait to be written before nothing more is read or begun.
const UNSENT_BYTES: usize = 16 << 20;
/// What a message takes besides its bytes: it waits in a task.
const MESSAGE_BYTES: usize = 1 << 10;

/// The room for what is not written yet.
#[derive(Debug, Clone)]
pub(in crate::server) struct Room(Arc<watch::Sender<usize>>);

/// A part of the room that a message has until it is written or given up.
#[derive(Debug)]
pub(super) struct Taken {
    room: Room,
    bytes: usize,
}

impl Default for Room {
    fn default() -> Self {
        Self(Arc::new(watch::Sender::new(0)))
    }
}

impl Room {
    /// Takes room for a message of so many bytes, which there is always: an answer is never lost for want of it.
    pub(super) fn take(&self, bytes: usize) -> Taken {
        let bytes = bytes + MESSAGE_BYTES;
        self.0.send_modify(|unsent| *unsent += bytes);
        Taken { room: self.clone(), bytes }
    }

    /// Resolves when there is room for more.
    pub(in crate::server) async fn free(&self) {
        // The sender is held here, so that the wait does not fail.
        let _ = self.0.subscribe().wait_for(|unsent| *unsent < UNSENT_BYTES).await;
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        self.room.0.send_modify(|unsent| *unsent -= self.bytes);
    }
}

#[cfg(test)]
mod tests {
    use std::future::Future as _;
    use std::task::{Context, Poll, Waker};

    use super::*;

    #[test]
    fn there_is_room_again_when_what_waited_is_written_or_given_up() {
        let room = Room::default();
        let mut free = std::pin::pin!(room.free());
        assert_eq!(free.as_mut().poll(&mut Context::from_waker(Waker::noop())), Poll::Ready(()));
        let (small, large) = (room.take(10), room.take(UNSENT_BYTES));
        let mut free = std::pin::pin!(room.free());
        assert_eq!(free.as_mut().poll(&mut Context::from_waker(Waker::noop())), Poll::Pending);
        drop(small);
        assert_eq!(free.as_mut().poll(&mut Context::from_waker(Waker::noop())), Poll::Pending);
        drop(large);
        assert_eq!(free.as_mut().poll(&mut Context::from_waker(Waker::noop())), Poll::Ready(()));
    }
}
