//! The command as its users have it: a process with arguments, standard streams, signals and an exit code.

mod check;
mod display;
mod doctor;
mod example;
mod help;
mod interrupt;
mod javascript;
mod process;
mod run;
mod session;
mod tools;
mod usage;
