//! Search over a catalog: an index that is built once, and ranked by how telling the words are and where they stand.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use codemode_core::{Catalog, ToolSpec};
use serde_json::Value;

use crate::words::{each_word, query_words};

/// The fields of a tool, each with what a word in it counts and how much the length of the field matters (0 to 1).
///
/// A word in a name is chosen by the author to tell the tool from its neighbours; a word in a long description is not.
/// The figures are round ones, and not critical: half or double of any of them changes one or two searches of a hundred.
const FIELDS: [(f32, f32); FIELD_COUNT] = [
    (5.0, 0.5), // the name within its server
    (5.0, 0.5), // the title, of which only what it adds to the name counts
    (2.0, 0.0), // the server's name
    (1.5, 0.6), // the first sentence of the description
    (0.7, 0.6), // the rest of it
    (1.0, 0.6), // the names of parameters
];
const FIELD_COUNT: usize = 6;
const NAME: usize = 0;
const TITLE: usize = 1;

/// How soon a word that is repeated stops to count more.
const SATURATION: f32 = 1.0;
/// More words of a query than this are not looked at.
const MOST_QUERY_WORDS: usize = 32;
/// More words of one field than this are not indexed.
const MOST_FIELD_WORDS: usize = 400;
/// More letters of a name than this are not compared.
const MOST_NAME_LETTERS: usize = 400;
/// More names of parameters of one tool than this are not indexed.
const MOST_PARAMETERS: usize = 200;
/// What a word counts that only begins like the word asked for, where nothing is called like that itself.
const PREFIX_WEIGHT: f32 = 0.5;
/// What a verb counts that does the same as the verb asked for.
const VERB_WEIGHT: f32 = 0.5;
/// What a tool's whole name counts beside its words, and what its name within its server does: both are more than all words do.
const WHOLE_NAME: f32 = 4.0;
const WHOLE_SHORT_NAME: f32 = 2.0;
/// How much better a tool that only reads is than one that fits as well and does not: enough to settle a tie.
const READ_ONLY_TILT: f32 = 1.01;

/// The verbs that interfaces use for the same few operations, as they are compared.
const VERBS: &[&[&str]] = &[
    &["add", "creat", "insert", "mak", "new"],
    &["delet", "destroy", "eras", "remov"],
    &["chang", "edit", "modify", "updat"],
    &["describ", "fetch", "get", "read", "retriev", "show", "view"],
    &["find", "lookup", "query", "search"],
    &["brows", "enumerat", "list"],
];

/// Which tools a search gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SearchMode {
    /// Those that have all words of the query, best first.
    AllWords,
    /// Those that have any word of the query, best first.
    AnyWords,
}

/// One tool that was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    /// The tool.
    pub tool: Arc<ToolSpec>,
    /// How well it fits: above zero, comparable within one search only.
    pub score: f32,
}

/// An index over the tools of a catalog that programs can call. Cloning is cheap.
#[derive(Debug, Clone)]
pub struct SearchIndex(Arc<Index>);

#[derive(Debug)]
struct Index {
    tools: Vec<Arc<ToolSpec>>,
    words: HashMap<Box<str>, Vec<Posting>>,
    /// The tools that have a whole name, of either kind, by the letters and digits of it.
    names: HashMap<Box<str>, Vec<Named>>,
}

/// A tool that is called exactly so.
#[derive(Debug, Clone, Copy)]
struct Named {
    tool: u32,
    bonus: f32,
}

/// A tool that has a word, and how strongly.
#[derive(Debug, Clone, Copy)]
struct Posting {
    tool: u32,
    strength: f32,
}

impl SearchIndex {
    /// Reads the names, titles, descriptions, servers and parameters of all tools of `catalog`.
    #[must_use]
    pub fn new(catalog: &Catalog) -> Self {
        let tools: Vec<Arc<ToolSpec>> = catalog.tools().cloned().collect();
        let mut counts: HashMap<Box<str>, Vec<(u32, [u16; FIELD_COUNT])>> = HashMap::new();
        let mut lengths: Vec<[u16; FIELD_COUNT]> = Vec::with_capacity(tools.len());
        for (tool, number) in tools.iter().zip(0_u32..) {
            let mut length = [0_u16; FIELD_COUNT];
            each_field_text(tool, |field, text| {
                each_word(text, MOST_FIELD_WORDS, |word| {
                    length[field] = length[field].saturating_add(1);
                    let entries = match counts.get_mut(word) {
                        Some(entries) => entries,
                        None => counts.entry(word.into()).or_default(),
                    };
                    match entries.last_mut() {
                        Some((last, count)) if *last == number => count[field] = count[field].saturating_add(1),
                        _ => {
                            let mut count = [0; FIELD_COUNT];
                            count[field] = 1;
                            entries.push((number, count));
                        }
                    }
                });
            });
            lengths.push(length);
        }
        let means = mean_lengths(&lengths);
        let words = counts.into_iter().map(|(word, entries)| (word, postings(&entries, &lengths, &means))).collect();
        let names = whole_names(&tools);
        Self(Arc::new(Index { tools, words, names }))
    }

