//! The names nearest to one that was not found.

/// The most names that a message offers.
const MOST: usize = 3;
/// Below this likeness a name is noise (Jaro-Winkler, 0 to 1).
const LIKENESS: f64 = 0.78;

/// At most three of `names` that are most like `name`, best first; none where nothing is near.
///
/// Likeness is Jaro-Winkler over lower case with `-`, `_`, `.` and spaces left out, so that `readFile` finds `read_file`;
/// a name that contains the other counts as near.
#[must_use]
pub fn nearest<'a>(name: &str, names: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let wanted = folded(name);
    if wanted.is_empty() {
        return Vec::new();
    }
    let mut scored: Vec<(f64, &str)> = names
        .into_iter()
        .filter_map(|candidate| {
            let other = folded(candidate);
            let mut likeness = strsim::jaro_winkler(&wanted, &other);
            if wanted.len() >= 3 && (other.contains(&wanted) || (other.len() >= 3 && wanted.contains(&other))) {
                likeness = likeness.max(0.9);
            }
            (likeness >= LIKENESS).then_some((likeness, candidate))
        })
        .collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(b.1)));
    scored.truncate(MOST);
    scored.into_iter().map(|(_, candidate)| candidate.to_owned()).collect()
}

/// Both are compared as a hasty writer would type them; very long names are cut, since likeness is quadratic.
fn folded(name: &str) -> String {
    name.chars().filter(|character| !matches!(character, '-' | '_' | '.' | ' ')).take(80).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_offered_best_first_and_far_ones_never() {
        let names = ["read_file", "read_files", "write_file", "execute"];
        assert_eq!(nearest("readFile", names), ["read_file", "read_files"]);
        assert_eq!(nearest("exec", names), ["execute"]);
        assert_eq!(nearest("zzz", names), Vec::<String>::new());
        assert_eq!(nearest("", names), Vec::<String>::new());
    }
}
