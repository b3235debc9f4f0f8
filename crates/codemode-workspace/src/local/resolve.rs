//! What a package's own `exports` and `imports` say of a name: the part of module resolution that looks at no file.
//!
//! The rules are those of Node: the first condition that is known and gives something wins; an exact name comes before a pattern, a
//! pattern with a longer beginning before others; an empty target hides what it stands for.

use serde_json::{Map, Value};

/// The conditions that hold, besides `default`.
pub(super) const IMPORT: &[&str] = &["node", "import", "module-sync"];
/// The same for `require`.
pub(super) const REQUIRE: &[&str] = &["node", "require"];

/// What a map says of a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Target {
    /// A path of the package's, which begins with `./`, or another specifier where the map is `imports`.
    Path(String),
    /// It is not given out.
    Hidden,
    /// What is written there is no target.
    Invalid(String),
}

/// What `exports` says of a subpath, `.` or one that begins with `./`.
pub(super) fn exported(exports: &Value, subpath: &str, conditions: &[&str]) -> Target {
    match exports {
        Value::Object(map) if map.keys().any(|key| key.starts_with('.')) => matched(map, subpath, conditions, false),
        // One target alone, or conditions alone, are those of the package itself.
        target if subpath == "." => target_of(target, None, conditions, false).unwrap_or(Target::Hidden),
        _ => Target::Hidden,
    }
}

/// What `imports` says of a name that begins with `#`.
pub(super) fn imported(imports: &Value, name: &str, conditions: &[&str]) -> Target {
    imports.as_object().map_or(Target::Hidden, |map| matched(map, name, conditions, true))
}

fn matched(map: &Map<String, Value>, name: &str, conditions: &[&str], foreign: bool) -> Target {
    if let Some(target) = map.get(name)
        && !name.contains('*')
    {
        return target_of(target, None, conditions, foreign).unwrap_or(Target::Hidden);
    }
    let fits = |key: &str| {
        let (before, after) = key.split_once('*')?;
        let long_enough = name.len() >= key.len() && !after.contains('*');
        let middle = name.strip_prefix(before)?.strip_suffix(after).filter(|middle| long_enough && !middle.is_empty())?;
        Some((before.len(), key.len(), middle.to_owned()))
    };
    let best = map.iter().filter_map(|(key, target)| Some((fits(key)?, target))).max_by_key(|((before, whole, _), _)| (*before, *whole));
    match best {
        Some(((.., middle), target)) => target_of(target, Some(&middle), conditions, foreign).unwrap_or(Target::Hidden),
        None => Target::Hidden,
    }
}

/// A target, with what the star stands for; nothing where no condition holds.
fn target_of(target: &Value, star: Option<&str>, conditions: &[&str], foreign: bool) -> Option<Target> {
    match target {
        Value::String(path) => Some(path_of(path, star, foreign)),
        Value::Object(map) => map
            .iter()
            .filter(|(condition, _)| *condition == "default" || conditions.contains(&condition.as_str()))
            .find_map(|(_, target)| target_of(target, star, conditions, foreign)),
        Value::Array(targets) => {
            // The first that is one at all; what is wrong with the last where none is.
            let mut last = Some(Target::Hidden);
            for target in targets {
                match target_of(target, star, conditions, foreign) {
                    Some(found @ Target::Path(_)) => return Some(found),
                    Some(other) => last = Some(other),
                    None => {}
                }
            }
            last
        }
        Value::Null => Some(Target::Hidden),
        other => Some(Target::Invalid(other.to_string())),
    }
}

fn path_of(path: &str, star: Option<&str>, foreign: bool) -> Target {
    let whole = star.map_or_else(|| path.to_owned(), |star| path.replace('*', star));
    let is_own = path.starts_with("./");
    if !is_own && (!foreign || path.starts_with("../") || path.starts_with('/')) {
        return Target::Invalid(whole);
    }
    let leaves = |part: &str| matches!(part, "." | ".." | "node_modules" | "");
    if is_own && whole["./".len()..].split(['/', '\\']).any(leaves) { Target::Invalid(whole) } else { Target::Path(whole) }
}

