//! What a command prints becomes output of the program: the host's own streams are never written.

use std::io::PipeReader;
use std::os::fd::{AsFd, BorrowedFd};

use codemode_core::{Handle, Stopped};
use rustix::fs::{OFlags, fcntl_setfl};
use rustix::io::Errno;

/// How much is read at a time, in bytes.
const BLOCK: usize = 8192;

/// How many blocks are read before something else is looked at.
const BLOCKS: usize = 16;

/// The pipe that a command prints into.
#[derive(Debug)]
pub(super) struct Shown {
    pipe: PipeReader,
    /// The beginning of a character that the last block ended in.
    partial: Vec<u8>,
}

impl Shown {
    pub(super) fn new(pipe: PipeReader) -> Result<Self, Errno> {
        fcntl_setfl(&pipe, OFlags::NONBLOCK)?;
        Ok(Self { pipe, partial: Vec::new() })
    }

    pub(super) fn fd(&self) -> BorrowedFd<'_> {
        self.pipe.as_fd()
    }

    /// Shows what is there now; false once the other end is closed. Without a handle it is dropped.
    ///
    /// # Errors
    /// When the run is over.
    pub(super) fn pump(&mut self, handle: Option<&Handle>) -> Result<bool, Stopped> {
        let mut block = [0; BLOCK];
        for _ in 0..BLOCKS {
            match rustix::io::read(&self.pipe, &mut block) {
                Ok(0) => {
                    if !self.partial.is_empty() {
                        self.partial.clear();
                        show(handle, "\u{fffd}")?;
                    }
                    return Ok(false);
                }
                Ok(length) => self.show(handle, &block[..length])?,
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => return Ok(true),
                Err(_) => return Ok(false),
            }
        }
        Ok(true)
    }

    fn show(&mut self, handle: Option<&Handle>, block: &[u8]) -> Result<(), Stopped> {
        let mut text = String::with_capacity(self.partial.len() + block.len());
        self.partial.extend_from_slice(block);
        let mut chunks = self.partial.utf8_chunks().peekable();
        let mut kept = 0;
        while let Some(chunk) = chunks.next() {
            text.push_str(chunk.valid());
            // What the block ends in may be the beginning of a character.
            let unfinished =
                chunks.peek().is_none() && std::str::from_utf8(chunk.invalid()).is_err_and(|error| error.error_len().is_none());
            if unfinished {
                kept = chunk.invalid().len();
            } else if !chunk.invalid().is_empty() {
                text.push('\u{fffd}');
            }
        }
        self.partial.drain(..self.partial.len() - kept);
        show(handle, &text)
    }
}

fn show(handle: Option<&Handle>, text: &str) -> Result<(), Stopped> {
    match handle {
        Some(handle) if !text.is_empty() => handle.print(text),
        _ => Ok(()),
    }
}
