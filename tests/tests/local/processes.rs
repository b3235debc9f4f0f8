//! The module `child_process`.

use serde_json::json;

use crate::{give, project};

#[test]
fn processes_are_run_in_each_form() {
    let folder = project(&[("f.txt", "in the folder")]);
    let given = give(
        folder.path(),
        r#"
        import { execSync, execFileSync, spawnSync, exec, execFile } from "child_process";
        import { promisify } from "util";
        const byCallback = await new Promise((resolve) => exec("echo out; echo err >&2; exit 3", (error, stdout, stderr) => resolve([error.code, error.message, stdout, stderr])));
        let failed;
        try { execSync("echo told >&2; exit 2", { encoding: "utf8" }); } catch (error) { failed = [error.status, error.message, error.stderr]; }
        let absent;
        try { execFileSync("no-such-program"); } catch (error) { absent = [error.code, error.message]; }
        process.env.MINE = "handed on";
        const spawned = spawnSync("cat", { input: "through", encoding: "utf8" });
        return {
          text: execSync("cat f.txt").toString(),
          list: execFileSync("printf", ["%s-%s", "a b", "$HOME"], { encoding: "utf8" }),
          env: execSync("echo $MINE", { encoding: "utf8" }),
          spawned: [spawned.status, spawned.stdout, spawned.signal],
          byCallback, failed, absent,
          promised: await promisify(execFile)("echo", ["hello"]),
          late: spawnSync("sleep", ["60"], { timeout: 20 }).error.code,
        };
        "#,
    );
    assert_eq!(
        given,
        json!({
            "text": "in the folder", "list": "a b-$HOME", "env": "handed on\n", "spawned": [0, "through", null],
            "byCallback": [3, "Command failed: echo out; echo err >&2; exit 3\nerr\n", "out\n", "err\n"],
            "failed": [2, "Command failed: echo told >&2; exit 2\ntold\n", "told\n"],
            "absent": ["ENOENT", "spawnSync no-such-program ENOENT"],
            "promised": {"stdout": "hello\n", "stderr": ""}, "late": "ETIMEDOUT",
        })
    );
}

#[test]
fn a_process_is_talked_to_while_it_runs() {
    let folder = project(&[]);
    let given = give(
        folder.path(),
        r#"
        import { spawn } from "node:child_process";
        const cat = spawn("cat");
        const heard = [];
        cat.stdout.setEncoding("utf8");
        cat.stdout.on("data", (text) => { heard.push(text); cat.stdin.end(); });
        cat.stdin.write("ping");
        const end = await new Promise((resolve) => cat.on("close", (code, signal) => resolve([code, signal])));
        const sleeper = spawn("sleep", ["60"]);
        sleeper.kill();
        const killed = await new Promise((resolve) => sleeper.on("exit", (code, signal) => resolve([code, signal])));
        const absent = await new Promise((resolve) => spawn("no-such-program").on("error", (error) => resolve(error.message)));
        const lines = [];
        for await (const chunk of spawn("sh", ["-c", "echo a; echo b"]).stdout) lines.push(chunk.toString());
        return { heard, end, killed, absent, lines: lines.join("") };
        "#,
    );
    assert_eq!(
        given,
        json!({"heard": ["ping"], "end": [0, null], "killed": [null, "SIGTERM"], "absent": "spawn no-such-program ENOENT", "lines": "a\nb\n"})
    );
}
