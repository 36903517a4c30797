//! Search: every language, every kind of text, no operator, nothing that is gone.

use skein_domain::message::{
    ContentPart, Inclusion, MessageKind, Origin, Role, ToolCall, ToolOutput, ToolState,
};
use skein_domain::session::ThreadStart;
use skein_store::{
    MatchMode, MessageLocation, MessageParent, NewMessage, NewSession, NewThread, ReadAccess,
    SearchHit, SearchQuery, SnippetPiece, Store,
};
use tempfile::TempDir;

use crate::scenario::{NOW, Scenario, a_session, old_database, said};

fn query(text: &str) -> SearchQuery {
    SearchQuery {
        text: text.into(),
        session: None,
        thread: None,
        matching: MatchMode::All,
        reader: ReadAccess::User,
        limit: 20,
        margin: 12,
    }
}

async fn found(store: &Store, query: SearchQuery) -> Vec<String> {
    let hits = store.search(query).await.unwrap();
    hits.iter().map(|hit| words(&hit.excerpt)).collect()
}

fn words(excerpt: &[SnippetPiece]) -> String {
    excerpt.iter().map(|piece| piece.text.as_str()).collect()
}

async fn given_texts(texts: &[&str]) -> Scenario {
    let given = a_session().await;
    for text in texts {
        given.says(Role::User, text).await;
    }
    given
}

#[tokio::test]
async fn a_hit_says_where_to_jump_and_what_was_found() {
    let given = given_texts(&["nothing here", "The Kite flew over the old harbour wall"]).await;
    let path = given.store.path_ids(given.thread()).await.unwrap();
    let hits = given.store.search(query("kite")).await.unwrap();
    let piece = |text: &str, found| SnippetPiece { text: text.into(), found };
    assert_eq!(
        hits,
        [SearchHit {
            session_id: given.session.id,
            session_name: Some("nothing here".into()),
            place: Some(MessageLocation {
                thread_id: given.thread(),
                thread_number: 1,
                message_id: path[1],
                message_number: 2,
                role: Role::User,
                origin: Origin::Person,
                at: NOW,
            }),
            excerpt: vec![piece("The ", false), piece("Kite", true), piece(" flew over t…", false)],
        }]
    );
}

#[tokio::test]
async fn chinese_is_found_by_any_run_of_characters_however_short() {
    let given = given_texts(&["数据库的端口是五四三二", "我喜欢端午节", "port 5432"]).await;
    assert_eq!(found(&given.store, query("数据库")).await, ["数据库的端口是五四三二"]);
    assert_eq!(found(&given.store, query("端口")).await, ["数据库的端口是五四三二"]);
    assert_eq!(found(&given.store, query("端")).await, ["我喜欢端午节", "数据库的端口是五四三二"]);
    assert_eq!(found(&given.store, query("数据库 五四")).await, ["数据库的端口是五四三二"]);
    let asked =
        SearchQuery { matching: MatchMode::Any, ..query("请问数据库端口是多少？") };
    assert_eq!(found(&given.store, asked).await, ["数据库的端口是五四三二"]);
}

#[tokio::test]
async fn all_words_must_be_there_and_quoted_ones_together() {
    let given = given_texts(&["red boat, blue sail", "blue boat, red sail"]).await;
    assert_eq!(found(&given.store, query("boat blue")).await.len(), 2);
    assert_eq!(found(&given.store, query("\"blue boat\"")).await, ["blue boat, red sail"]);
    assert_eq!(found(&given.store, query("boat green")).await, Vec::<String>::new());
    let any = SearchQuery { matching: MatchMode::Any, ..query("boat green") };
    assert_eq!(found(&given.store, any).await.len(), 2);
}

