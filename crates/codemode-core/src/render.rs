//! The outcome as text for a model: one shape for every kind.

use std::fmt::Write as _;

use crate::outcome::{Outcome, SHOWN_ARGUMENTS_BYTES, SHOWN_CALLS};
use crate::text::{cut, one_line, visible};

/// The most bytes of one call's arguments on its line.
const LINE_ARGUMENTS_BYTES: usize = 200;
const _: () = assert!(LINE_ARGUMENTS_BYTES <= SHOWN_ARGUMENTS_BYTES);

impl Outcome {
    /// The outcome as text for a model. `tool` is the name under which the model ran the program: `run_code`.
    ///
    /// Bounded: output and value by the run's `shown_bytes`, calls to [`SHOWN_CALLS`], every other part by its own limit.
    /// Output and value stand as the program made them; controls in all other parts are made visible.
    #[must_use]
    pub fn to_text(&self, tool: &str) -> String {
        let mut text = String::with_capacity(self.shown_output().len() + 256);
        // Writing to a string cannot fail, so that results of `write!` are dropped here and below.
        let _ = self.header(&mut text, tool);
        let _ = self.body(&mut text);
        let _ = self.calls(&mut text);
        let _ = self.remarks(&mut text);
        while text.ends_with('\n') {
            text.pop();
        }
        text
    }

    fn header(&self, text: &mut String, tool: &str) -> std::fmt::Result {
        let calls = match self.ledger.len() {
            1 => "1 tool call".to_owned(),
            count => format!("{count} tool calls"),
        };
        match &self.failure {
            None => writeln!(text, "{tool} ok ({calls}, {:.2}s compute)", self.usage.compute.as_secs_f64()),
            Some(failure) => {
                writeln!(text, "{tool} {}: {} (after {calls})", failure.kind, failure.kind.what())?;
                writeln!(text, "{}", visible(&failure.message))?;
                if let Some(traceback) = &failure.traceback {
                    writeln!(text, "{}", visible(traceback))?;
                }
                if let Some(fix) = &failure.fix {
                    writeln!(text, "fix: {}", visible(fix))?;
                }
                writeln!(text, "what to do: {}", failure.kind.advice())
            }
        }
    }

    fn body(&self, text: &mut String) -> std::fmt::Result {
        if let Some(value) = &self.value {
            writeln!(text, "\nvalue:\n{}", cut(value.text(), usize::try_from(self.shown_bytes).unwrap_or(usize::MAX)))?;
        }
        let shown = self.shown_output();
        if !shown.is_empty() {
            let title = if self.failure.is_some() { "output before the failure" } else { "output" };
            writeln!(text, "\n{title}:\n{}", shown.strip_suffix('\n').unwrap_or(shown))?;
        }
        let held_back = (self.output.len() - shown.len()) as u64;
        if held_back > 0 || self.usage.output_dropped_bytes > 0 {
            write!(text, "[output cut: {} bytes shown", shown.len())?;
            if held_back > 0 {
                write!(text, ", {held_back} more held")?;
            }
            if self.usage.output_dropped_bytes > 0 {
                write!(text, ", at least {} dropped past the budget", self.usage.output_dropped_bytes)?;
            }
            match &self.spill {
                Some(place) => writeln!(text, "; all that was held is in {}]", one_line(place))?,
                None => writeln!(text, "]")?,
            }
        }
        Ok(())
    }

    fn calls(&self, text: &mut String) -> std::fmt::Result {
        let (calls, omitted) = self.ledger.sample(SHOWN_CALLS);
        if calls.is_empty() {
            return Ok(());
        }
        let title = if self.failure.is_some() { "calls that already ran" } else { "calls" };
        writeln!(text, "\n{title}:")?;
        for record in calls {
            // Cut before and after: a call may have megabytes, and escapes make text longer.
            let arguments = cut(record.arguments.text(), LINE_ARGUMENTS_BYTES);
            let (arguments, tool) = (one_line(&arguments), cut(&record.tool, 200));
            let (arguments, tool) = (cut(&arguments, LINE_ARGUMENTS_BYTES), one_line(&tool));
            write!(text, "  {} {} {arguments} -> {}", record.seq, cut(&tool, 200), record.status)?;
            match record.bytes {
                0 => writeln!(text)?,
                bytes => writeln!(text, ", {bytes} bytes")?,
            }
        }
        if omitted > 0 {
            writeln!(text, "  [{omitted} more calls not shown]")?;
        }
        Ok(())
    }

    fn remarks(&self, text: &mut String) -> std::fmt::Result {
        match self.state_committed {
            None => {}
            Some(true) => writeln!(text, "\nstate: committed")?,
            Some(false) => writeln!(text, "\nstate: not committed, it is as it was before the run")?,
        }
        if !self.warnings.is_empty() {
            writeln!(text, "\nwarnings:")?;
            for warning in &self.warnings {
                writeln!(text, "  {}", one_line(warning))?;
            }
        }
        for context in &self.context {
            writeln!(text, "\n{}", visible(context))?;
        }
        Ok(())
    }
}
