//! What codemode keeps between the runs of a session.
#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod blobs;
mod error;
mod folder;
mod lock;
mod state_file;

pub use blobs::BlobStore;
pub use error::SessionError;
pub use folder::SessionFolder;
