//! The root: every path that a program names becomes a place beneath it, or is refused.
//!
//! Access goes through a [`Dir`] handle, whose look-ups the kernel (or cap-std's own walk) keeps beneath the folder, whatever is
//! renamed or linked meanwhile. What this module computes about paths makes answers readable; it guards nothing.

use std::ffi::OsString;
use std::io;
use std::path::{Component, Path, PathBuf};

use cap_std::ambient_authority;
use cap_std::fs::{Dir, File, Metadata, OpenOptions, OpenOptionsExt};
use codemode_core::nearest;
use codemode_core::text::{cut, one_line};
use rustix::fs::OFlags;

use crate::trouble::{Trouble, code};

/// Linux's own limit on a path.
const MAX_PATH_BYTES: usize = 4096;
/// The most bytes of a path that a message shows.
const SHOWN_PATH_BYTES: usize = 240;
/// The most names of a folder that are looked at for a nearest one.
const MAX_NEAREST_NAMES: usize = 4096;

/// The folder that the tools are confined to.
#[derive(Debug)]
pub(crate) struct Root {
    dir: Dir,
    /// Absolute, without symbolic links.
    path: PathBuf,
    /// Absolute, as the host named it.
    given: PathBuf,
}

/// A path as a program gave it, made relative to the root and not yet looked up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Place {
    /// Never absolute and never empty; `..` may still be in it, for the kernel to judge.
    pub(crate) path: PathBuf,
    /// Whether it was written with a slash at its end.
    pub(crate) names_folder: bool,
}

impl Place {
    /// The path as messages show it: one line, bounded.
    pub(crate) fn shown(&self) -> String {
        shown(&self.path.to_string_lossy())
    }
}

/// Where a file is or will be: its folder, open, and its name there.
#[derive(Debug)]
pub(crate) struct Target {
    pub(crate) folder: Dir,
    pub(crate) name: OsString,
    /// Relative to the root, symbolic links resolved.
    pub(crate) path: PathBuf,
    pub(crate) existing: Option<Metadata>,
}

