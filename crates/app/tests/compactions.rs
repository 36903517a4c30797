//! Compactions from the outside: the whole program without its window, against a server that answers as
//! it is told. What the provider is sent, byte for byte, and what the person can do about a point.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::collections::VecDeque;
use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rusqlite::Connection;
use scripted_server::{Asked, Reply, Server, until};
use serde_json::{Value, json};
use skein_app::app::App;
use skein_app::events::{EventSink, Topic, TurnEvent};
use skein_app::models::silent_truncation::TruncationKind;
use skein_app::view::{
    CompactionStatus, ExcerptLength, FactStatus, PinUsage, TranscriptPosition, TurnEnd,
};
use skein_context::compaction::ChosenRange;
use skein_context::health::breakdown::BreakdownMode;
use skein_domain::draft::Draft;
use skein_domain::error::{CompactionFailure, Error, Result};
use skein_domain::generation::CallPurpose;
use skein_domain::ids::{MessageId, PointId, ProviderId, SessionId, ThreadId};
use skein_domain::message::{Inclusion, Message};
use skein_domain::model::ModelRef;
use skein_domain::session::{SessionOverride, Switch};
use skein_domain::strategy::Strategy;
use skein_platform::paths::AppPaths;
use skein_store::{AutomaticEvent, MessageLine, UsageGrouping, UsageKey, UsageTotal};
use tempfile::TempDir;
use tokio::task::JoinHandle;

/// The server's reply to a request for a summary.
const SUMMARY: &str = "## State now\nThe loom is warped.";

/// Said in every request for a summary and nowhere else.
const HEADING: &str = "## Key context";

struct Nobody;

impl EventSink for Nobody {
    fn event(&self, _: &TurnEvent) -> bool {
        true
    }
}

/// A program with one session, and the server it talks to.
struct Scenario {
    app: Arc<App>,
    server: Server,
    session: SessionId,
    thread: ThreadId,
    /// While it is so, no summary is answered.
    held: Arc<AtomicBool>,
    folder: TempDir,
}

/// The server reports so many tenths of every prompt as cached.
async fn a_program(cached_tenths: usize) -> Scenario {
    a_program_that(9_000, move |asked| answer(asked, cached_tenths)).await
}

/// Its model gives answers of so many tokens, and the server these.
async fn a_program_that(
    longest: u32,
    answers: impl Fn(&Asked) -> Reply + Send + Sync + 'static,
) -> Scenario {
    let held = Arc::new(AtomicBool::new(false));
    let holds = Arc::clone(&held);
    let server = Server::start(move |asked, _| {
        while is_summary(asked) && holds.load(Ordering::SeqCst) {
            std::thread::sleep(Duration::from_millis(2));
        }
        answers(asked)
    });
    let folder = tempfile::tempdir().unwrap();
    let settings = json!({
        "catalogueRefresh": false,
        "context": { "toolCleaning": "atCompaction" },
        "defaultModel": { "provider": "scripted", "model": "loom" },
        "providers": [{
            "id": "scripted",
            "kind": "custom",
            "name": "Scripted",
            "baseUrl": format!("{}/v1", server.url()),
            "models": [{ "id": "loom", "window": 60_000, "maxOutput": longest, "effort": "high" }],
        }],
    });
    fs::write(folder.path().join("settings.json"), settings.to_string()).unwrap();
    let app = App::open(AppPaths::in_folder(folder.path())).unwrap();
    let session = app.sessions.create().await.unwrap();
    app.sessions.rename(session, "Looms".into()).await.unwrap();
    let thread = app.sessions.get(session).await.unwrap().session.current_thread;
    Scenario { app, server, session, thread, held, folder }
}

fn is_summary(asked: &Asked) -> bool {
    asked.body.contains(HEADING)
}

/// About what English comes to, in tokens.
fn size(asked: &Asked) -> usize {
    asked.body.len() / 5
}

fn answer(asked: &Asked, cached_tenths: usize) -> Reply {
    answer_having_read(asked, size(asked), cached_tenths)
}

/// The server says that it has read so many tokens of the prompt.
fn answer_having_read(asked: &Asked, prompt: usize, cached_tenths: usize) -> Reply {
    let words = if is_summary(asked) { SUMMARY } else { "Noted." };
    let usage = json!({
        "prompt_tokens": prompt,
        "completion_tokens": 2,
        "prompt_tokens_details": { "cached_tokens": prompt * cached_tenths / 10 },
    });
    let said = json!({ "choices": [{ "delta": { "content": words } }] });
    let stop = json!({ "choices": [{ "delta": {}, "finish_reason": "stop" }] });
    let end = json!({ "choices": [], "usage": usage });
    Reply::events(format!("data: {said}\n\ndata: {stop}\n\ndata: {end}\n\ndata: [DONE]\n\n"))
}

/// A message of about a thousand tokens.
fn long(fact: &str) -> String {
    format!("{fact} {}", "The shuttle crosses the warp and the reed beats it home. ".repeat(80))
}

impl Scenario {
    async fn say(&self, words: &str) {
        let message = Draft { text: words.into(), attachments: vec![] };
        self.app.turns.send(self.session, message, Arc::new(Nobody)).await.unwrap();
    }

    async fn say_all(&self) {
        for fact in ["The port is 7443.", "Miso is a cat.", "We ship on Friday.", "And?", "So?"] {
            self.say(&long(fact)).await;
        }
    }

    async fn compact(&self) {
        self.app
            .compactions
            .compact(self.session, None, None)
            .await
            .unwrap()
            .await
            .unwrap()
            .unwrap();
    }

    /// A compaction by hand whose summary is being written. Returns how it will end once
    /// [`Scenario::release`] lets it.
    async fn compacting(&self) -> JoinHandle<Result<()>> {
        let before = self.summaries();
        self.held.store(true, Ordering::SeqCst);
        let work = self.app.compactions.compact(self.session, None, None).await.unwrap();
        until("a summary is asked for", async || self.summaries() > before).await;
        work
    }

    /// Says so much that a compaction begins by itself, and holds its summary back.
    async fn compacting_by_itself(&self) {
        self.held.store(true, Ordering::SeqCst);
        for fact in ["The port is 7443.", "Miso is a cat.", "We ship on Friday.", "And?", "So?"] {
            self.say(&long(fact).repeat(4)).await;
        }
        until("a summary is asked for", async || self.summaries() > 0).await;
    }

    /// How often a summary was asked for.
    fn summaries(&self) -> usize {
        self.asked_for_summaries().len()
    }

    fn asked_for_summaries(&self) -> Vec<Asked> {
        self.server.asked().into_iter().filter(is_summary).collect()
    }

