//! Forty servers with 2,500 tools between them, each a process, behind one server of ours.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use codemode_catalog::estimated_tokens;
use codemode_core::{Answer, Ask, ToolHost};
use codemode_mcp::{CodeServer, McpHost, Memory, ServerConfig, prefixes};
use codemode_policy::Mode;
use serde_json::{Value, json};

use crate::connected::Client;
use crate::direct::inventory;

/// Longer than forty servers take to start on a busy machine.
const LONG: Duration = Duration::from_secs(120);

/// The most tokens of `run_code`'s description.
const TOKENS: usize = 2_000;

fn manifest(path: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// The servers of the catalog: small programs that list their tools, and know none of them when they are called.
fn servers(folder: &Path) -> (Vec<ServerConfig>, Vec<(String, String)>) {
    let text = fs::read_to_string(manifest("../codemode-catalog/tests/data/catalog.json")).expect("the catalog");
    let catalog: Value = serde_json::from_str(&text).expect("JSON");
    let script = manifest("tests/client/server.py");
    let mut names = Vec::new();
    let servers = catalog["servers"].as_array().expect("servers").iter().map(|server| {
        let name = server["name"].as_str().expect("a name");
        for tool in server["tools"].as_array().expect("tools") {
            names.push((name.to_owned(), tool["name"].as_str().expect("a name").to_owned()));
        }
        let setup = folder.join(format!("{name}.json"));
        fs::write(&setup, json!({"tools": server["tools"]}).to_string()).expect("written");
        let line = format!("import sys; sys.argv = ['', open({setup:?}).read()]; exec(open({script:?}).read())");
        let mut config = ServerConfig::stdio(name, "python3", ["-c", &line]);
        config.start_timeout = Some(LONG);
        config
    });
    let servers: Vec<ServerConfig> = servers.collect();
    // A prefix has no two `_` in a row, whatever a server is called.
    let prefixes = prefixes(servers.iter().map(|server| server.name.clone()));
    let names = names.into_iter().map(|(server, tool)| (prefixes[&server].clone(), tool)).collect();
    (servers, names)
}

fn host(servers: &[ServerConfig], memory: &Path) -> Arc<McpHost> {
    McpHost::builder().servers(servers.to_vec()).memory(Memory::new(memory)).start()
}

async fn description(client: &Client) -> String {
    let tools = client.running.list_all_tools().await.expect("tools");
    let run_code = tools.iter().find(|tool| tool.name == "run_code").expect("run_code");
    run_code.description.clone().unwrap_or_default().into_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_thousand_five_hundred_tools_of_forty_servers_are_one_tool() {
    let folder = tempfile::tempdir().expect("a folder");
    let (servers, names) = servers(folder.path());
    assert_eq!((servers.len(), names.len()), (40, 2_500));
    let memory = folder.path().join("memory");
    let host = host(&servers, &memory);
    host.listed(LONG).await;
    // One of them is there to be badly written; one of its tools has a name of 300 bytes, and is left out.
    assert_eq!(host.warnings().iter().filter(|warning| !warning.starts_with("server \"attic\": ")).count(), 0, "{:?}", host.warnings());
    let names: Vec<(String, String)> = names.into_iter().filter(|(_, tool)| tool.len() <= 256).collect();
    assert_eq!((host.catalog().len(), names.len()), (2_499, 2_499));

    // One description for every connection, within its budget.
    let server = CodeServer::builder(host.clone()).build().expect("a server");
    let (first, second) = (Client::new(&server).await, Client::new(&server).await);
    let described = description(&first).await;
    assert_eq!(description(&second).await, described);
    assert!(estimated_tokens(&described) <= TOKENS, "{}", estimated_tokens(&described));
    let heading = described.lines().find(|line| line.starts_with("## Tools (")).expect("a heading");
    let shown = described.lines().filter(|line| line.starts_with("- tools")).count();
    assert!(heading.starts_with(&format!("## Tools (PARTIAL {shown} of 2499: search_tools, or tools.search(")), "{heading}");

    // Each tool is described, in a form that every client takes.
    let catalog = host.catalog();
    for (server, tool) in &names {
        let name = format!("{server}__{tool}");
        let answer = host.discover(&catalog, &Ask::Describe { name: name.clone() }).await;
        let Answer::Succeeded(content) = answer else { panic!("{name}: {answer:?}") };
        let value = content.structured.expect("a value");
        let value = value.tree();
        assert_eq!(value["name"], json!(name));
        assert!(value["signature"].as_str().is_some_and(|signature| !signature.is_empty()), "{value}");
        assert_eq!(value["parameters"]["type"], json!("object"), "{name}");
    }

    // Both names of a tool are one tool, and what is searched for is found.
    let (server_name, tool) = &names[1_234];
    let program = format!(
        "const say = async call => {{ try {{ return await call() }} catch (error) {{ return error.message }} }}\n\
         return [await say(() => tools[{server_name:?}][{tool:?}]({{}})), await say(() => tools[`{server_name}__{tool}`]({{}})),\n\
         (await tools.search({tool:?})).map(found => found.name)]"
    );
    let outcome = first.run(&program).await.structured_content.expect("an outcome");
    let said = format!("unknown tool {tool}");
    assert_eq!((&outcome["value"][0], &outcome["value"][1]), (&outcome["value"][1], &outcome["value"][0]));
    assert!(outcome["value"][0].as_str().is_some_and(|text| text.contains(&said)), "{outcome}");
    let found = outcome["value"][2].as_array().expect("a list");
    assert!(found.iter().take(5).any(|name| *name == json!(format!("{server_name}__{tool}"))), "{found:?}");
    let searched = first.try_call("search_tools", json!({"query": tool.replace('_', " ")})).await.expect("a result");
    let text = searched.content.iter().filter_map(|part| part.as_text()).map(|text| text.text.as_str()).collect::<String>();
    assert!(text.contains(&format!("{server_name}__{tool}")), "{text}");

    // What is remembered is at hand at the next start, before any server has said a word, and is the same to the byte.
    host.close().await;
    let began = Instant::now();
    let next = self::host(&servers, &memory);
    let server = CodeServer::builder(next.clone()).build().expect("a server");
    let client = Client::new(&server).await;
    assert_eq!(description(&client).await, described);
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());

    // A client that takes them all gets them all.
    let full = CodeServer::builder(next.clone()).inventory(inventory(Mode::Full, |_| {})).build().expect("a server");
    let tools = Client::new(&full).await.running.list_all_tools().await.expect("tools");
    // With run_code and search_tools beside them.
    assert_eq!(tools.len(), 2_499 + 2);
    next.close().await;
}
