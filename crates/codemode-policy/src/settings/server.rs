//! What the settings say about one server.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

/// One `[servers.NAME]`. `${VAR}` in its texts is not expanded yet.
///
/// Either `command` or `url` is there where it is enabled. Its debug form hides the values of `env` and `headers`.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct ServerSettings {
    /// The program that is started, which speaks on its standard input and output.
    pub command: Option<String>,
    /// The program's arguments.
    pub args: Vec<String>,
    /// Variables that the program gets besides those of this process.
    pub env: BTreeMap<String, String>,
    /// The folder it is started in; a relative one has been resolved against the folder of the file that set it.
    pub cwd: Option<PathBuf>,
    /// The address of a server that is reached over streamable HTTP.
    pub url: Option<String>,
    /// Headers of each request.
    pub headers: BTreeMap<String, String>,
    /// Whether it is used; not set: yes.
    pub enabled: Option<bool>,
    /// How long a call may be silent; progress begins it anew. Not set: the client's default, 60 s.
    pub timeout: Option<Duration>,
    /// How long a call may take at all. Not set: the client's default, 600 s.
    pub max_timeout: Option<Duration>,
    /// How long it may take to start and to list its tools. Not set: the client's default, 30 s.
    pub start_timeout: Option<Duration>,
    /// The file that says how it is reached; empty in a value that came from no file.
    pub file: PathBuf,
}

impl ServerSettings {
    /// Whether it is used.
    #[must_use]
    pub fn is_enabled(&self) -> bool {
        self.enabled != Some(false)
    }

    /// Whether all that is said is that it is not used, which takes something away and starts nothing.
    pub(crate) fn only_disables(&self) -> bool {
        let only = Self { enabled: Some(false), file: self.file.clone(), ..Self::default() };
        *self == only
    }

    /// These settings with those of a later file over them, key by key.
    ///
    /// A later `command` or `url` replaces all that says how the server is reached: variables and headers that a person gave to one
    /// server go to no other.
    pub(crate) fn under(self, later: Self) -> Self {
        let reached_anew = later.command.is_some() || later.url.is_some();
        let reach = if reached_anew { Self::default() } else { self.clone() };
        let filled = |later: BTreeMap<String, String>, earlier| if later.is_empty() { earlier } else { later };
        Self {
            command: later.command.or(reach.command),
            args: if later.args.is_empty() { reach.args } else { later.args },
            env: filled(later.env, reach.env),
            cwd: later.cwd.or(reach.cwd),
            url: later.url.or(reach.url),
            headers: filled(later.headers, reach.headers),
            enabled: later.enabled.or(self.enabled),
            timeout: later.timeout.or(self.timeout),
            max_timeout: later.max_timeout.or(self.max_timeout),
            start_timeout: later.start_timeout.or(self.start_timeout),
            file: if reached_anew { later.file } else { self.file },
        }
    }
}

impl fmt::Debug for ServerSettings {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("ServerSettings")
            .field("command", &self.command)
            .field("args", &self.args)
            .field("env", &self.env.keys().collect::<Vec<_>>())
            .field("cwd", &self.cwd)
            .field("url", &self.url)
            .field("headers", &self.headers.keys().collect::<Vec<_>>())
            .field("enabled", &self.enabled)
            .field("timeout", &self.timeout)
            .field("max_timeout", &self.max_timeout)
            .field("start_timeout", &self.start_timeout)
            .field("file", &self.file)
            .finish()
    }
}
