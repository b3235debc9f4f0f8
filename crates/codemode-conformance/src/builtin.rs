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
    ("bounds_js", include_str!("../cases/bounds_js.toml")),
    ("bounds_js_hidden", include_str!("../cases/bounds_js_hidden.toml")),
    ("bounds_js_hostile", include_str!("../cases/bounds_js_hostile.toml")),
    ("bounds_memory", include_str!("../cases/bounds_memory.toml")),
    ("bounds_results", include_str!("../cases/bounds_results.toml")),
    ("bounds_time", include_str!("../cases/bounds_time.toml")),
    ("catalog", include_str!("../cases/catalog.toml")),
    ("cell_local", include_str!("../cases/cell_local.toml")),
    ("compile", include_str!("../cases/compile.toml")),
    ("denied", include_str!("../cases/denied.toml")),
    ("deterministic", include_str!("../cases/deterministic.toml")),
    ("effects", include_str!("../cases/effects.toml")),
    ("envelope", include_str!("../cases/envelope.toml")),
    ("errors", include_str!("../cases/errors.toml")),
    ("js_batch", include_str!("../cases/js_batch.toml")),
    ("js_console", include_str!("../cases/js_console.toml")),
    ("js_errors", include_str!("../cases/js_errors.toml")),
    ("js_forms", include_str!("../cases/js_forms.toml")),
    ("js_library", include_str!("../cases/js_library.toml")),
    ("js_schedule", include_str!("../cases/js_schedule.toml")),
    ("js_state", include_str!("../cases/js_state.toml")),
    ("js_values", include_str!("../cases/js_values.toml")),
    ("json", include_str!("../cases/json.toml")),
    ("layers", include_str!("../cases/layers.toml")),
    ("servers", include_str!("../cases/servers.toml")),
    ("stopping", include_str!("../cases/stopping.toml")),
    ("surface", include_str!("../cases/surface.toml")),
    ("surface_js", include_str!("../cases/surface_js.toml")),
    ("survival", include_str!("../cases/survival.toml")),
];

#[cfg(test)]
mod tests {
    use super::*;
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
}
