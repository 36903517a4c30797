//! W09: compactions whose summary only the provider can read, beside a readable one.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use scripted_server::{Asked, Reply, Server};
use serde_json::{Value, json};
use skein_app::app::App;
use skein_domain::compaction_point::SummaryWriter;
use skein_domain::generation::Purpose;
use skein_domain::ids::{ProviderId, SessionId, ThreadId};
use skein_domain::message::Inclusion;
use skein_domain::model::ModelRef;
use skein_domain::provider_config::ModelChange;
use skein_providers::ProviderCompactionState;
use skein_store::{AutomaticEvent, NoProviderSummaryReason, UsageGrouping, UsageKey};
use tempfile::TempDir;

use crate::scenario::{deaf, message, open};

const OWN: &str = "http://api.openai.com/v1";

/// A conversation with a model of OpenAI, whose address stands behind a proxy.
struct Talk {
    app: Arc<App>,
    server: Server,
    session: SessionId,
    thread: ThreadId,
    /// True if the provider rejects its items in a conversation.
    rejects_items: Arc<AtomicBool>,
    /// Its settings and its database.
    _folder: TempDir,
}

fn model() -> ModelRef {
    ModelRef { provider: ProviderId("p".into()), model: "gpt-5.4".into() }
}

fn other_model() -> ModelRef {
    ModelRef { model: "gpt-5.4-mini".into(), ..model() }
}

fn body(asked: &Asked) -> Value {
    serde_json::from_str(&asked.body).unwrap()
}

fn is_compaction(asked: &Asked) -> bool {
    asked.method == "POST" && asked.path.ends_with("/responses/compact")
}

fn words(text: &str) -> Reply {
    let content = json!([{ "type": "output_text", "text": text }]);
    let output = json!([{ "type": "message", "role": "assistant", "content": content }]);
    let response = json!({ "status": "completed", "output": output });
    Reply::json(200, response.to_string())
}

/// The reply to a request for a compaction, as it is published: messages of the user, and one encrypted item.
fn compaction(asked: &Asked) -> Reply {
    assert_eq!(body(asked)["model"], "gpt-5.4");
    let said = json!([{ "type": "input_text", "text": "The port is 7443." }]);
    compacted_to(&[json!({ "type": "message", "role": "user", "content": said }), encrypted_item()])
}

fn encrypted_item() -> Value {
    json!({ "type": "compaction", "id": "cmp_1", "encrypted_content": "gAAAAABx" })
}

fn compacted_to(output: &[Value]) -> Reply {
    let usage = json!({ "input_tokens": 9_144, "output_tokens": 276, "total_tokens": 9_420 });
    let reply = json!({ "id": "resp_1", "object": "response.compaction", "output": output,
                        "usage": usage });
    Reply::json(200, reply.to_string())
}

/// A conversation with enough to compact, and the reply to a request for a compaction.
async fn talk(address: &str, compacted: impl Fn(&Asked) -> Reply + Send + Sync + 'static) -> Talk {
    let talk = begin(address, &format!("Noted. {}", long()), compacted).await;
    for fact in ["The port is 7443.", "Miso is a cat.", "We ship on Friday."] {
        talk.say(fact).await;
    }
    talk
}

fn long() -> String {
    "The reed beats the weft home. ".repeat(400)
}

