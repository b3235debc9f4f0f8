//! The globals of a program that its language does not have: console, timers, text, addresses.

mod absent;
mod address;
pub(crate) mod arguments;
mod clone;
mod collate;
mod console;
mod date;
mod encoding;
mod install;
mod locale;
mod number;
mod parts;
mod reference;
mod run;

pub use absent::{hint, missing_name};
pub(crate) use console::Console;
pub use install::install_globals;
pub(crate) use parts::part;
pub(crate) use reference::{advise, advise_import};

use crate::local;
use crate::realm::{Realm, Thrown};
use arguments::Arguments;
use console::Said;
use date::Written;

/// Declares the functions and lists them, so that each has its number.
macro_rules! globals {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// The functions of the globals.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Global {
            $($(#[$doc])* $name,)*
        }

        impl Global {
            /// All of them, in the order of their numbers.
            pub(crate) const ALL: &[Self] = &[$(Self::$name,)*];
        }
    };
}

globals! {
    /// Hangs the text of a prelude object under it.
    Carry,
    /// Makes a global that was touched.
    Touch,
    /// Gives a prelude part what another one makes.
    UsePart,

    /// `console.log` and all that print like it.
    Log,
    /// `console.trace`.
    Trace,
    /// `console.dir`.
    Dir,
    /// `console.table`.
    Table,
    /// `console.group`.
    Group,
    /// `console.groupEnd`.
    GroupEnd,
    /// `console.time`.
    Time,
    /// `console.timeLog`.
    TimeLog,
    /// `console.timeEnd`.
    TimeEnd,
    /// `console.count`.
    Count,
    /// `console.countReset`.
    CountReset,
    /// `console.assert`.
    Assert,
    /// What of the console shows nothing here.
    Silent,

    /// `setTimeout`.
    SetTimeout,
    /// `setInterval`.
    SetInterval,
    /// `setImmediate`.
    SetImmediate,
    /// `clearTimeout` and its like.
    ClearTimer,
    /// Any of them in a batch.
    NoTimers,

    /// The run's time.
    Now,
    /// `Math.random` of a deterministic run.
    RandomNumber,
    /// Random bytes.
    RandomBytes,
    /// `crypto.randomUUID`.
    RandomUuid,

    /// Text as UTF-8.
    EncodeUtf8,
    /// The encoding that a label stands for.
    EncodingOf,
    /// Bytes as text.
    DecodeText,
    /// Text of bytes as base64.
    EncodeBase64,
    /// Base64 as text of bytes.
    DecodeBase64,

    /// Text as an address.
    ParseUrl,
    /// A part of an address.
    UrlPart,
    /// An address with another part.
    WithUrlPart,
    /// A query as names and values.
    ParseQuery,
    /// Names and values as a query.
    QueryText,
    /// Names and values in order.
    SortQuery,

    /// What kind a value is.
    KindOf,
    /// A date's time value.
    TimeOf,
    /// The primitive in a boxed one.
    PrimitiveOf,
    /// A regular expression's source and flags.
    RegExpOf,
    /// The entries of a map or set.
    EntriesOf,
    /// The bytes of a buffer or view.
    BytesOf,

    /// `toLocaleString` of numbers.
    NumberToLocaleString,
    /// `Intl.NumberFormat`.
    FormatNumber,
    /// `localeCompare`.
    LocaleCompare,
    /// `Intl.Collator`.
    CompareText,
    /// Refuses what is no locale, and warns of one that is not there.
    CheckLocales,

    /// `Date.parse`.
    ParseDate,
    /// `Date.prototype.toString`.
    DateToString,
    /// `Date.prototype.toDateString`.
    DateToDateString,
    /// `Date.prototype.toTimeString`.
    DateToTimeString,
    /// `Date.prototype.toLocaleString`.
    DateToLocaleString,
    /// `Date.prototype.toLocaleDateString`.
    DateToLocaleDateString,
    /// `Date.prototype.toLocaleTimeString`.
    DateToLocaleTimeString,
    /// `Intl.DateTimeFormat`.
    FormatDate,

    /// An operation of authority `local`, done now.
    LocalPerform,
    /// The same, begun.
    LocalBegin,
    /// Does not wait for what was begun at the end of a run.
    LocalUnref,
    /// The folder that relative paths begin at.
    LocalFolder,
    /// Lets them begin elsewhere.
    LocalSetFolder,
    /// Prints text as it is.
    LocalWrite,
    /// Evaluates a file's text.
    EvaluateFile,
    /// Tells modules from other files, and takes types out.
    ReadModule,
}

