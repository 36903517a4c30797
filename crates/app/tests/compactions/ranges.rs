//! Summaries of ranges that the user chose (W01).

use std::collections::VecDeque;

use skein_app::view::TranscriptPosition;
use skein_context::compaction::ChosenRange;
use skein_domain::draft::Draft;
use skein_domain::error::{CompactionFailure, Error};
use skein_domain::ids::{MessageId, PointId};

use crate::scenario::{Scenario, a_program, is_summary};

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
