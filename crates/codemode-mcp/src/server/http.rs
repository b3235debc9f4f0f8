//! The server over streamable HTTP.

use std::future::Future;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::http::StatusCode;
use rmcp::transport::streamable_http_server::session::local::{LocalSessionManager, SessionConfig};
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use super::accept::accept;
use super::builder::CodeServer;
use super::connection::Connection;
use super::ending::Ending;
use super::gate::CALLS_OF_ONE;
use super::guard::{self, Token};
use super::pipe::Room;
use super::sessions::Sessions;
use super::stdio::ServeError;

/// The most bytes of one request: a program of the longest source a profile may have, written as JSON, and room.
const BODY_BYTES: usize = 8 << 20;
/// A session without a request for this long is closed, unless a program may run longer.
const IDLE: Duration = Duration::from_secs(30 * 60);
/// How long the head of a request may take, by default.
const HEAD: Duration = Duration::from_secs(30);
/// The most bytes of a token.
const TOKEN_BYTES: usize = 1_024;

/// Where and for whom a server listens.
#[derive(Clone)]
pub struct HttpOptions {
    /// The address to listen on; port 0 takes a free one.
    pub addr: SocketAddr,
    /// The token that each request brings as `Authorization: Bearer TOKEN`; none by default, and only an address that no other
    /// machine can reach may do without.
    pub token: Option<String>,
    /// Pages of these origins, such as `https://app.example`, may ask as well as those from this machine. A request without an
    /// `Origin` comes from no page and passes.
    pub allowed_origins: Vec<String>,
    /// Names under which the server is asked, besides `localhost` and addresses of this machine, such as `codemode.example`.
    /// Where it listens for other machines and no name is given, any passes, since the token is asked for.
    pub allowed_hosts: Vec<String>,
    /// The path of the server; `/mcp` by default.
    pub path: String,
    /// How long a connection may take to say what it wants, from its start or from its answer before; 30 s by default.
    pub head_within: Duration,
}

impl HttpOptions {
    /// Listens on this address, at `/mcp`, without a token, for this machine alone.
    #[must_use]
    pub fn new(addr: SocketAddr) -> Self {
        Self { addr, token: None, allowed_origins: Vec::new(), allowed_hosts: Vec::new(), path: "/mcp".to_owned(), head_within: HEAD }
    }

    fn check(&self) -> Result<(), ServeError> {
        match &self.token {
            None if !self.addr.ip().to_canonical().is_loopback() => return Err(ServeError::TokenMissing { address: self.addr }),
            Some(token) if token.is_empty() => return Err(ServeError::Token { why: "is empty" }),
            Some(token) if token.len() > TOKEN_BYTES => return Err(ServeError::Token { why: "is too long" }),
            Some(token) if !token.bytes().all(|byte| byte.is_ascii_graphic()) => {
                return Err(ServeError::Token { why: "holds blanks, controls or other letters" });
            }
            _ => {}
        }
        let shown = |text: &str| codemode_core::text::cut(&codemode_core::text::one_line(text), 100).into_owned();
        if let Some(origin) = self.allowed_origins.iter().find(|origin| !is_origin(origin)) {
            return Err(ServeError::Origin { origin: shown(origin) });
        }
        if let Some(host) = self.allowed_hosts.iter().find(|host| !is_host(host)) {
            return Err(ServeError::Host { host: shown(host) });
        }
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-_.".contains(&byte);
        if !self.path.starts_with('/') || !self.path.bytes().all(plain) {
            return Err(ServeError::Path { path: shown(&self.path) });
        }
        Ok(())
    }

    /// Origins of pages from this machine, and those that are allowed besides.
    fn origins(&self) -> Vec<String> {
        let mut origins = Vec::new();
        for scheme in ["http", "https"] {
            for host in ["localhost", "127.0.0.1", "[::1]"] {
                origins.push(format!("{scheme}://{host}:*"));
            }
        }
        // Without a port an origin has its scheme's own, and no other.
        origins.extend(self.allowed_origins.iter().map(|origin| with_port(origin)));
        origins
    }

    /// Names of this machine, and those that are allowed besides; none where any passes.
    fn hosts(&self) -> Vec<String> {
        let ip = self.addr.ip();
        if !ip.to_canonical().is_loopback() && self.allowed_hosts.is_empty() {
            return Vec::new();
        }
        let own = ["localhost", "127.0.0.1", "::1"].map(str::to_owned);
        own.into_iter().chain([ip.to_string()]).chain(self.allowed_hosts.iter().cloned()).collect()
    }
}

