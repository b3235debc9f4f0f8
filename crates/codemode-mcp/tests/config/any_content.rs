//! Whatever a file holds, reading it ends in servers, warnings or an error: all bounded, and none with a secret.

use std::io::Write as _;
use std::path::Path;

use codemode_mcp::{Read, ServerConfig, TransportConfig, read_as_written, read_file, read_text};
use proptest::prelude::*;

/// The value of each variable that is set: whatever is said about a file, this is not in it.
const SECRET: &str = "s3cret";

fn environment(name: &str) -> Option<String> {
    match name {
        "ADDRESS" => Some(format!("https://{SECRET}.example")),
        "DOCTOR" => Some("doctor".to_owned()),
        _ => match name.len() % 4 {
            0 => None,
            1 => Some(SECRET.to_owned()),
            2 => Some(format!("{SECRET}\n\u{1b}\0{SECRET}")),
            _ => Some(String::new()),
        },
    }
}

/// Holds what is promised of each outcome.
fn hold(read: &Read) -> Result<(), TestCaseError> {
    prop_assert!(read.warnings.len() <= 101);
    for warning in &read.warnings {
        prop_assert!(warning.len() <= 600, "{}", warning);
        prop_assert!(!warning.contains(char::is_control), "{:?}", warning);
        prop_assert!(!warning.contains(SECRET), "{}", warning);
    }
    let mut names = std::collections::BTreeSet::new();
    for server in &read.servers {
        prop_assert!(names.insert(&server.name), "two servers of the name {:?}", server.name);
        let shown = format!("{server:?}");
        prop_assert!(!shown.contains(SECRET) || command_of(server).contains(SECRET), "{}", shown);
        match &server.transport {
            TransportConfig::Stdio { command, args, env, .. } => {
                prop_assert!(!command.trim().is_empty());
                let nul = std::iter::once(command).chain(args).chain(env.keys()).chain(env.values()).any(|text| text.contains('\0'));
                prop_assert!(!nul);
            }
            TransportConfig::Http { headers, .. } => {
                prop_assert!(headers.values().all(|value| !value.contains(['\n', '\r', '\0'])));
            }
        }
    }
    Ok(())
}

/// A command and its folder are shown by `Debug`: nobody keeps secrets there.
fn command_of(server: &ServerConfig) -> String {
    match &server.transport {
        TransportConfig::Stdio { command, cwd, .. } => format!("{command}{cwd:?}"),
        TransportConfig::Http { .. } => String::new(),
    }
}

/// Text as it stands in a file's fields: variables in all forms, whole and broken.
fn words() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        Just("${"),
        Just("}"),
        Just(":-"),
        Just("${A}"),
        Just("${AB}"),
        Just("${ABC:-"),
        Just("${DOCTOR:-\u{0}}"),
        Just("${DOCTOR:-\n}"),
        Just("${ABCD}"),
        Just("${input:"),
        Just("${env:A}"),
        Just("$"),
        Just("{"),
        Just("/"),
        Just(" "),
        Just("https://"),
        Just("codemode"),
        Just("serve"),
        Just("sh"),
        Just("-c"),
        Just("é"),
        Just("\u{202e}"),
        Just("\u{0}"),
        Just("\n"),
        Just("stdio"),
        Just("http"),
        Just("sse"),
    ];
    proptest::collection::vec(word, 0..6).prop_map(|words| words.concat())
}

/// A value of any shape, with the texts and names that mean something.
fn value() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(serde_json::Value::from),
        any::<f64>().prop_map(serde_json::Value::from),
        any::<i64>().prop_map(serde_json::Value::from),
        words().prop_map(serde_json::Value::from),
    ];
    leaf.prop_recursive(4, 48, 6, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..6).prop_map(serde_json::Value::from),
            proptest::collection::vec((field(), inner), 0..6).prop_map(|fields| serde_json::Value::Object(fields.into_iter().collect())),
        ]
    })
}

fn field() -> impl Strategy<Value = String> {
    let known = proptest::sample::select(vec![
        "mcpServers",
        "servers",
        "command",
        "args",
        "env",
        "cwd",
        "url",
        "httpUrl",
        "headers",
        "type",
        "transport",
        "disabled",
        "enabled",
        "timeout",
        "envFile",
        "inputs",
    ]);
    prop_oneof![4 => known.prop_map(str::to_owned), 1 => words()]
}

