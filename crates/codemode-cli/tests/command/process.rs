//! Starts the command in a folder of the test's own, and says what came of it.

use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::Mode;
use tempfile::TempDir;

/// A folder with a few files, in which the command runs.
pub(crate) struct Place {
    folder: TempDir,
}

/// What came of one run of the command.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Place {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        fs::create_dir(folder.path().join("root")).expect("a root");
        fs::create_dir(folder.path().join("temporary")).expect("a folder for temporary files");
        fs::create_dir_all(folder.path().join("own/config")).expect("a folder for settings");
        Self { folder }
    }

    /// The folder in which the command runs: absolute, without symbolic links.
    pub(crate) fn root(&self) -> PathBuf {
        self.folder.path().join("root").canonicalize().expect("there")
    }

    /// The folder for temporary files.
    pub(crate) fn temporary(&self) -> PathBuf {
        self.folder.path().join("temporary")
    }

    /// The folder of the user's own: settings, what is trusted, what is remembered.
    pub(crate) fn own(&self) -> PathBuf {
        self.folder.path().join("own").canonicalize().expect("there")
    }

    /// Writes the user's own settings.
    pub(crate) fn write_settings(&self, text: &str) {
        fs::write(self.own().join("config/codemode.toml"), text).expect("written");
    }

    /// A server of the tests' own, as a client's configuration says it: `name` is what it calls itself.
    pub(crate) fn server(&self, name: &str, more: &[&str]) -> serde_json::Value {
        let script = self.folder.path().join("server.py");
        fs::write(&script, include_str!("server.py")).expect("written");
        let script = script.to_string_lossy().into_owned();
        let arguments: Vec<&str> = [&script, name].into_iter().chain(more.iter().copied()).collect();
        serde_json::json!({"command": "python3", "args": arguments})
    }

    /// Writes a client's configuration with these servers.
    pub(crate) fn write_servers(&self, path: &str, servers: serde_json::Value) {
        self.write(path, &serde_json::json!({"mcpServers": servers}).to_string());
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.root().join(path);
        fs::create_dir_all(path.parent().expect("in the root")).expect("made");
        fs::write(path, text).expect("written");
    }

    pub(crate) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.root().join(path)).expect("there")
    }

    /// The command with these arguments, and nothing of the test's own environment that it reads.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_codemode"));
        command.args(arguments).current_dir(self.root()).env("TMPDIR", self.temporary()).env("TERM", "xterm");
        let own = self.own();
        command.env("HOME", &own).env("CODEMODE_CONFIG_DIR", own.join("config"));
        command.env("CODEMODE_STATE_DIR", own.join("state")).env("CODEMODE_CACHE_DIR", own.join("cache"));
        for variable in [
            "CODEMODE_LOG",
            "CODEMODE_CODE_MODE",
            "CODEMODE_DEPTH",
            "CODEMODE_TOKEN",
            "XDG_CONFIG_HOME",
            "NO_COLOR",
            "CLICOLOR",
            "CLICOLOR_FORCE",
            "COLUMNS",
        ] {
            command.env_remove(variable);
        }
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        Ran::of(self.command(arguments).output().expect("started"))
    }

    pub(crate) fn run_with_input(&self, arguments: &[&str], input: &[u8]) -> Ran {
        let mut child = self.start(self.command(arguments).stdin(Stdio::piped()));
        child.stdin.take().expect("piped").write_all(input).expect("read");
        Ran::of(child.wait_with_output().expect("ended"))
    }

    pub(crate) fn start(&self, command: &mut Command) -> Child {
        command.spawn().expect("started")
    }

    /// Makes a named pipe that nobody opens: opening it waits for ever.
    pub(crate) fn pipe(&self, name: &str) -> PathBuf {
        let path = self.root().join(name);
        rustix::fs::mknodat(rustix::fs::CWD, &path, rustix::fs::FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).expect("a named pipe");
        path
    }

    /// Makes a named pipe that tells whether a process which opens it is still there.
    pub(crate) fn life(&self, name: &str) -> Life {
        let path = self.pipe(name);
        let flags = rustix::fs::OFlags::RDONLY | rustix::fs::OFlags::NONBLOCK;
        Life(rustix::fs::open(path, flags, Mode::empty()).expect("opened").into())
    }

    /// Makes a named pipe through which the test and a program meet, so that neither sleeps.
    pub(crate) fn meeting(&self, name: &str) -> Meeting {
        let path = self.pipe(name);
        // Both ends: so that the program's opening of either waits for nobody.
        Meeting(File::options().read(true).write(true).open(path).expect("opened"))
    }
}