#[tokio::test]
async fn what_is_left_out_of_the_context_is_found_by_the_person_alone() {
    let given = given_texts(&["red boat", "red sail", "船"]).await;
    let path = given.store.path_ids(given.thread()).await.unwrap();
    for at in [0, 2] {
        given.store.set_inclusion(path[at], Inclusion::LeftOut, vec![]).await.unwrap();
    }
    for (text, person, model) in [("red", 2, 1), ("船", 1, 0)] {
        for (reader, expected) in [(ReadAccess::User, person), (ReadAccess::Model, model)] {
            let asked = SearchQuery { reader, matching: MatchMode::Any, ..query(text) };
            assert_eq!(found(&given.store, asked).await.len(), expected, "{text} {reader:?}");
        }
    }
}

#[tokio::test]
async fn no_character_of_a_query_is_an_operator() {
    let given = given_texts(&["100% of a_b \\ \"quoted\" NEAR(x) OR rowid:1 * ^ - it's"]).await;
    for text in [
        "100%", "a_b", "\\", "\"", "\"\"", "NEAR(x", "OR rowid", "rowid:1", "*", "^", "-", "it's",
        "%",
    ] {
        for matching in [MatchMode::All, MatchMode::Any] {
            given.store.search(SearchQuery { matching, ..query(text) }).await.unwrap();
        }
    }
    for text in ["100%", "a_b", "\\", "NEAR(x", "rowid:1", "it's", "%", "*"] {
        assert_eq!(found(&given.store, query(text)).await.len(), 1, "{text}");
    }
    for text in ["axb", "10_", "", "  ", "\u{0}"] {
        assert_eq!(found(&given.store, query(text)).await.len(), 0, "{text}");
    }
}

#[tokio::test]
async fn files_tool_outputs_and_the_whole_of_what_was_cut_are_found_reasoning_is_not() {
    let given = a_session().await;
    let blob = given.store.put_blob(vec![0], NOW).await.unwrap();
    let long = format!("{}a needle in here {}", "hay ".repeat(5_000), "hay ".repeat(5_000));
    let whole = given.store.put_output(given.session.id, long, NOW).await.unwrap();
    let parts = vec![
        ContentPart::Reasoning { text: "secret musings".into(), signature: None },
        ContentPart::File {
            blob,
            name: "notes.txt".into(),
            media_type: "text/plain".into(),
            text: "the ledger of ships".into(),
            bytes: 1,
        },
        ContentPart::Tool {
            call: ToolCall {
                call_id: "c".into(),
                name: "read".into(),
                args: "{}".into(),
                signature: None,
                state: ToolState::Done {
                    output: ToolOutput {
                        text: "hay … hay".into(),
                        whole: Some(whole),
                        pictures: Vec::new(),
                        withheld: false,
                        folder: None,
                    },
                },
            },
        },
    ];
    let new = NewMessage { parts, ..said(Role::Assistant, "") };
    given.store.append_message(given.thread(), new).await.unwrap();
    assert_eq!(found(&given.store, query("ledger")).await, ["the ledger of ships"]);
    assert_eq!(found(&given.store, query("needle")).await, ["…y hay hay a needle in here hay…"]);
    assert_eq!(found(&given.store, query("musings")).await, Vec::<String>::new());
}

#[tokio::test]
async fn the_index_follows_every_change_and_what_is_gone_is_not_found() {
    let given = given_texts(&["first wording", "second wording"]).await;
    let path = given.store.path_ids(given.thread()).await.unwrap();
    given.store.edit_summary(path[0], "another phrase".into(), None).await.unwrap();
    assert_eq!(found(&given.store, query("first")).await, Vec::<String>::new());
    assert_eq!(found(&given.store, query("another")).await, ["another phrase"]);
    let deletion = given.store.delete_message(path[1], NOW).await.unwrap();
    assert_eq!(found(&given.store, query("wording")).await, Vec::<String>::new());
    given.store.undo_deletion(deletion).await.unwrap();
    assert_eq!(found(&given.store, query("wording")).await, ["second wording"]);
    given.store.delete_sessions(vec![given.session.id], NOW).await.unwrap();
    assert_eq!(found(&given.store, query("wording")).await, Vec::<String>::new());
    given.store.purge(NOW + 1, vec![]).await.unwrap();
    assert_eq!(found(&given.store, query("wording")).await, Vec::<String>::new());
}

