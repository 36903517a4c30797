//! W05: summaries that the provider of a conversation's model writes with its own compaction.

use std::fs;
use std::sync::Arc;

use scripted_server::{Asked, Reply, Server};
use serde_json::{Value, json};
use skein_app::app::App;
use skein_app::view::CompactionPreview;
use skein_domain::compaction_point::SummaryWriter;
use skein_domain::generation::Purpose;
use skein_domain::ids::{ProviderId, SessionId, ThreadId};
use skein_domain::model::ModelRef;
use skein_domain::provider_config::ModelChange;
use skein_providers::ProviderCompactionState;
use skein_store::{AutomaticEvent, NoProviderSummaryReason, UsageGrouping, UsageKey};
use tempfile::TempDir;

use crate::scenario::{deaf, message, open};

const OWN: &str = "http://api.anthropic.com/v1";
const BY_PROVIDER: &str = "The loom is warped, and the port is 7443.";
const BY_SKEIN: &str = "## State now\nThe port is 7443.";

/// A conversation with Claude, whose provider stands behind a proxy.
struct Talk {
    app: Arc<App>,
    server: Server,
    session: SessionId,
    thread: ThreadId,
    /// Its settings and its database.
    _folder: TempDir,
}

fn model() -> ModelRef {
    ModelRef { provider: ProviderId("p".into()), model: "claude-opus-5-5".into() }
}

fn small_model() -> ModelRef {
    ModelRef { model: "small".into(), ..model() }
}

fn events(frames: &[Value]) -> Reply {
    let frames = frames.iter().map(|frame| format!("data: {frame}\n\n"));
    Reply::events(frames.collect::<String>())
}

fn words(text: &str) -> Reply {
    let block = json!({ "type": "text", "text": text });
    events(&[
        json!({ "type": "message_start", "message": {} }),
        json!({ "type": "content_block_start", "index": 0, "content_block": block }),
        json!({ "type": "message_delta", "delta": { "stop_reason": "end_turn" },
                "usage": { "output_tokens": 5 } }),
        json!({ "type": "message_stop" }),
    ])
}

/// The reply to a request for a compaction, as it is published; without a block if there is no text.
/// <https://platform.claude.com/docs/en/build-with-claude/compaction-on-demand>
fn compaction(text: Option<&str>) -> Reply {
    let zeros = json!({ "input_tokens": 0, "output_tokens": 0 });
    let mut frames = vec![json!({ "type": "message_start", "message": { "usage": zeros } })];
    if let Some(text) = text {
        let block = json!({ "type": "compaction", "content": text, "signature": "EuYBCkQY" });
        frames.push(json!({ "type": "content_block_start", "index": 0, "content_block": block }));
        frames.push(json!({ "type": "content_block_stop", "index": 0 }));
    }
    let reason = if text.is_some() { "compaction" } else { "max_tokens" };
    let iteration = json!({ "type": "compaction", "input_tokens": 9_144, "output_tokens": 276 });
    frames.push(json!({
        "type": "message_delta",
        "delta": { "stop_reason": reason },
        "usage": { "input_tokens": 0, "output_tokens": 0, "iterations": [iteration] },
    }));
    frames.push(json!({ "type": "message_stop" }));
    events(&frames)
}

fn refusal() -> Reply {
    let message = "`compaction` requires anthropic-beta: compact-2026-09-04";
    let error = json!({ "type": "invalid_request_error", "message": message });
    Reply::json(400, json!({ "type": "error", "error": error }).to_string())
}

fn body(asked: &Asked) -> Value {
    serde_json::from_str(&asked.body).unwrap()
}

fn asks_the_provider(asked: &Asked) -> bool {
    asked.method == "POST" && !body(asked)["compaction"].is_null()
}

