//! Search, scored on 2,500 tools of 40 servers and 100 queries.
#![expect(clippy::print_stderr, reason = "a reader of the test's output wants to know the score")]

use std::time::Instant;

use codemode_catalog::{SearchIndex, SearchMode};
use codemode_core::{Catalog, ToolSpec};

use crate::data;

/// What a search finds, as pairs of server and name.
fn found(index: &SearchIndex, query: &str, mode: SearchMode, most: usize) -> Vec<(String, String)> {
    let hits = index.search(query, mode, most);
    hits.iter().map(|hit| (hit.tool.namespace.as_deref().unwrap_or_default().to_owned(), hit.tool.short_name.to_string())).collect()
}

/// The share of `queries` with an acceptable tool among the first five; prints it, and what was missed.
fn score(label: &str, queries: &[data::Query]) -> f64 {
    let index = SearchIndex::new(data::catalog());
    let missed: Vec<&str> = queries
        .iter()
        .filter(|(query, wanted)| !found(&index, query, SearchMode::AnyWords, 5).iter().any(|tool| wanted.contains(tool)))
        .map(|(query, _)| query.as_str())
        .collect();
    let score = 1.0 - missed.len() as f64 / queries.len() as f64;
    eprintln!("{label}: an acceptable tool is in the first five for {score:.3} of {} queries; missed: {missed:#?}", queries.len());
    score
}

#[test]
fn an_acceptable_tool_is_among_the_first_five_for_95_queries_of_100() {
    // The weights were chosen by the second list; no word or weight comes from the first.
    assert!(score("queries", &data::queries()) >= 0.95);
    assert!(score("tuning queries", &data::tuning_queries()) >= 0.95);
}

#[test]
fn an_index_is_quick_to_build_and_to_ask() {
    let catalog = data::catalog();
    let queries = data::queries();
    let start = Instant::now();
    let index = SearchIndex::new(catalog);
    let built = start.elapsed();
    let start = Instant::now();
    let hits: usize = queries.iter().map(|(query, _)| index.search(query, SearchMode::AnyWords, 5).len()).sum();
    let asked = start.elapsed();
    eprintln!("{} tools indexed in {built:?}; {} searches in {asked:?}", catalog.len(), queries.len());
    // Two of the queries have words that fewer than five tools know.
    assert_eq!(hits, 497);
    // An unoptimised build on a busy machine takes a tenth of this.
    assert!(built.as_secs() < 10 && asked.as_secs() < 10, "{built:?} {asked:?}");
}

#[test]
fn all_words_narrow_and_any_words_rank() {
    let tools = [
        ("read_file", "Reads a file."),
        ("write_file", "Writes a file, and creates it where it is not there."),
        ("list_files", "Lists the files of a folder."),
        ("send_mail", "Sends a mail."),
        ("東京_天気", "東京の天気を調べる。"),
    ];
    let catalog = Catalog::new(tools.map(|(name, description)| ToolSpec::new(name).with_description(description))).expect("distinct names");
    let index = SearchIndex::new(&catalog);
    let names = |query: &str, mode| found(&index, query, mode, 10).into_iter().map(|(_, name)| name).collect::<Vec<_>>();
    for (query, all, any) in [
        ("reading files", vec!["read_file"], vec!["read_file", "list_files", "write_file"]),
        ("creates the file", vec!["write_file"], vec!["write_file", "read_file", "list_files"]),
        ("mail a file", vec![], vec!["send_mail", "read_file", "list_files", "write_file"]),
        ("fold", vec!["list_files"], vec!["list_files"]),
        ("天気", vec!["東京_天気"], vec!["東京_天気"]),
        ("zebra", vec![], vec![]),
        ("", vec![], vec![]),
        ("\u{202e}\0 -- *", vec![], vec![]),
    ] {
        assert_eq!(names(query, SearchMode::AllWords), all, "all words of {query:?}");
        assert_eq!(names(query, SearchMode::AnyWords), any, "any word of {query:?}");
    }
}
