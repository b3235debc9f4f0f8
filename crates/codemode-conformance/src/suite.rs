//! The suite: files of cases times engines, as trials of a test binary.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use codemode_core::{Engine, Language, Profile};
use libtest_mimic::{Arguments, Completion, Conclusion, Failed, Trial};

use crate::builtin::FILES;
use crate::case::{self, Case, CaseError};
use crate::gaps;
use crate::trial::{Station, agreement};

/// The longest that a trial takes before it fails, unless the suite is told otherwise.
const BOUND: Duration = Duration::from_secs(30);

/// Every language that a case may be written in.
const LANGUAGES: [Language; 2] = [Language::Lua, Language::JavaScript];

/// Cases, and the engines to run them on.
///
/// A case runs on each engine that has the case's profile and supports what the case needs; elsewhere its trial is shown as
/// ignored. Trials are named `engine::file::case`. Where two engines speak one language there is a trial
/// `first=second::file::case` that fails when they do not agree, and shows both.
pub struct Suite {
    files: Vec<(String, Vec<Arc<Case>>)>,
    /// Engines by the names that their trials have.
    engines: Vec<(String, Arc<dyn Engine>)>,
    bound: Duration,
}

impl Suite {
    /// The cases that every engine of the contract has to pass.
    ///
    /// # Panics
    /// When a case of this crate is malformed, which its own tests rule out.
    #[must_use]
    pub fn builtin() -> Self {
        let mut suite = Self { files: Vec::new(), engines: Vec::new(), bound: BOUND };
        for (name, text) in FILES {
            suite = match suite.with_cases(name, text) {
                Ok(suite) => suite,
                Err(error) => panic!("{error}"),
            };
        }
        suite
    }

    /// A suite without cases, for a host's or an engine's own.
    #[must_use]
    pub fn empty() -> Self {
        Self { files: Vec::new(), engines: Vec::new(), bound: BOUND }
    }

    /// Adds a file of cases in the format that the README describes. `name` stands in the names of trials.
    ///
    /// # Errors
    /// When the text is malformed, or a case has an id that another has.
    pub fn with_cases(mut self, name: &str, text: &str) -> Result<Self, CaseError> {
        let cases = case::read(name, text)?;
        for (place, case) in cases.iter().enumerate() {
            let twice = self.files.iter().flat_map(|(_, cases)| cases.iter().map(|case| &case.id)).any(|id| *id == case.id)
                || cases[..place].iter().any(|earlier| earlier.id == case.id);
            if twice {
                let message = "another case has this id".to_owned();
                return Err(CaseError { file: name.to_owned(), case: Some(case.id.clone()), message });
            }
        }
        self.files.push((name.to_owned(), cases.into_iter().map(Arc::new).collect()));
        Ok(self)
    }

    /// Adds an engine; its trials are named by its id.
    #[must_use]
    pub fn with_engine(self, engine: Arc<dyn Engine>) -> Self {
        let name = engine.id();
        self.with_engine_as(name, engine)
    }

    /// Adds an engine under another name: the same engine set up otherwise, which has to pass all the same.
    #[must_use]
    pub fn with_engine_as(mut self, name: impl Into<String>, engine: Arc<dyn Engine>) -> Self {
        self.engines.push((name.into(), engine));
        self
    }

    /// Keeps the cases for which `keep` says so, given the file's name and the case's id: for an engine under construction.
    #[must_use]
    pub fn only(mut self, keep: impl Fn(&str, &str) -> bool) -> Self {
        for (file, cases) in &mut self.files {
            cases.retain(|case| keep(file, &case.id));
        }
        self
    }

    /// How long a trial may take, 30 s by default; one that takes longer fails and says so.
    #[must_use]
    pub fn with_upper_bound(mut self, bound: Duration) -> Self {
        self.bound = bound;
        self
    }

    /// Every case, as the name of its file and its id, in order.
    pub fn case_ids(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files.iter().flat_map(|(file, cases)| cases.iter().map(move |case| (file.as_str(), case.id.as_str())))
    }

    /// The trials, for a test binary that has others as well.
    ///
    /// A trial whose case may leave a thread behind starts the test binary again with its own name, so that the binary must
    /// hand its arguments to `libtest_mimic`.
    #[must_use]
    pub fn trials(self) -> Vec<Trial> {
        let mut trials = Vec::new();
        let files: HashMap<String, String> = self.case_ids().map(|(file, id)| (id.to_owned(), file.to_owned())).collect();
        let files = Arc::new(files);
        for (name, engine) in &self.engines {
            let (engine, files) = (Arc::clone(engine), Arc::clone(&files));
            let name = format!("{name}::gaps");
            trials.push(Trial::test(name, move || gaps::check(&*engine, |case| files.get(case).map(String::as_str)).map_err(Failed::from)));
        }
        for (file, cases) in &self.files {
            for case in cases {
                let stations = self.stations(file, case);
                trials.extend(stations.iter().map(|station| {
                    let station = Arc::clone(station);
                    Trial::ignorable_test(station.name.clone(), move || match station.skipped() {
                        Some(why) => Ok(Completion::ignored_with(why)),
                        None => station.verdict().map(|()| Completion::Completed).map_err(Failed::from),
                    })
                }));
                trials.extend(pairs(file, &stations));
            }
        }
        trials
    }

