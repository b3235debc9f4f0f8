//! What authority `local` gives a program, bounded like all the rest; and runs that are the same each time.

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
