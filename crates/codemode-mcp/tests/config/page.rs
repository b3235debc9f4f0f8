//! The page for people: what it shows to be written is read as it says.

use std::path::Path;
use std::time::Duration;

use codemode_mcp::{Read, from_settings};
use codemode_policy::servers_in;

use super::{FILE, http, read_at, stdio};

/// The blocks of code of this language on the page, in their order.
fn blocks(language: &str) -> Vec<String> {
    let page = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/mcp.md")).expect("the page is there");
    let fences = page.split("\n```").skip(1).step_by(2);
    fences.filter_map(|block| Some(block.strip_prefix(language)?.strip_prefix('\n')?.to_owned())).collect()
}

/// The servers that the page gives as an example, as they come out of the file at `path`.
fn servers(path: &str) -> Read {
    let mut tracker = http(path, "tracker", "https://tracker.example/mcp", &[("Authorization", "Bearer t-1")]);
    tracker.timeout = Some(Duration::from_secs(120));
    let args = ["-y", "@modelcontextprotocol/server-filesystem", "/srv/ada/notes"];
    Read {
        servers: vec![stdio(path, "files", "npx", &args, &[("LOG_LEVEL", "warn")]), tracker],
        disabled: vec!["old".to_owned()],
        warnings: Vec::new(),
    }
}

fn environment(name: &str) -> Option<String> {
    match name {
        "TRACKER_TOKEN" => Some("t-1".to_owned()),
        other => super::environment(other),
    }
}

#[test]
fn the_examples_in_json_are_read_as_the_page_says() {
    let blocks = blocks("json");
    let [client, servers_json] = blocks.as_slice() else { panic!("two blocks, and not {}", blocks.len()) };
    let itself = format!("server `codemode` of {FILE} is left out: it is codemode, which would start itself for ever");
    assert_eq!(read_at(FILE, client), Read { warnings: vec![itself], ..Read::default() });
    let read = codemode_mcp::read_text(Path::new(FILE), servers_json, &environment).expect("the example is right");
    assert_eq!(read, servers(FILE));
}

#[test]
fn the_example_in_toml_says_the_same() {
    let path = "/srv/ada/app/codemode.toml";
    let blocks = blocks("toml");
    let settings = servers_in(Path::new(path), blocks[0].as_bytes()).expect("the example is right");
    let mut expected = servers(path);
    expected.servers[1].max_timeout = Some(Duration::from_secs(30 * 60));
    expected.servers[1].start_timeout = Some(Duration::from_secs(60));
    assert_eq!(from_settings(&settings, "the settings", &environment), expected);
    // The second example has no servers, and its keys are known.
    assert_eq!(servers_in(Path::new(path), blocks[1].as_bytes()).map(|servers| servers.len()).map_err(|error| error.to_string()), Ok(0));
}
