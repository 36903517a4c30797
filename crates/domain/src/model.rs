//! A model and its properties.
//!
//! Unknown is `None`, never zero. Not here: the data and the lookup of the catalogue
//! (`context::limits::catalog`).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use specta::Type;

use crate::ids::ProviderId;

/// A model of a provider.
#[derive(
    Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, Type, JsonSchema,
)]
#[serde(rename_all = "camelCase")]
pub struct ModelRef {
    /// The configured provider.
    pub provider: ProviderId,
    /// The provider's id of the model.
    pub model: String,
}

/// A value and its source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SourcedValue<T> {
    /// The value.
    pub value: T,
    /// The source.
    pub source: ValueSource,
}

/// The source of a value, strongest first: a value is replaced only by one of an equal or stronger source
/// (law 5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum ValueSource {
    /// The user set it.
    Person,
    /// An overflow error named it, or reports implied it.
    Learned,
    /// A local server reported it for its loaded model.
    Loaded,
    /// The provider's model list has it.
    Provider,
    /// The catalogue has this id.
    Catalogue,
    /// The catalogue has an id that is a prefix of this one.
    CataloguePrefix,
}

/// The properties of a model. Numbers are tokens unless stated otherwise; `None` is unknown.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase", default)]
pub struct ModelSpec {
    /// Prompt and output together (`context_length`).
    pub window: Option<SourcedValue<u32>>,
    /// The prompt alone, if the provider limits it (`input_length`).
    pub max_input: Option<SourcedValue<u32>>,
    /// The longest reply.
    pub max_output: Option<SourcedValue<u32>>,
    /// True if the model takes tool declarations.
    pub tools: Option<bool>,
    /// True if the model takes images.
    pub images: Option<bool>,
    /// True if the model can reason.
    pub reasoning: Option<bool>,
    /// The smallest prompt, in tokens, whose every token costs more than in a smaller one; `None`: there is
    /// none, or the prices are unknown.
    pub price_step: Option<u32>,
    /// The user's own values for this model.
    pub limits: ModelLimits,
}

impl ModelSpec {
    /// Law 5: takes over a newer value if its source is at least as strong as that of the known one. A limit
    /// of the prompt alone (`max_input`) is dropped if its source is weaker than that of the window, which
    /// then says how much fits. The user's own limits stay.
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

    /// True if the model is known to take images.
    pub fn has_vision(&self) -> bool {
        self.images == Some(true)
    }

    /// The largest prompt: the window, or less if the provider limits the prompt. `None`: neither is known.
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

/// The smallest upper bound of the compaction threshold, in tokens: it leaves room for a conversation.
pub const MIN_COMPACTION_BOUND: u32 = 1_000;

/// The user's values for one model. `None` follows the global value or the formula.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, Type, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ModelLimits {
    /// The compaction threshold in percent of the available window.
    #[schemars(range(min = 40, max = 90))]
    pub compaction_threshold: Option<u32>,
    /// The upper bound of the threshold in tokens.
    #[schemars(range(min = MIN_COMPACTION_BOUND))]
    pub compaction_bound: Option<u32>,
    /// Tokens kept free for the reply.
    pub output_reserve: Option<u32>,
    /// The optimal size in tokens; `None`: 100,000, or less for small windows.
    #[schemars(range(min = 1))]
    pub optimal_max_tokens: Option<u32>,
    /// The critical size in tokens; `None`: nine tenths of the largest prompt.
    #[schemars(range(min = 1))]
    pub critical_max_tokens: Option<u32>,
    /// Generations between two caution notices; `None`: 10.
    #[schemars(range(min = 1))]
    pub caution_remediation_cadence_generations: Option<u32>,
}

/// The reasoning effort that is asked of a model.
#[derive(
    Debug,
    Clone,
    Copy,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Serialize,
    Deserialize,
    Type,
    JsonSchema,
)]
#[serde(rename_all = "camelCase")]
pub enum ReasoningEffort {
    /// The provider's default.
    #[default]
    Default,
    /// No reasoning, if the model can be told so.
    Off,
    /// Low.
    Low,
    /// Medium.
    Medium,
    /// High.
    High,
}

impl ReasoningEffort {
    /// The name of the level in all wire formats; `None`: no level is asked for.
    pub fn level(self) -> Option<&'static str> {
        match self {
            Self::Default | Self::Off => None,
            Self::Low => Some("low"),
            Self::Medium => Some("medium"),
            Self::High => Some("high"),
        }
    }
}
