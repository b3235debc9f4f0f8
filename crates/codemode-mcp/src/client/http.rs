//! The transport to a server elsewhere: streamable HTTP. Nothing here is touched where no server needs it.

use std::collections::HashMap;
use std::error::Error;
use std::io;
use std::sync::Once;

use axum::http::{HeaderName, HeaderValue};
use codemode_core::text::{cut, one_line};
use rmcp::RoleClient;
use rmcp::transport::streamable_http_client::{StreamableHttpClient, StreamableHttpClientTransportConfig, StreamableHttpError};
use rmcp::transport::{StreamableHttpClientTransport, Transport};

use crate::config::TransportConfig;
use crate::framing::LINE_BYTES;

/// Calls that may be out to one server at once.
const CONCURRENT: usize = 64;

/// Whether an error of a transport says that nobody listens at the address, so that nothing was sent.
pub(super) type IsRefused = fn(&(dyn Error + 'static)) -> bool;

/// The transport to a server's address, and how its errors are looked at.
///
/// # Errors
/// One sentence, without the address and the values of headers, which may hold secrets.
pub(super) fn transport(transport: &TransportConfig) -> Result<(impl Transport<RoleClient> + use<>, IsRefused), String> {
    let TransportConfig::Http { url, headers } = transport else {
        return Err("a process of ours has no address".to_owned());
    };
    let mut named = HashMap::new();
    for (name, value) in headers {
        let shown = cut(&one_line(name), 100).into_owned();
        let name = HeaderName::from_bytes(name.as_bytes()).map_err(|_| format!("\"{shown}\" is no name of a header"))?;
        let mut value = HeaderValue::from_str(value)
            .map_err(|_| format!("the value of the header \"{shown}\" has characters that no header may have"))?;
        value.set_sensitive(true);
        named.insert(name, value);
    }
    install_provider();
    let config = StreamableHttpClientTransportConfig::with_uri(url.as_str())
        .custom_headers(named)
        .max_concurrent_requests(CONCURRENT)
        .max_sse_event_size(LINE_BYTES)
        .max_json_response_size(LINE_BYTES);
    let transport = StreamableHttpClientTransport::from_config(config);
    let is_refused = is_refused_by(&transport);
    Ok((transport, is_refused))
}

/// The look at errors of this transport's client, whose type only the transport knows.
fn is_refused_by<C: StreamableHttpClient>(_transport: &StreamableHttpClientTransport<C>) -> IsRefused {
    is_refused::<C>
}

fn is_refused<C: StreamableHttpClient>(error: &(dyn Error + 'static)) -> bool {
    let Some(StreamableHttpError::Client(error)) = error.downcast_ref::<StreamableHttpError<C::Error>>() else { return false };
    let mut cause: Option<&(dyn Error + 'static)> = Some(error);
    while let Some(error) = cause {
        if error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::ConnectionRefused) {
            return true;
        }
        cause = error.source();
    }
    false
}

/// Says which cryptography TLS uses, once a process, unless the host has said it.
fn install_provider() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // One that is there already is as good.
        let _ = rustls::crypto::ring::default_provider().install_default();
    });
}

/// An error's text without addresses, whose queries may hold secrets.
pub(super) fn without_addresses(text: &str) -> String {
    let mut shown = String::new();
    let mut rest = text;
    while let Some(start) = rest.find("://") {
        let scheme = rest[..start]
            .rfind(|character: char| !character.is_ascii_alphanumeric())
            .map_or(0, |place| place + rest[place..].chars().next().map_or(1, char::len_utf8));
        shown.push_str(&rest[..scheme]);
        shown.push_str("its address");
        let after = &rest[start + 3..];
        let end =
            after.find(|character: char| character.is_whitespace() || matches!(character, ')' | '"' | '\'' | '>')).unwrap_or(after.len());
        rest = &after[end..];
    }
    shown.push_str(rest);
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_never_part_of_an_error() {
        assert_eq!(
            without_addresses("error sending request for url (https://host/mcp?token=s3cret): refused"),
            "error sending request for url (its address): refused"
        );
        assert_eq!(without_addresses("ä http://a/ and http://b"), "ä its address and its address");
        assert_eq!(without_addresses("no address"), "no address");
    }
}
