//! The effort of reasoning, and models that take no such setting.

use futures::StreamExt;
use scripted_server::{Reply, Server};
use skein_domain::provider_config::ReasoningEffort;
use skein_domain::tool_declaration::{ToolDeclaration, ToolFamily};
use skein_providers::{
    EffortReason, ModelRequest, Provider, QuirkMemory, StreamEvent, background_effort,
    effort_fallback,
};

use crate::scenario::{ANSWER, config, finished, known, provider, recorded, request, text};

fn refused(
    effort: ReasoningEffort,
    instead: ReasoningEffort,
    because: EffortReason,
) -> StreamEvent {
    StreamEvent::EffortRefused { effort, instead, because }
}

/// Asks twice: the first answer begins with `refused`, the second does not.
async fn says_once(provider: &dyn Provider, asked: &ModelRequest, refused: StreamEvent) {
    let answer = [text("Hallo"), finished()];
    for told in [vec![Ok(refused)], Vec::new()] {
        let heard: Vec<_> = provider.stream(asked.clone()).await.unwrap().collect().await;
        assert_eq!(heard, [told, answer.to_vec()].concat());
    }
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
    let asked = ModelRequest { effort: ReasoningEffort::High, ..request("hi") };
    says_once(provider.as_ref(), &asked, refused).await;
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
    let model = "gemini-2.5-pro".to_owned();
    let asked = ModelRequest { model, effort: ReasoningEffort::Off, ..request("hi") };
    says_once(provider.as_ref(), &asked, refused).await;
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
    let mut asked = ModelRequest { model: "gpt-5.6-terra".to_owned(), ..request("hi") };
    asked.prompt.tools.push(ToolDeclaration {
        name: "look".to_owned(),
        description: "Looks.".to_owned(),
        parameters: serde_json::json!({ "type": "object" }),
        family: ToolFamily::BuiltIn,
    });
    says_once(provider.as_ref(), &asked, refused).await;
    assert_eq!(server.asked().len(), 3);
    let config = config("openai", &server.url());
    let instead = |effort| effort_fallback(&config, "gpt-5.6-terra", effort, &quirk_memory);
    assert_eq!(
        (instead(ReasoningEffort::High), instead(ReasoningEffort::Off)),
        (Some(ReasoningEffort::Off), None)
    );
}

#[tokio::test]
async fn of_a_model_that_is_known_to_think_whatever_it_is_told_that_is_said_once() {
    let server = Server::always(Reply::events(ANSWER));
    let provider = provider("moonshot", &server.url());
    let refused = refused(ReasoningEffort::Off, ReasoningEffort::Low, EffortReason::Model);
    let model = "kimi-k3".to_owned();
    let asked = ModelRequest { model, effort: ReasoningEffort::Off, ..request("hi") };
    says_once(provider.as_ref(), &asked, refused).await;
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
