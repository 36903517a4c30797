//! Errors of real providers, and their classification.

use std::time::Duration;

use reqwest::StatusCode;
use skein_domain::error::Error;
use skein_domain::message::OutputCapReason;
use skein_platform::redactor::Redactor;

use super::call_error::{CallError, ErrorRecovery};
use super::classify::{FailedRequest, classify_response, classify_stream_error};
use super::error_message::{MAX_MESSAGE, error_message, unexpected_body_error};
use super::overflow::ServerHints;
use crate::quirks::quirk::{Quirk, Quirks};
use crate::quirks::quirk_memory::ReportedLimit;

fn refusal(status: u16, body: &str) -> CallError {
    refusal_after(status, body, None)
}

fn refusal_after(status: u16, body: &str, wait: Option<Duration>) -> CallError {
    let status = StatusCode::from_u16(status).unwrap();
    let (quirks, redactor) = (Quirks::default(), Redactor::default());
    let hints = ServerHints::default();
    let asked = FailedRequest {
        hints,
        model: Some("m-1"),
        quirks: &quirks,
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
    for (status, times) in [(429, u32::MAX), (503, u32::MAX), (529, u32::MAX), (504, 1), (524, 1)] {
        let waits = refusal_after(status, "{}", asked).recovery;
        assert_eq!(waits, ErrorRecovery::Retry { retry_after: asked, times }, "{status}");
    }
}

/// The classified error, with its message cleared.
fn told(status: u16, body: &str) -> Error {
    let CallError { error, recovery } = refusal(status, body);
    assert!(matches!(recovery, ErrorRecovery::None), "{body}");
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
    // Gemini uses the same words for a minute, which passes.
    let minute = r#"{"error":{"code":429,"message":"You exceeded your current quota, please check your plan and billing details.","status":"RESOURCE_EXHAUSTED"}}"#;
    assert_eq!(refusal(429, minute).recovery, ErrorRecovery::retry_later(None));
    assert_eq!(refusal(429, "{}").recovery, ErrorRecovery::retry_later(None));
    // The user's words are not the provider's.
    let echoed = r#"{"detail":[{"loc":["body","n"],"msg":"no","input":"my credit balance"}]}"#;
    assert!(matches!(told(400, echoed), Error::Refused { status: 400, .. }));
    // A shorter reply is still tried if the credit pays for one.
    let poor = r#"{"error":{"message":"This request requires more credits, or fewer max_tokens. You requested up to 65536 tokens, but can only afford 3063.","code":402}}"#;
    assert!(matches!(refusal(402, poor).recovery, ErrorRecovery::CapOutput { output: 2_999, .. }));
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
    let long = format!("{} sk-live-0123456789", "x".repeat(MAX_MESSAGE - 5));
    assert_eq!(error_message(&long, &redactor), format!("{} •••", "x".repeat(MAX_MESSAGE - 5)));
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
    assert_eq!(long.chars().count(), MAX_MESSAGE + 1);
}
