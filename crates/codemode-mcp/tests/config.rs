//! Configuration files as people have them: what servers come out, and what is said about those that do not.

#[path = "config/any_content.rs"]
mod any_content;
#[path = "config/clients.rs"]
mod clients;
#[path = "config/faults.rs"]
mod faults;
#[path = "config/file_faults.rs"]
mod file_faults;
#[path = "config/page.rs"]
mod page;
#[path = "config/places.rs"]
mod places;
#[path = "config/prefixes.rs"]
mod prefixes;
#[path = "config/settings.rs"]
mod settings;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use codemode_mcp::{Origin, Read, ServerConfig, TransportConfig, read_text};

/// The environment of all tests here.
fn environment(name: &str) -> Option<String> {
    match name {
        "HOME" => Some("/srv/ada".to_owned()),
        "TOKEN" => Some("s3cret".to_owned()),
        "EMPTY" => Some(String::new()),
        "LINES" => Some("s3cret\n".to_owned()),
        "NUL" => Some("s3cret\0".to_owned()),
        _ => None,
    }
}

/// The path of the file that most tests read; nothing is there.
const FILE: &str = "/srv/ada/app/.mcp.json";

/// What comes of `text` in a file at `path`.
fn read_at(path: &str, text: &str) -> Read {
    read_text(Path::new(path), text, &environment).expect("the file as a whole is right")
}

/// What comes of `text` in a project's `.mcp.json`.
fn read(text: &str) -> Read {
    read_at(FILE, text)
}

fn origin(path: &str) -> Origin {
    Origin { place: path.to_owned(), file: Some(PathBuf::from(path)) }
}

fn map(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
    pairs.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect()
}

/// A server that is started, as it comes out of the file at `path`.
fn stdio(path: &str, name: &str, command: &str, args: &[&str], env: &[(&str, &str)]) -> ServerConfig {
    let transport = TransportConfig::Stdio {
        command: command.to_owned(),
        args: args.iter().map(|&arg| arg.to_owned()).collect(),
        env: map(env),
        cwd: None,
    };
    ServerConfig { origin: origin(path), ..ServerConfig::new(name, transport) }
}

/// A server that is connected to, as it comes out of the file at `path`.
fn http(path: &str, name: &str, url: &str, headers: &[(&str, &str)]) -> ServerConfig {
    let transport = TransportConfig::Http { url: url.to_owned(), headers: map(headers) };
    ServerConfig { origin: origin(path), ..ServerConfig::new(name, transport) }
}

/// Servers with nothing to say about them.
fn servers(servers: Vec<ServerConfig>) -> Read {
    Read { servers, ..Read::default() }
}
