//! A folder of the test's own with the configuration of two real servers, and the command in it.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

/// What a client must bring, where the server is reached over HTTP.
pub(crate) const TOKEN: &str = "a-token-of-the-test";

/// Where `cargo xtask peers` put the peers.
pub(crate) fn peers() -> PathBuf {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("a folder in cargo's target folder");
    let peers = target.join("peers");
    assert!(peers.join("installed").is_file(), "the peers are not installed: run `cargo xtask peers`");
    peers
}

/// A file of `tests/peers`.
pub(crate) fn script(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/peers").join(name)
}

/// A folder in which the command finds nothing but what the test put there.
pub(crate) struct Place {
    folder: TempDir,
}

impl Place {
    /// With `servers.json`, which configures server-everything and the server of `tests/peers/server.py`.
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let place = Self { folder };
        let everything = json!({"command": peers().join("node_modules/.bin/mcp-server-everything"), "args": ["stdio"]});
        // The command is given by variables, as people share such files.
        let team = json!({"command": "${PYTHON:-python-is-not-set}", "args": ["${TEAM}"]});
        place.write("servers.json", &json!({"mcpServers": {"everything": everything, "team": team}}).to_string());
        place
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.folder.path().canonicalize().expect("there")
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        fs::write(self.folder.path().join(name), text).expect("written");
    }

    /// A program in this folder, with an environment in which the command has folders of the test's own.
    pub(crate) fn program(&self, program: impl AsRef<Path>) -> Command {
        let mut command = Command::new(program.as_ref());
        command.current_dir(self.folder.path()).stdin(Stdio::null());
        for variable in ["CONFIG", "STATE", "CACHE"] {
            command.env(format!("CODEMODE_{variable}_DIR"), self.folder.path().join(variable.to_lowercase()));
        }
        for variable in ["CODEMODE_CODE_MODE", "CODEMODE_LOG", "CODEMODE_TOKEN"] {
            command.env_remove(variable);
        }
        command.env("PYTHON", peers().join("venv/bin/python")).env("TEAM", script("server.py"));
        command
    }

    pub(crate) fn codemode(&self, arguments: &[&str]) -> Command {
        let mut command = self.program(env!("CARGO_BIN_EXE_codemode"));
        command.args(arguments);
        command
    }

    /// The command as a client starts it: what goes into the client's configuration.
    pub(crate) fn stdio(&self, more: &[&str]) -> Value {
        let arguments: Vec<&str> = ["serve", "--stdio", "--mcp-config", "servers.json"].into_iter().chain(more.iter().copied()).collect();
        json!({"command": env!("CARGO_BIN_EXE_codemode"), "args": arguments})
    }

    /// Serves over HTTP on a free port until the value is dropped.
    pub(crate) fn http(&self, more: &[&str]) -> Http {
        let mut command = self.codemode(&["serve", "--http", "0", "--mcp-config", "servers.json"]);
        let mut child =
            command.args(more).env("CODEMODE_TOKEN", TOKEN).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("started");
        let mut lines = BufReader::new(child.stderr.take().expect("piped")).lines().map_while(Result::ok);
        let mut said = Vec::new();
        let url = loop {
            let line = lines.next().unwrap_or_else(|| panic!("it ended without serving: {said:?}"));
            match line.strip_prefix("serving code mode at ").and_then(|rest| rest.strip_suffix(", with a token")) {
                Some(url) => break url.to_owned(),
                None => said.push(line),
            }
        };
        // What it says later is read, so that it never waits for a reader.
        std::thread::spawn(move || lines.for_each(drop));
        Http { child, url }
    }
}

/// A server that listens.
pub(crate) struct Http {
    child: Child,
    pub(crate) url: String,
}

impl Http {
    /// What goes into a client's configuration.
    pub(crate) fn with_token(&self) -> Value {
        json!({"url": self.url, "token": TOKEN})
    }

    /// Asks it to end, and gives its exit code.
    pub(crate) fn end(mut self) -> Option<i32> {
        let id = rustix::process::Pid::from_child(&self.child);
        rustix::process::kill_process(id, rustix::process::Signal::TERM).expect("it runs");
        self.child.wait().expect("ended").code()
    }
}

impl Drop for Http {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
