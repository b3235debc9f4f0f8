//! One run of a program, from its source to what is left of it: the same steps for each engine.

use std::rc::Rc;

use codemode_core::{Bound, End, Ended, Form, Handle, Input, Json, OpenSpec, Raised, Value};

use crate::globals::{advise, advise_import};
use crate::local::Desk;
use crate::read::{Program, read};
use crate::realm::{Attributes, Halt, Realm, Slot, Thrown};
use crate::sdk::{install, raised_tool};
use crate::shared::Surface;
use crate::turns::{Stuck, drain_timers, until_settled};
use crate::values::{Crossing, EncodeBounds, Encoded, Measure, Unencoded, read_thrown, to_json};

/// Runs a program: reads it, has the adapter compile it, gives it its surface, calls it, turns until it has ended, and converts
/// what it leaves.
///
/// `compile` evaluates [`Program::text`], which runs nothing of the program, and gives the function that this made. What it
/// throws is an error of the program's text: [`End::Compile`].
///
/// The adapter's part is what comes before and after: the guard's limits, the globals of
/// [`install_globals`](crate::install_globals), and the end of an interpreter whose run was stopped.
pub fn run_program<R: Realm>(
    realm: &R,
    spec: &OpenSpec,
    input: &Input,
    handle: &Handle,
    compile: impl FnOnce(&Program) -> Result<R::Value, Thrown<R::Value>>,
) -> Ended {
    let program = match read(&input.source, &spec.profile) {
        Ok(program) => program,
        Err(raised) => return Ended::new(End::Compile(raised)),
    };
    let Some(surface) = realm.shared().begin(&spec.profile, spec.deterministic, handle) else { return Ended::new(End::Stopped) };
    begin_local(realm, spec, input);
    let run = Running { realm, handle, surface, program: &program };
    let ended = run.to_the_end(input, compile);
    let mut ended = if handle.guard().stopped() { Ended::new(End::Stopped) } else { ended };
    if matches!(ended.end, End::Returned) {
        // They all say what was taken for the value.
        ended.warnings.extend(program.warnings().iter().cloned());
    }
    ended.warnings.extend(realm.shared().end());
    ended
}

/// Gives the run what authority `local` gives, where its profile has that.
fn begin_local<R: Realm>(realm: &R, spec: &OpenSpec, input: &Input) {
    if let Some(service) = spec.granted_local() {
        let here = || std::env::current_dir().map_or_else(|_| "/".to_owned(), |folder| folder.to_string_lossy().into_owned());
        let folder = match input.cwd.strip_prefix('/') {
            Some(_) => input.cwd.to_string(),
            None if &*input.cwd == "." || input.cwd.is_empty() => here(),
            None => format!("{}/{}", here(), input.cwd),
        };
        realm.shared().with(|run| run.local = Some(Desk::new(service, folder)));
    }
}

/// Why a program came to no value.
enum Stop<V> {
    /// The run is over.
    Halt,
    /// Its text is wrong.
    Compile(V),
    /// It threw this.
    Threw(V),
    /// What it gave cannot be taken: the message.
    Said(String),
    /// Nothing can settle what it waits for.
    Never,
}

impl<V> From<Halt> for Stop<V> {
    fn from(_: Halt) -> Self {
        Self::Halt
    }
}

impl<V> From<Thrown<V>> for Stop<V> {
    fn from(thrown: Thrown<V>) -> Self {
        match thrown {
            Thrown::Value(value) => Self::Threw(value),
            Thrown::Halt => Self::Halt,
        }
    }
}

impl<V> From<Stuck> for Stop<V> {
    fn from(stuck: Stuck) -> Self {
        match stuck {
            Stuck::Halt => Self::Halt,
            Stuck::Never => Self::Never,
        }
    }
}

type Outcome<T, R> = Result<T, Stop<<R as Realm>::Value>>;

/// A run that goes on.
struct Running<'r, R: Realm> {
    realm: &'r R,
    handle: &'r Handle,
    surface: Rc<Surface>,
    program: &'r Program,
}

