//! What to use where a program imports: there is nothing to import, and the tools take its place.

use codemode_core::text;

/// The message and the advice for an import of `specifier`, where that is known.
pub(super) fn refusal(specifier: Option<&str>) -> (String, String) {
    let Some(specifier) = specifier else {
        return ("imports are not available".to_owned(), format!("use a tool instead: {LIST}"));
    };
    (format!("imports are not available, so {:?} cannot be imported", text::prefix(specifier, 80)), advice(specifier))
}

const LIST: &str = "`list()` of the tools names them all";

fn advice(specifier: &str) -> String {
    let name = specifier.strip_prefix("node:").unwrap_or(specifier);
    let base = name.split('/').next().unwrap_or(name);
    match base {
        "fs" | "fs-extra" | "graceful-fs" => format!("read and write files with the tools for it: {LIST}"),
        "glob" | "fast-glob" | "globby" | "tinyglobby" => format!("find files with the tool for it: {LIST}"),
        "child_process" | "execa" | "shelljs" | "zx" | "cluster" | "worker_threads" => {
            format!("run commands with the tool for it, if there is one: {LIST}")
        }
        "http" | "https" | "net" | "axios" | "node-fetch" | "undici" | "got" | "ky" | "superagent" | "request" => {
            format!("fetch with the tool for it, if there is one: {LIST}")
        }
        "path" | "os" | "process" => "write paths as text, with `/` between their parts".to_owned(),
        "url" => "`URL` and `URLSearchParams` are globals: leave the import out".to_owned(),
        "util" => "`structuredClone`, `TextEncoder` and `TextDecoder` are globals, and `console.log` shows values".to_owned(),
        "crypto" | "uuid" | "nanoid" => "`crypto.randomUUID()` and `crypto.getRandomValues()` are globals".to_owned(),
        "timers" => "`await new Promise(resolve => setTimeout(resolve, 100))` waits: leave the import out".to_owned(),
        "perf_hooks" => "`performance.now()` is a global: leave the import out".to_owned(),
        "buffer" => "`TextEncoder`, `TextDecoder`, `atob` and `btoa` are globals".to_owned(),
        "lodash" | "lodash-es" | "underscore" | "ramda" => "write it with the methods of arrays and objects".to_owned(),
        "tools" | "codemode" | "@codemode" | "host" | "sdk" | "mcp" | "@modelcontextprotocol" => {
            "the tools are a global object: leave the import out".to_owned()
        }
        _ => format!("write it in the program itself, or use a tool: {LIST}"),
    }
}
