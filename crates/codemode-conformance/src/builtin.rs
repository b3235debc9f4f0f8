//! The built-in cases, as text: they are part of the library, so that it runs them anywhere.

/// The list of promises.
pub(crate) const PROMISES: &str = include_str!("../cases/promises.toml");

/// Every file of cases, by name.
pub(crate) const FILES: &[(&str, &str)] = &[
    ("answers", include_str!("../cases/answers.toml")),
    ("authority", include_str!("../cases/authority.toml")),
    ("bounds_budgets", include_str!("../cases/bounds_budgets.toml")),
    ("bounds_calls", include_str!("../cases/bounds_calls.toml")),
    ("bounds_hidden", include_str!("../cases/bounds_hidden.toml")),
    ("bounds_hostile", include_str!("../cases/bounds_hostile.toml")),
    ("bounds_memory", include_str!("../cases/bounds_memory.toml")),
    ("bounds_results", include_str!("../cases/bounds_results.toml")),
    ("bounds_time", include_str!("../cases/bounds_time.toml")),
    ("catalog", include_str!("../cases/catalog.toml")),
    ("compile", include_str!("../cases/compile.toml")),
    ("denied", include_str!("../cases/denied.toml")),
    ("deterministic", include_str!("../cases/deterministic.toml")),
    ("effects", include_str!("../cases/effects.toml")),
    ("envelope", include_str!("../cases/envelope.toml")),
    ("errors", include_str!("../cases/errors.toml")),
    ("json", include_str!("../cases/json.toml")),
    ("layers", include_str!("../cases/layers.toml")),
    ("stopping", include_str!("../cases/stopping.toml")),
    ("surface", include_str!("../cases/surface.toml")),
    ("survival", include_str!("../cases/survival.toml")),
];

#[cfg(test)]
mod tests {
    use codemode_core::Language;

    use super::*;
    use crate::case;
    use crate::perform::profile;
    use crate::suite::Suite;

    #[test]
    fn the_built_in_cases_are_well_formed_and_every_file_is_built_in() {
        assert!(Suite::builtin().case_ids().count() > 0);
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/cases");
        let mut files: Vec<String> = std::fs::read_dir(folder)
            .expect("the folder of the cases")
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
            .filter(|name| name != "promises.toml")
            .collect();
        files.sort();
        let mut listed: Vec<String> = FILES.iter().map(|(name, _)| format!("{name}.toml")).collect();
        listed.sort();
        assert_eq!(files, listed);
    }

    #[test]
    fn every_case_has_a_profile_to_run_in() {
        for (file, text) in FILES {
            for case in case::read(file, text).unwrap_or_else(|error| panic!("{error}")) {
                for form in [Language::Lua, Language::JavaScript].into_iter().filter_map(|language| case.form(language)) {
                    assert!(profile(form).is_some(), "{file}::{}: core has no profile {}", case.id, form.as_str());
                }
            }
        }
    }
}