#[tokio::test]
async fn a_search_in_a_session_finds_its_archived_threads_and_no_other_session() {
    let given = given_texts(&["a word from before"]).await;
    let other = NewSession { title: Some("A word".into()), ..NewSession::default() };
    let other = given.store.create_session(other).await.unwrap();
    let elsewhere = said(Role::User, "a word from elsewhere");
    given.store.append_message(other.current_thread, elsewhere).await.unwrap();
    let begun = NewThread {
        session: given.session.id,
        beginning: ThreadStart::Person {},
        notice: None,
        carried: vec![],
        end: MessageParent::Leaf,
        package: None,
        event: None,
        at: NOW,
    };
    let begun = given.store.begin_thread(begun).await.unwrap();
    given.store.append_message(begun.id, said(Role::User, "a word from now")).await.unwrap();

    let here = SearchQuery { session: Some(given.session.id), margin: 40, ..query("word") };
    let mut hits = found(&given.store, here).await;
    hits.sort();
    assert_eq!(hits, ["a word from before", "a word from now"]);
    // In one thread, even if the other alone would fill the list; also for a word too short for
    // the index.
    for text in ["word", "a"] {
        let (session, thread) = (Some(given.session.id), Some(given.session.current_thread));
        let there = SearchQuery { session, thread, limit: 1, margin: 40, ..query(text) };
        assert_eq!(found(&given.store, there).await, ["a word from before"], "{text}");
    }
    let everywhere = given.store.search(SearchQuery { margin: 40, ..query("word") }).await.unwrap();
    assert_eq!(everywhere[0].place, None, "titles come first");
    assert_eq!(everywhere.len(), 4);
}

#[tokio::test]
async fn many_titles_hide_no_message() {
    let given = given_texts(&["the harbour at dawn"]).await;
    for number in 0..30 {
        let title = Some(format!("Harbour {number}"));
        given.store.create_session(NewSession { title, ..NewSession::default() }).await.unwrap();
    }
    let hits = given.store.search(query("harbour")).await.unwrap();
    let spoken = hits.iter().position(|hit| hit.place.is_some());
    assert_eq!((hits.len(), spoken), (20, Some(7)), "the other titles come after what was said");
}

/// A history in one session, oldest message first, in the state before an update.
fn given_history(texts: &[String]) -> (TempDir, Store) {
    let texts: Vec<_> = texts.iter().map(String::as_str).collect();
    let (folder, places) = old_database(&texts);
    (folder, Store::open(&places, NOW).unwrap())
}

/// More messages than are read for one word.
fn many(text: impl Fn(usize) -> String) -> Vec<String> {
    (0..3_000).map(text).collect()
}

async fn asked(store: &Store, text: &str) -> Vec<String> {
    let query = SearchQuery { matching: MatchMode::Any, margin: 400, limit: 3, ..query(text) };
    found(store, query).await
}

#[tokio::test]
async fn of_a_question_the_text_with_its_rare_word_comes_first_however_old() {
    let mut texts = many(|at| format!("harbour lantern captain {at}"));
    texts[0] = "the zeppelin".into();
    let (_folder, store) = given_history(&texts);
    let hits = asked(&store, "harbour lantern zeppelin captain").await;
    assert_eq!(hits.len(), 3);
    assert_eq!(hits[0], "the zeppelin");
}

#[tokio::test]
async fn a_question_finds_words_of_two_characters_and_behind_an_apostrophe() {
    let given = given_texts(&["晓锋改带吊床", "多多的课改到周四", "Atelier photo : salle 4"]).await;
    assert_eq!(asked(&given.store, "露营晓锋带什么").await[0], "晓锋改带吊床");
    assert_eq!(asked(&given.store, "où a lieu l'atelier").await, ["Atelier photo : salle 4"]);
}

#[tokio::test]
async fn what_is_repeated_with_other_digits_comes_behind_what_is_not() {
    let mut texts: Vec<String> = (0..20).map(|at| format!("lantern lantern {}", at + 10)).collect();
    texts.insert(0, "the lantern of the harbour stands at the end of the pier".into());
    let (_folder, store) = given_history(&texts);
    let hits = asked(&store, "lantern").await;
    assert_eq!(hits, ["lantern lantern 29", texts[0].as_str(), "lantern lantern 28"]);
}

