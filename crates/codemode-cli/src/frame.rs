//! What the live display says: a run's state, and the lines that are made of it.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use anstyle::{AnsiColor, Style};
use codemode::text::{cut, one_line};
use codemode::{CallStatus, Event, Json};
use unicode_width::UnicodeWidthChar as _;

use crate::units::elapsed;

/// How many calls have a line.
const SHOWN_CALLS: usize = 4;
/// How many servers are named that are waited for.
const SHOWN_SERVERS: usize = 4;
/// The most bytes of a call's arguments that are kept; more than a line of any screen needs.
const ARGUMENTS_BYTES: usize = 400;
/// The most bytes of a tool's or a server's name that are kept.
const NAME_BYTES: usize = 60;

/// What a run has done so far.
#[derive(Debug)]
pub(crate) struct Progress {
    started: Instant,
    done: u64,
    running: u64,
    printed_bytes: u64,
    stopping: bool,
    /// The servers that are not there yet.
    starting: Vec<String>,
    last: VecDeque<ShownCall>,
}

#[derive(Debug)]
struct ShownCall {
    seq: u64,
    tool: String,
    arguments: String,
    started: Instant,
    ended: Option<Ending>,
}

#[derive(Debug, Clone, Copy)]
struct Ending {
    status: CallStatus,
    bytes: u64,
    took: Duration,
}

/// A line in pieces, each with its style; none holds a control character.
type Line = Vec<(Style, String)>;

const PLAIN: Style = Style::new();
const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();

impl Progress {
    pub(crate) fn new(now: Instant) -> Self {
        Self {
            started: now,
            done: 0,
            running: 0,
            printed_bytes: 0,
            stopping: false,
            starting: Vec::new(),
            last: VecDeque::with_capacity(SHOWN_CALLS),
        }
    }

    /// Takes in what happened.
    pub(crate) fn see(&mut self, event: &Event<'_>, now: Instant) {
        match event {
            Event::CallStarted { seq, tool, arguments } => self.call_started(*seq, tool, arguments, now),
            Event::CallFinished { seq, status, bytes, took, .. } => {
                self.call_finished(*seq, Ending { status: *status, bytes: *bytes, took: *took });
            }
            Event::Printed { text } => self.printed_bytes += text.len() as u64,
            _ => {}
        }
    }

    /// The user asked for the end.
    pub(crate) fn stopping(&mut self) {
        self.stopping = true;
    }

    /// These servers are not there yet.
    pub(crate) fn starting(&mut self, servers: Vec<String>) {
        self.starting = servers;
    }

    /// How long the run has gone on.
    pub(crate) fn age(&self, now: Instant) -> Duration {
        now.saturating_duration_since(self.started)
    }

    fn call_started(&mut self, seq: u64, tool: &str, arguments: &Json, now: Instant) {
        self.running += 1;
        if self.last.len() == SHOWN_CALLS {
            self.last.pop_front();
        }
        self.last.push_back(ShownCall {
            seq,
            tool: one_line(&cut(tool, NAME_BYTES)).into_owned(),
            arguments: one_line(&cut(arguments.text(), ARGUMENTS_BYTES)).into_owned(),
            started: now,
            ended: None,
        });
    }

    fn call_finished(&mut self, seq: u64, ending: Ending) {
        self.running = self.running.saturating_sub(1);
        self.done += 1;
        if let Some(call) = self.last.iter_mut().find(|call| call.seq == seq) {
            call.ended = Some(ending);
        }
    }

    /// The lines to draw on a screen of this many columns.
    pub(crate) fn lines(&self, now: Instant, columns: usize, colour: bool) -> Vec<String> {
        let calls = self.last.iter().map(|call| call.line(now));
        let waiting = waiting_for(&self.starting).map(|text| vec![(PLAIN, format!("  {text}"))]);
        // A line as wide as the screen would wrap on some terminals.
        let columns = columns.saturating_sub(1);
        std::iter::once(self.head(now)).chain(waiting).chain(calls).map(|line| fit(line, columns, colour)).collect()
    }

