//! The sizes and times that the tools keep to.

use std::time::Duration;

use crate::builder::WorkspaceError;

/// The sizes and times that the tools keep to. Each has a default and a range; zero is never "unlimited".
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// The most bytes of one file that `read_file` gives, or `edit_file` edits. Default 8 MiB, at most 1 GiB.
    pub file_bytes: usize,
    /// The most bytes of text that one `read_files` gives. Default 8 MiB, at most 1 GiB.
    pub files_bytes: usize,
    /// The most bytes that one `find_files`, `search_files` or `list_files` gives, counted as about what their JSON takes. Default 512 KiB, at most 64 MiB.
    pub listing_bytes: usize,
    /// The most folders and files that one walk looks at. Default 1,000,000, at most 100,000,000.
    pub walk_entries: usize,
    /// The most bytes of standard output that one `execute` keeps, and as much of standard error. Default 256 KiB, at most 64 MiB.
    pub output_bytes: usize,
    /// How long a command may run where the call does not say, and the most that it may say.
    /// Default 600 s, at most 24 h.
    pub execute_timeout: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            file_bytes: 8 << 20,
            files_bytes: 8 << 20,
            listing_bytes: 512 << 10,
            walk_entries: 1_000_000,
            output_bytes: 256 << 10,
            execute_timeout: Duration::from_secs(600),
        }
    }
}

impl Limits {
    pub(crate) fn check(&self) -> Result<(), WorkspaceError> {
        let sizes = [
            ("file_bytes", self.file_bytes, 1 << 30),
            ("files_bytes", self.files_bytes, 1 << 30),
            ("listing_bytes", self.listing_bytes, 64 << 20),
            ("walk_entries", self.walk_entries, 100_000_000),
            ("output_bytes", self.output_bytes, 64 << 20),
        ];
        for (name, value, most) in sizes {
            if value == 0 || value > most {
                return Err(WorkspaceError::Limit { name, value: value.to_string(), range: format!("1 to {most}") });
            }
        }
        let most = Duration::from_secs(24 * 60 * 60);
        if self.execute_timeout < Duration::from_millis(1) || self.execute_timeout > most {
            let value = format!("{:?}", self.execute_timeout);
            return Err(WorkspaceError::Limit { name: "execute_timeout", value, range: "1 ms to 24 h".to_owned() });
        }
        Ok(())
    }
}
