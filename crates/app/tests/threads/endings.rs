//! How replies end that are not simply whole, and what is done, said and learned about it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use scripted_server::{Act, Asked, Reply, Server, until};
use serde_json::{Value, json};
use skein_app::app::App;
use skein_app::events::{EventSink, TurnEvent};
use skein_app::models::silent_truncation::{Truncation, TruncationKind};
use skein_app::turn::turn_start::TurnStart;
use skein_app::view::{TranscriptPosition, TurnEnd};
use skein_domain::draft::Draft;
use skein_domain::error::{Error, Result};
use skein_domain::ids::{ProviderId, SessionId};
use skein_domain::message::{
    ContentPart, Message, MessageState, OutputCap, OutputCapReason, StopReason, ToolState,
};
use skein_domain::model::ModelRef;
use skein_domain::session::{SessionOverride, Switch};
use skein_domain::usage::TokenUsage;
use skein_store::AutomaticEvent;
use tempfile::TempDir;
use tokio::task::JoinHandle;

use crate::scenario::{message, open};

/// Keeps what it hears.
#[derive(Default)]
struct Ear(Mutex<Vec<TurnEvent>>);

impl EventSink for Ear {
    fn event(&self, event: &TurnEvent) -> bool {
        self.0.lock().unwrap().push(event.clone());
        true
    }
}

/// A program that talks to one server of some kind, in one session.
struct Talk {
    app: Arc<App>,
    server: Server,
    session: SessionId,
    ear: Arc<Ear>,
    folder: TempDir,
}

/// `model`: what the person set of model `m`.
async fn talk(
    kind: &str,
    model: Value,
    script: impl Fn(&Asked, usize) -> Reply + Send + Sync + 'static,
) -> Talk {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(script);
    let settings = json!({
        "catalogueRefresh": false,
        "defaultModel": { "provider": "p", "model": "m" },
        "providers": [{
            "id": "p", "kind": kind, "name": "P", "baseUrl": format!("{}/v1", server.url()),
            "models": [model, { "id": "other" }],
        }],
        "network": { "proxy": { "type": "none" } },
    });
    std::fs::write(folder.path().join("settings.json"), settings.to_string()).unwrap();
    let app = open(folder.path()).await;
    app.providers.set_key(ProviderId("p".into()), "key".into()).await.unwrap();
    let session = app.sessions.create().await.unwrap();
    app.sessions.rename(session, "Looms".into()).await.unwrap();
    Talk { app, server, session, ear: Arc::default(), folder }
}

impl Talk {
    async fn send(&self, message: Draft) -> Result<TurnEnd> {
        self.app.turns.run(self.session, message, self.ear.clone()).await
    }

    /// Sends, and goes on as soon as so many requests more have come.
    async fn sending(&self, words: &str, requests: usize) -> JoinHandle<Result<TurnEnd>> {
        let before = self.server.asked().len();
        let (app, session, ear) = (self.app.clone(), self.session, self.ear.clone());
        let message = message(words);
        let turn = tokio::spawn(async move { app.turns.run(session, message, ear).await });
        let came = async || self.server.asked().len() >= before + requests;
        until("the server is asked", came).await;
        turn
    }

    async fn last(&self) -> Message {
        let thread = self.app.sessions.get(self.session).await.unwrap().session.current_thread;
        let page =
            self.app.messages.transcript(thread, TranscriptPosition::End {}, 100).await.unwrap();
        page.items.into_iter().next_back().unwrap().message
    }

    async fn log(&self) -> Vec<AutomaticEvent> {
        let thread = self.app.sessions.get(self.session).await.unwrap().session.current_thread;
        let log = self.app.store.activity_log(thread).await.unwrap();
        log.into_iter().map(|entry| entry.event).collect()
    }

    /// The bodies of what was asked, in order.
    fn asked(&self) -> Vec<Value> {
        let asked = self.server.asked();
        let asked = asked.iter().filter(|asked| asked.method == "POST");
        asked.map(|asked| serde_json::from_str(&asked.body).unwrap()).collect()
    }

