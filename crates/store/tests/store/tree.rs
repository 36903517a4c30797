//! A thread as a tree: paths, pages, branches, growing messages, deletions.

use std::collections::HashMap;

use rusqlite::Connection;
use skein_domain::compaction_point::CompactionPoint;
use skein_domain::error::Error;
use skein_domain::ids::{MessageId, ThreadId};
use skein_domain::message::{
    ContentPart, ImageRef, Inclusion, Message, MessageKind, MessageState, Origin, Role, ToolCall,
    ToolOutput, ToolState,
};
use skein_store::{
    DeletionId, MessageLine, MessageParent, NewMessage, PaidCall, ReadAccess, StreamChunk,
    StreamChunkKind,
};

use crate::scenario::{
    NOW, Scenario, a_session, growing, new_point, old_database, open, said, said_under, text_part,
};

#[tokio::test]
async fn pages_read_the_path_backwards_and_meet_without_gap_or_overlap() {
    let given = a_session().await;
    for number in 0..25 {
        given.says(Role::User, &number.to_string()).await;
    }
    let mut seen = Vec::new();
    let ids = given.store.path_ids(given.thread()).await.unwrap();
    let mut last = ids.last().copied();
    while last.is_some() {
        let page = given.store.transcript_page(given.thread(), last, 10).await.unwrap();
        seen.splice(0..0, page.messages.iter().map(|entry| entry.message.text()));
        last = page.messages[0].message.parent_id;
    }
    let expected: Vec<_> = (0..25).map(|number| number.to_string()).collect();
    assert_eq!(seen, expected);

    let middle = given.store.transcript_page(given.thread(), Some(ids[9]), 3).await.unwrap();
    let texts: Vec<_> = middle.messages.iter().map(|entry| entry.message.text()).collect();
    assert_eq!(texts, ["7", "8", "9"]);
}

#[tokio::test]
async fn an_edit_makes_a_sibling_and_stepping_back_shows_the_newest_end_of_that_branch() {
    let given = a_session().await;
    let question = given.says(Role::User, "question").await;
    let answer = given.says(Role::Assistant, "answer").await;
    let more = given.says(Role::User, "more").await;
    let edited = said_under(None, Role::User, "edited question");
    let edited = given.store.append_message(given.thread(), edited).await.unwrap();
    assert_eq!(given.path().await, ["edited question"]);
    let page = given.last_page(10).await;
    assert_eq!(page.messages[0].siblings, [question.id, edited.id]);

    assert_eq!(given.store.switch_to_branch(question.id).await.unwrap(), more.id);
    assert_eq!(given.path().await, ["question", "answer", "more"]);
    let other = said_under(Some(question.id), Role::Assistant, "another answer");
    let other = given.store.append_message(given.thread(), other).await.unwrap();
    let page = given.last_page(10).await;
    let siblings: Vec<_> = page.messages.iter().map(|entry| entry.siblings.clone()).collect();
    assert_eq!(siblings, [vec![question.id, edited.id], vec![answer.id, other.id]]);
}

#[tokio::test]
async fn what_hangs_beside_the_path_moves_no_leaf_and_is_shown_where_it_was_made() {
    let given = a_session().await;
    let card = NewMessage {
        kind: MessageKind::Card {},
        origin: Origin::Runtime,
        ..said(Role::User, "{}")
    };
    let early = given.store.append_message(given.thread(), card.clone()).await.unwrap();
    let asked = given.says(Role::User, "hello").await;
    let late = given.store.append_message(given.thread(), card).await.unwrap();
    given.says(Role::Assistant, "hi").await;
    assert_eq!((early.parent_id, late.parent_id), (None, Some(asked.id)));
    assert_eq!(given.path().await, ["hello", "hi"]);
    let page = given.last_page(10).await;
    assert_eq!(page.beside, [early, late]);
    assert_eq!(page.messages[0].siblings, [asked.id]);
}

