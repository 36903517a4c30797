//! From a refusal to what the person is told, and to what may be done about it at once.

use std::sync::LazyLock;
use std::time::Duration;

use regex::Regex;
use reqwest::StatusCode;
use serde_json::Value;
use skein_domain::error::Error;
use skein_domain::message::OutputCapReason;
use skein_domain::provider_config::ReasoningEffort;
use skein_platform::json_repair;
use skein_platform::redactor::Redactor;

use super::overflow::{self, Overflow, ServerHints};
use super::quirks::{Quirk, Quirks};
use super::reason::{self, ErrorReason};
use super::request_echo::without_echo;
use super::{account_limit, output_limit, retry};

/// The provider's words, at most so many characters.
const WORDS: usize = 600;

/// A refusal, and whether something can be done about it without the person.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct CallError {
    /// What the person is told if nothing is.
    pub(super) error: Error,
    /// What may be done.
    pub(super) recovery: ErrorRecovery,
}

/// What may be done about a refusal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ErrorRecovery {
    /// Nothing.
    None,
    /// The same request again, later.
    Retry {
        /// Not before so long, by the server's own word.
        retry_after: Option<Duration>,
        /// So many times, at most as often as is tried anyway.
        times: u32,
    },
    /// The same request, as the server wants it.
    ApplyQuirk(Quirk),
    /// The same request, asking for a shorter answer.
    CapOutput {
        /// Of so many tokens.
        output: u32,
        /// What leaves no more.
        by: OutputCapReason,
        /// What the next request has to keep to as well; `None`: that passes.
        limit: Option<ReportedLimit>,
    },
}

/// A limit that a refusal told of, in tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ReportedLimit {
    /// What the account lets through in a minute.
    TokensPerMinute(u32),
    /// What prompt and answer may take together.
    Window(u32),
    /// What an answer may take.
    Output(u32),
}

impl ErrorRecovery {
    /// The same again, as often as is tried anyway: it was not begun, and nothing was billed.
    pub(super) const fn retry_later(asked: Option<Duration>) -> Self {
        Self::Retry { retry_after: asked, times: u32::MAX }
    }
}

/// The request that was refused, and by whom.
pub(super) struct FailedRequest<'a> {
    /// What is known of the server.
    pub(super) hints: ServerHints,
    /// The model that was asked; `None`: no answer was asked for.
    pub(super) model: Option<&'a str>,
    /// What was done its way already.
    pub(super) quirks: &'a Quirks,
    /// How hard the model was told to think; `None`: nothing was said of it.
    pub(super) effort: Option<ReasoningEffort>,
    /// The longest answer asked for, in tokens; `None`: that was left to the provider.
    pub(super) output: Option<u32>,
    /// Removes keys from what is repeated of its words. They are read as they came: a key may be as
    /// short as a word, and removing it would change what they mean.
    pub(super) redactor: &'a Redactor,
}

/// Reads a refusal with this status and body, and how long the server asks to wait.
pub(super) fn classify_response(
    status: StatusCode,
    body: &str,
    wait: Option<Duration>,
    asked: &FailedRequest<'_>,
) -> CallError {
    let body = &*without_echo(body);
    let wait = wait.or_else(|| retry::gemini_retry_delay(body));
    if let Some(overflow) = overflow::detect_overflow(Some(status.as_u16()), body, asked.hints) {
        let (by, limit) = (OutputCapReason::Window, overflow.limit.map(ReportedLimit::Window));
        let shorter = |output| ErrorRecovery::CapOutput { output, by, limit };
        let remedy = overflow.fitting_output().map_or(ErrorRecovery::None, shorter);
        return CallError { error: too_long(overflow, asked.redactor), recovery: remedy };
    }
    let message = error_message(body, asked.redactor);
    let code = status.as_u16();
    let Some(reason) = ErrorReason::of(code, body, asked.model) else {
        return unreasoned(code, body, message, wait, asked);
    };
    let error = match reason {
        ErrorReason::OutOfCredit => Error::Spent { message },
        ErrorReason::InvalidKey => Error::Unauthorized { status: code, message },
        ErrorReason::UnknownModel => {
            Error::UnknownModel { model: asked.model.unwrap_or_default().to_owned(), message }
        }
        ErrorReason::Forbidden => Error::Forbidden { message },
    };
    CallError {
        error,
        recovery: account_limit::account_limit_recovery(body, asked.output)
            .unwrap_or(ErrorRecovery::None),
    }
}

