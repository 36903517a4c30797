//! A point after it was written: undo, staleness, preview and comparison.

use skein_app::view::{ExcerptLength, FactStatus, TranscriptPosition};
use skein_domain::error::{CompactionFailure, Error};
use skein_domain::message::Inclusion;
use skein_store::MessageLine;

use crate::scenario::{a_program, is_summary, long};

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