#[tokio::test]
async fn messages_are_told_from_others_by_their_first_lines_and_not_by_megabytes() {
    let given = a_session().await;
    let long = given.says(Role::User, &"all work and no play ".repeat(250_000)).await;
    let gone = given.says(Role::User, "gone").await;
    let parts = vec![text_part(" \n"), call(ToolState::Cancelled {}), text_part("not this")];
    let named = NewMessage { parts, ..said(Role::User, "") };
    let named = given.store.append_message(given.thread(), named).await.unwrap();
    let thinks = NewMessage {
        parts: vec![ContentPart::Reasoning { text: "so".into(), signature: None }],
        ..said(Role::Assistant, "")
    };
    let thinks = given.store.append_message(given.thread(), thinks).await.unwrap();
    let grows = given.store.append_message(given.thread(), growing()).await.unwrap();
    let chunk = StreamChunk { kind: StreamChunkKind::Text, delta: "so far\nso good".into() };
    given.store.append_chunks(grows.id, vec![chunk]).await.unwrap();
    given.store.set_inclusion(long.id, Inclusion::Pinned, vec![]).await.unwrap();
    given.store.delete_message(gone.id, NOW).await.unwrap();

    let ids = [&long, &gone, &named, &thinks, &grows].map(|message| message.id);
    let found = given.store.message_previews(ids.to_vec()).await.unwrap();
    let cut = "all work and no play ".chars().cycle().take(1_000).chain(['…']).collect::<String>();
    let expected = [(&long, cut.as_str()), (&named, "read"), (&thinks, ""), (&grows, "so far")];
    let expected = expected.map(|(message, words)| MessageLine {
        message_id: message.id,
        kind: MessageKind::Chat {},
        origin: message.origin,
        inclusion: if message.id == long.id { Inclusion::Pinned } else { Inclusion::default() },
        words: words.into(),
    });
    assert_eq!(found, expected);
}

#[tokio::test]
async fn a_growing_message_is_whole_at_every_moment_and_replaced_at_its_end() {
    let given = a_session().await;
    given.says(Role::User, "hello").await;
    let reply = given.store.append_message(given.thread(), growing()).await.unwrap();
    let chunk = |kind, delta: &str| StreamChunk { kind, delta: delta.into() };
    let thought = vec![chunk(StreamChunkKind::Reasoning, "so"), chunk(StreamChunkKind::Text, "Go")];
    given.store.append_chunks(reply.id, thought).await.unwrap();
    given.store.append_chunks(reply.id, vec![chunk(StreamChunkKind::Text, "od 你")]).await.unwrap();
    let grown = given.store.message(reply.id).await.unwrap();
    assert_eq!(
        *grown.parts,
        [ContentPart::Reasoning { text: "so".into(), signature: None }, text_part("Good 你")]
    );
    let last = vec![text_part("Good 你好")];
    let state = MessageState::Complete {};
    let reply = Message { parts: last.clone().into(), state: state.clone(), ..reply };
    let whole = given.store.finish_reply(reply, PaidCall::default()).await.unwrap();
    assert_eq!((whole.parts, whole.state), (last.into(), state));
}

fn call(state: ToolState) -> ContentPart {
    ContentPart::Tool {
        call: ToolCall {
            call_id: "c1".into(),
            name: "read".into(),
            args: "{}".into(),
            signature: None,
            state,
        },
    }
}

#[tokio::test]
async fn a_killed_program_leaves_an_interrupted_reply_and_cancelled_tools() {
    let given = a_session().await;
    let running = NewMessage {
        parts: vec![call(ToolState::Running { started_at: NOW })],
        ..said(Role::Assistant, "")
    };
    let called = given.store.append_message(given.thread(), running).await.unwrap();
    let reply = given.store.append_message(given.thread(), growing()).await.unwrap();
    let chunk = StreamChunk { kind: StreamChunkKind::Text, delta: "half a sen".into() };
    given.store.append_chunks(reply.id, vec![chunk]).await.unwrap();
    let folder = given.folder;
    drop(given.store);

    let store = open(folder.path());
    let reply = store.message(reply.id).await.unwrap();
    assert_eq!(reply.state, MessageState::Interrupted {});
    assert_eq!(*reply.parts, [text_part("half a sen")]);
    let called = store.message(called.id).await.unwrap();
    assert_eq!(*called.parts, [call(ToolState::Cancelled {})]);
}

