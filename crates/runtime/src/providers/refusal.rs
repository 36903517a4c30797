//! From a refusal to what the person is told, and to what may be done about it at once.

use std::time::Duration;

use reqwest::StatusCode;
use serde_json::Value;
use skein_context::message::ShortenedBy;

use super::allowance;
use super::dodges::{Dodge, Dodges};
use super::overflow::{self, Hints, Overflow};
use crate::error::Error;
use crate::provider_config::Effort;
use crate::redactor::Redactor;

/// The provider's words, at most so many characters.
const WORDS: usize = 600;

/// A refusal, and whether something can be done about it without the person.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Refusal {
    /// What the person is told if nothing is.
    pub(super) error: Error,
    /// What may be done.
    pub(super) remedy: Remedy,
}

/// What may be done about a refusal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Remedy {
    /// Nothing.
    None,
    /// The same request again, later.
    Wait {
        /// Not before so long, by the server's own word.
        asked: Option<Duration>,
        /// So many times, at most as often as is tried anyway.
        times: u32,
    },
    /// The same request, as the server wants it.
    Dodge(Dodge),
    /// The same request, asking for a shorter answer.
    Shorter {
        /// Of so many tokens.
        output: u32,
        /// What leaves no more.
        by: ShortenedBy,
        /// Because the account lets so many through in a minute; `None`: for another reason.
        minute: Option<u32>,
    },
}

impl Remedy {
    /// The same again, as often as is tried anyway: it was not begun, and nothing was billed.
    pub(super) const fn later(asked: Option<Duration>) -> Self {
        Self::Wait { asked, times: u32::MAX }
    }
}

/// The request that was refused, and by whom.
pub(super) struct Asked<'a> {
    /// What is known of the server.
    pub(super) hints: Hints,
    /// What was done its way already.
    pub(super) dodges: &'a Dodges,
    /// How hard the model was told to think; `None`: nothing was said of it.
    pub(super) told: Option<Effort>,
    /// The longest answer asked for, in tokens; `None`: that was left to the provider.
    pub(super) output: Option<u32>,
    /// Removes keys from what is repeated of its words. They are read as they came: a key may be as
    /// short as a word, and removing it would change what they mean.
    pub(super) redactor: &'a Redactor,
}

/// Reads a refusal with this status and body, and how long the server asks to wait.
pub(super) fn read(
    status: StatusCode,
    body: &str,
    wait: Option<Duration>,
    asked: &Asked<'_>,
) -> Refusal {
    if let Some(overflow) = overflow::classify(Some(status.as_u16()), body, asked.hints) {
        let by = ShortenedBy::Window;
        let shorter = |output| Remedy::Shorter { output, by, minute: None };
        let remedy = overflow.fitting_output().map_or(Remedy::None, shorter);
        return Refusal { error: too_long(overflow, asked.redactor), remedy };
    }
    let message = words(body, asked.redactor);
    let code = status.as_u16();
    let (error, remedy) = match code {
        401 | 403 => (Error::Unauthorized { status: code, message }, Remedy::None),
        429 => {
            let error = Error::RateLimited { retry_after_ms: wait.map(millis), message };
            let waiting = if is_spent(body) { Remedy::None } else { Remedy::later(wait) };
            (error, allowance::remedy(body, asked.output).unwrap_or(waiting))
        }
        402 | 413 => {
            let remedy = allowance::remedy(body, asked.output).unwrap_or(Remedy::None);
            (Error::Refused { status: code, message }, remedy)
        }
        400 | 422 => {
            let dodge = asked.dodges.against(body, asked.told).map_or(Remedy::None, Remedy::Dodge);
            (Error::Refused { status: code, message }, dodge)
        }
        // A gateway that gave up on a model that may be writing still, and may be paid for it.
        504 | 524 => {
            (Error::Refused { status: code, message }, Remedy::Wait { asked: wait, times: 1 })
        }
        408 | 425 | 500 | 502 | 503 | 520..=523 | 529 => {
            (Error::Refused { status: code, message }, Remedy::later(wait))
        }
        _ if is_page(body) => (Error::Protocol { detail: message }, Remedy::None),
        _ => (Error::Refused { status: code, message }, Remedy::None),
    };
    Refusal { error, remedy }
}

