//! Which model, and what is known of it.
//!
//! Unknown is `None`, never zero. Not here: the catalogue's data and lookup (`catalog`).

use serde::{Deserialize, Serialize};
use specta::Type;

use crate::ids::ProviderId;

/// A model of a provider.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ModelRef {
    /// The configured provider.
    pub provider: ProviderId,
    /// The id the provider knows it by.
    pub model: String,
}

/// A value and where it came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SourcedValue<T> {
    /// The value.
    pub value: T,
    /// Where it came from.
    pub source: ValueSource,
}

/// Where a value comes from, strongest first: a value is replaced only by one of an equal or
/// stronger source (law 5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum ValueSource {
    /// The user set it.
    Person,
    /// An overflow error named it, or reports told of it.
    Learned,
    /// A local server says this is what it has loaded.
    Loaded,
    /// The provider's own list of models says so.
    Provider,
    /// The catalogue has this very id.
    Catalogue,
    /// The catalogue has an id that this one begins with.
    CataloguePrefix,
}

/// What is known of a model. Token counts unless said otherwise; `None` is unknown.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase", default)]
pub struct ModelSpec {
    /// Everything one call may hold: prompt and output together (`context_length`).
    pub window: Option<SourcedValue<u32>>,
    /// What the prompt alone may hold, where the provider says so (`input_length`).
    pub max_input: Option<SourcedValue<u32>>,
    /// What one answer may hold.
    pub max_output: Option<SourcedValue<u32>>,
    /// Whether it takes tool declarations.
    pub tools: Option<bool>,
    /// Whether it sees pictures.
    pub images: Option<bool>,
    /// Whether it thinks aloud.
    pub reasoning: Option<bool>,
    /// The smallest prompt, in tokens, of which every token costs more than in a smaller one; `None`: there
    /// is none, or its prices are unknown.
    pub price_step: Option<u32>,
    /// The user's own values for this model.
    pub limits: ModelLimits,
}

impl ModelSpec {
    /// Law 5: takes over a newer value if its source is at least as strong as that of the known one. A
    /// limit for the prompt alone (`max_input`) is dropped where its source is weaker than that of the
    /// window: whoever knows the window better has said how much fits. The user's own limits stay.
    pub fn merge_newer(&mut self, newer: &Self) {
        self.window = stronger(self.window, newer.window);
        let window = self.window;
        self.max_input = stronger(self.max_input, newer.max_input)
            .filter(|input| window.is_none_or(|window| window.source >= input.source));
        self.max_output = stronger(self.max_output, newer.max_output);
        self.tools = newer.tools.or(self.tools);
        self.images = newer.images.or(self.images);
        self.reasoning = newer.reasoning.or(self.reasoning);
    }

    /// Whether it is known to see pictures.
    pub fn has_vision(&self) -> bool {
        self.images == Some(true)
    }

    /// What a prompt cannot exceed: the window, or less where the provider takes less as a prompt.
    /// `None`: neither is known.
    pub fn max_prompt(&self) -> Option<SourcedValue<u32>> {
        [self.window, self.max_input].into_iter().flatten().min_by_key(|limit| limit.value)
    }

    /// D04: the limit of context health. `context_length`, else `input_length`.
    pub fn health_limit(&self) -> Option<u32> {
        self.window.or(self.max_input).map(|limit| limit.value)
    }
}

fn stronger(
    known: Option<SourcedValue<u32>>,
    newer: Option<SourcedValue<u32>>,
) -> Option<SourcedValue<u32>> {
    match (known, newer) {
        (Some(known), Some(newer)) if newer.source > known.source => Some(known),
        (known, None) => known,
        (Some(_) | None, newer) => newer,
    }
}

/// Per-model values that only the user sets. `None` follows the global value or the formula.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase", default)]
pub struct ModelLimits {
    /// Percent, 40–90.
    pub compaction_threshold: Option<u32>,
    /// Tokens, at least 1,000: the upper bound beside that share.
    pub compaction_bound: Option<u32>,
    /// Tokens.
    pub output_reserve: Option<u32>,
    /// D06: tokens; `None`: 100,000, or less for small windows.
    pub optimal_max_tokens: Option<u32>,
    /// D07: tokens; `None`: nine tenths of what a prompt may take.
    pub critical_max_tokens: Option<u32>,
    /// D08: generations; `None`: 10.
    pub caution_remediation_cadence_generations: Option<u32>,
}

/// How hard a model is asked to think before it answers.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, Type,
)]
#[serde(rename_all = "camelCase")]
pub enum ReasoningEffort {
    /// As hard as its provider lets it where nothing is said.
    #[default]
    Default,
    /// Not at all, where it can do without.
    Off,
    /// A little.
    Low,
    /// Some.
    Medium,
    /// Much.
    High,
}

impl ReasoningEffort {
    /// The level as every wire names it; `None`: none is asked for.
    pub fn level(self) -> Option<&'static str> {
        match self {
            Self::Default | Self::Off => None,
            Self::Low => Some("low"),
            Self::Medium => Some("medium"),
            Self::High => Some("high"),
        }
    }
}
