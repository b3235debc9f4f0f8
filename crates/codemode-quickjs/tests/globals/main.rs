//! The globals of JavaScript programs, each as a program sees it: what stands beside a snippet is what Node gives, unless it says otherwise.

mod absent;
mod address;
mod bounds;
mod clone;
mod console;
mod dates;
mod deterministic;
mod host;
mod locale;
mod tampered;
mod text;
mod timers;
