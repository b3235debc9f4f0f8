//! Resources: what was printed and not shown, and binary parts of results, to be listed and read.

use std::io::SeekFrom;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use codemode_core::text::{cut, one_line};
use codemode_core::{Blob, RunId};
use codemode_session::BlobStore;
use rmcp::ErrorData;
use rmcp::model::{ReadResourceResult, Resource, ResourceContents, ResourceTemplate};
use tokio::io::{AsyncReadExt as _, AsyncSeekExt as _};

use super::content::{PART, resource};
use super::shelf::{Kept, Shelf};

/// What the address of a spill file begins with; the run follows.
const SPILL: &str = "codemode://spill/";
/// What stands between a run and where to begin.
const OFFSET: &str = "?offset=";
/// The most bytes of a spill file that are read at once.
const READ_BYTES: u64 = 1 << 20;
/// The most bytes of an address in a message.
const SHOWN_BYTES: usize = 120;

/// The address of what a run printed.
pub(super) fn spill_uri(run: &RunId) -> String {
    format!("{SPILL}{run}")
}

/// What there is, newest first.
pub(super) fn list(shelf: &Shelf) -> Vec<Resource> {
    let listed = |kept: Kept| match kept {
        Kept::Spill { run, bytes, .. } => {
            Resource::new(spill_uri(&run), format!("all that run {run} printed")).with_mime_type("text/plain").with_size(bytes)
        }
        Kept::Part(blob) => resource(&blob),
    };
    shelf.list().into_iter().map(listed).collect()
}

/// The two kinds of addresses.
pub(super) fn templates() -> Vec<ResourceTemplate> {
    vec![
        ResourceTemplate::new(format!("{SPILL}{{run}}{{?offset}}"), "output")
            .with_description("All that a run printed, where only a part was shown; at most 1 MiB at once, from a byte offset.")
            .with_mime_type("text/plain"),
        ResourceTemplate::new(format!("{PART}{{handle}}"), "part")
            .with_description("A binary part of a tool's result, by its handle without the leading \"blob:\"."),
    ]
}

/// Reads what is at an address.
///
/// # Errors
/// When there is nothing, or nothing any more.
pub(super) async fn read(uri: &str, shelf: &Shelf, store: &BlobStore) -> Result<ReadResourceResult, ErrorData> {
    if let Some(handle) = uri.strip_prefix(PART) {
        let handle = format!("{}{}", Blob::PREFIX, handle.strip_prefix(Blob::PREFIX).unwrap_or(handle));
        let Some((blob, bytes)) = store.get(&handle) else { return Err(not_found(uri)) };
        return Ok(ReadResourceResult::new(vec![part(uri, &blob, &bytes)]));
    }
    if let Some(run) = uri.strip_prefix(SPILL) {
        let (run, offset) = run.split_once(OFFSET).map_or((run, "0"), |(run, offset)| (run, offset));
        let offset: u64 = offset.parse().map_err(|_| {
            let shown = shown(offset);
            ErrorData::invalid_params(format!("offset is \"{shown}\", and must be a whole number of bytes"), None)
        })?;
        let Some(path) = shelf.spill(run) else { return Err(not_found(uri)) };
        return match piece(&path, offset).await {
            Ok(piece) => Ok(ReadResourceResult::new(pieces(uri, run, offset, &piece))),
            Err(error) => Err(ErrorData::resource_not_found(format!("what run {} printed cannot be read: {error}", shown(run)), None)),
        };
    }
    Err(not_found(uri))
}

fn part(uri: &str, blob: &Blob, bytes: &[u8]) -> ResourceContents {
    let is_text = blob.media_type.starts_with("text/") || blob.media_type.starts_with("application/json");
    match std::str::from_utf8(bytes) {
        Ok(text) if is_text => ResourceContents::text(text, uri),
        _ => ResourceContents::blob(STANDARD.encode(bytes), uri),
    }
    .with_mime_type(&*blob.media_type)
}

/// A piece of a text, where it ends, and the size of the whole.
struct Piece {
    text: String,
    end: u64,
    whole: u64,
}

async fn piece(path: &Path, offset: u64) -> std::io::Result<Piece> {
    let mut file = tokio::fs::File::open(path).await?;
    let whole = file.metadata().await?.len();
    file.seek(SeekFrom::Start(offset)).await?;
    let mut bytes = Vec::new();
    file.take(READ_BYTES).read_to_end(&mut bytes).await?;
    // A character that the beginning cuts belongs to the piece before, and one that the end cuts to the next.
    let begin = bytes.iter().take(3).take_while(|byte| **byte & 0xc0 == 0x80).count();
    let end = match std::str::from_utf8(&bytes[begin..]) {
        Err(error) if error.error_len().is_none() => begin + error.valid_up_to(),
        _ => bytes.len(),
    };
    let text = String::from_utf8_lossy(&bytes[begin..end]).into_owned();
    Ok(Piece { text, end: offset.saturating_add(end as u64), whole })
}

/// The piece, and where what follows is read.
fn pieces(uri: &str, run: &str, offset: u64, piece: &Piece) -> Vec<ResourceContents> {
    let mut contents = vec![ResourceContents::text(&piece.text, uri)];
    let next = piece.end;
    if next < piece.whole && next > offset {
        let rest = format!("[{next} of {} bytes were read so far; what follows is at this address]", piece.whole);
        contents.push(ResourceContents::text(rest, format!("{SPILL}{run}{OFFSET}{next}")));
    }
    contents
}

fn not_found(uri: &str) -> ErrorData {
    let shown = shown(uri);
    ErrorData::resource_not_found(format!("there is no resource \"{shown}\", or none any more; resources/list has what there is"), None)
}

fn shown(text: &str) -> String {
    cut(&one_line(cut(text, SHOWN_BYTES).as_ref()), SHOWN_BYTES).into_owned()
}
