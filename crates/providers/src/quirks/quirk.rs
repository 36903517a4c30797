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
    /// The server rejects the items of its own compaction.
    NoEncryptedSummary,
    /// The server rejects effort levels. Of the levels for the user's choice, closest first, this many are
    /// skipped (`effort`).
    EffortLevelsSkipped(ReasoningEffort, usize),
}

const ALL: [Quirk; 18] = [
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
    Quirk::NoEncryptedSummary,
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

    /// True if the request is not sent again without what the server rejects: it asks for nothing else, or
    /// it would not be the one that the user sees.
    pub(crate) fn ends_call(self) -> bool {
        matches!(self, Self::NoCompaction | Self::NoEncryptedSummary)
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
            Self::NoEncryptedSummary => {
                let of_reasoning = says(&["item rs_"]);
                says(&["encrypted content", "encrypted_content"])
                    && says(&["invalid_encrypted", "could not be"])
                    && !of_reasoning
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
    pub(crate) fn has(&self, quirk: Quirk) -> bool {
        self.0.contains(&quirk)
    }

    /// True if reasoning is sent back with the instruction to drop what no longer fits.
    pub(crate) fn drops_mismatched_thinking(&self) -> bool {
        self.has(Quirk::DropMismatchedThinking) && !self.has(Quirk::NoThinkingReplay)
    }

    /// The effort that is requested in place of the user's choice, before any level is skipped.
    pub(crate) fn requested_effort(
        &self,
        effort: ReasoningEffort,
        has_tools: bool,
    ) -> ReasoningEffort {
        let is_off = has_tools && self.has(Quirk::NoReasoningWithTools);
        if is_off { ReasoningEffort::Off } else { effort }
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

    #[test]
    fn a_refusal_tells_what_to_do_otherwise() {
        let lines = include_str!("refusals.tsv").lines().filter(|line| !line.starts_with("# "));
        for (expected, body) in lines.map(|line| line.split_once('\t').unwrap()) {
            let found = Quirks::default().detect(body, Some(ReasoningEffort::Off));
            let found = found.map_or("none".to_owned(), |quirk| format!("{quirk:?}"));
            assert_eq!(found, expected, "{body}");
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