    /// True if the latest point is stale, and the model of its summary.
    async fn latest(&self) -> (bool, Option<String>) {
        let latest = self.app.compactions.list(self.session).await.unwrap().points.remove(0);
        (latest.stale, latest.point.model.map(|model| model.model))
    }

    /// The activity log, once it has an entry.
    async fn log(&self) -> Vec<AutomaticEvent> {
        let log = async || self.app.context.automatic_log(self.thread).await.unwrap();
        until("something is listed", async || !log().await.is_empty()).await;
        log().await.into_iter().map(|entry| entry.event).collect()
    }

    fn release(&self) {
        self.held.store(false, Ordering::SeqCst);
    }

    /// The messages of the path that is seen, summaries beside it left out.
    async fn path(&self) -> Vec<Message> {
        let page = self
            .app
            .messages
            .transcript(self.thread, TranscriptPosition::End {}, 500)
            .await
            .unwrap();
        let items = page.items.into_iter().map(|item| item.message);
        items.filter(|message| !message.is_summary()).collect()
    }

    async fn first(&self) -> MessageId {
        self.path().await[0].id
    }

    async fn seen(&self) -> Vec<skein_context::window::PreviewEntry> {
        self.app.context.seen_by_model(self.session, Default::default()).await.unwrap().lines
    }

    async fn reported(&self) -> bool {
        let breakdown = self.app.context.breakdown(self.session, Draft::default()).await.unwrap();
        matches!(breakdown.mode, BreakdownMode::Reported { .. })
    }
}

fn cancelled() -> AutomaticEvent {
    let loom = ModelRef { provider: ProviderId("scripted".into()), model: "loom".into() };
    AutomaticEvent::NotCompacted { reason: CompactionFailure::Cancelled, model: Some(loom) }
}

/// The text of a request, up to the end of its last message.
fn said(asked: &Asked) -> String {
    let body: Value = serde_json::from_str(&asked.body).unwrap();
    let messages = serde_json::to_string(&body["messages"]).unwrap();
    messages.trim_end_matches(']').to_owned()
}

/// How hard and how long it may.
fn thinking(asked: &Asked) -> (Value, Value) {
    let body: Value = serde_json::from_str(&asked.body).unwrap();
    (body["reasoning_effort"].clone(), body["max_tokens"].clone())
}

