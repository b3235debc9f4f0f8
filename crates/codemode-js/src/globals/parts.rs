//! The globals that are made when a program first touches them, and the prelude parts in JavaScript that make most of them.

use crate::globals::Global;
use crate::globals::arguments::{Arguments, throw};
use crate::globals::console::CONSOLE;
use crate::native::Native;
use crate::realm::{Attributes, ErrorClass, Halt, Realm, Slot, Thrown};

/// A prelude part: a function of natives, intrinsics and `use` that gives an object of what it makes.
#[derive(Debug)]
struct Part {
    name: &'static str,
    source: &'static str,
    natives: &'static [(&'static str, Global)],
}

/// How a global is made when it is first touched.
#[derive(Debug, Clone, Copy)]
enum Maker {
    /// By the prelude part of this name.
    Part(&'static str),
    /// As an object with these functions.
    Functions(&'static [(&'static str, Global)]),
}

/// Under which name the intrinsics lie among the parts that were made.
pub(super) const INTRINSICS: &str = "intrinsics";

/// The parts.
const PARTS: &[Part] = &[
    Part { name: "exception", source: include_str!("../../prelude/exception.js"), natives: &[] },
    Part { name: "given", source: include_str!("../../prelude/given.js"), natives: &[("kindOf", Global::KindOf)] },
    Part {
        name: "text",
        source: include_str!("../../prelude/text.js"),
        natives: &[
            ("encodeUtf8", Global::EncodeUtf8),
            ("encodingOf", Global::EncodingOf),
            ("decodeText", Global::DecodeText),
            ("encodeBase64", Global::EncodeBase64),
            ("decodeBase64", Global::DecodeBase64),
        ],
    },
    Part {
        name: "address",
        source: include_str!("../../prelude/address.js"),
        natives: &[
            ("carry", Global::Carry),
            ("parseUrl", Global::ParseUrl),
            ("urlPart", Global::UrlPart),
            ("withUrlPart", Global::WithUrlPart),
            ("parseQuery", Global::ParseQuery),
            ("queryText", Global::QueryText),
            ("sortQuery", Global::SortQuery),
        ],
    },
    Part {
        name: "clone",
        source: include_str!("../../prelude/clone.js"),
        natives: &[
            ("kindOf", Global::KindOf),
            ("timeOf", Global::TimeOf),
            ("primitiveOf", Global::PrimitiveOf),
            ("regExpOf", Global::RegExpOf),
            ("entriesOf", Global::EntriesOf),
            ("bytesOf", Global::BytesOf),
        ],
    },
    Part {
        name: "crypto",
        source: include_str!("../../prelude/crypto.js"),
        natives: &[("kindOf", Global::KindOf), ("randomBytes", Global::RandomBytes), ("randomUuid", Global::RandomUuid)],
    },
    Part {
        name: "date",
        source: include_str!("../../prelude/date.js"),
        natives: &[
            ("now", Global::Now),
            ("parse", Global::ParseDate),
            ("kindOf", Global::KindOf),
            ("toString", Global::DateToString),
            ("toDateString", Global::DateToDateString),
            ("toTimeString", Global::DateToTimeString),
            ("toLocaleString", Global::DateToLocaleString),
            ("toLocaleDateString", Global::DateToLocaleDateString),
            ("toLocaleTimeString", Global::DateToLocaleTimeString),
        ],
    },
    Part {
        name: "intl",
        source: include_str!("../../prelude/intl.js"),
        natives: &[
            ("formatNumber", Global::FormatNumber),
            ("formatDate", Global::FormatDate),
            ("compareText", Global::CompareText),
            ("checkLocales", Global::CheckLocales),
            ("now", Global::Now),
        ],
    },
    Part { name: "abort", source: include_str!("../../prelude/abort.js"), natives: &[("setTimeout", Global::SetTimeout)] },
    Part { name: "performance", source: include_str!("../../prelude/performance.js"), natives: &[("now", Global::Now)] },
    Part { name: "local", source: include_str!("../../prelude/local/local.js"), natives: MACHINE },
    Part { name: "path", source: include_str!("../../prelude/local/path.js"), natives: MACHINE },
    Part {
        name: "buffer",
        source: include_str!("../../prelude/local/buffer.js"),
        natives: &[("encodeUtf8", Global::EncodeUtf8), ("decodeText", Global::DecodeText), ("kindOf", Global::KindOf)],
    },
    Part { name: "fs", source: include_str!("../../prelude/local/fs.js"), natives: MACHINE },
    Part { name: "fetch", source: include_str!("../../prelude/local/fetch.js"), natives: MACHINE },
    Part { name: "events", source: include_str!("../../prelude/local/events.js"), natives: &[] },
    Part { name: "process", source: include_str!("../../prelude/local/process.js"), natives: MACHINE },
    Part { name: "child_process", source: include_str!("../../prelude/local/child_process.js"), natives: MACHINE },
    Part {
        name: "modules",
        source: include_str!("../../prelude/local/modules.js"),
        natives: &[
            ("folder", Global::LocalFolder),
            ("evaluateFile", Global::EvaluateFile),
            ("readModule", Global::ReadModule),
            ("decodeText", Global::DecodeText),
        ],
    },
];

