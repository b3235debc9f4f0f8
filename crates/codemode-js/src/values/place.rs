//! Where in a value something is: a chain of frames on the stack, made to text only where it is told.

use codemode_core::text::{one_line, prefix};

/// How much of a path is shown, in bytes.
const PATH_BYTES: usize = 240;

/// How much of one name of a path is shown, in bytes.
const NAME_BYTES: usize = 64;

/// One step of a path.
#[derive(Debug, Clone, Copy)]
pub(super) enum Step<'p> {
    /// The whole value, by what it is called.
    Root(&'static str),
    /// A property.
    Name(&'p str),
    /// An element of an array, a member of a set.
    Index(u64),
    /// An entry of a map that is written as a list of pairs, by its number.
    Entry(u64),
    /// A property under a symbol, by its description.
    Symbol(&'p str),
    /// What a promise was fulfilled with.
    Settled,
}

/// A place within a value.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place<'p> {
    parent: Option<&'p Place<'p>>,
    step: Step<'p>,
    /// The identity of the object around it.
    within: usize,
    /// How many objects are around it.
    pub(super) depth: usize,
}

impl<'p> Place<'p> {
    /// The place of a whole value.
    pub(super) fn root(name: &'static str) -> Self {
        Self { parent: None, step: Step::Root(name), within: 0, depth: 0 }
    }

    /// The place of what is in the object `within`, which is at this place.
    #[inline]
    pub(super) fn child(&'p self, step: Step<'p>, within: usize) -> Self {
        Self { parent: Some(self), step, within, depth: self.depth + 1 }
    }

    /// The place of the object of this identity, if this place is somewhere in it.
    pub(super) fn around(&self, identity: usize) -> Option<&Place<'p>> {
        let mut place = self;
        while let Some(parent) = place.parent {
            if place.within == identity {
                return Some(parent);
            }
            place = parent;
        }
        None
    }

    /// The place as a program would write it, bounded.
    pub(super) fn path(&self) -> String {
        let mut steps = vec![self.step];
        let mut place = self;
        while let Some(parent) = place.parent {
            steps.push(parent.step);
            place = parent;
        }
        let mut path = String::new();
        for step in steps.iter().rev() {
            if path.len() > PATH_BYTES {
                path.push('…');
                break;
            }
            write_step(&mut path, *step);
        }
        path
    }
}

fn write_step(path: &mut String, step: Step<'_>) {
    match step {
        Step::Root(name) => path.push_str(name),
        Step::Index(index) => path.push_str(&format!("[{index}]")),
        Step::Entry(index) => path.push_str(&format!("[entry {index}]")),
        Step::Settled => {}
        Step::Symbol(description) => path.push_str(&format!("[Symbol({})]", one_line(prefix(description, NAME_BYTES)))),
        Step::Name(name) if name.len() <= NAME_BYTES && codemode_core::is_identifier(name) => {
            path.push('.');
            path.push_str(name);
        }
        Step::Name(name) => {
            let shown = prefix(name, NAME_BYTES);
            let more = if shown.len() < name.len() { "…" } else { "" };
            path.push_str(&format!("[\"{}{more}\"]", one_line(shown)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_reads_as_a_program_would_write_it_and_is_bounded() {
        let root = Place::root("value");
        let list = root.child(Step::Name("list"), 1);
        let third = list.child(Step::Index(3), 2);
        let odd = third.child(Step::Name("a b\n"), 3);
        assert_eq!(odd.path(), "value.list[3][\"a b\\n\"]");
        assert_eq!(odd.around(2).map(Place::path), Some("value.list".to_owned()));
        assert_eq!(odd.around(1).map(Place::path), Some("value".to_owned()));
        assert!(odd.around(9).is_none());
        let long = "x".repeat(1000);
        let mut places = vec![root];
        for _ in 0..3 {
            let place = places.last().copied().unwrap_or(root);
            assert!(place.child(Step::Name(&long), 0).path().len() < PATH_BYTES + 100);
            places.push(Place::root("value"));
        }
    }
}
