//! Rule: every promise of the contract has a case, and every case names only promises that there are.

use std::collections::BTreeMap;

use toml::{Table, Value};

use super::Finding;
use super::tree::File;

/// Where the conformance cases are.
const CASES: &str = "crates/codemode-conformance/cases/";

/// The list of promises among them.
const LIST: &str = "promises.toml";

pub(super) fn check(files: &[File]) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut cases = Vec::new();
    let mut list = None;
    for file in files.iter().filter(|file| file.path.starts_with(CASES) && file.path.ends_with(".toml")) {
        let table = match file.text.parse::<Table>() {
            Ok(table) => table,
            Err(error) => {
                findings.push(Finding::new(&file.path, 0, format!("no valid TOML: {}", error.message())));
                continue;
            }
        };
        if file.path[CASES.len()..] == *LIST {
            list = Some((file, table));
        } else {
            cases.push((file, table));
        }
    }
    let Some((list, promises)) = list else {
        // Before the first case there is nothing to promise.
        if !cases.is_empty() {
            findings.push(Finding::new(&format!("{CASES}{LIST}"), 0, "the cases have no list of promises"));
        }
        return findings;
    };
    let mut known: BTreeMap<&str, usize> = BTreeMap::new();
    for promise in tables(&promises, "promise") {
        match promise.get("id").and_then(Value::as_str) {
            Some(id) if known.contains_key(id) => {
                findings.push(Finding::new(&list.path, line_of(list, id), format!("the promise `{id}` is listed twice")))
            }
            Some(id) => drop(known.insert(id, 0)),
            None => findings.push(Finding::new(&list.path, 0, "a promise has no id")),
        }
    }
    for (file, table) in &cases {
        for case in tables(table, "case") {
            for id in case.get("promises").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str) {
                match known.get_mut(id) {
                    Some(count) => *count += 1,
                    None => findings.push(Finding::new(&file.path, line_of(file, id), format!("there is no promise `{id}` in {LIST}"))),
                }
            }
        }
    }
    for (id, _) in known.iter().filter(|(_, count)| **count == 0) {
        findings.push(Finding::new(&list.path, line_of(list, id), format!("no case names the promise `{id}`")));
    }
    findings
}

/// The tables of an array of tables; none where it is absent or something else.
fn tables<'a>(table: &'a Table, key: &str) -> impl Iterator<Item = &'a Table> {
    table.get(key).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_table)
}

fn line_of(file: &File, id: &str) -> usize {
    file.line_of(&format!("\"{id}\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROMISES: &str = "[[promise]]\nid = \"stops\"\ntext = \"It stops.\"\n\n[[promise]]\nid = \"counts\"\ntext = \"It counts.\"\n";

    fn shown(files: &[(&str, &str)]) -> Vec<String> {
        let files: Vec<File> = files.iter().map(|(name, text)| File { path: format!("{CASES}{name}"), text: (*text).to_owned() }).collect();
        check(&files).iter().map(|finding| finding.to_string().replace(CASES, "")).collect()
    }

    #[test]
    fn promises_that_all_have_cases_are_no_finding() {
        let cases = "[[case]]\nname = \"a\"\npromises = [\"stops\", \"counts\"]\n";
        assert_eq!(shown(&[(LIST, PROMISES), ("lua/bounds.toml", cases)]), Vec::<String>::new());
        assert_eq!(shown(&[]), Vec::<String>::new());
    }

    #[test]
    fn a_promise_without_a_case_and_a_case_without_its_promise_are_found() {
        let cases = "[[case]]\nname = \"a\"\npromises = [\"stops\"]\n\n[[case]]\npromises = [\"stopps\"]\n\n[[case]]\nname = \"free\"\n";
        assert_eq!(
            shown(&[(LIST, PROMISES), ("bounds.toml", cases)]),
            ["bounds.toml:6: there is no promise `stopps` in promises.toml", "promises.toml:6: no case names the promise `counts`"]
        );
    }

    #[test]
    fn a_list_that_is_wrong_or_missing_is_found() {
        let twice = "[[promise]]\nid = \"a\"\n[[promise]]\nid = \"a\"\n[[promise]]\ntext = \"No id.\"\n";
        let case = "[[case]]\npromises = [\"a\"]\n";
        assert_eq!(
            shown(&[(LIST, twice), ("c.toml", case)]),
            ["promises.toml:2: the promise `a` is listed twice", "promises.toml: a promise has no id"]
        );
        assert_eq!(shown(&[("c.toml", case)]), ["promises.toml: the cases have no list of promises"]);
        assert_eq!(shown(&[("c.toml", "[[case")]).len(), 1);
    }
}
