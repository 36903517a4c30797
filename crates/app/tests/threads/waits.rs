//! The reason why a conversation over its limit waits for the user: shown once, with its numbers, as long as
//! it applies.

use std::sync::Arc;

use scripted_server::until;
use serde_json::json;
use skein_app::view::{BlockReason, CompactionStatus, TurnEnd};
use skein_context::compaction::forecast::Forecast;
use skein_domain::error::{CompactionFailure, Error};
use skein_domain::ids::ProviderId;
use skein_domain::message::ContentPart;
use skein_domain::model::ModelRef;
use skein_domain::session::{SessionOverride, Switch};
use skein_store::AutomaticEvent;

use crate::scenario::{Say, Scenario, Waiting, message, with_window};

impl Scenario {
    async fn waits(&self) -> Option<BlockReason> {
        self.app.context.health(self.session).await.unwrap().waits
    }

    async fn is_compacting(&self) -> bool {
        let status = self.app.compactions.status(self.session).await.unwrap();
        matches!(status, CompactionStatus::Running { .. })
    }

    async fn log(&self) -> Vec<AutomaticEvent> {
        let log = self.app.store.activity_log(self.current().await).await.unwrap();
        log.into_iter().map(|entry| entry.event).collect()
    }

    /// As if a compaction had failed by itself.
    async fn fails(&self, reason: CompactionFailure) {
        let model = Some(ModelRef { provider: ProviderId("p".into()), model: "m".into() });
        let event = AutomaticEvent::NotCompacted { reason, model };
        self.app.store.append_activity(self.current().await, event, 0).await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn law_01_that_a_tool_loop_is_stuck_is_noted_once_and_shown_for_as_long_as_it_is() {
    // 45,000 of 60,000 leave room for an answer.
    let given = with_window("summarize", 60_000).await;
    let given = given.configured(|it| it["tools"] = json!({ "generationsPerTurn": 5 })).await;
    given.model.says([Say::call("glob", json!({ "pattern": "*" }))]);
    let end = given.send(&"loom ".repeat(46_000)).await;
    assert_eq!(end, Ok(TurnEnd::GenerationLimit {}));
    let log = given.log().await;
    let [AutomaticEvent::Stuck { floor, limit: 45_000 }] = log[..] else { panic!("{log:?}") };
    let Some(BlockReason::Stuck { floor: now, limit: 45_000 }) = given.waits().await else {
        panic!("nothing waits")
    };
    assert!(46_000 <= floor && floor <= now, "{floor} {now}");

    let given = given.restarted().await;
    assert_eq!(given.waits().await, Some(BlockReason::Stuck { floor: now, limit: 45_000 }));
    let off = SessionOverride::AutoCompaction(Some(Switch::Off));
    given.app.sessions.set_override(given.session, off).await.unwrap();
    assert_eq!(given.waits().await, None, "nobody would act");
}

/// A conversation that compacts above 18,000 of 60,000 tokens, and has failed to twice; so many rounds of
/// about 4,000 long.
async fn after_two_failures(rounds: usize) -> Scenario {
    let given = with_window("summarize", 60_000).await;
    given.model.says([Say::words("Noted.")]);
    given.fails(CompactionFailure::NotShorter).await;
    given.fails(CompactionFailure::CutOff).await;
    for _ in 0..rounds {
        given.send(&"loom ".repeat(4_000)).await.unwrap();
    }
    given
}

#[tokio::test(flavor = "multi_thread")]
async fn after_two_failures_it_says_why_with_its_numbers_and_notes_once_that_it_stopped() {
    let given = after_two_failures(0).await;
    for _ in 0..4 {
        given.send(&"loom ".repeat(4_000)).await.unwrap();
    }
    assert_eq!(given.waits().await, None, "not over its limit");
    for _ in 0..4 {
        given.send(&"loom ".repeat(4_000)).await.unwrap();
    }
    let Some(BlockReason::Paused { reason: CompactionFailure::CutOff, used, limit: 18_000 }) =
        given.waits().await
    else {
        panic!("{:?}", given.waits().await)
    };
    assert!(used > 32_000, "{used}");
    let log = given.log().await;
    assert_eq!(log[2..], [AutomaticEvent::Stopped {}], "{log:?}");

    given.app.compactions.compact(given.session, None, None).await.unwrap().await.unwrap().unwrap();
    assert_eq!(given.waits().await, None, "compacted by hand");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_known_not_to_fit_is_given_back_where_compaction_waits_for_the_person() {
    let given = after_two_failures(8).await;
    let asked = given.model.asked().len();
    let words = "loom ".repeat(30_000);
    let refused = given.send(&words).await;
    let Err(Error::TooLong { limit: Some(60_000), actual: Some(used), .. }) = refused else {
        panic!("{refused:?}")
    };
    assert!(used > 60_000, "{used}");
    assert_eq!(given.model.asked().len(), asked, "nothing was sent");
    let seen = given.app.sessions.get(given.session).await.unwrap();
    let back: Vec<_> = seen.waiting.iter().map(|it| (it.parts.clone(), it.for_box)).collect();
    assert_eq!(back, [(vec![ContentPart::Text { text: words }], true)]);
    assert!(
        matches!(given.waits().await, Some(BlockReason::Paused { .. })),
        "why, and the ways out"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_does_not_fit_waits_for_a_compaction_that_the_person_has_begun_and_a_stop_leaves_that_alone()
 {
    let given = after_two_failures(8).await;
    given.model.says([Say::words("We wove, and noted that each time."), Say::words("Noted.")]);
    given.model.holds_summaries(true);
    let begun = given.app.compactions.compact(given.session, None, None).await.unwrap();
    let watcher = Arc::new(Waiting::default());
    let sent = {
        let (app, session, watcher) = (given.app.clone(), given.session, watcher.clone());
        let words = message(&"loom ".repeat(30_000));
        tokio::spawn(async move { app.turns.run(session, words, watcher).await })
    };
    until("it waits for the compaction", async || watcher.is_so()).await;
    given.app.turns.stop(given.session).await.unwrap();
    assert_eq!(sent.await.unwrap(), Ok(TurnEnd::Interrupted {}));
    assert!(given.is_compacting().await, "the person's own goes on");
    given.model.holds_summaries(false);
    begun.await.unwrap().unwrap();
    assert_eq!(given.app.compactions.list(given.session).await.unwrap().points.len(), 1);
    let seen = given.app.sessions.get(given.session).await.unwrap();
    assert!(seen.waiting.iter().all(|it| !it.for_box), "nothing was given back");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_estimate_says_due_what_the_gate_would_do_with_the_draft_and_nothing_else() {
    // Compacts above 18,000, and has no room for an answer above 45,000.
    let given = with_window("summarize", 60_000).await;
    let estimate = async |words: usize| {
        let draft = message(&"loom ".repeat(words));
        given.app.context.estimate(given.session, draft).await.unwrap()
    };
    assert_eq!(estimate(1_000).await.due, None);
    let found = estimate(20_000).await;
    let Some(Forecast::Stuck { floor, limit: 18_000, instead: None }) = found.due else {
        panic!("{:?}", found.due)
    };
    assert_eq!((floor, found.acts_at), (found.used.tokens, None), "nothing can be covered");
    let past = estimate(50_000).await;
    let Some(Forecast::Stuck { limit: 45_000, instead: None, .. }) = past.due else {
        panic!("{:?}", past.due)
    };
    assert_eq!(past.acts_at, None);
    given.model.says([Say::words("Noted.")]);
    for _ in 0..4 {
        given.send(&"loom ".repeat(4_000)).await.unwrap();
    }
    let found = estimate(4_000).await;
    assert_eq!((found.due, found.acts_at), (Some(Forecast::Compaction {}), Some(18_000)));
    given.fails(CompactionFailure::NotShorter).await;
    given.fails(CompactionFailure::CutOff).await;
    assert_eq!(estimate(4_000).await.due, None, "it waits for the person");
}
