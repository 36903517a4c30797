//! A provider's own count of a prompt's tokens, and its prompt cache.

use std::sync::{Mutex, PoisonError};

use serde_json::Value;

/// Counts requests of chat completions by a tokeniser of its own, and keeps them in a cache.
#[derive(Default)]
pub struct TokenMeter {
    /// The parts of each request.
    cache: Mutex<Vec<Vec<String>>>,
}

/// The tokens of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MeteredPrompt {
    pub prompt: u32,
    /// Those at its start that an earlier request had, too.
    pub cached: u32,
}

impl TokenMeter {
    /// Counts a request and keeps it in the cache.
    pub fn count(&self, body: &Value) -> MeteredPrompt {
        let parts = parts(body);
        let mut cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        let common =
            |old: &Vec<String>| parts.iter().zip(old).take_while(|(part, old)| part == old).count();
        let cached = cache.iter().map(common).max().unwrap_or(0);
        let sum = |parts: &[String]| parts.iter().map(|part| tokens(part)).sum();
        let counted = MeteredPrompt { prompt: sum(&parts), cached: sum(&parts[..cached]) };
        cache.push(parts);
        counted
    }
}

/// The tools and then the messages, in the order of a provider's prompt.
fn parts(body: &Value) -> Vec<String> {
    let messages = body["messages"].as_array().into_iter().flatten();
    [&body["tools"]].into_iter().chain(messages).map(Value::to_string).collect()
}

/// Between 110 and 117 tokens for each 100 words and signs.
fn tokens(part: &str) -> u32 {
    let is_sign = |letter: &char| !letter.is_alphanumeric() && !letter.is_whitespace();
    let words = part.split(|letter: char| !letter.is_alphanumeric()).filter(|it| !it.is_empty());
    let count = words.count() + part.chars().filter(is_sign).count() / 3;
    let percent = 110 + count % 8;
    u32::try_from(count * percent / 100).unwrap_or(u32::MAX)
}
