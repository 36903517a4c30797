//! Why a request was refused, where its status alone does not say so: servers use the same few for what a
//! user mends in quite different places.
//!
//! Read from what a provider says itself: its message and its codes, never from the rest of a body, which
//! may repeat what the user wrote. Not here: lengths (`overflow`), and what is done about it (`classify`).

use serde_json::Value;
use skein_platform::json_repair;

use super::error_message::{find_message, is_html};

/// What is in the way, and stays there until the user does something about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ErrorReason {
    /// The account has no credit left.
    OutOfCredit,
    /// The key is none, or no longer one.
    InvalidKey,
    /// There is no such model, or not for this account.
    UnknownModel,
    /// The key is known, and may not do this.
    Forbidden,
}

/// How providers say that an account is spent. Gemini says "exceeded your current quota" of a minute,
/// which passes, so that only OpenAI's code for it counts.
const SPENT: &[&str] = &[
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

/// How they say that a key is not accepted, whatever the status.
const KEY: &[&str] = &[
    "api key not valid",
    "api key expired",
    "incorrect api key",
    "invalid api key",
    "invalid_api_key",
    "wrong api key",
    "wrong_api_key",
    "authentication_error",
];

/// What they call a key where they refuse with 403, and what they then say is wrong with it.
const NAMED: &[&str] =
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

/// How they say that there is no such model, whatever the status.
const NO_MODEL: &[&str] = &[
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

/// How they say that something is not there, which is the model where they name it.
const NOT_THERE: &[&str] = &["not found", "not_found", "does not exist", "not exist"];

impl ErrorReason {
    /// Of a refusal with this status and body, of a request to a model; without one, of another request.
    pub(crate) fn of(status: u16, body: &str, model: Option<&str>) -> Option<Self> {
        let said = ErrorText::of(body);
        let is_not_there = || {
            let named = model.is_some_and(|id| said.words.contains(&id.to_lowercase()));
            said.says(NOT_THERE) && (named || said.words.contains("model"))
        };
        match status {
            402 => Some(Self::OutOfCredit),
            400 | 403 | 429 if said.says(SPENT) => Some(Self::OutOfCredit),
            401 => Some(Self::InvalidKey),
            400 if said.says(KEY) => Some(Self::InvalidKey),
            403 | 404 if is_html(body) => None,
            403 if said.is_nothing() || said.says(KEY) || said.names_a_wrong_key() => {
                Some(Self::InvalidKey)
            }
            403 => Some(Self::Forbidden),
            400 | 404 if model.is_some() && said.says(NO_MODEL) => Some(Self::UnknownModel),
            404 if model.is_some() && is_not_there() => Some(Self::UnknownModel),
            _ => None,
        }
    }
}

/// Whether what came inside an answer says that the account is spent.
pub(crate) fn is_out_of_credit(body: &str) -> bool {
    ErrorText::of(body).says(SPENT)
}

/// What providers call it that they cannot answer at the moment.
const PASSING: &[&str] = &[
    "overloaded_error",
    "api_error",
    "server_error",
    "rate_limit_error",
    "rate_limit_exceeded",
    "unavailable",
    "resource_exhausted",
    "internal",
];

/// Whether what came inside an answer says that it may be given later, as some statuses do.
pub(crate) fn is_transient(body: &str) -> bool {
    let said = ErrorText::of(body);
    let is_passing = |code: &String| PASSING.contains(&code.as_str());
    said.codes.iter().any(is_passing) || said.status.is_some_and(is_transient_status)
}

/// Whether a refusal with this status was not begun, and may be none later.
pub(crate) fn is_transient_status(status: u16) -> bool {
    matches!(status, 408 | 425 | 429 | 500 | 502 | 503 | 520..=523 | 529)
}

/// What a provider says itself, in lower case.
struct ErrorText {
    words: String,
    codes: Vec<String>,
    /// A code that is a number: a status of HTTP, as it would have been.
    status: Option<u16>,
}

impl ErrorText {
    fn of(body: &str) -> Self {
        let Ok(value) = json_repair::parse::<Value>(body) else {
            return Self { words: body.trim().to_lowercase(), codes: Vec::new(), status: None };
        };
        let first = value.as_array().and_then(|values| values.first()).unwrap_or(&value);
        let codes = ["/error/code", "/error/type", "/error/status", "/code", "/type"];
        let codes = codes.iter().filter_map(|place| first.pointer(place)?.as_str());
        let codes = codes.map(str::to_lowercase).collect();
        let status = ["/error/code", "/code"].iter().find_map(|place| first.pointer(place));
        let status = status.and_then(Value::as_u64).and_then(|code| u16::try_from(code).ok());
        Self { words: find_message(first).unwrap_or_default().to_lowercase(), codes, status }
    }

    fn says(&self, any: &[&str]) -> bool {
        let mut said = self.codes.iter().chain([&self.words]);
        said.any(|said| any.iter().any(|word| said.contains(word)))
    }

    fn is_nothing(&self) -> bool {
        self.words.is_empty() && self.codes.is_empty()
    }

    /// By its words alone: a code may call the whole request invalid.
    fn names_a_wrong_key(&self) -> bool {
        let says = |any: &[&str]| any.iter().any(|word| self.words.contains(word));
        says(NAMED) && says(WRONG)
    }
}
