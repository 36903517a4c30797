//! Providers against a scripted server.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, clippy::string_slice)]

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures::StreamExt;
use scripted_server::{Act, Reply, Server};
use serde_json::Map;
use skein_context::window::PromptMessage;
use skein_domain::error::Error;
use skein_domain::finish_reason::FinishReason;
use skein_domain::ids::ProviderId;
use skein_domain::message::{ContentPart, OutputCap, OutputCapReason, Role, ToolCall, ToolState};
use skein_domain::provider_config::{ProviderConfig, ReasoningEffort};
use skein_domain::tool_declaration::{ToolDeclaration, ToolFamily};
use skein_domain::usage::TokenUsage;
use skein_platform::http::{HostLog, HttpClient, NetworkSettings, ProxySetting};
use skein_providers::{
    ApiKey, EffortReason, ListedModel, LocalServer, ModelRequest, Provider, QuirkMemory,
    RepeatCheck, StreamEvent, Timeouts, background_effort, connection_test_request,
    create_provider, discover, effort_fallback,
};

const SECRET: &str = "sk-very-secret-0123456789";

const QUICK: Timeouts = Timeouts {
    first_event: Duration::from_secs(5),
    idle: Duration::from_millis(150),
    trailing_usage: Duration::from_millis(50),
    backoff: Duration::from_millis(1),
    max_retries: 3,
};

const HURRIED: Timeouts = Timeouts { first_event: Duration::from_millis(150), ..QUICK };

fn net() -> HttpClient {
    let settings = NetworkSettings { proxy: ProxySetting::None {} };
    HttpClient::new(&settings, Arc::new(())).unwrap()
}

fn config(kind: &str, url: &str) -> ProviderConfig {
    ProviderConfig {
        id: ProviderId("p".to_owned()),
        kind: kind.to_owned(),
        name: "P".to_owned(),
        base_url: Some(url.to_owned()),
        exact_url: false,
        headers: BTreeMap::from([("x-own".to_owned(), "own value".to_owned())]),
        models: Vec::new(),
    }
}

fn provider(kind: &str, url: &str) -> Arc<dyn Provider> {
    known(kind, url, &QuirkMemory::default())
}

fn known(kind: &str, url: &str, quirk_memory: &QuirkMemory) -> Arc<dyn Provider> {
    create_provider(&config(kind, url), Some(&ApiKey::new(SECRET)), &net(), QUICK, quirk_memory)
        .unwrap()
}

fn request(text: &str) -> ModelRequest {
    let mut request = ModelRequest::message("m", text);
    request.prompt.system = "Be brief.".to_owned();
    ModelRequest { max_output: Some(100), is_user_facing: true, ..request }
}

async fn events(provider: &dyn Provider) -> Vec<Result<StreamEvent, Error>> {
    let stream = provider.stream(request("hi")).await.unwrap();
    stream.collect().await
}

fn text(delta: &str) -> Result<StreamEvent, Error> {
    Ok(StreamEvent::Text { delta: delta.to_owned() })
}

fn shortened(tokens: u32, by: OutputCapReason) -> Result<StreamEvent, Error> {
    Ok(StreamEvent::OutputCapped { cap: OutputCap { tokens, by } })
}

fn refused(
    effort: ReasoningEffort,
    instead: ReasoningEffort,
    because: EffortReason,
) -> StreamEvent {
    StreamEvent::EffortRefused { effort, instead, because }
}

fn finished() -> Result<StreamEvent, Error> {
    Ok(StreamEvent::Finished { reason: FinishReason::Stop })
}

const ANSWER: &str = "data: {\"choices\":[{\"delta\":{\"content\":\"Hallo\"}}]}\n\n\
                      data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n";

#[tokio::test]
async fn a_chat_is_sent_as_it_should_be_and_its_answer_is_read() {
    let end = "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":4,\"completion_tokens\":2}}\n\ndata: [DONE]\n\n";
    let server = Server::always(Reply::events(format!("{ANSWER}{end}")).then(Act::Hold));
    let usage = TokenUsage {
        prompt: Some(4),
        completion: Some(2),
        total: Some(6),
        ..TokenUsage::default()
    };
    let seen = events(&*provider("openai", &server.url())).await;
    assert_eq!(seen, [text("Hallo"), Ok(StreamEvent::Usage { usage }), finished()]);
    let asked = server.asked();
    assert_eq!(asked.len(), 1);
    assert_eq!(
        (asked[0].method.as_str(), asked[0].path.as_str()),
        ("POST", "/v1/chat/completions")
    );
    assert_eq!(asked[0].header("authorization"), Some(format!("Bearer {SECRET}").as_str()));
    assert_eq!(asked[0].header("x-own"), Some("own value"));
    let body: serde_json::Value = serde_json::from_str(&asked[0].body).unwrap();
    assert_eq!(
        body,
        serde_json::json!({
            "model": "m",
            "messages": [
                { "role": "system", "content": "Be brief." },
                { "role": "user", "content": "hi" },
            ],
            "max_completion_tokens": 100,
            "stream": true,
            "stream_options": { "include_usage": true },
            "store": false,
        })
    );
}

#[tokio::test]
async fn an_answer_without_an_end_marker_ends_by_itself_although_the_connection_stays_open() {
    let server = Server::always(Reply::events(ANSWER).then(Act::Hold));
    let seen = events(&*provider("custom", &server.url())).await;
    assert_eq!(seen, [text("Hallo"), finished()]);
}

#[tokio::test]
async fn a_passing_refusal_is_repeated_and_the_wait_is_told() {
    let server = Server::start(|_, number| match number {
        0 => Reply::json(429, "{}").with_header("Retry-After", "0"),
        1 => Reply::json(503, "{}"),
        _ => Reply::events(ANSWER),
    });
    let seen = events(&*provider("custom", &server.url())).await;
    let attempts: Vec<(bool, u32)> = seen
        .iter()
        .filter_map(|event| match event {
            Ok(StreamEvent::Retrying { error, attempt, .. }) => {
                Some((matches!(error, Error::RateLimited { .. }), *attempt))
            }
            _ => None,
        })
        .collect();
    assert_eq!(attempts, [(true, 1), (false, 2)]);
    assert_eq!(seen[2..], [text("Hallo"), finished()]);
    assert_eq!(server.asked().len(), 3);
}

