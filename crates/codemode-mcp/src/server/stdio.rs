//! The server over standard input and output, or any other pair of streams.

use std::io;
use std::net::SocketAddr;

use codemode_core::text::{cut, one_line};
use rmcp::ServiceExt as _;
use rmcp::service::ServerInitializeError;
use rmcp::transport::io::stdio_pipes;
use tokio::io::{AsyncRead, AsyncWrite};

use super::builder::CodeServer;
use super::connection::Connection;
use super::ending::Ending;
use super::gate::CALLS;
use super::pipe::{Pipe, Room};

/// The most bytes of what a client sent in a message.
const MESSAGE_BYTES: usize = 500;

/// A server that could not serve.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The client did not speak the protocol.
    #[error("the client did not begin as the protocol has it: {0}")]
    Protocol(String),
    /// The connection's task broke.
    #[error("serving the connection broke: {0}")]
    Broken(String),
    /// The address cannot be bound.
    #[error("cannot listen on {address}: {source}")]
    Bind {
        /// The address.
        address: SocketAddr,
        /// Why.
        source: io::Error,
    },
    /// Whoever reaches the address could run programs.
    #[error("{address} can be reached from other machines, and no token is set; set one, or listen on 127.0.0.1")]
    TokenMissing {
        /// The address.
        address: SocketAddr,
    },
    /// A token that no client could send.
    #[error("the token {why}; give one of 1 to 1024 visible ascii characters")]
    Token {
        /// What is wrong with it.
        why: &'static str,
    },
    /// An origin that no page has, so that allowing it does nothing.
    #[error("the origin \"{origin}\" is none of a page; give its scheme, its host and where needed its port, such as https://app.example")]
    Origin {
        /// The origin, at most 100 bytes of it.
        origin: String,
    },
    /// A host name that no request has.
    #[error("the host \"{host}\" is no name; give a name and where needed a port, such as codemode.example")]
    Host {
        /// The name, at most 100 bytes of it.
        host: String,
    },
    /// A path that is none.
    #[error("path is \"{path}\", and must begin with / and hold letters, digits, -, _, . and / alone")]
    Path {
        /// The path, at most 100 bytes of it.
        path: String,
    },
    /// Serving HTTP broke.
    #[error("serving http broke: {0}")]
    Http(io::Error),
}

impl CodeServer {
    /// Serves one client over standard input and output, until the input ends.
    ///
    /// Programs that run then have a second to end by themselves and are stopped after it. Nothing but the protocol may be
    /// written to standard output meanwhile. The host is left as it is; close it afterwards.
    ///
    /// # Errors
    /// When the client does not speak the protocol.
    pub async fn serve_stdio(self) -> Result<(), ServeError> {
        let (read, write) = stdio_pipes();
        self.serve_io(read, write).await
    }

    /// As [`CodeServer::serve_stdio`], over other streams.
    ///
    /// # Errors
    /// When the client does not speak the protocol.
    pub async fn serve_io<R, W>(self, read: R, write: W) -> Result<(), ServeError>
    where
        R: AsyncRead + Send + Unpin + 'static,
        W: AsyncWrite + Send + Unpin + 'static,
    {
        let (ending, room) = (Ending::default(), Room::default());
        let transport = Pipe::new(read, write, ending.clone(), room.clone());
        match Connection::new(self.shared, ending, room, CALLS).serve(transport).await {
            Ok(running) => match running.waiting().await {
                Ok(_) => Ok(()),
                Err(error) => Err(ServeError::Broken(error.to_string())),
            },
            // A client that says nothing and goes has done no wrong.
            Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
            Err(error) => Err(ServeError::Protocol(cut(&one_line(&error.to_string()), MESSAGE_BYTES).into_owned())),
        }
    }
}
