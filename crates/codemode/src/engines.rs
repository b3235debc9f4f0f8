//! The engines that were compiled in, by their words.

use std::fmt;
use std::sync::Arc;

use codemode_core::{Engine, Form};

/// Every engine that this version can be built with: its word, which is also its cargo feature.
const KNOWN: &[&str] = &["luajit", "quickjs", "boa"];

/// The one that nothing bounds in a thread.
const UNBOUNDED: &str = "boa";

/// The engines that were compiled in, as they are in a thread, in the order in which they are preferred.
#[must_use]
pub fn engines() -> Vec<Arc<dyn Engine>> {
    [luajit(), quickjs(), boa()].into_iter().flatten().collect()
}

#[cfg(feature = "luajit")]
pub(crate) fn luajit() -> Option<Arc<dyn Engine>> {
    Some(Arc::new(codemode_luajit::LuaJit::new()))
}

#[cfg(not(feature = "luajit"))]
pub(crate) fn luajit() -> Option<Arc<dyn Engine>> {
    None
}

#[cfg(feature = "quickjs")]
pub(crate) fn quickjs() -> Option<Arc<dyn Engine>> {
    Some(Arc::new(codemode_quickjs::QuickJs::new()))
}

#[cfg(not(feature = "quickjs"))]
pub(crate) fn quickjs() -> Option<Arc<dyn Engine>> {
    None
}

// Nothing bounds it in a thread, as its id says; a program gets it where it is asked for, or where no other engine was compiled in.
#[cfg(feature = "boa")]
fn boa() -> Option<Arc<dyn Engine>> {
    Some(Arc::new(codemode_boa::Boa::unbounded_in_thread()))
}

#[cfg(not(feature = "boa"))]
fn boa() -> Option<Arc<dyn Engine>> {
    None
}

/// The engine of this word, as it is in a thread. Boa, which nothing bounds there, has the word `boa-unbounded`.
///
/// # Errors
/// When it was not compiled in, or there is no such engine; the message says which, and what there is.
pub fn engine(id: &str) -> Result<Arc<dyn Engine>, EngineMissing> {
    named(id, engines())
}

/// The engine of this word among these.
pub(crate) fn named(id: &str, engines: Vec<Arc<dyn Engine>>) -> Result<Arc<dyn Engine>, EngineMissing> {
    let found = engines.into_iter().find(|engine| engine.id() == id);
    found.ok_or_else(|| EngineMissing::of(format!("engine \"{}\"", codemode_core::text::cut(id, 60)), id))
}

/// The first of these engines that has this form.
pub(crate) fn engine_for(form: Form, engines: Vec<Arc<dyn Engine>>) -> Result<Arc<dyn Engine>, EngineMissing> {
    engines.into_iter().find(|engine| engine.support().form(form)).ok_or_else(|| {
        let preferred = if form == Form::Script { "luajit" } else { "quickjs" };
        EngineMissing::of(format!("an engine for profile \"{}\"", form.as_str()), preferred)
    })
}

/// An engine that was asked for and is not there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineMissing {
    wanted: String,
    /// The cargo feature that would bring it, if this version has one.
    pub feature: Option<&'static str>,
    /// The engines that were compiled in.
    pub compiled_in: Vec<&'static str>,
}

impl EngineMissing {
    fn of(wanted: String, id: &str) -> Self {
        let word = id.strip_suffix("-unbounded").unwrap_or(id);
        let feature = KNOWN.iter().copied().find(|known| *known == word);
        Self { wanted, feature, compiled_in: engines().iter().map(|engine| engine.id()).collect() }
    }
}

impl fmt::Display for EngineMissing {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.feature == Some(UNBOUNDED) && cfg!(feature = "boa") {
            return write!(
                formatter,
                "{} is bounded in a worker process alone; run it there, or in a thread, where nothing stops it, as \"{UNBOUNDED}-unbounded\"",
                self.wanted
            );
        }
        write!(formatter, "{} is not here; ", self.wanted)?;
        match self.feature {
            Some(feature) => write!(formatter, "build with the cargo feature `{feature}`")?,
            None => write!(formatter, "this version has no such engine, only {}", KNOWN.join(", "))?,
        }
        match self.compiled_in.as_slice() {
            [] => formatter.write_str("; no engine is compiled in"),
            there => write!(formatter, "; compiled in: {}", there.join(", ")),
        }
    }
}

impl std::error::Error for EngineMissing {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_engine_names_the_feature_or_what_there_is() {
        let there: Vec<&str> =
            [("luajit", cfg!(feature = "luajit")), ("quickjs", cfg!(feature = "quickjs")), ("boa-unbounded", cfg!(feature = "boa"))]
                .into_iter()
                .filter_map(|(word, compiled_in)| compiled_in.then_some(word))
                .collect();
        let compiled_in =
            if there.is_empty() { "no engine is compiled in".to_owned() } else { format!("compiled in: {}", there.join(", ")) };
        let found = |word: &str| engine(word).map(|engine| engine.id()).map_err(|error| error.to_string());
        assert_eq!(
            found("v8"),
            Err(format!("engine \"v8\" is not here; this version has no such engine, only luajit, quickjs, boa; {compiled_in}"))
        );
        for (word, feature) in [("luajit", "luajit"), ("quickjs", "quickjs"), ("boa-unbounded", "boa")] {
            let expected = if there.contains(&word) {
                Ok(word)
            } else {
                Err(format!("engine \"{word}\" is not here; build with the cargo feature `{feature}`; {compiled_in}"))
            };
            assert_eq!(found(word), expected);
        }
        let expected = if cfg!(feature = "boa") {
            "engine \"boa\" is bounded in a worker process alone; run it there, or in a thread, where nothing stops it, as \"boa-unbounded\""
                .to_owned()
        } else {
            format!("engine \"boa\" is not here; build with the cargo feature `boa`; {compiled_in}")
        };
        assert_eq!(found("boa"), Err(expected));
    }

    #[test]
    fn each_form_has_the_engine_of_its_language() {
        for form in Form::ALL {
            let javascript = if engine("quickjs").is_err() && engine("boa-unbounded").is_ok() { "boa-unbounded" } else { "quickjs" };
            let word = if form == Form::Script { "luajit" } else { javascript };
            let found = engine_for(form, engines()).map(|engine| engine.id()).map_err(|error| error.feature);
            assert_eq!(found, if engine(word).is_ok() { Ok(word) } else { Err(Some(word)) }, "{form:?}");
        }
    }
}
