//! What is wrong with what a server sends: a bounded list, each thing once.

use std::sync::{Mutex, MutexGuard, PoisonError};

use codemode_core::text::{cut, one_line, prefix};

/// The most problems that are kept of one server.
const MOST: usize = 50;
/// The most bytes of one.
const BYTES: usize = 300;

/// Problems of one server, in the order in which they were seen.
#[derive(Debug, Default)]
pub(crate) struct Problems(Mutex<Seen>);

#[derive(Debug, Default)]
struct Seen {
    problems: Vec<String>,
    more: usize,
    /// Lines on the protocol's stream that are no messages.
    noise: u64,
    first_noise: String,
    /// Answers to requests that nobody made.
    strays: u64,
    first_stray: String,
}

impl Problems {
    /// Notes a problem, unless it was noted before.
    pub(crate) fn note(&self, problem: &str) {
        let problem = shown(problem);
        let mut seen = self.seen();
        if seen.problems.contains(&problem) {
            return;
        }
        if seen.problems.len() < MOST {
            seen.problems.push(problem);
        } else {
            seen.more += 1;
        }
    }

    /// Takes back what was said of a list of tools, since there is a new one.
    pub(crate) fn forget_lists(&self) {
        let mut seen = self.seen();
        seen.problems.clear();
        seen.more = 0;
    }

    /// Counts a line that is no message.
    pub(crate) fn noise(&self, line: &[u8]) {
        let mut seen = self.seen();
        seen.noise += 1;
        if seen.noise == 1 {
            let start = String::from_utf8_lossy(&line[..line.len().min(400)]).into_owned();
            seen.first_noise = cut(&one_line(start.trim_end()), 120).into_owned();
        }
    }

    /// Counts an answer to a request that nobody made.
    pub(crate) fn stray(&self, id: &str) {
        let mut seen = self.seen();
        seen.strays += 1;
        if seen.strays == 1 {
            seen.first_stray = cut(&one_line(prefix(id, 200)), 60).into_owned();
        }
    }

    /// All of them, at most 50 and three lines that count.
    pub(crate) fn list(&self) -> Vec<String> {
        let seen = self.seen();
        let mut list = seen.problems.clone();
        if seen.more > 0 {
            list.push(format!("and {} more problems", seen.more));
        }
        if seen.noise > 0 {
            let lines = if seen.noise == 1 { "1 line".to_owned() } else { format!("{} lines", seen.noise) };
            list.push(format!(
                "{lines} on its standard output that are no messages, which belong on standard error; the first: {}",
                seen.first_noise
            ));
        }
        if seen.strays > 0 {
            let answers = if seen.strays == 1 { "1 answer".to_owned() } else { format!("{} answers", seen.strays) };
            list.push(format!("{answers} to requests that nobody made; the first: id {}", seen.first_stray));
        }
        list
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        // Nothing that holds the lock can leave it half done.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn shown(problem: &str) -> String {
    cut(&one_line(prefix(problem, 2 * BYTES)), BYTES).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn problems_are_told_once_and_are_bounded() {
        let problems = Problems::default();
        for number in 0..60 {
            problems.note(&format!("{number} \u{1b}[2J{}", "x".repeat(1_000)));
            problems.note("0 again");
        }
        problems.noise(b"Server is\tready\n");
        problems.noise(b"more\n");
        problems.stray("99");
        let list = problems.list();
        assert_eq!(list.len(), 53);
        assert!(list.iter().all(|problem| problem.len() <= BYTES && !problem.contains('\u{1b}')), "{list:?}");
        assert_eq!(list[1], "0 again");
        assert_eq!(list[50], "and 11 more problems");
        assert_eq!(
            list[51],
            "2 lines on its standard output that are no messages, which belong on standard error; the first: Server is\\tready"
        );
        assert_eq!(list[52], "1 answer to requests that nobody made; the first: id 99");
    }
}
