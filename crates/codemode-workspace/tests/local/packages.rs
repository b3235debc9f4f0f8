//! Which file an import names.

use std::path::Path;

use serde_json::json;

use crate::{Run, text};

/// A project with packages of each kind.
fn project() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (path, content) in [
        ("package.json", r##"{"name": "mine", "exports": {".": "./src/a.ts"}, "imports": {"#lib/*": "./src/*.ts", "#dual": "dual"}}"##),
        ("src/a.ts", ""),
        ("src/data.json", "{}"),
        ("src/deep/index.js", ""),
        (
            "node_modules/dual/package.json",
            r#"{"type": "module", "exports": {".": {"import": "./m.js", "require": "./c.cjs"}, "./f/*": "./lib/*.js"}}"#,
        ),
        ("node_modules/dual/m.js", ""),
        ("node_modules/dual/c.cjs", ""),
        ("node_modules/dual/lib/x.js", ""),
        ("node_modules/dual/secret.js", ""),
        ("node_modules/old/package.json", r#"{"main": "lib/main"}"#),
        ("node_modules/old/lib/main.js", ""),
        ("node_modules/@scope/p/index.js", ""),
        ("node_modules/broken/package.json", "{"),
        ("node_modules/broken/index.js", ""),
    ] {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().expect("a folder")).and_then(|()| std::fs::write(path, content)).expect("a file");
    }
    folder
}

fn resolved(root: &Path, specifier: &str, from: &str, require: bool) -> String {
    let arguments = json!({"specifier": specifier, "from": text(&root.join(from)), "require": require});
    match Run::new().with_bytes("module.resolve", arguments, &[]) {
        Ok(answer) => {
            let found = answer.value.tree();
            let path = found["path"].as_str().expect("a path");
            let path = path.strip_prefix(text(root)).unwrap_or(path);
            format!("{} {}", path.trim_start_matches('/'), found["format"].as_str().unwrap_or_default())
        }
        Err(fault) => format!("{}: {}", fault.code, fault.message.replace(text(root), "")),
    }
}

#[test]
fn names_lead_to_files_by_the_rules_of_node() {
    let folder = project();
    let root = folder.path().canonicalize().expect("it is there");
    for (specifier, from, require, expected) in [
        ("./a.ts", "src", false, "src/a.ts any"),
        ("./a", "src/b.js", false, "src/a.ts any"),
        ("./a.js", "src/b.js", false, "src/a.ts any"),
        ("./deep", "src", false, "src/deep/index.js any"),
        ("../src/data.json", "src", true, "src/data.json json"),
        ("dual", "src/a.ts", false, "node_modules/dual/m.js module"),
        ("dual", "src/a.ts", true, "node_modules/dual/c.cjs commonjs"),
        ("dual/f/x", "", false, "node_modules/dual/lib/x.js module"),
        ("old", "src/deep/index.js", false, "node_modules/old/lib/main.js any"),
        ("old/lib/main", "", true, "node_modules/old/lib/main.js any"),
        ("@scope/p", "", false, "node_modules/@scope/p/index.js any"),
        ("dual", "node_modules/old/lib/main.js", false, "node_modules/dual/m.js module"),
        ("mine", "src/a.ts", false, "src/a.ts any"),
        ("#lib/a", "src", false, "src/a.ts any"),
        ("#dual", "", true, "node_modules/dual/c.cjs commonjs"),
        (
            "dual/secret.js",
            "",
            false,
            "ERR_PACKAGE_PATH_NOT_EXPORTED: Package subpath './secret.js' is not defined by \"exports\" in /node_modules/dual/package.json imported from /",
        ),
        ("nope", "src/a.ts", false, "ERR_MODULE_NOT_FOUND: Cannot find package 'nope' imported from /src/a.ts"),
        ("nope", "src/a.ts", true, "MODULE_NOT_FOUND: Cannot find module 'nope', required from /src/a.ts"),
        ("./nope", "src/a.ts", false, "ERR_MODULE_NOT_FOUND: Cannot find module '/src/./nope' imported from /src/a.ts"),
        ("#no", "", false, "ERR_PACKAGE_IMPORT_NOT_DEFINED: Package import specifier \"#no\" is not defined imported from /"),
    ] {
        assert_eq!(resolved(&root, specifier, from, require), expected, "{specifier} from {from}");
    }
    assert!(
        resolved(&root, "broken", "", false)
            .starts_with("ERR_INVALID_PACKAGE_CONFIG: Invalid package config /node_modules/broken/package.json: ")
    );
}

#[test]
fn an_address_of_a_file_is_its_path() {
    let folder = project();
    let root = folder.path().canonicalize().expect("it is there");
    std::fs::write(root.join("with space.mjs"), "").expect("a file");
    let address = format!("file://{}/with%20space.mjs?v=1", text(&root));
    assert_eq!(resolved(&root, &address, "", false), "with space.mjs module");
}