    fn head(&self, now: Instant) -> Line {
        let mut text = match self.done {
            1 => "1 call done".to_owned(),
            done => format!("{done} calls done"),
        };
        if self.running > 0 {
            text.push_str(&format!(", {} running", self.running));
        }
        if self.printed_bytes > 0 {
            text.push_str(&format!(", {} printed", rough_size(self.printed_bytes)));
        }
        let mut line = vec![(BOLD, "codemode".to_owned()), (PLAIN, format!(" {}: {text}", elapsed(self.age(now))))];
        if self.stopping {
            line.push((PLAIN, "; stopping, interrupt again to end at once".to_owned()));
        }
        line
    }
}

impl ShownCall {
    fn line(&self, now: Instant) -> Line {
        let mut line = vec![(PLAIN, format!("  {} {} ", self.seq, self.tool))];
        match &self.ended {
            None => line.push((PLAIN, format!("… {} ", elapsed(now.saturating_duration_since(self.started))))),
            Some(ending) => {
                let colour = match ending.status {
                    CallStatus::Ok => AnsiColor::Green,
                    CallStatus::Failed | CallStatus::Denied => AnsiColor::Red,
                    _ => AnsiColor::Yellow,
                };
                line.push((colour.on_default(), ending.status.to_string()));
                line.push((PLAIN, format!(", {}, {} ", rough_size(ending.bytes), short_time(ending.took))));
            }
        }
        line.push((DIM, self.arguments.clone()));
        line
    }
}

/// Which servers are waited for; nothing where none is.
pub(crate) fn waiting_for(servers: &[String]) -> Option<String> {
    let more = servers.len().saturating_sub(SHOWN_SERVERS);
    let names = servers.iter().take(SHOWN_SERVERS).map(|name| one_line(&cut(name, NAME_BYTES)).into_owned());
    let names: Vec<String> = names.chain((more > 0).then(|| format!("{more} more"))).collect();
    match servers {
        [] => None,
        [_] => Some(format!("waiting for 1 server: {}", names.join(", "))),
        _ => Some(format!("waiting for {} servers: {}", servers.len(), names.join(", "))),
    }
}

/// A line of text that is less wide than a screen of this many columns.
pub(crate) fn fitting(text: String, columns: usize) -> String {
    fit(vec![(PLAIN, text)], columns.saturating_sub(1), false)
}

/// A size as a person reads it at a glance.
fn rough_size(bytes: u64) -> String {
    match bytes {
        0..10_000 => format!("{bytes} bytes"),
        10_000..10_000_000 => format!("{} KiB", bytes >> 10),
        _ => format!("{} MiB", bytes >> 20),
    }
}

/// How long a call took: milliseconds while they say something.
fn short_time(took: Duration) -> String {
    if took < Duration::from_secs(1) { format!("{}ms", took.as_millis()) } else { elapsed(took) }
}

/// The line's text, cut to so many columns.
fn fit(line: Line, columns: usize, colour: bool) -> String {
    let width = |text: &str| text.chars().map(|character| character.width().unwrap_or(0)).sum::<usize>();
    let mut left = columns;
    let mut shown = String::new();
    for (style, text) in line {
        let text = if width(&text) <= left { text } else { cut_to_columns(&text, left) };
        left -= width(&text);
        if colour && style != PLAIN {
            shown.push_str(&format!("{style}{text}{style:#}"));
        } else {
            shown.push_str(&text);
        }
    }
    shown
}

