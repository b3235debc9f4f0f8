//! The shared code's own state in one interpreter: the run that goes on, its calls, timers and rejections.

use std::cell::{Cell, RefCell, RefMut};
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::rc::Rc;
use std::sync::Arc;

use codemode_core::{CallId, Form, Handle, Profile};

use crate::globals::Console;
use crate::local::Desk;
use crate::realm::{Halt, Realm, Resolvers};
use crate::rejections::Rejections;
use crate::sdk::ToolErrors;
use crate::timers::{Timer, Timers};

/// What the shared code keeps beside an interpreter. Its values are dropped before the interpreter.
///
/// A run begins and ends within [`crate::run_program`]; between runs there is no handle, and every function of the surface answers that its
/// run is over.
pub struct Shared<V> {
    run: RefCell<Option<Current<V>>>,
    number: Cell<u32>,
    timers: RefCell<Timers<V>>,
    rejections: RefCell<Rejections<V>>,
    console: RefCell<Console>,
    tool_errors: RefCell<Option<ToolErrors<V>>>,
    /// What prelude parts made, where programs may import.
    parts: RefCell<Option<V>>,
}

/// The run that goes on.
pub(crate) struct Current<V> {
    pub(crate) handle: Handle,
    pub(crate) surface: Rc<Surface>,
    /// How many more calls are noted with their place.
    pub(crate) places: u32,
    /// Calls that are out, and what they settle.
    pub(crate) calls: BTreeMap<CallId, Out<V>>,
    /// The errors of calls that were not run, held so that none is taken for another.
    pub(crate) refusals: HashMap<usize, (CallId, V)>,
    /// Servers that were touched.
    pub(crate) servers: HashMap<String, V>,
    /// The functions of tools that were looked at: whether it is one named `then`, and the tool's raw name.
    pub(crate) functions: HashMap<(bool, String), V>,
    pub(crate) warnings: Vec<String>,
    /// What authority `local` gives.
    pub(crate) local: Option<Desk<V>>,
}

/// What a run's program sees, told once.
#[derive(Debug, Clone)]
pub(crate) struct Surface {
    pub(crate) form: Form,
    /// The name of the object that has the tools.
    pub(crate) name: Arc<str>,
}

/// A call that is out.
pub(crate) struct Out<V> {
    pub(crate) tool: String,
    pub(crate) resolvers: Resolvers<V>,
    /// An error made where the call was, for its stack; it becomes the call's error if it fails.
    pub(crate) site: Option<V>,
}

/// Calls of a run whose place is noted when they are made. To note one costs a fifth of a call, and few programs make more; an
/// error of a later call has the place at which the program first throws it.
const PLACES: u32 = 100;

/// The most warnings of the shared code's that a run gives.
const MOST_WARNINGS: usize = 20;

impl<V> Default for Shared<V> {
    fn default() -> Self {
        Self {
            run: RefCell::new(None),
            number: Cell::new(0),
            timers: RefCell::default(),
            rejections: RefCell::default(),
            console: RefCell::default(),
            tool_errors: RefCell::new(None),
            parts: RefCell::new(None),
        }
    }
}

impl<V: Clone> Shared<V> {
    /// The handle of the run that goes on; nothing between runs.
    #[must_use]
    pub fn handle(&self) -> Option<Handle> {
        self.run.borrow().as_ref().map(|run| run.handle.clone())
    }

    /// The form of the run that goes on; nothing between runs.
    #[must_use]
    pub fn form(&self) -> Option<Form> {
        self.run.borrow().as_ref().map(|run| run.surface.form)
    }

    /// Adds a warning to the outcome of this run; those past the twentieth are left out.
    pub fn warn(&self, text: String) {
        if let Some(run) = self.run.borrow_mut().as_mut()
            && run.warnings.len() < MOST_WARNINGS
            && !run.warnings.contains(&text)
        {
            run.warnings.push(text);
        }
    }

    /// Sets a timer that calls `callback` with `arguments` after `delay_ms` milliseconds, and again and again if it repeats.
    /// A delay that is no number, or negative, is zero; an interval is at least a millisecond long. Gives the timer's number.
    ///
    /// # Errors
    /// When the run is over, or memory does not suffice for another timer.
    pub fn add_timer(&self, callback: V, arguments: Vec<V>, delay_ms: f64, repeats: bool) -> Result<u32, Halt> {
        let handle = self.handle().ok_or(Halt)?;
        let bytes = 2 * size_of::<Timer<V>>() + size_of::<V>() * arguments.len() + TIMER_BYTES;
        let reserved = handle.guard().reserve(bytes).map_err(|_| Halt)?;
        Ok(self.timers.borrow_mut().add(&handle, Timer::new(callback, arguments, delay_ms, repeats, reserved)))
    }

