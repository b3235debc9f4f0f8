//! The door of the HTTP server: a token that each request has to bring.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use futures_util::{StreamExt as _, stream};
use sha2::{Digest as _, Sha256};
use tokio::time::{Instant, timeout_at};

/// What a request without the token is told.
const UNAUTHORISED: &str =
    "this server wants a token: send the header \"Authorization: Bearer TOKEN\" with the token that it was started with\n";

/// A token, of which only a digest is kept.
#[derive(Clone)]
pub(super) struct Token(Arc<[u8; 32]>);

impl Token {
    pub(super) fn new(token: &str) -> Self {
        Self(Arc::new(Sha256::digest(token.as_bytes()).into()))
    }

    /// Whether a header brings the token. It takes the same time whatever it brings: digests of one size are compared whole.
    fn is_in(&self, header: Option<&HeaderValue>) -> bool {
        let brought = header.and_then(|value| value.to_str().ok()).and_then(|value| value.split_once(' '));
        let Some((scheme, token)) = brought else { return false };
        let digest: [u8; 32] = Sha256::digest(token.trim().as_bytes()).into();
        let differences = digest.iter().zip(self.0.iter()).fold(0, |differences, (left, right)| differences | (left ^ right));
        scheme.eq_ignore_ascii_case("bearer") && differences == 0
    }
}

/// Lets a request pass that brings the token, once: two headers of one name are none.
pub(super) async fn check(State(token): State<Token>, request: Request, next: Next) -> Response {
    let mut headers = request.headers().get_all(header::AUTHORIZATION).iter();
    let only = headers.next().filter(|_| headers.next().is_none());
    if token.is_in(only) {
        return next.run(request).await;
    }
    (StatusCode::UNAUTHORIZED, [(header::WWW_AUTHENTICATE, "Bearer realm=\"codemode\"")], UNAUTHORISED).into_response()
}

/// How long a request's body may take to come, whole.
const BODY: Duration = Duration::from_secs(30);
/// What a request is told whose body did not come.
const LATE: &str = "the body of this request did not come within 30 seconds\n";

/// Gives up on a body that does not come: whoever sends it holds memory and a connection.
pub(super) async fn in_time(request: Request, next: Next) -> Response {
    let late = Arc::new(AtomicBool::new(false));
    let answer = next.run(request.map(|body| within(BODY, body, &late))).await;
    if late.load(Ordering::Relaxed) {
        return (StatusCode::REQUEST_TIMEOUT, LATE).into_response();
    }
    answer
}

/// The same body, which breaks off where it has not come whole within this time, and says so.
fn within(limit: Duration, body: Body, late: &Arc<AtomicBool>) -> Body {
    let until = Instant::now() + limit;
    let begun = Some((body.into_data_stream(), Arc::clone(late)));
    let pieces = stream::unfold(begun, move |rest| async move {
        let (mut rest, late) = rest?;
        match timeout_at(until, rest.next()).await {
            Ok(Some(Ok(piece))) => Some((Ok(piece), Some((rest, late)))),
            Ok(Some(Err(error))) => Some((Err(io::Error::other(error)), None)),
            Ok(None) => None,
            Err(_) => {
                late.store(true, Ordering::Relaxed);
                Some((Err(io::ErrorKind::TimedOut.into()), None))
            }
        }
    });
    Body::from_stream(pieces)
}

/// Headers by which a request is let in or not: two of one name are none, since others may look at the one that we do not.
const SINGLE: [&str; 3] = ["host", "origin", "mcp-session-id"];

/// Refuses a request that says twice where it comes from or goes to.
pub(super) async fn single(request: Request, next: Next) -> Response {
    let twice = SINGLE.iter().find(|name| request.headers().get_all(**name).iter().count() > 1);
    match twice {
        None => next.run(request).await,
        Some(name) => (StatusCode::BAD_REQUEST, format!("the header {name} stands twice in this request\n")).into_response(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_token_and_nothing_else_opens() {
        let token = Token::new("secret");
        let is_in = |header: &str| token.is_in(Some(&HeaderValue::from_str(header).expect("a header")));
        for good in ["Bearer secret", "bearer secret", "BEARER  secret"] {
            assert!(is_in(good), "{good}");
        }
        for bad in ["", "secret", "Basic secret", "Bearer", "Bearer ", "Bearer Secret", "Bearer secret2", "Bearer secre"] {
            assert!(!is_in(bad), "{bad}");
        }
        assert!(!token.is_in(None));
    }

    #[tokio::test]
    async fn a_body_that_does_not_come_breaks_off_and_one_that_comes_is_whole() {
        let all = |body: Body| async move {
            let late = Arc::default();
            let pieces: Vec<Result<_, axum::Error>> = within(Duration::from_millis(50), body, &late).into_data_stream().collect().await;
            let pieces: Vec<Option<Vec<u8>>> = pieces.into_iter().map(|piece| piece.ok().map(|bytes| bytes.to_vec())).collect();
            (pieces, late.load(Ordering::Relaxed))
        };
        let pieces = || stream::iter([Ok::<_, io::Error>("ab"), Ok("c")]);
        assert_eq!(all(Body::from_stream(pieces())).await, (vec![Some(b"ab".to_vec()), Some(b"c".to_vec())], false));
        let endless = Body::from_stream(pieces().chain(stream::pending()));
        assert_eq!(all(endless).await, (vec![Some(b"ab".to_vec()), Some(b"c".to_vec()), None], true));
        let broken = Body::from_stream(stream::iter([Ok("ab"), Err(io::Error::other("it broke"))]));
        assert_eq!(all(broken).await, (vec![Some(b"ab".to_vec()), None], false));
    }
}
