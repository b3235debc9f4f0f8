//! Which files a call asks for: globs to match, and globs to leave out.

use codemode_core::text::cut;
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

use crate::trouble::Trouble;

/// The most globs that one call may give.
const MAX_GLOBS: usize = 200;
/// The most bytes of one glob.
const MAX_GLOB_BYTES: usize = 1000;

/// Globs over paths relative to the folder in which a walk starts.
///
/// A glob without a slash is matched against names at any depth; with one, against the whole path.
/// `*` and `?` stop at slashes, `**` does not. A leading `!` leaves out what the rest matches, folders with all beneath them.
#[derive(Debug, Clone)]
pub(crate) struct Globs {
    wanted: Option<GlobSet>,
    unwanted: GlobSet,
}

impl Globs {
    pub(crate) fn new(patterns: &[String]) -> Result<Self, Trouble> {
        if patterns.len() > MAX_GLOBS {
            return Err(Trouble::invalid(format!("{} globs were given; at most {MAX_GLOBS} are allowed", patterns.len())));
        }
        let (mut wanted, mut unwanted) = (GlobSetBuilder::new(), GlobSetBuilder::new());
        let mut any_wanted = false;
        for pattern in patterns {
            let (pattern, into) = match pattern.strip_prefix('!') {
                Some(rest) => (rest, &mut unwanted),
                None => {
                    any_wanted = true;
                    (pattern.as_str(), &mut wanted)
                }
            };
            let refused = |why: &str| Trouble::invalid(format!("the glob {:?} cannot be used: {}", cut(pattern, 100), cut(why, 200)));
            if pattern.is_empty() || pattern.len() > MAX_GLOB_BYTES {
                return Err(refused(&format!("1 to {MAX_GLOB_BYTES} bytes are allowed")));
            }
            if pattern.split('/').any(|part| part == "..") {
                return Err(refused("it leads upwards; globs are relative to the folder that path names"));
            }
            let glob = GlobBuilder::new(&completed(pattern)).literal_separator(true).build();
            into.add(glob.map_err(|error| refused(&error.kind().to_string()))?);
        }
        let built = |builder: GlobSetBuilder| builder.build().map_err(|error| Trouble::invalid(cut(&error.to_string(), 300).into_owned()));
        Ok(Self { wanted: if any_wanted { Some(built(wanted)?) } else { None }, unwanted: built(unwanted)? })
    }

    /// Whether a file is asked for.
    pub(crate) fn want_file(&self, path: &str) -> bool {
        self.wanted.as_ref().is_none_or(|wanted| wanted.is_match(path)) && !self.unwanted.is_match(path)
    }

    /// Whether a walk may go into a folder.
    pub(crate) fn enter_folder(&self, path: &str) -> bool {
        !self.unwanted.is_match(path)
    }
}

/// The glob as it is matched against whole paths.
fn completed(pattern: &str) -> String {
    let anchored = pattern.strip_prefix("./").or_else(|| pattern.strip_prefix('/'));
    let body = anchored.unwrap_or(pattern);
    let mut whole = String::with_capacity(body.len() + 6);
    if anchored.is_none() && !body.trim_end_matches('/').contains('/') {
        whole.push_str("**/");
    }
    whole.push_str(body);
    if body.ends_with('/') {
        whole.push_str("**");
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(patterns: &[&str]) -> Vec<&'static str> {
        let patterns: Vec<String> = patterns.iter().map(|&pattern| pattern.to_owned()).collect();
        let globs = Globs::new(&patterns).expect("globs that can be used");
        let all = ["a.rs", "b.md", "src/a.rs", "src/deep/c.rs", "src/deep/d.txt", "target/a.rs"];
        all.into_iter().filter(|path| globs.want_file(path)).collect()
    }

    #[test]
    fn names_match_at_any_depth_and_paths_from_the_start() {
        assert_eq!(kept(&[]), ["a.rs", "b.md", "src/a.rs", "src/deep/c.rs", "src/deep/d.txt", "target/a.rs"]);
        assert_eq!(kept(&["*.rs"]), ["a.rs", "src/a.rs", "src/deep/c.rs", "target/a.rs"]);
        assert_eq!(kept(&["/*.rs"]), ["a.rs"]);
        assert_eq!(kept(&["src/*.rs"]), ["src/a.rs"]);
        assert_eq!(kept(&["src/**/*.rs"]), ["src/a.rs", "src/deep/c.rs"]);
        assert_eq!(kept(&["deep/"]), ["src/deep/c.rs", "src/deep/d.txt"]);
        assert_eq!(kept(&["*.{md,txt}"]), ["b.md", "src/deep/d.txt"]);
        assert_eq!(kept(&["*.rs", "!target/**", "!deep/"]), ["a.rs", "src/a.rs"]);
        assert_eq!(kept(&["!*.rs"]), ["b.md", "src/deep/d.txt"]);
    }

    #[test]
    fn unusable_globs_are_named() {
        let message = |pattern: &str| Globs::new(&[pattern.to_owned()]).expect_err("unusable").fault().message.clone();
        assert_eq!(message("a{b"), "the glob \"a{b\" cannot be used: unclosed alternate group; missing '}' (maybe escape '{' with '[{]'?)");
        assert_eq!(message("../*"), "the glob \"../*\" cannot be used: it leads upwards; globs are relative to the folder that path names");
        assert_eq!(message("!"), "the glob \"\" cannot be used: 1 to 1000 bytes are allowed");
    }
}