#[tokio::test]
async fn repetition_has_an_end() {
    let server = Server::always(Reply::json(429, r#"{"error":{"message":"slow down"}}"#));
    let seen = events(&*provider("custom", &server.url())).await;
    let error = Error::RateLimited { retry_after_ms: None, message: "slow down".to_owned() };
    assert_eq!(seen.last(), Some(&Err(error)));
    assert_eq!(server.asked().len(), 4);
}

#[tokio::test]
async fn a_provider_that_wants_an_hour_is_not_waited_for() {
    let reply = Reply::json(429, r#"{"error":{"message":"later"}}"#);
    let server = Server::always(reply.with_header("Retry-After", "3600"));
    let seen = events(&*provider("custom", &server.url())).await;
    let message = "later".to_owned();
    assert_eq!(seen, [Err(Error::RateLimited { retry_after_ms: Some(3_600_000), message })]);
    assert_eq!(server.asked().len(), 1);
}

#[tokio::test]
async fn nothing_is_repeated_after_the_first_byte() {
    let server = Server::always(Reply::events(ANSWER).cut_at(70));
    let seen = events(&*provider("custom", &server.url())).await;
    assert_eq!(seen, [text("Hallo")]);
    assert_eq!(server.asked().len(), 1);
}

#[tokio::test]
async fn an_overload_that_is_all_of_an_answer_is_waited_out_and_one_after_words_is_not() {
    let overloaded = "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}\n\n";
    let unavailable = "data: {\"error\":{\"code\":503,\"message\":\"Overloaded\",\"status\":\"UNAVAILABLE\"}}\n\n";
    for (kind, fault) in [("anthropic", overloaded), ("gemini", unavailable)] {
        let name = format!("aimock/{kind}-hello-stream");
        let server = Server::start(move |_, number| match number {
            0 => Reply::events(fault),
            _ => recorded(&name),
        });
        let seen = events(&*provider(kind, &server.url())).await;
        let error = Error::Refused { status: 200, message: "Overloaded".to_owned() };
        let Some(Ok(StreamEvent::Retrying { error: told, attempt: 1, .. })) = seen.first() else {
            panic!("{kind}: {seen:?}")
        };
        assert_eq!((told, seen.last()), (&error, Some(&finished())), "{kind}");
        assert_eq!(server.asked().len(), 2, "{kind}");
    }
    let begun = &ANSWER[..ANSWER.find("\n\n").unwrap() + 2];
    let server = Server::always(Reply::events(format!("{begun}{unavailable}")));
    let seen = events(&*provider("custom", &server.url())).await;
    assert!(matches!(&seen[..], [Ok(_), Err(Error::Refused { status: 200, .. })]), "{seen:?}");
    assert_eq!(server.asked().len(), 1);
}

#[tokio::test]
async fn what_is_used_up_for_a_minute_is_waited_for_and_what_is_for_the_day_is_not() {
    for (quota, waits) in [("PerMinute", true), ("PerDay", false)] {
        let body = format!(
            r#"{{"error":{{"code":429,"message":"Quota exceeded.","status":"RESOURCE_EXHAUSTED","details":[{{"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{{"quotaId":"GenerateRequests{quota}PerProjectPerModel-FreeTier"}}]}},{{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"0.05s"}}]}}}}"#
        );
        let server = Server::start(move |_, number| match number {
            0 => Reply::json(429, &*body),
            _ => recorded("aimock/gemini-hello-stream"),
        });
        let seen = events(&*provider("gemini", &server.url())).await;
        let message = "Quota exceeded.".to_owned();
        let error = Error::RateLimited { retry_after_ms: waits.then_some(50), message };
        match waits {
            true => {
                let waited = StreamEvent::Retrying { error, wait_ms: 50, attempt: 1 };
                assert_eq!((&seen[0], seen.last()), (&Ok(waited), Some(&finished())));
            }
            false => assert_eq!(seen, [Err(error)]),
        }
    }
}

#[tokio::test]
async fn a_thought_that_no_longer_fits_is_left_out_by_the_server_from_then_on() {
    const BETA: &str = "thinking-binding-controls-2026-08-01";
    let server = Server::start(|asked, _| {
        let announced = asked.header("anthropic-beta").unwrap_or_default();
        match asked.body.contains("drop_block") && announced == format!("mine-1,{BETA}") {
            true => recorded("aimock/anthropic-hello-stream"),
            false => Reply::json(
                400,
                r#"{"type":"error","error":{"type":"invalid_request_error","message":"messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation. Remove the block, or set `thinking.block_binding.prefix_mismatch_behavior` to \"drop_block\"."}}"#,
            ),
        }
    });
    let mut config = config("anthropic", &server.url());
    config.headers = BTreeMap::from([("anthropic-beta".to_owned(), "mine-1".to_owned())]);
    let quirk_memory = QuirkMemory::default();
    let provider =
        create_provider(&config, Some(&ApiKey::new(SECRET)), &net(), QUICK, &quirk_memory).unwrap();
    for _ in 0..2 {
        assert_eq!(events(&*provider).await.last(), Some(&finished()));
    }
    let announced: Vec<_> =
        server.asked().iter().map(|it| it.header("anthropic-beta").map(str::to_owned)).collect();
    let both = Some(format!("mine-1,{BETA}"));
    assert_eq!(announced, [Some("mine-1".to_owned()), both.clone(), both]);
}

#[tokio::test]
async fn a_server_that_does_not_know_the_announcement_is_sent_no_thoughts_and_none_of_it() {
    let server = Server::start(|asked, _| {
        let refused = |message: &str| {
            let error = serde_json::json!({ "type": "invalid_request_error", "message": message });
            Reply::json(400, serde_json::json!({ "type": "error", "error": error }).to_string())
        };
        match (asked.header("anthropic-beta"), asked.body.contains("signature")) {
            (Some(_), _) => refused(
                "Unexpected value(s) `thinking-binding-controls-2026-08-01` for the `anthropic-beta` header",
            ),
            (None, true) => refused(
                "Invalid `signature` in `thinking` block: set `thinking.block_binding.prefix_mismatch_behavior`",
            ),
            (None, false) => recorded("aimock/anthropic-hello-stream"),
        }
    });
    let provider = provider("anthropic", &server.url());
    for _ in 0..2 {
        let mut asked = ModelRequest { effort: ReasoningEffort::High, ..request("hi") };
        let signature = Some("anthropic:sealed".to_owned());
        let parts = [ContentPart::Reasoning { text: "hm".to_owned(), signature }];
        let reply = PromptMessage { role: Role::Assistant, parts: parts.into() };
        asked.prompt.messages.insert(0, reply);
        let seen: Vec<_> = provider.stream(asked).await.unwrap().collect().await;
        assert_eq!(seen.last(), Some(&finished()), "{seen:?}");
    }
    let asked = server.asked();
    let announced: Vec<_> = asked.iter().map(|it| it.header("anthropic-beta").is_some()).collect();
    assert_eq!(announced, [false, true, false, false]);
    assert!(asked.last().unwrap().body.contains("effort"), "how hard it thinks stays");
}

#[tokio::test]
async fn a_stream_that_stalls_is_given_up_and_what_came_is_kept() {
    let server = Server::always(Reply::events(ANSWER).cut_at(70).then(Act::Hold));
    let seen = events(&*far_away(&server, QUICK)).await;
    assert_eq!(seen, [text("Hallo"), Err(late())]);
}

#[tokio::test]
async fn a_server_far_away_that_says_nothing_is_given_up() {
    let server = Server::always(Reply::events("").then(Act::Hold));
    let seen = events(&*far_away(&server, HURRIED)).await;
    assert_eq!(seen, [Err(late())]);
}

/// A provider that is remote as far as it can tell: the server is its proxy.
fn far_away(server: &Server, timeouts: Timeouts) -> Arc<dyn Provider> {
    let proxy = ProxySetting::Custom { url: server.url(), no_proxy: String::new() };
    let net = HttpClient::new(&NetworkSettings { proxy }, Arc::new(())).unwrap();
    let config = config("custom", "http://far.example");
    create_provider(&config, None, &net, timeouts, &QuirkMemory::default()).unwrap()
}

fn late() -> Error {
    Error::TimedOut { host: "far.example".to_owned(), seconds: 0 }
}

#[tokio::test]
async fn a_local_model_is_given_the_time_to_write_a_long_call_without_a_word() {
    let (begun, rest) = ANSWER.split_at(70);
    let slow = Reply::events(begun).then(Act::Pause(Duration::from_millis(400)));
    let server = Server::always(slow.then(Act::Send(rest.into())));
    let seen = events(&*provider("custom", &server.url())).await;
    assert_eq!(seen, [text("Hallo"), finished()]);
}

#[tokio::test]
async fn a_local_server_is_given_all_the_time_it_needs_for_its_first_byte() {
    let slow = Reply::events("").then(Act::Pause(Duration::from_millis(400)));
    let server = Server::always(slow.then(Act::Send(ANSWER.into())));
    let config = config("custom", &server.url());
    let provider =
        create_provider(&config, None, &net(), HURRIED, &QuirkMemory::default()).unwrap();
    let seen = events(&*provider).await;
    assert_eq!(seen, [text("Hallo"), finished()]);
}

#[tokio::test]
async fn a_body_in_single_bytes_is_read_like_any_other() {
    let server = Server::always(Reply::events(ANSWER).in_pieces(1));
    let seen = events(&*provider("custom", &server.url())).await;
    assert_eq!(seen, [text("Hallo"), finished()]);
}

#[tokio::test]
async fn what_a_server_does_not_know_is_left_out_from_then_on() {
    let server = Server::start(|asked, _| {
        if asked.body.contains("stream_options") {
            Reply::json(400, r#"{"error":{"message":"unknown field stream_options"}}"#)
        } else {
            Reply::events(ANSWER)
        }
    });
    let quirk_memory = QuirkMemory::default();
    for _ in 0..2 {
        let provider = known("custom", &server.url(), &quirk_memory);
        assert_eq!(events(&*provider).await, [text("Hallo"), finished()]);
    }
    assert_eq!(server.asked().len(), 3, "one refusal for all that follows");
}

#[tokio::test]
async fn a_model_of_responses_that_does_not_reason_answers() {
    let server = Server::start(|asked, _| {
        if asked.body.contains("encrypted_content") {
            Reply::json(
                400,
                r#"{"error":{"message":"Encrypted content is not supported with this model.","type":"invalid_request_error","param":"include","code":null}}"#,
            )
        } else {
            recorded("aimock/responses-hello-stream")
        }
    });
    let seen = events(&*provider("openai-responses", &server.url())).await;
    assert_eq!(seen.last(), Some(&finished()));
    let body: serde_json::Value = serde_json::from_str(&server.asked()[1].body).unwrap();
    assert_eq!((&body["store"], &body["include"]), (&false.into(), &serde_json::Value::Null));
}

#[tokio::test]
async fn p09_too_long_is_too_long_wherever_it_is_said() {
    let said = r#"{"error":{"message":"This model's maximum context length is 8192 tokens. However, your messages resulted in 9331 tokens.","code":"context_length_exceeded"}}"#;
    for reply in
        [Reply::json(400, said), Reply::json(200, said), Reply::events(format!("data: {said}\n\n"))]
    {
        let server = Server::always(reply);
        let seen = events(&*provider("custom", &server.url())).await;
        assert!(
            matches!(
                &seen[..],
                [Err(Error::TooLong {
                    limit: Some(8_192),
                    actual: Some(9_331),
                    output_only: false,
                    ..
                })]
            ),
            "{seen:?}"
        );
    }
}

#[tokio::test]
async fn p09_where_only_the_answer_is_too_long_a_shorter_one_is_asked_for() {
    let server = Server::start(|_, number| match number {
        0 => Reply::json(
            400,
            r#"{"error":{"message":"This model's maximum context length is 8192 tokens. However, you requested 9192 tokens (5192 in the messages, 4000 in the completion)."}}"#,
        ),
        _ => Reply::events(ANSWER),
    });
    let seen = events(&*provider("custom", &server.url())).await;
    let told = shortened(8_192 - 5_192 - 64, OutputCapReason::Window);
    assert_eq!(seen, [told, text("Hallo"), finished()]);
    let body: serde_json::Value = serde_json::from_str(&server.asked()[1].body).unwrap();
    assert_eq!(body["max_tokens"], 8_192 - 5_192 - 64);
}

#[tokio::test]
async fn where_a_plan_lets_less_through_in_a_minute_a_shorter_answer_is_asked_for() {
    let server = Server::start(|_, number| match number {
        0 => Reply::json(
            413,
            r#"{"error":{"message":"Request too large for model `m` in organization `o` service tier `on_demand` on tokens per minute (TPM): Limit 8000, Requested 66536, please reduce your message size and try again.","type":"tokens","code":"rate_limit_exceeded"}}"#,
        ),
        _ => Reply::events(ANSWER),
    });
    let provider = provider("groq", &server.url());
    for tokens in [3_500, 4_000] {
        let asked = ModelRequest { max_output: Some(65_536), ..request("hi") };
        let stream = provider.stream(asked).await.unwrap();
        let told = shortened(tokens, OutputCapReason::Allowance);
        assert_eq!(stream.collect::<Vec<_>>().await, [told, text("Hallo"), finished()]);
    }
    let asked = server.asked();
    let lengths: Vec<serde_json::Value> = asked
        .iter()
        .map(|asked| serde_json::from_str::<serde_json::Value>(&asked.body).unwrap())
        .map(|body| body["max_completion_tokens"].clone())
        .collect();
    // Half of what the prompt's 1,000 leave; from then on never more than half of the limit.
    assert_eq!(lengths, [65_536, 3_500, 4_000]);
}

#[tokio::test]
async fn a_model_that_is_not_to_be_told_how_hard_to_think_is_told_once() {
    let server = Server::start(|asked, _| match asked.body.contains("reasoning_effort") {
        true => Reply::json(
            400,
            r#"{"error":{"message":"Unrecognized request argument supplied: reasoning_effort"}}"#,
        ),
        false => Reply::events(ANSWER),
    });
    let provider = provider("custom", &server.url());
    let refused = refused(ReasoningEffort::High, ReasoningEffort::Default, EffortReason::Model);
    let mut refused = vec![Ok(refused)];
    for _ in 0..2 {
        let asked = ModelRequest { effort: ReasoningEffort::High, ..request("hi") };
        let stream = provider.stream(asked).await.unwrap();
        let refused = std::mem::take(&mut refused);
        let heard = refused.into_iter().chain([text("Hallo"), finished()]);
        assert_eq!(stream.collect::<Vec<_>>().await, heard.collect::<Vec<_>>());
    }
    let asked = server.asked();
    let told: Vec<_> = asked.iter().map(|it| it.body.contains("reasoning_effort")).collect();
    assert_eq!(told, [true, false, false]);
}

#[tokio::test]
async fn a_model_that_cannot_do_without_thinking_is_asked_for_the_least_and_that_is_said_once() {
    let server = Server::start(|asked, _| match asked.body.contains("\"thinkingBudget\":0") {
        true => Reply::json(
            400,
            r#"{"error":{"code":400,"message":"Budget 0 is invalid. This model only works in thinking mode.","status":"INVALID_ARGUMENT"}}"#,
        ),
        false => Reply::events(
            "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"Hallo\"}]},\"finishReason\":\"STOP\"}]}\n\n",
        ),
    });
    let quirk_memory = QuirkMemory::default();
    let provider = known("gemini", &server.url(), &quirk_memory);
    let refused = refused(ReasoningEffort::Off, ReasoningEffort::Low, EffortReason::Model);
    let mut refused = vec![Ok(refused)];
    for _ in 0..2 {
        let model = "gemini-2.5-pro".to_owned();
        let asked = ModelRequest { model, effort: ReasoningEffort::Off, ..request("hi") };
        let stream = provider.stream(asked).await.unwrap();
        let refused = std::mem::take(&mut refused);
        let heard = refused.into_iter().chain([text("Hallo"), finished()]);
        assert_eq!(stream.collect::<Vec<_>>().await, heard.collect::<Vec<_>>());
    }
    let budgets: Vec<_> = server
        .asked()
        .iter()
        .map(|asked| serde_json::from_str::<serde_json::Value>(&asked.body).unwrap())
        .map(|body| body["generationConfig"]["thinkingConfig"]["thinkingBudget"].clone())
        .collect();
    assert_eq!(budgets, [0, 128, 128]);
    let config = config("gemini", &server.url());
    let instead = |effort| effort_fallback(&config, "gemini-2.5-pro", effort, &quirk_memory);
    assert_eq!(
        (instead(ReasoningEffort::Off), instead(ReasoningEffort::High)),
        (Some(ReasoningEffort::Low), None)
    );
}

#[tokio::test]
async fn a_model_that_takes_no_tools_while_it_thinks_answers_with_them_and_that_is_said_once() {
    let server = Server::start(|asked, _| {
        match asked.body.contains(r#""reasoning_effort":"none""#) {
            true => Reply::events(ANSWER),
            false => Reply::json(
                400,
                r#"{"error":{"message":"Function tools with reasoning_effort are not supported for gpt-5.6-terra in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.","type":"invalid_request_error","param":"reasoning_effort"}}"#,
            ),
        }
    });
    let quirk_memory = QuirkMemory::default();
    let provider = known("openai", &server.url(), &quirk_memory);
    let refused = refused(ReasoningEffort::Default, ReasoningEffort::Off, EffortReason::Tools);
    let mut refused = vec![Ok(refused)];
    for _ in 0..2 {
        let mut asked = ModelRequest { model: "gpt-5.6-terra".to_owned(), ..request("hi") };
        asked.prompt.tools.push(ToolDeclaration {
            name: "look".to_owned(),
            description: "Looks.".to_owned(),
            parameters: serde_json::json!({ "type": "object" }),
            family: ToolFamily::BuiltIn,
        });
        let stream = provider.stream(asked).await.unwrap();
        let refused = std::mem::take(&mut refused);
        let heard = refused.into_iter().chain([text("Hallo"), finished()]);
        assert_eq!(stream.collect::<Vec<_>>().await, heard.collect::<Vec<_>>());
    }
    assert_eq!(server.asked().len(), 3);
    let config = config("openai", &server.url());
    let instead = |effort| effort_fallback(&config, "gpt-5.6-terra", effort, &quirk_memory);
    assert_eq!(
        (instead(ReasoningEffort::High), instead(ReasoningEffort::Off)),
        (Some(ReasoningEffort::Off), None)
    );
}

#[tokio::test]
async fn c05_openai_is_told_of_a_prompt_for_its_cache_until_it_refuses() {
    let server = Server::start(|asked, _| {
        let refused = |name: &str| {
            let message = format!("Unknown parameter: '{name}'.");
            Reply::json(400, serde_json::json!({ "error": { "message": message } }).to_string())
        };
        match ["prompt_cache_options", "prompt_cache_key"].map(|name| asked.body.contains(name)) {
            [true, _] => refused("prompt_cache_options"),
            [false, true] => refused("prompt_cache_key"),
            [false, false] => Reply::events(ANSWER),
        }
    });
    let proxy = ProxySetting::Custom { url: server.url(), no_proxy: String::new() };
    let net = HttpClient::new(&NetworkSettings { proxy }, Arc::new(())).unwrap();
    let memory = QuirkMemory::default();
    for (host, told) in [
        ("api.openai.com", vec![(true, true), (false, true), (false, false), (false, false)]),
        ("compatible.example", vec![(false, false), (false, false)]),
    ] {
        let config = config("openai", &format!("http://{host}"));
        let key = ApiKey::new(SECRET);
        let provider = create_provider(&config, Some(&key), &net, QUICK, &memory).unwrap();
        let before = server.asked().len();
        for _ in 0..2 {
            let (model, cache_key) = ("gpt-5.6-terra".to_owned(), Some("session".to_owned()));
            let asked = ModelRequest { model, cache_key, ..request("hi") };
            let seen: Vec<_> = provider.stream(asked).await.unwrap().collect().await;
            assert_eq!(seen, [text("Hallo"), finished()]);
        }
        let asked = server.asked();
        let named = asked.iter().skip(before).map(|asked| {
            let names = |name: &str| asked.body.contains(name);
            (names("prompt_cache_options"), names("prompt_cache_key"))
        });
        assert_eq!(named.collect::<Vec<_>>(), told, "{host}");
    }
}

#[tokio::test]
async fn of_a_model_that_is_known_to_think_whatever_it_is_told_that_is_said_once() {
    let server = Server::always(Reply::events(ANSWER));
    let provider = provider("moonshot", &server.url());
    let refused = refused(ReasoningEffort::Off, ReasoningEffort::Low, EffortReason::Model);
    let mut refused = vec![Ok(refused)];
    for _ in 0..2 {
        let model = "kimi-k3".to_owned();
        let asked = ModelRequest { model, effort: ReasoningEffort::Off, ..request("hi") };
        let stream = provider.stream(asked).await.unwrap();
        let refused = std::mem::take(&mut refused);
        let heard = refused.into_iter().chain([text("Hallo"), finished()]);
        assert_eq!(stream.collect::<Vec<_>>().await, heard.collect::<Vec<_>>());
    }
}

#[tokio::test]
async fn what_an_errand_was_told_is_told_once_more_where_the_person_hears_it() {
    let server = Server::always(Reply::events(ANSWER));
    let provider = provider("moonshot", &server.url());
    let refused = Ok(refused(ReasoningEffort::Off, ReasoningEffort::Low, EffortReason::Model));
    for (is_heard, told) in [(false, false), (true, true), (true, false)] {
        let model = "kimi-k3".to_owned();
        let asked = ModelRequest {
            model,
            effort: ReasoningEffort::Off,
            is_user_facing: is_heard,
            ..request("hi")
        };
        let seen: Vec<_> = provider.stream(asked).await.unwrap().collect().await;
        assert_eq!(seen.contains(&refused), told, "{is_heard} {seen:?}");
    }
}

#[tokio::test]
async fn a_claude_that_cannot_be_switched_off_is_kept_to_what_it_tells_between_tools() {
    let server = Server::start(|asked, _| match asked.body.contains("disabled") {
        true => Reply::json(
            400,
            r#"{"type":"error","error":{"type":"invalid_request_error","message":"To turn thinking off on this model, send \"thinking\": {\"type\": \"between_tools\"} instead of {\"type\": \"disabled\"}. The model does not think before responding."}}"#,
        ),
        false => recorded("aimock/anthropic-hello-stream"),
    });
    let provider = provider("anthropic", &server.url());
    let model = "claude-sonnet-5-5".to_owned();
    let asked = ModelRequest { model, effort: ReasoningEffort::Off, ..request("hi") };
    let seen: Vec<_> = provider.stream(asked).await.unwrap().collect().await;
    assert_eq!(seen.last(), Some(&finished()));
    assert!(!seen.iter().any(|it| matches!(it, Ok(StreamEvent::EffortRefused { .. }))));
    let bodies = server.asked();
    let last: serde_json::Value = serde_json::from_str(&bodies.last().unwrap().body).unwrap();
    assert_eq!(last["thinking"], serde_json::json!({ "type": "between_tools" }));
}

#[test]
fn an_errand_is_never_thought_about_harder_than_the_person_wants() {
    for (kind, chosen, asked) in [
        ("custom", ReasoningEffort::Default, ReasoningEffort::Default),
        ("custom", ReasoningEffort::High, ReasoningEffort::Off),
        ("openai-responses", ReasoningEffort::Default, ReasoningEffort::Default),
        ("anthropic", ReasoningEffort::Default, ReasoningEffort::Off),
        ("moonshot", ReasoningEffort::Default, ReasoningEffort::Off),
        ("dashscope", ReasoningEffort::Default, ReasoningEffort::Off),
        ("ollama", ReasoningEffort::Default, ReasoningEffort::Off),
        ("gemini", ReasoningEffort::Default, ReasoningEffort::Off),
    ] {
        let config = config(kind, "http://127.0.0.1:9");
        assert_eq!(background_effort(&config, chosen), asked, "{kind} {chosen:?}");
    }
}

#[tokio::test]
async fn a_key_is_in_no_error() {
    for (status, body) in [
        (401, format!("{{\"error\":{{\"message\":\"Incorrect API key provided: {SECRET}.\"}}}}")),
        (400, format!("bad header authorization=Bearer%20{SECRET}")),
        (200, format!("<html>{SECRET}</html>")),
        (200, format!("data: {{\"error\":{{\"message\":\"who is {SECRET}?\"}}}}\n\n")),
    ] {
        let server = Server::always(Reply::new(status, "text/plain", body));
        let seen = events(&*provider("custom", &server.url())).await;
        let told = format!("{seen:?}");
        assert!(
            seen[0].is_err() && !told.contains("sk-very") && !told.contains("0123456789"),
            "{told}"
        );
    }
}

#[tokio::test]
async fn a_key_does_not_follow_a_redirect_to_another_host_or_port() {
    for host in ["localhost", "127.0.0.1"] {
        let elsewhere = Server::always(Reply::events(ANSWER));
        let target = elsewhere.url().replace("127.0.0.1", host);
        let server = Server::start(move |_, _| {
            Reply::json(307, "").with_header("Location", &format!("{target}/v1/chat/completions"))
        });
        let seen = events(&*provider("anthropic", &server.url())).await;
        assert!(matches!(&seen[..], [Err(Error::Refused { status: 307, .. })]), "{seen:?}");
        assert_eq!(elsewhere.asked(), [], "{host}");
    }
}

#[tokio::test]
async fn a_server_that_is_not_there_is_said_to_be_so() {
    let gone = Server::always(Reply::nothing()).url();
    let host = gone.trim_start_matches("http://").to_owned();
    let seen = events(&*provider("custom", &gone)).await;
    assert_eq!(seen, [Err(Error::NotRunning { host, provider: "P".into() })]);
}

#[tokio::test]
async fn dropping_the_stream_ends_the_request() {
    let server = Server::always(Reply::events(&ANSWER[..60]).then(Act::Hold));
    let provider = provider("custom", &server.url());
    let mut stream = provider.stream(request("hi")).await.unwrap();
    assert_eq!(stream.next().await, Some(text("Hallo")));
    drop(stream);
    // A second request gets a reply, so the first holds no lock.
    let mut stream = provider.stream(request("hi")).await.unwrap();
    assert_eq!(stream.next().await, Some(text("Hallo")));
}

#[tokio::test]
async fn a_test_of_the_connection_tells_the_real_error() {
    let tested = async |server: &Server| {
        let request = connection_test_request("m", Map::new());
        let mut events = provider("custom", &server.url()).stream(request).await.unwrap();
        events.next().await.unwrap().map(|_| ())
    };
    assert_eq!(tested(&Server::always(Reply::events(ANSWER))).await, Ok(()));
    let server = Server::always(Reply::json(404, r#"{"error":{"message":"no such model"}}"#));
    let message = "no such model".to_owned();
    assert_eq!(tested(&server).await, Err(Error::UnknownModel { model: "m".into(), message }));
}

#[tokio::test]
async fn a_test_of_the_connection_leaves_the_window_to_ollama() {
    let server = Server::always(recorded("aimock/ollama-hello-stream"));
    let request = connection_test_request("m", Map::new());
    let events = provider("ollama", &server.url()).stream(request).await.unwrap();
    events.for_each(|_| async {}).await;
    let body: serde_json::Value = serde_json::from_str(&server.asked()[0].body).unwrap();
    assert_eq!(body["options"], serde_json::json!({ "num_predict": 16 }));
}

#[tokio::test]
async fn c04_the_check_of_a_repetition_begins_when_an_attempt_broke_off_and_ends_after_the_wait() {
    let server = Server::always(Reply::nothing());
    let patient = Timeouts { backoff: Duration::from_secs(60), ..QUICK };
    let begun = Arc::new(Mutex::new(Vec::new()));
    let broken = Arc::clone(&begun);
    let repeat_check = RepeatCheck::new(move |error| {
        broken.lock().unwrap().push(error.clone());
        Box::pin(async { panic!("the wait has not ended") })
    });
    // A server on this machine is not asked again after it broke off.
    let proxy = ProxySetting::Custom { url: server.url(), no_proxy: String::new() };
    let net = HttpClient::new(&NetworkSettings { proxy }, Arc::new(())).unwrap();
    let config = config("custom", "http://loom.example/v1");
    let provider = create_provider(&config, None, &net, patient, &QuirkMemory::default()).unwrap();
    let request = ModelRequest { repeat_check, ..request("hi") };
    let event = provider.stream(request).await.unwrap().next().await.unwrap().unwrap();
    let StreamEvent::Retrying { error, .. } = event else { panic!("{event:?}") };
    assert_eq!(*begun.lock().unwrap(), [error]);
}

#[derive(Default)]
struct Hosts(Mutex<Vec<String>>);

impl HostLog for Hosts {
    fn contacted(&self, host: &str) {
        self.0.lock().unwrap().push(host.to_owned());
    }
}

#[tokio::test]
async fn every_host_is_noted() {
    let hosts = Arc::new(Hosts::default());
    let settings = NetworkSettings { proxy: ProxySetting::None {} };
    let net = HttpClient::new(&settings, Arc::clone(&hosts) as Arc<dyn HostLog>).unwrap();
    let server = Server::always(Reply::events(ANSWER));
    let quirk_memory = QuirkMemory::default();
    let provider =
        create_provider(&config("custom", &server.url()), None, &net, QUICK, &quirk_memory)
            .unwrap();
    events(&*provider).await;
    let host = server.url().trim_start_matches("http://").to_owned();
    assert_eq!(*hosts.0.lock().unwrap(), [host]);
}

#[tokio::test]
async fn whoever_has_the_client_follows_the_proxy_setting() {
    let (old, new) = (Server::always(Reply::events(ANSWER)), Server::always(Reply::events(ANSWER)));
    let through = |server: &Server| NetworkSettings {
        proxy: ProxySetting::Custom { url: server.url(), no_proxy: String::new() },
    };
    let net = HttpClient::new(&through(&old), Arc::new(())).unwrap();
    let config = config("custom", "http://far.example");
    let provider = create_provider(&config, None, &net, QUICK, &QuirkMemory::default()).unwrap();
    events(&*provider).await;
    net.reconfigure(&through(&new)).unwrap();
    events(&*provider).await;
    assert_eq!((old.asked().len(), new.asked().len()), (1, 1));
    let nonsense = ProxySetting::Custom { url: "ftp://x".to_owned(), no_proxy: String::new() };
    assert!(net.reconfigure(&NetworkSettings { proxy: nonsense }).is_err());
    events(&*provider).await;
    assert_eq!(new.asked().len(), 2, "what cannot be a proxy changes nothing");
}

#[test]
fn a_provider_that_needs_a_key_says_so_before_anything_is_sent() {
    let mut config = config("openai", "https://api.example.com");
    config.headers.clear();
    let refused = create_provider(&config, None, &net(), QUICK, &QuirkMemory::default()).err();
    assert_eq!(refused, Some(Error::NoKey { provider: "P".to_owned() }));
}

fn recorded(name: &str) -> Reply {
    let path = format!("{}/tests/streams/{name}.http", env!("CARGO_MANIFEST_DIR"));
    Reply::recorded(&std::fs::read(path).unwrap())
}

fn listed(id: &str, window: Option<u32>, loaded_window: Option<u32>) -> ListedModel {
    let id = id.to_owned();
    ListedModel { id, name: None, window, loaded_window, max_input: None, max_output: None }
}

#[tokio::test]
async fn fr_3_5_a_local_server_says_what_it_has_loaded() {
    let llama = Server::start(|asked, _| match asked.path.as_str() {
        "/props" => recorded("llama-server/get_props-2048"),
        _ => recorded("llama-server/get_v1_models-2048"),
    });
    let models = provider("llamacpp", &llama.url()).models().await.unwrap();
    // Two slots share 2,048 tokens.
    assert_eq!(models, [listed("tiny2048.gguf", Some(2_048), Some(1_024))]);

    let router = Server::start(|asked, _| match asked.path.as_str() {
        "/props?model=a%2Fone&autoload=false" => {
            Reply::json(200, r#"{"default_generation_settings":{"n_ctx":8192}}"#)
        }
        "/v1/models" => Reply::json(
            200,
            r#"{"data":[{"id":"a/one","status":{"value":"loaded","args":["llama-server","--ctx-size","16384"]}},{"id":"b","status":{"value":"unloaded","args":["llama-server","-c","4096","-m","b.gguf"]}},{"id":"c","status":{"value":"unloaded","args":["llama-server","-c","0"]}}]}"#,
        ),
        path => panic!("{path}"),
    });
    let models = provider("llamacpp", &router.url()).models().await.unwrap();
    let loaded = listed("a/one", Some(16_384), Some(8_192));
    assert_eq!(models, [loaded, listed("b", Some(4_096), None), listed("c", None, None)]);

    let ollama = Server::start(|asked, _| match asked.path.as_str() {
        "/api/tags" => Reply::json(
            200,
            r#"{"models":[{"name":"a:1b","model":"a:1b"},{"name":"b","model":"b"},{"name":"c","model":"c"}]}"#,
        ),
        "/api/ps" => Reply::json(
            200,
            r#"{"models":[{"name":"b","model":"b","context_length":4096},{"name":"c","model":"c","context_length":65536}]}"#,
        ),
        _ => Reply::json(200, r#"{"model_info":{"llama.context_length":131072}}"#),
    });
    let models = provider("ollama", &ollama.url()).models().await.unwrap();
    let ours = |id| listed(id, Some(32_768), None);
    let expected = [ours("a:1b"), ours("b"), listed("c", Some(32_768), Some(65_536))];
    assert_eq!(models, expected, "a smaller window than ours is no limit: we say what is loaded");

    let set = Server::start(|asked, _| match asked.path.as_str() {
        "/api/tags" => Reply::json(200, r#"{"models":[{"model":"l"},{"model":"s"}]}"#),
        "/api/ps" => Reply::json(200, r#"{"models":[]}"#),
        _ if asked.body.contains("\"s\"") => Reply::json(
            200,
            r#"{"parameters":"num_ctx                        8192\nstop                           \"<|im_end|>\"","model_info":{"llama.context_length":131072}}"#,
        ),
        _ => Reply::json(
            200,
            r#"{"parameters":"temperature 1\nnum_ctx 65536","model_info":{"llama.context_length":40960}}"#,
        ),
    });
    let models = provider("ollama", &set.url()).models().await.unwrap();
    let expected = [listed("l", Some(40_960), None), listed("s", Some(8_192), None)];
    assert_eq!(models, expected, "what the maker of a model set stands");

    let cloud = Server::start(|asked, _| match asked.path.as_str() {
        "/api/tags" => Reply::json(
            200,
            r#"{"models":[{"model":"gpt-oss:120b-cloud"},{"model":"mine","remote_host":"https://ollama.com:443"},{"model":"q:8b"}]}"#,
        ),
        "/api/ps" => Reply::json(200, r#"{"models":[]}"#),
        _ => Reply::json(200, r#"{"model_info":{"gptoss.context_length":131072}}"#),
    });
    let models = provider("ollama", &cloud.url()).models().await.unwrap();
    let trained = |id| listed(id, Some(131_072), None);
    let expected = [trained("gpt-oss:120b-cloud"), trained("mine"), ours("q:8b")];
    assert_eq!(models, expected, "no memory of the person's is at stake in a cloud");

    let studio = Server::start(|asked, _| match asked.path.as_str() {
        "/api/v0/models" => Reply::json(
            200,
            r#"{"data":[{"id":"q","max_context_length":40960,"loaded_context_length":4096}]}"#,
        ),
        _ => Reply::json(404, "{}"),
    });
    let models = provider("lmstudio", &studio.url()).models().await.unwrap();
    assert_eq!(models, [listed("q", Some(40_960), Some(4_096))]);
}

#[tokio::test]
async fn a_key_or_a_header_that_is_a_word_leaves_the_list_of_models_as_it_is() {
    let server = Server::always(Reply::json(
        200,
        r#"{"data":[{"id":"llama3.2:latest","active":true,"context_window":8192}]}"#,
    ));
    let mut config = config("custom", &server.url());
    config.headers = BTreeMap::from([("x-trace".to_owned(), "true".to_owned())]);
    let (key, quirk_memory) = (ApiKey::new("test"), QuirkMemory::default());
    let provider = create_provider(&config, Some(&key), &net(), QUICK, &quirk_memory).unwrap();
    let expected = [listed("llama3.2:latest", Some(8_192), None)];
    assert_eq!(provider.models().await.unwrap(), expected);
}

#[tokio::test]
async fn a_list_that_is_refused_or_no_list_says_so() {
    let server = Server::always(Reply::json(401, r#"{"error":{"message":"who are you"}}"#));
    let message = "who are you".to_owned();
    let refused = provider("custom", &server.url()).models().await;
    assert_eq!(refused, Err(Error::Unauthorized { status: 401, message }));
    let page = "<html><title>Welcome</title></html>";
    let server = Server::always(Reply::new(200, "text/html", page));
    let refused = provider("custom", &server.url()).models().await;
    assert_eq!(refused, Err(Error::WebPage { title: Some("Welcome".to_owned()) }));
}

#[tokio::test]
async fn local_servers_that_run_are_found_and_nothing_else() {
    let running = Server::always(recorded("llama-server/get_v1_models-2048"));
    let other = Server::always(Reply::new(200, "text/html", "<html>a printer</html>"));
    let (here, there) = (running.url(), other.url());
    let found = discover(&net(), &[("llamacpp", here.clone()), ("ollama", there)]).await;
    let (kind, name) = ("llamacpp".to_owned(), "llama.cpp".to_owned());
    let models = vec!["tiny2048.gguf".to_owned()];
    assert_eq!(found, [LocalServer { kind, name, base_url: here, models }]);
}

#[tokio::test]
async fn every_format_is_called_at_its_own_address_and_read() {
    for (kind, name, path) in [
        ("custom", "openai", "/v1/chat/completions"),
        ("openai-responses", "responses", "/v1/responses"),
        ("anthropic", "anthropic", "/v1/messages"),
        ("gemini", "gemini", "/v1beta/models/m:streamGenerateContent?alt=sse"),
        ("ollama", "ollama", "/api/chat"),
    ] {
        let reply = recorded(&format!("aimock/{name}-hello-stream")).in_pieces(7);
        let server = Server::always(reply);
        let seen = events(&*provider(kind, &server.url())).await;
        let said: String = seen
            .iter()
            .filter_map(|event| match event {
                Ok(StreamEvent::Text { delta }) => Some(delta.as_str()),
                _ => None,
            })
            .collect();
        assert_eq!(said, "Hello there! naïve café ☕ 😀 done.", "{kind}");
        assert_eq!(seen.last(), Some(&finished()), "{kind}");
        assert_eq!(server.asked()[0].path, path);

        let server = Server::always(recorded(&format!("aimock/{name}-overflow-stream")));
        let seen = events(&*provider(kind, &server.url())).await;
        assert!(
            matches!(
                &seen[..],
                [Err(Error::TooLong { limit: Some(128_000), actual: Some(130_001), .. })]
            ),
            "{kind}: {seen:?}"
        );
    }
}

/// The requested reply lengths.
fn lengths(server: &Server, field: &str) -> Vec<u64> {
    let body = |body: &str| serde_json::from_str::<serde_json::Value>(body).unwrap();
    server.asked().iter().map(|asked| body(&asked.body)[field].as_u64().unwrap()).collect()
}

const ANTHROPIC_ANSWER: &str = concat!(
    "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"usage\":{\"input_tokens\":1000}}}\n\n",
    "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n",
);

/// A server whose window of 8,192 includes the reply, with a prompt of 1,000.
fn strict() -> Server {
    Server::start(|asked, _| {
        let body: serde_json::Value = serde_json::from_str(&asked.body).unwrap();
        match body["max_tokens"].as_u64().unwrap() {
            most if most + 1_000 <= 8_192 => Reply::events(ANTHROPIC_ANSWER),
            most => Reply::json(
                400,
                format!(
                    r#"{{"type":"error","error":{{"type":"invalid_request_error","message":"input length and `max_tokens` exceed context limit: 1000 + {most} > 8192, decrease input length or `max_tokens` and try again"}}}}"#
                ),
            ),
        }
    })
}

#[tokio::test]
async fn the_longest_answer_leaves_room_for_the_prompt_where_the_window_is_known() {
    let server = strict();
    let provider = provider("anthropic", &server.url());
    for max_output in [None, Some(8_192), Some(2_000)] {
        let (window, prompt_tokens) = (Some(8_192), Some(1_000));
        let asked = ModelRequest { max_output, window, prompt_tokens, ..request("hi") };
        let stream = provider.stream(asked).await.unwrap();
        assert!(stream.collect::<Vec<_>>().await.iter().all(Result::is_ok));
    }
    assert_eq!(lengths(&server, "max_tokens"), [7_129, 7_129, 2_000], "none is refused");
}

#[tokio::test]
async fn a_window_that_refused_an_answer_is_remembered() {
    let server = strict();
    let provider = provider("anthropic", &server.url());
    // Estimated a tenth too low, as the error shows.
    for prompt_tokens in [900, 900, 899] {
        let asked =
            ModelRequest { max_output: None, prompt_tokens: Some(prompt_tokens), ..request("hi") };
        let stream = provider.stream(asked).await.unwrap();
        assert!(stream.collect::<Vec<_>>().await.iter().all(Result::is_ok));
    }
    let asked = lengths(&server, "max_tokens");
    assert_eq!(asked[..2], [8_192, 7_128], "once it is refused, and asked for what fits");
    assert_eq!(asked.len(), 4, "and never again: {asked:?}");
}

#[tokio::test]
async fn the_longest_answer_of_a_model_is_remembered() {
    let server = Server::start(|asked, _| match asked.body.contains("65536") {
        true => Reply::json(
            400,
            r#"{"error":{"message":"max_tokens is too large: 65536. This model supports at most 16384 completion tokens, whereas you provided 65536.","param":"max_tokens"}}"#,
        ),
        false => Reply::events(ANSWER),
    });
    let provider = provider("custom", &server.url());
    for _ in 0..2 {
        let asked = ModelRequest { max_output: Some(65_536), ..request("hi") };
        let stream = provider.stream(asked).await.unwrap();
        let told = shortened(16_384, OutputCapReason::Window);
        assert_eq!(stream.collect::<Vec<_>>().await, [told, text("Hallo"), finished()]);
    }
    assert_eq!(lengths(&server, "max_tokens"), [65_536, 16_384, 16_384]);
}

/// The reason why Gemini would reject a conversation, by its rules: a turn with calls follows a
/// user turn or responses, and as many responses as calls follow it.
fn out_of_order(body: &str) -> Option<String> {
    let body: serde_json::Value = serde_json::from_str(body).unwrap();
    let turns: Vec<(String, usize, usize)> = body["contents"]
        .as_array()
        .unwrap()
        .iter()
        .map(|turn| {
            let parts = turn["parts"].as_array().unwrap();
            let count = |what: &str| parts.iter().filter(|part| part.get(what).is_some()).count();
            let role = turn["role"].as_str().unwrap().to_owned();
            (role, count("functionCall"), count("functionResponse"))
        })
        .collect();
    let user_before = |at: usize| at > 0 && turns[at - 1].0 == "user";
    for (at, (role, calls, responses)) in turns.iter().enumerate() {
        let next = turns.get(at + 1).map_or(0, |(_, _, responses)| *responses);
        let before = if at > 0 { turns[at - 1].1 } else { 0 };
        if *calls > 0 && (role != "model" || !user_before(at)) {
            return Some("Please ensure that function call turn comes immediately after a user turn or after a function response turn.".to_owned());
        }
        if *calls != next || *responses != before {
            return Some("Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.".to_owned());
        }
    }
    None
}

fn called(name: &str, state: ToolState) -> ContentPart {
    let (call_id, args) = (format!("id-{name}"), "{}".to_owned());
    ContentPart::Tool {
        call: ToolCall { call_id, name: name.to_owned(), args, signature: None, state },
    }
}

#[tokio::test]
async fn calls_and_responses_keep_the_order_that_gemini_insists_on() {
    let server = Server::start(|asked, _| match out_of_order(&asked.body) {
        Some(message) => {
            let error = serde_json::json!({ "error": { "code": 400, "message": message } });
            Reply::json(400, error.to_string())
        }
        None => recorded("aimock/gemini-hello-stream"),
    });
    let provider = provider("gemini", &server.url());
    let said = |words: &str| ContentPart::Text { text: words.to_owned() };
    let thought = || ContentPart::Reasoning { text: "hm".to_owned(), signature: None };
    let failed = || ToolState::Failed { message: "no".to_owned() };
    let user = |words: &str| PromptMessage { role: Role::User, parts: [said(words)].into() };
    let model =
        |parts: Vec<ContentPart>| PromptMessage { role: Role::Assistant, parts: parts.into() };
    let one = || called("one", failed());
    let two = || called("two", ToolState::Denied {});
    let cut = || called("cut", ToolState::Cancelled {});
    for messages in [
        // One call, two at once, and one after the other in one message.
        vec![user("a"), model(vec![one()])],
        vec![user("a"), model(vec![said("I look."), one(), two()]), model(vec![said("Done.")])],
        vec![user("a"), model(vec![one(), said("then"), two()]), model(vec![one()])],
        // A notice and the user's next text after the responses.
        vec![user("a"), model(vec![one()]), user("[Notice]"), model(vec![two()]), user("b")],
        vec![user("summary"), user("notice"), user("a"), model(vec![thought(), one()])],
        // A truncated reply is continued with a call; and a call that never ran.
        vec![user("a"), model(vec![said("cut")]), user("go on"), model(vec![one()])],
        vec![user("a"), model(vec![said("cut")]), model(vec![one(), cut()]), user("b")],
        vec![user("a"), model(vec![thought()]), user("b"), model(vec![one()])],
    ] {
        let mut asked = request("hi");
        let shown = format!("{messages:?}");
        asked.prompt.messages = messages;
        let seen: Vec<_> = provider.stream(asked).await.unwrap().collect().await;
        assert_eq!(seen.last(), Some(&finished()), "{shown}: {seen:?}");
    }
}
