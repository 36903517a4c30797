//! Requests and the replies to them.

use futures::StreamExt;
use scripted_server::{Act, Reply, Server};
use skein_context::window::PromptMessage;
use skein_domain::error::Error;
use skein_domain::message::{ContentPart, Role, ToolCall, ToolState};
use skein_domain::usage::TokenUsage;
use skein_providers::StreamEvent;

use crate::scenario::{ANSWER, SECRET, events, finished, provider, recorded, request, text};

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
async fn a_body_in_single_bytes_is_read_like_any_other() {
    let server = Server::always(Reply::events(ANSWER).in_pieces(1));
    let seen = events(&*provider("custom", &server.url())).await;
    assert_eq!(seen, [text("Hallo"), finished()]);
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
