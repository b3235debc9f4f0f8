//! The tools, each in a file of its own.

pub(crate) mod edit_file;
pub(crate) mod execute;
pub(crate) mod find_files;
pub(crate) mod list_files;
pub(crate) mod read_file;
pub(crate) mod read_files;
pub(crate) mod search_files;
pub(crate) mod write_file;
