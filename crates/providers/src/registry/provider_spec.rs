//! The properties of a kind of provider: the columns of the registry.

use skein_context::window::ReasoningReplay;

use crate::tool_call_ids::CallIdRule;

/// Names a wire format. `formats::wire_format` maps it to code.
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

/// The parameter for the longest reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MaxTokensField {
    /// `max_tokens`.
    Classic,
    /// `max_completion_tokens`.
    Completion,
}

/// The parameter of chat completions that switches reasoning off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReasoningSwitch {
    /// A level of `reasoning_effort`.
    Effort,
    /// `thinking.type`.
    Type,
    /// `enable_thinking`, with `thinking_budget` for how long.
    Enable,
}

/// The endpoints with a server's models and their windows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ModelListApi {
    /// `GET {base}/models`, with any known field names.
    Models,
    /// `/models`, and `/props` beside it.
    LlamaCpp,
    /// `/models`, and `/api/v0/models` beside it.
    LmStudio,
    /// `/api/tags` and `/api/ps`.
    Ollama,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProviderSpec {
    /// The value of [`skein_domain::provider_config::ProviderConfig::kind`].
    pub id: &'static str,
    /// The display name.
    pub name: &'static str,
    pub format: FormatId,
    /// The default address, including the version; empty if only the user knows it.
    pub base_url: &'static str,
    pub auth: AuthScheme,
    /// True if the provider needs no key.
    pub keyless: bool,
    /// Environment variables in which the provider's own tools expect the key.
    pub key_env: &'static [&'static str],
    /// The provider's page where a user creates a key; `None` if unknown. Opened only when the user
    /// clicks a link to it.
    pub key_page: Option<&'static str>,
    /// The provider's id in the model catalogue; empty if it has none.
    pub catalogue: &'static str,
    /// The default model (P02), with a window of at least 32k. The demo model is the one exception
    /// and is not a row: its window is small, so that a first conversation shows a compaction.
    pub default_model: Option<&'static str>,
    /// The parameter for the longest reply.
    pub max_tokens: MaxTokensField,
    /// True if usage must be requested with `stream_options`.
    pub requests_usage: bool,
    /// The rule for sending reasoning back.
    pub reasoning_replay: ReasoningReplay,
    /// The parameter that switches reasoning off.
    pub reasoning_switch: ReasoningSwitch,
    /// Prefixes of model ids whose prompt cache needs explicit marks.
    pub cache_marked_models: &'static [&'static str],
    /// True if the provider finds cached prompts by a key of the conversation and takes a cache lifetime,
    /// with OpenAI's parameters.
    pub has_cache_keys: bool,
    /// True if the provider can keep prompts in its cache for an hour.
    pub has_hour_cache: bool,
    /// The hosts whose servers write summaries of conversations with a compaction of their own. One that
    /// begins with a dot is the end of a host's name.
    pub compaction_hosts: &'static [&'static str],
    /// True if the provider has deferred tools of its own.
    pub has_deferred_tools: bool,
    /// The call ids that it accepts.
    pub call_id_rule: CallIdRule,
    /// True if the provider rejects a user message right after tool results.
    pub assistant_after_results: bool,
    /// True if the provider stores requests unless told `store: false`.
    pub stores_by_default: bool,
    /// True if an error without a body means that the request was too long.
    pub mute_overflow: bool,
    /// The endpoints with the windows of its models.
    pub model_list_api: ModelListApi,
}
