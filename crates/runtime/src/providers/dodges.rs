//! What a server turned out to want otherwise than its kind, and how much it lets through: told by its
//! refusals, and remembered by address and model while the program runs, so that each costs one
//! request.
//!
//! Not here: what every server of a kind wants (`registry`).

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use reqwest::Url;

use super::allowance::share;

/// One thing that a server wants otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Dodge {
    /// It rejects `stream_options`.
    NoStreamOptions,
    /// It wants the other of `max_tokens` and `max_completion_tokens`.
    OtherMaxTokens,
    /// It rejects `store`.
    NoStore,
    /// It has no encrypted reasoning to give or to take: its model does not reason.
    NoEncryptedReasoning,
    /// It rejects a message of the model without its reasoning.
    Reasoning,
    /// It rejects the person's words right after results.
    AnsweredResults,
    /// It rejects long ids of calls.
    ShortIds,
    /// It rejects being told how hard to think.
    NoEffort,
}

const ALL: [Dodge; 8] = [
    Dodge::NoStreamOptions,
    Dodge::OtherMaxTokens,
    Dodge::NoStore,
    Dodge::NoEncryptedReasoning,
    Dodge::Reasoning,
    Dodge::AnsweredResults,
    Dodge::ShortIds,
    Dodge::NoEffort,
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

impl Dodge {
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
            Self::Reasoning => {
                says(&["missing", "must be passed back"])
                    && says(&["reasoning_content", "content[].thinking"])
            }
            Self::AnsweredResults => says(&["role 'user' after role 'tool'"]),
            Self::ShortIds => says(&["string too long"]) && says(&["tool_call", "call_id"]),
            Self::NoEffort => {
                (says(UNKNOWN) || says(&["not support", "not enabled", "invalid value"]))
                    && says(&["thinking", "think value", "effort", "reasoning.summary"])
            }
        }
    }
}

/// What one server wants otherwise for one model.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Dodges(BTreeSet<Dodge>);

impl Dodges {
    /// Whether this is known of it.
    pub(super) fn has(&self, dodge: Dodge) -> bool {
        self.0.contains(&dodge)
    }

    /// What a refusal asks for that was not done yet.
    pub(super) fn against(&self, body: &str) -> Option<Dodge> {
        let body = body.to_lowercase();
        ALL.into_iter().find(|dodge| !self.has(*dodge) && dodge.is_asked_for(&body))
    }
}

impl FromIterator<Dodge> for Dodges {
    fn from_iter<I: IntoIterator<Item = Dodge>>(dodges: I) -> Self {
        Self(dodges.into_iter().collect())
    }
}

/// What is known of one server and one model of it.
#[derive(Default)]
struct Known {
    dodges: Dodges,
    /// Tokens that the account lets through in a minute, where a request was refused for more.
    minute: Option<u32>,
}

/// What is known of every server that was called since the program was opened.
#[derive(Clone, Default)]
pub struct Manners(Arc<Mutex<HashMap<(String, String), Known>>>);

impl Manners {
    /// What the server at an address wants otherwise for a model.
    pub(super) fn of(&self, address: &Url, model: &str) -> Dodges {
        self.lock().get(&key(address, model)).map(|known| known.dodges.clone()).unwrap_or_default()
    }

    /// One more thing is known of it.
    pub(super) fn learn(&self, address: &Url, model: &str, dodge: Dodge) {
        self.lock().entry(key(address, model)).or_default().dodges.0.insert(dodge);
    }

    /// The longest answer to ask for, in tokens, where so long a one is wished for. How much of a minute
    /// the prompt takes is not known before it is sent.
    pub(super) fn longest(&self, address: &Url, model: &str, wish: Option<u32>) -> Option<u32> {
        let minute = self.lock().get(&key(address, model)).and_then(|known| known.minute);
        let most = minute.map(|minute| share(minute, 0));
        wish.map(|wish| most.map_or(wish, |most| wish.min(most)))
    }

    /// The account lets so many tokens through in a minute.
    pub(super) fn learn_minute(&self, address: &Url, model: &str, tokens: u32) {
        self.lock().entry(key(address, model)).or_default().minute = Some(tokens);
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<(String, String), Known>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn key(address: &Url, model: &str) -> (String, String) {
    (address.as_str().to_owned(), model.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn against(body: &str) -> Option<Dodge> {
        Dodges::default().against(body)
    }

    #[test]
    fn a_refusal_tells_what_to_do_otherwise() {
        for (body, expected) in [
            (
                r#"{"detail":"Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."}"#,
                Some(Dodge::OtherMaxTokens),
            ),
            (
                r#"{"message":"stream_options: extra fields not permitted"}"#,
                Some(Dodge::NoStreamOptions),
            ),
            (
                r#"{"error":{"message":"Unrecognized request argument supplied: store"}}"#,
                Some(Dodge::NoStore),
            ),
            (
                r#"{"error":{"message":"Encrypted content is not supported with this model.","type":"invalid_request_error","param":"include","code":null}}"#,
                Some(Dodge::NoEncryptedReasoning),
            ),
            (
                r#"{"error":{"message":"The `reasoning_content` in the thinking mode must be passed back to the API."}}"#,
                Some(Dodge::Reasoning),
            ),
            (
                r#"{"error":{"message":"thinking is enabled but reasoning_content is missing in assistant tool call message at index 2"}}"#,
                Some(Dodge::Reasoning),
            ),
            (
                r#"{"error":{"message":"The `content[].thinking` in the thinking mode must be passed back to the API."}}"#,
                Some(Dodge::Reasoning),
            ),
            (
                r#"{"object":"error","message":"Unexpected role 'user' after role 'tool'","code":3230}"#,
                Some(Dodge::AnsweredResults),
            ),
            (
                r#"{"error":{"message":"Invalid 'messages[1].tool_calls[0].id': string too long. Expected a string with maximum length 40, but got a string with length 600 instead."}}"#,
                Some(Dodge::ShortIds),
            ),
            (
                r#"{"error":{"message":"Invalid 'input[2].call_id': string too long. Expected a string with maximum length 64.","param":"input[2].call_id"}}"#,
                Some(Dodge::ShortIds),
            ),
            (
                r#"{"error":{"type":"invalid_request_error","message":"adaptive thinking is not supported on this model"}}"#,
                Some(Dodge::NoEffort),
            ),
            (
                r#"{"error":{"code":400,"message":"Unable to submit request because Thinking is not enabled for this model.","status":"INVALID_ARGUMENT"}}"#,
                Some(Dodge::NoEffort),
            ),
            (
                r#"{"error":{"message":"Unsupported value: 'reasoning_effort' does not support 'none' with this model.","param":"reasoning_effort"}}"#,
                Some(Dodge::NoEffort),
            ),
            (r#"{"error":"\"qwen\" does not support thinking"}"#, Some(Dodge::NoEffort)),
            (r#"{"message":"bad"}"#, None),
        ] {
            assert_eq!(against(body), expected, "{body}");
        }
    }

    #[test]
    fn what_was_done_already_is_not_asked_for_again() {
        let done = Dodges::from_iter([Dodge::NoStreamOptions]);
        assert_eq!(done.against("unknown field stream_options"), None);
    }
}
