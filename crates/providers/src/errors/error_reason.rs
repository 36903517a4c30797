//! Reasons of an error that the user must act on. The status alone does not tell: servers use the
//! same few codes for quite different causes.
//!
//! The reason is read from the provider's message and codes, never from the rest of a body, which
//! may repeat the user's text. Not here: context lengths (`overflow`), and recovery (`classify`).

use serde_json::Value;
use skein_platform::json_repair;

use super::error_message::{find_message, is_html};

/// A reason that persists until the user acts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ErrorReason {
    /// The account has no credit left.
    OutOfCredit,
    /// The key is missing or no longer valid.
    InvalidKey,
    /// The model does not exist, or not for this account.
    UnknownModel,
    /// The key is valid, but may not do this.
    Forbidden,
}

/// Phrases for a spent account. Gemini says "exceeded your current quota" of a minute, too, so only
/// OpenAI's code for it is listed.
const SPENT_PHRASES: &[&str] = &[
    "insufficient_quota",
    "insufficient balance",
    "insufficient_balance",
    "insufficient credits",
    "balance is insufficient",
    "credit balance",
    "billing_hard_limit_reached",
    "exceeded_current_quota_error",
    "used all available credits",
    "arrearage",
    "余额不足",
];

/// Phrases for an invalid key, with any status.
const INVALID_KEY_PHRASES: &[&str] = &[
    "api key not valid",
    "api key expired",
    "incorrect api key",
    "invalid api key",
    "invalid_api_key",
    "wrong api key",
    "wrong_api_key",
    "authentication_error",
];

/// Names of a key in errors with status 403, and phrases for what is wrong with it.
const KEY_NAMES: &[&str] =
    &["api key", "api_key", "api-key", "apikey", "credentials", "token", "callers"];
const WRONG: &[&str] = &[
    "invalid",
    "incorrect",
    "wrong",
    "expired",
    "missing",
    "leaked",
    "revoked",
    "not valid",
    "unregistered",
];

/// Phrases for an unknown model, with any status.
const UNKNOWN_MODEL_PHRASES: &[&str] = &[
    "model_not_found",
    "model_decommissioned",
    "invalid_model",
    "model not exist",
    "no such model",
    "not a valid model",
    "not a chat model",
    "deploymentnotfound",
    "no endpoints found for",
];

/// Phrases for something that does not exist. It is the model if the message names it.
const NOT_FOUND_PHRASES: &[&str] = &["not found", "not_found", "does not exist", "not exist"];

impl ErrorReason {
    /// The reason in an error with this status and body. `model` is the requested model; `None` if
    /// the request had none.
    pub(crate) fn of(status: u16, body: &str, model: Option<&str>) -> Option<Self> {
        let text = ErrorText::of(body);
        let is_not_there = || {
            let named = model.is_some_and(|id| text.message.contains(&id.to_lowercase()));
            text.contains_any(NOT_FOUND_PHRASES) && (named || text.message.contains("model"))
        };
        match status {
            402 => Some(Self::OutOfCredit),
            400 | 403 | 429 if text.contains_any(SPENT_PHRASES) => Some(Self::OutOfCredit),
            401 => Some(Self::InvalidKey),
            400 if text.contains_any(INVALID_KEY_PHRASES) => Some(Self::InvalidKey),
            403 | 404 if is_html(body) => None,
            403 if text.is_nothing()
                || text.contains_any(INVALID_KEY_PHRASES)
                || text.names_a_wrong_key() =>
            {
                Some(Self::InvalidKey)
            }
            403 => Some(Self::Forbidden),
            400 | 404 if model.is_some() && text.contains_any(UNKNOWN_MODEL_PHRASES) => {
                Some(Self::UnknownModel)
            }
            404 if model.is_some() && is_not_there() => Some(Self::UnknownModel),
            _ => None,
        }
    }
}

/// True if an error inside a reply says that the account is spent.
pub(crate) fn is_out_of_credit(body: &str) -> bool {
    ErrorText::of(body).contains_any(SPENT_PHRASES)
}

/// Phrases and codes for a temporary failure.
const TRANSIENT_PHRASES: &[&str] = &[
    "overloaded_error",
    "api_error",
    "server_error",
    "rate_limit_error",
    "rate_limit_exceeded",
    "unavailable",
    "resource_exhausted",
    "internal",
];

/// True if an error inside a reply is temporary, as some statuses are.
pub(crate) fn is_transient(body: &str) -> bool {
    let text = ErrorText::of(body);
    let is_passing = |code: &String| TRANSIENT_PHRASES.contains(&code.as_str());
    text.codes.iter().any(is_passing) || text.status.is_some_and(is_transient_status)
}

/// True if an error with this status means that the request was not processed and may succeed
/// later.
pub(crate) fn is_transient_status(status: u16) -> bool {
    matches!(status, 408 | 425 | 429 | 500 | 502 | 503 | 520..=523 | 529)
}

/// The provider's own words of an error, in lower case.
struct ErrorText {
    message: String,
    codes: Vec<String>,
    /// A numeric code: the HTTP status that the server would have sent.
    status: Option<u16>,
}

impl ErrorText {
    fn of(body: &str) -> Self {
        let Ok(value) = json_repair::parse::<Value>(body) else {
            return Self { message: body.trim().to_lowercase(), codes: Vec::new(), status: None };
        };
        let first = value.as_array().and_then(|values| values.first()).unwrap_or(&value);
        let codes = ["/error/code", "/error/type", "/error/status", "/code", "/type"];
        let codes = codes.iter().filter_map(|place| first.pointer(place)?.as_str());
        let codes = codes.map(str::to_lowercase).collect();
        let status = ["/error/code", "/code"].iter().find_map(|place| first.pointer(place));
        let status = status.and_then(Value::as_u64).and_then(|code| u16::try_from(code).ok());
        Self { message: find_message(first).unwrap_or_default().to_lowercase(), codes, status }
    }

    fn contains_any(&self, any: &[&str]) -> bool {
        let mut texts = self.codes.iter().chain([&self.message]);
        texts.any(|text| any.iter().any(|word| text.contains(word)))
    }

    fn is_nothing(&self) -> bool {
        self.message.is_empty() && self.codes.is_empty()
    }

    /// True if the words name a wrong key. The codes are not read: they may call the whole request
    /// invalid.
    fn names_a_wrong_key(&self) -> bool {
        let message_contains = |any: &[&str]| any.iter().any(|word| self.message.contains(word));
        message_contains(KEY_NAMES) && message_contains(WRONG)
    }
}
