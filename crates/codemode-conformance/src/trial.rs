//! One trial: a case on an engine, or two engines side by side, within an upper bound.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use codemode_core::{Engine, Gap, Language, Profile};

use crate::case::Case;
use crate::compare::{differences, disagreement};
use crate::expect::Setting;
use crate::perform::{Performed, perform};
use crate::process;

/// A case on one engine. What came of it is kept, so that engines are compared without running it again.
pub(crate) struct Station {
    pub(crate) name: String,
    pub(crate) engine: Arc<dyn Engine>,
    pub(crate) case: Arc<Case>,
    pub(crate) profile: Profile,
    pub(crate) bound: Duration,
    performed: OnceLock<Result<Performed, String>>,
}

impl Station {
    pub(crate) fn new(name: String, engine: Arc<dyn Engine>, case: Arc<Case>, profile: Profile, bound: Duration) -> Self {
        Self { name, engine, case, profile, bound, performed: OnceLock::new() }
    }

    /// Why the engine does not run the case, if it does not.
    pub(crate) fn skipped(&self) -> Option<String> {
        self.case.missing(&self.engine.support())
    }

    /// The engine's own word that it does not pass the case.
    pub(crate) fn gap(&self) -> Option<&'static Gap> {
        self.engine.gaps().iter().find(|gap| gap.case == self.case.id)
    }

    /// Whether the engine does what the case expects; a gap that passes is a failure as well.
    pub(crate) fn verdict(&self) -> Result<(), String> {
        let judged = self.performed().and_then(|performed| self.judge(performed));
        match (judged, self.gap()) {
            (judged, None) => judged.map_err(|trouble| format!("{trouble}{}", self.broken_promises())),
            (Err(_), Some(_)) => Ok(()),
            (Ok(()), Some(gap)) => Err(format!("this is listed as a gap and passes; take it off the list, which says: {}", gap.reason)),
        }
    }

    fn judge(&self, performed: &Performed) -> Result<(), String> {
        let mut trouble = String::new();
        let plan = self.case.plan(self.profile.language);
        for (number, (planned, observed)) in plan.iter().zip(&performed.runs).enumerate() {
            let setting = Setting {
                engine: self.engine.id(),
                language: self.profile.language,
                budgets: self.case.budgets.over(self.profile.budgets),
                cwd: &performed.cwd,
                files: &self.case.files,
            };
            let mut expected = planned.expect.in_full(&setting, observed);
            if self.case.alike {
                expected.output.clone_from(&performed.runs[0].output);
            }
            let differs = differences(("expected", "observed"), &expected, observed);
            for text in differs.into_iter().chain(planned.expect.too_late(observed)) {
                if plan.len() > 1 {
                    trouble.push_str(&format!("in run {} of {}:\n", number + 1, plan.len()));
                }
                trouble.push_str(&text);
            }
        }
        if trouble.is_empty() { Ok(()) } else { Err(trouble) }
    }

    /// What the case is there to show, for whoever reads that it failed.
    fn broken_promises(&self) -> String {
        match self.case.promises.as_slice() {
            [] => String::new(),
            promises => format!("\nthe case shows: {}", promises.join(", ")),
        }
    }

    fn performed(&self) -> Result<&Performed, String> {
        self.performed.get_or_init(|| self.perform_within_the_bound()).as_ref().map_err(Clone::clone)
    }

    fn perform_within_the_bound(&self) -> Result<Performed, String> {
        if self.case.wedges && !process::is_child() {
            return process::run_apart(&self.name, self.bound);
        }
        let (sender, receiver) = mpsc::channel();
        let (engine, case, profile) = (Arc::clone(&self.engine), Arc::clone(&self.case), self.profile.clone());
        let work = move || {
            let _ = sender.send(process::hand_over(perform(engine, &case, profile)));
        };
        std::thread::Builder::new().name(format!("case {}", self.case.id)).spawn(work).map_err(|error| format!("no thread: {error}"))?;
        receiver.recv_timeout(self.bound).unwrap_or_else(|error| {
            Err(match error {
                RecvTimeoutError::Timeout => format!("no outcome within {} s; the case was given up on", self.bound.as_secs()),
                RecvTimeoutError::Disconnected => "the runner of the case panicked".to_owned(),
            })
        })
    }

    fn language(&self) -> Language {
        self.profile.language
    }
}