    /// Takes a timer back; nothing happens where there is none of this number.
    pub fn clear_timer(&self, number: u32) {
        // What is dropped is dropped after the borrow: it may be the last to hold values of the program's.
        let timer = self.timers.borrow_mut().clear(number);
        drop(timer);
    }

    /// An adapter's rejection tracker says that a promise was rejected and has no handler.
    pub fn rejected(&self, identity: usize, promise: V, reason: V) {
        self.rejections.borrow_mut().rejected(identity, promise, reason);
    }

    /// An adapter's rejection tracker says that such a promise has got a handler.
    pub fn handled(&self, identity: usize) {
        let rejection = self.rejections.borrow_mut().handled(identity);
        drop(rejection);
    }

    /// A timer's callback threw, and nothing takes that up.
    pub(crate) fn threw_in_timer(&self, value: V) {
        self.rejections.borrow_mut().threw(value);
    }

    /// Begins a run, and tells what its program sees; nothing for a form that is no JavaScript.
    pub(crate) fn begin(&self, profile: &Profile, deterministic: bool, handle: &Handle) -> Option<Rc<Surface>> {
        if profile.form == Form::Script {
            return None;
        }
        let name = if profile.form == Form::Cell { Arc::clone(&profile.namespace) } else { Arc::from("tools") };
        let surface = Rc::new(Surface { form: profile.form, name });
        self.number.set(self.number.get().wrapping_add(1));
        *self.console.borrow_mut() = Console::default();
        self.timers.borrow_mut().begin(deterministic);
        *self.run.borrow_mut() = Some(Current {
            handle: handle.clone(),
            surface: Rc::clone(&surface),
            places: PLACES,
            calls: BTreeMap::new(),
            refusals: HashMap::new(),
            servers: HashMap::new(),
            functions: HashMap::new(),
            warnings: Vec::new(),
            local: None,
        });
        Some(surface)
    }

    /// Ends the run and gives its warnings. What it kept of the program's is dropped.
    pub(crate) fn end(&self) -> Vec<String> {
        let timers = self.timers.borrow_mut().take();
        let rejections = std::mem::take(&mut *self.rejections.borrow_mut());
        let run = self.run.borrow_mut().take();
        drop((timers, rejections));
        let Some(mut run) = run else { return Vec::new() };
        if let Some(desk) = run.local.take() {
            desk.end(run.handle.guard());
        }
        run.warnings
    }

    /// Keeps what prelude parts made, for imports.
    pub(crate) fn keep_parts(&self, parts: V) {
        *self.parts.borrow_mut() = Some(parts);
    }

    pub(crate) fn parts(&self) -> Option<V> {
        self.parts.borrow().clone()
    }

    /// The number of the run that goes on, or of the last one.
    pub(crate) fn number(&self) -> u32 {
        self.number.get()
    }

    /// Looks at the run that goes on; nothing between runs.
    pub(crate) fn with<T>(&self, look: impl FnOnce(&mut Current<V>) -> T) -> Option<T> {
        self.run.borrow_mut().as_mut().map(look)
    }

    pub(crate) fn surface(&self) -> Option<Rc<Surface>> {
        self.run.borrow().as_ref().map(|run| Rc::clone(&run.surface))
    }

    /// What the console keeps during a run.
    pub(crate) fn console(&self) -> RefMut<'_, Console> {
        self.console.borrow_mut()
    }

    pub(crate) fn timers(&self) -> &RefCell<Timers<V>> {
        &self.timers
    }

    pub(crate) fn rejections(&self) -> &RefCell<Rejections<V>> {
        &self.rejections
    }

    /// The class `ToolError`, made when the interpreter has its first run.
    pub(crate) fn tool_errors<R: Realm<Value = V>>(&self, realm: &R) -> Result<ToolErrors<V>, Halt> {
        if let Some(made) = self.tool_errors.borrow().as_ref() {
            return Ok(made.clone());
        }
        let made = ToolErrors::make(realm)?;
        *self.tool_errors.borrow_mut() = Some(made.clone());
        Ok(made)
    }
}

/// What a timer takes besides itself, of which a tree whose nodes are half full has room for two: its keys in both trees and its
/// place in the list of those that are due.
const TIMER_BYTES: usize = 128;

impl<V> fmt::Debug for Shared<V> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Shared").field("number", &self.number).finish_non_exhaustive()
    }
}