/// Whether a page can have this origin; `null` is that of pages without one, and a port may be `*`.
fn is_origin(origin: &str) -> bool {
    let origin = origin.trim().trim_end_matches('/');
    let scheme_and_host = |(scheme, host): (&str, &str)| {
        let scheme_letter = |byte: u8| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte);
        !scheme.is_empty() && scheme.bytes().all(scheme_letter) && is_host(host.strip_suffix(":*").unwrap_or(host))
    };
    origin == "null" || origin.split_once("://").is_some_and(scheme_and_host)
}

/// Whether a request can name this host, with or without a port.
fn is_host(host: &str) -> bool {
    let (name, port) = match host.strip_prefix('[').and_then(|host| host.split_once(']')) {
        Some((address, port)) if address.parse::<std::net::Ipv6Addr>().is_ok() => ("address", port),
        Some(_) => return false,
        None if host.parse::<std::net::Ipv6Addr>().is_ok() => return true,
        None => host.split_at(host.find(':').unwrap_or(host.len())),
    };
    let letter = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    let is_port = |port: &str| port.strip_prefix(':').is_some_and(|port| port.parse::<u16>().is_ok());
    !name.is_empty() && name.bytes().all(letter) && (port.is_empty() || is_port(port))
}

fn with_port(origin: &str) -> String {
    let origin = origin.trim().trim_end_matches('/');
    let Some((scheme, host)) = origin.split_once("://") else { return origin.to_owned() };
    let after_address = host.rsplit_once(']').map_or(host, |(_, rest)| rest);
    match scheme {
        _ if after_address.contains(':') => origin.to_owned(),
        "http" => format!("{origin}:80"),
        "https" => format!("{origin}:443"),
        _ => origin.to_owned(),
    }
}

impl std::fmt::Debug for HttpOptions {
    /// Without the token.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("HttpOptions")
            .field("addr", &self.addr)
            .field("path", &self.path)
            .field("allowed_origins", &self.allowed_origins)
            .field("allowed_hosts", &self.allowed_hosts)
            .finish_non_exhaustive()
    }
}

/// A server that listens already, and is yet to answer.
#[derive(Debug)]
pub struct HttpServer {
    listener: TcpListener,
    address: SocketAddr,
    path: String,
    router: Router,
    head_within: Duration,
    ending: CancellationToken,
}

impl CodeServer {
    /// Listens on an address; [`HttpServer::serve`] then answers.
    ///
    /// # Errors
    /// When the address cannot be bound, or could be reached from other machines without a token; when token or path are none.
    pub async fn bind_http(self, options: HttpOptions) -> Result<HttpServer, ServeError> {
        options.check()?;
        let bound = |source| ServeError::Bind { address: options.addr, source };
        let listener = TcpListener::bind(options.addr).await.map_err(bound)?;
        let address = listener.local_addr().map_err(bound)?;
        let ending = CancellationToken::new();
        let router = router(&self, &options, &ending);
        Ok(HttpServer { listener, address, path: options.path, router, head_within: options.head_within, ending })
    }

    /// Serves over streamable HTTP until the future is dropped. [`CodeServer::bind_http`] can be asked to stop.
    ///
    /// # Errors
    /// As [`CodeServer::bind_http`], and when serving breaks.
    pub async fn serve_http(self, options: HttpOptions) -> Result<(), ServeError> {
        self.bind_http(options).await?.serve(std::future::pending()).await
    }
}

fn router(server: &CodeServer, options: &HttpOptions, ending: &CancellationToken) -> Router {
    let shared = Arc::clone(&server.shared);
    let mut sessions = SessionConfig::default();
    // A session whose program runs is not idle, though nothing is said.
    sessions.keep_alive = Some(IDLE.max(shared.profile.budgets.wall.saturating_add(Duration::from_secs(60))));
    let mut manager = LocalSessionManager::default();
    manager.session_config = sessions;
    let config = StreamableHttpServerConfig::default()
        .with_allowed_hosts(options.hosts())
        .with_allowed_origins(options.origins())
        .with_max_request_body_bytes(BODY_BYTES)
        .with_cancellation_token(ending.clone());
    let connect = move || Ok(Connection::new(Arc::clone(&shared), Ending::default(), Room::default(), CALLS_OF_ONE));
    let service = StreamableHttpService::new(connect, Arc::new(Sessions::new(manager)), config);
    let elsewhere = format!("there is nothing here; the server is at {}\n", options.path);
    let router = Router::new()
        .route_service(&options.path, service)
        .fallback(move || std::future::ready((StatusCode::NOT_FOUND, elsewhere.clone())))
        .layer(axum::middleware::from_fn(guard::in_time))
        .layer(axum::middleware::from_fn(guard::single));
    match &options.token {
        None => router,
        Some(token) => router.layer(axum::middleware::from_fn_with_state(Token::new(token), guard::check)),
    }
}