/// Whether two engines of one language agree on a case; where they do not, both are shown.
pub(crate) fn agreement(left: &Station, right: &Station) -> Result<(), String> {
    let (ours, theirs) = (left.performed()?, right.performed()?);
    let plan = left.case.plan(left.language());
    let trouble: String = plan
        .iter()
        .zip(ours.runs.iter().zip(&theirs.runs))
        .filter(|(planned, _)| !planned.expect.has_many_ends())
        .filter_map(|(planned, (ours, theirs))| {
            disagreement((left.engine.id(), ours), (right.engine.id(), theirs), planned.expect.has_own_words())
        })
        .collect();
    if trouble.is_empty() { Ok(()) } else { Err(trouble) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case;
    use crate::mock::Mock;

    fn station(engine: Arc<dyn Engine>, text: &str) -> Station {
        let mut cases = case::read("test", &format!("[[case]]\nid = 'one'\npromises = []\n{text}")).expect("a case");
        let profile = Profile::script();
        Station::new("trial".to_owned(), engine, Arc::new(cases.remove(0)), profile, Duration::from_secs(30))
    }

    fn verdict(text: &str) -> Result<(), String> {
        station(Mock::engine("mock", "", &[]), text).verdict()
    }

    #[test]
    fn a_whole_outcome_that_is_as_expected_passes() {
        let hello = "lua = '''print hello\ncall echo {\"a\":1}\ncall mutate'''\nexpect.output = \"hello\\n\"\n";
        let calls = "expect.calls = ['echo {\"a\":1} -> ok', 'mutate {} -> ok']\nexpect.effects = 'some'\n";
        assert_eq!(verdict(&format!("{hello}{calls}")), Ok(()));
        let text = "expect.text = '''run_code ok (2 tool calls, {compute}s compute)\n\noutput:\nhello\n\ncalls:\n  1 echo {\"a\":1} -> ok, 7 bytes\n  2 mutate {} -> ok, 7 bytes'''";
        assert_eq!(verdict(&format!("{hello}{calls}{text}")), Ok(()));
    }

    #[test]
    fn what_a_case_does_not_write_is_compared_as_well() {
        let verdict = verdict("lua = 'call mutate'\nexpect.output = ''");
        let expected = "effects differs:\n--- expected\n+++ observed\n@@ -1 +1 @@\n-none\n+some\n\n\
            calls differs:\n--- expected\n+++ observed\n@@ -1 +1 @@\n-\n+mutate {} -> ok\n\n\
            reached differs:\n--- expected\n+++ observed\n@@ -1 +1 @@\n-0 calls\n+mutate\n\n";
        assert_eq!(verdict, Err(expected.to_owned()));
    }

    #[test]
    fn bounds_refusals_and_compile_errors_are_expected_in_few_words() {
        assert_eq!(verdict("lua = 'spin'\nbudgets.compute = '20ms'\nexpect.bound = 'compute'"), Ok(()));
        let denied =
            "lua = 'call refuse'\nexpect = { status = 'denied', message = 'refuse is refused', line = 1, calls = ['refuse {} -> denied'] }";
        assert_eq!(verdict(denied), Ok(()));
        assert_eq!(verdict("lua = 'compile no'\nexpect = { status = 'compile', message = 'no' }"), Ok(()));
        let fatal = "lua = 'call echo'\nhost.fatal = ['echo']\n\
            expect = { bound = 'hook', message = 'a hook ended the run at echo', calls = ['echo {} -> denied'], reached = 0 }";
        assert_eq!(verdict(fatal), Ok(()));
    }

    #[test]
    fn a_host_stops_or_drops_at_its_moment() {
        let stop = "lua = '''print a\nspin'''\nstop = { printed = 'a' }\nexpect = { bound = 'interrupted', output = \"a\\n\" }";
        assert_eq!(verdict(stop), Ok(()));
        assert_eq!(verdict("lua = 'spin'\nstop = 'start'\nexpect.bound = 'interrupted'"), Ok(()));
        assert_eq!(verdict("lua = '''print a\nspin'''\ndrop = { printed = 'a' }\nexpect.status = 'dropped'"), Ok(()));
    }

    #[test]
    fn a_case_that_never_ends_is_given_up_on_and_says_so() {
        let mut hanging = station(Mock::engine("mock", "", &[]), "lua = 'call never'");
        hanging.bound = Duration::from_millis(50);
        assert_eq!(hanging.verdict(), Err("no outcome within 0 s; the case was given up on".to_owned()));
    }

    #[test]
    fn a_gap_that_fails_passes_and_one_that_passes_fails() {
        const GAPS: &[Gap] = &[Gap { case: "one", reason: "it has no ear" }];
        assert_eq!(station(Mock::engine("mock", "", GAPS), "lua = 'print a'").verdict(), Ok(()));
        let message = "this is listed as a gap and passes; take it off the list, which says: it has no ear";
        assert_eq!(station(Mock::engine("mock", "", GAPS), "lua = ''").verdict(), Err(message.to_owned()));
    }

    #[test]
    fn engines_of_one_language_agree_or_both_are_shown() {
        let agree = |text: &str| {
            let (first, second) = (Mock::engine("first", "", &[]), Mock::engine("second", "well, ", &[]));
            agreement(&station(first, text), &station(second, text))
        };
        assert_eq!(agree("lua = 'print a'"), Ok(()));
        assert_eq!(agree("lua = 'raise no'\nexpect = { status = 'error', line = 1, message = {} }"), Ok(()));
        let message = "message differs:\n--- first\n+++ second\n@@ -1 +1 @@\n-no\n+well, no\n\n";
        assert_eq!(agree("lua = 'raise no'\nexpect = { status = 'error', line = 1, message = 'no' }"), Err(message.to_owned()));
    }

    #[test]
    fn one_end_of_several_is_as_good_as_another_and_is_compared_in_all_else() {
        let ends = |program: &str| verdict(&format!("lua = '{program}'\nbudgets.compute = '20ms'\nexpect.ends = ['ok', 'error', 'time']"));
        for program in ["", "raise no", "spin"] {
            assert_eq!(ends(program), Ok(()), "{program}");
        }
        let differs = |what: &str, expected: &str, observed: &str| {
            format!("{what} differs:\n--- expected\n+++ observed\n@@ -1 +1 @@\n-{expected}\n+{observed}\n\n")
        };
        assert_eq!(ends("compile no"), Err(differs("status", "ok or error or time", "compile") + &differs("message", "none", "no")));
        assert_eq!(ends("call echo"), Err(differs("calls", "", "echo {} -> ok") + &differs("reached", "0 calls", "echo")));
        assert_eq!(ends("print a"), Err("output differs:\n--- expected\n+++ observed\n@@ -1 +1,2 @@\n-\n+a\n+[line end]\n\n".to_owned()));
    }

    #[test]
    fn each_run_of_a_case_is_judged_by_its_own_expectation() {
        let text = "lua = 'call count'\nexpect.calls = ['count {} -> ok']\n[[case.step]]\nlua = 'print b'\nexpect.output = 'c'\n";
        let verdict = verdict(text);
        let expected = "in run 2 of 2:\noutput differs:\n--- expected\n+++ observed\n@@ -1 +1,2 @@\n-c\n+b\n+[line end]\n\n";
        assert_eq!(verdict, Err(expected.to_owned()));
    }
}