/// Reads an error that came inside an answer: too late to be repeated.
pub(super) fn inside(body: &str, hints: Hints, redactor: &Redactor) -> Error {
    if let Some(overflow) = overflow::classify(Some(200), body, hints) {
        return too_long(overflow, redactor);
    }
    let message = words(body, redactor);
    let kinds = ["rate_limit", "rate limit", "too many requests", "resource_exhausted", "\"429\""];
    let lower = body.to_lowercase();
    if kinds.iter().any(|kind| lower.contains(kind)) {
        Error::RateLimited { retry_after_ms: None, message }
    } else {
        Error::Refused { status: 200, message }
    }
}

/// For the countdown.
pub(super) fn millis(wait: Duration) -> u32 {
    u32::try_from(wait.as_millis()).unwrap_or(u32::MAX)
}

fn too_long(overflow: Overflow, redactor: &Redactor) -> Error {
    Error::TooLong {
        limit: overflow.limit,
        actual: overflow.actual,
        output_only: overflow.output_only,
        message: repeated(&overflow.message, redactor),
    }
}

/// Money, unlike time, does not come back by waiting.
fn is_spent(body: &str) -> bool {
    let lower = body.to_lowercase();
    ["insufficient_quota", "insufficient balance", "insufficient_balance", "credit balance"]
        .iter()
        .any(|word| lower.contains(word))
}

fn is_page(body: &str) -> bool {
    body.trim_start().starts_with('<')
}

/// The message inside a body, else the body, shortened and without keys.
pub(super) fn words(body: &str, redactor: &Redactor) -> String {
    let said = serde_json::from_str::<Value>(body).ok().and_then(|value| message(&value));
    repeated(said.as_deref().unwrap_or(body), redactor)
}

fn message(value: &Value) -> Option<String> {
    let value = match value {
        Value::Array(values) => values.first()?,
        other => other,
    };
    let places = [
        "/error/message",
        "/error/metadata/raw",
        "/message",
        "/error",
        "/detail",
        "/response/error/message",
        "/msg",
        "/errorMessage",
    ];
    let mut said = places.iter().filter_map(|place| value.pointer(place)?.as_str());
    said.find(|text| !text.trim().is_empty()).map(str::to_owned)
}

/// Words that may be repeated. Keys are removed before the end is cut off, which could cut one in two;
/// of a text beyond all measure only the beginning is looked through.
fn repeated(text: &str, redactor: &Redactor) -> String {
    let text = text.trim();
    let clean = redactor.clean(first(text, 8 * WORDS));
    match first(&clean, WORDS) {
        whole if whole.len() == clean.len() => clean,
        start => format!("{start}…"),
    }
}

