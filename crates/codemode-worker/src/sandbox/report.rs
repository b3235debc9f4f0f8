//! What is enforced, and what not.

use codemode_core::text::{cut, one_line};
use serde::{Deserialize, Serialize};

/// Whether one part of a sandbox holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Part {
    /// It does, whatever the process tries.
    Enforced,
    /// Nobody asked for it.
    NotAsked,
    /// It was asked for, and does not hold, or not wholly.
    Missing {
        /// Why: at most 200 bytes.
        why: String,
    },
}

impl Part {
    /// It was asked for, and does not hold. Control characters are shown, and what is longer than 200 bytes is cut.
    #[must_use]
    pub fn missing(why: impl AsRef<str>) -> Self {
        Self::Missing { why: cut(&one_line(why.as_ref()), MOST_WHY).into_owned() }
    }

    #[cfg(target_os = "linux")]
    pub(super) fn of<E: std::fmt::Display>(done: Result<(), E>) -> Self {
        done.map_or_else(|error| Self::missing(error.to_string()), |()| Self::Enforced)
    }
}

/// The most bytes of a reason.
const MOST_WHY: usize = 200;

/// What of a sandbox holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Enforced {
    /// No file is reached outside the folder, and none at all where none was offered.
    pub files: Part,
    /// No socket of any kind is made.
    pub network: Part,
    /// No process is started, and no program is executed.
    pub processes: Part,
    /// No memory becomes executable.
    pub executable_memory: Part,
    /// No signal reaches another process.
    pub signals: Part,
    /// The limits of the options, few open files and no core dump; none of them can be raised.
    pub limits: Part,
    /// Nothing that is executed gains privileges; where the sandbox is on, there are no capabilities to use either, and no process of the
    /// same user can look into this one.
    pub privileges: Part,
    /// What the process inherited is closed.
    pub descriptors: Part,
    /// There is no variable of the host's.
    pub environment: Part,
    /// User and network namespace are the process's own.
    pub namespaces: Part,
    /// The process is killed when the thread that started it ends.
    pub parent_death: Part,
}

impl Enforced {
    /// Nothing holds, for one reason.
    #[must_use]
    pub fn nothing(why: &str) -> Self {
        Self {
            files: Part::missing(why),
            network: Part::missing(why),
            processes: Part::missing(why),
            executable_memory: Part::missing(why),
            signals: Part::missing(why),
            limits: Part::missing(why),
            privileges: Part::missing(why),
            descriptors: Part::missing(why),
            environment: Part::missing(why),
            namespaces: Part::missing(why),
            parent_death: Part::missing(why),
        }
    }

    /// Whether all that was asked for holds.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        !self.parts().iter().any(|(_, part)| matches!(part, Part::Missing { .. }))
    }

    /// One sentence for each part that was asked for and does not hold, each at most 300 bytes; none where all holds.
    #[must_use]
    pub fn missing(&self) -> Vec<String> {
        let sentence = |(what, part): (&str, &Part)| match part {
            Part::Missing { why } => Some(format!("{what}: {why}")),
            Part::Enforced | Part::NotAsked => None,
        };
        self.parts().into_iter().filter_map(sentence).collect()
    }

    /// Each part, with what is so where it is missing.
    fn parts(&self) -> [(&'static str, &Part); 11] {
        [
            ("files are not withheld", &self.files),
            ("the network is not withheld", &self.network),
            ("starting processes is not withheld", &self.processes),
            ("new executable memory is not withheld", &self.executable_memory),
            ("signals to other processes are not withheld", &self.signals),
            ("the limits of the process do not hold", &self.limits),
            ("the privileges of the process are not given up", &self.privileges),
            ("inherited descriptors are not closed", &self.descriptors),
            ("the environment is not empty", &self.environment),
            ("the process has no namespaces of its own", &self.namespaces),
            ("the process does not end with its host", &self.parent_death),
        ]
    }
}
