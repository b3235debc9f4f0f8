//! Finding the file that an import or a `require` names, in projects and in `node_modules`.

use std::fs;
use std::path::{Path, PathBuf};

use codemode_core::{LocalAnswer, LocalFault};
use serde_json::{Value, json};

use super::arguments::Arguments;
use super::fault;
use super::output::answer;
use super::resolve::{self, Target};

/// The largest `package.json` that is read, in bytes.
const MOST_DESCRIPTION: u64 = 1 << 20;
/// Tried after a name that is no file, in this order. Node tries none of them for `import`; projects in TypeScript and bundled ones lean on it.
const ENDINGS: &[&str] = &[".js", ".json", ".mjs", ".cjs", ".ts", ".mts", ".cts"];
/// How often `imports` may lead on to another name.
const MOST_STEPS: u32 = 8;

/// Gives the file that `specifier` names in the file or folder `from`, and its format.
pub(super) fn resolve(given: &Arguments<'_>) -> Result<LocalAnswer, LocalFault> {
    let specifier = given.needed("specifier")?;
    let from = given.path("from")?;
    let folder = if from.is_dir() { from.clone() } else { from.parent().map_or_else(|| PathBuf::from("/"), Path::to_path_buf) };
    let finder = Finder { specifier, folder, from, require: given.flag("require") };
    let found = finder.find(specifier, 0)?;
    let path = fs::canonicalize(&found).map_err(|error| fault::of(&error, "realpath", &found))?;
    answer(&json!({"path": path.to_string_lossy(), "format": format(&path)}))
}

struct Finder<'a> {
    specifier: &'a str,
    from: PathBuf,
    folder: PathBuf,
    require: bool,
}

impl Finder<'_> {
    fn find(&self, specifier: &str, steps: u32) -> Result<PathBuf, LocalFault> {
        if let Some(url) = specifier.strip_prefix("file://") {
            let path = percent_decoded(url.split(['?', '#']).next().unwrap_or(url));
            return self.file(Path::new(&path));
        }
        if specifier.starts_with('/') {
            return self.file(Path::new(specifier));
        }
        if matches!(specifier, "." | "..") || specifier.starts_with("./") || specifier.starts_with("../") {
            return self.file(&self.folder.join(specifier));
        }
        if specifier.starts_with('#') {
            return self.imported(specifier, steps);
        }
        let Some((name, subpath)) = resolve::package(specifier) else {
            return Err(fault::said(
                "ERR_INVALID_MODULE_SPECIFIER",
                format!("Invalid module {:?} imported from {}", shown(specifier), self.importer()),
            ));
        };
        self.in_package(name, &subpath)
    }

    fn conditions(&self) -> &'static [&'static str] {
        if self.require { resolve::REQUIRE } else { resolve::IMPORT }
    }

    fn imported(&self, name: &str, steps: u32) -> Result<PathBuf, LocalFault> {
        let own = own_package(&self.folder);
        let target = own
            .as_ref()
            .and_then(|(_, described)| described.get("imports"))
            .map(|imports| resolve::imported(imports, name, self.conditions()));
        match (target, own) {
            (Some(Target::Path(target)), Some((root, _))) if target.starts_with("./") => self.exact(&root.join(target)),
            (Some(Target::Path(target)), _) if steps < MOST_STEPS => self.find(&target, steps + 1),
            (Some(Target::Invalid(target)), _) => Err(invalid(&target, name)),
            _ => Err(fault::said(
                "ERR_PACKAGE_IMPORT_NOT_DEFINED",
                format!("Package import specifier {:?} is not defined imported from {}", shown(name), self.importer()),
            )),
        }
    }

    fn in_package(&self, name: &str, subpath: &str) -> Result<PathBuf, LocalFault> {
        // A package may name itself, where it says what it gives out.
        if let Some((root, described)) = own_package(&self.folder)
            && described.get("name").and_then(Value::as_str) == Some(name)
            && let Some(exports) = described.get("exports").filter(|exports| !exports.is_null())
        {
            return self.exported(&root, exports, subpath);
        }
        for above in self.folder.ancestors() {
            if above.file_name().is_some_and(|name| name == "node_modules") {
                continue;
            }
            let root = above.join("node_modules").join(name);
            if !root.is_dir() {
                continue;
            }
            let described = description(&root)?;
            if let Some(exports) = described.get("exports").filter(|exports| !exports.is_null()) {
                return self.exported(&root, exports, subpath);
            }
            return if subpath == "." { self.main(&root, &described) } else { self.file(&root.join(subpath)) };
        }
        Err(self.missing(&format!("Cannot find package '{}' imported from {}", shown(name), self.importer())))
    }

    fn exported(&self, root: &Path, exports: &Value, subpath: &str) -> Result<PathBuf, LocalFault> {
        match resolve::exported(exports, subpath, self.conditions()) {
            Target::Path(target) => self.exact(&root.join(target)),
            Target::Invalid(target) => Err(invalid(&target, subpath)),
            Target::Hidden => {
                let what = if subpath == "." {
                    "No \"exports\" main defined".to_owned()
                } else {
                    format!("Package subpath '{}' is not defined by \"exports\"", shown(subpath))
                };
                let message = format!("{what} in {}/package.json imported from {}", root.display(), self.importer());
                Err(fault::said("ERR_PACKAGE_PATH_NOT_EXPORTED", message))
            }
        }
    }

    /// The file of a package without `exports`.
    fn main(&self, root: &Path, described: &Value) -> Result<PathBuf, LocalFault> {
        let named = |key: &str| described.get(key).and_then(Value::as_str).and_then(|main| found(&root.join(main)));
        named("main")
            .or_else(|| found(&root.join("index")))
            .ok_or_else(|| self.missing(&format!("Cannot find package '{}' imported from {}", root.display(), self.importer())))
    }

    /// A path that may lack its ending, or be a folder with an index.
    fn file(&self, path: &Path) -> Result<PathBuf, LocalFault> {
        found(path).ok_or_else(|| {
            self.missing(&format!("Cannot find module '{}' imported from {}", shown(&path.to_string_lossy()), self.importer()))
        })
    }

    /// A path that has to be a file as it is written.
    fn exact(&self, path: &Path) -> Result<PathBuf, LocalFault> {
        if path.is_file() {
            return Ok(path.to_path_buf());
        }
        Err(self.missing(&format!("Cannot find module '{}' imported from {}", shown(&path.to_string_lossy()), self.importer())))
    }

    fn missing(&self, message: &str) -> LocalFault {
        if self.require {
            return fault::said(
                "MODULE_NOT_FOUND",
                format!("Cannot find module '{}', required from {}", shown(self.specifier), self.importer()),
            );
        }
        fault::said("ERR_MODULE_NOT_FOUND", message)
    }

    fn importer(&self) -> String {
        shown(&self.from.to_string_lossy())
    }
}

