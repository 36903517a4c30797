//! What is known of a kind of provider: the columns of the registry.

use skein_context::window::ReasoningReplay;

use crate::tool_call_ids::CallIdRule;

/// Selects a wire format: `formats::wire_format` is the one place that maps it to code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FormatId {
    OpenAiChat,
    OpenAiResponses,
    Anthropic,
    Gemini,
    Ollama,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AuthScheme {
    /// `Authorization: Bearer …`.
    Bearer,
    /// A header of this name.
    Header(&'static str),
}

/// What tells a server that the answer may have so many tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MaxTokensField {
    /// `max_tokens`.
    Classic,
    /// `max_completion_tokens`.
    Completion,
}

/// What tells a server of chat completions that its models are not to think.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReasoningSwitch {
    /// A level of `reasoning_effort`.
    Effort,
    /// `thinking.type`.
    Type,
    /// `enable_thinking`, with `thinking_budget` for how long.
    Enable,
}

/// Where a server lists its models and says how large their windows are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ModelListApi {
    /// `GET {base}/models`, whatever fields its entries have.
    Models,
    /// The same, and `/props` beside it.
    LlamaCpp,
    /// `/api/v0/models` beside it.
    LmStudio,
    /// `/api/tags` and `/api/ps`.
    Ollama,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProviderSpec {
    /// What [`skein_domain::provider_config::ProviderConfig::kind`] names.
    pub id: &'static str,
    /// For the user.
    pub name: &'static str,
    pub format: FormatId,
    /// Its own address, version included; empty where only the user knows it.
    pub base_url: &'static str,
    pub auth: AuthScheme,
    /// Whether it answers without a key.
    pub keyless: bool,
    /// Environment variables its own tools read the key from.
    pub key_env: &'static [&'static str],
    /// The provider's page where a user makes a key; `None` where there is none to be known. Opened only
    /// when the user presses a link to it.
    pub key_page: Option<&'static str>,
    /// Its id in the catalogue of models; empty where it is in none.
    pub catalogue: &'static str,
    /// P02: what a user who chooses nothing talks to; never under 32k. The one exception is the
    /// demo, which is no row: its window is small so that a first look sees a compaction.
    pub default_model: Option<&'static str>,
    /// How it is told of the answer's length.
    pub max_tokens: MaxTokensField,
    /// Whether it must be asked for usage with `stream_options`.
    pub requests_usage: bool,
    /// When reasoning goes back.
    pub reasoning_replay: ReasoningReplay,
    /// How its models are kept from thinking.
    pub reasoning_switch: ReasoningSwitch,
    /// How the ids of those models begin whose prompts it keeps for the next request only up to a mark.
    pub cache_marked_models: &'static [&'static str],
    /// Whether it finds cached prompts by a key of the conversation, and says how long it keeps them, in
    /// OpenAI's words.
    pub has_cache_keys: bool,
    /// Which ids of calls it takes.
    pub call_id_rule: CallIdRule,
    /// Whether its model must say something between results and the user's next words.
    pub assistant_after_results: bool,
    /// Whether it keeps what is sent unless told `store: false`.
    pub stores_by_default: bool,
    /// Whether a refusal without a body means that the request was too long.
    pub mute_overflow: bool,
    /// Where the windows are.
    pub model_list_api: ModelListApi,
}