/// The package's name and the subpath of a bare specifier: `a/b` is `a` and `./b`, `@s/a` is `@s/a` and `.`.
pub(super) fn package(specifier: &str) -> Option<(&str, String)> {
    let scoped = specifier.starts_with('@');
    let end = specifier.match_indices('/').nth(usize::from(scoped)).map_or(specifier.len(), |(at, _)| at);
    let name = &specifier[..end];
    let wrong = name.is_empty() || name.starts_with('.') || name.contains(['\\', '%']) || (scoped && !name.contains('/'));
    (!wrong).then(|| (name, format!(".{}", &specifier[end..])))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn path(path: &str) -> Target {
        Target::Path(path.to_owned())
    }

    #[test]
    fn exports_are_one_target_conditions_or_subpaths() {
        let both = json!({"import": "./m.mjs", "require": "./c.cjs", "default": "./d.js"});
        for (exports, subpath, conditions, target) in [
            (json!("./index.js"), ".", IMPORT, path("./index.js")),
            (json!("./index.js"), "./x", IMPORT, Target::Hidden),
            (both.clone(), ".", IMPORT, path("./m.mjs")),
            (both.clone(), ".", REQUIRE, path("./c.cjs")),
            (json!({"browser": "./b.js", "node": "./n.js", "import": "./m.js"}), ".", IMPORT, path("./n.js")),
            (json!({"types": "./t.d.ts", "default": "./d.js"}), ".", REQUIRE, path("./d.js")),
            (json!({"browser": "./b.js"}), ".", IMPORT, Target::Hidden),
            (json!({"import": {"browser": "./b.js"}, "default": "./d.js"}), ".", IMPORT, path("./d.js")),
            (json!({".": both, "./x": "./lib/x.js"}), "./x", REQUIRE, path("./lib/x.js")),
            (json!({".": "./i.js", "./package.json": "./package.json"}), "./package.json", IMPORT, path("./package.json")),
            (json!({".": "./i.js"}), "./lib/y.js", IMPORT, Target::Hidden),
            (json!([{"browser": "./b.js"}, "./a.js"]), ".", IMPORT, path("./a.js")),
            (json!(["no", "./a.js"]), ".", IMPORT, path("./a.js")),
        ] {
            assert_eq!(exported(&exports, subpath, conditions), target, "{exports} {subpath}");
        }
    }

    #[test]
    fn patterns_match_the_longest_beginning_and_exact_names_come_first() {
        let exports = json!({
            "./f/*": "./lib/*.js", "./f/deep/*": "./deep/*/*.js", "./f/one": "./one.js", "./f/private/*": null, "./g/*.js": "./g/*.mjs",
        });
        for (subpath, target) in [
            ("./f/a", path("./lib/a.js")),
            ("./f/a/b", path("./lib/a/b.js")),
            ("./f/deep/x", path("./deep/x/x.js")),
            ("./f/one", path("./one.js")),
            ("./f/private/x", Target::Hidden),
            ("./g/x.js", path("./g/x.mjs")),
            ("./g/.js", Target::Hidden),
            ("./h", Target::Hidden),
            ("./f/../../etc", Target::Invalid("./lib/../../etc.js".to_owned())),
        ] {
            assert_eq!(exported(&exports, subpath, IMPORT), target, "{subpath}");
        }
    }

    #[test]
    fn targets_stay_in_the_package() {
        for (target, wrong) in [
            ("../x.js", "../x.js"),
            ("/etc/x", "/etc/x"),
            ("x", "x"),
            ("./a/../../x", "./a/../../x"),
            ("./node_modules/x", "./node_modules/x"),
        ] {
            assert_eq!(exported(&json!(target), ".", IMPORT), Target::Invalid(wrong.to_owned()));
        }
        assert_eq!(exported(&json!(7), ".", IMPORT), Target::Invalid("7".to_owned()));
    }

    #[test]
    fn imports_may_name_other_packages() {
        let imports = json!({"#dep": {"node": "dep-node", "default": "./poly.js"}, "#in/*": "./src/*.js", "#out": "../x"});
        assert_eq!(imported(&imports, "#dep", IMPORT), path("dep-node"));
        assert_eq!(imported(&imports, "#in/a", REQUIRE), path("./src/a.js"));
        assert_eq!(imported(&imports, "#out", REQUIRE), Target::Invalid("../x".to_owned()));
        assert_eq!(imported(&imports, "#no", REQUIRE), Target::Hidden);
    }

    #[test]
    fn bare_names_have_a_package_and_a_subpath() {
        for (specifier, parts) in [
            ("a", Some(("a", "."))),
            ("a/b/c.js", Some(("a", "./b/c.js"))),
            ("@s/a", Some(("@s/a", "."))),
            ("@s/a/b", Some(("@s/a", "./b"))),
            ("@s", None),
            ("", None),
            (".a", None),
        ] {
            assert_eq!(package(specifier), parts.map(|(name, subpath)| (name, subpath.to_owned())), "{specifier}");
        }
    }
}
