//! Content as a client gets it: binary parts come out of the store as images, sound or resources.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use codemode_core::text::one_line;
use codemode_core::{Blob, Block, Content};
use codemode_session::BlobStore;
use rmcp::model::{ContentBlock, Resource, ResourceContents};

/// The most bytes of binary parts that one result carries within itself; what goes past it is a link to read it by. Clients
/// bound a message too, many at 16 MiB, and base64 makes a third more of each byte.
const CARRIED_BYTES: u64 = 8 << 20;

/// Makes content for one result.
pub(super) struct Carrier<'a> {
    store: &'a BlobStore,
    room: u64,
}

impl<'a> Carrier<'a> {
    pub(super) fn new(store: &'a BlobStore) -> Self {
        Self { store, room: CARRIED_BYTES }
    }

    /// A binary part: itself where there is room, a link where there is not, a note where it is forgotten.
    pub(super) fn part(&mut self, blob: &Blob) -> ContentBlock {
        if blob.bytes > self.room {
            return ContentBlock::resource_link(resource(blob));
        }
        let Some((_, bytes)) = self.store.get(&blob.handle) else {
            return ContentBlock::text(format!("[{}, {} bytes: no longer held]", one_line(&blob.media_type), blob.bytes));
        };
        self.room -= blob.bytes;
        let data = STANDARD.encode(bytes);
        let kind = blob.media_type.split('/').next().unwrap_or_default();
        if kind.eq_ignore_ascii_case("image") {
            ContentBlock::image(data, &*blob.media_type)
        } else if kind.eq_ignore_ascii_case("audio") {
            ContentBlock::audio(data, &*blob.media_type)
        } else {
            ContentBlock::resource(ResourceContents::blob(data, uri(blob)).with_mime_type(&*blob.media_type))
        }
    }

    /// What a tool gave back, part by part as it came.
    pub(super) fn content(&mut self, content: &Content) -> Vec<ContentBlock> {
        let mut blocks: Vec<ContentBlock> = match &content.blocks {
            Some(blocks) => blocks.iter().filter_map(|block| self.block(block)).collect(),
            None => {
                let text = content.as_text();
                let text = (!text.is_empty() || content.blobs.is_empty()).then(|| ContentBlock::text(text));
                text.into_iter().chain(content.blobs.iter().map(|blob| self.part(blob))).collect()
            }
        };
        if content.withheld {
            blocks.push(ContentBlock::text("[a part of this result was withheld: it was too large, or of a kind that is not passed on]"));
        }
        blocks
    }

    fn block(&mut self, block: &Block) -> Option<ContentBlock> {
        match block {
            Block::Text(text) => Some(ContentBlock::text(&**text)),
            Block::Blob(blob) => Some(self.part(blob)),
            Block::Link { uri, name, media_type } => {
                let mut link = Resource::new(&**uri, &**name);
                link.mime_type = media_type.as_deref().map(str::to_owned);
                Some(ContentBlock::resource_link(link))
            }
            _ => None,
        }
    }
}

/// The address of a binary part.
pub(super) fn uri(blob: &Blob) -> String {
    format!("{PART}{}", blob.handle.strip_prefix(Blob::PREFIX).unwrap_or(&blob.handle))
}

/// What the address of a binary part begins with; its handle without [`Blob::PREFIX`] follows.
pub(super) const PART: &str = "codemode://blob/";

/// A binary part as a resource.
pub(super) fn resource(blob: &Blob) -> Resource {
    Resource::new(uri(blob), format!("{}, {} bytes", one_line(&blob.media_type), blob.bytes))
        .with_mime_type(&*blob.media_type)
        .with_size(blob.bytes)
}