    /// Whether this is an index over the very tools that `catalog` offers: the same in memory, and not only equal ones.
    #[must_use]
    pub fn is_of(&self, catalog: &Catalog) -> bool {
        let tools = &self.0.tools;
        let mut count = 0;
        for (one, other) in catalog.tools().zip(tools) {
            if !Arc::ptr_eq(one, other) {
                return false;
            }
            count += 1;
        }
        count == tools.len() && catalog.tools().nth(count).is_none()
    }

    /// The tools that fit `query`, best first, at most `most`; equally good ones in the order of their names.
    ///
    /// A tool whose whole name is the query comes before all others, and then one whose name within its server is; case and
    /// punctuation do not count. A query without a single word finds nothing.
    #[must_use]
    pub fn search(&self, query: &str, mode: SearchMode, most: usize) -> Vec<Hit> {
        let index = &*self.0;
        let words = query_words(query, MOST_QUERY_WORDS);
        let mut scores = vec![0_f32; index.tools.len()];
        let mut covered = vec![0_f32; index.tools.len()];
        let mut matched = vec![0_usize; index.tools.len()];
        let mut rarity_of_all = 0_f32;
        for word in &words {
            let postings = match mode {
                SearchMode::AllWords => index.postings_for(word),
                SearchMode::AnyWords => index.postings_for_verb(word),
            };
            let rarity = rarity(postings.len(), index.tools.len());
            rarity_of_all += rarity;
            for posting in postings.iter() {
                let place = posting.tool as usize;
                scores[place] += rarity * posting.strength / (posting.strength + SATURATION);
                covered[place] += rarity;
                matched[place] += 1;
            }
        }
        let needed = match mode {
            SearchMode::AllWords => words.len(),
            SearchMode::AnyWords => 1,
        };
        let mut bonuses = vec![0_f32; index.tools.len()];
        for named in index.names.get(&*name_key(query)).into_iter().flatten() {
            bonuses[named.tool as usize] = named.bonus;
        }
        let mut hits: Vec<Hit> = Vec::new();
        for (place, tool) in index.tools.iter().enumerate().filter(|&(place, _)| matched[place] >= needed.max(1) || bonuses[place] > 0.0) {
            let mut score = bonuses[place];
            if rarity_of_all > 0.0 {
                // A tool that has most of what was asked for is better than one that has a part of it thrice.
                score += scores[place] / rarity_of_all * (covered[place] / rarity_of_all);
            }
            if tool.annotations.read_only == Some(true) {
                score *= READ_ONLY_TILT;
            }
            hits.push(Hit { tool: Arc::clone(tool), score });
        }
        hits.sort_by(|one, other| other.score.total_cmp(&one.score).then_with(|| one.tool.name.cmp(&other.tool.name)));
        hits.truncate(most);
        hits
    }
}

impl Index {
    /// Where a word occurs, and, if it is a verb, where verbs that do the same occur.
    fn postings_for_verb(&self, word: &str) -> Cow<'_, [Posting]> {
        let own = self.postings_for(word);
        let Some(group) = VERBS.iter().find(|group| group.contains(&word)) else { return own };
        let mut strengths: HashMap<u32, f32> = own.iter().map(|posting| (posting.tool, posting.strength)).collect();
        for posting in group.iter().filter(|verb| **verb != word).filter_map(|verb| self.words.get(*verb)).flatten() {
            let strength = strengths.entry(posting.tool).or_insert(0.0);
            *strength = strength.max(posting.strength * VERB_WEIGHT);
        }
        strengths.into_iter().map(|(tool, strength)| Posting { tool, strength }).collect()
    }

    /// Where a word occurs; a word that is not known stands for those that begin with it.
    fn postings_for(&self, word: &str) -> Cow<'_, [Posting]> {
        if let Some(postings) = self.words.get(word) {
            return postings.as_slice().into();
        }
        if word.chars().count() < 3 {
            return Vec::new().into();
        }
        let mut strengths: HashMap<u32, f32> = HashMap::new();
        for posting in self.words.iter().filter(|(known, _)| known.starts_with(word)).flat_map(|(_, postings)| postings) {
            let strength = strengths.entry(posting.tool).or_insert(0.0);
            *strength = strength.max(posting.strength * PREFIX_WEIGHT);
        }
        strengths.into_iter().map(|(tool, strength)| Posting { tool, strength }).collect()
    }
}

