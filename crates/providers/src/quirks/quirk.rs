//! Quirks: differences of one server from its kind, detected in its errors.
//!
//! Not here: properties of a whole kind (`registry`).

use std::collections::BTreeSet;

use skein_domain::provider_config::ReasoningEffort;

/// A difference of a server from its kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Quirk {
    /// The server rejects `stream_options`.
    NoStreamOptions,
    /// The server wants `max_tokens` instead of `max_completion_tokens`, or the other way round.
    OtherMaxTokens,
    /// The server rejects `store`.
    NoStore,
    /// The server rejects encrypted reasoning: its model does not reason.
    NoEncryptedReasoning,
    /// The server rejects an assistant message without reasoning.
    RequiresReasoning,
    /// The server rejects a user message right after tool results.
    AssistantAfterResults,
    /// The server rejects long ids of tool calls.
    ShortCallIds,
    /// The server rejects tools while the model reasons, and this model reasons by default.
    NoReasoningWithTools,
    /// The server rejects the message phase.
    NoPhase,
    /// The server rejects reasoning after a change of the messages before it, unless it is told to drop
    /// such reasoning.
    DropMismatchedThinking,
    /// The server rejects reasoning that is sent back.
    NoThinkingReplay,
    /// The server takes the content of a message only as a string, not as a list of parts.
    StringContent,
    /// The server rejects the cache key of a conversation.
    NoCacheKey,
    /// The server rejects the cache lifetime of a prompt.
    NoCacheLifetime,
    /// The server keeps no prompt for an hour.
    NoHourCache,
    /// The server rejects deferred tools, or references to them.
    NoDeferredTools,
    /// The server rejects the request for a compaction of its own.
    NoCompaction,
    /// The server rejects effort levels. Of the levels for the user's choice, closest first, this many are
    /// skipped (`effort`).
    EffortLevelsSkipped(ReasoningEffort, usize),
}

const ALL: [Quirk; 17] = [
    Quirk::NoStreamOptions,
    Quirk::OtherMaxTokens,
    Quirk::NoStore,
    Quirk::NoEncryptedReasoning,
    Quirk::RequiresReasoning,
    Quirk::AssistantAfterResults,
    Quirk::ShortCallIds,
    Quirk::NoReasoningWithTools,
    Quirk::NoPhase,
    Quirk::DropMismatchedThinking,
    Quirk::NoThinkingReplay,
    Quirk::StringContent,
    Quirk::NoCacheKey,
    Quirk::NoCacheLifetime,
    Quirk::NoHourCache,
    Quirk::NoDeferredTools,
    Quirk::NoCompaction,
];

/// Phrases in error messages that say that the server does not know a parameter.
const UNKNOWN_PARAMETER: &[&str] = &[
    "unsupported",
    "not supported",
    "unrecognized",
    "unknown",
    "unexpected",
    "not permitted",
    "extra_forbidden",
    "additional propert",
    "not allowed",
    "invalid parameter",
];

/// Phrases in error messages that say that the server or the model does not accept a value.
const INVALID_VALUE: &[&str] = &[
    "not support",
    "not enabled",
    "invalid value",
    "is invalid",
    "out of range",
    "does not match",
    "greater than",
    "only works in thinking mode",
    "must start with a thinking block",
    "must be verified",
    "must be one of",
    "input should be",
    "literal_error",
    "cannot be disabled",
    "restricted to",
    "only type=",
    "invalid combination",
    "between_tools",
];

/// Names of the parameters for reasoning effort.
const EFFORT_PARAMETERS: &[&str] = &[
    "thinking",
    "think value",
    "effort",
    "budget_tokens",
    "reasoning.summary",
    "reasoning summaries",
];

/// Names of the signature of reasoning, and of the parameters for it.
const SIGNATURE_PARAMETERS: &[&str] =
    &["invalid `signature`", "invalid signature", "block_binding", "binding-controls"];

/// Phrases of servers that expected a string: those of serde, pydantic, ajv, and hand-written ones.
const STRING_EXPECTED: &[&str] = &[
    "expected a string",
    "expected string",
    "must be a string",
    "should be a string",
    "should be a valid string",
    "str type expected",
    "not of type 'string'",
];

impl Quirk {
    /// True if the quirk changes the reasoning effort.
    pub(crate) fn affects_reasoning(self) -> bool {
        matches!(self, Self::EffortLevelsSkipped(..) | Self::NoReasoningWithTools)
    }

    /// True if the request cannot be sent again without what the server rejects: it asks for nothing else.
    pub(crate) fn ends_call(self) -> bool {
        self == Self::NoCompaction
    }