impl HttpServer {
    /// Where it listens, with the port that was taken.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The address for a client's configuration.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}{}", self.address, self.path)
    }

    /// Answers until `until` resolves; programs that run then are stopped, and connections have five seconds to end.
    ///
    /// # Errors
    /// When serving breaks.
    pub async fn serve(self, until: impl Future<Output = ()> + Send + 'static) -> Result<(), ServeError> {
        let ending = self.ending.clone();
        let stopping = {
            let ending = ending.clone();
            async move {
                until.await;
                ending.cancel();
            }
        };
        tokio::join!(stopping, accept(self.listener, self.router, self.head_within, &self.ending));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(addr: &str) -> HttpOptions {
        HttpOptions::new(addr.parse().expect("an address"))
    }

    #[test]
    fn an_address_for_others_needs_a_token_and_a_token_can_be_sent() {
        let check = |options: &HttpOptions| options.check().map_err(|error| error.to_string());
        for addr in ["127.0.0.1:0", "127.1.2.3:80", "[::1]:0", "[::ffff:127.0.0.1]:0"] {
            assert_eq!(check(&options(addr)), Ok(()), "{addr}");
        }
        for addr in ["0.0.0.0:8080", "[::]:8080", "192.168.1.2:8080"] {
            let missing = format!("{addr} can be reached from other machines, and no token is set; set one, or listen on 127.0.0.1");
            assert_eq!(check(&options(addr)), Err(missing));
            assert_eq!(check(&HttpOptions { token: Some("t".to_owned()), ..options(addr) }), Ok(()));
        }
        for (token, why) in [("", "is empty"), ("a b", "holds blanks, controls or other letters"), (&"x".repeat(1_025), "is too long")] {
            let options = HttpOptions { token: Some(token.to_owned()), ..options("127.0.0.1:0") };
            assert_eq!(check(&options), Err(format!("the token {why}; give one of 1 to 1024 visible ascii characters")));
        }
        for path in ["", "mcp", "/{x}", "/a b"] {
            let options = HttpOptions { path: path.to_owned(), ..options("127.0.0.1:0") };
            let message = format!("path is \"{path}\", and must begin with / and hold letters, digits, -, _, . and / alone");
            assert_eq!(check(&options), Err(message));
        }
    }

    #[test]
    fn what_is_allowed_can_be_sent() {
        for (host, expected) in [
            ("codemode.example", true),
            ("codemode.example:8642", true),
            ("10.0.0.1", true),
            ("[::1]:80", true),
            ("[2001:db8::1]", true),
            ("2001:db8::1", true),
            ("", false),
            ("*", false),
            ("http://a", false),
            ("a/b", false),
            ("a b", false),
            ("a@b", false),
            ("a:", false),
            ("a:99999", false),
            ("[a]", false),
        ] {
            assert_eq!(is_host(host), expected, "{host}");
        }
        for (origin, expected) in [
            ("https://app.example", true),
            ("http://app.example/", true),
            ("http://app.example:*", true),
            ("http://[2001:db8::1]:8", true),
            ("vscode-webview://abc", true),
            ("null", true),
            ("*", false),
            ("app.example", false),
            ("https://", false),
            ("https://*.example", false),
            ("https://app.example/page", false),
            ("://app.example", false),
        ] {
            assert_eq!(is_origin(origin), expected, "{origin}");
        }
        let with = |change: fn(&mut HttpOptions)| {
            let mut options = options("127.0.0.1:0");
            change(&mut options);
            options.check().map_err(|error| error.to_string())
        };
        let origin = "the origin \"app.example\" is none of a page; give its scheme, its host and where needed its port, such as \
            https://app.example";
        assert_eq!(with(|options| options.allowed_origins.push("app.example".to_owned())), Err(origin.to_owned()));
        let host = "the host \"http://a\" is no name; give a name and where needed a port, such as codemode.example";
        assert_eq!(with(|options| options.allowed_hosts.push("http://a".to_owned())), Err(host.to_owned()));
    }

    #[test]
    fn an_origin_without_a_port_has_its_schemes() {
        for (given, expected) in [
            ("https://app.example", "https://app.example:443"),
            ("http://app.example/", "http://app.example:80"),
            ("http://app.example:3000", "http://app.example:3000"),
            ("http://app.example:*", "http://app.example:*"),
            ("http://[2001:db8::1]", "http://[2001:db8::1]:80"),
            ("http://[2001:db8::1]:8", "http://[2001:db8::1]:8"),
            ("null", "null"),
        ] {
            assert_eq!(with_port(given), expected);
        }
    }

    #[test]
    fn a_debug_print_has_no_token() {
        let options = HttpOptions { token: Some("secret".to_owned()), ..options("127.0.0.1:1") };
        let expected = "HttpOptions { addr: 127.0.0.1:1, path: \"/mcp\", allowed_origins: [], allowed_hosts: [], .. }";
        assert_eq!(format!("{options:?}"), expected);
    }
}