fn tools(asked: &Asked) -> Value {
    serde_json::from_str::<Value>(&asked.body).unwrap()["tools"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn fr_1_5_what_a_compaction_covers_is_not_changed() {
    let given = a_program(0).await;
    given.say_all().await;
    let before = given.path().await;
    given.compact().await;
    assert_eq!(given.path().await, before);
}

#[tokio::test(flavor = "multi_thread")]
async fn law_09_between_compactions_a_request_begins_with_every_byte_of_the_one_before() {
    let given = a_program(0).await;
    given.say_all().await;
    given.compact().await;
    for words in ["One more.", "Another.", "The last."] {
        given.say(words).await;
    }
    let asked = given.server.asked();
    let (summaries, replies): (Vec<_>, Vec<_>) = asked.into_iter().partition(is_summary);
    assert_eq!((summaries.len(), replies.len()), (1, 8));
    let (before, after) = replies.split_at(5);
    for told in [before, after] {
        for pair in told.windows(2) {
            assert!(said(&pair[1]).starts_with(&said(&pair[0])));
            assert_eq!(tools(&pair[0]), tools(&pair[1]));
        }
    }
    assert!(!said(&after[0]).starts_with(&said(&before[0])), "the compaction changed it once");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_summary_goes_on_with_the_conversation_where_the_provider_has_it_cached() {
    let given = a_program(9).await;
    given.say_all().await;
    given
        .app
        .compactions
        .compact(given.session, None, Some("the port".into()))
        .await
        .unwrap()
        .await
        .unwrap()
        .unwrap();
    let asked = given.server.asked();
    let (summary, replies) = asked.split_last().unwrap();
    assert!(summary.body.contains("in full detail: the port"));
    // Everything that was covered stood in the request for the third reply.
    assert!(said(summary).starts_with(&said(&replies[2])), "its prefix is the conversation's");
    assert_eq!(tools(summary), tools(&replies[4]));
    assert_eq!(thinking(summary), thinking(&replies[4]), "or nothing cached is read");
    assert_eq!(thinking(summary), (json!("high"), json!(9_000)));
    assert_eq!(given.app.compactions.list(given.session).await.unwrap().points.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_summary_is_asked_for_anew_where_nothing_is_cached() {
    let given = a_program(0).await;
    given.say_all().await;
    given.compact().await;
    let asked = given.server.asked();
    let (summary, replies) = asked.split_last().unwrap();
    assert!(!said(summary).starts_with(&said(&replies[0])));
    assert_eq!(tools(summary), Value::Null);
    assert_eq!(thinking(summary).0, json!("none"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_first_compaction_says_what_it_comes_to_with_the_tool_that_is_declared_from_then_on() {
    let given = a_program(0).await;
    given.say_all().await;
    let preview = given.app.compactions.preview(given.session, None).await.unwrap();
    given.compact().await;
    let point = given.app.compactions.list(given.session).await.unwrap().points.remove(0).point;
    let used: u32 = given.seen().await.iter().map(|line| line.tokens).sum();
    assert_eq!(point.after, used);
    assert!(used <= preview.after, "{used}, {}", preview.after);
}

/// A summary of about 3,600 tokens. One that was made locally has the headings that are asked for, too.
fn overlong(asked: &Asked) -> Reply {
    let words = match is_summary(asked) && !asked.body.contains("All of it.") {
        true => "The loom is warped. ".repeat(720),
        false => "Noted.".to_owned(),
    };
    let said = json!({ "choices": [{ "delta": { "content": words } }] });
    let stop = json!({ "choices": [{ "delta": {}, "finish_reason": "stop" }] });
    Reply::events(format!("data: {said}\n\ndata: {stop}\n\ndata: [DONE]\n\n"))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_summary_that_does_not_make_the_message_fit_gives_way_to_the_local_one_which_does() {
    let given = a_program_that(9_000, overlong).await;
    given.say_all().await;
    let lines = given.seen().await;
    let sum = |tokens: &[u32]| tokens.iter().sum::<u32>();
    let (said, always): (Vec<_>, Vec<_>) = lines
        .into_iter()
        .partition(|line| matches!(line.label, skein_context::window::EntryLabel::Message { .. }));
    let tokens = |lines: Vec<skein_context::window::PreviewEntry>| -> Vec<u32> {
        lines.iter().map(|line| line.tokens).collect()
    };
    let (said, always) = (tokens(said), tokens(always));
    // Beside it there is room for a summary of some 1,500 tokens in a window of 60,000.
    let times = (58_200 - sum(&always)) / said[0];
    let times = usize::try_from(times).unwrap();
    assert!(sum(&said) > 4_500, "the summary is shorter than what it stands for");
    given.say(&long("All of it.").repeat(times)).await;
    // Requests after it, in the background, do not matter here.
    let asked = given.server.asked();
    let left = asked.iter().position(|it| it.body.contains("All of it.")).expect("it was sent");
    let summaries = asked[..left].iter().filter(|asked| is_summary(asked)).count();
    assert_eq!(summaries, 1, "it was not asked for again");
    let first =
        given.app.compactions.list(given.session).await.unwrap().points.pop().unwrap().point;
    assert_eq!(first.model, None, "it was made locally");
    assert!(first.before > 60_000 && first.after <= 60_000, "{first:?}");
    let log = given.log().await;
    let is_local = |event: &AutomaticEvent| matches!(event, AutomaticEvent::Compacted { point, local: true, .. } if *point == first.id);
    assert!(log.iter().any(is_local), "{log:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn law_07_a_report_is_forgotten_when_what_stood_before_it_changes() {
    let given = a_program(0).await;
    given.say_all().await;
    assert!(given.reported().await);
    let deletion = given.app.messages.delete(given.first().await).await.unwrap();
    assert!(!given.reported().await, "its prompt had a message more");
    given.app.messages.restore(deletion).await.unwrap();
    assert!(given.reported().await, "it is as it was");
    given.compact().await;
    assert!(!given.reported().await);
    given.say("Go on.").await;
    assert!(given.reported().await);
    let summary = given.app.compactions.list(given.session).await.unwrap().points[0].point.clone();
    given.app.compactions.edit_summary(summary.summary_message_id, "Mine.".into()).await.unwrap();
    assert!(!given.reported().await, "its prompt had another summary");
}

#[tokio::test(flavor = "multi_thread")]
async fn law_11_undo_restores_the_context_byte_for_byte_and_redo_the_compacted_one() {
    let given = a_program(0).await;
    given.say_all().await;
    let whole = given.seen().await;
    given.compact().await;
    let compacted = given.seen().await;
    given.app.compactions.undo(given.thread, None).await.unwrap();
    assert_eq!(given.seen().await, whole);
    let listed = given.app.compactions.list(given.session).await.unwrap();
    assert_eq!((listed.points.len(), listed.undone.is_some()), (0, true));
    given.app.compactions.redo(given.thread).await.unwrap();
    assert_eq!(given.seen().await, compacted);
}

#[tokio::test(flavor = "multi_thread")]
async fn fr_1_8_a_point_holds_in_its_own_thread_and_in_no_other() {
    let given = a_program(0).await;
    given.say_all().await;
    given.compact().await;
    let compacted = given.seen().await;
    let points = async || given.app.compactions.list(given.session).await.unwrap().points.len();
    given.app.threads.begin(given.session).await.unwrap();
    given.say("A new topic.").await;
    assert_eq!(points().await, 0);
    let seen = format!("{:?}", given.seen().await);
    assert!(seen.contains("A new topic.") && !seen.contains("The loom is warped."), "{seen}");
    given.app.threads.undo_clear(given.session).await.unwrap();
    assert_eq!(points().await, 1);
    assert_eq!(given.seen().await, compacted);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_person_does_to_a_summary_stands_though_a_compaction_that_builds_on_it_runs() {
    let given = a_program(0).await;
    given.say_all().await;
    given.compact().await;
    for fact in ["Tea is at four.", "The loom is oak.", "Well?"] {
        given.say(&long(fact)).await;
    }
    let changed = Err(Error::NotCompacted { reason: CompactionFailure::Changed });
    let listed = || async { given.app.compactions.list(given.session).await.unwrap() };
    let before = listed().await;

    let work = given.compacting().await;
    let summary = before.points[0].point.summary_message_id;
    given.app.compactions.edit_summary(summary, "My own words.".into()).await.unwrap();
    given.release();
    assert_eq!(work.await.unwrap(), changed);
    let points: Vec<_> = listed().await.points.iter().map(|view| view.point.id).collect();
    assert_eq!(points, [before.points[0].point.id]);
    assert!(format!("{:?}", given.seen().await).contains("My own words."));

    let work = given.compacting().await;
    given.app.compactions.undo(given.thread, None).await.unwrap();
    given.release();
    assert_eq!(work.await.unwrap(), changed);
    let after = listed().await;
    assert_eq!((after.points.len(), after.undone.is_some()), (0, true));
}

#[tokio::test(flavor = "multi_thread")]
async fn law_04_a_compaction_that_began_by_itself_ends_when_it_is_switched_off_in_the_session() {
    let given = a_program(0).await;
    given.compacting_by_itself().await;
    let off = SessionOverride::AutoCompaction(Some(Switch::Off));
    given.app.sessions.set_override(given.session, off).await.unwrap();
    given.release();
    assert_eq!(given.log().await, [cancelled()]);
    assert_eq!(given.app.compactions.list(given.session).await.unwrap().points.len(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn law_04_a_compaction_that_began_by_itself_ends_when_another_strategy_is_chosen_for_all() {
    let given = a_program(0).await;
    given.compacting_by_itself().await;
    let settings = given.app.settings.view().await.unwrap().settings;
    let mut changed = settings.clone();
    changed.context.strategy = Strategy::Remind;
    given.app.settings.save(settings, changed).await.unwrap();
    // It is not waited for: its summary is still held back.
    assert_eq!(given.log().await, [cancelled()]);
    let calls = given.app.costs.totals(UsageGrouping::Purpose, 0).await.unwrap();
    let is_summary = |total: &UsageTotal| {
        total.key == UsageKey::Purpose { purpose: CallPurpose::Summary } && total.calls == 1
    };
    assert!(calls.iter().any(is_summary), "its call is billed: {calls:?}");
    assert_eq!(given.app.compactions.list(given.session).await.unwrap().points.len(), 0);
    given.release();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_compaction_that_cannot_be_listed_is_shown_all_the_same() {
    let given = a_program(0).await;
    given.compacting_by_itself().await;
    let database = Connection::open(AppPaths::in_folder(given.folder.path()).database()).unwrap();
    let refuse = "CREATE TRIGGER full BEFORE INSERT ON automatic
                  BEGIN SELECT raise(ABORT, 'database or disk is full'); END";
    database.execute_batch(refuse).unwrap();
    let mut changes = given.app.changes();
    given.release();
    let context = Topic::Context { session_id: given.session };
    let told = async { while !changes.recv().await.unwrap().topics.contains(&context) {} };
    tokio::time::timeout(Duration::from_secs(30), told).await.expect("the window is told");
    let status = given.app.compactions.status(given.session).await.unwrap();
    assert!(matches!(status, CompactionStatus::Done { .. }), "{status:?}");
    assert_eq!(given.app.compactions.list(given.session).await.unwrap().points.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_compaction_by_hand_goes_on_though_nothing_happens_by_itself_any_more() {
    let given = a_program(0).await;
    given.say_all().await;
    let work = given.compacting().await;
    let off = SessionOverride::AutoCompaction(Some(Switch::Off));
    given.app.sessions.set_override(given.session, off).await.unwrap();
    given.release();
    assert_eq!(work.await.unwrap(), Ok(()));
}

#[tokio::test(flavor = "multi_thread")]
async fn who_asks_for_a_compaction_is_answered_when_it_has_begun_and_its_end_is_shown() {
    let given = a_program(0).await;
    let began = async || given.app.compactions.compact(given.session, None, None).await.map(drop);
    let nothing = CompactionFailure::NothingToCover;
    assert_eq!(began().await, Err(Error::NotCompacted { reason: nothing }));
    given.say_all().await;
    given.held.store(true, Ordering::SeqCst);
    let end = given.app.compactions.compact(given.session, None, None).await.unwrap();
    assert_eq!(began().await, Err(Error::Compacting {}));
    given.app.compactions.cancel(given.session).await.unwrap();
    let error = Error::NotCompacted { reason: CompactionFailure::Cancelled };
    assert_eq!(end.await.unwrap(), Err(error.clone()));
    let status = given.app.compactions.status(given.session).await.unwrap();
    assert_eq!(status, CompactionStatus::Failed { error });
    given.release();
}

/// On one thread: what is begun does nothing before something is waited for.
#[tokio::test]
async fn whoever_asks_at_once_after_a_compaction_has_begun_is_told_that_it_runs() {
    let given = a_program(0).await;
    given.say_all().await;
    let end = given.app.compactions.compact(given.session, None, None).await.unwrap();
    let status = given.app.compactions.status(given.session).await.unwrap();
    let CompactionStatus::Running { progress } = status else { panic!("{status:?}") };
    assert_eq!((progress.thread_id, progress.text), (given.thread, String::new()));
    assert_eq!(progress.model.map(|model| model.model).as_deref(), Some("loom"));
    end.await.unwrap().unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_compaction_whose_task_dies_has_failed_and_says_so() {
    let given = a_program(0).await;
    given.say_all().await;
    let work = given.compacting().await;
    let mut changes = given.app.changes();
    work.abort();
    let compaction = Topic::Compaction { session_id: given.session };
    let told = async { while !changes.recv().await.unwrap().topics.contains(&compaction) {} };
    tokio::time::timeout(Duration::from_secs(30), told).await.expect("the window is told");
    let status = given.app.compactions.status(given.session).await.unwrap();
    let error = Error::Storage { detail: "the compaction broke off".into() };
    assert_eq!(status, CompactionStatus::Failed { error });
    given.release();
    given.compact().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_point_whose_originals_changed_is_stale_until_it_is_renewed() {
    let given = a_program(0).await;
    given.say_all().await;
    given.compact().await;
    let stale = || async {
        let listed = given.app.compactions.list(given.session).await.unwrap();
        listed.points.into_iter().map(|point| (point.applied, point.stale)).collect::<Vec<_>>()
    };
    assert_eq!(stale().await, [(true, false)]);
    given.app.messages.delete(given.first().await).await.unwrap();
    assert_eq!(stale().await, [(true, true)]);
    let page =
        given.app.messages.transcript(given.thread, TranscriptPosition::End {}, 500).await.unwrap();
    let points: Vec<_> = page.items.iter().filter_map(|item| item.point.as_ref()).collect();
    assert_eq!(points.iter().map(|point| point.stale).collect::<Vec<_>>(), [true]);
    given.app.compactions.renew_summary(given.session, None).await.unwrap().await.unwrap().unwrap();
    assert_eq!(stale().await, [(true, false), (false, true)]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_comparison_says_what_became_of_every_fact() {
    let given = a_program(0).await;
    given.say(&long("The deploy port is 7443.")).await;
    given.say(&long("The deploy port is 9001 now, not 7443.")).await;
    given.say(&long("So?")).await;
    given.say(&long("And?")).await;
    given.compact().await;
    let point = given.app.compactions.list(given.session).await.unwrap().points.remove(0).point;
    let comparison = given.app.compactions.compare(point.id, given.thread).await.unwrap();
    let path = given.path().await;
    let covered = comparison.covered.iter().zip(&path).zip(1..);
    assert!(!comparison.covered.is_empty());
    for ((place, message), number) in covered {
        assert_eq!((place.message_id, place.number), (message.id, number));
    }
    let of = |part: &str| {
        let lines = comparison.anchors.iter().filter(|line| line.text.contains(part));
        lines.map(|line| (line.fate, line.number)).collect::<Vec<_>>()
    };
    assert_eq!(of("9001"), [(FactStatus::Carried, Some(3))]);
    let carried = &point.anchors;
    assert_eq!(of("port is 7443"), [(FactStatus::Carried, Some(1))], "there is room for it");
    assert!(carried.contains("The deploy port is 7443 (replaced in"), "{carried}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fact_stands_in_the_summary_or_beside_it_however_the_person_edits_it() {
    let given = a_program(0).await;
    given.say_all().await;
    given.compact().await;
    let fate = || async {
        let point = given.app.compactions.list(given.session).await.unwrap().points.remove(0).point;
        let comparison = given.app.compactions.compare(point.id, given.thread).await.unwrap();
        let line = comparison.anchors.into_iter().find(|line| line.text.contains("7443"));
        (point.summary_message_id, line.map(|line| line.fate))
    };
    let (summary, carried) = fate().await;
    assert_eq!(carried, Some(FactStatus::Carried));
    for (words, expected) in
        [("The port is 7443.", FactStatus::Said), ("Mine.", FactStatus::Carried)]
    {
        given.app.compactions.edit_summary(summary, words.into()).await.unwrap();
        assert_eq!(fate().await.1, Some(expected), "{words}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn pins_that_would_leave_no_room_are_refused_with_the_numbers() {
    let given = a_program(0).await;
    given.say("The port is 7443.").await;
    given.say(&long("Long.").repeat(12)).await;
    let path = given.path().await;
    given.app.messages.include(path[0].id, Inclusion::Pinned).await.unwrap();
    let PinUsage { messages, tokens, limit } =
        given.app.compactions.list(given.session).await.unwrap().pins;
    assert_eq!(messages, 1);
    assert!(0 < tokens && tokens < limit);
    let refused = given.app.messages.include(path[2].id, Inclusion::Pinned).await;
    let Err(Error::PinsTooLarge { tokens: wanted, limit: named }) = refused else {
        panic!("{refused:?}")
    };
    assert!(wanted > limit && named == limit);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_covered_message_that_is_left_out_makes_its_summary_stale_until_it_is_taken_in_or_renewed()
 {
    let given = a_program(0).await;
    given.say_all().await;
    given.compact().await;
    let stale =
        || async { given.app.compactions.list(given.session).await.unwrap().points[0].stale };
    assert!(!stale().await);
    let seen = given.seen().await;
    for (inclusion, expected) in [(Inclusion::LeftOut, true), (Inclusion::Usual, false)] {
        given.app.messages.include(given.first().await, inclusion).await.unwrap();
        assert_eq!(stale().await, expected, "{inclusion:?}");
    }
    assert_eq!(given.seen().await, seen);

    given.app.messages.include(given.first().await, Inclusion::LeftOut).await.unwrap();
    given.app.compactions.renew_summary(given.session, None).await.unwrap().await.unwrap().unwrap();
    assert!(!stale().await);
    let renewed = given.server.asked().into_iter().rfind(is_summary).unwrap().body;
    assert!(!renewed.contains("The port is 7443.") && renewed.contains("Miso is a cat."));
    let seen = serde_json::to_string(&given.seen().await).unwrap();
    assert!(!seen.contains("7443"), "nor among the facts beside it");
    let point = given.app.compactions.list(given.session).await.unwrap().points.remove(0).point;
    assert_eq!(point.covered, 5, "of six");
    given.app.messages.include(given.first().await, Inclusion::Usual).await.unwrap();
    assert!(stale().await, "it was not made from it");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_compaction_is_dropped_where_something_it_covers_is_left_out_meanwhile() {
    let given = a_program(0).await;
    given.say_all().await;
    let work = given.compacting().await;
    given.app.messages.include(given.first().await, Inclusion::LeftOut).await.unwrap();
    given.release();
    let reason = CompactionFailure::Changed;
    assert_eq!(work.await.unwrap(), Err(Error::NotCompacted { reason }));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_that_was_pinned_while_it_was_covered_makes_its_summary_stale_once_it_is_unpinned()
 {
    let given = a_program(0).await;
    given.say_all().await;
    let pin = async |inclusion| {
        given.app.messages.include(given.first().await, inclusion).await.unwrap();
    };
    let reads = |fact: &str| given.asked_for_summaries().pop().unwrap().body.contains(fact);
    pin(Inclusion::Pinned).await;
    given.compact().await;
    assert!(!reads("The port is 7443.") && reads("Miso is a cat."), "it is sent beside it");
    assert!(!given.latest().await.0);
    pin(Inclusion::Usual).await;
    assert!(given.latest().await.0, "neither is it sent nor did the summary read it");
    given.app.compactions.renew_summary(given.session, None).await.unwrap().await.unwrap().unwrap();
    assert!(reads("The port is 7443."));
    for inclusion in [Inclusion::Pinned, Inclusion::Usual] {
        assert!(!given.latest().await.0, "it was read");
        pin(inclusion).await;
    }
    assert!(!given.latest().await.0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_summary_that_goes_on_with_the_conversation_has_read_what_is_pinned_in_it() {
    let given = a_program(9).await;
    given.say_all().await;
    given.app.messages.include(given.first().await, Inclusion::Pinned).await.unwrap();
    given.compact().await;
    assert!(given.asked_for_summaries()[0].body.contains("The port is 7443."));
    given.app.messages.include(given.first().await, Inclusion::Usual).await.unwrap();
    assert!(!given.latest().await.0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_compaction_is_dropped_where_a_pin_that_it_does_not_read_is_unpinned_meanwhile() {
    let given = a_program(0).await;
    given.say_all().await;
    given.app.messages.include(given.first().await, Inclusion::Pinned).await.unwrap();
    let work = given.compacting().await;
    given.app.messages.include(given.first().await, Inclusion::Usual).await.unwrap();
    given.release();
    let reason = CompactionFailure::Changed;
    assert_eq!(work.await.unwrap(), Err(Error::NotCompacted { reason }));
    // Nor is one put back that was taken back before.
    given.app.messages.include(given.first().await, Inclusion::Pinned).await.unwrap();
    given.compact().await;
    given.app.compactions.undo(given.thread, None).await.unwrap();
    given.app.messages.include(given.first().await, Inclusion::Usual).await.unwrap();
    let refused = given.app.compactions.redo(given.thread).await;
    assert_eq!(refused, Err(Error::NotCompacted { reason }));
}

#[tokio::test(flavor = "multi_thread")]
async fn no_longer_summary_is_asked_for_than_its_model_gives() {
    let given = a_program_that(1_000, |asked| answer(asked, 0)).await;
    given.say_all().await;
    given.compact().await;
    assert_eq!(thinking(&given.asked_for_summaries()[0]).1, json!(1_000));
}

/// Every fact of the conversation is read in a request that was answered, and its model has written.
async fn is_written_in_pieces(given: &Scenario, most: usize) {
    given.compact().await;
    assert_eq!(given.latest().await, (false, Some("loom".to_owned())));
    let asked = given.asked_for_summaries();
    assert!(size(&asked[0]) > most, "at first it was too long: {}", size(&asked[0]));
    let read: String =
        asked.iter().filter(|it| size(it) <= most).map(|it| it.body.as_str()).collect();
    for fact in ["The port is 7443.", "Miso is a cat.", "We ship on Friday."] {
        assert!(read.contains(fact), "{fact}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn p09_a_summary_that_is_refused_as_too_long_is_cut_into_smaller_pieces() {
    let named = "This model's maximum context length is 3000 tokens. However, your messages \
                 resulted in 3700 tokens.";
    for message in [named, "Your input exceeds the context window of this model."] {
        let given = a_program_that(9_000, move |asked| {
            let error = json!({ "message": message, "code": "context_length_exceeded" });
            match is_summary(asked) && size(asked) > 3_000 {
                true => Reply::json(400, json!({ "error": error }).to_string()),
                false => answer(asked, 0),
            }
        });
        let given = given.await;
        given.say_all().await;
        is_written_in_pieces(&given, 3_000).await;
        let log = given.app.context.automatic_log(given.thread).await.unwrap();
        let log: Vec<_> = log.into_iter().map(|entry| entry.event).collect();
        let learned = AutomaticEvent::LimitLearned { window: 3_000 };
        assert_eq!(log, Vec::from_iter((message == named).then_some(learned)));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn p09_a_summary_of_a_prompt_that_the_server_cut_without_a_word_is_written_anew_in_pieces() {
    let cuts = |asked: &Asked| {
        let most = if is_summary(asked) { 4_096 } else { usize::MAX };
        answer_having_read(asked, size(asked).min(most), 0)
    };
    let given = a_program_that(9_000, cuts).await;
    for fact in ["The port is 7443.", "Miso is a cat.", "We ship on Friday.", "And?", "So?"] {
        given.say(&long(fact).repeat(3)).await;
    }
    is_written_in_pieces(&given, 4_096).await;
    let log = given.log().await;
    assert!(
        matches!(
            log[..],
            [AutomaticEvent::SilentOverflow { how: TruncationKind::FarBelow, read: 4_096, .. }]
        ),
        "{log:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn p09_a_server_that_reports_little_of_whatever_it_is_sent_is_believed_in_the_end() {
    let given = a_program_that(9_000, |asked| {
        let read = if is_summary(asked) { 30 } else { size(asked) };
        answer_having_read(asked, read, 0)
    });
    let given = given.await;
    given.say_all().await;
    given.compact().await;
    assert_eq!(given.latest().await, (false, Some("loom".to_owned())));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_preview_says_what_is_covered_what_stays_and_what_it_comes_to() {
    let given = a_program(0).await;
    given.say_all().await;
    given.app.messages.include(given.first().await, Inclusion::Pinned).await.unwrap();
    let preview = given.app.compactions.preview(given.session, None).await.unwrap();
    let numbers = |places: &[skein_app::view::MessagePosition]| {
        places.iter().map(|place| place.number).collect::<Vec<_>>()
    };
    assert_eq!(numbers(&preview.covers), [2, 3, 4, 5, 6]);
    assert_eq!(numbers(&preview.keeps), [1, 7, 8, 9, 10]);
    let path = given.path().await;
    for left_out in [1, 7] {
        given.app.messages.include(path[left_out].id, Inclusion::LeftOut).await.unwrap();
    }
    let without = given.app.compactions.preview(given.session, None).await.unwrap();
    assert_eq!(numbers(&without.covers), [3, 4, 5, 6]);
    assert_eq!(numbers(&without.keeps), [1, 7, 9, 10]);
    let kept = vec![preview.keeps[0].message_id];
    let line =
        async |extent| given.app.messages.lines(kept.clone(), extent).await.unwrap().remove(0);
    let (all, beginning) = (line(ExcerptLength::All).await, line(ExcerptLength::Beginning).await);
    assert!(all.inclusion == Inclusion::Pinned && all.words.starts_with("The port is 7443."));
    let words = beginning.words.trim_end_matches('…');
    assert!(all.words.starts_with(words) && words.len() <= 1_000, "{words}");
    assert_eq!(beginning, MessageLine { words: beginning.words.clone(), ..all });
    assert!(preview.after < preview.before);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_that_is_stopped_while_it_compacts_first_stops_that_too_and_begins_no_other() {
    let given = a_program(0).await;
    given.say_all().await;
    given.held.store(true, Ordering::SeqCst);
    let (app, session) = (Arc::clone(&given.app), given.session);
    let words = long("All of it.").repeat(63);
    let message = Draft { text: words, attachments: vec![] };
    let turn =
        tokio::spawn(async move { app.turns.send(session, message, Arc::new(Nobody)).await });
    until("a summary is asked for", async || given.summaries() > 0).await;

    given.app.turns.stop(given.session).await.unwrap();
    assert_eq!(turn.await.unwrap().unwrap(), TurnEnd::Interrupted {});
    let error = Error::NotCompacted { reason: CompactionFailure::Cancelled };
    let status = given.app.compactions.status(given.session).await.unwrap();
    assert_eq!(status, CompactionStatus::Failed { error });
    assert_eq!(given.log().await, [cancelled()]);
    given.release();
    until("nothing runs", async || given.app.tasks.tracker.is_empty()).await;
    assert_eq!(given.summaries(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn law_12_a_compaction_of_one_branch_declares_no_tool_to_another() {
    let given = a_program(0).await;
    given.say_all().await;
    let path = given.path().await;
    let elsewhere = async || {
        given.app.messages.set_leaf(path[1].id).await.unwrap();
        given.say("Elsewhere?").await;
        given.server.asked().pop().unwrap()
    };
    let before = elsewhere().await;
    given.app.messages.switch_branch(path[9].id).await.unwrap();
    given.compact().await;
    let after = elsewhere().await;
    assert_eq!((said(&after), tools(&after)), (said(&before), tools(&before)));
    given.app.messages.switch_branch(path[9].id).await.unwrap();
    given.say("Here?").await;
    let here = tools(&given.server.asked().pop().unwrap()).to_string();
    assert!(here.contains("search_history") && !tools(&after).to_string().contains("search_h"));
}

#[tokio::test(flavor = "multi_thread")]
async fn fr_1_1_a_message_sent_during_a_compaction_leaves_at_once_with_the_context_of_before() {
    let given = a_program(0).await;
    given.say_all().await;
    let work = given.compacting().await;
    given.say("Meanwhile?").await;
    assert!(!work.is_finished(), "its summary is held back");
    let meanwhile = given.server.asked().pop().unwrap().body;
    assert!(meanwhile.contains("Meanwhile?") && meanwhile.contains("The port is 7443."));
    assert!(!meanwhile.contains("The loom is warped."));
    given.release();
    assert_eq!(work.await.unwrap(), Ok(()));
    given.say("And now?").await;
    let after = given.server.asked().pop().unwrap().body;
    assert!(after.contains("The loom is warped.") && after.contains("Meanwhile?"), "{after}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_summary_that_the_next_messages_overtake_is_applied_and_asked_for_once() {
    let given = a_program(0).await;
    given.compacting_by_itself().await;
    let before = given.summaries();
    for words in ["Meanwhile?", "And meanwhile?"] {
        given.say(words).await;
        assert_eq!(given.summaries(), before, "{words}: it is being written already");
    }
    given.release();
    assert!(matches!(given.log().await[..], [AutomaticEvent::Compacted { local: false, .. }]));
    given.say("And now?").await;
    let after = given.server.asked().into_iter().rfind(|asked| !is_summary(asked)).unwrap();
    assert!(after.body.contains("The loom is warped.") && after.body.contains("Meanwhile?"));
    assert_eq!(given.summaries(), before, "what was paid for is used");
    assert_eq!(given.app.compactions.list(given.session).await.unwrap().points.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_that_does_not_fit_waits_for_the_summary_under_way_and_asks_for_no_other() {
    let given = a_program(0).await;
    given.compacting_by_itself().await;
    let before = given.summaries();
    let waits = Arc::new(Waits::default());
    let message = Draft { text: long("A new topic.").repeat(33), attachments: vec![] };
    let (app, session, watcher) = (given.app.clone(), given.session, Arc::clone(&waits));
    let turn = tokio::spawn(async move { app.turns.send(session, message, watcher).await });
    until("it waits", async || waits.0.load(Ordering::SeqCst)).await;
    given.release();
    turn.await.unwrap().unwrap();
    let answered = given.server.asked().into_iter().rfind(|asked| !is_summary(asked)).unwrap();
    assert!(
        answered.body.contains("A new topic.") && answered.body.contains("The loom is warped.")
    );
    assert_eq!(given.summaries(), before);
}

/// Notes that a turn waits for a compaction.
#[derive(Default)]
struct Waits(AtomicBool);

impl EventSink for Waits {
    fn event(&self, event: &TurnEvent) -> bool {
        let waits = matches!(event, TurnEvent::WaitingForCompaction {});
        self.0.fetch_or(waits, Ordering::SeqCst);
        true
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_compaction_of_another_thread_is_waited_for_and_is_none_of_this_one() {
    let given = a_program(0).await;
    given.say_all().await;
    let work = given.compacting().await;
    given.app.threads.begin(given.session).await.unwrap();
    let waits = Arc::new(Waits::default());
    let (app, session, watcher) = (given.app.clone(), given.session, Arc::clone(&waits));
    let turns = tokio::spawn(async move {
        while !watcher.0.load(Ordering::SeqCst) {
            let message = Draft { text: long("A new topic.").repeat(4), attachments: vec![] };
            app.turns.send(session, message, watcher.clone()).await.unwrap();
        }
    });
    until("it waits", async || waits.0.load(Ordering::SeqCst)).await;
    given.release();
    turns.await.unwrap();
    assert_eq!(work.await.unwrap(), Ok(()));
    let answered = given.server.asked().into_iter().rfind(|asked| !is_summary(asked)).unwrap();
    assert!(answered.body.contains("The loom is warped."), "it was compacted itself");
}

#[tokio::test(flavor = "multi_thread")]
async fn p09_what_is_refused_while_another_thread_is_compacted_is_compacted_before_it_is_sent_again()
 {
    let refuses = |asked: &Asked| {
        let is_new = asked.body.contains("A new topic.") && !asked.body.contains("loom is warped");
        match !is_summary(asked) && is_new && size(asked) > 12_000 {
            true => {
                let message = "Your input exceeds the context window of this model.";
                let error = json!({ "message": message, "code": "context_length_exceeded" });
                Reply::json(400, json!({ "error": error }).to_string())
            }
            false => answer(asked, 0),
        }
    };
    let given = a_program_that(9_000, refuses).await;
    given.say_all().await;
    let work = given.compacting().await;
    given.app.threads.begin(given.session).await.unwrap();
    let waits = Arc::new(Waits::default());
    let (app, session, watcher) = (given.app.clone(), given.session, Arc::clone(&waits));
    let turns = tokio::spawn(async move {
        loop {
            let message = Draft { text: long("A new topic.").repeat(4), attachments: vec![] };
            let end = app.turns.send(session, message, watcher.clone()).await;
            if watcher.0.load(Ordering::SeqCst) {
                return end;
            }
        }
    });
    until("it waits", async || waits.0.load(Ordering::SeqCst)).await;
    given.release();
    assert_eq!(turns.await.unwrap(), Ok(TurnEnd::Answered {}));
    assert_eq!(work.await.unwrap(), Ok(()));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_does_not_fit_does_not_wait_for_a_compaction_of_another_thread() {
    let given = a_program(0).await;
    given.say_all().await;
    let work = given.compacting().await;
    given.app.threads.begin(given.session).await.unwrap();
    let waits = Arc::new(Waits::default());
    let message = Draft { text: long("A novel.").repeat(120), attachments: vec![] };
    let (app, session, watcher) = (given.app.clone(), given.session, Arc::clone(&waits));
    let turn = tokio::spawn(async move { app.turns.send(session, message, watcher).await });
    let waits_or_ends = async || turn.is_finished() || waits.0.load(Ordering::SeqCst);
    until("it waits or ends", waits_or_ends).await;
    let waited = waits.0.load(Ordering::SeqCst);
    given.release();
    let end = turn.await.unwrap();
    let too_long = |error: &Error| matches!(error, Error::MessageTooLong { .. });
    assert!(matches!(&end, Ok(TurnEnd::Failed { error }) if too_long(error)), "{end:?}");
    assert!(!waited);
    assert_eq!(work.await.unwrap(), Ok(()));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_thread_is_begun_only_where_something_was_said_in_the_current_one() {
    let given = a_program(0).await;
    let count = async || given.app.sessions.get(given.session).await.unwrap().threads.len();
    let is_empty = async || given.app.sessions.get(given.session).await.unwrap().is_empty;
    assert_eq!(given.app.threads.begin(given.session).await, Ok(given.thread));
    assert!(is_empty().await);
    given.say("A topic.").await;
    assert!(!is_empty().await);
    let second = given.app.threads.begin(given.session).await.unwrap();
    assert_ne!(second, given.thread);
    assert_eq!(given.app.threads.begin(given.session).await, Ok(second));
    assert_eq!(count().await, 2);
    given.app.threads.clear_mind(given.session).await.unwrap();
    let cleared = given.app.sessions.get(given.session).await.unwrap().session.current_thread;
    assert_eq!(given.app.threads.begin(given.session).await, Ok(cleared), "a notice is no topic");
    assert!(is_empty().await);
}

impl Scenario {
    /// Summarises a range that begins or ends with the message at this index.
    async fn summarise(&self, range: impl Fn(MessageId) -> ChosenRange, at: usize) -> PointId {
        let chosen = Some(range(self.path().await[at].id));
        let work = self.app.compactions.compact(self.session, chosen, None).await.unwrap();
        work.await.unwrap().unwrap();
        self.app.compactions.list(self.session).await.unwrap().points[0].point.id
    }
}

fn from(message_id: MessageId) -> ChosenRange {
    ChosenRange::From { message_id }
}

fn up_to(message_id: MessageId) -> ChosenRange {
    ChosenRange::UpTo { message_id }
}

#[tokio::test(flavor = "multi_thread")]
async fn w01_a_range_and_other_points_are_undone_in_any_order_byte_for_byte() {
    let given = a_program(0).await;
    given.say_all().await;
    given.say_all().await;
    let whole = given.seen().await;
    for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0], [0, 2, 1]] {
        let last = given.summarise(from, 16).await;
        let ranged = given.seen().await;
        let messages = |seen: &[skein_context::window::PreviewEntry]| {
            let sent = seen.iter().filter(|line| line.role.is_some());
            sent.take(16).cloned().collect::<Vec<_>>()
        };
        assert!(messages(&ranged) == messages(&whole), "what is before it is sent word for word");
        let middle = given.summarise(from, 12).await;
        let first = given.summarise(up_to, 3).await;
        let listed = given.app.compactions.list(given.session).await.unwrap();
        let applied = listed.points.iter().filter(|it| it.applied).map(|it| it.point.id);
        assert_eq!(
            applied.collect::<Vec<_>>(),
            [first, middle],
            "the longer range has absorbed one"
        );
        let all = given.seen().await;
        let undo = async |point| given.app.compactions.undo(given.thread, Some(point)).await;
        assert_eq!(undo(last).await, Err(Error::NothingToUndo {}), "it is not sent");
        let points = [middle, first, last];
        let mut left = VecDeque::from(order);
        while let Some(at) = left.pop_front() {
            // One that a longer one has absorbed is undone after that.
            if undo(points[at]).await.is_err() {
                left.push_back(at);
            }
        }
        assert!(given.seen().await == whole, "as it was");
        for _ in points {
            given.app.compactions.redo(given.thread).await.unwrap();
        }
        assert!(given.seen().await == all, "each is put back");
        while given.app.compactions.undo(given.thread, None).await.is_ok() {}
        assert!(given.seen().await == whole, "as it was");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn w01_the_summary_of_a_range_stands_beside_its_messages_on_every_page() {
    let given = a_program(0).await;
    given.say_all().await;
    given.say_all().await;
    let path: Vec<_> = given.path().await.iter().map(|message| message.id).collect();
    let summary_of = async |range, at| {
        let point = given.summarise(range, at).await;
        let points = given.app.compactions.list(given.session).await.unwrap().points;
        points.iter().find(|it| it.point.id == point).unwrap().point.summary_message_id
    };
    let last = summary_of(from as fn(MessageId) -> ChosenRange, 12).await;
    let first = summary_of(up_to, 3).await;
    let page = async |place, limit| {
        let shown = given.app.messages.transcript(given.thread, place, limit).await.unwrap();
        shown.items.iter().map(|item| item.message.id).collect::<Vec<_>>()
    };
    let mut expected = path.clone();
    expected.insert(12, last);
    expected.insert(4, first);
    assert_eq!(page(TranscriptPosition::End {}, 500).await, expected);
    let mut paged = page(TranscriptPosition::End {}, 3).await;
    while let Some(message_id) = paged.first().copied().filter(|id| *id != path[0]) {
        let earlier = page(TranscriptPosition::Before { message_id }, 3).await;
        paged.splice(0..0, earlier);
    }
    assert_eq!(paged, expected, "each once");
    for summary in [first, last] {
        let around = TranscriptPosition::Around { message_id: summary };
        assert!(page(around, 4).await.contains(&summary));
        let after = page(TranscriptPosition::After { message_id: summary }, 1).await;
        let at = expected.iter().position(|id| *id == summary).unwrap();
        assert_eq!(after, [expected[at + 1]]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn w01_a_range_is_previewed_compared_and_renewed_as_any_compaction() {
    let given = a_program(0).await;
    given.say_all().await;
    let path = given.path().await;
    let range = Some(from(path[5].id));
    let preview = given.app.compactions.preview(given.session, range).await.unwrap();
    let numbers = |places: &[skein_app::view::MessagePosition]| {
        places.iter().map(|place| place.number).collect::<Vec<_>>()
    };
    assert_eq!(numbers(&preview.covers), [5, 6, 7, 8, 9, 10]);
    assert_eq!(numbers(&preview.keeps), [1, 2, 3, 4]);
    assert!(preview.after < preview.before);
    let point = given.summarise(from, 5).await;
    let compared = given.app.compactions.compare(point, given.thread).await.unwrap();
    assert_eq!(numbers(&compared.covered), [5, 6, 7, 8, 9, 10]);
    assert!(compared.anchors.iter().any(|fact| fact.text.contains("Friday")), "its own facts");
    assert!(!compared.anchors.iter().any(|fact| fact.text.contains("7443")), "not those before it");
    let asked = given.server.asked().into_iter().rfind(is_summary).unwrap();
    assert!(!asked.body.contains("The port is 7443."), "the summary is of the range alone");
    let rest = Some(from(path[7].id));
    let refused = given.app.compactions.preview(given.session, rest).await;
    let nothing = Error::NotCompacted { reason: CompactionFailure::NothingToCover };
    assert_eq!(refused.map(drop), Err(nothing), "nothing is left from there on");

    let fork = given.app.sessions.fork(path[9].id).await.unwrap();
    let copied = given.app.compactions.list(fork).await.unwrap().points.remove(0);
    assert!(copied.applied && !copied.stale && copied.point.after_message_id.is_some());
    let seen = given.app.context.seen_by_model(fork, Draft::default()).await.unwrap().lines;
    let lines = |seen: Vec<skein_context::window::PreviewEntry>| {
        seen.into_iter().map(|line| std::mem::discriminant(&line.label)).collect::<Vec<_>>()
    };
    assert_eq!(lines(seen), lines(given.seen().await), "an export and its import keep a range");

    given.app.messages.delete(path[6].id).await.unwrap();
    let view = given.app.compactions.list(given.session).await.unwrap().points.remove(0);
    assert!(view.stale && view.applied);
    given
        .app
        .compactions
        .renew_summary(given.session, Some(point))
        .await
        .unwrap()
        .await
        .unwrap()
        .unwrap();
    let view = given.app.compactions.list(given.session).await.unwrap().points.remove(0);
    assert!(!view.stale && view.applied && view.point.after_message_id == Some(path[3].id));
    let end = TranscriptPosition::End {};
    let items = given.app.messages.transcript(given.thread, end, 500).await.unwrap().items;
    let at = items.iter().position(|it| it.message.id == view.point.summary_message_id).unwrap();
    // The summary before it stays beside the range, too.
    let above = items[..at].iter().rev().find(|it| !it.message.is_summary()).unwrap();
    assert_eq!(above.message.id, path[3].id, "it keeps its place");
}