/// A conversation without a message, whose model answers with `answer`.
async fn begin(
    address: &str,
    answer: &str,
    compacted: impl Fn(&Asked) -> Reply + Send + Sync + 'static,
) -> Talk {
    let answer = answer.to_owned();
    let message = "The encrypted content gAAA could not be verified.";
    let rejection =
        json!({ "error": { "message": message, "code": "invalid_encrypted_content" } }).to_string();
    let rejects_items = Arc::new(AtomicBool::new(false));
    let rejects = Arc::clone(&rejects_items);
    let server = Server::start(move |asked, _| match asked {
        asked if asked.method == "GET" => Reply::json(200, r#"{"data":[]}"#),
        asked if is_compaction(asked) => compacted(asked),
        asked
            if rejects.load(Ordering::Relaxed)
                && ["gAAAAABx", "Reasoning that"].iter().any(|it| asked.body.contains(it)) =>
        {
            Reply::json(400, rejection.clone())
        }
        asked if asked.body.contains("Whoever goes on with that conversation") => {
            words("## State now\nThe port is 7443.")
        }
        _ => words(&answer),
    });
    let settings = json!({
        "catalogueRefresh": false,
        "defaultModel": model(),
        "providers": [{
            "id": "p", "kind": "openai-responses", "name": "OpenAI", "baseUrl": address,
            "models": [
                { "id": "gpt-5.4", "window": 60_000, "maxOutput": 8_000,
                  "summaryWriter": "provider", "fields": { "temperature": 1 } },
                { "id": "gpt-5.4-mini", "window": 60_000, "maxOutput": 8_000 },
            ],
        }],
        "network": { "proxy": { "type": "custom", "url": server.url(), "noProxy": "" } },
    });
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("settings.json"), settings.to_string()).unwrap();
    let app = open(folder.path()).await;
    app.providers.set_key(ProviderId("p".into()), "key".into()).await.unwrap();
    let session = app.sessions.create().await.unwrap();
    app.sessions.rename(session, "Looms".into()).await.unwrap();
    let thread = app.sessions.get(session).await.unwrap().session.current_thread;
    Talk { app, server, session, thread, rejects_items, _folder: folder }
}

impl Talk {
    async fn say(&self, text: &str) {
        self.app.turns.run(self.session, message(text), deaf()).await.unwrap();
    }

    /// Compacts, and returns the newest point's model, and the model with an encrypted summary.
    async fn compact(&self) -> (Option<ModelRef>, Option<ModelRef>) {
        let compactions = &self.app.compactions;
        compactions.compact(self.session, None, None).await.unwrap().await.unwrap().unwrap();
        let newest = compactions.list(self.session).await.unwrap().points.remove(0);
        assert_eq!(newest.writer, SummaryWriter::Skein, "what can be read is Skein's");
        (newest.point.model, newest.encrypted_by)
    }

    async fn seen(&self) -> String {
        let seen = self.app.context.seen_by_model(self.session, Default::default()).await.unwrap();
        serde_json::to_string(&seen.lines).unwrap()
    }

    /// The requests for a compaction.
    fn asked(&self) -> Vec<Asked> {
        self.server.asked().into_iter().filter(is_compaction).collect()
    }

    /// The input of the request that this message makes.
    async fn input_after(&self, text: &str) -> Vec<Value> {
        self.say(text).await;
        body(&self.server.asked().pop().unwrap())["input"].as_array().unwrap().clone()
    }

    async fn missing(&self) -> Vec<NoProviderSummaryReason> {
        let log = self.app.store.activity_log(self.thread).await.unwrap();
        let reasons = log.into_iter().filter_map(|entry| match entry.event {
            AutomaticEvent::NoProviderSummary { reason, .. } => Some(reason),
            _ => None,
        });
        reasons.collect()
    }

    async fn offered(&self) -> Option<ProviderCompactionState> {
        let models = self.app.providers.models().await.unwrap();
        models.into_iter().find(|it| it.model == model()).unwrap().provider_compaction
    }
}

fn is_encrypted(input: &[Value]) -> bool {
    input.iter().any(|item| item["encrypted_content"] == "gAAAAABx")
}

