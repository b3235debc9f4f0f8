//! The modules `fs`, `fs/promises`, `path` and the global `process`.

use serde_json::json;

use crate::{give, project};

#[test]
fn files_are_read_and_written_in_each_form() {
    let folder = project(&[("a.txt", "one\n"), ("sub/b.txt", "two")]);
    let given = give(
        folder.path(),
        r#"
        import fs, { readFileSync } from "node:fs";
        import { readFile, writeFile } from "fs/promises";
        fs.writeFileSync("c.txt", "three");
        await writeFile("d.txt", new Uint8Array([102, 111, 117, 114]));
        const byCallback = await new Promise((resolve, reject) => fs.readFile("a.txt", "utf8", (error, text) => error ? reject(error) : resolve(text)));
        fs.appendFileSync("c.txt", "!");
        fs.mkdirSync("x/y", { recursive: true });
        fs.renameSync("d.txt", "x/y/d.txt");
        return {
          sync: readFileSync("a.txt", "utf8"),
          promise: await readFile("sub/b.txt", { encoding: "utf8" }),
          byCallback,
          bytes: [...fs.readFileSync("c.txt")],
          text: fs.readFileSync("c.txt").toString(),
          names: fs.readdirSync(".", { recursive: true }),
          entries: fs.readdirSync(".", { withFileTypes: true }).map((entry) => [entry.name, entry.isDirectory(), entry.parentPath]),
          there: [fs.existsSync("a.txt"), fs.existsSync("no"), fs.statSync("no", { throwIfNoEntry: false }) === undefined],
          stat: [fs.statSync("a.txt").isFile(), (await fs.promises.stat("sub")).isDirectory(), fs.statSync("a.txt").size],
        };
        "#,
    );
    assert_eq!(
        given,
        json!({
            "sync": "one\n", "promise": "two", "byCallback": "one\n",
            "bytes": [116, 104, 114, 101, 101, 33], "text": "three!",
            "names": ["a.txt", "c.txt", "sub", "x", "sub/b.txt", "x/y", "x/y/d.txt"],
            "entries": [["a.txt", false, "."], ["c.txt", false, "."], ["sub", true, "."], ["x", true, "."]],
            "there": [true, false, true], "stat": [true, true, 4],
        })
    );
}

#[test]
fn errors_have_the_fields_of_node_and_can_be_caught() {
    let folder = project(&[]);
    let given = give(
        folder.path(),
        r#"
        import fs from "fs";
        const told = (error) => [error instanceof Error, error.code, error.errno, error.syscall, error.path, error.message];
        let sync;
        try { fs.readFileSync("no.txt"); } catch (error) { sync = told(error); }
        const later = await fs.promises.readFile("no.txt").catch(told);
        let wrong;
        try { fs.readFileSync(7); } catch (error) { wrong = [error.name, error.code, error.message]; }
        return { sync, same: JSON.stringify(sync) === JSON.stringify(later), wrong };
        "#,
    );
    assert_eq!(
        given,
        json!({
            "sync": [true, "ENOENT", -2, "open", "@/no.txt", "ENOENT: no such file or directory, open '@/no.txt'"],
            "same": true,
            "wrong": ["TypeError", "ERR_INVALID_ARG_TYPE", "The \"path\" argument must be of type string or an instance of Buffer or URL. Received number"],
        })
    );
}

#[test]
fn paths_are_worked_on_as_in_node() {
    let folder = project(&[]);
    let given = give(
        folder.path(),
        r#"
        const path = await import("path");
        return [
          path.join("a", "..", "b", "./c"), path.join(""), path.resolve("x"), path.resolve("/a", "b", "../c"), path.relative("/a/b/c", "/a/d"),
          path.dirname("/a/b/"), path.dirname("a"), path.basename("/a/b.txt"), path.basename("b.txt", ".txt"), path.extname("a.tar.gz"),
          path.extname(".x"), path.normalize("/a//b/../c/"), path.isAbsolute("/a"), path.parse("/srv/u/f.txt"),
          path.format({ dir: "/a", name: "b", ext: "c" }), path.default === path.posix, path.sep, path.relative("a", "a"), path.normalize("../../x"),
        ];
        "#,
    );
    assert_eq!(
        given,
        json!([
            "b/c", ".", "@/x", "/a/c", "../../d", "/a", ".", "b.txt", "b", ".gz", "", "/a/c/", true,
            {"root": "/", "dir": "/srv/u", "base": "f.txt", "ext": ".txt", "name": "f"}, "/a/b.c", true, "/", "", "../../x",
        ])
    );
}

#[test]
fn process_tells_of_the_machine_and_its_folder_can_be_changed_for_a_run() {
    let folder = project(&[("sub/f.txt", "here")]);
    let given = give(
        folder.path(),
        r#"
        const before = process.cwd();
        process.chdir("sub");
        const fs = require("fs");
        const text = fs.readFileSync("f.txt", "utf8");
        process.env.MINE = "set";
        return { before, after: process.cwd(), text, path: typeof process.env.PATH, mine: process.env.MINE, same: (await import("node:process")).default === process,
                 platform: process.platform, numbers: [typeof process.pid, typeof process.uptime()] };
        "#,
    );
    let platform = if cfg!(target_os = "macos") { "darwin" } else { "linux" };
    assert_eq!(
        given,
        json!({"before": "@", "after": "@/sub", "text": "here", "path": "string", "mine": "set", "same": true, "platform": platform, "numbers": ["number", "number"]})
    );
}

#[test]
fn bytes_know_encodings() {
    let folder = project(&[]);
    let given = give(
        folder.path(),
        r#"
        const b = Buffer.from("héllo");
        return [b.length, b.toString("hex"), b.toString("base64"), Buffer.from("aGk=", "base64").toString(), Buffer.concat([b, Buffer.from([33])]).toString(),
                Buffer.isBuffer(b), b.equals(Buffer.from("héllo")), b.subarray(0, 1) instanceof Buffer, b.indexOf("llo"), Buffer.byteLength("é"), Buffer.alloc(2).toString("hex"),
                Buffer.from("ff0g", "hex").length, b.slice(0, 1).toString()];
        "#,
    );
    assert_eq!(given, json!([6, "68c3a96c6c6f", "aMOpbGxv", "hi", "héllo!", true, true, true, 3, 2, "0000", 1, "h"]));
}
