//! How many tokens a text, a picture or a file costs: the only place that knows a tokeniser.
//!
//! Model families whose vocabulary is published in `tiktoken` are counted exactly. All others are
//! counted with `o200k_base` times a factor learned from what their provider reports
//! ([`Calibration`]). There is no rule of thumb beside it (Q14): tens of megabytes a second are counted,
//! so that what is written has its true number before a guess could be read.
//!
//! Not here: what is sent and what surrounds it (`window`), and the provider's own word (`usage`).

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

/// Counts tokens as one model does, as nearly as can be known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TokenCounter {
    encoding: Encoding,
    images: ImagePrice,
    vision: bool,
    /// How what its provider wants back begins; empty: it wants nothing back.
    signature_prefixes: &'static [&'static str],
    /// `None` where the encoding is the model's own: nothing to learn.
    calibration: Option<Calibration>,
}

impl TokenCounter {
    /// The counter of a model, by the id its provider knows it by. Loading the vocabulary waits
    /// for the first count (tens of milliseconds): see [`warm`].
    pub fn for_model(model: &str) -> Self {
        let name = plain_name(model);
        let images = ImagePrice::of(&name);
        match Encoding::published_for(&name) {
            Some(encoding) => {
                Self { encoding, images, vision: false, signature_prefixes: &[], calibration: None }
            }
            None => Self {
                encoding: Encoding::O200kBase,
                images,
                vision: false,
                signature_prefixes: &[],
                calibration: Some(Calibration::default()),
            },
        }
    }

    /// With what was learned of this model. Changes nothing where the count is exact.
    pub fn with_calibration(self, learned: Calibration) -> Self {
        Self { calibration: self.calibration.map(|_| learned), ..self }
    }

    /// What it counts with beside the tokeniser; where the count is exact, nothing was learned.
    pub fn calibration(&self) -> Calibration {
        self.calibration.unwrap_or_default()
    }

    /// Of a model that is known to see, and is sent what a tool showed.
    pub fn with_vision(self, sees: bool) -> Self {
        Self { vision: sees, ..self }
    }

    /// For a model whose provider gets back what came, opaque, with its thoughts and calls: only what
    /// begins with one of these `seals` is sent back, and so only that is counted.
    pub fn with_signatures(self, seals: &'static [&'static str]) -> Self {
        Self { signature_prefixes: seals, ..self }
    }

    /// Tokens of a text, and how surely. What looks like a special token is ordinary text.
    pub fn count(&self, text: &str) -> TokenCount {
        TokenCount { tokens: self.text(text), basis: self.basis() }
    }

    /// How far a count may be off, in percent. `None`: it is exact, or too little was reported to say.
    pub fn error_percent(&self) -> Option<u32> {
        self.calibration.and_then(Calibration::error_percent)
    }

    /// What a kept count is valid for: counters of the same family give the same numbers.
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

    /// Where the size is unknown: the most that the provider charges for a picture.
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

/// Loads the vocabulary that most counts need. Call it off the main thread, after the window is
/// there.
pub fn preload() {
    Encoding::O200kBase.count("");
}

/// The model's own name: `openrouter`'s `openai/gpt-4o`, a fine-tuned `ft:gpt-4o:acme` and
/// Ollama's `gpt-oss:20b` without what surrounds it.
fn plain_name(model: &str) -> String {
    let name = model.rsplit('/').next().unwrap_or(model);
    let name = name.strip_prefix("ft:").unwrap_or(name);
    name.split([':', '@']).next().unwrap_or(name).to_ascii_lowercase()
}

#[cfg(test)]
mod tests;