#[tokio::test(flavor = "multi_thread")]
async fn w09_an_encrypted_summary_is_asked_for_once_and_sent_back_as_it_came() {
    let talk = talk(OWN, compaction).await;
    assert_eq!(talk.offered().await, Some(ProviderCompactionState::AvailableEncrypted));
    let preview = talk.app.compactions.preview(talk.session, None).await.unwrap();
    assert_eq!((preview.writer, preview.model), (SummaryWriter::Provider, Some(model())));
    assert!(preview.encrypted && preview.after < preview.before);
    assert_eq!(preview.facts, 0, "none is sent beside the items");
    assert!((1..100).contains(&preview.summary), "the user's short words: {}", preview.summary);
    let before = talk.server.asked().len();
    assert_eq!(talk.compact().await, (None, Some(model())));
    let asked = talk.asked();
    assert_eq!((asked.len(), talk.server.asked().len() - before), (1, 1), "one call, not two");
    let sent = body(&asked[0]);
    for absent in ["stream", "store", "tools", "temperature", "max_output_tokens"] {
        assert_eq!(sent[absent], Value::Null, "{absent}");
    }
    let totals = talk.app.store.usage_totals(UsageGrouping::Purpose, 0).await.unwrap();
    let summaries = UsageKey::Purpose { purpose: Purpose::Summary.into() };
    let booked = totals.into_iter().find(|total| total.key == summaries).unwrap();
    assert_eq!((booked.calls, booked.prompt, booked.completion), (1, 9_144, 276));

    let input = talk.input_after("And now?").await;
    assert_eq!(input[0]["content"][0]["text"], "The port is 7443.");
    assert_eq!(input[1], encrypted_item());
    assert!(!body(&talk.server.asked().pop().unwrap()).to_string().contains("<summary>"));
    assert!(talk.seen().await.contains(r#""type":"encrypted","model":"gpt-5.4","bytes":8"#));
    assert_eq!(talk.missing().await, []);

    talk.say("Once more.").await;
    talk.say("And again.").await;
    assert_eq!(talk.compact().await.1, Some(model()));
    let chained = body(&talk.asked().pop().unwrap());
    assert!(is_encrypted(chained["input"].as_array().unwrap()), "the earlier items are its input");
}

#[tokio::test(flavor = "multi_thread")]
async fn w09_beside_an_encrypted_item_alone_the_facts_are_sent() {
    let talk = talk(OWN, |_| compacted_to(&[encrypted_item()])).await;
    talk.compact().await;
    let input = talk.input_after("And now?").await;
    assert_eq!(input[0], encrypted_item());
    let facts = input[1]["content"][0]["text"].as_str().unwrap();
    assert!(facts.contains("7443") && !facts.contains("<summary>"), "{facts}");
}

#[tokio::test(flavor = "multi_thread")]
async fn w09_an_encrypted_summary_that_cannot_gain_is_not_asked_for() {
    let talk = begin(OWN, "Noted.", compaction).await;
    let long = long().repeat(3);
    for part in 0..12 {
        talk.say(&format!("Part {part}. {long}")).await;
    }
    assert!(talk.app.compactions.list(talk.session).await.unwrap().points.len() > 1);
    assert_eq!(talk.asked().len(), 0, "the provider keeps all that the user said");
    assert!(talk.missing().await.contains(&NoProviderSummaryReason::GainsTooLittle));
}

#[tokio::test(flavor = "multi_thread")]
async fn w09_another_model_and_an_edited_summary_are_sent_what_can_be_read() {
    let talk = talk(OWN, compaction).await;
    talk.compact().await;
    assert!(is_encrypted(&talk.input_after("And now?").await));
    talk.app.sessions.set_model(talk.session, other_model()).await.unwrap();
    let readable = talk.input_after("And now?").await;
    assert!(!is_encrypted(&readable));
    assert!(readable[0]["content"][0]["text"].as_str().unwrap().contains("<summary>"));
    talk.app.sessions.set_model(talk.session, model()).await.unwrap();
    assert!(is_encrypted(&talk.input_after("And now?").await));
    let newest = talk.app.compactions.list(talk.session).await.unwrap().points.remove(0);
    let edited = "The port is 7444.".to_owned();
    talk.app.compactions.edit_summary(newest.point.summary_message_id, edited).await.unwrap();
    let readable = talk.input_after("And now?").await;
    assert!(!is_encrypted(&readable));
    assert!(readable[0]["content"][0]["text"].as_str().unwrap().contains("The port is 7444."));
    let newest = talk.app.compactions.list(talk.session).await.unwrap().points.remove(0);
    assert_eq!(newest.encrypted_by, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn w09_law_11_undo_and_redo_of_an_encrypted_summary_restore_every_byte() {
    let talk = talk(OWN, compaction).await;
    let whole = talk.seen().await;
    talk.compact().await;
    let compacted = talk.seen().await;
    assert!(compacted.contains("encrypted"));
    talk.app.compactions.undo(talk.thread, None).await.unwrap();
    assert_eq!(talk.seen().await, whole);
    talk.app.compactions.redo(talk.thread).await.unwrap();
    assert_eq!(talk.seen().await, compacted);
}

#[tokio::test(flavor = "multi_thread")]
async fn w09_a_message_that_is_left_out_later_is_not_sent_within_the_items() {
    let talk = talk(OWN, compaction).await;
    let preview = talk.app.compactions.preview(talk.session, None).await.unwrap();
    let covered = preview.covers[0].message_id;
    talk.compact().await;
    let compacted = talk.seen().await;
    talk.app.messages.include(covered, Inclusion::LeftOut).await.unwrap();
    assert!(!is_encrypted(&talk.input_after("And now?").await));
    talk.app.messages.include(covered, Inclusion::Usual).await.unwrap();
    assert!(talk.seen().await.starts_with(compacted.strip_suffix(']').unwrap()));
}

#[tokio::test(flavor = "multi_thread")]
async fn w09_where_the_address_is_missing_skein_writes_and_a_line_says_so_once() {
    let talk = talk(OWN, |_| Reply::json(404, "")).await;
    assert_eq!(talk.compact().await, (Some(model()), None));
    assert_eq!(talk.missing().await, [NoProviderSummaryReason::Refused]);
    assert_eq!(talk.offered().await, Some(ProviderCompactionState::Refused));
    talk.app.compactions.undo(talk.thread, None).await.unwrap();
    talk.compact().await;
    assert_eq!((talk.asked().len(), talk.missing().await.len()), (1, 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn w09_a_reply_without_an_encrypted_item_is_no_summary() {
    let talk = talk(OWN, |_| words("I cannot.")).await;
    assert_eq!(talk.compact().await, (Some(model()), None));
    assert_eq!(talk.missing().await, [NoProviderSummaryReason::Failed]);
}

#[tokio::test(flavor = "multi_thread")]
async fn w09_items_that_the_provider_rejects_are_not_sent_again() {
    let talk = talk(OWN, compaction).await;
    talk.compact().await;
    talk.rejects_items.store(true, Ordering::Relaxed);
    assert!(is_encrypted(&talk.input_after("And now?").await), "rejected");
    let kept = talk.app.store.encrypted_summaries(talk.thread).await.unwrap();
    assert!(kept.is_empty(), "they would be rejected after each start");
    let log = talk.app.store.activity_log(talk.thread).await.unwrap();
    let rejected = AutomaticEvent::EncryptedSummariesRejected { model: model() };
    assert_eq!(log.iter().filter(|entry| entry.event == rejected).count(), 1);
    assert!(!is_encrypted(&talk.input_after("And now?").await));
}

#[tokio::test(flavor = "multi_thread")]
async fn w09_a_rejection_of_encrypted_reasoning_says_nothing_about_summaries() {
    let talk = talk(OWN, compaction).await;
    talk.rejects_items.store(true, Ordering::Relaxed);
    talk.say("Reasoning that cannot be read.").await;
    assert_eq!(talk.offered().await, Some(ProviderCompactionState::AvailableEncrypted));
}

#[tokio::test(flavor = "multi_thread")]
async fn w09_no_other_address_is_asked_and_neither_is_it_where_the_choice_is_skein() {
    let talk = talk("http://gate.example/openai/v1", compaction).await;
    assert_eq!(talk.offered().await, None);
    assert_eq!(talk.compact().await, (Some(model()), None));
    assert_eq!((talk.asked().len(), talk.missing().await.len()), (0, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn w09_a_conversation_that_is_skeins_again_asks_the_provider_no_more() {
    let talk = talk(OWN, compaction).await;
    let skein = ModelChange::SummaryWriter { value: SummaryWriter::Skein };
    talk.app.providers.change_model(model(), skein).await.unwrap();
    assert_eq!(talk.compact().await, (Some(model()), None));
    assert_eq!(talk.asked().len(), 0);
}
