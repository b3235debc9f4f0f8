//! Files as the clients' own manuals show them.

use std::path::PathBuf;
use std::time::Duration;

use codemode_mcp::{Read, ServerConfig, TransportConfig};

use super::{FILE, environment, http, read, read_at, servers, stdio};

#[test]
fn claude_desktop() {
    let path = "/srv/ada/.config/Claude/claude_desktop_config.json";
    let text = r#"{
  "globalShortcut": "Ctrl+Space",
  "mcpServers": {
    "filesystem": {
      "command": "npx",
      "args": ["-y", "@modelcontextprotocol/server-filesystem", "/srv/ada/Desktop", "D:\\ada"]
    },
    "memory": { "command": "docker", "args": ["run", "-i", "--rm", "mcp/memory"], "env": {} },
    "brave-search": {
      "command": "npx",
      "args": ["-y", "@modelcontextprotocol/server-brave-search"],
      "env": { "BRAVE_API_KEY": "YOUR_API_KEY_HERE" }
    }
  }
}"#;
    let expected = servers(vec![
        stdio(path, "filesystem", "npx", &["-y", "@modelcontextprotocol/server-filesystem", "/srv/ada/Desktop", r"D:\ada"], &[]),
        stdio(path, "memory", "docker", &["run", "-i", "--rm", "mcp/memory"], &[]),
        stdio(path, "brave-search", "npx", &["-y", "@modelcontextprotocol/server-brave-search"], &[("BRAVE_API_KEY", "YOUR_API_KEY_HERE")]),
    ]);
    assert_eq!(read_at(path, text), expected);
}

#[test]
fn claude_code() {
    let text = r#"{
  "mcpServers": {
    "api-server": {
      "type": "http",
      "url": "${API_BASE_URL:-https://api.example.com}/mcp",
      "headers": { "Authorization": "Bearer ${TOKEN}" },
      "timeout": 600000
    },
    "database": {
      "type": "stdio",
      "command": "${HOME}/bin/db-server",
      "args": ["--config", "${CONFIG:-./db.json}", "--empty", "${EMPTY:-unset}", "${EMPTY}"],
      "env": { "DB_URL": "postgres://ada:${TOKEN}@localhost/db" }
    },
    "asana": { "type": "sse", "url": "https://mcp.asana.com/sse" }
  }
}"#;
    let mut api = http(FILE, "api-server", "https://api.example.com/mcp", &[("Authorization", "Bearer s3cret")]);
    api.timeout = Some(Duration::from_secs(600));
    let expected = Read {
        servers: vec![
            api,
            stdio(
                FILE,
                "database",
                "/srv/ada/bin/db-server",
                &["--config", "./db.json", "--empty", "unset", ""],
                &[("DB_URL", "postgres://ada:s3cret@localhost/db")],
            ),
        ],
        warnings: vec![
            "server `asana` of /srv/ada/app/.mcp.json is left out: its `type` is sse, the old transport, which is not supported: \
             write the address of its streamable HTTP, which often ends in /mcp, and `type` http"
                .to_owned(),
        ],
        ..Read::default()
    };
    assert_eq!(read(text), expected);
}

#[test]
fn cursor() {
    let path = "/srv/ada/app/.cursor/mcp.json";
    let text = r#"{
  "mcpServers": {
    "local": {
      "command": "python",
      "args": ["${workspaceFolder}/mcp-server.py", "${userHome}/.data"],
      "env": { "API_KEY": "${env:TOKEN}" },
      "envFile": ".env"
    },
    "remote": { "url": "http://localhost:3000/mcp", "headers": { "API_KEY": "value" } }
  }
}"#;
    let expected = Read {
        servers: vec![
            stdio(path, "local", "python", &["/srv/ada/app/mcp-server.py", "/srv/ada/.data"], &[("API_KEY", "s3cret")]),
            http(path, "remote", "http://localhost:3000/mcp", &[("API_KEY", "value")]),
        ],
        warnings: vec![
            "server `local` of /srv/ada/app/.cursor/mcp.json: `envFile` is not read: write its variables under `env`, or set them \
             before codemode starts"
                .to_owned(),
        ],
        ..Read::default()
    };
    assert_eq!(read_at(path, text), expected);
}