/// A refusal of which the status alone says what it is.
fn unreasoned(
    code: u16,
    body: &str,
    message: String,
    wait: Option<Duration>,
    asked: &FailedRequest<'_>,
) -> CallError {
    let allowed = || account_limit::account_limit_recovery(body, asked.output);
    let (error, remedy) = match code {
        429 if retry::is_daily_quota(body) => {
            (Error::RateLimited { retry_after_ms: None, message }, ErrorRecovery::None)
        }
        429 => {
            let error = Error::RateLimited { retry_after_ms: wait.map(millis), message };
            (error, allowed().unwrap_or(ErrorRecovery::retry_later(wait)))
        }
        413 => (Error::Refused { status: code, message }, allowed().unwrap_or(ErrorRecovery::None)),
        400 | 422 => {
            let dodge = asked.quirks.detect(body, asked.effort).map(ErrorRecovery::ApplyQuirk);
            let remedy = dodge.or_else(|| output_limit::output_limit_recovery(body, asked.output));
            (Error::Refused { status: code, message }, remedy.unwrap_or(ErrorRecovery::None))
        }
        // A gateway that gave up on a model that may be writing still, and may be paid for it.
        504 | 524 => (
            Error::Refused { status: code, message },
            ErrorRecovery::Retry { retry_after: wait, times: 1 },
        ),
        _ if reason::is_transient_status(code) => {
            (Error::Refused { status: code, message }, ErrorRecovery::retry_later(wait))
        }
        _ if is_html(body) => (unexpected_body_error(body, asked.redactor), ErrorRecovery::None),
        _ => (Error::Refused { status: code, message }, ErrorRecovery::None),
    };
    CallError { error, recovery: remedy }
}

/// Reads an error that came inside an answer. What may be done about it holds where nothing else has come
/// of that.
pub(super) fn classify_stream_error(
    body: &str,
    hints: ServerHints,
    redactor: &Redactor,
) -> CallError {
    let body = &*without_echo(body);
    let passes = reason::is_transient(body) && !retry::is_daily_quota(body);
    let remedy = if passes {
        ErrorRecovery::retry_later(retry::gemini_retry_delay(body))
    } else {
        ErrorRecovery::None
    };
    if let Some(overflow) = overflow::detect_overflow(Some(200), body, hints) {
        return CallError { error: too_long(overflow, redactor), recovery: ErrorRecovery::None };
    }
    let message = error_message(body, redactor);
    if reason::is_out_of_credit(body) {
        return CallError { error: Error::Spent { message }, recovery: ErrorRecovery::None };
    }
    let kinds = ["rate_limit", "rate limit", "too many requests", "resource_exhausted", "\"429\""];
    let lower = body.to_lowercase();
    let error = if kinds.iter().any(|kind| lower.contains(kind)) {
        Error::RateLimited { retry_after_ms: None, message }
    } else {
        Error::Refused { status: 200, message }
    };
    CallError { error, recovery: remedy }
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

pub(super) fn is_html(body: &str) -> bool {
    body.trim_start().starts_with('<')
}

/// What is told of a body that is not what was asked for.
pub(super) fn unexpected_body_error(body: &str, redactor: &Redactor) -> Error {
    if is_html(body) {
        return Error::WebPage { title: page_title(body).map(|it| repeated(&it, redactor)) };
    }
    Error::Protocol { detail: error_message(body, redactor) }
}

/// The title of an HTML page, on one line; `None` where it has none.
fn page_title(page: &str) -> Option<String> {
    static TITLE: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"(?is)<title[^>]*>(.*?)</title").ok());
    let written = TITLE.as_ref()?.captures(page)?.get(1)?.as_str();
    let entities = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")];
    let title =
        entities.iter().fold(written.to_owned(), |title, (from, to)| title.replace(from, to));
    let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
    (!title.is_empty()).then_some(title)
}

/// The message inside a body, else the body, shortened and without keys; of a web page its title.
pub(super) fn error_message(body: &str, redactor: &Redactor) -> String {
    if is_html(body) {
        return repeated(&page_title(body).unwrap_or_default(), redactor);
    }
    let said = json_repair::parse::<Value>(body).ok().and_then(|value| find_message(&value));
    repeated(said.as_deref().unwrap_or(body), redactor)
}

