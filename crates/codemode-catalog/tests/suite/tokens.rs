//! The estimate of tokens, against what four tokenizers counted for texts of each kind.

use codemode_catalog::estimated_tokens;
use serde_json::Value;

#[test]
fn no_text_is_estimated_under_what_a_tokenizer_counts_and_none_at_twice_as_much() {
    let texts: Vec<Value> = serde_json::from_str(include_str!("../data/tokens.json")).expect("the data is JSON");
    let (mut estimated, mut counted) = (0, 0);
    for text in &texts {
        let most = ["cl100k_base", "o200k_base", "claude_2", "llama_3"].map(|name| text[name].as_u64().expect("a count"));
        let most = usize::try_from(most.into_iter().max().expect("four")).expect("small");
        let estimate = estimated_tokens(text["text"].as_str().expect("a text"));
        assert!(estimate >= most, "{estimate} of {most}: {text}");
        estimated += estimate;
        counted += most;
    }
    assert!(texts.len() > 60 && estimated < counted * 2, "{estimated} for {counted} of {} texts", texts.len());
}
