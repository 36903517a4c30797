//! Every table, without the program around it.

use serde_json::{Value, json};
use skein_domain::ids::MessageId;
use skein_store::{QuarantineDecision, QuarantinedItem, Store};

use crate::contents::contents;
use crate::{LOOMS, NOW, OldFolder, VERSIONS, assert_same, data, expected, titled, titled_in};

#[tokio::test]
async fn every_word_of_an_old_database_is_there() {
    for version in VERSIONS {
        let old = OldFolder::of(version);
        let found = contents(&old.store()).await;
        assert_same(&found, &expected(version), version);
    }
}

#[tokio::test]
async fn and_at_the_next_start() {
    for version in VERSIONS {
        let old = OldFolder::of(version);
        drop(old.store());
        let found = contents(&old.store()).await;
        assert_same(&found, &expected(version), version);
    }
}

/// That the data holds what the tests compare: words which nobody reads from `contents.json`.
#[tokio::test]
async fn the_data_holds_a_whole_life() {
    for version in VERSIONS {
        let expected = expected(version);
        let text = expected.to_string();
        for words in [
            "看这张图, and the notes.",
            "织物：羊毛",
            "three hundred and twenty",
            "And the weft, in 厘米?",
            "the last row 末行",
            "## State now\\nThe loom is warped. 织机已经上好经线。",
            "(was 7000)",
            "\"inclusion\":\"pinned\"",
            "\"inclusion\":\"left out\"",
            "\"state\":\"interrupted\"",
            "\"state\":\"failed: ",
            "\"ended\":\"denied\"",
            " of 80000",
            "critical 0",
            "cleared by countdown, local package false",
            "archived at 90 as ",
            "first step: land it",
            "answer in verse 用诗回答",
            "尚未发送 not sent yet",
            "Queued 排队",
            "silk 丝",
            "write_file /tmp/skein-loom",
        ] {
            assert!(text.contains(words), "{version}: {words}");
        }
        let picture = std::fs::read(data(version).join("weft.png")).unwrap();
        let picture: String = picture.iter().map(|byte| format!("{byte:02x}")).collect();
        assert!(text.contains(&picture), "{version}");
    }
}

/// How the summary begins that was undone: a model's, or one that was made without.
fn undone_summary(version: &str) -> &'static str {
    match version {
        "222c0ce" => "## State now\nA second summary. 第二个摘要。",
        _ => "## What has been done\n- 7443.\n",
    }
}

async fn text(store: &Store, id: MessageId) -> String {
    store.message(id).await.unwrap().text()
}

#[tokio::test]
async fn every_compaction_is_undone_and_done_again() {
    for version in VERSIONS {
        let old = OldFolder::of(version);
        let store = old.store();
        let thread = titled(&store, LOOMS).await.current_thread;
        let before = contents(&store).await;
        assert_eq!(store.points(thread).await.unwrap().len(), 1);

        let second = store.redo_point(thread).await.unwrap();
        let summary = text(&store, second.summary_message_id).await;
        assert!(summary.starts_with(undone_summary(version)), "{version}: {summary}");
        assert_eq!(store.points(thread).await.unwrap().len(), 2);
        store.undo_point(thread, None, NOW).await.unwrap();
        assert_same(&contents(&store).await, &before, version);

        let first = store.undo_point(thread, None, NOW + 1).await.unwrap();
        assert!(first.anchors.contains("hunter-2-wool"), "{version}: {}", first.anchors);
        assert_eq!(store.points(thread).await.unwrap(), []);
        assert_eq!(store.redo_point(thread).await.unwrap(), first, "{version}");
        assert_same(&contents(&store).await, &before, version);
    }
}

/// The expected contents of a foreign database, until the user has decided on its items.
fn seized(mut contents: Value) -> Value {
    contents["grants"] = json!([]);
    for session in contents["sessions"].as_array_mut().unwrap() {
        session["folder"] = Value::Null;
        session["reminders"].as_array_mut().unwrap().retain(|it| it["everywhere"] == false);
    }
    to_composer(contents)
}

/// Queued messages become messages that only the user sends.
fn to_composer(mut contents: Value) -> Value {
    for session in contents["sessions"].as_array_mut().unwrap() {
        for it in session["waiting"].as_array_mut().unwrap() {
            it["inComposer"] = true.into();
        }
    }
    contents
}

#[tokio::test]
async fn what_an_old_database_from_elsewhere_allows_is_asked_about_and_as_it_was_after_a_yes() {
    for version in VERSIONS {
        let old = OldFolder::from_elsewhere(version);
        let store = old.store();
        let expected = expected(version);
        assert_same(&contents(&store).await, &seized(expected.clone()), version);

        let entries = store.quarantine().await.unwrap();
        let grants = entries.iter().filter_map(|it| match &it.permit {
            QuarantinedItem::Grant { tool, .. } => {
                Some(json!({ "tool": tool, "session": it.session.map(|id| id.0) }))
            }
            _ => None,
        });
        assert_eq!(Value::from_iter(grants), expected["grants"], "{version}");
        let folders = entries.iter().filter_map(|it| match &it.permit {
            QuarantinedItem::Folder { path } => Some((it.session?.0, path.as_str())),
            _ => None,
        });
        let looms = titled_in(&expected, LOOMS);
        let folder = (looms["id"].as_i64().unwrap(), looms["folder"].as_str().unwrap());
        assert_eq!(folders.collect::<Vec<_>>(), [folder], "{version}");
        let reminders = entries.iter().filter_map(|it| match &it.permit {
            QuarantinedItem::Reminder { reminder } => Some(reminder.content.as_str()),
            _ => None,
        });
        assert_eq!(reminders.collect::<Vec<_>>(), ["answer in verse 用诗回答"], "{version}");

        let ids = entries.iter().map(|it| it.id).collect();
        store.decide_quarantine(ids, QuarantineDecision::Allow).await.unwrap();
        assert_same(&contents(&store).await, &to_composer(expected), version);
    }
}
