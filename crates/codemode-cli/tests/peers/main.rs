//! The command with real peers: official clients that it serves, and servers of others that it uses.

mod clients;
mod direct;
mod inspector;
mod place;
mod run;
mod scenario;
mod spill;