/// A conversation with enough to compact, and the reply to a request for a compaction.
async fn talk(address: &str, compacted: impl Fn() -> Reply + Send + Sync + 'static) -> Talk {
    let server = Server::start(move |asked, _| match asked {
        asked if asked.method == "GET" => Reply::json(200, r#"{"data":[]}"#),
        asked if asks_the_provider(asked) => compacted(),
        asked if asked.body.contains("Whoever goes on with that conversation") => words(BY_SKEIN),
        _ => words("Noted."),
    });
    let fields = json!({ "stop_sequences": ["END"], "service_tier": "standard_only" });
    let settings = json!({
        "catalogueRefresh": false,
        "defaultModel": model(),
        "providers": [{
            "id": "p", "kind": "anthropic", "name": "Anthropic", "baseUrl": address,
            "models": [
                { "id": "claude-opus-5-5", "window": 60_000, "maxOutput": 8_000,
                  "summaryWriter": "provider", "fields": fields },
                { "id": "small", "window": 60_000, "maxOutput": 8_000 },
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
    let talk = Talk { app, server, session, thread, _folder: folder };
    for fact in ["The port is 7443.", "Miso is a cat.", "We ship on Friday."] {
        talk.say(&format!("{fact} {}", "The reed beats the weft home. ".repeat(400))).await;
    }
    talk
}

impl Talk {
    async fn say(&self, text: &str) {
        self.app.turns.run(self.session, message(text), deaf()).await.unwrap();
    }

    /// Changes the settings while the program runs.
    async fn configured(&self, change: impl FnOnce(&mut Value)) {
        let before = self.app.settings.view().await.unwrap().settings;
        let mut changed = serde_json::to_value(&before).unwrap();
        change(&mut changed);
        let changed = serde_json::from_value(changed).unwrap();
        self.app.settings.save(before, changed).await.unwrap();
    }

    /// Compacts, and returns the writer of the summary and its model.
    async fn compact(&self) -> (SummaryWriter, Option<ModelRef>) {
        let compactions = &self.app.compactions;
        compactions.compact(self.session, None, None).await.unwrap().await.unwrap().unwrap();
        let newest = compactions.list(self.session).await.unwrap().points.remove(0);
        (newest.writer, newest.point.model)
    }

    async fn preview(&self) -> CompactionPreview {
        self.app.compactions.preview(self.session, None).await.unwrap()
    }

    async fn preview_writer_after_undo(&self) -> SummaryWriter {
        self.app.compactions.undo(self.thread, None).await.unwrap();
        self.preview().await.writer
    }

    async fn seen(&self) -> String {
        let seen = self.app.context.seen_by_model(self.session, Default::default()).await.unwrap();
        serde_json::to_string(&seen.lines).unwrap()
    }

    /// The requests for a compaction of the provider.
    fn asked(&self) -> Vec<Asked> {
        self.server.asked().into_iter().filter(asks_the_provider).collect()
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

#[tokio::test(flavor = "multi_thread")]
async fn w05_the_providers_own_compaction_makes_an_ordinary_point() {
    let talk = talk(OWN, || compaction(Some(BY_PROVIDER))).await;
    let preview = talk.preview().await;
    assert_eq!((preview.writer, preview.model), (SummaryWriter::Provider, Some(model())));
    assert_eq!(talk.offered().await, Some(ProviderCompactionState::Available));
    assert_eq!(talk.compact().await, (SummaryWriter::Provider, Some(model())));

    let asked = talk.asked();
    assert_eq!(asked.len(), 1);
    assert_eq!(asked[0].header("anthropic-beta"), Some("compact-2026-09-04"));
    let sent = body(&asked[0]);
    assert_eq!(sent["compaction"], json!({ "type": "summarize" }));
    assert_eq!(sent["service_tier"], "standard_only");
    assert_eq!(sent["stop_sequences"], Value::Null, "the provider rejects it here");
    assert_eq!(sent["messages"][0]["role"], "user");

    let totals = talk.app.store.usage_totals(UsageGrouping::Purpose, 0).await.unwrap();
    let summaries = UsageKey::Purpose { purpose: Purpose::Summary.into() };
    let booked = totals.into_iter().find(|total| total.key == summaries).unwrap();
    assert_eq!((booked.calls, booked.prompt, booked.completion), (1, 9_144, 276));

    talk.say("And now?").await;
    let next = talk.server.asked().pop().unwrap();
    assert!(next.body.contains(BY_PROVIDER) && !next.body.contains("The port is 7443. The reed"));
    assert!(!next.body.contains("EuYBCkQY") && next.header("anthropic-beta").is_none());
    assert_eq!(talk.missing().await, []);
}

#[tokio::test(flavor = "multi_thread")]
async fn w05_law_11_undo_and_redo_of_a_providers_summary_restore_every_byte_and_its_mark() {
    let talk = talk(OWN, || compaction(Some(BY_PROVIDER))).await;
    let whole = talk.seen().await;
    talk.compact().await;
    let compacted = talk.seen().await;
    talk.app.compactions.undo(talk.thread, None).await.unwrap();
    assert_eq!(talk.seen().await, whole);
    talk.app.compactions.redo(talk.thread).await.unwrap();
    assert_eq!(talk.seen().await, compacted);
    let point = talk.app.compactions.list(talk.session).await.unwrap().points.remove(0);
    assert_eq!(point.writer, SummaryWriter::Provider);
    let edited = "The port is 7444.".to_owned();
    talk.app.compactions.edit_summary(point.point.summary_message_id, edited).await.unwrap();
    assert!(talk.seen().await.contains("The port is 7444."));
}

#[tokio::test(flavor = "multi_thread")]
async fn w05_a_refused_compaction_is_written_as_usual_said_once_and_not_asked_for_again() {
    let talk = talk(OWN, refusal).await;
    assert_eq!(talk.compact().await, (SummaryWriter::Skein, Some(model())));
    talk.say("And now?").await;
    assert!(talk.server.asked().pop().unwrap().body.contains("The port is 7443.\\n</summary>"));
    assert_eq!(talk.missing().await, [NoProviderSummaryReason::Refused]);
    assert_eq!(talk.offered().await, Some(ProviderCompactionState::Refused));
    assert_eq!(talk.preview_writer_after_undo().await, SummaryWriter::Skein);
    assert_eq!(talk.compact().await, (SummaryWriter::Skein, Some(model())));
    assert_eq!((talk.asked().len(), talk.missing().await.len()), (1, 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn w05_a_compaction_that_brings_no_summary_is_written_as_usual_and_asked_for_again() {
    let talk = talk(OWN, || compaction(None)).await;
    assert_eq!(talk.compact().await, (SummaryWriter::Skein, Some(model())));
    assert_eq!(talk.missing().await, [NoProviderSummaryReason::Failed]);
    assert_eq!(talk.preview_writer_after_undo().await, SummaryWriter::Provider);
}

#[tokio::test(flavor = "multi_thread")]
async fn w05_a_gateway_is_never_asked_for_a_compaction() {
    let talk = talk("http://gate.example/anthropic/v1", refusal).await;
    assert_eq!((talk.offered().await, talk.preview().await.writer), (None, SummaryWriter::Skein));
    assert_eq!(talk.compact().await, (SummaryWriter::Skein, Some(model())));
    assert_eq!((talk.asked().len(), talk.missing().await.len()), (0, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn w05_a_conversation_that_is_skeins_again_asks_the_provider_no_more() {
    let talk = talk(OWN, || compaction(Some(BY_PROVIDER))).await;
    assert_eq!(talk.compact().await.0, SummaryWriter::Provider);
    let skein = ModelChange::SummaryWriter { value: SummaryWriter::Skein };
    talk.app.providers.change_model(model(), skein).await.unwrap();
    assert_eq!(talk.preview_writer_after_undo().await, SummaryWriter::Skein);
    assert_eq!(talk.compact().await, (SummaryWriter::Skein, Some(model())));
    talk.say("And now?").await;
    assert_eq!(talk.asked().len(), 1, "the one before the change");
    assert!(talk.server.asked().pop().unwrap().header("anthropic-beta").is_none());
}

#[tokio::test(flavor = "multi_thread")]
async fn w05_where_a_budget_stops_the_provider_the_next_model_writes_and_the_log_says_so() {
    let talk = talk(OWN, || compaction(Some(BY_PROVIDER))).await;
    let configured = talk.configured(|settings| {
        let models = &mut settings["providers"][0]["models"];
        models[0]["prices"] = json!({ "input": "1000", "output": "1000" });
        models[1]["prices"] = json!({ "input": "1", "output": "1", "currency": "CNY" });
        settings["summaryModel"] = json!(small_model());
        let limit = json!({ "type": "money", "amount": "0.001", "currency": "USD",
                            "unpricedTokens": 10_000_000 });
        settings["budgets"] = json!([{ "scope": "session", "limit": limit, "warnAt": 80 }]);
    });
    configured.await;
    talk.say("What this costs uses the budget up.").await;
    assert_eq!(talk.compact().await, (SummaryWriter::Skein, Some(small_model())));
    assert_eq!(talk.asked().len(), 0);
    assert_eq!(talk.missing().await, [NoProviderSummaryReason::OverBudget]);
}
