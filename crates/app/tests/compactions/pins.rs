//! Pinned and excluded messages in a compaction.

use skein_app::view::PinUsage;
use skein_domain::error::{CompactionFailure, Error};
use skein_domain::message::Inclusion;

use crate::scenario::{a_program, long};

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
