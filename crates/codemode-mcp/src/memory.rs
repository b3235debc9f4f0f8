//! Signatures that are remembered from one process to the next.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use codemode_core::{Annotations, Json, ToolSpec};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::client::{Tools, full_name, name_problem};
use crate::config::{ServerConfig, TransportConfig};

/// The form of the files; another one is not read.
const FORM: u32 = 1;
/// The largest file that is read or written.
const FILE_BYTES: u64 = 32 << 20;
/// The most files that are kept; the ones that were not written for the longest time go first.
const MOST_FILES: usize = 200;

/// A folder of remembered signatures: what each server listed, one file a server.
///
/// A file is found by a hash of the server's configuration, in which values of its environment and of its headers have no
/// part; nothing of the configuration but the server's name is stored. What cannot be read counts as not there, and what
/// cannot be written is not remembered. At most 200 files of at most 32 MiB are kept.
#[derive(Debug, Clone)]
pub struct Memory {
    folder: PathBuf,
}

/// What one server listed.
#[derive(Serialize, Deserialize)]
struct Stored {
    form: u32,
    server: String,
    version: Option<String>,
    tools: Vec<Kept>,
}

/// One tool, without what is made of the server's prefix.
#[derive(Serialize, Deserialize)]
struct Kept {
    name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    description: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    input: Option<Json>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    output: Option<Json>,
    #[serde(default)]
    annotations: Annotations,
}

impl Memory {
    /// Signatures in this folder, which is made when there is something to keep.
    #[must_use]
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into() }
    }

    /// What a server listed the last time, if that is remembered.
    pub(crate) fn recall(&self, config: &ServerConfig, prefix: &Arc<str>) -> Option<Tools> {
        let mut text = String::new();
        let file = File::open(self.file(config)).ok()?;
        file.take(FILE_BYTES + 1).read_to_string(&mut text).ok()?;
        if text.len() as u64 > FILE_BYTES {
            return None;
        }
        let file: Stored = serde_json::from_str(&text).ok()?;
        if file.form != FORM {
            return None;
        }
        Some(file.tools.into_iter().filter(|kept| name_problem(&kept.name).is_none()).map(|kept| Arc::new(kept.spec(prefix))).collect())
    }

    /// Remembers what a server listed.
    pub(crate) fn keep(&self, config: &ServerConfig, version: Option<&str>, tools: &[Arc<ToolSpec>]) {
        let file = Stored {
            form: FORM,
            server: config.name.clone(),
            version: version.map(str::to_owned),
            tools: tools.iter().map(|tool| Kept::of(tool)).collect(),
        };
        if let Err(error) = self.write(config, &file) {
            tracing::debug!(server = config.name, %error, "signatures could not be remembered");
        }
    }

    fn write(&self, config: &ServerConfig, file: &Stored) -> io::Result<()> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let text = serde_json::to_vec(file)?;
        let path = self.file(config);
        if text.len() as u64 > FILE_BYTES {
            return Ok(());
        }
        fs::create_dir_all(&self.folder)?;
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let beside = path.with_extension(format!("{}-{number}.new", std::process::id()));
        let written = File::create(&beside).and_then(|mut file| file.write_all(&text)).and_then(|()| fs::rename(&beside, &path));
        if written.is_err() {
            let _ = fs::remove_file(&beside);
        }
        written?;
        forget_oldest(&self.folder)
    }

    fn file(&self, config: &ServerConfig) -> PathBuf {
        let mut name = fingerprint(config);
        name.push_str(".json");
        self.folder.join(name)
    }
}

/// A hash of what a server is, without values that may be secrets.
fn fingerprint(config: &ServerConfig) -> String {
    let what = match &config.transport {
        TransportConfig::Stdio { command, args, env, cwd } => {
            serde_json::json!([
                "stdio",
                config.name,
                command,
                args,
                env.keys().collect::<Vec<_>>(),
                cwd.as_deref().map(Path::to_string_lossy)
            ])
        }
        TransportConfig::Http { url, headers } => serde_json::json!(["http", config.name, url, headers.keys().collect::<Vec<_>>()]),
    };
    let hash = Sha256::digest(what.to_string());
    hash.iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}