#[tokio::test]
async fn every_kind_of_part_is_read_back_as_it_was_written() {
    let given = a_session().await;
    let blob = given.store.put_blob(vec![1, 2, 3], NOW).await.unwrap();
    let text = "line\n\"quoted\" \\ 数据库 🙂 \u{0} <|endoftext|>".to_owned();
    let whole = given.store.put_output(given.session.id, "all of it".into(), NOW).await.unwrap();
    assert_eq!(whole.chars, 9);
    let parts = vec![
        ContentPart::Text { text: text.clone() },
        ContentPart::Reasoning { text: text.clone(), signature: Some("sig".into()) },
        ContentPart::Image(ImageRef {
            blob,
            name: "kite.png".into(),
            media_type: "image/png".into(),
            width: Some(3),
            height: None,
            bytes: 3,
        }),
        ContentPart::File {
            blob,
            name: "notes.txt".into(),
            media_type: "text/plain".into(),
            text: text.clone(),
            bytes: 3,
        },
        call(ToolState::Done {
            output: ToolOutput {
                text,
                whole: Some(whole),
                pictures: Vec::new(),
                withheld: true,
                folder: None,
            },
        }),
    ];
    let new = NewMessage { parts: parts.clone(), ..said(Role::User, "") };
    let stored = given.store.append_message(given.thread(), new).await.unwrap();
    assert_eq!(given.store.message(stored.id).await.unwrap().parts, parts.into());
    assert_eq!(
        given.store.output(given.session.id, whole.id, ReadAccess::User).await.unwrap(),
        "all of it"
    );

    let failed = ToolState::Failed { message: "no".into() };
    given.store.set_tool_state(stored.id, "c1".into(), failed.clone()).await.unwrap();
    assert_eq!(given.store.message(stored.id).await.unwrap().parts[4], call(failed));
    assert_eq!(given.store.blob(blob).await.unwrap(), [1, 2, 3]);
    assert_eq!(given.store.put_blob(vec![1, 2, 3], NOW).await.unwrap(), blob);
}

#[tokio::test]
async fn what_is_taken_back_leaves_the_path_where_it_ended_before_and_is_put_back_at_its_end() {
    let given = a_session().await;
    let asked = given.says(Role::User, "one").await;
    given.says(Role::Assistant, "two").await;
    let before = given.says(Role::User, "three").await;
    let another = said_under(Some(asked.id), Role::Assistant, "another");
    let another = given.store.append_message(given.thread(), another).await.unwrap();
    assert_eq!(given.path().await, ["one", "another"]);
    let taken = given.store.retract_message(another.id, Some(before.id), NOW).await.unwrap();
    assert_eq!(given.path().await, ["one", "two", "three"]);
    given.store.undo_deletion(taken).await.unwrap();
    assert_eq!(given.path().await, ["one", "another"]);

    given.store.retract_message(another.id, Some(before.id), NOW).await.unwrap();
    let alone = said_under(Some(asked.id), Role::Assistant, "alone");
    let alone = given.store.append_message(given.thread(), alone).await.unwrap();
    given.store.delete_message(before.id, NOW).await.unwrap();
    given.store.retract_message(alone.id, Some(before.id), NOW).await.unwrap();
    assert_eq!(given.path().await, ["one"], "where it ended is gone meanwhile");
}

#[tokio::test]
async fn what_a_left_out_message_returned_is_the_persons_alone() {
    let given = a_session().await;
    let whole = given.store.put_output(given.session.id, "all of it".into(), NOW).await.unwrap();
    let output = ToolOutput {
        text: "all…".into(),
        whole: Some(whole),
        pictures: Vec::new(),
        withheld: false,
        folder: None,
    };
    let parts = vec![call(ToolState::Done { output })];
    let new = NewMessage { parts, ..said(Role::Assistant, "") };
    let message = given.store.append_message(given.thread(), new).await.unwrap();
    for (inclusion, expected) in [
        (Inclusion::Usual, Ok("all of it".to_owned())),
        (Inclusion::LeftOut, Err(Error::NotFound { what: "output".into() })),
        (Inclusion::Pinned, Ok("all of it".to_owned())),
    ] {
        given.store.set_inclusion(message.id, inclusion, vec![]).await.unwrap();
        assert_eq!(given.store.message(message.id).await.unwrap().inclusion, inclusion);
        let read = |reader| given.store.output(given.session.id, whole.id, reader);
        assert_eq!(read(ReadAccess::Model).await, expected, "{inclusion:?}");
        assert_eq!(read(ReadAccess::User).await, Ok("all of it".to_owned()), "{inclusion:?}");
    }
}