/// The tools by the keys of their names: one that has a key as its name in the catalog has no use of it as another name.
fn whole_names(tools: &[Arc<ToolSpec>]) -> HashMap<Box<str>, Vec<Named>> {
    let mut names: HashMap<Box<str>, Vec<Named>> = HashMap::new();
    for (tool, number) in tools.iter().zip(0_u32..) {
        let (name, short) = (name_key(&tool.name), name_key(&tool.short_name));
        if !short.is_empty() && short != name {
            names.entry(short.into()).or_default().push(Named { tool: number, bonus: WHOLE_SHORT_NAME });
        }
        if !name.is_empty() {
            names.entry(name.into()).or_default().push(Named { tool: number, bonus: WHOLE_NAME });
        }
    }
    names
}

/// The letters and digits of a name, in lower case: `github.create-issue` is `github__create_issue`.
fn name_key(name: &str) -> String {
    name.chars().take(MOST_NAME_LETTERS).filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Calls `found` with the texts of a tool, each with the number of its field.
fn each_field_text(tool: &ToolSpec, mut found: impl FnMut(usize, &str)) {
    found(0, &tool.short_name);
    if let Some(title) = &tool.title {
        found(1, title);
    }
    if let Some(server) = &tool.namespace {
        found(2, server);
    }
    let (first, rest) = first_sentence(&tool.description);
    found(3, first);
    found(4, rest);
    if let Some(schema) = &tool.input_schema {
        let mut left = MOST_PARAMETERS;
        each_parameter(schema.tree(), 0, &mut left, &mut |name| found(5, name));
    }
}

/// The first sentence of a description, which says what the tool does, and the rest, which often is the same for many.
pub(crate) fn first_sentence(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    let end = text
        .char_indices()
        .find(|&(place, letter)| match letter {
            '\n' | '。' => true,
            '.' | '!' | '?' | ';' => text[place + 1..].starts_with(char::is_whitespace),
            _ => false,
        })
        .map_or(text.len(), |(place, letter)| place + letter.len_utf8());
    text.split_at(end)
}

/// Calls `found` with the names of a schema's properties, those of nested objects included.
fn each_parameter(schema: &Value, depth: usize, left: &mut usize, found: &mut impl FnMut(&str)) {
    let Some(Value::Object(properties)) = schema.get("properties") else { return };
    for (name, schema) in properties {
        if *left == 0 {
            return;
        }
        *left -= 1;
        found(name);
        if depth < 3 {
            each_parameter(schema, depth + 1, left, found);
            if let Some(items) = schema.get("items") {
                each_parameter(items, depth + 1, left, found);
            }
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of words and tools are far below what an f32 holds exactly, and only ranks matter")]
fn mean_lengths(lengths: &[[u16; FIELD_COUNT]]) -> [f32; FIELD_COUNT] {
    std::array::from_fn(|field| {
        // Tools that lack a field say nothing about how long it usually is.
        let present = lengths.iter().filter(|length| length[field] > 0).count().max(1);
        let sum: u64 = lengths.iter().map(|length| u64::from(length[field])).sum();
        (sum as f32 / present as f32).max(1.0)
    })
}

fn postings(entries: &[(u32, [u16; FIELD_COUNT])], lengths: &[[u16; FIELD_COUNT]], means: &[f32; FIELD_COUNT]) -> Vec<Posting> {
    entries
        .iter()
        .map(|&(tool, count)| {
            let length = &lengths[tool as usize];
            let weighted: [f32; FIELD_COUNT] = std::array::from_fn(|field| {
                let (weight, share) = FIELDS[field];
                weight * f32::from(count[field]) / (1.0 - share + share * f32::from(length[field]) / means[field])
            });
            // Most titles repeat the name, and many tools have none.
            let strength = weighted.iter().sum::<f32>() - weighted[NAME].min(weighted[TITLE]);
            Posting { tool, strength }
        })
        .collect()
}

/// How telling a word is that `having` of `all` tools have.
#[expect(clippy::cast_precision_loss, reason = "counts of tools are far below what an f32 holds exactly, and only ranks matter")]
fn rarity(having: usize, all: usize) -> f32 {
    let (having, all) = (having as f32, all as f32);
    (1.0 + (all - having + 0.5) / (having + 0.5)).ln()
}