pub(super) fn find_message(value: &Value) -> Option<String> {
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
    let clean = redactor.redact(first(text, 8 * WORDS));
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

    fn refusal(status: u16, body: &str) -> CallError {
        refusal_after(status, body, None)
    }

    fn refusal_after(status: u16, body: &str, wait: Option<Duration>) -> CallError {
        let status = StatusCode::from_u16(status).unwrap();
        let (dodges, redactor) = (Quirks::default(), Redactor::default());
        let hints = ServerHints::default();
        let asked = FailedRequest {
            hints,
            model: Some("m-1"),
            quirks: &dodges,
            effort: None,
            output: Some(65_536),
            redactor: &redactor,
        };
        classify_response(status, body, wait, &asked)
    }

    #[test]
    fn a_status_and_a_body_become_what_the_person_is_told() {
        let message = "Invalid API Key".to_owned();
        assert_eq!(
            refusal(401, r#"{"error":{"message":"Invalid API Key"}}"#),
            CallError {
                error: Error::Unauthorized { status: 401, message },
                recovery: ErrorRecovery::None
            }
        );
        assert_eq!(
            refusal(404, "<html>not here</html>"),
            CallError { error: Error::WebPage { title: None }, recovery: ErrorRecovery::None }
        );
        let overloaded = refusal(529, r#"{"type":"error","error":{"message":"Overloaded"}}"#);
        let error = Error::Refused { status: 529, message: "Overloaded".to_owned() };
        assert_eq!(overloaded, CallError { error, recovery: ErrorRecovery::retry_later(None) });
    }

    #[test]
    fn what_the_server_asks_to_wait_holds_for_every_refusal_that_passes() {
        let asked = Some(Duration::from_secs(30));
        for (status, times) in
            [(429, u32::MAX), (503, u32::MAX), (529, u32::MAX), (504, 1), (524, 1)]
        {
            let waits = refusal_after(status, "{}", asked).recovery;
            assert_eq!(waits, ErrorRecovery::Retry { retry_after: asked, times }, "{status}");
        }
    }

    /// What the provider says of it itself is beside the matter.
    fn told(status: u16, body: &str) -> Error {
        let CallError { error, recovery: remedy } = refusal(status, body);
        assert!(matches!(remedy, ErrorRecovery::None), "{body}");
        let message = String::new();
        match error {
            Error::Spent { .. } => Error::Spent { message },
            Error::Forbidden { .. } => Error::Forbidden { message },
            Error::Unauthorized { status, .. } => Error::Unauthorized { status, message },
            Error::UnknownModel { model, .. } => Error::UnknownModel { model, message },
            other => other,
        }
    }

    #[test]
    fn a_spent_account_is_told_apart_from_what_passes_and_is_not_waited_for() {
        for (status, body) in [
            // OpenAI, twice; Anthropic; OpenRouter; DeepSeek; xAI; Moonshot; Zhipu.
            (
                429,
                r#"{"error":{"message":"You exceeded your current quota, please check your plan and billing details.","type":"insufficient_quota","param":null,"code":"insufficient_quota"}}"#,
            ),
            (
                400,
                r#"{"error":{"message":"Billing hard limit has been reached","type":"invalid_request_error","param":null,"code":"billing_hard_limit_reached"}}"#,
            ),
            (
                400,
                r#"{"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits."},"request_id":"req_1"}"#,
            ),
            (
                402,
                r#"{"error":{"message":"Insufficient credits. Add more using https://openrouter.ai/settings/credits","code":402},"user_id":"user_1"}"#,
            ),
            (
                402,
                r#"{"error":{"message":"Insufficient Balance","type":"unknown_error","param":null,"code":"invalid_request_error"}}"#,
            ),
            (
                403,
                r#"{"code":"The caller does not have permission to execute the specified operation","error":"Your newly created team doesn't have any credits yet. You have used all available credits."}"#,
            ),
            (
                429,
                r#"{"error":{"message":"Your account is suspended, please check your plan and billing details","type":"exceeded_current_quota_error"}}"#,
            ),
            (429, r#"{"error":{"code":"1113","message":"余额不足或无可用资源包,请充值。"}}"#),
        ] {
            assert_eq!(told(status, body), Error::Spent { message: String::new() }, "{body}");
        }
        // Gemini says the same words of a minute, which passes.
        let minute = r#"{"error":{"code":429,"message":"You exceeded your current quota, please check your plan and billing details.","status":"RESOURCE_EXHAUSTED"}}"#;
        assert_eq!(refusal(429, minute).recovery, ErrorRecovery::retry_later(None));
        assert_eq!(refusal(429, "{}").recovery, ErrorRecovery::retry_later(None));
        // What the person wrote is no word of the provider's.
        let echoed = r#"{"detail":[{"loc":["body","n"],"msg":"no","input":"my credit balance"}]}"#;
        assert!(matches!(told(400, echoed), Error::Refused { status: 400, .. }));
        // A shorter answer is still tried where money is left for one.
        let poor = r#"{"error":{"message":"This request requires more credits, or fewer max_tokens. You requested up to 65536 tokens, but can only afford 3063.","code":402}}"#;
        assert!(matches!(
            refusal(402, poor).recovery,
            ErrorRecovery::CapOutput { output: 2_999, .. }
        ));
        let late = classify_stream_error(
            r#"{"error":{"code":402,"message":"Insufficient credits"}}"#,
            ServerHints::default(),
            &Redactor::default(),
        );
        assert_eq!(late.error, Error::Spent { message: "Insufficient credits".into() });
    }

    #[test]
    fn what_is_not_allowed_is_told_apart_from_a_key_that_is_not_accepted() {
        for body in [
            // OpenAI, twice; Anthropic, twice; OpenRouter, twice; Gemini.
            r#"{"error":{"code":"unsupported_country_region_territory","message":"Country, region, or territory not supported","param":null,"type":"request_forbidden"}}"#,
            r#"{"error":{"message":"Project `proj_1` does not have access to model `m-1`","type":"invalid_request_error","param":null,"code":"model_not_found"}}"#,
            r#"{"type":"error","error":{"type":"permission_error","message":"Your API key does not have permission to use the specified resource."}}"#,
            r#"{"error":{"type":"forbidden","message":"Request not allowed"}}"#,
            r#"{"error":{"message":"m-1 requires moderation on Venice. Your input was flagged for \"violence\".","code":403}}"#,
            r#"{"error":{"message":"Key limit exceeded (monthly limit). Manage it using https://openrouter.ai/settings/keys","code":403}}"#,
            r#"{"error":{"code":403,"message":"Generative Language API has not been used in project 1 before or it is disabled.","status":"PERMISSION_DENIED"}}"#,
        ] {
            assert_eq!(told(403, body), Error::Forbidden { message: String::new() }, "{body}");
        }
        for (status, body) in [
            // OpenAI, Anthropic, OpenRouter, DeepSeek; Gemini, three times; xAI.
            (
                401,
                r#"{"error":{"message":"Incorrect API key provided: sk-x.","type":"invalid_request_error","code":"invalid_api_key"}}"#,
            ),
            (
                401,
                r#"{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}"#,
            ),
            (401, r#"{"error":{"message":"No auth credentials found","code":401}}"#),
            (
                401,
                r#"{"error":{"message":"Authentication Fails, Your api key: ****x is invalid","type":"authentication_error","code":"invalid_request_error"}}"#,
            ),
            (
                400,
                r#"[{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT","details":[{"reason":"API_KEY_INVALID"}]}}]"#,
            ),
            (
                403,
                r#"{"error":{"code":403,"message":"Method doesn't allow unregistered callers (callers without established identity). Please use API Key or other form of API consumer identity to call this API.","status":"PERMISSION_DENIED"}}"#,
            ),
            (
                403,
                r#"{"error":{"code":403,"message":"Your API key was reported as leaked. Please use another API key.","status":"PERMISSION_DENIED"}}"#,
            ),
            (
                400,
                r#"{"code":"Client specified an invalid argument","error":"Incorrect API key provided: xa***. You can obtain an API key from https://console.x.ai."}"#,
            ),
            (403, ""),
        ] {
            let message = String::new();
            assert_eq!(told(status, body), Error::Unauthorized { status, message }, "{body}");
        }
        assert!(matches!(told(403, "<html>Blocked</html>"), Error::WebPage { .. }));
    }

    #[test]
    fn a_web_page_is_told_by_its_title_and_never_by_its_tags() {
        let page = "<!DOCTYPE html>\n<html><head><TITLE lang=en>\n Hotel Wi-Fi &amp;\n Sign in</TITLE>\
                    </head><body><h1>Welcome</h1></body></html>";
        let title = || Some("Hotel Wi-Fi & Sign in".to_owned());
        assert_eq!(told(404, page), Error::WebPage { title: title() });
        assert_eq!(
            unexpected_body_error(page, &Redactor::default()),
            Error::WebPage { title: title() }
        );
        let Error::Refused { message, .. } = refusal(502, page).error else { panic!("{page}") };
        assert_eq!(Some(message), title());
    }

    #[test]
    fn a_model_that_is_not_offered_is_told_apart_from_an_address_that_is_not_there() {
        for (status, body) in [
            // OpenAI, twice; Anthropic; OpenRouter, twice; Gemini; DeepSeek; Ollama; Mistral; Groq.
            (
                404,
                r#"{"error":{"message":"The model `m-1` does not exist or you do not have access to it.","type":"invalid_request_error","param":null,"code":"model_not_found"}}"#,
            ),
            (
                404,
                r#"{"error":{"message":"This is not a chat model and thus not supported in the v1/chat/completions endpoint. Did you mean to use v1/completions?","type":"invalid_request_error","param":"model","code":null}}"#,
            ),
            (404, r#"{"type":"error","error":{"type":"not_found_error","message":"model: m-1"}}"#),
            (404, r#"{"error":{"message":"No endpoints found for m-1.","code":404}}"#),
            (
                400,
                r#"{"error":{"message":"m-1 is not a valid model ID","code":400},"user_id":"user_1"}"#,
            ),
            (
                404,
                r#"{"error":{"code":404,"message":"models/m-1 is not found for API version v1beta, or is not supported for generateContent. Call ListModels to see the list of available models.","status":"NOT_FOUND"}}"#,
            ),
            (
                400,
                r#"{"error":{"message":"Model Not Exist","type":"invalid_request_error","param":null,"code":"invalid_request_error"}}"#,
            ),
            (404, r#"{"error":"model 'm-1' not found"}"#),
            (
                400,
                r#"{"object":"error","message":"Invalid model: m-1","type":"invalid_model","param":null,"code":"1500"}"#,
            ),
            (
                400,
                r#"{"error":{"message":"The model `m-1` has been decommissioned and is no longer supported.","type":"invalid_request_error","code":"model_decommissioned"}}"#,
            ),
        ] {
            let message = String::new();
            assert_eq!(
                told(status, body),
                Error::UnknownModel { model: "m-1".into(), message },
                "{body}"
            );
        }
        for (status, body) in [
            (404, r#"{"detail":"Not Found"}"#),
            (
                404,
                r#"{"error":{"message":"No endpoints found matching your data policy. Configure: https://openrouter.ai/settings/privacy","code":404}}"#,
            ),
            (400, r#"{"error":{"message":"The model `m-1` does not support this."}}"#),
        ] {
            assert!(matches!(told(status, body), Error::Refused { .. }), "{body}");
        }
    }

    #[test]
    fn a_request_too_large_for_any_minute_is_repeated_with_a_shorter_answer() {
        let body = r#"{"error":{"message":"Request too large for model `m` on tokens per minute (TPM): Limit 8000, Requested 66536, please reduce your message size and try again.","code":"rate_limit_exceeded"}}"#;
        for status in [413, 429] {
            let by = OutputCapReason::Allowance;
            let limit = Some(ReportedLimit::TokensPerMinute(8_000));
            let shorter = ErrorRecovery::CapOutput { output: 3_500, by, limit };
            assert_eq!(refusal(status, body).recovery, shorter, "{status}");
        }
        let spent = r#"{"error":{"message":"tokens per minute (TPM): Limit 8000, Used 7000, Requested 5000. Please try again in 8s."}}"#;
        assert_eq!(refusal(429, spent).recovery, ErrorRecovery::retry_later(None));
        assert_eq!(refusal(413, "{}").recovery, ErrorRecovery::None);
    }

    #[test]
    fn a_key_is_removed_from_what_is_told_and_not_from_what_is_understood() {
        let redactor = Redactor::new(["true", "sk-live-0123456789"]);
        let told = error_message(r#"{"ok":true,"message":"true? sk-live-0123456789"}"#, &redactor);
        assert_eq!(told, "•••? •••");
        let long = format!("{} sk-live-0123456789", "x".repeat(WORDS - 5));
        assert_eq!(error_message(&long, &redactor), format!("{} •••", "x".repeat(WORDS - 5)));
    }

    #[test]
    fn a_parameter_the_server_does_not_know_is_left_out() {
        let body = r#"{"message":"stream_options: extra fields not permitted"}"#;
        assert_eq!(refusal(422, body).recovery, ErrorRecovery::ApplyQuirk(Quirk::NoStreamOptions));
        assert_eq!(refusal(400, r#"{"message":"bad"}"#).recovery, ErrorRecovery::None);
        let repeated =
            r#"{"detail":[{"msg":"no","input":"stream_options: extra fields not permitted"}]}"#;
        assert_eq!(refusal(422, repeated).recovery, ErrorRecovery::None, "the user's words");
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
            assert_eq!(error_message(body, &Redactor::default()), "no", "{body}");
        }
        let long = error_message(&"é".repeat(2_000), &Redactor::default());
        assert_eq!(long.chars().count(), WORDS + 1);
    }
}
