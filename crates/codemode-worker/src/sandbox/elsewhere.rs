//! Systems that have nothing of it: said part by part.

use super::{Enforced, Part, SandboxError, SandboxOptions, Without};

pub(super) fn enter(options: &SandboxOptions, _without: Without) -> Result<Enforced, SandboxError> {
    let missing = || Part::missing("only Linux has what holds a worker");
    let asked = |asked: bool| if asked { missing() } else { Part::NotAsked };
    Ok(Enforced {
        files: asked(options.enabled),
        network: asked(options.enabled),
        processes: asked(options.enabled),
        executable_memory: asked(options.enabled),
        signals: asked(options.enabled),
        limits: missing(),
        privileges: missing(),
        descriptors: asked(options.enabled),
        environment: asked(options.enabled),
        namespaces: asked(options.enabled && options.namespaces),
        parent_death: missing(),
    })
}