#[test]
fn visual_studio_code_with_inputs() {
    let path = "/srv/ada/app/.vscode/mcp.json";
    let text = r#"{
  // Inputs are asked for once, and kept in the keychain.
  "inputs": [
    { "type": "promptString", "id": "perplexity-key", "description": "Perplexity API Key", "password": true },
  ],
  "servers": {
    /* A server over HTTP. */
    "Github": { "url": "https://api.githubcopilot.com/mcp" },
    "Perplexity": {
      "type": "stdio",
      "command": "npx",
      "args": ["-y", "server-perplexity-ask"],
      "env": { "PERPLEXITY_API_KEY": "${input:perplexity-key}" },
    },
    "python": {
      "type": "stdio",
      "command": "${workspaceFolder}/.venv/bin/python",
      "args": ["-m", "server"],
      "cwd": "tools",
      "env": { "PORT": 3000, "UNSET": null },
      "dev": { "watch": "src/**/*.py" },
    },
  },
}"#;
    let mut python = stdio(path, "python", "/srv/ada/app/.venv/bin/python", &["-m", "server"], &[("PORT", "3000")]);
    if let TransportConfig::Stdio { cwd, .. } = &mut python.transport {
        *cwd = Some(PathBuf::from("/srv/ada/app/tools"));
    }
    let expected = Read {
        servers: vec![http(path, "Github", "https://api.githubcopilot.com/mcp", &[]), python],
        warnings: vec![
            "server `Perplexity` of /srv/ada/app/.vscode/mcp.json is left out: `env.PERPLEXITY_API_KEY`: it needs the input \
             `perplexity-key`, for which VS Code asks and codemode does not: put the value into a variable of the environment and \
             write ${NAME}"
                .to_owned(),
        ],
        ..Read::default()
    };
    assert_eq!(read_at(path, text), expected);
}

#[test]
fn cline_roo_gemini_and_windsurf() {
    let text = r#"{
  "mcpServers": {
    "cline": { "command": "node", "args": ["server.js"], "alwaysAllow": ["a"], "disabled": false, "timeout": 120 },
    "roo": { "type": "streamable-http", "url": "https://one.example/mcp", "disabled": true },
    "cline http": { "type": "streamableHttp", "url": "https://two.example/mcp", "autoApprove": [] },
    "gemini": { "httpUrl": "https://three.example/mcp", "timeout": 30000, "trust": true },
    "windsurf": { "serverUrl": "https://four.example/mcp", "disabledTools": [] },
    "copilot": { "type": "local", "command": "node", "tools": ["*"] },
    "fast": { "transport": "http", "url": "https://five.example/mcp" },
    "ours": { "command": "a", "enabled": false }
  }
}"#;
    let timed = |mut server: ServerConfig, seconds| {
        server.timeout = Some(Duration::from_secs(seconds));
        server
    };
    let expected = Read {
        servers: vec![
            timed(stdio(FILE, "cline", "node", &["server.js"], &[]), 120),
            http(FILE, "cline http", "https://two.example/mcp", &[]),
            timed(http(FILE, "gemini", "https://three.example/mcp", &[]), 30),
            http(FILE, "windsurf", "https://four.example/mcp", &[]),
            stdio(FILE, "copilot", "node", &[], &[]),
            http(FILE, "fast", "https://five.example/mcp", &[]),
        ],
        disabled: vec!["roo".to_owned(), "ours".to_owned()],
        warnings: Vec::new(),
    };
    assert_eq!(read(text), expected);
}

#[test]
fn codemode_is_not_its_own_server() {
    let text = r#"{
  "mcpServers": {
    "codemode": { "command": "/usr/local/bin/codemode", "args": ["serve", "--stdio"] },
    "windows": { "command": "cmd", "args": ["/c", "codemode.exe", "serve", "--stdio"] },
    "other": { "command": "other", "args": ["serve"] }
  }
}"#;
    let left_out = |name: &str| format!("server `{name}` of {FILE} is left out: it is codemode, which would start itself for ever");
    let expected = Read {
        servers: vec![stdio(FILE, "other", "other", &["serve"], &[])],
        warnings: vec![left_out("codemode"), left_out("windows")],
        ..Read::default()
    };
    assert_eq!(read(text), expected);
}