/// A named pipe, open at both ends.
pub(crate) struct Meeting(File);

impl Meeting {
    /// Waits until the program has written something, which is the end of the test if it does not.
    pub(crate) fn wait(&mut self) -> u8 {
        let limit = Timespec { tv_sec: 30, tv_nsec: 0 };
        let mut wanted = [PollFd::new(&self.0, PollFlags::IN)];
        assert_eq!(poll(&mut wanted, Some(&limit)), Ok(1), "the program wrote nothing");
        let mut byte = [0];
        self.0.read_exact(&mut byte).expect("there");
        byte[0]
    }

    /// Lets the program read this.
    pub(crate) fn tell(&mut self, byte: u8) {
        self.0.write_all(&[byte]).expect("room");
    }
}

/// A named pipe that another process writes to and holds: it tells when that has ended.
pub(crate) struct Life(File);

impl Life {
    /// Waits until the process has written something.
    pub(crate) fn wait(&mut self) {
        self.wait_for(PollFlags::IN);
        assert_eq!(self.0.read(&mut [0]).expect("there"), 1);
    }

    /// Waits until the process is gone.
    pub(crate) fn wait_for_end(self) {
        self.wait_for(PollFlags::HUP);
    }

    fn wait_for(&self, flag: PollFlags) {
        let limit = Timespec { tv_sec: 30, tv_nsec: 0 };
        let mut wanted = [PollFd::new(&self.0, flag)];
        assert_eq!(poll(&mut wanted, Some(&limit)), Ok(1), "the process did not get that far");
        assert!(wanted[0].revents().contains(flag), "{:?}", wanted[0].revents());
    }
}

impl Ran {
    pub(crate) fn of(output: Output) -> Self {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
        Self { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
    }

    /// An end with this code, this standard output and nothing on standard error.
    pub(crate) fn quiet(code: i32, stdout: &str) -> Self {
        Self { code: Some(code), stdout: stdout.to_owned(), stderr: String::new() }
    }

    /// The same with the time that stands in an outcome's header replaced by `_`.
    pub(crate) fn timeless(mut self) -> Self {
        let (before, after) = (", ", "s compute)");
        if let Some(end) = self.stdout.find(after)
            && let Some(start) = self.stdout[..end].rfind(before)
        {
            self.stdout.replace_range(start + before.len()..end, "_");
        }
        self
    }

    /// Standard output as JSON on one line, with what differs from run to run replaced.
    pub(crate) fn json(&self) -> serde_json::Value {
        assert_eq!(self.stdout.matches('\n').count(), 1, "{self:?}");
        let mut json: serde_json::Value = serde_json::from_str(&self.stdout).expect("JSON");
        for (place, kind) in [
            ("/usage/compute_ms", "number"),
            ("/usage/wall_ms", "number"),
            ("/usage/memory_peak_bytes", "number"),
            ("/usage/processor_ms", "number"),
            ("/run", "text"),
            ("/calls/0/ms", "number"),
            ("/evidence/elapsed_ms", "number"),
        ] {
            if let Some(value) = json.pointer_mut(place) {
                assert!(if kind == "number" { value.is_u64() } else { value.is_string() }, "{place}: {value}");
                *value = serde_json::Value::from("_");
            }
        }
        json
    }
}

/// A path in the repository.
pub(crate) fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}