    /// The reported usage of the last reply.
    async fn reported(&self) -> Option<TokenUsage> {
        let thread = self.app.sessions.get(self.session).await.unwrap().session.current_thread;
        let page =
            self.app.messages.transcript(thread, TranscriptPosition::End {}, 100).await.unwrap();
        page.items.into_iter().next_back().unwrap().generation.map(|it| it.usage)
    }
}

/// A call on the wire of chat completions, cut off where its arguments are this far.
fn cut_off(args: &str) -> Reply {
    let function = json!({ "name": "send_all", "arguments": args });
    let call = json!({ "index": 0, "id": "a", "type": "function", "function": function });
    let delta = json!({ "choices": [{ "delta": { "tool_calls": [call] } }] });
    let end = json!({ "choices": [{ "delta": {}, "finish_reason": "length" }] });
    Reply::events(format!("data: {delta}\n\ndata: {end}\n\ndata: [DONE]\n\n"))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_was_cut_off_before_its_arguments_is_not_run() {
    for (args, is_run) in [("", false), ("{\"to\": [", false), ("{}", true)] {
        let model = json!({ "id": "m" });
        let talk = talk("custom", model, move |asked, _| match asked.body.contains("send_all") {
            false => cut_off(args),
            true => said("Done.", "stop", None),
        });
        let talk = talk.await;
        assert_eq!(talk.send(message("go")).await, Ok(TurnEnd::Answered {}), "{args:?}");
        assert_eq!(talk.asked().len(), if is_run { 2 } else { 1 }, "{args:?}");
        if !is_run {
            let ContentPart::Tool { call } = &talk.last().await.parts[0] else { panic!("no call") };
            assert_eq!(call.state, ToolState::Cancelled {}, "{args:?}");
        }
    }
}

/// A reply on the wire of chat completions; `prompt`: the tokens it reports.
fn said(text: &str, finish: &str, prompt: Option<u32>) -> Reply {
    let delta = json!({ "choices": [{ "delta": { "content": text } }] });
    let end = json!({ "choices": [{ "delta": {}, "finish_reason": finish }] });
    let usage = prompt
        .map_or(Value::Null, |prompt| json!({ "prompt_tokens": prompt, "completion_tokens": 5 }));
    let usage = json!({ "choices": [], "usage": usage });
    Reply::events(format!("data: {delta}\n\ndata: {end}\n\ndata: {usage}\n\ndata: [DONE]\n\n"))
}

fn too_long(limit: u32, actual: u32) -> Reply {
    let message = format!(
        "This model's maximum context length is {limit} tokens. However, your messages resulted in \
         {actual} tokens."
    );
    let error = json!({ "message": message, "code": "context_length_exceeded" });
    Reply::json(400, json!({ "error": error }).to_string())
}

/// A message of about so many thousand tokens.
fn long(thousands: usize) -> Draft {
    message(&"The shuttle crosses the warp and the reed beats it home. ".repeat(80 * thousands))
}

fn m() -> Value {
    json!({ "id": "m" })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reply_that_its_provider_ended_early_says_what_it_ran_into() {
    for (finish, at) in [
        ("length", StopReason::Output { shortened: None }),
        ("model_length", StopReason::Window {}),
        ("content_filter", StopReason::Filter {}),
    ] {
        let talk = talk("custom", m(), move |_, _| said("Once upon", finish, None)).await;
        assert_eq!(talk.send(message("A tale?")).await, Ok(TurnEnd::Answered {}));
        assert_eq!(talk.last().await.state, MessageState::Ended { at }, "{finish}");
    }
    let whole = talk("custom", m(), |_, _| said("The end.", "stop", None)).await;
    whole.send(message("A tale?")).await.unwrap();
    assert_eq!(whole.last().await.state, MessageState::Complete {});
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reply_that_was_withheld_as_a_whole_says_so() {
    let blocked = json!({ "promptFeedback": { "blockReason": "SAFETY" } });
    let talk = talk("gemini", m(), move |_, _| Reply::events(format!("data: {blocked}\n\n"))).await;
    talk.send(message("A tale?")).await.unwrap();
    let reply = talk.last().await;
    let filtered = MessageState::Ended { at: StopReason::Filter {} };
    assert_eq!((reply.parts.len(), reply.state), (0, filtered));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reply_that_was_asked_for_shorter_says_how_short_and_why() {
    let groq = "Request too large for model `m` on tokens per minute (TPM): Limit 8000, Requested \
                66536, please reduce your message size and try again.";
    let refused =
        json!({ "error": { "message": groq, "code": "rate_limit_exceeded" } }).to_string();
    let model = json!({ "id": "m", "maxOutput": 65_536 });
    let talk = talk("custom", model, move |_, number| match number {
        0 => Reply::json(413, refused.clone()),
        _ => said("Once upon", "length", None),
    })
    .await;
    let short = |tokens, by| {
        let shortened = Some(OutputCap { tokens, by });
        MessageState::Ended { at: StopReason::Output { shortened } }
    };
    talk.send(message("A tale?")).await.unwrap();
    assert_eq!(talk.last().await.state, short(3_500, OutputCapReason::Allowance));
    talk.send(message("Go on.")).await.unwrap();
    assert_eq!(talk.last().await.state, short(4_000, OutputCapReason::Allowance));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reply_that_had_little_room_left_in_the_window_says_so() {
    let model = json!({ "id": "m", "window": 16_000, "maxOutput": 16_000 });
    let talk = talk("custom", model, |_, _| said("Once upon", "length", None)).await;
    talk.send(message("A tale?")).await.unwrap();
    let asked = talk.asked()[0]["max_tokens"].as_u64().unwrap();
    let tokens = u32::try_from(asked).unwrap();
    let shortened = Some(OutputCap { tokens, by: OutputCapReason::Window });
    assert_eq!(
        talk.last().await.state,
        MessageState::Ended { at: StopReason::Output { shortened } }
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reply_that_was_cut_off_is_gone_on_with_where_the_persons_side_must_be_last() {
    let talk = talk("custom", m(), |asked, number| {
        let body: Value = serde_json::from_str(&asked.body).unwrap();
        if body["messages"].as_array().unwrap().last().unwrap()["role"] == "assistant" {
            return Reply::json(400, "This model does not support assistant message prefill.");
        }
        match number {
            0 => said("Once upon", "length", None),
            _ => said(" a time.", "stop", None),
        }
    })
    .await;
    talk.send(message("A tale?")).await.unwrap();
    let gone_on = talk.app.turns.run(talk.session, TurnStart::Continue, talk.ear.clone()).await;
    assert_eq!(gone_on, Ok(TurnEnd::Answered {}));
    let asked = talk.asked();
    let told = asked[1]["messages"].as_array().unwrap().last().unwrap();
    assert_eq!(told["content"], "[Go on exactly where you stopped.]");
}

#[tokio::test(flavor = "multi_thread")]
async fn p09_a_prompt_that_was_not_read_to_its_beginning_is_said_and_teaches_nothing_wrong() {
    for (window, how) in [(4_096, TruncationKind::Truncated), (32_768, TruncationKind::FarBelow)] {
        let list = json!({ "data": [{ "id": "m", "context_length": window }] }).to_string();
        let talk = talk("custom", m(), move |asked, _| match asked.method.as_str() {
            "GET" => Reply::json(200, list.clone()),
            _ => said("Noted.", "stop", Some(4_000)),
        })
        .await;
        talk.app.providers.fetch_models(ProviderId("p".into())).await.unwrap();
        let off = SessionOverride::AutoCompaction(Some(Switch::Off));
        talk.app.sessions.set_override(talk.session, off).await.unwrap();
        talk.send(long(9)).await.unwrap();
        let log = talk.log().await;
        let Some(AutomaticEvent::SilentOverflow { how: seen, read: 4_000, sent }) = log.first()
        else {
            panic!("{log:?}")
        };
        assert_eq!(*seen, how);
        let told = Truncation { how, read: 4_000, sent: *sent };
        assert_eq!(talk.unmentioned().await, Some(told), "kept with the reply");
        let other = ModelRef { provider: ProviderId("p".into()), model: "other".into() };
        talk.app.sessions.set_model(talk.session, other).await.unwrap();
        assert_eq!(talk.unmentioned().await, None, "another model was chosen since");
        assert_eq!(log.get(1), None, "one report teaches no window");
        assert_eq!(talk.calibration(), None, "its tokens are not half as long");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_person_adds_for_a_model_stands_in_requests_to_it_and_in_no_other() {
    let model = json!({ "id": "m", "fields": { "temperature": 0.2, "stream": false } });
    let talk = talk("custom", model, |_, _| said("Noted.", "stop", None)).await;
    talk.send(message("A tale?")).await.unwrap();
    let body = &talk.asked()[0];
    assert_eq!((&body["temperature"], &body["stream"]), (&json!(0.2), &json!(true)));
    let other = ModelRef { provider: ProviderId("p".into()), model: "other".into() };
    talk.app.sessions.set_model(talk.session, other).await.unwrap();
    talk.send(message("And another?")).await.unwrap();
    assert_eq!(talk.asked().last().unwrap().get("temperature"), None);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_report_teaches_how_words_are_counted_and_nothing_where_pictures_went_along() {
    let picture = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x02\x80\0\0\x01\xe0\x08\x06\0\0\0".to_vec();
    for (attached, teaches) in [(vec![], true), (vec![picture], false)] {
        let script = |_: &Asked, _| said("Noted.", "stop", Some(1_900));
        let talk = talk("custom", m(), script).await;
        let mut draft = long(1);
        for bytes in attached {
            let attached =
                talk.app.attachments.attach_bytes("loom.png".into(), bytes).await.unwrap();
            draft.attachments.push(attached);
        }
        talk.send(draft).await.unwrap();
        assert_eq!(talk.calibration().is_some(), teaches);
    }
}

impl Talk {
    /// The silent truncation of the last prompt.
    async fn unmentioned(&self) -> Option<Truncation> {
        self.app.context.health(self.session).await.unwrap().unmentioned
    }

    /// The stored calibration of the model.
    fn calibration(&self) -> Option<String> {
        let database = rusqlite::Connection::open(self.folder.path().join("skein.db")).unwrap();
        let sql = "SELECT calibration FROM learned";
        database.query_row(sql, [], |row| row.get(0)).unwrap_or_default()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn d02_what_was_reported_of_a_reply_that_is_stopped_is_kept_as_far_as_it_goes() {
    let start = json!({ "type": "message_start", "message": { "usage": { "input_tokens": 700, "output_tokens": 1 } } });
    let block = json!({ "type": "content_block_start", "index": 0, "content_block": { "type": "text", "text": "" } });
    let delta = json!({ "type": "content_block_delta", "index": 0, "delta": { "type": "text_delta", "text": "Once" } });
    let anthropic = format!("data: {start}\n\ndata: {block}\n\ndata: {delta}\n\n");
    let chat = format!("data: {}\n\n", json!({ "choices": [{ "delta": { "content": "Once" } }] }));
    let only_prompt = TokenUsage { prompt: Some(700), ..TokenUsage::default() };
    for (kind, body, kept) in [("anthropic", anthropic, Some(only_prompt)), ("custom", chat, None)]
    {
        let talk = talk(kind, m(), move |_, _| Reply::events(body.clone()).then(Act::Hold)).await;
        let (app, session, ear) = (talk.app.clone(), talk.session, talk.ear.clone());
        let turn =
            tokio::spawn(async move { app.turns.run(session, message("A tale?"), ear).await });
        let said = async || {
            let heard = talk.ear.0.lock().unwrap();
            heard.iter().any(|event| matches!(event, TurnEvent::Text { .. }))
        };
        until("something is said", said).await;
        talk.app.turns.stop(talk.session).await.unwrap();
        assert_eq!(turn.await.unwrap(), Ok(TurnEnd::Interrupted {}));
        assert_eq!(talk.reported().await, kept, "{kind}");
    }
}

/// Said in every request for a summary and nowhere else.
const HEADING: &str = "## Key context";

/// About what a body comes to.
fn tokens(asked: &Asked) -> u32 {
    u32::try_from(asked.body.len() / 5).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn p09_a_refusal_is_recovered_from_within_the_limit_that_it_named() {
    recovered(m()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn p09_a_refusal_is_recovered_from_within_its_limit_though_the_person_set_a_larger_window() {
    recovered(json!({ "id": "m", "window": 96_000 })).await;
}

async fn recovered(model: Value) {
    let most = Arc::new(Mutex::new(u32::MAX));
    let takes = Arc::clone(&most);
    let talk = talk("custom", model, move |asked, _| {
        let takes = *takes.lock().unwrap();
        match asked.method.as_str() {
            "GET" => Reply::json(200, r#"{"data":[{"id":"m","context_length":200000}]}"#),
            _ if tokens(asked) > takes => too_long(takes, tokens(asked)),
            _ if asked.body.contains(HEADING) => said("## State now\nIt weaves.", "stop", None),
            _ => said("Noted.", "stop", None),
        }
    })
    .await;
    talk.app.providers.fetch_models(ProviderId("p".into())).await.unwrap();
    for _ in 0..6 {
        talk.send(long(5)).await.unwrap();
    }
    *most.lock().unwrap() = 8_192;
    let before = talk.server.asked().len();
    assert_eq!(talk.send(message("And?")).await, Ok(TurnEnd::Answered {}));
    let asked = talk.server.asked().split_off(before);
    let calls: Vec<_> = asked.iter().filter(|asked| !asked.body.contains(HEADING)).collect();
    let sizes: Vec<_> = calls.iter().map(|asked| tokens(asked)).collect();
    assert_eq!(sizes.len(), 2, "{sizes:?}");
    assert!(sizes[1] <= 8_192, "{sizes:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn p09_a_refused_question_that_was_deleted_meanwhile_is_not_asked_again() {
    let held = Arc::new(AtomicBool::new(true));
    let holds = Arc::clone(&held);
    let talk = talk("custom", m(), move |asked, _| match asked.method.as_str() {
        "GET" => Reply::json(200, r#"{"data":[{"id":"m","context_length":200000}]}"#),
        _ if asked.body.contains("And?") => {
            while holds.load(Ordering::SeqCst) {
                std::thread::sleep(Duration::from_millis(2));
            }
            too_long(8_192, tokens(asked))
        }
        _ => said("Noted.", "stop", None),
    })
    .await;
    talk.app.providers.fetch_models(ProviderId("p".into())).await.unwrap();
    for _ in 0..6 {
        talk.send(long(5)).await.unwrap();
    }
    let before = talk.server.asked().len();
    let turn = talk.sending("And?", 1).await;
    let question = talk.last().await.parent_id.unwrap();
    talk.app.messages.delete(question).await.unwrap();
    held.store(false, Ordering::SeqCst);
    assert_eq!(turn.await.unwrap(), Ok(TurnEnd::Interrupted {}));
    assert_eq!(talk.server.asked().len(), before + 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn p09_a_refused_request_is_not_repeated_where_the_compaction_came_to_nothing() {
    let talk = talk("custom", m(), |asked, number| match asked.method.as_str() {
        "GET" => Reply::json(200, r#"{"data":[{"id":"m","context_length":200000}]}"#),
        _ if asked.body.contains(HEADING) => said("", "stop", None).then(Act::Hold),
        _ if number > 5 => too_long(20_000, tokens(asked)),
        _ => said("Noted.", "stop", None),
    })
    .await;
    talk.app.providers.fetch_models(ProviderId("p".into())).await.unwrap();
    for _ in 0..5 {
        talk.send(long(6)).await.unwrap();
    }
    let before = talk.server.asked().len();
    let turn = talk.sending("And?", 2).await;
    talk.app.compactions.cancel(talk.session).await.unwrap();
    let end = turn.await.unwrap();
    assert!(
        matches!(end, Ok(TurnEnd::Failed { error: Error::TooLong { limit: Some(20_000), .. } })),
        "{end:?}"
    );
    let asked = talk.server.asked().split_off(before);
    let calls = asked.iter().filter(|asked| !asked.body.contains(HEADING));
    assert_eq!(calls.count(), 1, "the same would be refused again");
    let last = talk.last().await;
    let failed = matches!(last.state, MessageState::Failed { .. });
    assert!(failed && last.parts.is_empty(), "{last:?}");
    let words = |part: &ContentPart| matches!(part, ContentPart::Text { .. });
    assert!(!last.parts.iter().any(words));
}

/// An answer that calls a tool, with what Google's and OpenRouter's addresses add to it.
fn signed_call() -> Reply {
    let thought = |text: &str| json!({ "type": "reasoning.text", "text": text, "index": 0 });
    let sealed = json!({ "type": "reasoning.encrypted", "data": "c2VhbA==", "index": 0 });
    let call = json!({
        "index": 0, "id": "call_1",
        "function": { "name": "read_stored_result", "arguments": "{}" },
        "extra_content": { "google": { "thought_signature": "c2ln" } },
    });
    let deltas = [
        json!({ "reasoning": "I ", "reasoning_details": [thought("I ")] }),
        json!({ "reasoning": "look.", "reasoning_details": [thought("look.")] }),
        json!({ "tool_calls": [call], "reasoning_details": [sealed] }),
    ];
    let frame = |delta| json!({ "choices": [{ "delta": delta }] });
    let mut body: String =
        deltas.into_iter().map(|delta| format!("data: {}\n\n", frame(delta))).collect();
    let end = json!({ "choices": [{ "delta": {}, "finish_reason": "tool_calls" }] });
    body.push_str(&format!("data: {end}\n\ndata: [DONE]\n\n"));
    Reply::events(body)
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_model_signed_its_calls_with_goes_back_to_it_and_to_no_other() {
    let talk = talk("openrouter", m(), |_, number| match number {
        0 => signed_call(),
        _ => said("Done.", "stop", None),
    })
    .await;
    talk.send(message("look")).await.unwrap();
    let provider = ProviderId("p".into());
    let other = ModelRef { provider, model: "other".into() };
    talk.app.sessions.set_model(talk.session, other).await.unwrap();
    talk.send(message("And?")).await.unwrap();
    let asked = talk.asked();
    let called = |body: &Value| -> Value {
        let mut messages = body["messages"].as_array().unwrap().iter();
        messages.rfind(|message| message["tool_calls"].is_array()).unwrap().clone()
    };
    let [same, other] = [&asked[1], &asked[2]].map(called);
    let details = json!([
        { "type": "reasoning.text", "text": "I look.", "index": 0 },
        { "type": "reasoning.encrypted", "data": "c2VhbA==", "index": 0 },
    ]);
    assert_eq!(same["reasoning_details"], details);
    let extra = json!({ "google": { "thought_signature": "c2ln" } });
    assert_eq!(same["tool_calls"][0]["extra_content"], extra);
    assert_eq!(other["reasoning_details"], Value::Null);
    assert_eq!(other["tool_calls"][0]["extra_content"], Value::Null);
}
