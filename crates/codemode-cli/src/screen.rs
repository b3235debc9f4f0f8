//! The lines of a live display on standard error: drawn over each other, and gone at the end.

use std::fmt;
use std::io::{self, Write};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};

use codemode::text::visible;

/// Standard error with at most one block of lines at its end that is redrawn in place.
pub(crate) struct Screen(Mutex<Block>);

struct Block {
    out: Box<dyn Write + Send>,
    /// The lines that stand there now; the cursor is below the last.
    drawn: Vec<String>,
}

impl Screen {
    /// The screen of this process.
    pub(crate) fn stderr() -> Self {
        Self::on(io::stderr())
    }

    /// A screen that writes to `out`.
    pub(crate) fn on(out: impl Write + Send + 'static) -> Self {
        Self(Mutex::new(Block { out: Box::new(out), drawn: Vec::new() }))
    }

    /// Draws these lines where the last ones stood. Each is shorter than the screen is wide.
    pub(crate) fn draw(&self, lines: Vec<String>) {
        let mut block = self.block();
        if lines == block.drawn {
            return;
        }
        let mut text = block.home();
        for line in &lines {
            text.push_str(line);
            text.push_str("\x1b[K\r\n");
        }
        text.push_str("\x1b[J");
        block.write(text.as_bytes());
        block.drawn = lines;
    }

    /// Takes the lines away.
    pub(crate) fn erase(&self) {
        self.block().erase();
    }

    /// Takes the lines away unless another thread is at it; for the way out, where nothing may be waited for.
    pub(crate) fn try_erase(&self) {
        match self.0.try_lock() {
            Ok(mut block) => block.erase(),
            Err(TryLockError::Poisoned(block)) => block.into_inner().erase(),
            Err(TryLockError::WouldBlock) => {}
        }
    }

    /// Writes whole lines above the block, which is drawn again at its next change.
    pub(crate) fn print(&self, text: &str) {
        let mut block = self.block();
        block.erase();
        block.write(visible(text).as_bytes());
    }

    fn block(&self) -> MutexGuard<'_, Block> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Block {
    /// What brings the cursor to the block's first column and line. A typed character may have moved it within the line below.
    fn home(&self) -> String {
        if self.drawn.is_empty() { String::new() } else { format!("\r\x1b[{}A", self.drawn.len()) }
    }

    fn erase(&mut self) {
        if !self.drawn.is_empty() {
            let text = format!("{}\x1b[J", self.home());
            self.write(text.as_bytes());
            self.drawn.clear();
        }
    }

    /// A display that cannot be written is none; the run goes on.
    fn write(&mut self, bytes: &[u8]) {
        let _ = self.out.write_all(bytes).and_then(|()| self.out.flush());
    }
}

impl fmt::Debug for Screen {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Screen").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    /// A terminal that the screen writes to, and that the test looks at.
    #[derive(Clone)]
    struct Terminal(Arc<Mutex<vt100::Parser>>);

    impl Write for Terminal {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let length = bytes.len();
            // A terminal's line discipline does this.
            let bytes = String::from_utf8_lossy(bytes).replace("\r\n", "\n").replace('\n', "\r\n");
            self.0.lock().expect("no panic").process(bytes.as_bytes());
            Ok(length)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn terminal() -> (Screen, impl Fn() -> String) {
        let terminal = Terminal(Arc::new(Mutex::new(vt100::Parser::new(6, 40, 0))));
        let screen = Screen::on(terminal.clone());
        (screen, move || terminal.0.lock().expect("no panic").screen().contents())
    }

    fn lines(lines: &[&str]) -> Vec<String> {
        lines.iter().map(|line| (*line).to_owned()).collect()
    }

    #[test]
    fn lines_are_drawn_over_each_other_and_leave_nothing() {
        let (screen, shown) = terminal();
        screen.draw(lines(&["head 1", "a long line", "third"]));
        assert_eq!(shown(), "head 1\na long line\nthird");
        screen.draw(lines(&["head 2", "short"]));
        assert_eq!(shown(), "head 2\nshort");
        screen.draw(lines(&["head 3", "short", "another", "more"]));
        assert_eq!(shown(), "head 3\nshort\nanother\nmore");
        screen.erase();
        assert_eq!(shown(), "");
        screen.erase();
        assert_eq!(shown(), "");
    }

    #[test]
    fn what_is_printed_stays_above() {
        let (screen, shown) = terminal();
        screen.print("before\n");
        screen.draw(lines(&["head"]));
        screen.print("log \u{1b}[2J\n");
        screen.draw(lines(&["head"]));
        assert_eq!(shown(), "before\nlog \\u{1b}[2J\nhead");
        screen.try_erase();
        assert_eq!(shown(), "before\nlog \\u{1b}[2J");
    }

    #[test]
    fn a_display_at_the_bottom_of_the_screen_scrolls_once_and_stays() {
        let (screen, shown) = terminal();
        screen.print("1\n2\n3\n4\n");
        screen.draw(lines(&["a", "b", "c"]));
        assert_eq!(shown(), "3\n4\na\nb\nc");
        screen.draw(lines(&["A", "B", "C"]));
        assert_eq!(shown(), "3\n4\nA\nB\nC");
        screen.erase();
        assert_eq!(shown(), "3\n4");
    }

    #[test]
    fn typed_characters_do_not_shift_it() {
        let (screen, shown) = terminal();
        screen.draw(lines(&["head", "call"]));
        screen.block().write(b"^C");
        screen.draw(lines(&["head 2", "call"]));
        assert_eq!(shown(), "head 2\ncall");
    }
}
