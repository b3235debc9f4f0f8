//! Shapes of results that were seen, kept from one start of the command to the next.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use codemode_catalog::ObservedShapes;

/// The file within the cache folder.
const FILE: &str = "shapes.json";
/// The most bytes that are read of it.
const MOST_BYTES: u64 = 16 << 20;

/// Shapes, and the file that they are kept in. What cannot be read or written is learned again.
#[derive(Debug)]
pub(super) struct KeptShapes {
    shapes: Arc<ObservedShapes>,
    file: PathBuf,
    /// How many changes the file has.
    kept: AtomicU64,
}

impl KeptShapes {
    /// Those that are kept in this folder.
    pub(super) fn load(folder: &Path) -> Self {
        let file = folder.join(FILE);
        let shapes = Arc::new(read(&file).unwrap_or_default());
        let kept = AtomicU64::new(shapes.changes());
        Self { shapes, file, kept }
    }

    /// The shapes, which more are learned into.
    pub(super) fn shapes(&self) -> Arc<ObservedShapes> {
        Arc::clone(&self.shapes)
    }

    /// Writes them where something was learned since.
    pub(super) fn keep(&self) {
        let changes = self.shapes.changes();
        if self.kept.swap(changes, Ordering::SeqCst) != changes && replace(&self.file, &self.shapes.to_json().to_string()).is_err() {
            // A later try writes all of it.
            self.kept.store(u64::MAX, Ordering::SeqCst);
        }
    }
}

fn read(file: &Path) -> Option<ObservedShapes> {
    if fs::metadata(file).ok()?.len() > MOST_BYTES {
        return None;
    }
    let kept = serde_json::from_slice(&fs::read(file).ok()?).ok()?;
    Some(ObservedShapes::from_json(&kept))
}

/// Replaces the file in one step, readable by its owner alone.
fn replace(file: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    let beside = file.with_extension(format!("json.{}.new", std::process::id()));
    let mut options = fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let written = options.open(&beside).and_then(|mut new| new.write_all(text.as_bytes())).and_then(|()| fs::rename(&beside, file));
    if written.is_err() {
        // What was half written is of no use.
        let _ = fs::remove_file(&beside);
    }
    written
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn shapes_are_there_at_the_next_start_and_a_broken_file_is_none() {
        let folder = tempfile::tempdir().expect("a folder");
        let cache = folder.path().join("cache");
        let first = KeptShapes::load(&cache);
        first.keep();
        assert!(!cache.exists(), "nothing was learned");
        first.shapes().learn("staff", "1", "people", &json!({"people": [1]}));
        first.keep();
        let second = KeptShapes::load(&cache);
        assert_eq!(second.shapes().to_json(), first.shapes().to_json());
        assert_ne!(second.shapes().to_json(), ObservedShapes::new().to_json());
        fs::write(cache.join(FILE), "{").expect("written");
        assert_eq!(KeptShapes::load(&cache).shapes().to_json(), ObservedShapes::new().to_json());
    }
}
