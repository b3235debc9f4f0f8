//! Advice on names that other runtimes have and programs here do not: which listed tool does it.

use std::sync::Arc;

use codemode_core::Form;

/// What a program may look for, by the words of the tools that do it.
#[derive(Debug)]
struct Absent {
    names: &'static [&'static str],
    /// What there is not.
    what: &'static str,
    /// Words of names of tools that do it, the likeliest first; after `=`, whole names, since the word alone says too little.
    words: &'static [&'static str],
    /// What does it without a tool; empty where nothing does.
    instead: &'static str,
}

const ABSENT: &[Absent] = &[
    Absent {
        names: &["fetch", "XMLHttpRequest", "axios", "Headers", "Request", "Response", "FormData", "EventSource", "got"],
        what: "the network is not there",
        words: &["fetch", "http", "web", "url", "download", "browse", "=request", "=get"],
        instead: "",
    },
    Absent {
        names: &["WebSocket", "net", "http", "https", "dns"],
        what: "the network is not there",
        words: &["http", "fetch", "socket", "web"],
        instead: "",
    },
    Absent {
        names: &[
            "fs",
            "fsp",
            "readFileSync",
            "writeFileSync",
            "readFile",
            "writeFile",
            "readdirSync",
            "existsSync",
            "open",
            "glob",
            "File",
            "FileReader",
        ],
        what: "files are not there",
        words: &["file", "files", "directory", "folder", "grep", "glob", "=read", "=write", "=list", "=find"],
        instead: "",
    },
    Absent {
        names: &["child_process", "exec", "execSync", "spawn", "spawnSync", "execFile", "execFileSync", "subprocess", "shell", "$"],
        what: "processes are not there",
        words: &["execute", "bash", "command", "shell", "exec", "terminal", "=run"],
        instead: "",
    },
    Absent {
        names: &["process"],
        what: "process is not there: no environment, no arguments, no exit",
        words: &["execute", "bash", "command", "shell", "env"],
        instead: "end the program with return",
    },
    Absent { names: &["Deno", "Bun"], what: "this is no Deno and no Bun", words: &["file", "execute", "fetch"], instead: "" },
    Absent {
        names: &["module", "exports"],
        what: "modules are not there",
        words: &[],
        instead: "return the value, or write `export default`",
    },
    Absent {
        names: &["require", "define", "importScripts"],
        what: "modules are not there",
        words: &[],
        instead: "the language, console, URL, TextEncoder and structuredClone are there without them",
    },
    Absent {
        names: &["__dirname", "__filename"],
        what: "a program lies in no folder",
        words: &["directory", "folder", "=list", "=find"],
        instead: "",
    },
    Absent {
        names: &["path", "os", "util", "lodash", "_", "moment", "dayjs"],
        what: "modules are not there",
        words: &[],
        instead: "write the few lines that are needed",
    },
    Absent {
        names: &["Buffer"],
        what: "Buffer is not there",
        words: &[],
        instead: "use Uint8Array, TextEncoder, TextDecoder, atob and btoa",
    },
    Absent {
        names: &["window", "document", "self", "navigator", "location", "DOMParser", "HTMLElement", "jQuery"],
        what: "there is no page",
        words: &["browse", "page", "web", "fetch"],
        instead: "globalThis is the global object",
    },
    Absent {
        names: &["localStorage", "sessionStorage", "indexedDB"],
        what: "nothing is stored",
        words: &["store", "memory", "file", "=write"],
        instead: "",
    },
    Absent {
        names: &["alert", "confirm", "prompt", "input", "readline"],
        what: "nobody can be asked",
        words: &["ask", "question"],
        instead: "console.log shows text",
    },
    Absent {
        names: &["print", "printf", "println", "echo", "puts"],
        what: "it has another name here",
        words: &[],
        instead: "console.log shows text",
    },
    Absent {
        names: &["Worker", "SharedArrayBuffer", "Atomics", "WeakRef", "FinalizationRegistry"],
        what: "programs have one thread and no view of the collector",
        words: &[],
        instead: "Promise.all overlaps calls of tools",
    },
    Absent {
        names: &["True", "False", "None", "nil", "NULL", "len", "str", "dict", "elif", "def"],
        what: "this is JavaScript",
        words: &[],
        instead: "write true, false, null, .length, String()",
    },
];

/// The most tools that advice names.
const MOST_TOOLS: usize = 3;