#[tokio::test]
async fn what_an_earlier_version_pinned_is_pinned_and_nothing_is_both_pinned_and_left_out() {
    let (folder, places) = old_database(&["one", "two"]);
    let raw = Connection::open(places.database()).unwrap();
    raw.execute("UPDATE messages SET pinned = 1 WHERE id = 2", []).unwrap();
    drop(raw);
    let store = open(folder.path());
    let path = store.path_after(ThreadId(1), None).await.unwrap();
    let inclusions: Vec<_> = path.iter().map(|message| message.inclusion).collect();
    assert_eq!(inclusions, [Inclusion::Usual, Inclusion::Pinned]);
    let raw = Connection::open(places.database()).unwrap();
    assert!(raw.execute("UPDATE messages SET left_out = 1 WHERE id = 2", []).is_err());
}

#[tokio::test]
async fn a_deleted_message_closes_its_gap_and_comes_back_into_it() {
    let given = a_session().await;
    given.says(Role::User, "one").await;
    let two = given.says(Role::Assistant, "two").await;
    given.says(Role::User, "three").await;
    let four = given.says(Role::Assistant, "four").await;
    let middle = given.store.delete_message(two.id, NOW).await.unwrap();
    assert_eq!(given.path().await, ["one", "three", "four"]);
    let end = given.store.delete_message(four.id, NOW).await.unwrap();
    assert_eq!(given.path().await, ["one", "three"]);
    given.store.undo_deletion(middle).await.unwrap();
    assert_eq!(given.path().await, ["one", "two", "three"]);
    given.store.undo_deletion(end).await.unwrap();
    assert_eq!(given.path().await, ["one", "two", "three", "four"]);
}

#[tokio::test]
async fn where_an_answer_at_the_end_is_deleted_the_one_before_it_is_shown_again() {
    let given = a_session().await;
    let asked = given.says(Role::User, "one").await;
    let first = given.says(Role::Assistant, "first").await;
    given.says(Role::User, "thanks").await;
    let parent = MessageParent::Under(Some(asked.id));
    let again = NewMessage { parent, ..said(Role::Assistant, "again") };
    let again = given.store.append_message(given.thread(), again).await.unwrap();
    assert_eq!(given.path().await, ["one", "again"]);

    let deletion = given.store.delete_message(again.id, NOW).await.unwrap();
    assert_eq!(given.path().await, ["one", "first", "thanks"]);
    given.store.undo_deletion(deletion).await.unwrap();
    assert_eq!(given.path().await, ["one", "again"]);
    given.store.switch_to_branch(first.id).await.unwrap();
    assert_eq!(given.path().await, ["one", "first", "thanks"]);
}

/// All sequences of this length.
fn sequences(of: &[usize], length: usize) -> Vec<Vec<usize>> {
    if length == 0 {
        return vec![vec![]];
    }
    let with = |first: usize| {
        let others: Vec<_> = of.iter().copied().filter(|it| *it != first).collect();
        let rest = sequences(&others, length - 1).into_iter();
        rest.map(move |rest| [vec![first], rest].concat()).collect::<Vec<_>>()
    };
    of.iter().copied().flat_map(with).collect()
}

/// The visible and sent part of a thread.
#[derive(Debug, Clone, PartialEq)]
struct Seen {
    path: Vec<String>,
    points: Vec<CompactionPoint>,
    siblings: Vec<Vec<MessageId>>,
    beside: Vec<(MessageId, Option<MessageId>)>,
}

async fn seen(given: &Scenario) -> Seen {
    let page = given.last_page(100).await;
    Seen {
        path: given.path().await,
        points: given.store.points(given.thread()).await.unwrap(),
        siblings: page.messages.into_iter().map(|entry| entry.siblings).collect(),
        beside: page.beside.into_iter().map(|message| (message.id, message.parent_id)).collect(),
    }
}

/// Deletes these messages, in order.
async fn delete(given: &Scenario, messages: &[MessageId]) -> Vec<DeletionId> {
    let mut deletions = Vec::new();
    for message in messages {
        deletions.push(given.store.delete_message(*message, NOW).await.unwrap());
    }
    deletions
}

