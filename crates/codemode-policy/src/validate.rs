//! The one layer that checks arguments against a tool's input schema.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use codemode_catalog::arguments_line;
use codemode_core::{Answer, Call, CallContext, Fault, Json, Layer, Note, Rest, Stage, ToolSpec, code, text};
use serde_json::Value;

use crate::check::{Check, Verdict};
use crate::label::shown;
use crate::problems::problems;

/// Compiled schemas that are kept, by default.
const KEPT_SCHEMAS: usize = 1_024;
/// Runs and tools that are remembered to have been warned.
const KEPT_WARNINGS: usize = 1_024;
/// Problems that are listed; further ones are counted.
const LISTED_PROBLEMS: usize = 5;
/// The most bytes of a message.
const MESSAGE_BYTES: usize = 2_000;

/// The most of what a tool takes, in bytes.
const FIX_BYTES: usize = 500;

/// Checks the arguments of each call against the tool's input schema, before the call is dispatched, and again where
/// a hook rewrote them.
///
/// Nothing is converted: a string of digits is no number. The draft is the one that `$schema` names, else 2020-12; `format`
/// says nothing here, since a server knows better what it takes for an address. No reference is followed out of the
/// schema. A schema that does not compile, refers to what is not in it, or could not be checked in bounded time is of no
/// use: then arguments have to be an object, and the run is warned once for each such tool.
///
/// A check takes at most a fraction of a second, whatever schema and arguments are; arguments that would take longer are
/// refused. Schemas are compiled at their first use and kept, at most 1,024 of them.
pub struct Validate {
    kept: Mutex<Kept>,
}

/// What the layer remembers.
struct Kept {
    capacity: usize,
    /// Counts uses, so that the entry that was not used for the longest time is known.
    clock: u64,
    /// By the address of the schema's text, which each entry keeps alive.
    checks: HashMap<usize, Entry>,
    /// Tools by run that were warned about.
    warned: Vec<(Arc<str>, Arc<str>)>,
}

struct Entry {
    check: Arc<Check>,
    used: u64,
    /// Keeps the address from being used for another schema.
    _schema: Json,
}

impl Validate {
    /// The layer, with nothing compiled yet.
    #[must_use]
    pub fn new() -> Self {
        Self::keeping(KEPT_SCHEMAS)
    }

    /// The layer, with room for this many compiled schemas, at least one.
    #[must_use]
    pub fn keeping(schemas: usize) -> Self {
        Self { kept: Mutex::new(Kept { capacity: schemas.max(1), clock: 0, checks: HashMap::new(), warned: Vec::new() }) }
    }

    /// Checks arguments without a run.
    ///
    /// # Errors
    /// A fault with code `invalid_arguments`, whose message, of at most 2,000 bytes, names each place, what was given and
    /// what is allowed, and whose fix is what the tool takes.
    pub fn check(&self, tool: &ToolSpec, arguments: &Json) -> Result<(), Fault> {
        let tree = arguments.tree();
        if !tree.is_object() {
            let name = shown_name(tool);
            return Err(fault(tool, format!("invalid arguments for {name}: they are {}; allowed: an object", shown(tree, 60))));
        }
        let Some(schema) = &tool.input_schema else { return Ok(()) };
        let check = self.compiled(schema);
        let Check::Full(full) = &*check else { return Ok(()) };
        let message = match full.verdict(tree) {
            Verdict::Fit => return Ok(()),
            Verdict::Misfit(errors) => listed(tool, full.schema(), tree, errors),
            Verdict::MisfitUnexplained => {
                format!("invalid arguments for {}: they do not fit, and are too many to say where; try with fewer", shown_name(tool))
            }
            Verdict::TooMuchWork => format!(
                "invalid arguments for {}: they have {} bytes, which takes too long to check against its schema; send less at once",
                shown_name(tool),
                arguments.bytes()
            ),
        };
        Err(fault(tool, message))
    }

    /// What is wrong with a structured result, by what the tool promises: one or several lines, of at most 1,000 bytes together.
    ///
    /// Nothing where it fits, where the tool promises nothing or what is of no use, or where a check would take too long: a
    /// result that has come is of use, whatever was promised.
    #[must_use]
    pub fn result_problem(&self, tool: &ToolSpec, result: &Json) -> Option<String> {
        let check = self.compiled(tool.output_schema.as_ref()?);
        let Check::Full(full) = &*check else { return None };
        match full.verdict(result.tree()) {
            Verdict::Fit | Verdict::TooMuchWork => None,
            Verdict::Misfit(errors) => {
                let (problems, more) = problems(full.schema(), result.tree(), errors);
                let mut lines: Vec<&str> = problems.iter().take(LISTED_PROBLEMS).map(|problem| problem.text.as_str()).collect();
                let left = format!("and {} more", (problems.len() + more).saturating_sub(lines.len()));
                if problems.len() + more > lines.len() {
                    lines.push(&left);
                }
                Some(text::cut(&lines.join("; "), MESSAGE_BYTES / 2).into_owned())
            }
            Verdict::MisfitUnexplained => Some("it does not fit, and there is too much of it to say where".to_owned()),
        }
    }

