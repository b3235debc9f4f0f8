//! Connections over HTTP: each has a time within which it must say what it wants, and an end that is waited for.

use std::convert::Infallible;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;
use tower::ServiceExt as _;

/// How long connections have to end after a shutdown began.
const SHUTDOWN: Duration = Duration::from_secs(5);
/// How long nothing is accepted after the system could not: where there are no descriptors, trying at once would only burn time.
const PAUSE: Duration = Duration::from_millis(200);

/// Answers on a listener until `ending`, and then lets connections end.
pub(super) async fn accept(listener: TcpListener, router: Router, head_within: Duration, ending: &CancellationToken) {
    let mut builder = Builder::new(TokioExecutor::new()).http1_only();
    builder.http1().timer(TokioTimer::new()).header_read_timeout(head_within);
    let open = GracefulShutdown::new();
    while let Some(accepted) = ending.run_until_cancelled(listener.accept()).await {
        match accepted {
            Ok((stream, _)) => {
                let connection = builder.serve_connection(io(stream), service(router.clone())).into_owned();
                let watched = open.watch(connection);
                tokio::spawn(async move {
                    if let Err(error) = watched.await {
                        tracing::debug!(%error, "a connection ended");
                    }
                });
            }
            Err(error) => {
                tracing::warn!(%error, "a connection could not be accepted");
                tokio::time::sleep(PAUSE).await;
            }
        }
    }
    drop(listener);
    let _ = tokio::time::timeout(SHUTDOWN, open.shutdown()).await;
}

fn io(stream: TcpStream) -> TokioIo<TcpStream> {
    // Without it small answers wait for one another; a stream that cannot do without still works.
    let _ = stream.set_nodelay(true);
    TokioIo::new(stream)
}

/// The router, as hyper calls it.
fn service(
    router: Router,
) -> impl hyper::service::Service<hyper::Request<hyper::body::Incoming>, Response = axum::response::Response, Error = Infallible, Future: Send>
{
    TowerToHyperService::new(router.map_request(|request: Request<hyper::body::Incoming>| request.map(Body::new)))
}
