//! What is kept of a command's output: its beginning and its end.

use std::collections::VecDeque;

/// The beginning and the end of a stream, and how much came between.
#[derive(Debug)]
pub(crate) struct Capture {
    head: Vec<u8>,
    tail: VecDeque<u8>,
    head_bytes: usize,
    tail_bytes: usize,
    dropped: u64,
}

impl Capture {
    /// Keeps `bytes` at most, half of them from the beginning.
    pub(crate) fn new(bytes: usize) -> Self {
        let head_bytes = bytes.div_ceil(2);
        Self { head: Vec::new(), tail: VecDeque::new(), head_bytes, tail_bytes: bytes - head_bytes, dropped: 0 }
    }

    pub(crate) fn push(&mut self, bytes: &[u8]) {
        let (first, rest) = bytes.split_at(bytes.len().min(self.head_bytes - self.head.len()));
        self.head.extend_from_slice(first);
        self.tail.extend(rest);
        let over = self.tail.len().saturating_sub(self.tail_bytes);
        self.tail.drain(..over);
        self.dropped += over as u64;
    }

    /// The text with a note where bytes were dropped, and how many were.
    pub(crate) fn finish(mut self) -> (String, u64) {
        if self.dropped == 0 {
            self.head.extend(self.tail);
            return (String::from_utf8_lossy(&self.head).into_owned(), 0);
        }
        // Characters that the cut went through are dropped whole.
        let whole = match std::str::from_utf8(&self.head) {
            Err(error) if error.error_len().is_none() => error.valid_up_to(),
            _ => self.head.len(),
        };
        let torn = self.tail.iter().take(3).take_while(|byte| **byte & 0xc0 == 0x80).count();
        let dropped = self.dropped + (self.head.len() - whole + torn) as u64;
        self.tail.drain(..torn);
        let (head, tail) = (String::from_utf8_lossy(&self.head[..whole]), self.tail.make_contiguous());
        (format!("{head}\n[{dropped} bytes dropped]\n{}", String::from_utf8_lossy(tail)), dropped)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn captured(bytes: usize, pieces: &[&[u8]]) -> (String, u64) {
        let mut capture = Capture::new(bytes);
        for piece in pieces {
            capture.push(piece);
        }
        capture.finish()
    }

    #[test]
    fn beginning_and_end_are_kept_and_the_rest_is_counted() {
        assert_eq!(captured(10, &[b"01234", b"56789"]), ("0123456789".to_owned(), 0));
        assert_eq!(captured(6, &[b"0123", b"4567", b"89"]), ("012\n[4 bytes dropped]\n789".to_owned(), 4));
        assert_eq!(captured(1, &[b"0123"]), ("0\n[3 bytes dropped]\n".to_owned(), 3));
        assert_eq!(captured(6, &["aäxä".as_bytes(), "yäz".as_bytes()]), ("aä\n[4 bytes dropped]\näz".to_owned(), 4));
        assert_eq!(captured(8, &["aaaäxxxä".as_bytes(), b"zzz"]), ("aaa\n[7 bytes dropped]\nzzz".to_owned(), 7));
    }
}
