//! Counts the tokens of a text, an image or a file. Only this module knows a tokeniser.
//!
//! Models whose vocabulary `tiktoken` publishes are counted exactly. All others are counted with `o200k_base`
//! times a factor learned from the reports of their provider ([`Calibration`]). There is no estimate by
//! length (Q14): counting runs at tens of megabytes a second, fast enough for every keystroke.
//!
//! Not here: what is sent (`window`), and reported usage (`health::usage`).

mod bpe;
mod cache;
mod calibration;
mod char_classes;
mod encoding;
mod hash_table;
mod image_price;
mod merge_boundaries;
pub mod message_tokens;
mod pretokenize;
pub mod token_count;
mod trie;
mod vocabulary;

pub use calibration::{Calibration, comparable_count};

use crate::tokens::message_tokens::{RULES, Tokenizer};
use crate::tokens::token_count::{Basis, TokenCount};
use encoding::Encoding;
use image_price::ImagePrice;

/// Counts the tokens of a text as a model does, or as nearly as is known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TokenCounter {
    encoding: Encoding,
    images: ImagePrice,
    vision: bool,
    /// The prefixes of opaque state that the provider takes back; empty: it takes none back.
    signature_prefixes: &'static [&'static str],
    /// `None`: the encoding is the model's own, and nothing is learned.
    calibration: Option<Calibration>,
}

impl TokenCounter {
    /// The counter of a model, by the provider's id of the model. The vocabulary is loaded at the first
    /// count, which takes tens of milliseconds: see [`preload`].
    pub fn for_model(model: &str) -> Self {
        let name = plain_name(model);
        let published = Encoding::published_for(&name);
        Self {
            encoding: published.unwrap_or(Encoding::O200kBase),
            images: ImagePrice::of(&name),
            vision: false,
            signature_prefixes: &[],
            calibration: published.is_none().then(Calibration::default),
        }
    }

    /// Sets the learned calibration of the model. Has no effect if the count is exact.
    pub fn with_calibration(self, learned: Calibration) -> Self {
        Self { calibration: self.calibration.map(|_| learned), ..self }
    }

    /// The calibration; the default one if the count is exact.
    pub fn calibration(&self) -> Calibration {
        self.calibration.unwrap_or_default()
    }

    /// Sets whether the model takes images and is sent those of tool results.
    pub fn with_vision(self, sees: bool) -> Self {
        Self { vision: sees, ..self }
    }

    /// Sets the prefixes of opaque state that the provider takes back with reasoning and calls. Only state
    /// with one of these prefixes is sent back and counted.
    pub fn with_signatures(self, seals: &'static [&'static str]) -> Self {
        Self { signature_prefixes: seals, ..self }
    }

    /// Tokens of a text and their basis. Special tokens count as ordinary text.
    pub fn count(&self, text: &str) -> TokenCount {
        TokenCount { tokens: self.text(text), basis: self.basis() }
    }

    /// The average error of a count in percent. `None`: the count is exact, or too few reports are known.
    pub fn error_percent(&self) -> Option<u32> {
        self.calibration.and_then(Calibration::error_percent)
    }

    /// The key of stored counts: counters of the same family give the same numbers.
    pub fn family(&self) -> String {
        let encoding = self.encoding.name();
        let factor = self.calibration.map_or(String::new(), |learned| learned.family());
        let sees = if self.vision { "/sees" } else { "" };
        let seals = self.signature_prefixes.concat();
        format!("{encoding}{factor}/{}{sees}/{seals}{RULES}", self.images.name())
    }
}

impl Tokenizer for TokenCounter {
    fn text(&self, text: &str) -> u32 {
        let tokens = u32::try_from(self.encoding.count(text)).unwrap_or(u32::MAX);
        self.calibration.map_or(tokens, |calibration| calibration.apply(tokens))
    }

    /// If the size is unknown, the most that the provider charges for an image.
    fn image(&self, width: Option<u32>, height: Option<u32>) -> u32 {
        self.images.tokens(width.zip(height))
    }

    fn sees(&self) -> bool {
        self.vision
    }

    fn takes_back(&self, signature: &str) -> bool {
        self.signature_prefixes.iter().any(|seal| signature.starts_with(seal))
    }

    fn basis(&self) -> Basis {
        match self.calibration {
            None => Basis::Exact,
            Some(learned) if learned.reports > 0 => Basis::Calibrated,
            Some(_) => Basis::Borrowed,
        }
    }
}

/// Loads the vocabulary that most counts need. Call it off the main thread, after the app window is open.
pub fn preload() {
    Encoding::O200kBase.count("");
}

/// The name of the model itself, without the rest of ids such as `openai/gpt-4o` (`openrouter`),
/// `ft:gpt-4o:acme` (a fine-tuned model) and `gpt-oss:20b` (Ollama).
fn plain_name(model: &str) -> String {
    let name = model.rsplit('/').next().unwrap_or(model);
    let name = name.strip_prefix("ft:").unwrap_or(name);
    name.split([':', '@']).next().unwrap_or(name).to_ascii_lowercase()
}

#[cfg(test)]
mod tests;
