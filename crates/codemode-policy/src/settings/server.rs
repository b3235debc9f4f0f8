//! What the settings say about one server.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

/// One `[servers.NAME]`. `${VAR}` in its texts is not expanded yet.
///
/// Either `command` or `url` is there. Its debug form hides the values of `env` and `headers`.
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

/// What a file says about a server of which it does not say how it is reached, and so about one of another file's.
///
/// Its debug form hides the values of `env` and `headers`.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct ServerChange {
    /// Arguments in place of the server's own.
    pub args: Option<Vec<String>>,
    /// Variables in place of the server's own.
    pub env: Option<BTreeMap<String, String>>,
    /// The folder it is started in; a relative one has been resolved against the folder of the file.
    pub cwd: Option<PathBuf>,
    /// Headers in place of the server's own.
    pub headers: Option<BTreeMap<String, String>>,
    /// Whether it is switched on where another file has it off.
    pub switched_on: bool,
    /// Whether one of its times is set.
    pub timed: bool,
}

impl fmt::Debug for ServerChange {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = |values: &Option<BTreeMap<String, String>>| values.as_ref().map(|values| values.keys().cloned().collect::<Vec<_>>());
        formatter
            .debug_struct("ServerChange")
            .field("args", &self.args)
            .field("env", &names(&self.env))
            .field("cwd", &self.cwd)
            .field("headers", &names(&self.headers))
            .field("switched_on", &self.switched_on)
            .field("timed", &self.timed)
            .finish()
    }
}

/// What one file says about a server: what it does not say is not there.
#[derive(Default)]
pub(crate) struct ServerPart {
    pub(crate) command: Option<String>,
    pub(crate) args: Option<Vec<String>>,
    pub(crate) env: Option<BTreeMap<String, String>>,
    pub(crate) cwd: Option<PathBuf>,
    pub(crate) url: Option<String>,
    pub(crate) headers: Option<BTreeMap<String, String>>,
    pub(crate) enabled: Option<bool>,
    pub(crate) timeout: Option<Duration>,
    pub(crate) max_timeout: Option<Duration>,
    pub(crate) start_timeout: Option<Duration>,
    pub(crate) file: PathBuf,
}

impl ServerPart {
    /// What an untrusted file may say: that a server is not used, which starts nothing.
    pub(crate) fn harmless(&self) -> Option<Self> {
        (self.enabled == Some(false)).then(|| Self { enabled: Some(false), file: self.file.clone(), ..Self::default() })
    }

    /// What it changes of another file's server; nothing where it says itself how the server is reached, or that it is not used.
    pub(crate) fn change(self) -> Option<ServerChange> {
        if self.command.is_some() || self.url.is_some() || self.enabled == Some(false) {
            return None;
        }
        Some(ServerChange {
            args: self.args,
            env: self.env,
            cwd: self.cwd,
            headers: self.headers,
            switched_on: self.enabled == Some(true),
            timed: self.timeout.or(self.max_timeout).or(self.start_timeout).is_some(),
        })
    }

    /// This with what a later file says over it, key by key.
    ///
    /// A later `command` or `url` replaces all that says how the server is reached: variables and headers that a person gave to one
    /// server go to no other.
    pub(crate) fn under(self, later: Self) -> Self {
        let reached_anew = later.command.is_some() || later.url.is_some();
        let kept = |earlier: Self| if reached_anew { Self { file: later.file.clone(), ..Self::default() } } else { earlier };
        let (enabled, timeout, max_timeout, start_timeout) = (self.enabled, self.timeout, self.max_timeout, self.start_timeout);
        let reach = kept(self);
        Self {
            command: later.command.or(reach.command),
            args: later.args.or(reach.args),
            env: later.env.or(reach.env),
            cwd: later.cwd.or(reach.cwd),
            url: later.url.or(reach.url),
            headers: later.headers.or(reach.headers),
            enabled: later.enabled.or(enabled),
            timeout: later.timeout.or(timeout),
            max_timeout: later.max_timeout.or(max_timeout),
            start_timeout: later.start_timeout.or(start_timeout),
            file: reach.file,
        }
    }

    /// The server, where it is said how it is reached.
    pub(crate) fn finish(self) -> Option<ServerSettings> {
        (self.command.is_some() || self.url.is_some()).then(|| ServerSettings {
            command: self.command,
            args: self.args.unwrap_or_default(),
            env: self.env.unwrap_or_default(),
            cwd: self.cwd,
            url: self.url,
            headers: self.headers.unwrap_or_default(),
            enabled: self.enabled,
            timeout: self.timeout,
            max_timeout: self.max_timeout,
            start_timeout: self.start_timeout,
            file: self.file,
        })
    }
}
