//! The longest reply that is asked for.

use futures::StreamExt;
use scripted_server::{Reply, Server};
use skein_domain::error::Error;
use skein_domain::message::{OutputCap, OutputCapReason};
use skein_providers::{ModelRequest, StreamEvent};

use crate::scenario::{ANSWER, events, finished, provider, request, text};

fn shortened(tokens: u32, by: OutputCapReason) -> Result<StreamEvent, Error> {
    Ok(StreamEvent::OutputCapped { cap: OutputCap { tokens, by } })
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
async fn on_every_wire_the_longest_answer_leaves_room_for_the_prompt() {
    for (kind, field) in [
        ("custom", "/max_tokens"),
        ("openai", "/max_completion_tokens"),
        ("openai-responses", "/max_output_tokens"),
        ("anthropic", "/max_tokens"),
        ("gemini", "/generationConfig/maxOutputTokens"),
        ("ollama", "/options/num_predict"),
    ] {
        let server = Server::start(|_, _| Reply::json(401, "{}"));
        let (window, prompt_tokens) = (Some(8_192), Some(1_000));
        let asked =
            ModelRequest { max_output: Some(8_192), window, prompt_tokens, ..request("hi") };
        let stream = provider(kind, &server.url()).stream(asked).await.unwrap();
        assert!(stream.collect::<Vec<_>>().await.iter().any(Result::is_err), "{kind}");
        let sent = server.asked();
        let body: serde_json::Value = serde_json::from_str(&sent[0].body).unwrap();
        assert_eq!(body.pointer(field), Some(&7_129.into()), "{kind}: {body}");
    }
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
