//! What programs get of real results: values, failures, pictures, sounds, resources and links.

use serde_json::json;

use crate::bench;

#[tokio::test]
async fn structured_content_is_the_value_and_else_the_text() {
    let host = bench::host([bench::everything(), bench::team()]);
    let program = r#"
        return {
            structured: await tools.everything["get-structured-content"]({ location: "New York" }),
            text: await tools.everything["get-sum"]({ a: 2, b: 3 }),
            record: await tools.team.find_person({ name: "ada" }),
            wrapped: await tools.team.add({ a: 2, b: 3 }),
            several: await tools.team.list_people({ team: "engines" }),
            only_text: await tools.team.say({ text: '{"not":"guessed"}' }),
        }"#;
    assert_eq!(
        bench::value(&host, program).await,
        json!({
            "structured": {"temperature": 33, "conditions": "Cloudy", "humidity": 82},
            "text": "The sum of 2 and 3 is 5.",
            "record": {"name": "ada", "team": "engines", "level": 3},
            "wrapped": {"result": 5},
            "several": {"result": [{"name": "ada", "team": "engines", "level": 3}, {"name": "tim", "team": "engines", "level": 1}]},
            "only_text": "{\"not\":\"guessed\"}",
        })
    );
    host.close().await;
}

/// A failure is what the server said, whole.
#[tokio::test]
async fn a_failure_is_caught_with_what_the_server_said() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().canonicalize().expect("there");
    let host = bench::host([bench::everything(), bench::files(&root), bench::team()]);
    let program = r#"
        const failures = []
        for (const call of [
            () => tools.files.read_text_file({ path: "ROOT/none" }),
            () => tools.team.find_person({ name: "nobody" }),
        ]) {
            try { await call() } catch (error) { failures.push([error.tool, error.code, error.ran, error.message]) }
        }
        return failures"#;
    let program = program.replace("ROOT", root.to_str().expect("UTF-8"));
    let outcome = bench::run(&host, &program).await;
    let missing = format!("ENOENT: no such file or directory, open '{}/none'", root.display());
    assert_eq!(
        bench::value_of(&outcome),
        json!([
            ["files__read_text_file", "failed", true, missing],
            ["team__find_person", "failed", true, "Error executing tool find_person: nobody is called nobody"],
        ])
    );
    let statuses: Vec<&str> = bench::calls(&outcome).into_iter().map(|(_, status)| status).collect();
    assert_eq!(statuses, ["failed", "failed"]);
    host.close().await;
}

/// Nobody sits before a program: what a server wants to ask a person is declined.
#[tokio::test]
async fn a_question_to_a_person_is_declined() {
    let host = bench::host([bench::team()]);
    assert_eq!(bench::value(&host, "return await tools.team.ask({})").await, json!({"result": "decline"}));
    host.close().await;
}

/// Pictures stay on the host; a program hands their handles about, and gives back those that it wants to be seen.
#[tokio::test]
async fn a_picture_that_the_program_gives_back_comes_out_whole() {
    let host = bench::host([bench::everything(), bench::team()]);
    let program = r#"
        const tiny = await tools.everything["get-tiny-image"]({})
        const pixel = await tools.team.portrait({})
        const sound = await tools.team.jingle({})
        return { text: tiny.text, kinds: [tiny.blobs[0].type, pixel.type, sound.type], sizes: [pixel.bytes, sound.bytes], keep: tiny.blobs[0], sound }"#;
    let outcome = bench::run(&host, program).await;
    let value = bench::value_of(&outcome);
    assert_eq!(value["text"], "Here's the image you requested:\nThe image above is the MCP logo.");
    assert_eq!(value["kinds"], json!(["image/png", "image/png", "audio/wav"]));
    // The sizes of the parts of tests/peers/server.py: a picture of one pixel, and the head of a sound alone.
    assert_eq!(value["sizes"], json!([70, 44]));
    let given: Vec<(&str, &str)> = outcome.content.iter().map(|part| (&*part.media_type, &*part.handle)).collect();
    let handle = |at: &str| value[at]["handle"].as_str().expect("a handle");
    assert_eq!(given, [("image/png", handle("keep")), ("audio/wav", handle("sound"))]);
    let (part, bytes) = host.blobs().get(handle("keep")).expect("held");
    assert_eq!((&bytes[..8], bytes.len() as u64), (&b"\x89PNG\r\n\x1a\n"[..], part.bytes));
    assert_eq!(host.blobs().get(handle("sound")).expect("held").1[..4], *b"RIFF");
    host.close().await;
}

#[tokio::test]
async fn resources_and_links_are_handles_and_text() {
    let host = bench::host([bench::everything()]);
    let program = r#"
        const zipped = await tools.everything["gzip-file-as-resource"]({ name: "a.gz", data: "data:text/plain,hello", outputType: "resource" })
        const embedded = await tools.everything["get-resource-reference"]({ resourceType: "Text", resourceId: 1 })
        const links = await tools.everything["get-resource-links"]({ count: 2 })
        const opened = await tools.open(zipped.handle, { limit: 2 })
        return { type: zipped.type, embedded: embedded.split(" created at ")[0], links, opened: [opened.offset, opened.next, opened.base64] }"#;
    assert_eq!(
        bench::value(&host, program).await,
        json!({
            "type": "application/gzip",
            "embedded": "Returning resource reference for Resource 1:\nResource 1: This is a plaintext resource",
            "links": "Here are 2 resource links to resources available in this server:\n\
                      [Blob Resource 1: demo://resource/dynamic/blob/1]\n[Text Resource 2: demo://resource/dynamic/text/2]",
            "opened": [0, 2, "H4s="],
        })
    );
    host.close().await;
}
