//! The surface of a program: tools, discovery, budgets, state.

mod answer;
mod arguments;
mod batch;
mod call;
mod discover;
mod install;
mod names;
mod page;
mod tool_error;

use codemode_core::Form;

use crate::realm::{Halt, Realm, Thrown};

pub(crate) use answer::{finish, settle};
pub(crate) use install::install;
pub(crate) use tool_error::{ToolErrors, raised_tool};

/// The functions of the surface. Each is bound to what it needs to know, and last to the number of its run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sdk {
    /// One tool; bound to its raw name.
    Tool,
    /// The tool named `then`: called with two functions it is a look whether what has it is a promise. Bound to its raw name and
    /// to the server whose tool it is.
    Then,
    /// A name of `tools`, or of a server's object, that is no property of it yet; bound to the server, or nothing, to whether the
    /// object has a `then`, and to the object that keeps what was made for it.
    Touch,
    /// Gives such an object the rest of its properties; bound as `Touch`, to the object that has them.
    Fill,
    /// A name that no tool has; bound to it.
    Unknown,
    /// A name, of a tool or of none, where tools are reached by `tools.call` alone; bound to it.
    NoMethod,
    /// `tools.call`.
    Call,
    /// `tools.open`.
    Open,
    /// `tools.list`.
    List,
    /// `tools.search`.
    Search,
    /// `tools.describe`.
    Describe,
    /// `tools.budget`.
    Budget,
}

impl Sdk {
    /// All of them, in the order of their numbers.
    pub(crate) const ALL: &[Self] = &[
        Self::Tool,
        Self::Then,
        Self::Touch,
        Self::Fill,
        Self::Unknown,
        Self::NoMethod,
        Self::Call,
        Self::Open,
        Self::List,
        Self::Search,
        Self::Describe,
        Self::Budget,
    ];
}

/// The functions that each surface has by themselves, and their names.
const METHODS: [(&str, Sdk); 6] = [
    ("list", Sdk::List),
    ("search", Sdk::Search),
    ("describe", Sdk::Describe),
    ("call", Sdk::Call),
    ("budget", Sdk::Budget),
    ("open", Sdk::Open),
];

/// Calls one of them.
pub(crate) fn invoke<R: Realm>(realm: &R, sdk: Sdk, bound: &[R::Value], arguments: &[R::Value]) -> Result<R::Value, Thrown<R::Value>> {
    let shared = realm.shared();
    let of_this_run = bound.last().is_some_and(|run| realm.number(run) == f64::from(shared.number()));
    let surface = if of_this_run { shared.surface() } else { None };
    let Some(surface) = surface else { return call::over(realm, sdk, bound, arguments) };
    if sdk == Sdk::Then && call::is_probe(realm, arguments) {
        return call::probed(realm, &surface, bound, arguments);
    }
    match (sdk, surface.form) {
        (Sdk::Touch, _) => names::touch(realm, &surface, bound, arguments),
        (Sdk::Fill, _) => install::fill(realm, bound),
        (Sdk::NoMethod, _) => batch::no_method(realm, &surface, bound),
        (Sdk::List | Sdk::Search | Sdk::Describe | Sdk::Budget, _) => discover::discover(realm, &surface, sdk, arguments),
        (Sdk::Call | Sdk::Tool | Sdk::Then | Sdk::Unknown, Form::Batch) => batch::call(realm, &surface, arguments),
        (Sdk::Open, Form::Batch) => batch::open(realm, &surface, arguments),
        (Sdk::Tool | Sdk::Then, _) => call::tool(realm, &surface, bound, arguments),
        (Sdk::Unknown, _) => call::unknown(realm, &surface, bound),
        (Sdk::Call, _) => call::by_name(realm, &surface, arguments),
        (Sdk::Open, _) => call::open(realm, &surface, arguments),
    }
}

/// The text of a string, cut at `most` bytes; nothing where there is none.
fn text_of<R: Realm>(realm: &R, value: Option<&R::Value>, most: usize) -> Result<Option<String>, Halt> {
    value.map_or(Ok(None), |value| crate::values::text_of(realm, value, most))
}
