//! The command as its users have it: a process with arguments, standard streams, signals and an exit code.

mod check;
mod display;
mod doctor;
mod example;
mod help;
mod init;
mod interrupt;
mod javascript;
mod process;
mod run;
mod serve;
mod servers;
mod session;
mod switch;
mod tools;
mod trust;
mod usage;