/// Advice for a program that a name was missing to, made of the tools that are listed; nothing where the name says nothing.
///
/// `surface` is the name of the object that has the tools. The advice is at most a few hundred bytes long.
#[must_use]
pub fn hint(identifier: &str, names: &[Arc<str>], form: Form, surface: &str) -> Option<String> {
    if identifier == "tools" || identifier == "host" {
        return (identifier != surface).then(|| format!("the tools are {surface}.NAME(input) here"));
    }
    if matches!(identifier, "scratch" | "state") && form != Form::Cell {
        return Some("nothing is kept from run to run here: return what you need".to_owned());
    }
    if let Some(name) = names.iter().find(|name| ***name == *identifier) {
        return Some(call_of(name, form, surface));
    }
    let absent = ABSENT.iter().find(|absent| absent.names.contains(&identifier))?;
    let mut advice = absent.what.to_owned();
    let fitting = fitting(absent.words, names);
    if let Some(first) = fitting.first() {
        let all: Vec<&str> = fitting.iter().map(|name| codemode_core::text::prefix(name, 80)).collect();
        advice.push_str(&format!("; use {} ({})", all.join(", "), call_of(first, form, surface)));
    } else if !absent.words.is_empty() {
        advice.push_str(&format!("; no listed tool seems to do it: {surface}.list() shows what there is"));
    }
    if !absent.instead.is_empty() {
        advice.push_str("; ");
        advice.push_str(absent.instead);
    }
    Some(advice)
}

/// The name that a message of a `ReferenceError` says is not defined, in the words of either engine.
#[must_use]
pub fn missing_name(message: &str) -> Option<&str> {
    let assigned = || message.strip_prefix("cannot assign to uninitialized global property ");
    let name = message.strip_suffix(" is not defined").or_else(|| message.strip_suffix(" is not initialized")).or_else(assigned)?;
    let name = name.trim_matches(|quote| matches!(quote, '\'' | '"' | '`'));
    (!name.is_empty() && name.len() <= 80 && !name.contains(char::is_whitespace)).then_some(name)
}

/// How a tool is called.
fn call_of(name: &str, form: Form, surface: &str) -> String {
    let name = codemode_core::text::prefix(name, 80);
    match form {
        Form::Batch => format!("{surface}.call({name:?}, {{…}})"),
        _ if codemode_core::is_identifier(name) => format!("await {surface}.{name}({{…}})"),
        _ => format!("await {surface}[{name:?}]({{…}})"),
    }
}

/// Tools with one of the words in their names, those with the likelier word first.
fn fitting<'a>(words: &[&str], names: &'a [Arc<str>]) -> Vec<&'a str> {
    let mut fitting: Vec<&str> = Vec::new();
    for word in words {
        for name in names {
            let fits = match word.strip_prefix('=') {
                Some(whole) => name.eq_ignore_ascii_case(whole),
                None => parts(name).any(|part| part.eq_ignore_ascii_case(word)),
            };
            if fits && fitting.len() < MOST_TOOLS && !fitting.contains(&&**name) {
                fitting.push(name);
            }
        }
    }
    fitting
}

/// The words of a name: `read_file`, `readFile` and `files.read` have two each.
fn parts(name: &str) -> impl Iterator<Item = &str> {
    name.split(|character: char| !character.is_alphanumeric()).flat_map(|piece| {
        let mut starts: Vec<usize> = vec![0];
        let bytes = piece.as_bytes();
        starts.extend((1..bytes.len()).filter(|at| bytes[*at].is_ascii_uppercase() && bytes[*at - 1].is_ascii_lowercase()));
        starts.push(piece.len());
        starts.windows(2).map(|pair| &piece[pair[0]..pair[1]]).collect::<Vec<_>>()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(names: &[&str]) -> Vec<Arc<str>> {
        names.iter().map(|name| Arc::from(*name)).collect()
    }

    #[test]
    fn advice_names_the_tool_that_does_it() {
        let workspace = names(&["edit", "execute", "find", "grep", "list", "read_file", "web-fetch", "write_file"]);
        for (identifier, form, advice) in [
            ("fetch", Form::Program, Some("the network is not there; use web-fetch (await tools[\"web-fetch\"]({…}))")),
            ("fs", Form::Program, Some("files are not there; use read_file, write_file, grep (await tools.read_file({…}))")),
            ("execSync", Form::Batch, Some("processes are not there; use execute (tools.call(\"execute\", {…}))")),
            ("grep", Form::Program, Some("await tools.grep({…})")),
            ("Buffer", Form::Program, Some("Buffer is not there; use Uint8Array, TextEncoder, TextDecoder, atob and btoa")),
            ("print", Form::Program, Some("it has another name here; console.log shows text")),
            ("state", Form::Program, Some("nothing is kept from run to run here: return what you need")),
            ("host", Form::Program, Some("the tools are tools.NAME(input) here")),
            ("tools", Form::Program, None),
            ("state", Form::Cell, None),
            ("myVariable", Form::Program, None),
        ] {
            assert_eq!(hint(identifier, &workspace, form, "tools").as_deref(), advice, "{identifier}");
        }
        assert_eq!(
            hint("fetch", &names(&["add", "get_weather"]), Form::Program, "tools").as_deref(),
            Some("the network is not there; no listed tool seems to do it: tools.list() shows what there is")
        );
    }

    #[test]
    fn the_missing_name_is_read_from_either_engine() {
        for (message, name) in [
            ("'fetch' is not defined", Some("fetch")),
            ("fetch is not defined", Some("fetch")),
            ("x is not initialized", Some("x")),
            ("cannot assign to uninitialized global property `x`", Some("x")),
            ("what I want is not defined", None),
            ("something else", None),
            (" is not defined", None),
        ] {
            assert_eq!(missing_name(message), name);
        }
    }
}