#[tokio::test]
async fn of_a_question_in_common_words_the_text_that_holds_them_all_comes_first_however_old() {
    const WORDS: [&str; 2] = ["harbour", "lantern"];
    let mut texts = many(|at| format!("{} {at} and so on", WORDS[at % 2]));
    texts[0] = "a lantern in the harbour of 1812, when it was still dark there".into();
    let (_folder, store) = given_history(&texts);
    let hits = asked(&store, "which lantern stood in the harbour").await;
    assert_eq!(hits[0], texts[0]);
}

#[tokio::test]
async fn what_is_said_more_often_in_fewer_words_comes_first_and_the_rarer_word_weighs_more() {
    let given = given_texts(&[
        "a kite, and then much else that has nothing to do with one",
        "kite by kite by kite",
        "a boat",
        "a kite",
    ])
    .await;
    let wide = SearchQuery { margin: 400, ..query("kite") };
    assert_eq!(
        found(&given.store, wide).await,
        [
            "kite by kite by kite",
            "a kite",
            "a kite, and then much else that has nothing to do with one"
        ]
    );
    assert_eq!(asked(&given.store, "kite boat").await[0], "a boat");
}

#[tokio::test]
async fn a_word_in_every_message_finds_the_newest_of_them() {
    let (_folder, store) = given_history(&many(|at| format!("harbour {at}")));
    let newest: Vec<_> = (0..3).map(|back| format!("harbour {}", 2_999 - back)).collect();
    let wide = SearchQuery { limit: 3, margin: 400, ..query("harbour") };
    assert_eq!(found(&store, wide).await, newest);
    assert_eq!(asked(&store, "harbour").await, newest);
}

#[tokio::test]
async fn a_phrase_is_found_where_each_or_none_of_its_parts_stands_everywhere() {
    let mut texts = many(|at| format!("near mile {at} the ship was seen by the anchor near"));
    texts[0] = "it was not near was seen at all".into();
    texts[1] = "the ship near mile 7 was seen by the anchor near the ship was".into();
    let (_folder, store) = given_history(&texts);
    assert_eq!(found(&store, query("\"near was seen\"")).await.len(), 1, "no part is common");
    let common = found(&store, query("\"anchor near the ship was\"")).await;
    assert_eq!(common.len(), 1, "one part is rare: {common:?}");
    let wide = SearchQuery { margin: 400, ..query("\"ship was seen by\"") };
    assert_eq!(found(&store, wide).await.len(), 20, "every part is common");
    assert_eq!(found(&store, query("\"near was ship\"")).await, Vec::<String>::new());
    assert_eq!(found(&store, query("\"was seen by\" \"not near\"")).await, Vec::<String>::new());
}

#[tokio::test]
async fn of_texts_too_long_to_be_compared_all_each_is_found() {
    let long = |at: usize| format!("kite {at} boat {}", "and so on ".repeat(50_000));
    let (_folder, store) = given_history(&(0..12).map(long).collect::<Vec<_>>());
    for matching in [MatchMode::All, MatchMode::Any] {
        let hits = store.search(SearchQuery { matching, ..query("kite boat") }).await.unwrap();
        let mut numbers: Vec<_> = hits.iter().map(|it| it.place.unwrap().message_id.0).collect();
        numbers.sort_unstable();
        assert_eq!(numbers, (1..=12).collect::<Vec<_>>());
    }
}

#[tokio::test]
async fn two_characters_are_found_in_the_oldest_message_at_its_end_and_alone_in_it() {
    let mut texts = many(|at| format!("{at} 港口"));
    texts[0] = "船上是#7".into();
    texts[1] = "#7".into();
    texts[2] = "#7 harbour".into();
    texts[3] = "Ⅶ Ñu".into();
    let (_folder, store) = given_history(&texts);
    assert_eq!(found(&store, query("#7")).await, ["#7 harbour", "#7", "船上是#7"]);
    assert_eq!(found(&store, query("#")).await, ["#7 harbour", "#7", "船上是#7"]);
    assert_eq!(found(&store, query("ñU")).await, ["Ⅶ Ñu"]);
    assert_eq!(found(&store, query("7 #7 港")).await, Vec::<String>::new());
    let latest = SearchQuery { limit: 2, ..query("港口") };
    assert_eq!(found(&store, latest).await, ["2999 港口", "2998 港口"]);
}

