//! What programs here do not have: probing is harmless, use is told what does it.

use codemode_core::Profile;

use crate::host::{check, check_on, runner};

#[tokio::test]
async fn what_is_absent_is_undefined_and_its_use_is_advised() {
    check(&[
        ("return [typeof fetch, typeof process, typeof require, typeof window, typeof Buffer, typeof Deno, typeof module]", r#"["undefined","undefined","undefined","undefined","undefined","undefined","undefined"]"#),
        ("return [globalThis.fetch, global === globalThis, 'process' in globalThis]", "[null,true,false]"),
        ("fetch('http://a.test')", "error: ReferenceError: fetch is not defined (fix: the network is not there; use web-fetch (await tools[\"web-fetch\"]({…})))"),
        ("const fs = 1; process.exit()", "error: ReferenceError: process is not defined (fix: process is not there: no environment, no arguments, no exit; use execute (await tools.execute({…})); end the program with return)"),
        ("return Buffer.from('a')", "error: ReferenceError: Buffer is not defined (fix: Buffer is not there; use Uint8Array, TextEncoder, TextDecoder, atob and btoa)"),
        ("const fs = require('fs')", "error: ReferenceError: require is not defined (fix: modules are not there; the language, console, URL, TextEncoder and structuredClone are there without them)"),
        ("print('x')", "error: ReferenceError: print is not defined (fix: it has another name here; console.log shows text)"),
        ("await read_file({})", "error: ReferenceError: read_file is not defined (fix: await tools.read_file({…}))"),
        ("return missingVariable", "error: ReferenceError: missingVariable is not defined"),
        ("try { fetch('x') } catch (e) { return `${e}` }", r#""ReferenceError: fetch is not defined""#),
        ("throw new Error('fetch is not defined')", "error: Error: fetch is not defined"),
    ])
    .await;
    check_on(
        &runner(Profile::batch()),
        &[(
            "return fs.readFileSync('a')",
            "error: ReferenceError: fs is not defined (fix: files are not there; use read_file (tools.call(\"read_file\", {…})))",
        )],
    )
    .await;
}