/// The globals that authority `local` adds.
const LOCAL: &[(&str, Maker)] = &[
    ("Buffer", Maker::Part("buffer")),
    ("Headers", Maker::Part("fetch")),
    ("Response", Maker::Part("fetch")),
    ("fetch", Maker::Part("fetch")),
    ("process", Maker::Part("process")),
    ("project", Maker::Part("modules")),
    ("require", Maker::Part("modules")),
];

/// The natives of the machine.
const MACHINE: &[(&str, Global)] = &[
    ("perform", Global::LocalPerform),
    ("begin", Global::LocalBegin),
    ("unref", Global::LocalUnref),
    ("folder", Global::LocalFolder),
    ("setFolder", Global::LocalSetFolder),
    ("write", Global::LocalWrite),
    ("kindOf", Global::KindOf),
    ("now", Global::Now),
    ("setTimeout", Global::SetTimeout),
    ("clearTimeout", Global::ClearTimer),
];

/// The globals that are made when they are first touched.
const LAZY: &[(&str, Maker)] = &[
    ("console", Maker::Functions(CONSOLE)),
    ("performance", Maker::Part("performance")),
    ("DOMException", Maker::Part("exception")),
    ("TextEncoder", Maker::Part("text")),
    ("TextDecoder", Maker::Part("text")),
    ("atob", Maker::Part("text")),
    ("btoa", Maker::Part("text")),
    ("URL", Maker::Part("address")),
    ("URLSearchParams", Maker::Part("address")),
    ("structuredClone", Maker::Part("clone")),
    ("crypto", Maker::Part("crypto")),
    ("Date", Maker::Part("date")),
    ("Intl", Maker::Part("intl")),
    ("AbortController", Maker::Part("abort")),
    ("AbortSignal", Maker::Part("abort")),
];

/// Defines the globals that are made when they are first touched. `kept` holds what was made; no program reaches it.
pub(super) fn define_all<R: Realm>(realm: &R, kept: &R::Value, local: bool) -> Result<(), Halt> {
    let global = realm.global();
    let touch = realm.make_function(Native::Global(Global::Touch), "touch", vec![kept.clone()])?;
    for (name, _) in LAZY {
        realm.define_lazy(&global, name, touch.clone())?;
    }
    if local {
        for (name, _) in LOCAL {
            realm.define_lazy(&global, name, touch.clone())?;
        }
        realm.shared().keep_parts(kept.clone());
    }
    Ok(())
}

/// Makes a global that was touched: bound is what was made so far, the argument is the global's name.
pub(super) fn touch<R: Realm>(realm: &R, bound: &[R::Value], arguments: &Arguments<'_, R>) -> Result<R::Value, Thrown<R::Value>> {
    let touched = arguments.text(0)?;
    let Some((name, maker)) = LAZY.iter().chain(LOCAL).find(|(name, _)| *name == &*touched) else { return Ok(realm.undefined()) };
    match maker {
        Maker::Part(part) => made_by(realm, &Arguments::new(realm, bound).value(0), part, name),
        Maker::Functions(functions) => {
            let object = realm.make_object(true)?;
            define_functions(realm, &object, functions, Attributes::Plain)?;
            Ok(object)
        }
    }
}

/// What a part asked of another part: the object of what that one makes.
pub(super) fn use_part<R: Realm>(realm: &R, bound: &[R::Value], arguments: &Arguments<'_, R>) -> Result<R::Value, Thrown<R::Value>> {
    let kept = Arguments::new(realm, bound).value(0);
    part(realm, &kept, &arguments.text(0)?)
}

fn made_by<R: Realm>(realm: &R, kept: &R::Value, part_name: &str, name: &str) -> Result<R::Value, Thrown<R::Value>> {
    let made = part(realm, kept, part_name)?;
    match realm.property(&made, name)? {
        Slot::Data(value) => Ok(value),
        Slot::Accessor { .. } | Slot::Missing => throw(realm, ErrorClass::Error, "a prelude part did not make what it is for"),
    }
}

/// The object of what a part makes: kept, or made now, so that two globals of one part belong together.
pub(crate) fn part<R: Realm>(realm: &R, kept: &R::Value, name: &str) -> Result<R::Value, Thrown<R::Value>> {
    if let Slot::Data(made) = realm.property(kept, name)? {
        return Ok(made);
    }
    let Some(part) = PARTS.iter().find(|part| part.name == name) else {
        return throw(realm, ErrorClass::Error, "there is no such prelude part");
    };
    let natives = realm.make_object(false)?;
    define_functions(realm, &natives, part.natives, Attributes::Fixed)?;
    let intrinsics = match realm.property(kept, INTRINSICS)? {
        Slot::Data(intrinsics) => intrinsics,
        Slot::Accessor { .. } | Slot::Missing => realm.undefined(),
    };
    let use_part = realm.make_function(Native::Global(Global::UsePart), "use", vec![kept.clone()])?;
    let make = realm.evaluate(&format!("codemode:{name}"), part.source)?;
    let made = realm.call(&make, &realm.undefined(), &[natives, intrinsics, use_part])?;
    realm.define(kept, name, made.clone(), Attributes::FixedHidden)?;
    Ok(made)
}

fn define_functions<R: Realm>(
    realm: &R,
    object: &R::Value,
    functions: &[(&'static str, Global)],
    attributes: Attributes,
) -> Result<(), Halt> {
    for (name, global) in functions {
        let function = realm.make_function(Native::Global(*global), name, Vec::new())?;
        realm.define(object, name, function, attributes)?;
    }
    Ok(())
}
