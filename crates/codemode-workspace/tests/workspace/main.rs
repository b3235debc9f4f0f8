//! The workspace tools as a program meets them, by feature.

mod cancel;
mod confined;
mod desk;
mod edit;
mod execute;
mod find;
mod list;
mod read;
mod read_many;
mod search;
mod specs;
mod write;
