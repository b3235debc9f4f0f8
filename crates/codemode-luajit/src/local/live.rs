//! Making `os` and `io`, and ending what a program did with them.

use super::trouble::Trouble;
use super::{io, object, os};
use crate::call::{Lua, guarded};
use crate::state::Context;

/// Makes the globals `os` and `io`.
///
/// # Safety
/// `state` is live, under protection, with twenty free slots, and no program ran in it.
pub(crate) unsafe fn install(state: Lua) {
    // SAFETY: the caller's promise.
    unsafe {
        os::install(state);
        io::install(state);
    }
}

/// Ends what a run did with files and commands, when its program is over and its handle still there.
///
/// Where the run was not stopped, what is buffered is written and the commands of pipes are waited for, as LuaJIT does when a
/// state is closed; that waiting is bounded as the program was. Everything else is ended: files are closed and commands
/// killed, those in the background too.
pub(crate) fn finish(context: &Context) {
    // A panic is noted in the context, and ends the run as an error of ours.
    let _ = guarded(context, || {
        let mut files = context.local().files.borrow_mut();
        if files.is_used() && !context.guard().stopped() {
            match files.settle(&object::env(context)) {
                Ok(warnings) => warnings.into_iter().for_each(|warning| context.warn(warning)),
                Err(Trouble::Stopped) => {}
                Err(trouble) => context.warn(format!("a file or a command did not end well: {}", trouble.text())),
            }
        }
        files.end(&object::env(context));
    });
}
