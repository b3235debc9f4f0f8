//! Programs that use several real servers.

use std::fs;

use codemode::Effects;
use serde_json::json;

use crate::bench;

const GRAPH: &str = r#"{"type":"entity","name":"engine.rs","entityType":"file","observations":["owner: ada"]}
{"type":"entity","name":"parser.rs","entityType":"file","observations":["owner: grace"]}
{"type":"entity","name":"fuzz.rs","entityType":"file","observations":["owner: tim"]}
"#;

/// Who owns a file is in the memory, who is in which team is with the team, how large it is with the files: one value comes back.
#[tokio::test]
async fn the_data_of_three_servers_is_joined_in_one_result() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().canonicalize().expect("there");
    for (name, text) in [("graph", GRAPH), ("engine.rs", "fn run() {}\n"), ("parser.rs", "fn parse() {}\n"), ("fuzz.rs", "//\n")] {
        fs::write(root.join(name), text).expect("written");
    }
    let host = bench::host([bench::files(&root), bench::memory(&root.join("graph")), bench::team()]);
    let program = r#"
        const [{ entities }, { result: people }] = await Promise.all([tools.memory.read_graph({}), tools.team.list_people({})])
        const teams: Record<string, string> = Object.fromEntries(people.map((person: any) => [person.name, person.team]))
        const texts = await Promise.all(entities.map((file: any) => tools.files.read_text_file({ path: `ROOT/${file.name}` })))
        const bytes: Record<string, number> = {}
        entities.forEach((file: any, at: number) => {
            const team = teams[file.observations[0].replace("owner: ", "")]
            bytes[team] = (bytes[team] ?? 0) + texts[at].content.length
        })
        return bytes"#;
    let outcome = bench::run(&host, &program.replace("ROOT", root.to_str().expect("UTF-8"))).await;
    assert_eq!(bench::value_of(&outcome), json!({"engines": 15, "compilers": 14}));
    let calls = bench::calls(&outcome);
    let read = ("files__read_text_file".to_owned(), "ok");
    assert_eq!(calls, [("memory__read_graph".to_owned(), "ok"), ("team__list_people".to_owned(), "ok"), read.clone(), read.clone(), read]);
    assert_eq!((outcome.effects, outcome.warnings), (Effects::None, Vec::new()));
    host.close().await;
}

/// The same tools by each of their names; a name with a hyphen has an alias that is an identifier.
#[tokio::test]
async fn a_tool_has_its_whole_name_and_its_place_below_its_server() {
    let host = bench::host([bench::everything()]);
    let program = r#"
        return [
            await tools["everything__get-sum"]({ a: 1, b: 2 }),
            await tools.everything["get-sum"]({ a: 2, b: 3 }),
            await tools.call("everything__get-sum", { a: 3, b: 4 }),
            await tools.everything.echo({ message: "hi" }),
        ]"#;
    assert_eq!(
        bench::value(&host, program).await,
        json!(["The sum of 1 and 2 is 3.", "The sum of 2 and 3 is 5.", "The sum of 3 and 4 is 7.", "Echo: hi"])
    );
    host.close().await;
}

/// What a server would refuse is refused before it is asked, with the tool's signature.
#[tokio::test]
async fn wrong_arguments_reach_no_server() {
    let host = bench::host([bench::everything()]);
    let program = r#"
        try { await tools.everything["get-sum"]({ a: 1, b: "2" }) } catch (error) { return [error.code, error.ran, error.message] }"#;
    let outcome = bench::run(&host, program).await;
    assert_eq!(
        bench::value_of(&outcome),
        json!(["invalid_arguments", false, "invalid arguments for everything__get-sum: b is \"2\"; allowed: number"])
    );
    assert_eq!(bench::calls(&outcome), []);
    host.close().await;
}
