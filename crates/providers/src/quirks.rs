//! What a server turned out to want otherwise than its kind, and how much it lets through: told by its
//! refusals, and remembered by address and model while the program runs, so that each costs one
//! request.
//!
//! Not here: what every server of a kind wants (`registry`).

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use reqwest::Url;
use skein_context::limits::scale;
use skein_domain::message::OutputCapReason;
use skein_domain::provider_config::ReasoningEffort;

use super::ModelRequest;
use super::account_limit::output_share;

/// One thing that a server wants otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Quirk {
    /// It rejects `stream_options`.
    NoStreamOptions,
    /// It wants the other of `max_tokens` and `max_completion_tokens`.
    OtherMaxTokens,
    /// It rejects `store`.
    NoStore,
    /// It has no encrypted reasoning to give or to take: its model does not reason.
    NoEncryptedReasoning,
    /// It rejects a message of the model without its reasoning.
    RequiresReasoning,
    /// It rejects the person's words right after results.
    AssistantAfterResults,
    /// It rejects long ids of calls.
    ShortCallIds,
    /// It takes no tools from a model that thinks, and this one thinks unless it is told not to.
    NoReasoningWithTools,
    /// It rejects what is said of which words were the answer.
    NoPhase,
    /// It rejects thoughts when something before them has changed since, and drops them if it is told
    /// to.
    DropMismatchedThinking,
    /// It rejects thoughts that are sent back to it.
    NoThinkingReplay,
    /// It takes the words of a message as one string, not as a list of parts.
    StringContent,
    /// It rejects what it was told of how hard to think. Of the ways to say what the person chose,
    /// closest first, this many are skipped (`effort`).
    EffortLevelsSkipped(ReasoningEffort, usize),
}

const ALL: [Quirk; 12] = [
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
];