/// The longest start of `text` that takes at most so many columns with an ellipsis at its end.
fn cut_to_columns(text: &str, columns: usize) -> String {
    let Some(mut left) = columns.checked_sub(1) else {
        return String::new();
    };
    let fits = |character: &char| {
        let width = character.width().unwrap_or(0);
        let fits = width <= left;
        left = left.saturating_sub(width);
        fits
    };
    let mut kept: String = text.chars().take_while(fits).collect();
    kept.push('…');
    kept
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    fn progress(events: &[Event<'_>]) -> (Progress, Instant) {
        let start = Instant::now();
        let mut progress = Progress::new(start);
        for event in events {
            progress.see(event, start + Duration::from_secs(1));
        }
        (progress, start)
    }

    fn json(text: &str) -> Json {
        Json::parse(text).expect("valid")
    }

    #[test]
    fn the_last_four_calls_have_a_line_each() {
        let arguments: Vec<Json> = (1..=6).map(|number| json(&format!("{{\"path\":\"{number}.txt\"}}"))).collect();
        let tool: Arc<str> = Arc::from("read_file");
        let mut events = Vec::new();
        for (seq, arguments) in (1..).zip(&arguments) {
            events.push(Event::CallStarted { seq, tool: &tool, arguments });
            let status = if seq == 4 { CallStatus::Failed } else { CallStatus::Ok };
            if seq < 6 {
                events.push(Event::CallFinished { seq, tool: &tool, status, bytes: 12_345 * seq, took: Duration::from_millis(700 * seq) });
            }
        }
        events.push(Event::Printed { text: "hello" });
        let (mut progress, start) = progress(&events);
        let now = start + Duration::from_millis(62_300);
        let expected = [
            "codemode 1m 02s: 5 calls done, 1 running, 5 bytes printed",
            "  3 read_file ok, 36 KiB, 2.1s {\"path\":\"3.txt\"}",
            "  4 read_file failed, 48 KiB, 2.8s {\"path\":\"4.txt\"}",
            "  5 read_file ok, 60 KiB, 3.5s {\"path\":\"5.txt\"}",
            "  6 read_file … 1m 01s {\"path\":\"6.txt\"}",
        ];
        assert_eq!(progress.lines(now, 80, false), expected);
        progress.stopping();
        assert_eq!(
            progress.lines(now, 200, true)[..2],
            [
                "\u{1b}[1mcodemode\u{1b}[0m 1m 02s: 5 calls done, 1 running, 5 bytes printed; stopping, interrupt again to end at once",
                "  3 read_file \u{1b}[32mok\u{1b}[0m, 36 KiB, 2.1s \u{1b}[2m{\"path\":\"3.txt\"}\u{1b}[0m",
            ]
        );
    }

    #[test]
    fn servers_that_are_waited_for_have_a_line() {
        let names = |count: usize| (1..=count).map(|number| format!("s{number}")).collect::<Vec<_>>();
        let (mut progress, start) = progress(&[]);
        progress.starting(names(1));
        assert_eq!(progress.lines(start, 80, false), ["codemode 0.0s: 0 calls done", "  waiting for 1 server: s1"]);
        progress.starting(names(6));
        assert_eq!(progress.lines(start, 80, false)[1..], ["  waiting for 6 servers: s1, s2, s3, s4, 2 more"]);
        progress.starting(vec!["a\u{1b}[2J".to_owned()]);
        assert_eq!(progress.lines(start, 80, false)[1..], ["  waiting for 1 server: a\\u{1b}[2J"]);
        assert_eq!(progress.lines(start, 20, false)[1..], ["  waiting for 1 se…"]);
        progress.starting(Vec::new());
        assert_eq!(progress.lines(start, 80, false), ["codemode 0.0s: 0 calls done"]);
        assert_eq!(fitting("0123456789".to_owned(), 11), "0123456789");
        assert_eq!(fitting("0123456789".to_owned(), 10), "01234567…");
    }

    #[test]
    fn no_line_is_as_wide_as_the_screen_or_carries_controls() {
        let arguments = json("{\"text\":\"\u{9b}2J\u{202e}漢字かな漢字かな\u{fe0f}👩‍👩‍👧\"}");
        let tool: Arc<str> = Arc::from("evil\u{1b}[2J\nname");
        let (progress, start) = progress(&[Event::CallStarted { seq: 1, tool: &tool, arguments: &arguments }]);
        for columns in 0..120 {
            for line in progress.lines(start, columns, false) {
                let width: usize = line.chars().map(|character| character.width().unwrap_or(0)).sum();
                assert!(width < columns.max(1), "{columns}: {line:?}");
                assert!(!line.contains(char::is_control), "{line:?}");
            }
        }
        assert_eq!(
            progress.lines(start, 60, false),
            ["codemode 0.0s: 0 calls done, 1 running", "  1 evil\\u{1b}[2J\\nname … 0.0s {\"text\":\"\\u{9b}2J\\u{202e}漢…"]
        );
    }
}