/// At most so many characters.
fn first(text: &str, characters: usize) -> &str {
    let end = text.char_indices().nth(characters).map_or(text.len(), |(end, _)| end);
    text.get(..end).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(status: u16, body: &str) -> Refusal {
        refusal_after(status, body, None)
    }

    fn refusal_after(status: u16, body: &str, wait: Option<Duration>) -> Refusal {
        let status = StatusCode::from_u16(status).unwrap();
        let (dodges, redactor) = (Dodges::default(), Redactor::default());
        let hints = Hints::default();
        let asked =
            Asked { hints, dodges: &dodges, told: None, output: Some(65_536), redactor: &redactor };
        read(status, body, wait, &asked)
    }

    #[test]
    fn a_status_and_a_body_become_what_the_person_is_told() {
        let message = "Invalid API Key".to_owned();
        assert_eq!(
            refusal(401, r#"{"error":{"message":"Invalid API Key"}}"#),
            Refusal { error: Error::Unauthorized { status: 401, message }, remedy: Remedy::None }
        );
        assert_eq!(
            refusal(404, "<html>not here</html>"),
            Refusal {
                error: Error::Protocol { detail: "<html>not here</html>".to_owned() },
                remedy: Remedy::None
            }
        );
        let overloaded = refusal(529, r#"{"type":"error","error":{"message":"Overloaded"}}"#);
        let error = Error::Refused { status: 529, message: "Overloaded".to_owned() };
        assert_eq!(overloaded, Refusal { error, remedy: Remedy::later(None) });
    }

    #[test]
    fn what_the_server_asks_to_wait_holds_for_every_refusal_that_passes() {
        let asked = Some(Duration::from_secs(30));
        for (status, times) in
            [(429, u32::MAX), (503, u32::MAX), (529, u32::MAX), (504, 1), (524, 1)]
        {
            let waits = refusal_after(status, "{}", asked).remedy;
            assert_eq!(waits, Remedy::Wait { asked, times }, "{status}");
        }
    }

    #[test]
    fn a_spent_account_is_not_waited_for() {
        let body = r#"{"error":{"message":"No money","code":"insufficient_quota"}}"#;
        assert_eq!(refusal(429, body).remedy, Remedy::None);
        assert_eq!(refusal(429, "{}").remedy, Remedy::later(None));
    }

    #[test]
    fn a_request_too_large_for_any_minute_is_repeated_with_a_shorter_answer() {
        let body = r#"{"error":{"message":"Request too large for model `m` on tokens per minute (TPM): Limit 8000, Requested 66536, please reduce your message size and try again.","code":"rate_limit_exceeded"}}"#;
        for status in [413, 429] {
            let by = ShortenedBy::Allowance;
            let shorter = Remedy::Shorter { output: 3_500, by, minute: Some(8_000) };
            assert_eq!(refusal(status, body).remedy, shorter, "{status}");
        }
        let spent = r#"{"error":{"message":"tokens per minute (TPM): Limit 8000, Used 7000, Requested 5000. Please try again in 8s."}}"#;
        assert_eq!(refusal(429, spent).remedy, Remedy::later(None));
        assert_eq!(refusal(413, "{}").remedy, Remedy::None);
    }

    #[test]
    fn a_key_is_removed_from_what_is_told_and_not_from_what_is_understood() {
        let redactor = Redactor::new(["true", "sk-live-0123456789"]);
        let told = words(r#"{"ok":true,"message":"true? sk-live-0123456789"}"#, &redactor);
        assert_eq!(told, "•••? •••");
        let long = format!("{} sk-live-0123456789", "x".repeat(WORDS - 5));
        assert_eq!(words(&long, &redactor), format!("{} •••", "x".repeat(WORDS - 5)));
    }

    #[test]
    fn a_parameter_the_server_does_not_know_is_left_out() {
        let body = r#"{"message":"stream_options: extra fields not permitted"}"#;
        assert_eq!(refusal(422, body).remedy, Remedy::Dodge(Dodge::NoStreamOptions));
        assert_eq!(refusal(400, r#"{"message":"bad"}"#).remedy, Remedy::None);
    }

    #[test]
    fn words_are_found_wherever_they_are_and_kept_short() {
        for body in [
            r#"{"error":{"message":"no"}}"#,
            r#"[{"error":{"message":"no"}}]"#,
            r#"{"error":"no"}"#,
            r#"{"detail":"no"}"#,
            r#"{"message":"no"}"#,
            " no\n",
        ] {
            assert_eq!(words(body, &Redactor::default()), "no", "{body}");
        }
        let long = words(&"é".repeat(2_000), &Redactor::default());
        assert_eq!(long.chars().count(), WORDS + 1);
    }
}