/// How servers say that they do not know something.
const UNKNOWN: &[&str] = &[
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

/// How they say that a value is none of theirs, or none of this model's.
const IMPOSSIBLE: &[&str] = &[
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

/// What they call the place where it is said how hard to think.
const THOUGHT: &[&str] = &[
    "thinking",
    "think value",
    "effort",
    "budget_tokens",
    "reasoning.summary",
    "reasoning summaries",
];

/// What they call the proof that a thought is theirs, and what is said of it.
const SEALED: &[&str] =
    &["invalid `signature`", "invalid signature", "block_binding", "binding-controls"];

/// How they say that they wanted a string: serde, pydantic, ajv and what is written by hand.
const NO_STRING: &[&str] = &[
    "expected a string",
    "expected string",
    "must be a string",
    "should be a string",
    "should be a valid string",
    "str type expected",
    "not of type 'string'",
];

impl Quirk {
    /// Whether it changes how hard the model is told to think.
    pub(super) fn affects_reasoning(self) -> bool {
        matches!(self, Self::EffortLevelsSkipped(..) | Self::NoReasoningWithTools)
    }

    /// Whether a refusal, in lower case, asks for it.
    fn is_asked_for(self, body: &str) -> bool {
        let says = |words: &[&str]| words.iter().any(|word| body.contains(word));
        match self {
            Self::NoStreamOptions => says(&["stream_options", "include_usage"]),
            Self::OtherMaxTokens => says(UNKNOWN) && says(&["max_completion_tokens"]),
            Self::NoStore => {
                says(UNKNOWN) && says(&["'store'", "\\\"store\\\"", "`store`", " store"])
            }
            Self::NoEncryptedReasoning => {
                says(UNKNOWN) && says(&["encrypted content", "encrypted_content"])
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
            Self::NoPhase => says(UNKNOWN) && says(&[".phase", "'phase'", "`phase`", "\"phase\""]),
            Self::DropMismatchedThinking => says(&["prefix_mismatch_behavior"]),
            Self::NoThinkingReplay => says(&["thinking"]) && says(SEALED),
            Self::StringContent => says(&["content", "messages"]) && says(NO_STRING),
            Self::EffortLevelsSkipped(..) => {
                let of_thoughts_back = says(&["signature", "binding-controls"]);
                (says(UNKNOWN) || says(IMPOSSIBLE)) && says(THOUGHT) && !of_thoughts_back
            }
        }
    }
}

/// What one server wants otherwise for one model.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Quirks(BTreeSet<Quirk>);

impl Quirks {
    /// Whether this is known of it.
    pub(super) fn has(&self, dodge: Quirk) -> bool {
        self.0.contains(&dodge)
    }

    /// Whether thoughts go back to it that it is told to leave out where they no longer fit.
    pub(super) fn drops_mismatched_thinking(&self) -> bool {
        self.has(Quirk::DropMismatchedThinking) && !self.has(Quirk::NoThinkingReplay)
    }

    /// How many of the things that can be said of how hard to think were refused.
    pub(super) fn skipped_levels(&self, effort: ReasoningEffort) -> usize {
        let rungs = self.0.iter().filter_map(|dodge| match dodge {
            Quirk::EffortLevelsSkipped(asked, rung) if *asked == effort => Some(*rung),
            _ => None,
        });
        rungs.max().unwrap_or(0)
    }

    /// What a refusal asks for that was not done yet. `told` is how hard the request said to think, if it
    /// said so.
    pub(super) fn detect(&self, body: &str, told: Option<ReasoningEffort>) -> Option<Quirk> {
        let body = body.to_lowercase();
        let less =
            told.map(|effort| Quirk::EffortLevelsSkipped(effort, self.skipped_levels(effort) + 1));
        let mut dodges = ALL.into_iter().chain(less);
        dodges.find(|dodge| !self.has(*dodge) && dodge.is_asked_for(&body))
    }
}

impl FromIterator<Quirk> for Quirks {
    fn from_iter<I: IntoIterator<Item = Quirk>>(dodges: I) -> Self {
        Self(dodges.into_iter().collect())
    }
}

/// What is known of one server and one model of it.
#[derive(Default)]
struct ServerMemory {
    quirks: Quirks,
    /// Tokens that the account lets through in a minute, where a request was refused for more.
    minute: Option<u32>,
    /// What prompt and answer may take together, where a request was refused for more.
    window: Option<WindowObservation>,
    /// Tokens of the longest answer, where a request was refused for asking for more.
    answer: Option<u32>,
    /// Of which choices it was said that the model is asked for something else.
    reported_efforts: BTreeSet<ReasoningEffort>,
}

/// A window that refused a request.
#[derive(Debug, Clone, Copy)]
struct WindowObservation {
    /// What prompt and answer may take together, in tokens.
    window: u32,
    /// What the server counted of the prompt, in tokens.
    counted: u32,
    /// The own estimate of that prompt, in tokens.
    estimated: u32,
}

impl WindowObservation {
    /// A prompt as the server would count it: never less than the estimate.
    fn recounted(self, estimated: u32) -> u32 {
        scale(estimated, self.counted, self.estimated).max(estimated)
    }
}

/// What is known of every server that was called since the program was opened.
#[derive(Clone, Default)]
pub struct QuirkMemory(Arc<Mutex<HashMap<(String, String), ServerMemory>>>);

impl QuirkMemory {
    /// What the server at an address wants otherwise for a model.
    pub(super) fn quirks_of(&self, address: &Url, model: &str) -> Quirks {
        self.lock().get(&key(address, model)).map(|known| known.quirks.clone()).unwrap_or_default()
    }

    /// One more thing is known of it.
    pub(super) fn learn(&self, address: &Url, model: &str, dodge: Quirk) {
        self.lock().entry(key(address, model)).or_default().quirks.0.insert(dodge);
    }

    /// The longest answer to ask for where so long a one is wished for, in tokens, and what leaves no
    /// more. How much of a minute the prompt takes is not known before it is sent.
    pub(super) fn max_output(
        &self,
        address: &Url,
        request: &ModelRequest,
        wish: u32,
    ) -> (u32, OutputCapReason) {
        let known = self.lock();
        let known = known.get(&key(address, &request.model));
        let minute = known.and_then(|known| known.minute).map(|minute| output_share(minute, 0));
        let refused = known.and_then(|known| known.window);
        let room = request.prompt_tokens.and_then(|prompt| {
            let told = refused.map(|refused| room(refused.window, refused.recounted(prompt)));
            told.into_iter().chain(request.window.map(|window| room(window, prompt))).min()
        });
        let answer = known.and_then(|known| known.answer);
        let most = [
            (room, OutputCapReason::Window),
            (answer, OutputCapReason::Window),
            (minute, OutputCapReason::Allowance),
        ];
        let most = most.into_iter().filter_map(|(most, by)| Some((most?, by)));
        let least = most.min_by_key(|(most, _)| *most).filter(|(most, _)| *most < wish);
        least.unwrap_or((wish, OutputCapReason::Window))
    }

    /// It is said that the model is asked for something else than this; `false`: it was before.
    pub(super) fn mark_effort_reported(
        &self,
        address: &Url,
        model: &str,
        effort: ReasoningEffort,
    ) -> bool {
        self.lock().entry(key(address, model)).or_default().reported_efforts.insert(effort)
    }

    /// The account lets so many tokens through in a minute.
    pub(super) fn learn_rate_limit(&self, address: &Url, model: &str, tokens: u32) {
        self.lock().entry(key(address, model)).or_default().minute = Some(tokens);
    }

    /// Prompt and answer may take so many tokens together: of those, `output` were left by the prompt.
    pub(super) fn learn_window(
        &self,
        address: &Url,
        request: &ModelRequest,
        window: u32,
        output: u32,
    ) {
        let Some(estimated) = request.prompt_tokens.filter(|tokens| *tokens > 0) else { return };
        let counted = window.saturating_sub(output);
        let refused = WindowObservation { window, counted, estimated };
        self.lock().entry(key(address, &request.model)).or_default().window = Some(refused);
    }

    /// An answer may take so many tokens.
    pub(super) fn learn_max_output(&self, address: &Url, model: &str, tokens: u32) {
        self.lock().entry(key(address, model)).or_default().answer = Some(tokens);
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<(String, String), ServerMemory>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Tokens that a window leaves for an answer: what a server counts of a prompt is a little more than what
/// was counted here, by its template and by its tokeniser.
fn room(window: u32, prompt: u32) -> u32 {
    let counted = prompt.saturating_add(prompt / 32).saturating_add(32);
    window.saturating_sub(counted).max(SHORTEST_ANSWER)
}

/// The shortest answer that is asked for, in tokens.
const SHORTEST_ANSWER: u32 = 16;

fn key(address: &Url, model: &str) -> (String, String) {
    (address.as_str().to_owned(), model.to_owned())
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
