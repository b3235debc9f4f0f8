//! Binary parts of results: held by the host under handles, within a budget, and read in pieces.

mod piece;

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use codemode_core::text::{cut, one_line};
use codemode_core::{Answer, Blob, Fault, code};
use uuid::Uuid;

/// Binary parts of results, each under a handle that cannot be guessed. The oldest are forgotten to make room for new ones.
///
/// One store may serve several hosts and threads at once. Who has a handle may read what it names: a handle is given to the
/// program whose call made the part, and to nobody else.
#[derive(Debug)]
pub struct BlobStore {
    budget: usize,
    held: Mutex<Held>,
}

#[derive(Debug, Default)]
struct Held {
    parts: HashMap<Arc<str>, Part>,
    /// The handles, the oldest first.
    order: VecDeque<Arc<str>>,
    bytes: usize,
}

#[derive(Debug, Clone)]
struct Part {
    blob: Blob,
    bytes: Arc<[u8]>,
}

/// What a part takes besides its bytes: handle, media type, places in tables. Parts without bytes are bounded by it.
const PART_BYTES: usize = 512;
/// The most of the budget that one part may take: a quarter.
const SHARES: usize = 4;
/// The longest media type, in bytes. RFC 6838 allows twice 127 and a slash, and parameters; nothing in use comes near.
const MEDIA_TYPE_BYTES: usize = 120;
/// What something of no known type is.
const UNKNOWN_TYPE: &str = "application/octet-stream";
/// The longest handle that is shown in a message, in bytes.
const SHOWN_BYTES: usize = 100;

impl BlobStore {
    /// How many bytes are held where a host does not say it: 64 MiB.
    pub const DEFAULT_BYTES: usize = 64 << 20;
    /// The most bytes that one [`open`](Self::open) gives: 1 MiB.
    pub const MOST_OPENED: u64 = 1 << 20;

    /// A store that holds at most this many bytes; one part may have a quarter of it.
    #[must_use]
    pub fn new(budget_bytes: usize) -> Self {
        Self { budget: budget_bytes, held: Mutex::default() }
    }

    /// The most bytes that one part may have.
    #[must_use]
    pub fn most_part_bytes(&self) -> usize {
        (self.budget / SHARES).saturating_sub(PART_BYTES)
    }

    /// Keeps a part, and forgets the oldest ones where the budget asks for it. Nothing where the part is too large.
    ///
    /// A media type that is none (it has control characters, no slash, or over 120 bytes) becomes `application/octet-stream`.
    pub fn keep(&self, media_type: impl AsRef<str>, bytes: impl Into<Arc<[u8]>>) -> Option<Blob> {
        let bytes = bytes.into();
        if bytes.len() > self.most_part_bytes() {
            return None;
        }
        let blob = Blob { handle: fresh_handle(), media_type: checked_type(media_type.as_ref()).into(), bytes: bytes.len() as u64 };
        let mut forgotten = Vec::new();
        let mut held = self.held();
        held.bytes += bytes.len() + PART_BYTES;
        held.order.push_back(Arc::clone(&blob.handle));
        held.parts.insert(Arc::clone(&blob.handle), Part { blob: blob.clone(), bytes });
        while held.bytes > self.budget
            && let Some(oldest) = held.order.pop_front()
        {
            if let Some(part) = held.parts.remove(&oldest) {
                held.bytes -= part.bytes.len() + PART_BYTES;
                forgotten.push(part);
            }
        }
        // Large memory is given back without the lock.
        drop(held);
        drop(forgotten);
        Some(blob)
    }

    /// A part and its bytes, where it is still held.
    #[must_use]
    pub fn get(&self, handle: &str) -> Option<(Blob, Arc<[u8]>)> {
        self.held().parts.get(handle).map(|part| (part.blob.clone(), Arc::clone(&part.bytes)))
    }

    /// What a handle names, where it is still held.
    #[must_use]
    pub fn describe(&self, handle: &str) -> Option<Blob> {
        self.held().parts.get(handle).map(|part| part.blob.clone())
    }

    /// What is held, the newest first.
    #[must_use]
    pub fn list(&self) -> Vec<Blob> {
        let held = self.held();
        held.order.iter().rev().filter_map(|handle| held.parts.get(handle)).map(|part| part.blob.clone()).collect()
    }

    /// Answers [`Ask::Open`](codemode_core::Ask::Open): at most `limit` bytes from `offset` on, and never more than
    /// [`MOST_OPENED`](Self::MOST_OPENED).
    ///
    /// The answer is structured: `handle`, `type`, `bytes` (of the whole part), `offset`, then `text` or `base64`, and `next`,
    /// where the rest begins, or `null` at the end. Text is given where the type is one of text and the piece can be cut at
    /// borders of UTF-8: a piece of text may be up to three bytes shorter than `limit`, or longer where `limit` is less than one
    /// character. A handle that names nothing here is `unknown_handle`; a range that is none is `invalid_arguments`.
    #[must_use]
    pub fn open(&self, handle: &str, offset: u64, limit: u64) -> Answer {
        match self.get(handle) {
            Some((blob, bytes)) => piece::open(&blob, &bytes, offset, limit),
            None => Answer::Failed(Fault::new(code::UNKNOWN_HANDLE, unknown(handle))),
        }
    }

    fn held(&self) -> MutexGuard<'_, Held> {
        // What is behind the lock is right after each statement that could panic.
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Default for BlobStore {
    /// A store of 64 MiB.
    fn default() -> Self {
        Self::new(Self::DEFAULT_BYTES)
    }
}

/// A handle that nobody guesses: 96 random bits, without the bits that are the same in each UUID.
fn fresh_handle() -> Arc<str> {
    let random = Uuid::new_v4().simple().to_string();
    Arc::from(format!("{}{}{}", Blob::PREFIX, &random[..12], &random[20..]))
}

/// The type itself where it reads as one, else that of unknown bytes. It is shown to models and to terminals.
fn checked_type(media_type: &str) -> &str {
    let media_type = media_type.trim();
    let is_plain = media_type.bytes().all(|byte| byte == b' ' || byte.is_ascii_graphic());
    let named = |name: &str| !name.is_empty() && !name.contains(' ');
    let essence = media_type.split(';').next().unwrap_or_default().trim_end();
    let is_one = essence.split_once('/').is_some_and(|(kind, subtype)| named(kind) && named(subtype));
    if is_plain && is_one && media_type.len() <= MEDIA_TYPE_BYTES { media_type } else { UNKNOWN_TYPE }
}

fn unknown(handle: &str) -> String {
    let shown = one_line(codemode_core::text::prefix(handle, SHOWN_BYTES * 2));
    format!(
        "nothing is held under the handle \"{}\"; handles come in results, and the oldest are forgotten when new ones need room: make \
         the call again",
        cut(&shown, SHOWN_BYTES)
    )
}