impl<R: Realm> Running<'_, R> {
    fn to_the_end(&self, input: &Input, compile: impl FnOnce(&Program) -> Result<R::Value, Thrown<R::Value>>) -> Ended {
        let mut root = None;
        let left = self.left(input, compile, &mut root);
        let raised = match &left {
            Err(Stop::Threw(reason)) => Some(reason.clone()),
            _ => None,
        };
        let ended = self.ended(left).and_then(|ended| {
            self.tell_of_lost_errors(root.as_ref(), raised.as_ref())?;
            Ok(ended)
        });
        ended.unwrap_or_else(|Halt| Ended::new(End::Stopped))
    }

    /// What the program leaves: its value, and state where it has some.
    fn left(
        &self,
        input: &Input,
        compile: impl FnOnce(&Program) -> Result<R::Value, Thrown<R::Value>>,
        root: &mut Option<R::Value>,
    ) -> Outcome<(Json, Option<Json>), R> {
        let function = compile(self.program).map_err(|thrown| match thrown {
            Thrown::Value(value) => Stop::Compile(value),
            Thrown::Halt => Stop::Halt,
        })?;
        // Where the run is not over, what refused is the global object, which programs of earlier runs could reach.
        self.install(input).map_err(|stop| match stop {
            Stop::Halt if !self.handle.guard().stopped() => Stop::Said(TAKEN.to_owned()),
            stop => stop,
        })?;
        let mut value = self.realm.call(&function, &self.realm.undefined(), &[])?;
        drop(function);
        if self.program.is_async() {
            *root = Some(value.clone());
            value = self.settled(&value)?;
        }
        let value = self.value(value)?;
        let state = if self.surface.form == Form::Cell { Some(self.state()?) } else { None };
        Ok((value, state))
    }

    /// Gives the program its surface; in a cell, `state` as it was committed, and `scratch` where there is none yet.
    fn install(&self, input: &Input) -> Outcome<(), R> {
        install(self.realm, &self.surface)?;
        if self.surface.form != Form::Cell {
            return Ok(());
        }
        let global = self.realm.global();
        let state = match &input.state {
            Some(json) => self.realm.make_json(json)?,
            None => self.realm.make_object(true)?,
        };
        self.realm.define(&global, STATE, state, Attributes::Hidden)?;
        if matches!(self.realm.property(&global, SCRATCH)?, Slot::Missing) {
            let scratch = self.realm.make_object(true)?;
            self.realm.define(&global, SCRATCH, scratch, Attributes::Hidden)?;
        }
        Ok(())
    }

    fn settled(&self, promise: &R::Value) -> Outcome<R::Value, R> {
        until_settled(self.realm, self.handle, promise)?.map_err(Stop::Threw)
    }

    /// The returned value as JSON, once the promises in it have settled and the timers are through.
    fn value(&self, value: R::Value) -> Outcome<Json, R> {
        let budgets = self.handle.budgets();
        let limit = if budgets.joint_output { budgets.value.min(budgets.output) } else { budgets.value };
        // A value that is over its budget is measured a while longer, so that its reader learns by how much.
        let bounds = EncodeBounds::size(limit.saturating_add(limit.max(MEASURED_ON)), budgets.text_unit);
        let crossing = if self.program.is_async() { Crossing::Value } else { Crossing::ValueAtOnce };
        drain_timers(self.realm, self.handle)?;
        loop {
            match to_json(self.realm, &value, crossing, &bounds) {
                Ok(Encoded { json, left_out }) => {
                    if let Some(left_out) = left_out {
                        self.realm.shared().warn(left_out.warning());
                    }
                    return Ok(json);
                }
                Err(Unencoded::Pending(promises)) => {
                    for promise in promises {
                        self.settled(&promise)?;
                    }
                    drain_timers(self.realm, self.handle)?;
                }
                Err(Unencoded::Rejected(reason)) => return Err(Stop::Threw(reason)),
                Err(Unencoded::Refused(why)) => return Err(Stop::Said(why)),
                Err(Unencoded::TooLarge { observed, .. }) => {
                    self.handle.guard().fire(Bound::Value, observed);
                    return Err(Stop::Halt);
                }
                Err(Unencoded::Halt) => return Err(Stop::Halt),
            }
        }
    }

    /// `state` as JSON that reads back as it is.
    fn state(&self) -> Outcome<Json, R> {
        let Slot::Data(state) = self.realm.property(&self.realm.global(), STATE)? else {
            return Err(Stop::Said("state was deleted or made an accessor; assign a plain value to it".to_owned()));
        };
        let budgets = self.handle.budgets();
        let bounds = EncodeBounds {
            size: budgets.state_bytes,
            unit: codemode_core::Unit::Bytes,
            depth: budgets.state_depth,
            nodes: budgets.state_nodes,
        };
        match to_json(self.realm, &state, Crossing::State, &bounds) {
            Ok(encoded) => Ok(encoded.json),
            Err(Unencoded::TooLarge { measure, observed, .. }) => {
                let bound = match measure {
                    Measure::Size => Bound::StateBytes,
                    Measure::Depth => Bound::StateDepth,
                    Measure::Nodes => Bound::StateNodes,
                };
                self.handle.guard().fire(bound, observed);
                Err(Stop::Halt)
            }
            Err(Unencoded::Refused(why)) => Err(Stop::Said(why)),
            Err(Unencoded::Halt) => Err(Stop::Halt),
            Err(Unencoded::Pending(_) | Unencoded::Rejected(_)) => Err(Stop::Said("a promise is in state; await it first".to_owned())),
        }
    }

    fn ended(&self, left: Outcome<(Json, Option<Json>), R>) -> Result<Ended, Halt> {
        let end = match left {
            Ok((value, state)) => return Ok(Ended { value: Some(Value::Json(value)), state, ..Ended::new(End::Returned) }),
            Err(Stop::Halt) => End::Stopped,
            Err(Stop::Never) => End::NeverSettles,
            Err(Stop::Said(message)) => End::Raised(Raised { message, ..Raised::default() }),
            Err(Stop::Compile(value)) => End::Compile(self.raised(&value)?),
            Err(Stop::Threw(value)) => End::Raised(self.raised(&value)?),
        };
        Ok(Ended::new(end))
    }

    /// What a reader is told of a thrown value. A `ToolError` says its tool, a name that is not there what does it instead, and a
    /// refusal is known again by itself.
    fn raised(&self, value: &R::Value) -> Result<Raised, Halt> {
        let locate = |line, column| R::locate(self.program, line, column);
        let mut raised = read_thrown(self.realm, value, self.surface.form, &locate)?;
        if let Some((tool, fix)) = raised_tool(self.realm, value)? {
            let rest = raised.message.strip_prefix("ToolError: ").unwrap_or(&raised.message);
            raised.message = format!("ToolError: {tool}: {rest}");
            raised.fix = fix;
        } else if let Some(message) = raised.message.strip_prefix("ReferenceError: ") {
            let names = self.handle.names().map_err(|_| Halt)?;
            let can_import = self.realm.shared().with(|run| run.local.is_some()).unwrap_or_default();
            let import = if can_import { advise_import(message) } else { None };
            raised.fix = import.or_else(|| advise(message, self.program.text(), &names, self.surface.form, &self.surface.name));
        }
        let identity = self.realm.identity(value);
        raised.refusal = self.realm.shared().with(|run| run.refusals.get(&identity).map(|(id, _)| *id)).flatten();
        Ok(raised)
    }

    /// Warns of errors that went nowhere: rejections that nothing handles, but for the one that ended the program, and what
    /// callbacks of timers threw.
    fn tell_of_lost_errors(&self, root: Option<&R::Value>, raised: Option<&R::Value>) -> Result<(), Halt> {
        // What a program that was stopped had no time to handle is no news beside the bound.
        self.handle.guard().check().map_err(|_| Halt)?;
        let identity = |value: Option<&R::Value>| value.map_or(0, |value| self.realm.identity(value));
        let (root, raised) = (identity(root), identity(raised));
        let (rejections, more, thrown) = self.realm.shared().rejections().borrow_mut().take();
        let is_lost = |reason: &R::Value| raised == 0 || self.realm.identity(reason) != raised;
        let lost = rejections.iter().filter(|rejection| rejection.identity != root && is_lost(&rejection.reason));
        for rejection in lost {
            let what = self.told(&rejection.reason)?;
            self.realm.shared().warn(format!("a promise was rejected and nothing handled it: {what}"));
        }
        if more > 0 {
            self.realm.shared().warn(format!("{more} more promises were rejected, and nothing handled them"));
        }
        for value in &thrown {
            let what = self.told(value)?;
            self.realm.shared().warn(format!("a timer's callback threw, and nothing caught it: {what}"));
        }
        Ok(())
    }

    /// A thrown value in a warning: one line, and where it was.
    fn told(&self, value: &R::Value) -> Result<String, Halt> {
        let raised = self.raised(value)?;
        let message = codemode_core::text::cut(&codemode_core::text::one_line(&raised.message), MOST_TOLD).into_owned();
        Ok(match raised.location {
            Some(location) => format!("{message} (line {})", location.line),
            None => message,
        })
    }
}

/// How much further a value over its budget is measured, at least.
const MEASURED_ON: u64 = 64 << 10;
/// The most of a thrown value that a warning has, in bytes.
const MOST_TOLD: usize = 300;
/// What is said where the surface cannot be set up.
const TAKEN: &str =
    "the globals of this session cannot be set: an earlier program froze them or made one of them fixed; start a new session";
/// The global that is committed.
const STATE: &str = "state";
/// The global that lives as long as the interpreter.
const SCRATCH: &str = "scratch";