    /// True if the body of an error, in lower case, names the quirk.
    fn is_named_in(self, body: &str) -> bool {
        let says = |words: &[&str]| words.iter().any(|word| body.contains(word));
        match self {
            Self::NoStreamOptions => says(&["stream_options", "include_usage"]),
            Self::OtherMaxTokens => says(UNKNOWN_PARAMETER) && says(&["max_completion_tokens"]),
            Self::NoStore => {
                says(UNKNOWN_PARAMETER) && says(&["'store'", "\\\"store\\\"", "`store`", " store"])
            }
            Self::NoEncryptedReasoning => {
                says(UNKNOWN_PARAMETER) && says(&["encrypted content", "encrypted_content"])
            }
            Self::RequiresReasoning => {
                says(&["missing", "must be passed back"])
                    && says(&["reasoning_content", "content[].thinking"])
            }
            Self::AssistantAfterResults => says(&["role 'user' after role 'tool'"]),
            Self::ShortCallIds => says(&["string too long"]) && says(&["tool_call", "call_id"]),
            Self::NoReasoningWithTools => {
                says(&["reasoning_effort"]) && says(&["function tools"]) && says(&["/v1/responses"])
            }
            Self::NoPhase => {
                says(UNKNOWN_PARAMETER) && says(&[".phase", "'phase'", "`phase`", "\"phase\""])
            }
            Self::DropMismatchedThinking => says(&["prefix_mismatch_behavior"]),
            Self::NoThinkingReplay => says(&["thinking"]) && says(SIGNATURE_PARAMETERS),
            Self::StringContent => says(&["content", "messages"]) && says(STRING_EXPECTED),
            Self::NoCacheKey => says(UNKNOWN_PARAMETER) && says(&["prompt_cache_key"]),
            Self::NoCacheLifetime => {
                (says(UNKNOWN_PARAMETER) || says(INVALID_VALUE)) && says(&["prompt_cache_options"])
            }
            Self::NoHourCache => {
                (says(UNKNOWN_PARAMETER) || says(INVALID_VALUE))
                    && says(&["cache_control"])
                    && says(&["ttl"])
            }
            Self::NoDeferredTools => says(&["defer_loading", "tool_reference", "tool reference"]),
            Self::NoCompaction => {
                let refuses = says(&["requires"]) || says(UNKNOWN_PARAMETER) || says(INVALID_VALUE);
                refuses && says(&["`compaction`", "compaction:", "compaction is", "compact-2026"])
            }
            Self::EffortLevelsSkipped(..) => {
                let of_thoughts_back = says(&["signature", "binding-controls"]);
                (says(UNKNOWN_PARAMETER) || says(INVALID_VALUE))
                    && says(EFFORT_PARAMETERS)
                    && !of_thoughts_back
            }
        }
    }
}

/// The quirks of one server for one model.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Quirks(pub(crate) BTreeSet<Quirk>);

impl Quirks {
    /// True if the server has the quirk.
    pub(crate) fn has(&self, quirk: Quirk) -> bool {
        self.0.contains(&quirk)
    }

    /// True if reasoning is sent back with the instruction to drop what no longer fits.
    pub(crate) fn drops_mismatched_thinking(&self) -> bool {
        self.has(Quirk::DropMismatchedThinking) && !self.has(Quirk::NoThinkingReplay)
    }

    /// The number of refused levels for an effort.
    pub(crate) fn skipped_levels(&self, effort: ReasoningEffort) -> usize {
        let levels = self.0.iter().filter_map(|quirk| match quirk {
            Quirk::EffortLevelsSkipped(asked, level) if *asked == effort => Some(*level),
            _ => None,
        });
        levels.max().unwrap_or(0)
    }

    /// The quirk that an error names and that the request did not respect. `told` is the effort
    /// that the request named; `None` if it named none.
    pub(crate) fn detect(&self, body: &str, told: Option<ReasoningEffort>) -> Option<Quirk> {
        let body = body.to_lowercase();
        let less =
            told.map(|effort| Quirk::EffortLevelsSkipped(effort, self.skipped_levels(effort) + 1));
        let mut quirks = ALL.into_iter().chain(less);
        quirks.find(|quirk| !self.has(*quirk) && quirk.is_named_in(&body))
    }
}