impl Root {
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let given = std::path::absolute(path)?;
        let canonical = given.canonicalize()?;
        let dir = Dir::open_ambient_dir(&canonical, ambient_authority())?;
        Ok(Self { dir, path: canonical, given })
    }

    /// Absolute, without symbolic links.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn dir(&self) -> &Dir {
        &self.dir
    }

    /// Makes a path relative to the root. An absolute one must begin with the root's own path.
    pub(crate) fn place(&self, text: &str) -> Result<Place, Trouble> {
        if text.is_empty() {
            return Err(Trouble::invalid("the path is empty; give a path beneath the workspace root, or \".\" for the root itself"));
        }
        if text.len() > MAX_PATH_BYTES || text.contains('\0') {
            return Err(Trouble::invalid(format!(
                "the path {} is no path: at most {MAX_PATH_BYTES} bytes and no NUL byte are allowed",
                shown(text)
            )));
        }
        let path = Path::new(text);
        let relative = if path.is_absolute() {
            let inside = path.strip_prefix(&self.path).or_else(|_| path.strip_prefix(&self.given));
            inside.map_err(|_| escape(&shown(text)))?
        } else {
            path
        };
        let mut plain: PathBuf = relative.components().filter(|part| !matches!(part, Component::CurDir)).collect();
        if plain.as_os_str().is_empty() {
            plain.push(".");
        }
        Ok(Place { path: plain, names_folder: text.ends_with('/') || text.ends_with("/.") })
    }

    /// Opens a regular file for reading; never waits for the other end of a pipe.
    pub(crate) fn open_file(&self, place: &Place) -> Result<(File, Metadata), Trouble> {
        let mut options = OpenOptions::new();
        options.read(true).custom_flags(flags(OFlags::NONBLOCK | OFlags::NOCTTY));
        let file = self.follow(place, |path| self.dir.open_with(path, &options))?;
        let metadata = file.metadata().map_err(|error| self.trouble(place, &error))?;
        if place.names_folder || !metadata.is_file() {
            return Err(not_a_file(place, &metadata));
        }
        Ok((file, metadata))
    }

    /// Opens a folder.
    pub(crate) fn open_folder(&self, place: &Place) -> Result<Dir, Trouble> {
        self.follow(place, |path| self.dir.open_dir(path))
    }

    /// The place's own path beneath the root, symbolic links and `..` resolved; `.` for the root.
    pub(crate) fn real(&self, place: &Place) -> Result<PathBuf, Trouble> {
        self.follow(place, |path| self.dir.canonicalize(path))
    }

    pub(crate) fn metadata(&self, place: &Place) -> Result<Metadata, Trouble> {
        self.follow(place, |path| self.dir.metadata(path))
    }

    /// Finds where a file is to be written: through symbolic links that stay beneath the root, and never to a folder or a device.
    pub(crate) fn target(&self, place: &Place, make_folders: bool) -> Result<Target, Trouble> {
        if place.names_folder {
            return Err(Trouble::failed(code::NOT_A_FILE, format!("{} names a folder; give the path of a file", place.shown())));
        }
        let path = match self.follow_raw(place, |path| self.dir.canonicalize(path)) {
            Ok(real) => real,
            Err(error) if error.kind() == io::ErrorKind::NotFound => self.path_of_new_file(place, make_folders)?,
            Err(error) => return Err(self.trouble(place, &error)),
        };
        let (Some(name), Some(parent)) = (path.file_name(), path.parent()) else {
            return Err(Trouble::failed(code::NOT_A_FILE, format!("{} is a folder; give the path of a file", place.shown())));
        };
        let parent = Place { path: if parent.as_os_str().is_empty() { PathBuf::from(".") } else { parent.to_owned() }, names_folder: true };
        if make_folders && self.metadata(&parent).is_err() {
            self.dir.create_dir_all(&parent.path).map_err(|error| self.trouble(&parent, &error))?;
        }
        let folder = self.open_folder(&parent)?;
        let existing = match folder.symlink_metadata(name) {
            Ok(metadata) if metadata.is_file() => Some(metadata),
            Ok(metadata) => return Err(not_a_file(place, &metadata)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(self.trouble(place, &error)),
        };
        Ok(Target { name: name.to_owned(), folder, path, existing })
    }

    /// A file that is not there goes where its folder really is; a link to nothing is not followed.
    fn path_of_new_file(&self, place: &Place, make_folders: bool) -> Result<PathBuf, Trouble> {
        if self.dir.symlink_metadata(&place.path).is_ok_and(|metadata| metadata.is_symlink()) {
            return Err(Trouble::failed(
                code::NOT_FOUND,
                format!("{} is a symbolic link to nothing; give the path of the file that it should lead to", place.shown()),
            ));
        }
        let (Some(name), Some(parent)) = (place.path.file_name(), place.path.parent()) else {
            return Err(Trouble::failed(code::NOT_A_FILE, format!("{} names a folder; give the path of a file", place.shown())));
        };
        if parent.as_os_str().is_empty() {
            return Ok(PathBuf::from(name));
        }
        let parent = Place { path: parent.to_owned(), names_folder: true };
        match self.follow_raw(&parent, |path| self.dir.canonicalize(path)) {
            Ok(real) => Ok(real.join(name).components().filter(|part| !matches!(part, Component::CurDir)).collect()),
            Err(error) if error.kind() == io::ErrorKind::NotFound && make_folders => Ok(place.path.clone()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Err(Trouble::failed(
                code::NOT_FOUND,
                format!("the folder {} does not exist; set create_folders to true to make it", parent.shown()),
            )),
            Err(error) => Err(self.trouble(&parent, &error)),
        }
    }

    fn follow<T>(&self, place: &Place, open: impl Fn(&Path) -> io::Result<T>) -> Result<T, Trouble> {
        self.follow_raw(place, open).map_err(|error| self.trouble(place, &error))
    }

    /// Absolute symbolic links count as escapes for the handle, even those that lead back beneath the root.
    /// Such a path is resolved by name and tried once more through the handle, which has the last word.
    fn follow_raw<T>(&self, place: &Place, open: impl Fn(&Path) -> io::Result<T>) -> io::Result<T> {
        match open(&place.path) {
            Err(error) if is_escape(&error) => {
                let resolved = resolved_by_name(&self.path.join(&place.path));
                match resolved.as_ref().and_then(|resolved| resolved.strip_prefix(&self.path).ok()) {
                    Some(inside) if inside.as_os_str().is_empty() => open(Path::new(".")),
                    Some(inside) => open(inside),
                    None => Err(error),
                }
            }
            other => other,
        }
    }

    /// What the operating system's refusal means to a program.
    pub(crate) fn trouble(&self, place: &Place, error: &io::Error) -> Trouble {
        let path = place.shown();
        if is_escape(error) {
            return escape(&path);
        }
        match error.kind() {
            io::ErrorKind::NotFound => match self.nearest(place) {
                Some(near) => Trouble::failed(code::NOT_FOUND, format!("{path} does not exist; the nearest name is {near}")),
                None => Trouble::failed(code::NOT_FOUND, format!("{path} does not exist")),
            },
            io::ErrorKind::PermissionDenied => {
                Trouble::failed(code::PERMISSION, format!("the operating system does not let this user at {path}"))
            }
            io::ErrorKind::NotADirectory => {
                Trouble::failed(code::NOT_A_FOLDER, format!("{path}: it, or a part of the path to it, is not a folder"))
            }
            io::ErrorKind::IsADirectory => Trouble::failed(code::NOT_A_FILE, format!("{path} is a folder; list_files shows what is in it")),
            // A pipe without a reader, or a device without a driver.
            _ if error.raw_os_error() == Some(rustix::io::Errno::NXIO.raw_os_error()) => {
                Trouble::failed(code::NOT_A_FILE, format!("{path} is not a regular file"))
            }
            _ => Trouble::failed(codemode_core::code::FAILED, format!("{path}: {}", cut(&error.to_string(), 200))),
        }
    }

    /// The existing name most like the one that is missing, in the nearest folder that exists.
    fn nearest(&self, place: &Place) -> Option<String> {
        let mut missing = place.path.as_path();
        loop {
            let parent = missing.parent()?;
            let folder = if parent.as_os_str().is_empty() { Path::new(".") } else { parent };
            let Ok(entries) = self.dir.read_dir(folder) else {
                missing = parent;
                continue;
            };
            let name = missing.file_name()?.to_str()?;
            let names: Vec<String> =
                entries.take(MAX_NEAREST_NAMES).filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect();
            let best = nearest(name, names.iter().map(String::as_str)).into_iter().next()?;
            return Some(shown(&parent.join(best).to_string_lossy()));
        }
    }
}

/// A path as messages show it: one line, bounded.
pub(crate) fn shown(path: &str) -> String {
    cut(&one_line(path), SHOWN_PATH_BYTES).into_owned()
}

/// The path without symbolic links; its last part need not exist.
fn resolved_by_name(path: &Path) -> Option<PathBuf> {
    path.canonicalize().ok().or_else(|| Some(path.parent()?.canonicalize().ok()?.join(path.file_name()?)))
}

/// `OpenOptions` takes the flags as a C `int`.
fn flags(flags: OFlags) -> i32 {
    flags.bits().cast_signed()
}

/// cap-std makes up its error for a path that leads out; the operating system's own refusals carry a number.
fn is_escape(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::PermissionDenied && error.raw_os_error().is_none()
}

fn escape(path: &str) -> Trouble {
    Trouble::denied(format!("{path} leads out of the workspace root; only paths beneath it are allowed"))
}

fn not_a_file(place: &Place, metadata: &Metadata) -> Trouble {
    let path = place.shown();
    let message = if metadata.is_dir() {
        format!("{path} is a folder; list_files shows what is in it")
    } else if metadata.is_file() {
        format!("{path} is a file, and the path ends as that of a folder")
    } else {
        format!("{path} is not a regular file")
    };
    Trouble::failed(code::NOT_A_FILE, message)
}
