//! The rules for an engine's list of gaps.

use codemode_core::Engine;

/// Files by the start of their names whose cases allow no gap: where a bound, the envelope or the surface differs, it is no
/// engine of this contract.
const WITHOUT_GAPS: [&str; 3] = ["bounds", "envelope", "surface"];

/// Whether cases of this file may be gaps.
pub(crate) fn allowed_in(file: &str) -> bool {
    !WITHOUT_GAPS.iter().any(|start| file.starts_with(start))
}

/// What is wrong with the engine's list. `files` gives the file of a case.
pub(crate) fn check<'a>(engine: &dyn Engine, file_of: impl Fn(&str) -> Option<&'a str>) -> Result<(), String> {
    let mut seen = Vec::new();
    let mut trouble = Vec::new();
    for gap in engine.gaps() {
        match file_of(gap.case) {
            None => trouble.push(format!("the gap \"{}\" names no case", gap.case)),
            Some(file) if !allowed_in(file) => trouble.push(format!("the gap \"{}\" is in {file}.toml, whose cases allow none", gap.case)),
            Some(_) if seen.contains(&gap.case) => trouble.push(format!("the gap \"{}\" is listed twice", gap.case)),
            Some(_) => {}
        }
        if gap.reason.trim().is_empty() {
            trouble.push(format!("the gap \"{}\" has no reason", gap.case));
        }
        seen.push(gap.case);
    }
    if trouble.is_empty() { Ok(()) } else { Err(trouble.join("\n")) }
}

#[cfg(test)]
mod tests {
    use codemode_core::Gap;

    use super::*;
    use crate::mock::Mock;

    fn checked(gaps: &'static [Gap]) -> Result<(), String> {
        let file_of = |case: &str| match case {
            "a" | "b" => Some("json"),
            "spin" => Some("bounds_time"),
            _ => None,
        };
        check(&*Mock::engine("mock", "", gaps), file_of)
    }

    #[test]
    fn gaps_name_a_case_once_with_a_reason_where_gaps_are_allowed() {
        const REASON: &str = "a reason";
        assert_eq!(checked(&[Gap { case: "a", reason: REASON }, Gap { case: "b", reason: REASON }]), Ok(()));
        let wrong = checked(&[
            Gap { case: "a", reason: " " },
            Gap { case: "a", reason: REASON },
            Gap { case: "spin", reason: REASON },
            Gap { case: "gone", reason: REASON },
        ]);
        let expected = "the gap \"a\" has no reason\n\
            the gap \"a\" is listed twice\n\
            the gap \"spin\" is in bounds_time.toml, whose cases allow none\n\
            the gap \"gone\" names no case";
        assert_eq!(wrong, Err(expected.to_owned()));
    }
}