/// A path of three messages, each with an older sibling and a newer one, and a point at each
/// message. Returns the path, and the newest sibling in the middle.
async fn branched() -> (Scenario, Vec<MessageId>) {
    let given = a_session().await;
    let (mut on_path, mut last) = (Vec::new(), Vec::new());
    for text in ["one", "two", "three"] {
        let parent = on_path.last().copied();
        let say = |text: String| {
            given.store.append_message(given.thread(), said_under(parent, Role::User, &text))
        };
        say(format!("{text}, older")).await.unwrap();
        on_path.push(say(text.into()).await.unwrap().id);
    }
    for message in &on_path {
        let new = new_point(&given, *message).await;
        given.store.add_point(new).await.unwrap();
    }
    for (at, text) in ["one", "two", "three"].into_iter().enumerate() {
        let parent = at.checked_sub(1).map(|at| on_path[at]);
        let other = said_under(parent, Role::User, &format!("{text}, last"));
        last.push(given.store.append_message(given.thread(), other).await.unwrap().id);
    }
    given.store.set_leaf(given.thread(), on_path.last().copied()).await.unwrap();
    on_path.push(last[1]);
    (given, on_path)
}

#[tokio::test]
async fn law_11_deletions_are_undone_in_any_order() {
    let (given, messages) = branched().await;
    // The expected state after each sequence of deletions.
    let mut expected = HashMap::from([(vec![], seen(&given).await)]);
    for deleted in (1..=3).flat_map(|length| sequences(&[0, 1, 2, 3], length)) {
        let chosen: Vec<_> = deleted.iter().map(|at| messages[*at]).collect();
        let places: Vec<usize> = (0..deleted.len()).collect();
        for order in sequences(&places, deleted.len()) {
            let undos = delete(&given, &chosen).await;
            let now = seen(&given).await;
            assert_eq!(*expected.entry(deleted.clone()).or_insert(now.clone()), now);
            let mut away = places.clone();
            for which in &order {
                given.store.undo_deletion(undos[*which]).await.unwrap();
                away.retain(|place| place != which);
                let left: Vec<_> = away.iter().map(|place| deleted[*place]).collect();
                assert_eq!(seen(&given).await, expected[&left], "{deleted:?} undone as {order:?}");
            }
        }
    }
}

#[tokio::test]
async fn what_was_said_and_shown_since_a_deletion_stays_where_it_is_when_that_is_undone() {
    let given = a_session().await;
    let one = given.says(Role::User, "one").await.id;
    let two = given.says(Role::User, "two").await.id;
    let three = given.says(Role::User, "three").await.id;
    let undos = delete(&given, &[three, two]).await;
    let other = given.says(Role::User, "other").await.id;
    given.store.undo_deletion(undos[0]).await.unwrap();
    assert_eq!(given.path().await, ["one", "other"]);
    given.store.undo_deletion(undos[1]).await.unwrap();
    assert_eq!(given.path().await, ["one", "other"]);
    assert_eq!(given.last_page(1).await.messages[0].siblings, [two, other]);
    given.store.switch_to_branch(two).await.unwrap();
    assert_eq!(given.path().await, ["one", "two", "three"]);
    assert_eq!(given.store.path_ids(given.thread()).await.unwrap(), [one, two, three]);
    let again = given.store.undo_deletion(undos[1]).await;
    assert_eq!(again, Err(Error::NotFound { what: "deletion".into() }));
}

#[tokio::test]
async fn a_message_that_was_deleted_is_listed_until_it_is_back_also_after_a_restart() {
    let given = a_session().await;
    given.says(Role::User, "warp\nand more").await;
    let gone = given.says(Role::Assistant, "weft").await;
    // A message retracted by the program is not among the user's deletions.
    let taken = given.says(Role::Assistant, "half").await;
    given.store.retract_message(taken.id, Some(gone.id), NOW).await.unwrap();
    let first = given.store.path_ids(given.thread()).await.unwrap()[0];
    given.store.delete_message(first, NOW).await.unwrap();
    given.store.delete_message(gone.id, NOW + 1).await.unwrap();
    let Scenario { store, session, folder, .. } = given;
    drop(store);

    let store = open(folder.path());
    let deleted = store.deleted_messages(10).await.unwrap();
    let words: Vec<_> =
        deleted.iter().map(|it| (it.words.as_str(), it.session, it.deleted_at)).collect();
    assert_eq!(words, [("weft", session.id, NOW + 1), ("warp", session.id, NOW)]);
    store.undo_deletion(deleted[0].deletion).await.unwrap();
    let deleted = store.deleted_messages(10).await.unwrap();
    assert_eq!(deleted.iter().map(|it| it.words.as_str()).collect::<Vec<_>>(), ["warp"]);
}