fn forget_oldest(folder: &Path) -> io::Result<()> {
    let mut files: Vec<_> = fs::read_dir(folder)?
        .filter_map(Result::ok)
        .filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path())))
        .filter(|(_, path)| path.extension().is_some_and(|ending| ending == "json" || ending == "new"))
        .collect();
    if files.len() > MOST_FILES {
        files.sort();
        let over = files.len() - MOST_FILES;
        files.into_iter().take(over).try_for_each(|(_, path)| fs::remove_file(path))?;
    }
    Ok(())
}

impl Kept {
    fn of(tool: &ToolSpec) -> Self {
        Self {
            name: tool.short_name.to_string(),
            title: tool.title.clone(),
            description: tool.description.clone(),
            input: tool.input_schema.clone(),
            output: tool.output_schema.clone(),
            annotations: tool.annotations,
        }
    }

    fn spec(self, prefix: &Arc<str>) -> ToolSpec {
        let mut spec = ToolSpec::new(full_name(prefix, &self.name)).in_namespace(Arc::clone(prefix), self.name);
        spec.title = self.title;
        spec.description = self.description;
        spec.input_schema = self.input;
        spec.output_schema = self.output;
        spec.annotations = self.annotations;
        spec
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn config(token: &str, argument: &str) -> ServerConfig {
        let mut config = ServerConfig::stdio("files", "server", [argument]);
        if let TransportConfig::Stdio { env, .. } = &mut config.transport {
            *env = BTreeMap::from([("TOKEN".to_owned(), token.to_owned())]);
        }
        config
    }

    fn tools() -> Vec<Arc<ToolSpec>> {
        let mut tool = ToolSpec::new("a__read").in_namespace("a", "read").with_description("Reads");
        tool.title = Some("Read".to_owned());
        tool.input_schema = Some(Json::parse(r#"{"type":"object","required":["n"]}"#).expect("json"));
        tool.output_schema = Some(Json::parse(r#"{"type":"object"}"#).expect("json"));
        tool.annotations = Annotations::read_only();
        vec![Arc::new(tool), Arc::new(ToolSpec::new("a__write").in_namespace("a", "write"))]
    }

    #[test]
    fn what_was_listed_is_there_in_the_next_process_whatever_the_secrets_are() {
        let folder = tempfile::tempdir().expect("a folder");
        let memory = Memory::new(folder.path().join("deep/er"));
        let prefix: Arc<str> = "a".into();
        assert_eq!(memory.recall(&config("s3cret", "x"), &prefix), None);
        memory.keep(&config("s3cret", "x"), Some("files 1.0"), &tools());
        assert_eq!(memory.recall(&config("0ther", "x"), &prefix).as_deref(), Some(tools().as_slice()));
        assert_eq!(memory.recall(&config("s3cret", "y"), &prefix), None);
        let names = |tools: Tools| tools.iter().map(|tool| tool.name.to_string()).collect::<Vec<_>>();
        assert_eq!(memory.recall(&config("s3cret", "x"), &"b".into()).map(names), Some(vec!["b__read".to_owned(), "b__write".to_owned()]));
        let stored: Vec<_> =
            fs::read_dir(folder.path().join("deep/er")).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
        assert_eq!(stored.len(), 1, "{stored:?}");
        let text = fs::read_to_string(&stored[0]).expect("a file");
        assert!(!text.contains("s3cret") && !text.contains("TOKEN"), "{text}");
    }

    #[test]
    fn what_cannot_be_read_is_not_there() {
        let folder = tempfile::tempdir().expect("a folder");
        let memory = Memory::new(folder.path());
        let (config, prefix) = (config("", "x"), Arc::from("a"));
        for text in ["", "{", r#"{"form":2,"server":"files","version":null,"tools":[]}"#, "\u{0}"] {
            fs::write(memory.file(&config), text).expect("written");
            assert_eq!(memory.recall(&config, &prefix), None, "{text}");
        }
        let nameless =
            r#"{"form":1,"server":"files","version":null,"tools":[{"name":"","description":"x"},{"name":"b","description":"y"}]}"#;
        fs::write(memory.file(&config), nameless).expect("written");
        let expected = ToolSpec::new("a__b").in_namespace("a", "b").with_description("y");
        assert_eq!(memory.recall(&config, &prefix).as_deref(), Some([Arc::new(expected)].as_slice()));
    }

    #[test]
    fn files_are_bounded_in_number() {
        let folder = tempfile::tempdir().expect("a folder");
        let memory = Memory::new(folder.path());
        for number in 0..MOST_FILES + 5 {
            memory.keep(&config("", &number.to_string()), None, &[]);
        }
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), MOST_FILES);
    }
}
