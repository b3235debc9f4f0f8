//! The door of the HTTP server: a token that each request has to bring.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use sha2::{Digest as _, Sha256};

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
}
