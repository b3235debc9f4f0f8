//! One server as it was configured: what is started or connected to, and how long it may take.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

/// A server whose variables are filled in and whose fields were checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerConfig {
    /// The name as a person wrote it, which may be empty or hold any character.
    pub name: String,
    /// How the server is reached.
    pub transport: TransportConfig,
    /// How long a call may be silent; progress begins it anew.
    ///
    /// `None` is [`ServerConfig::TIMEOUT`].
    pub timeout: Option<Duration>,
    /// How long a call may take, whatever its progress.
    ///
    /// `None` is [`ServerConfig::MAX_TIMEOUT`], or `timeout` where that is longer.
    pub max_timeout: Option<Duration>,
    /// How long the server may take to start and to list its tools.
    ///
    /// `None` is [`ServerConfig::START_TIMEOUT`].
    pub start_timeout: Option<Duration>,
    /// Where it was configured.
    pub origin: Origin,
}

/// How a server is reached.
#[derive(Clone, PartialEq, Eq)]
pub enum TransportConfig {
    /// A process of ours, spoken to over its standard streams.
    Stdio {
        /// The program, by path or by name; never empty.
        command: String,
        /// Its arguments.
        args: Vec<String>,
        /// What is added to our own environment; values may be secrets.
        env: BTreeMap<String, String>,
        /// The folder it starts in; `None` is our own.
        cwd: Option<PathBuf>,
    },
    /// A server elsewhere, spoken to over streamable HTTP.
    Http {
        /// The address, `http://` or `https://`; may hold secrets.
        url: String,
        /// What is sent with each request; values may be secrets.
        headers: BTreeMap<String, String>,
    },
}

/// Where a server was configured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The place as it is shown: a path or, say, "command line"; one line, at most 300 bytes.
    pub place: String,
    /// The file, where it was one.
    pub file: Option<PathBuf>,
}

impl ServerConfig {
    /// How long a call may be silent where nothing else was said: 60 seconds.
    pub const TIMEOUT: Duration = Duration::from_secs(60);
    /// How long a call may take where nothing else was said: 600 seconds.
    pub const MAX_TIMEOUT: Duration = Duration::from_secs(600);
    /// How long a server may take to start where nothing else was said: 30 seconds.
    pub const START_TIMEOUT: Duration = Duration::from_secs(30);

    /// How long a call may be silent.
    #[must_use]
    pub fn silence_limit(&self) -> Duration {
        self.timeout.unwrap_or(Self::TIMEOUT)
    }

    /// How long a call may take, whatever its progress.
    #[must_use]
    pub fn call_limit(&self) -> Duration {
        self.max_timeout.unwrap_or_else(|| self.silence_limit().max(Self::MAX_TIMEOUT))
    }

    /// How long the server may take to start and to list its tools.
    #[must_use]
    pub fn start_limit(&self) -> Duration {
        self.start_timeout.unwrap_or(Self::START_TIMEOUT)
    }

    /// A server that is reached by `transport`, with default times, configured by the program itself.
    #[must_use]
    pub fn new(name: impl Into<String>, transport: TransportConfig) -> Self {
        Self {
            name: name.into(),
            transport,
            timeout: None,
            max_timeout: None,
            start_timeout: None,
            origin: Origin { place: "the program".to_owned(), file: None },
        }
    }

    /// A server that is a process of ours, with nothing added to its environment.
    #[must_use]
    pub fn stdio<A: Into<String>>(name: impl Into<String>, command: impl Into<String>, args: impl IntoIterator<Item = A>) -> Self {
        Self::new(
            name,
            TransportConfig::Stdio {
                command: command.into(),
                args: args.into_iter().map(Into::into).collect(),
                env: BTreeMap::new(),
                cwd: None,
            },
        )
    }

    /// A server at an address, with no headers of ours.
    #[must_use]
    pub fn http(name: impl Into<String>, url: impl Into<String>) -> Self {
        Self::new(name, TransportConfig::Http { url: url.into(), headers: BTreeMap::new() })
    }
}

/// Without anything that may be a secret: values of the environment and of headers, and what follows an address's host.
impl fmt::Debug for TransportConfig {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stdio { command, args, env, cwd } => formatter
                .debug_struct("Stdio")
                .field("command", command)
                .field("args", &args.len())
                .field("env", &env.keys())
                .field("cwd", cwd)
                .finish(),
            Self::Http { url: _, headers } => formatter.debug_struct("Http").field("headers", &headers.keys()).finish_non_exhaustive(),
        }
    }
}
