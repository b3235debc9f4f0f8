//! Writing a file whole: under another name beside it, then renamed, so that nobody ever reads half of it.

use std::hash::{BuildHasher, RandomState};
use std::io::{self, Write};

use cap_std::fs::{File, Metadata, MetadataExt, OpenOptions, Permissions, PermissionsExt};
use rustix::fs::{Gid, Uid, fchown};

use crate::root::{Place, Root, Target};
use crate::trouble::{Trouble, code};

/// How often a name for the new file is tried.
const NAME_ATTEMPTS: u32 = 8;

/// Puts `bytes` where `target` is. A file that was there keeps its permissions and, where this user may give it, its owner.
///
/// Other hard links to the old file keep the old bytes. The new bytes are handed to the operating system, not forced to disk.
pub(crate) fn replace(root: &Root, place: &Place, target: &Target, bytes: &[u8]) -> Result<(), Trouble> {
    let trouble = |error: io::Error| root.trouble(place, &error);
    if target.existing.is_some() {
        // A rename would replace a file that may not be written, so it is opened for writing first.
        target.folder.open_with(&target.name, OpenOptions::new().write(true)).map_err(trouble)?;
    }
    let fresh = Fresh::beside(target).map_err(trouble)?;
    let written = fresh.write(target, bytes).and_then(|()| unchanged(target)).map_err(trouble)?;
    if !written {
        return Err(Trouble::failed(
            code::CHANGED,
            format!("{} was changed by something else meanwhile and was left as it is; read it again", place.shown()),
        ));
    }
    fresh.rename(target).map_err(trouble)
}

/// Whether the file is still the one that was looked at. What changes between this and the rename is lost.
fn unchanged(target: &Target) -> io::Result<bool> {
    let identity =
        |metadata: &Metadata| (metadata.dev(), metadata.ino(), metadata.len(), metadata.mtime(), metadata.mtime_nsec(), metadata.is_file());
    match (target.folder.symlink_metadata(&target.name), &target.existing) {
        (Ok(now), Some(then)) => Ok(identity(&now) == identity(then)),
        (Ok(_), None) => Ok(false),
        (Err(error), existing) if error.kind() == io::ErrorKind::NotFound => Ok(existing.is_none()),
        (Err(error), _) => Err(error),
    }
}

/// A new file under a name that nobody looks for; removed unless it was renamed.
struct Fresh<'a> {
    target: &'a Target,
    name: String,
    file: File,
}

impl<'a> Fresh<'a> {
    fn beside(target: &'a Target) -> io::Result<Self> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        let mut attempt = 0;
        loop {
            attempt += 1;
            let name = format!(".codemode-{:016x}.tmp", RandomState::new().hash_one(attempt));
            match target.folder.open_with(&name, &options) {
                Ok(file) => return Ok(Self { target, name, file }),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && attempt < NAME_ATTEMPTS => {}
                Err(error) => return Err(error),
            }
        }
    }

    fn write(&self, target: &Target, bytes: &[u8]) -> io::Result<()> {
        (&self.file).write_all(bytes)?;
        let Some(existing) = &target.existing else {
            return Ok(());
        };
        let fresh = self.file.metadata()?;
        if (fresh.uid(), fresh.gid()) != (existing.uid(), existing.gid()) {
            // Only a privileged user may give a file away; for others it becomes their own, as with any editor.
            let _ = fchown(&self.file, Some(Uid::from_raw(existing.uid())), Some(Gid::from_raw(existing.gid())));
        }
        self.file.set_permissions(Permissions::from_mode(existing.mode() & 0o777))
    }

    fn rename(mut self, target: &Target) -> io::Result<()> {
        target.folder.rename(&self.name, &target.folder, &target.name)?;
        self.name.clear();
        Ok(())
    }
}

impl Drop for Fresh<'_> {
    fn drop(&mut self) {
        if !self.name.is_empty() {
            let _ = self.target.folder.remove_file(&self.name);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_something_else_changed_meanwhile_is_left_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = Root::open(folder.path()).expect("a root");
        let path = folder.path().join("f");
        let place = root.place("f").expect("a place");
        let changed = "f was changed by something else meanwhile and was left as it is; read it again";
        let expected = Err(Trouble::failed(code::CHANGED, changed));

        let target = root.target(&place, false).expect("a target");
        std::fs::write(&path, "made meanwhile").expect("a file");
        assert_eq!(replace(&root, &place, &target, b"ours"), expected);

        let target = root.target(&place, false).expect("a target");
        std::fs::write(&path, "longer than before").expect("a file");
        assert_eq!(replace(&root, &place, &target, b"ours"), expected);

        assert_eq!(std::fs::read_to_string(&path).expect("the file"), "longer than before");
        let target = root.target(&place, false).expect("a target");
        assert_eq!(replace(&root, &place, &target, b"ours"), Ok(()));
        assert_eq!(std::fs::read_to_string(&path).expect("the file"), "ours");
        assert_eq!(std::fs::read_dir(folder.path()).expect("the folder").count(), 1);
    }
}