fn found(path: &Path) -> Option<PathBuf> {
    if path.is_file() {
        return Some(path.to_path_buf());
    }
    if let Some(file) = with_endings(path) {
        return Some(file);
    }
    // `./a.js` of a project in TypeScript is `a.ts`.
    for (written, meant) in [("js", "ts"), ("mjs", "mts"), ("cjs", "cts")] {
        if path.extension().is_some_and(|ending| ending == written) && path.with_extension(meant).is_file() {
            return Some(path.with_extension(meant));
        }
    }
    if path.is_dir() {
        let main = description(path).ok().and_then(|described| described.get("main").and_then(Value::as_str).map(|main| path.join(main)));
        let of_main = main
            .and_then(|main| if main.is_file() { Some(main) } else { with_endings(&main).or_else(|| with_endings(&main.join("index"))) });
        return of_main.or_else(|| with_endings(&path.join("index")));
    }
    None
}

fn with_endings(path: &Path) -> Option<PathBuf> {
    ENDINGS.iter().find_map(|ending| {
        let mut name = path.as_os_str().to_owned();
        name.push(ending);
        Some(PathBuf::from(name)).filter(|path| path.is_file())
    })
}

/// The package that a folder lies in, and what it says of itself.
fn own_package(folder: &Path) -> Option<(PathBuf, Value)> {
    let root = folder
        .ancestors()
        .take_while(|above| above.file_name().is_none_or(|name| name != "node_modules"))
        .find(|above| above.join("package.json").is_file())?;
    Some((root.to_path_buf(), description(root).ok()?))
}

/// What a package says of itself; an empty object where it says nothing.
fn description(root: &Path) -> Result<Value, LocalFault> {
    let path = root.join("package.json");
    let Ok(metadata) = fs::metadata(&path) else { return Ok(json!({})) };
    let wrong = |why: &str| fault::said("ERR_INVALID_PACKAGE_CONFIG", format!("Invalid package config {}: {why}", path.display()));
    if !metadata.is_file() || metadata.len() > MOST_DESCRIPTION {
        return Err(wrong("it is no file of at most 1 MiB"));
    }
    let text = fs::read_to_string(&path).map_err(|error| fault::of(&error, "open", &path))?;
    serde_json::from_str(text.trim_start_matches('\u{feff}')).map_err(|error| wrong(&error.to_string()))
}

/// How a file is to be read: `module`, `commonjs`, `json`, or `any` where its own text has to tell.
fn format(path: &Path) -> &'static str {
    match path.extension().and_then(|ending| ending.to_str()) {
        Some("json") => "json",
        Some("mjs" | "mts") => "module",
        Some("cjs" | "cts") => "commonjs",
        _ => match path
            .parent()
            .and_then(own_package)
            .and_then(|(_, described)| described.get("type")?.as_str().map(str::to_owned))
            .as_deref()
        {
            Some("module") => "module",
            Some("commonjs") => "commonjs",
            _ => "any",
        },
    }
}

fn invalid(target: &str, name: &str) -> LocalFault {
    fault::said(
        "ERR_INVALID_PACKAGE_TARGET",
        format!("Invalid \"exports\" or \"imports\" target {:?} for {:?}", shown(target), shown(name)),
    )
}

fn percent_decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let (mut decoded, mut at) = (Vec::with_capacity(bytes.len()), 0);
    while at < bytes.len() {
        let digits = (bytes[at] == b'%').then(|| text.get(at + 1..at + 3)).flatten().and_then(|digits| u8::from_str_radix(digits, 16).ok());
        decoded.push(digits.unwrap_or(bytes[at]));
        at += if digits.is_some() { 3 } else { 1 };
    }
    String::from_utf8_lossy(&decoded).into_owned()
}

fn shown(text: &str) -> String {
    codemode_core::text::cut(text, 300).into_owned()
}
