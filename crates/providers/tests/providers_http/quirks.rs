//! Fields that a server refuses, and that are left out from then on.

use std::collections::BTreeMap;
use std::sync::Arc;

use futures::StreamExt;
use scripted_server::{Reply, Server};
use skein_context::window::PromptMessage;
use skein_domain::message::{ContentPart, Role};
use skein_domain::provider_config::ReasoningEffort;
use skein_platform::http::{HttpClient, NetworkSettings, ProxySetting};
use skein_providers::{ApiKey, ModelRequest, QuirkMemory, create_provider};

use crate::scenario::{
    ANSWER, QUICK, SECRET, config, events, finished, known, net, provider, recorded, request, text,
};

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