/// Words behind one of these, which make something of them that passes.
fn behind(starts: &'static [&'static str]) -> impl Strategy<Value = String> {
    prop_oneof![1 => words(), 3 => (proptest::sample::select(starts), words()).prop_map(|(start, words)| format!("{start}{words}"))]
}

/// A server whose fields mostly have the right types, so that what lies behind the types is reached.
fn server() -> impl Strategy<Value = serde_json::Value> {
    let optional = |name: &'static str, text| proptest::option::weighted(0.5, text).prop_map(move |text| (name, text));
    let map = || proptest::collection::btree_map(words(), words(), 0..3);
    let command = behind(&["codemode", "sh", "${A}", "${DOCTOR}"]).boxed();
    let url = behind(&["https://a", "${ADDRESS}", "${ABC:-https://a}", "${A}"]).boxed();
    let args = proptest::collection::vec(behind(&["-c", "codemode ", "serve", "${DOCTOR:-serve}", "${DOCTOR:- serve }"]), 0..4);
    (optional("command", command), optional("url", url), optional("cwd", words().boxed()), args, map(), map()).prop_map(
        |(command, url, cwd, args, env, headers)| {
            let mut server = serde_json::json!({"args": args, "env": env, "headers": headers});
            for (name, text) in [command, url, cwd] {
                if let Some(text) = text {
                    server[name] = text.into();
                }
            }
            server
        },
    )
}

fn read(path: &str, text: &str) -> Result<(), TestCaseError> {
    match read_text(Path::new(path), text, &environment) {
        Ok(read) => {
            hold(&read)?;
            let shown = read_as_written(Path::new(path), text).map_err(|error| TestCaseError::fail(error.to_string()))?;
            for server in &read.servers {
                prop_assert!(shown.servers.iter().any(|other| other.name == server.name), "{:?} was not shown: {}", server.name, text);
            }
            Ok(())
        }
        Err(error) => {
            prop_assert!(error.to_string().len() <= 1024);
            prop_assert_eq!(read_as_written(Path::new(path), text), Err(error));
            Ok(())
        }
    }
}

proptest! {
    #[test]
    fn any_bytes_in_a_file(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        let mut file = tempfile::NamedTempFile::new().expect("a file");
        file.write_all(&bytes).expect("the file is written");
        match read_file(file.path(), &environment) {
            Ok(read) => hold(&read)?,
            Err(error) => prop_assert!(error.to_string().len() <= 1024),
        }
    }

    #[test]
    fn any_text(text in any::<String>(), path in any::<String>()) {
        read(&path, &text)?;
    }

    #[test]
    fn text_that_looks_like_json(text in "[\\[\\]{}\",:/*\\\\ \n\t0-9a-z.+${}-]{0,80}") {
        read("mcp.json", &text)?;
    }

    #[test]
    fn any_json(value in value()) {
        read("mcp.json", &value.to_string())?;
    }

    #[test]
    fn any_fields_of_servers(entries in proptest::collection::vec((words(), value()), 0..4)) {
        let servers: serde_json::Map<String, serde_json::Value> = entries.into_iter().collect();
        read("/a/.vscode/mcp.json", &serde_json::json!({ "servers": servers }).to_string())?;
    }

    #[test]
    fn any_text_of_servers(entries in proptest::collection::vec((words(), server()), 0..4)) {
        let servers: serde_json::Map<String, serde_json::Value> = entries.into_iter().collect();
        read("/a/.vscode/mcp.json", &serde_json::json!({ "mcpServers": servers }).to_string())?;
    }

    /// A file that was cut off while it was written, or has one byte wrong.
    #[test]
    fn a_damaged_file(value in server(), at in any::<proptest::sample::Index>(), byte in any::<u8>(), cut in any::<bool>()) {
        let mut bytes = serde_json::json!({ "servers": { "a": value } }).to_string().into_bytes();
        let at = at.index(bytes.len());
        if cut {
            bytes.truncate(at);
        } else {
            bytes[at] = byte;
        }
        read("mcp.json", &String::from_utf8_lossy(&bytes))?;
    }
}