    /// Runs every trial that `arguments` choose.
    pub fn run(self, arguments: &Arguments) -> Conclusion {
        libtest_mimic::run(arguments, self.trials())
    }

    /// A case on every engine that has its profile.
    fn stations(&self, file: &str, case: &Arc<Case>) -> Vec<Arc<Station>> {
        let mut stations = Vec::new();
        for (name, engine) in &self.engines {
            for language in LANGUAGES {
                let Some(form) = case.form(language).filter(|form| engine.support().form(*form)) else { continue };
                let profile = Profile::of(form);
                let name = format!("{name}::{file}::{}", case.id);
                stations.push(Arc::new(Station::new(name, Arc::clone(engine), Arc::clone(case), profile, self.bound)));
            }
        }
        stations
    }
}

impl fmt::Debug for Suite {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let engines: Vec<&String> = self.engines.iter().map(|(name, _)| name).collect();
        formatter.debug_struct("Suite").field("cases", &self.case_ids().count()).field("engines", &engines).finish_non_exhaustive()
    }
}

/// Different engines of one language in pairs; one that skips the case or lists it as a gap has nothing to agree on.
fn pairs(file: &str, stations: &[Arc<Station>]) -> Vec<Trial> {
    let mut trials = Vec::new();
    let speaking: Vec<_> = stations.iter().filter(|station| station.skipped().is_none() && station.gap().is_none()).collect();
    for (place, first) in speaking.iter().enumerate() {
        let other = |second: &&&Arc<Station>| second.profile.language == first.profile.language && second.engine.id() != first.engine.id();
        for second in speaking[place + 1..].iter().filter(other) {
            let name = format!("{}={}::{file}::{}", first.engine.id(), second.engine.id(), first.case.id);
            let (first, second) = (Arc::clone(first), Arc::clone(second));
            trials.push(Trial::test(name, move || agreement(&first, &second).map_err(Failed::from)));
        }
    }
    trials
}

/// Runs the built-in cases on one engine, with the arguments of this process.
///
/// A test binary without a harness needs no more than `run(engine).exit()`.
pub fn run(engine: Arc<dyn Engine>) -> Conclusion {
    Suite::builtin().with_engine(engine).run(&Arguments::from_args())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mock::Mock;

    const CASES: &str = "[[case]]\nid = 'a'\npromises = []\nlua = ''\n\
        [[case]]\nid = 'b'\npromises = []\nneeds = ['bound_memory']\nlua = ''\n\
        [[case]]\nid = 'c'\npromises = []\nprofile = 'cell'\njs = ''\n";

    fn suite() -> Suite {
        Suite::empty().with_cases("file", CASES).expect("well formed cases")
    }

    fn names(suite: Suite) -> Vec<String> {
        suite.trials().iter().map(|trial| trial.name().to_owned()).collect()
    }

    #[test]
    fn an_engine_has_a_trial_for_each_case_in_its_language_and_two_have_one_together() {
        let one = suite().with_engine(Mock::engine("one", "", &[]));
        assert_eq!(names(one), ["one::gaps", "one::file::a", "one::file::b"]);
        let both = suite().with_engine(Mock::engine("one", "", &[])).with_engine(Mock::engine("two", "", &[]));
        let expected = ["one::gaps", "two::gaps", "one::file::a", "two::file::a", "one=two::file::a", "one::file::b", "two::file::b"];
        assert_eq!(names(both), expected);
        let twice = suite().with_engine(Mock::engine("one", "", &[])).with_engine_as("one-slow", Mock::engine("one", "", &[]));
        assert_eq!(names(twice), ["one::gaps", "one-slow::gaps", "one::file::a", "one-slow::file::a", "one::file::b", "one-slow::file::b"]);
        assert_eq!(names(suite().only(|file, _| file != "file").with_engine(Mock::engine("one", "", &[]))), ["one::gaps"]);
    }

    #[test]
    fn a_case_that_needs_more_than_the_engine_has_is_not_run_and_says_why() {
        let cases = suite();
        let engine = Mock::engine("one", "", &[]);
        let why = |place: usize| {
            let case = Arc::clone(&cases.files[0].1[place]);
            Station::new(String::new(), Arc::clone(&engine), case, codemode_core::Profile::script(), BOUND).skipped()
        };
        assert_eq!((why(0), why(1)), (None, Some("needs bound_memory".to_owned())));
    }

    #[test]
    fn two_cases_of_one_id_are_refused() {
        let error = suite().with_cases("again", "[[case]]\nid = 'a'\npromises = []\nlua = ''").expect_err("twice");
        assert_eq!(error.to_string(), "again, case a: another case has this id");
    }
}
