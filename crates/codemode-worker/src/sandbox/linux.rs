//! Entering on Linux: each part in the order that the others leave possible, and what is said of it.

use std::path::Path;

use rustix::fs::{Mode, OFlags};

use super::landlock::{self, Landlocked};
use super::{Enforced, Part, SandboxError, SandboxOptions, Without, descriptors, limits, privileges, seccomp, time_zone};

pub(super) fn enter(options: &SandboxOptions, without: Without) -> Result<Enforced, SandboxError> {
    if !options.enabled {
        return Ok(only_what_always_holds());
    }
    time_zone::read();
    let environment = environment();
    // Closing comes before the folder is opened, and before Landlock hides the list of open descriptors.
    let descriptors = descriptors::close_others(&options.keep, without.close_range);
    let folder = options.folder.as_deref().map(open).transpose()?;
    // A process with several threads cannot leave its user namespace; a machine that allows none gives the reason.
    let namespaces = if options.namespaces { Part::of(privileges::own_namespaces()) } else { Part::NotAsked };
    let set_limits = limits::no_core_dump().and_then(|()| limits::set(options));
    let no_gain = privileges::gain_none();
    let threads_before = threads_before();
    let landlocked = landlock::restrict(folder.as_ref(), threads_before, without.landlock_past);
    drop(folder);
    let given_up = privileges::give_up(options.folder.is_some(), threads_before);
    let hidden = privileges::hide();
    // The kernel forgets it when a process's credentials change, so that it comes after them.
    let parent_death = Part::of(privileges::end_with_parent());
    // The last step: it withholds the calls that the others are made of.
    let filtered =
        if without.filter { Err("there is no filter of system calls".to_owned()) } else { seccomp::install(options.folder.is_some()) };

    let seen = Seen { filtered, landlocked };
    let privileges = match &given_up {
        // Nothing that the filter leaves needs a capability, and it holds other threads as well.
        _ if seen.filtered.is_ok() => no_gain.and(hidden),
        _ if threads_before => Err(privileges::OTHERS_KEEP_THEIRS.to_owned()),
        given_up => no_gain.and(hidden).and(given_up.clone()),
    };
    Ok(Enforced {
        files: if options.folder.is_some() { seen.folder_alone() } else { seen.no_files() },
        network: seen.network(),
        processes: seen.by_filter_alone(),
        executable_memory: seen.by_filter_alone(),
        signals: seen.signals(),
        limits: match (set_limits, &given_up) {
            (Err(why), _) => Part::missing(why),
            // Whoever has the capability raises a limit again.
            (Ok(()), Err(why)) if seen.filtered.is_err() => Part::missing(format!("they can be raised: {why}")),
            (Ok(()), _) => Part::Enforced,
        },
        privileges: Part::of(privileges),
        descriptors: Part::of(descriptors),
        environment,
        namespaces,
        parent_death,
    })
}

/// What holds with authority `local` as well: nothing that a program of a person's own needs.
fn only_what_always_holds() -> Enforced {
    Enforced {
        files: Part::NotAsked,
        network: Part::NotAsked,
        processes: Part::NotAsked,
        executable_memory: Part::NotAsked,
        signals: Part::NotAsked,
        limits: Part::of(limits::no_core_dump()),
        privileges: Part::of(privileges::gain_none()),
        descriptors: Part::NotAsked,
        environment: Part::NotAsked,
        namespaces: Part::NotAsked,
        parent_death: Part::of(privileges::end_with_parent()),
    }
}

fn open(folder: &Path) -> Result<std::os::fd::OwnedFd, SandboxError> {
    rustix::fs::open(folder, OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty()).map_err(|error| {
        let shown = folder.display().to_string();
        let shown = codemode_core::text::cut(&codemode_core::text::one_line(&shown), 500).into_owned();
        SandboxError(format!("the run's folder \"{shown}\" cannot be opened: {error}; name a folder that is there"))
    })
}

/// The host is to give none; what it gave all the same lies in this process's memory, and removing it would not change that.
fn environment() -> Part {
    match std::env::vars_os().count() {
        0 => Part::Enforced,
        1 => Part::missing("1 variable was inherited"),
        several => Part::missing(format!("{several} variables were inherited")),
    }
}

/// Whether there are threads besides this one, or nobody can tell.
fn threads_before() -> bool {
    // A folder has a link for itself, one for its name, and one for each folder in it: here the threads.
    !rustix::fs::stat("/proc/self/task").is_ok_and(|stat| stat.st_nlink == 3)
}

/// What the two mechanisms came to.
struct Seen {
    filtered: Result<(), String>,
    landlocked: Result<Landlocked, String>,
}

impl Seen {
    fn by_filter_alone(&self) -> Part {
        Part::of(self.filtered.as_ref().copied())
    }

    fn no_files(&self) -> Part {
        match (&self.filtered, &self.landlocked) {
            (Ok(()), _) => Part::Enforced,
            (Err(why), Ok(landlocked)) if landlocked.every_thread => {
                Part::missing(format!("{why}; Landlock withholds what is in files, and neither their attributes nor changing those"))
            }
            (Err(why), Ok(_)) => Part::missing(why),
            (Err(why), Err(and)) => Part::missing(format!("{why}, and {and}")),
        }
    }

    fn folder_alone(&self) -> Part {
        match (&self.filtered, &self.landlocked) {
            (Ok(()), Ok(landlocked)) if landlocked.every_thread => Part::Enforced,
            (Ok(()), Ok(_)) => Part::missing("there were threads before, and this version of Landlock holds new ones alone"),
            (Ok(()), Err(why)) => Part::missing(why),
            (Err(_), _) => self.no_files(),
        }
    }

    fn network(&self) -> Part {
        match (&self.filtered, &self.landlocked) {
            (Err(why), Ok(Landlocked { version: 4.., every_thread: true })) => {
                Part::missing(format!("{why}; Landlock withholds TCP alone"))
            }
            _ => self.by_filter_alone(),
        }
    }

    fn signals(&self) -> Part {
        match &self.landlocked {
            Ok(Landlocked { version: 6.., every_thread: true }) => Part::Enforced,
            _ => self.by_filter_alone(),
        }
    }
}
