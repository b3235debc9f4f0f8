//! Which of many cases are tried: all in a soak, else a sample that a printed seed repeats.
#![expect(clippy::print_stderr, reason = "whoever sees a sampled test fail must know how to repeat it")]

use std::hash::{DefaultHasher, Hash, Hasher};

/// `CODEMODE_SOAK=1` tries everything; `CODEMODE_SEED` repeats a sample.
#[derive(Debug)]
pub struct Sampling {
    seed: u64,
    whole: bool,
}

impl Sampling {
    /// As the environment says; the seed is one of its own where the environment has none, and is printed.
    #[expect(clippy::new_without_default, reason = "it reads the environment, prints, and differs each time")]
    pub fn new() -> Self {
        let whole = std::env::var("CODEMODE_SOAK").is_ok_and(|value| value == "1");
        let seed = std::env::var("CODEMODE_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or_else(|| {
            let mut hasher = DefaultHasher::new();
            (std::time::SystemTime::now(), std::process::id()).hash(&mut hasher);
            hasher.finish()
        });
        eprintln!("repeat with CODEMODE_SEED={seed}; CODEMODE_SOAK=1 tries everything");
        Self { seed, whole }
    }

    /// Whether everything is tried.
    pub fn is_whole(&self) -> bool {
        self.whole
    }

    /// Which of 1 to `count` are tried, in order: at most `most` of them, unless all are.
    pub fn numbers(&self, what: &str, count: u64, most: u64) -> Vec<u64> {
        if self.whole || count <= most {
            return (1..=count).collect();
        }
        let mut numbers: Vec<u64> = (0..most).map(|draw| self.draw(what, draw) % count + 1).collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }

    /// A number that follows from the seed.
    pub fn draw(&self, what: &str, number: u64) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.seed, what, number).hash(&mut hasher);
        hasher.finish()
    }
}