#[tokio::test]
async fn a_short_word_narrows_a_long_one_that_stands_everywhere() {
    let mut texts = many(|at| format!("harbour {at}"));
    texts[0] = "harbour #x".into();
    texts[1] = "elsewhere #x".into();
    let (_folder, store) = given_history(&texts);
    assert_eq!(found(&store, query("harbour #x")).await, ["harbour #x"]);
}

#[tokio::test]
async fn a_word_common_elsewhere_is_found_where_it_stands_once() {
    let (_folder, store) = given_history(&many(|at| format!("harbour {at} 港口")));
    let other = store.create_session(NewSession::default()).await.unwrap();
    store.append_message(other.current_thread, said(Role::User, "a harbour 港口")).await.unwrap();
    let first = store.sessions().await.unwrap().into_iter().find(|it| it.id != other.id).unwrap();
    store.append_message(first.current_thread, said(Role::User, "harbour 港口")).await.unwrap();
    for (text, matching) in
        [("harbour", MatchMode::All), ("harbour of", MatchMode::Any), ("港口", MatchMode::All)]
    {
        let here = SearchQuery { session: Some(other.id), matching, ..query(text) };
        assert_eq!(found(&store, here).await, ["a harbour 港口"], "{text}");
    }
}

#[tokio::test]
async fn a_deleted_session_hides_nothing_of_another() {
    let (_folder, store) = given_history(&many(|at| format!("harbour {at}")));
    let deleted = store.create_session(NewSession::default()).await.unwrap();
    for number in 0..30 {
        let text = format!("harbour {number} of another");
        store.append_message(deleted.current_thread, said(Role::User, &text)).await.unwrap();
    }
    store.delete_sessions(vec![deleted.id], NOW).await.unwrap();
    let latest = SearchQuery { limit: 1, ..query("harbour") };
    assert_eq!(found(&store, latest).await, ["harbour 2999"]);
}

#[tokio::test]
async fn a_part_that_was_emptied_is_found_by_nothing_it_said() {
    let given = given_texts(&["a word"]).await;
    let path = given.store.path_ids(given.thread()).await.unwrap();
    given.store.edit_summary(path[0], String::new(), None).await.unwrap();
    assert_eq!(found(&given.store, query("word")).await, Vec::<String>::new());
    given.store.delete_sessions(vec![given.session.id], NOW).await.unwrap();
    given.store.purge(NOW + 1, vec![]).await.unwrap();
    given.store.check_integrity().await.unwrap();
}

#[tokio::test]
async fn cards_are_not_found() {
    let given = a_session().await;
    let card = NewMessage { kind: MessageKind::Card {}, ..said(Role::User, "{\"rows\": 1}") };
    given.store.append_message(given.thread(), card).await.unwrap();
    assert_eq!(found(&given.store, query("rows")).await, Vec::<String>::new());
}

#[tokio::test]
async fn what_was_said_before_there_was_an_index_is_found_after_the_migration() {
    let (_folder, places) = old_database(&["an old 消息 here"]);
    let store = Store::open(&places, NOW).unwrap();
    assert_eq!(found(&store, query("old 消息")).await, ["an old 消息 here"]);
}

#[tokio::test]
async fn five_megabytes_in_one_message_are_kept_and_found() {
    let given = a_session().await;
    let text = format!("{}needle{}", "好 hay ".repeat(400_000), "\"\\\n ".repeat(300_000));
    let message = given.says(Role::User, &text).await;
    assert_eq!(given.store.message(message.id).await.unwrap().text(), text);
    assert_eq!(found(&given.store, query("needle")).await.len(), 1);
}
