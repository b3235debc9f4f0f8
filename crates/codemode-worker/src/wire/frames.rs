//! Frames: a length in four bytes, low byte first, and so many bytes.

use std::io::{self, Read, Write};

use serde::Serialize;

/// What a reader's buffer has at first, in bytes: most frames fit, so that one look at the pipe is enough.
const FIRST_BUFFER: usize = 16 << 10;

/// A buffer that has grown past this is given back once it is empty.
const MOST_KEPT: usize = 1 << 20;

/// What stands before each frame.
const PREFIX: usize = size_of::<u32>();

/// What the other side sent cannot be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum FrameError {
    /// The pipe.
    #[error("the pipe: {0}")]
    Pipe(#[from] io::Error),
    /// It ended within a frame.
    #[error("it ended within a message")]
    Torn,
    /// A frame is larger than anything that it may send.
    #[error("it announced a message of {0} bytes, which is more than it may send")]
    TooLarge(usize),
    /// A frame is no message.
    #[error("it sent what is no message: {0}")]
    Malformed(String),
}

/// Reads frames.
#[derive(Debug)]
pub(crate) struct FrameReader<R> {
    source: R,
    buffer: Vec<u8>,
    start: usize,
    end: usize,
}

impl<R: Read> FrameReader<R> {
    pub(crate) fn new(source: R) -> Self {
        Self { source, buffer: vec![0; FIRST_BUFFER], start: 0, end: 0 }
    }

    /// What is read from.
    pub(crate) fn source(&self) -> &R {
        &self.source
    }

    /// Whether a part of a frame has been read already, so that the pipe need not have anything.
    pub(crate) fn has_some(&self) -> bool {
        self.start < self.end
    }

    /// The next frame, of at most `most` bytes; nothing where the other side has ended.
    ///
    /// Room is made as bytes come and not as they are announced.
    pub(crate) fn next(&mut self, most: usize) -> Result<Option<&[u8]>, FrameError> {
        loop {
            let held = self.end - self.start;
            let mut wanted = PREFIX;
            if let Some(prefix) = self.buffer[self.start..self.end].first_chunk::<PREFIX>() {
                let length = u32::from_le_bytes(*prefix) as usize;
                if length > most {
                    return Err(FrameError::TooLarge(length));
                }
                wanted = PREFIX + length;
                if held >= wanted {
                    let frame = self.start + PREFIX..self.start + wanted;
                    self.start = frame.end;
                    return Ok(Some(&self.buffer[frame]));
                }
            }
            self.make_room(wanted);
            match self.source.read(&mut self.buffer[self.end..]) {
                Ok(0) if held == 0 => return Ok(None),
                Ok(0) => return Err(FrameError::Torn),
                Ok(count) => self.end += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Room at the end of the buffer for more of a frame of so many bytes.
    fn make_room(&mut self, wanted: usize) {
        if self.start == self.end {
            (self.start, self.end) = (0, 0);
            if self.buffer.len() > MOST_KEPT && wanted < FIRST_BUFFER {
                self.buffer = vec![0; FIRST_BUFFER];
            }
        } else if self.start > 0 && (self.end == self.buffer.len() || self.start + wanted > self.buffer.len()) {
            self.buffer.copy_within(self.start..self.end, 0);
            (self.start, self.end) = (0, self.end - self.start);
        }
        if self.end == self.buffer.len() {
            let grown = (self.buffer.len() * 2).min(wanted.max(FIRST_BUFFER));
            self.buffer.resize(grown, 0);
        }
    }
}

/// Writes messages as frames, each with one write.
#[derive(Debug)]
pub(crate) struct FrameWriter<W> {
    target: W,
    buffer: Vec<u8>,
}

impl<W: Write> FrameWriter<W> {
    pub(crate) fn new(target: W) -> Self {
        Self { target, buffer: Vec::with_capacity(256) }
    }

    /// What is written to.
    pub(crate) fn target(&self) -> &W {
        &self.target
    }

    pub(crate) fn send(&mut self, message: &impl Serialize) -> Result<(), FrameError> {
        let mut buffer = std::mem::take(&mut self.buffer);
        buffer.clear();
        buffer.extend_from_slice(&[0; PREFIX]);
        let buffer = postcard::to_extend(message, buffer).map_err(|error| FrameError::Malformed(error.to_string()))?;
        self.send_buffer(buffer)
    }

    /// Sends a message that was made before.
    pub(crate) fn send_encoded(&mut self, message: &[u8]) -> Result<(), FrameError> {
        let mut buffer = std::mem::take(&mut self.buffer);
        buffer.clear();
        buffer.extend_from_slice(&[0; PREFIX]);
        buffer.extend_from_slice(message);
        self.send_buffer(buffer)
    }

    fn send_buffer(&mut self, mut buffer: Vec<u8>) -> Result<(), FrameError> {
        let length = buffer.len() - PREFIX;
        let prefix = u32::try_from(length).map_err(|_| FrameError::TooLarge(length))?;
        buffer[..PREFIX].copy_from_slice(&prefix.to_le_bytes());
        self.target.write_all(&buffer)?;
        if buffer.capacity() <= MOST_KEPT {
            self.buffer = buffer;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives a few bytes at a time.
    struct Slowly<'a>(&'a [u8], usize);

    impl Read for Slowly<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let count = self.1.min(buffer.len()).min(self.0.len());
            buffer[..count].copy_from_slice(&self.0[..count]);
            self.0 = &self.0[count..];
            Ok(count)
        }
    }

    #[test]
    fn frames_come_out_as_they_went_in_however_the_pipe_cuts_them() {
        let texts = ["", "a", &"b".repeat(300), &"c".repeat(3 << 20), "d"];
        let mut pipe = Vec::new();
        let mut writer = FrameWriter::new(&mut pipe);
        for text in texts {
            writer.send(&text).expect("a message");
        }
        for step in [1, 7, 4096, usize::MAX] {
            if step == 1 && cfg!(debug_assertions) {
                // Three million reads of a byte are slow without optimisation; seven bytes cut prefixes as well.
                continue;
            }
            let mut reader = FrameReader::new(Slowly(&pipe, step));
            for text in texts {
                let frame = reader.next(4 << 20).expect("a frame").expect("not the end");
                assert_eq!(postcard::from_bytes::<&str>(frame), Ok(text));
            }
            assert!(matches!(reader.next(4 << 20), Ok(None)));
            assert!(!reader.has_some());
        }
    }

    #[test]
    fn what_is_announced_takes_no_room_and_what_is_torn_is_no_end() {
        let announced = |length: u32| length.to_le_bytes().to_vec();
        let mut reader = FrameReader::new(Slowly(&[255, 255, 255, 255, 1], 5));
        assert!(matches!(reader.next(1 << 20), Err(FrameError::TooLarge(length)) if length == u32::MAX as usize));
        let large = announced(1 << 30);
        let mut reader = FrameReader::new(Slowly(&large, 4));
        assert!(matches!(reader.next(1 << 30), Err(FrameError::Torn)));
        assert!(reader.buffer.len() <= 2 * FIRST_BUFFER, "{}", reader.buffer.len());
        let mut reader = FrameReader::new(Slowly(&[1, 0], 2));
        assert!(matches!(reader.next(10), Err(FrameError::Torn)));
    }
}
