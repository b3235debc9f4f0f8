//! Imports: files of the project, packages, CommonJS.

use serde_json::json;

use crate::{fail, give, project};

#[test]
fn files_of_the_project_are_imported_in_each_form() {
    let folder = project(&[
        (
            "lib/util.mjs",
            "import { base } from './base.js'; export const twice = (x) => 2 * x + base; export default 'util'; export const where = import.meta.dirname;",
        ),
        ("lib/base.js", "export let base = 1; export const raise = () => { base += 1; };"),
        (
            "lib/types.ts",
            "import type { T } from './none'; export interface I { a: number } export const typed = (a: number): number => a + 1;",
        ),
        ("data.json", r#"{"answer": 42}"#),
        ("old.cjs", "exports.a = 1; exports.name = __filename; module.exports.b = require('./data.json').answer;"),
    ]);
    let given = give(
        folder.path(),
        r#"
        import util, { twice, where } from "./lib/util.mjs";
        import * as base from "./lib/base.js";
        import data from "./data.json" with { type: "json" };
        const { typed } = await project.import("./lib/types.ts");
        const old = await import("./old.cjs");
        const before = base.base;
        base.raise();
        const name = "data";
        return { util, twice: twice(20), where, live: [before, base.base, twice(0)], data, again: (await project.import(`./${name}.json`)).default === data,
                 typed: typed(1), old: [old.a, old.b, old.name, old.default.a], required: require("./old.cjs") === old.default };
        "#,
    );
    assert_eq!(
        given,
        json!({
            "util": "util", "twice": 42, "where": "@/lib", "live": [1, 2, 2], "data": {"answer": 42}, "again": true, "typed": 2,
            "old": [1, 42, "@/old.cjs", 1], "required": true,
        })
    );
}

#[test]
fn packages_are_imported_by_their_exports() {
    let folder = project(&[
        ("node_modules/dual/package.json", r#"{"exports": {"import": "./m.mjs", "require": "./c.cjs"}}"#),
        ("node_modules/dual/m.mjs", "export const kind = 'module';"),
        ("node_modules/dual/c.cjs", "exports.kind = 'commonjs';"),
        ("node_modules/old/package.json", r#"{"main": "main"}"#),
        (
            "node_modules/old/main.js",
            "const { join } = require('path'); const dual = require('dual'); var self = this; module.exports = function () { return [join('a', 'b'), dual.kind, self === exports]; }; module.exports.x = 1;",
        ),
        ("node_modules/cycle/index.js", "exports.early = true; const b = require('./b'); exports.seen = b.seen;"),
        ("node_modules/cycle/b.js", "const a = require('./index'); exports.seen = [a.early, a.late === undefined];"),
        ("node_modules/uses-fs/package.json", r#"{"type": "module"}"#),
        ("node_modules/uses-fs/index.js", "import { readFileSync } from 'fs'; export const read = (path) => readFileSync(path, 'utf8');"),
        ("note.txt", "a note"),
    ]);
    let given = give(
        folder.path(),
        r#"
        import old, { x } from "old";
        import { read } from "uses-fs";
        const { kind } = await import("dual");
        return { kind, old: old(), x, cycle: require("cycle").seen, note: read("note.txt"), resolved: require.resolve("dual") };
        "#,
    );
    assert_eq!(
        given,
        json!({"kind": "module", "old": ["a/b", "commonjs", true], "x": 1, "cycle": [true, true], "note": "a note", "resolved": "@/node_modules/dual/c.cjs"})
    );
}

#[test]
fn an_import_that_fails_says_why() {
    let folder = project(&[
        ("wrong.mjs", "export const a = ;"),
        ("throws.mjs", "throw new TypeError('at the top')"),
        ("esm.mjs", "export default 1"),
        ("enum.ts", "export enum E { A }"),
        ("no-such.mjs", "import { missing } from './esm.mjs'"),
    ]);
    for (source, message) in [
        ("await import('nope')", "Error: Cannot find package 'nope' imported from @"),
        ("await project.import('./nope.js')", "Error: Cannot find module '@/./nope.js' imported from @"),
        ("await import('./throws.mjs')", "TypeError: at the top"),
        ("require('./esm.mjs')", "Error: @/esm.mjs is an ES module, which require cannot load: write await import(\"./esm.mjs\")"),
        (
            "await import('./enum.ts')",
            "SyntaxError: @/enum.ts:1: an enum has values, and only types can be taken out; write `const E = { Name: \"value\" }`",
        ),
        (
            "await import('node:http')",
            "Error: No such built-in module: node:http; there are fs, fs/promises, path, path/posix, process, child_process, buffer, util",
        ),
    ] {
        assert_eq!(fail(folder.path(), source), message, "{source}");
    }
    let given = give(
        folder.path(),
        "const told = []; for (const name of ['./wrong.mjs', './no-such.mjs']) try { await import(name); } catch (error) { told.push(error.name); } return told;",
    );
    assert_eq!(given, json!(["SyntaxError", "SyntaxError"]));
}