impl FromIterator<Quirk> for Quirks {
    fn from_iter<I: IntoIterator<Item = Quirk>>(quirks: I) -> Self {
        Self(quirks.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn against(body: &str) -> Option<Quirk> {
        Quirks::default().detect(body, Some(ReasoningEffort::Off))
    }

    const LESS: Option<Quirk> = Some(Quirk::EffortLevelsSkipped(ReasoningEffort::Off, 1));

    #[test]
    fn a_refusal_tells_what_to_do_otherwise() {
        for (body, expected) in [
            (
                r#"{"detail":"Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."}"#,
                Some(Quirk::OtherMaxTokens),
            ),
            (
                r#"{"message":"stream_options: extra fields not permitted"}"#,
                Some(Quirk::NoStreamOptions),
            ),
            (
                r#"{"error":{"message":"Unrecognized request argument supplied: store"}}"#,
                Some(Quirk::NoStore),
            ),
            (
                r#"{"error":{"message":"Encrypted content is not supported with this model.","type":"invalid_request_error","param":"include","code":null}}"#,
                Some(Quirk::NoEncryptedReasoning),
            ),
            (
                r#"{"error":{"message":"The `reasoning_content` in the thinking mode must be passed back to the API."}}"#,
                Some(Quirk::RequiresReasoning),
            ),
            (
                r#"{"error":{"message":"thinking is enabled but reasoning_content is missing in assistant tool call message at index 2"}}"#,
                Some(Quirk::RequiresReasoning),
            ),
            (
                r#"{"error":{"message":"The `content[].thinking` in the thinking mode must be passed back to the API."}}"#,
                Some(Quirk::RequiresReasoning),
            ),
            (
                r#"{"object":"error","message":"Unexpected role 'user' after role 'tool'","code":3230}"#,
                Some(Quirk::AssistantAfterResults),
            ),
            (
                r#"{"error":{"message":"Invalid 'messages[1].tool_calls[0].id': string too long. Expected a string with maximum length 40, but got a string with length 600 instead."}}"#,
                Some(Quirk::ShortCallIds),
            ),
            (
                r#"{"error":{"message":"Invalid 'input[2].call_id': string too long. Expected a string with maximum length 64.","param":"input[2].call_id"}}"#,
                Some(Quirk::ShortCallIds),
            ),
            (
                r#"{"error":{"type":"invalid_request_error","message":"adaptive thinking is not supported on this model"}}"#,
                LESS,
            ),
            (
                r#"{"error":{"code":400,"message":"Unable to submit request because Thinking is not enabled for this model.","status":"INVALID_ARGUMENT"}}"#,
                LESS,
            ),
            (
                r#"{"error":{"message":"Unsupported value: 'reasoning_effort' does not support 'none' with this model.","param":"reasoning_effort"}}"#,
                LESS,
            ),
            (r#"{"error":"\"qwen\" does not support thinking"}"#, LESS),
            (
                r#"{"error":{"code":400,"message":"Budget 0 is invalid. This model only works in thinking mode.","status":"INVALID_ARGUMENT"}}"#,
                LESS,
            ),
            (
                r#"{"error":{"type":"invalid_request_error","message":"thinking: Input tag 'adaptive' found using 'type' does not match any of the expected tags: 'disabled', 'enabled'"}}"#,
                LESS,
            ),
            (
                r#"{"error":{"message":"Your organization must be verified to generate reasoning summaries.","type":"invalid_request_error","param":"reasoning.summary"}}"#,
                LESS,
            ),
            (
                r#"{"type":"error","error":{"type":"invalid_request_error","message":"To turn thinking off on this model, send \"thinking\": {\"type\": \"between_tools\"} instead of {\"type\": \"disabled\"}. The model does not think before responding."}}"#,
                LESS,
            ),
            (
                r#"{"error":{"message":"`reasoning_effort` must be one of `low`, `medium`, or `high`","type":"invalid_request_error"}}"#,
                LESS,
            ),
            (
                r#"{"detail":[{"type":"literal_error","loc":["body","reasoning_effort"],"msg":"Input should be 'low', 'medium' or 'high'","input":"none"}]}"#,
                LESS,
            ),
            (
                r#"{"error":{"code":"1210","message":"This model always engages in thinking and cannot be disabled; please use low, high, or max."}}"#,
                LESS,
            ),
            (
                r#"{"error":{"message":"invalid thinking: only type=enabled is allowed for this model","type":"invalid_request_error"}}"#,
                LESS,
            ),
            (
                r#"{"error":{"code":"invalid_parameter_error","message":"The value of the enable_thinking parameter is restricted to True."}}"#,
                LESS,
            ),
            (
                r#"{"code":20015,"message":"Value error, current model does not support parameter `enable_thinking`.","data":null}"#,
                LESS,
            ),
            (
                r#"{"error":{"code":"InvalidParameter","message":"Invalid combination of reasoning_effort and thinking type: low + disabled"}}"#,
                LESS,
            ),
            (
                r#"{"error":{"message":"Function tools with reasoning_effort are not supported for gpt-5.6-terra in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.","type":"invalid_request_error","param":"reasoning_effort"}}"#,
                Some(Quirk::NoReasoningWithTools),
            ),
            (
                r#"{"error":{"message":"Unknown parameter: 'input[1].phase'.","type":"invalid_request_error","param":"input[1].phase","code":"unknown_parameter"}}"#,
                Some(Quirk::NoPhase),
            ),
            (
                r#"{"error":{"type":"invalid_request_error","message":"messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation. Remove the block, or set `thinking.block_binding.prefix_mismatch_behavior` to \"drop_block\". That setting requires the `thinking-binding-controls-2026-08-01` value in the `anthropic-beta` header."}}"#,
                Some(Quirk::DropMismatchedThinking),
            ),
            (
                r#"{"error":{"type":"invalid_request_error","message":"messages.1.content.0: Invalid `signature` in `thinking` block"}}"#,
                Some(Quirk::NoThinkingReplay),
            ),
            (
                r#"{"error":{"type":"invalid_request_error","message":"thinking.adaptive.block_binding: Extra inputs are not permitted"}}"#,
                Some(Quirk::NoThinkingReplay),
            ),
            (
                r#"{"error":{"message":"Unsupported parameter: prompt_cache_key","type":"invalid_request_error"}}"#,
                Some(Quirk::NoCacheKey),
            ),
            (
                r#"{"error":{"message":"Unknown parameter: 'prompt_cache_options'.","type":"invalid_request_error","param":"prompt_cache_options","code":"unknown_parameter"}}"#,
                Some(Quirk::NoCacheLifetime),
            ),
            (
                r#"{"type":"error","error":{"type":"invalid_request_error","message":"system.0.cache_control.ephemeral.ttl: Extra inputs are not permitted"}}"#,
                Some(Quirk::NoHourCache),
            ),
            (
                r#"{"type":"error","error":{"type":"invalid_request_error","message":"tools.21.custom.defer_loading: Extra inputs are not permitted"}}"#,
                Some(Quirk::NoDeferredTools),
            ),
            (
                r#"{"type":"error","error":{"type":"invalid_request_error","message":"Tool reference 'git__find' not found in available tools"}}"#,
                Some(Quirk::NoDeferredTools),
            ),
            (
                r#"{"type":"error","error":{"type":"invalid_request_error","message":"`compaction` requires anthropic-beta: compact-2026-09-04"}}"#,
                Some(Quirk::NoCompaction),
            ),
            (
                r#"{"type":"error","error":{"type":"invalid_request_error","message":"compaction: Extra inputs are not permitted"}}"#,
                Some(Quirk::NoCompaction),
            ),
            (
                r#"{"type":"error","error":{"type":"invalid_request_error","message":"compaction is not supported on this model"}}"#,
                Some(Quirk::NoCompaction),
            ),
            (r#"{"error":{"type":"invalid_request_error","message":"bad"}}"#, None),
        ] {
            assert_eq!(against(body), expected, "{body}");
        }
    }

    #[test]
    fn what_was_done_already_is_not_asked_for_again() {
        let done = Quirks::from_iter([Quirk::NoStreamOptions]);
        assert_eq!(done.detect("unknown field stream_options", None), None);
        let bound = "invalid `signature` in `thinking` block: set prefix_mismatch_behavior";
        let dropped = Quirks::from_iter([Quirk::DropMismatchedThinking]);
        assert_eq!(dropped.detect(bound, None), Some(Quirk::NoThinkingReplay));
        let header = "unexpected value(s) `thinking-binding-controls-2026-08-01` for the `anthropic-beta` header";
        let neither = Quirks::from_iter([Quirk::DropMismatchedThinking, Quirk::NoThinkingReplay]);
        assert_eq!(
            dropped.detect(header, Some(ReasoningEffort::Off)),
            Some(Quirk::NoThinkingReplay)
        );
        assert_eq!(
            neither.detect(header, Some(ReasoningEffort::Off)),
            None,
            "it is not about how hard"
        );
    }

    #[test]
    fn a_level_that_is_refused_again_goes_on_to_the_next_and_one_that_was_not_asked_for_stays() {
        let refused = "reasoning_effort is not supported";
        let found = Quirks::from_iter([
            Quirk::EffortLevelsSkipped(ReasoningEffort::Off, 1),
            Quirk::EffortLevelsSkipped(ReasoningEffort::Off, 2),
        ]);
        assert_eq!(
            (
                found.skipped_levels(ReasoningEffort::Off),
                found.skipped_levels(ReasoningEffort::High)
            ),
            (2, 0)
        );
        assert_eq!(
            found.detect(refused, Some(ReasoningEffort::Off)),
            Some(Quirk::EffortLevelsSkipped(ReasoningEffort::Off, 3))
        );
        assert_eq!(
            found.detect(refused, Some(ReasoningEffort::High)),
            Some(Quirk::EffortLevelsSkipped(ReasoningEffort::High, 1))
        );
        assert_eq!(found.detect(refused, None), None);
    }
}
