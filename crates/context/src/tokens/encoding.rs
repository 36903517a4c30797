//! The published encodings, which model uses which, and their loaded tables.

use std::sync::{LazyLock, Mutex};

use super::bpe::BpeCounter;
use super::cache::TokenCache;
use super::char_classes::CharClasses;
use super::pretokenize::{PreTokens, SplitPattern};
use super::vocabulary::Vocabulary;

/// An encoding of `tiktoken` that a current model uses. `o200k_harmony` differs from `o200k_base` only in
/// special tokens, which count as ordinary text here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Encoding {
    Cl100kBase,
    O200kBase,
}

/// The tables for counting in one encoding.
struct EncodingTables {
    classes: CharClasses,
    pattern: SplitPattern,
    vocabulary: Vocabulary,
    /// The cache. A second thread that counts meanwhile uses an empty one of its own.
    recent: Mutex<TokenCache>,
}

impl EncodingTables {
    fn load(pattern: SplitPattern, merges: &[u8]) -> Self {
        Self {
            classes: CharClasses::new(),
            pattern,
            vocabulary: Vocabulary::load(merges),
            recent: Mutex::new(TokenCache::new()),
        }
    }

    fn count(&self, text: &str, recent: &mut TokenCache) -> usize {
        let mut counter = BpeCounter::new(&self.vocabulary, recent);
        PreTokens::new(&self.classes, self.pattern, text)
            .map(|piece| counter.count(piece.from_here, piece.length))
            .sum()
    }
}

static CL100K_BASE: LazyLock<EncodingTables> = LazyLock::new(|| {
    EncodingTables::load(SplitPattern::Cl100k, include_bytes!("../../data/cl100k_base.merges"))
});
static O200K_BASE: LazyLock<EncodingTables> = LazyLock::new(|| {
    EncodingTables::load(SplitPattern::O200k, include_bytes!("../../data/o200k_base.merges"))
});

/// Models by the beginning of their name, which ends there or continues with a hyphen. From tiktoken's table
/// (`tiktoken/model.py`, 0.14), for the models that can still be called.
const PUBLISHED: &[(&str, Encoding)] = &[
    ("o1", Encoding::O200kBase),
    ("o3", Encoding::O200kBase),
    ("o4-mini", Encoding::O200kBase),
    ("gpt-4.5", Encoding::O200kBase),
    ("gpt-4.1", Encoding::O200kBase),
    ("gpt-4o", Encoding::O200kBase),
    ("chatgpt-4o", Encoding::O200kBase),
    ("codex-mini", Encoding::O200kBase),
    ("gpt-oss", Encoding::O200kBase),
    ("gpt-4", Encoding::Cl100kBase),
    ("gpt-3.5", Encoding::Cl100kBase),
    ("gpt-35-turbo", Encoding::Cl100kBase),
    ("davinci-002", Encoding::Cl100kBase),
    ("babbage-002", Encoding::Cl100kBase),
];

impl Encoding {
    /// The encoding published for a model, by its plain name; `None`: there is none.
    pub(super) fn published_for(model: &str) -> Option<Self> {
        // tiktoken accepts any suffix: `gpt-5.4-mini`, `gpt-5-codex`.
        if model.starts_with("gpt-5") {
            return Some(Self::O200kBase);
        }
        let listed = PUBLISHED.iter().find(|(name, _)| {
            model.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
        });
        listed.map(|(_, encoding)| *encoding)
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Cl100kBase => "cl100k_base",
            Self::O200kBase => "o200k_base",
        }
    }

    fn tables(self) -> &'static EncodingTables {
        match self {
            Self::Cl100kBase => &CL100K_BASE,
            Self::O200kBase => &O200K_BASE,
        }
    }

    pub(super) fn count(self, text: &str) -> usize {
        let tables = self.tables();
        match tables.recent.try_lock() {
            Ok(mut recent) => tables.count(text, &mut recent),
            Err(_) => tables.count(text, &mut TokenCache::new()),
        }
    }
}
