//! What authority `local` gives a program, bounded like all the rest; and runs that are the same each time.
//!
//! `os` and `io` are as LuaJIT's, of Lua 5.1, but for this:
//!
//! - `os.exit` and `os.setlocale` are not there. `os.clock` is the time that the run computed.
//! - The program's standard output and error are what `print` writes to, and its standard input is at its end: the host's
//!   own streams are not touched, and cannot be opened by a path such as `/dev/stdout`. What a command prints, and the program does not read, is shown likewise; a command reads
//!   nothing.
//! - Waiting for a command, a pipe or a device counts as computing, and ends when the run is stopped. Commands are killed
//!   then, with their process group; those in the background are killed when the run ends. A command that the program
//!   wrote to and left open is waited for at the end of the program, one that it read from for two seconds.
//! - Relative paths and commands start from the run's folder.
//! - At most 200 files are open at once. `tostring` of a file shows a number, and its metatable is locked.
//! - Lines may hold bytes of zero; a negative count of bytes is an error; a path with a byte of zero is not there.
//!
//! A file system that does not answer can hold up a run past its bounds: opening, and reading regular files, are calls of the
//! system that nothing ends.
//!
//! Only Unix has it; elsewhere there is neither table.

#[cfg(unix)]
mod buffer;
#[cfg(unix)]
mod command;
#[cfg(unix)]
mod date;
mod deterministic;
#[cfg(unix)]
mod disk;
#[cfg(unix)]
mod env;
#[cfg(unix)]
mod files;
#[cfg(unix)]
mod formats;
#[cfg(unix)]
pub(crate) mod host_streams;
#[cfg(unix)]
mod io;
#[cfg(unix)]
mod live;
#[cfg(unix)]
mod methods;
mod numbering;
#[cfg(unix)]
mod numeral;
#[cfg(unix)]
mod object;
#[cfg(unix)]
mod os;
#[cfg(unix)]
mod reading;
#[cfg(unix)]
mod shown;
#[cfg(unix)]
mod stream;
#[cfg(unix)]
mod trouble;
#[cfg(unix)]
mod wait;

pub(crate) use deterministic::{Sameness, make_deterministic};
#[cfg(unix)]
pub(crate) use live::{finish, install};
#[cfg(unix)]
pub(crate) use object::Local;
