//! Authority `local`: files, commands and the calendar, as LuaJIT's own as far as a program can see, and bounded.
#![cfg(unix)]

mod bed;
mod calendar;
mod commands;
mod denied;
mod deterministic;
mod files;
mod host_streams;
mod reading;
mod stopping;