    /// What there is to know of a tool whose schema is of no use: one sentence for the run's warnings.
    ///
    /// Absent where arguments are checked in full.
    #[must_use]
    pub fn warning(&self, tool: &ToolSpec) -> Option<String> {
        match &*self.compiled(tool.input_schema.as_ref()?) {
            Check::Full(_) => None,
            Check::ObjectOnly { why } => {
                let name = shown_name(tool);
                Some(format!("the arguments of {name} are not checked, since its input schema is of no use: {why}"))
            }
        }
    }

    fn compiled(&self, schema: &Json) -> Arc<Check> {
        let address = schema.text().as_ptr().addr();
        if let Some(check) = self.kept().look_up(address) {
            return check;
        }
        // Not under the lock: compiling may take a while, and doing it twice is harmless.
        let check = Arc::new(Check::compile(schema));
        if let Check::ObjectOnly { why } = &*check {
            tracing::warn!(why, "an input schema is of no use; arguments are checked to be an object only");
        }
        self.kept().keep(address, schema, &check);
        check
    }

    fn kept(&self) -> std::sync::MutexGuard<'_, Kept> {
        // Nothing that holds the lock can leave it half done.
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Warns the run of a call, once for each tool.
    fn warn(&self, context: &CallContext, tool: &ToolSpec) {
        let Some(run) = &context.run else { return };
        let Some(warning) = self.warning(tool) else { return };
        let seen = (Arc::from(run.as_str()), Arc::clone(&tool.name));
        let is_new = {
            let warned = &mut self.kept().warned;
            let is_new = !warned.contains(&seen);
            if is_new {
                if warned.len() >= KEPT_WARNINGS {
                    warned.remove(0);
                }
                warned.push(seen);
            }
            is_new
        };
        if is_new {
            context.control.note(Note::Warning(warning));
        }
    }
}

impl Kept {
    fn look_up(&mut self, address: usize) -> Option<Arc<Check>> {
        self.clock += 1;
        let entry = self.checks.get_mut(&address)?;
        entry.used = self.clock;
        Some(Arc::clone(&entry.check))
    }

    fn keep(&mut self, address: usize, schema: &Json, check: &Arc<Check>) {
        if self.checks.len() >= self.capacity && !self.checks.contains_key(&address) {
            let oldest = self.checks.iter().min_by_key(|(_, entry)| entry.used).map(|(address, _)| *address);
            oldest.and_then(|address| self.checks.remove(&address));
        }
        let entry = Entry { check: Arc::clone(check), used: self.clock, _schema: schema.clone() };
        self.checks.insert(address, entry);
    }
}

impl Default for Validate {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Validate {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Validate").field("schemas", &self.kept().checks.len()).finish_non_exhaustive()
    }
}

#[async_trait]
impl Layer for Validate {
    fn stage(&self) -> Stage {
        Stage::Validate
    }

    fn admit(&self, tool: &ToolSpec, arguments: &Json) -> Result<(), Fault> {
        self.check(tool, arguments)
    }

    async fn call(&self, context: &CallContext, call: Call, rest: Rest<'_>) -> Answer {
        self.warn(context, &call.tool);
        // Arguments that no hook rewrote fit, and are quickly seen to fit again.
        match self.check(&call.tool, &call.arguments) {
            Ok(()) => rest.call(context, call).await,
            Err(fault) => Answer::NotRun(fault),
        }
    }
}

/// The fix is in no language's form: the same layer stands before programs of each, and before direct calls.
fn fault(tool: &ToolSpec, message: String) -> Fault {
    let fix = format!("{} takes {}", shown_name(tool), arguments_line(tool, FIX_BYTES));
    Fault::new(code::INVALID_ARGUMENTS, message).with_fix(fix)
}

/// A tool's name as it stands in a message.
fn shown_name(tool: &ToolSpec) -> String {
    text::cut(&text::one_line(&tool.name), 100).into_owned()
}

/// The message for arguments that do not fit: a problem a line, where there are several.
fn listed<'a>(
    tool: &ToolSpec,
    schema: &'a Value,
    arguments: &'a Value,
    errors: impl Iterator<Item = jsonschema::ValidationError<'a>>,
) -> String {
    let (problems, more) = problems(schema, arguments, errors);
    let name = shown_name(tool);
    if let ([problem], 0) = (problems.as_slice(), more) {
        return format!("invalid arguments for {name}: {}", problem.text);
    }
    let mut message = format!("invalid arguments for {name}: {} problems", problems.len() + more);
    for problem in problems.iter().take(LISTED_PROBLEMS) {
        message.push_str("\n- ");
        message.push_str(&problem.text);
    }
    let left = (problems.len() + more).saturating_sub(LISTED_PROBLEMS);
    if left > 0 {
        message.push_str(&format!("\n- and {left} more"));
    }
    text::cut(&message, MESSAGE_BYTES).into_owned()
}