/// Calls one of them.
pub(crate) fn invoke<R: Realm>(
    realm: &R,
    global: Global,
    this: &R::Value,
    bound: &[R::Value],
    arguments: &[R::Value],
) -> Result<R::Value, Thrown<R::Value>> {
    let given = Arguments::new(realm, arguments);
    match global {
        Global::Carry => {
            realm.carry(&given.value(0), &given.text(1)?)?;
            Ok(realm.undefined())
        }
        Global::Touch => parts::touch(realm, bound, &given),
        Global::UsePart => parts::use_part(realm, bound, &given),

        Global::Log => console::say(realm, Said::Log, arguments),
        Global::Trace => console::say(realm, Said::Trace, arguments),
        Global::Dir => console::say(realm, Said::Dir, arguments),
        Global::Table => console::say(realm, Said::Table, arguments),
        Global::Assert => console::say(realm, Said::Assert, arguments),
        Global::Group => console::group(realm, arguments),
        Global::GroupEnd => console::group_end(realm),
        Global::Time => console::time(&given),
        Global::TimeLog => console::time_log(&given, false),
        Global::TimeEnd => console::time_log(&given, true),
        Global::Count => console::count(&given),
        Global::CountReset => console::count_reset(&given),
        Global::Silent => Ok(realm.undefined()),

        Global::SetTimeout => run::set_timer(&given, "setTimeout"),
        Global::SetInterval => run::set_timer(&given, "setInterval"),
        Global::SetImmediate => run::set_timer(&given, "setImmediate"),
        Global::ClearTimer => run::clear_timer(&given),
        Global::NoTimers => run::no_timers(&Arguments::new(realm, bound)),

        Global::Now => run::now(realm),
        Global::RandomNumber => run::random_number(realm),
        Global::RandomBytes => run::random_bytes(&given),
        Global::RandomUuid => run::random_uuid(realm),

        Global::EncodeUtf8 => encoding::encode_utf8(&given),
        Global::EncodingOf => encoding::encoding_of(&given),
        Global::DecodeText => encoding::decode_text(&given),
        Global::EncodeBase64 => encoding::encode_base64(&given),
        Global::DecodeBase64 => encoding::decode_base64(&given),

        Global::ParseUrl => address::parse_url(&given),
        Global::UrlPart => address::url_part(&given),
        Global::WithUrlPart => address::with_url_part(&given),
        Global::ParseQuery => address::parse_query(&given),
        Global::QueryText => address::query_text(&given),
        Global::SortQuery => address::sort_query(&given),

        Global::KindOf => clone::kind_of(&given),
        Global::TimeOf => clone::time_of(&given),
        Global::PrimitiveOf => Ok(realm.unboxed(&given.value(0))?),
        Global::RegExpOf => clone::regexp_of(&given),
        Global::EntriesOf => clone::entries_of(&given),
        Global::BytesOf => clone::bytes_of(&given),

        Global::NumberToLocaleString => number::to_locale_string(realm, this, &given),
        Global::FormatNumber => number::format_number(&given),
        Global::LocaleCompare => collate::locale_compare(realm, this, &given),
        Global::CompareText => collate::compare_text(&given),
        Global::CheckLocales => locale::check_locales(&given, if realm.boolean(&given.value(1)) { date::ALIKE } else { number::ALIKE }),

        Global::ParseDate => date::parse_date(&given),
        Global::DateToString => date::to_text(realm, this, Written::Whole),
        Global::DateToDateString => date::to_text(realm, this, Written::Date),
        Global::DateToTimeString => date::to_text(realm, this, Written::Time),
        Global::DateToLocaleString => date::to_locale_text(realm, this, &given, Written::Whole),
        Global::DateToLocaleDateString => date::to_locale_text(realm, this, &given, Written::Date),
        Global::DateToLocaleTimeString => date::to_locale_text(realm, this, &given, Written::Time),
        Global::FormatDate => date::format_date(&given),

        Global::LocalPerform => local::perform(&given),
        Global::LocalBegin => local::begin(&given),
        Global::LocalUnref => local::unref(&given),
        Global::LocalFolder => local::folder(realm),
        Global::LocalSetFolder => local::set_folder(&given),
        Global::LocalWrite => local::write_out(&given),
        Global::EvaluateFile => local::evaluate_file(&given),
        Global::ReadModule => local::read_module(&given),
    }
}
