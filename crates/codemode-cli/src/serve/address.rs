//! Addresses to listen on, as a person writes them.

use std::net::{Ipv4Addr, SocketAddr};

/// An address and a port, or a port of this machine alone.
pub(super) fn parse(text: &str) -> Result<SocketAddr, String> {
    let port = text.strip_prefix("localhost").unwrap_or(text);
    let port = port.strip_prefix(':').unwrap_or(if port.len() == text.len() { port } else { "" });
    if let Ok(port) = port.parse::<u16>() {
        return Ok(SocketAddr::from((Ipv4Addr::LOCALHOST, port)));
    }
    text.parse()
        .map_err(|_| "an address is a port of this machine, or an IP address and a port: 8642, 127.0.0.1:8642, [::1]:8642".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_alone_is_this_machine_s() {
        let parsed = |text: &str| parse(text).map(|address| address.to_string());
        for text in ["8642", ":8642", "localhost:8642", "127.0.0.1:8642"] {
            assert_eq!(parsed(text), Ok("127.0.0.1:8642".to_owned()), "{text}");
        }
        assert_eq!(parsed("0.0.0.0:0"), Ok("0.0.0.0:0".to_owned()));
        assert_eq!(parsed("[::1]:80"), Ok("[::1]:80".to_owned()));
        let wrong = "an address is a port of this machine, or an IP address and a port: 8642, 127.0.0.1:8642, [::1]:8642";
        for text in ["", "localhost", "localhost8642", "127.0.0.1", "65536", "example.org:80", "http://127.0.0.1:80"] {
            assert_eq!(parsed(text), Err(wrong.to_owned()), "{text}");
        }
    }
}