#[test]
fn both_sections_are_read_and_the_last_of_two_entries_counts() {
    let text = r#"{
  "servers": { "a": { "command": "first" }, "b": { "command": "b" }, "a": { "command": "second" } },
  "mcpServers": { "b": { "url": "https://b.example", "url": "https://c.example/" }, "": { "command": "nameless" } }
}"#;
    let expected = Read {
        servers: vec![
            stdio(FILE, "a", "second", &[], &[]),
            http(FILE, "b", "https://c.example/", &[]),
            stdio(FILE, "", "nameless", &[], &[]),
        ],
        warnings: vec![
            format!("server `a` of {FILE} is written twice: the last one counts"),
            format!("server `b` of {FILE} is written twice: the last one counts"),
        ],
        ..Read::default()
    };
    assert_eq!(read(text), expected);
}

#[test]
fn times_that_are_not_said_have_defaults() {
    let mut server = ServerConfig::stdio("a", "b", ["c"]);
    let seconds = Duration::from_secs;
    assert_eq!((server.silence_limit(), server.call_limit(), server.start_limit()), (seconds(60), seconds(600), seconds(30)));
    server.timeout = Some(seconds(900));
    assert_eq!((server.silence_limit(), server.call_limit(), server.start_limit()), (seconds(900), seconds(900), seconds(30)));
    server.max_timeout = Some(seconds(10));
    server.start_timeout = Some(seconds(1));
    assert_eq!((server.silence_limit(), server.call_limit(), server.start_limit()), (seconds(900), seconds(10), seconds(1)));
}

#[test]
fn the_environment_is_asked_for_what_is_written_alone() {
    let asked = std::cell::RefCell::new(Vec::new());
    let recording = |name: &str| {
        asked.borrow_mut().push(name.to_owned());
        environment(name)
    };
    let text = r#"{ "servers": {
        "on": { "command": "${HOME}/x", "args": ["${MISSING:-y}"] },
        "off": { "command": "${TOKEN}", "disabled": true }
    } }"#;
    let read = codemode_mcp::read_text(std::path::Path::new(FILE), text, &recording).expect("the file is right");
    assert_eq!(read.servers, vec![stdio(FILE, "on", "/srv/ada/x", &["y"], &[])]);
    assert_eq!(asked.into_inner(), ["HOME", "MISSING"]);
}

#[test]
fn what_is_shown_to_a_person_is_what_was_written() {
    let text = r#"{ "servers": {
        "started": { "command": "${BIN}/x", "args": ["${A:-b}"], "env": { "KEY": "${input:key}" }, "cwd": "${MISSING}/y" },
        "relative": { "command": "x", "cwd": "y" },
        "connected": { "url": "${BASE:-https://b.example}/mcp", "headers": { "A": "${MISSING}" } },
        "may be it": { "command": "codemode", "args": ["${A:-serve}"] },
        "itself": { "command": "codemode", "args": ["serve"] },
        "no address": { "url": "b.example/mcp" },
        "off": { "command": "off", "disabled": true }
    } }"#;
    let in_folder = |mut server: ServerConfig, folder: &str| {
        if let TransportConfig::Stdio { cwd, .. } = &mut server.transport {
            *cwd = Some(PathBuf::from(folder));
        }
        server
    };
    let expected = Read {
        servers: vec![
            in_folder(stdio(FILE, "started", "${BIN}/x", &["${A:-b}"], &[("KEY", "${input:key}")]), "${MISSING}/y"),
            in_folder(stdio(FILE, "relative", "x", &[], &[]), "y"),
            http(FILE, "connected", "${BASE:-https://b.example}/mcp", &[("A", "${MISSING}")]),
            stdio(FILE, "may be it", "codemode", &["${A:-serve}"], &[]),
        ],
        disabled: vec!["off".to_owned()],
        warnings: vec![
            format!("server `itself` of {FILE} is left out: it is codemode, which would start itself for ever"),
            format!("server `no address` of {FILE} is left out: `url` is no address that begins with http:// or https://"),
        ],
    };
    assert_eq!(codemode_mcp::read_as_written(std::path::Path::new(FILE), text), Ok(expected));
}
