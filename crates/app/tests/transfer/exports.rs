//! Exports contain everything, nothing secret, and nothing executable.

use std::fmt::Debug;

use serde_json::{Value, json};
use skein_app::transfers::{export, export_all, export_thread};
use skein_context::compaction::{fingerprint, is_up_to_date};
use skein_domain::compaction_point::{CompactionTrigger, SummaryWriter};
use skein_domain::draft::{Attachment, Draft};
use skein_domain::finish_reason::FinishReason;
use skein_domain::generation::{Generation, Purpose};
use skein_domain::ids::{ProviderId, SessionId};
use skein_domain::message::queued_message::QueuedMessage;
use skein_domain::message::{
    ContentPart, ImageRef, Inclusion, Message, MessageKind, MessageState, Origin, Role, ToolCall,
    ToolOutput, ToolState,
};
use skein_domain::model::{ModelRef, ReasoningEffort};
use skein_domain::reminder::ReminderScope;
use skein_domain::session::{SessionOverrides, ThreadStart};
use skein_domain::usage::TokenUsage;
use skein_store::{
    MessageParent, NewCompaction, NewMessage, NewReminder, NewSession, NewThread, ReadAccess, Store,
};
use skein_transfer::{ExportFormat, VERSION, markdown_to_html};

use crate::{NOW, import, path, session_of, store, words};

fn model() -> ModelRef {
    ModelRef { provider: ProviderId("demo".into()), model: "demo-8k".into() }
}

fn said(role: Role, parts: Vec<ContentPart>) -> NewMessage {
    NewMessage {
        parent: MessageParent::Leaf,
        kind: MessageKind::Chat {},
        role,
        origin: if role == Role::User { Origin::Person } else { Origin::Model },
        parts,
        state: MessageState::Complete {},
        model: (role == Role::Assistant).then(model),
        created_at: NOW,
    }
}

fn text(text: &str) -> ContentPart {
    ContentPart::Text { text: text.into() }
}

/// Two threads, two branches, a picture, a tool's whole output, a pin, a point, a reminder, and something
/// left out of the context.
async fn a_rich_session(store: &Store) -> SessionId {
    let session = store
        .create_session(NewSession {
            title: Some("Kites & <b>wind</b>".into()),
            model: Some(model()),
            overrides: SessionOverrides {
                instructions: Some("Be brief.".into()),
                folder: Some("/home/someone".into()),
                effort: Some(ReasoningEffort::High),
                ..SessionOverrides::default()
            },
            created_at: NOW,
        })
        .await
        .unwrap();
    let first = session.current_thread;
    store.append_message(first, said(Role::User, vec![text("an old thread")])).await.unwrap();
    let begun = NewThread {
        session: session.id,
        beginning: ThreadStart::Person {},
        notice: None,
        carried: vec![],
        end: MessageParent::Leaf,
        package: None,
        event: None,
        at: NOW + 1,
    };
    let thread = store.begin_thread(begun).await.unwrap().id;
    let blob = store.put_blob(b"\x89PNG picture".to_vec(), NOW).await.unwrap();
    let kite = ImageRef {
        blob,
        name: "kite.png".into(),
        media_type: "image/png".into(),
        width: Some(4),
        height: Some(3),
        bytes: 12,
    };
    let screen = store.put_blob(b"\x89PNG screen".to_vec(), NOW).await.unwrap();
    let shown = ImageRef { blob: screen, name: "screen".into(), ..kite.clone() };
    let image = ContentPart::Image(kite);
    let asked = said(Role::User, vec![text("What is this? 这是什么？"), image]);
    let asked = store.append_message(thread, asked).await.unwrap();
    store.set_inclusion(asked.id, Inclusion::Pinned, vec![]).await.unwrap();
    let other = said(Role::Assistant, vec![text("an answer on another branch")]);
    store.append_message(thread, other).await.unwrap();
    let whole = store.put_output(session.id, "the whole output".into(), NOW).await.unwrap();
    let call = ContentPart::Tool {
        call: ToolCall {
            call_id: "c1".into(),
            name: "read_file".into(),
            args: "{\"path\":\"a\"}".into(),
            signature: None,
            state: ToolState::Done {
                output: ToolOutput {
                    text: "the … output".into(),
                    whole: Some(whole),
                    pictures: vec![shown],
                    withheld: false,
                    folder: None,
                },
            },
        },
    };
    let answer = vec![
        ContentPart::Reasoning { text: "thinking".into(), signature: None },
        call,
        text(
            "A **kite**. <script>alert(1)</script> ![x](https://evil.example/p.png) [y](javascript:z)",
        ),
    ];
    let answer = NewMessage {
        parent: MessageParent::Under(Some(asked.id)),
        ..said(Role::Assistant, answer)
    };
    let answer = store.append_message(thread, answer).await.unwrap();
    store.set_inclusion(asked.id, Inclusion::Pinned, vec![]).await.unwrap();
    let covered = store.path_to(answer.id).await.unwrap();
    let point = NewCompaction {
        thread,
        summary: "They spoke of kites.".into(),
        starts_after: None,
        boundary: answer.id,
        end: MessageParent::Leaf,
        before: 900,
        after: 90,
        covered: 2,
        fingerprint: fingerprint(&covered),
        unread: vec![asked.id],
        replaces: None,
        builds_on: None,
        facts: "kite.png".into(),
        encrypted: None,
        trigger: CompactionTrigger::Manual,
        model: Some(model()),
        writer: SummaryWriter::Skein,
        created_at: NOW,
    };
    let point = store.add_point(point).await.unwrap();
    let thanks = said(Role::User, vec![text("thanks")]);
    let thanks = store.append_message(thread, thanks).await.unwrap();
    store.set_inclusion(thanks.id, Inclusion::LeftOut, vec![]).await.unwrap();
    let generation = Generation {
        message_id: Some(answer.id),
        place: Some(1),
        point: Some(point.id),
        prefix: None,
        purpose: Purpose::Reply,
        model: model(),
        usage: TokenUsage { prompt: Some(12), ..TokenUsage::default() },
        health: None,
        finish: Some(FinishReason::Stop),
        started_at: NOW,
        duration_ms: 5,
        unmentioned: None,
    };
    store.add_generation(thread, generation).await.unwrap();
    let reminder = NewReminder {
        content: "buy string".into(),
        scope: ReminderScope::Session { session_id: session.id },
        origin: Origin::Person,
        continuation: false,
        level: None,
        created_at: NOW,
    };
    store.add_reminder(reminder).await.unwrap();
    let photo = store.put_blob(b"\x89PNG unsent".to_vec(), NOW).await.unwrap();
    let photo = Attachment::Image(ImageRef {
        blob: photo,
        name: "unsent.png".into(),
        media_type: "image/png".into(),
        width: None,
        height: None,
        bytes: 11,
    });
    for words in ["and then?", "and after that?"] {
        let photo = photo.clone().part(String::new());
        store.queue_message(session.id, vec![text(words), photo], NOW).await.unwrap();
    }
    let draft = Draft { text: "half a thou".into(), attachments: vec![photo] };
    store.set_draft(session.id, draft, None, NOW).await.unwrap();
    session.id
}

/// A session as the window sees it, without its ids.
async fn seen(store: &Store, session: SessionId) -> String {
    let mut seen = Vec::new();
    let it = store.session(session).await.unwrap();
    seen.push(format!(
        "{:?} {:?} {:?} {}",
        it.title, it.model, it.overrides.instructions, it.created_at
    ));
    for thread in store.threads(session).await.unwrap() {
        seen.push(format!("{} {:?} {:?}", thread.number, thread.beginning, thread.ended_at));
        let path = store.path_ids(thread.id).await.unwrap();
        let place = |id| path.iter().position(|it| *it == id);
        for message in store.all_messages(thread.id).await.unwrap() {
            let Message { kind, role, origin, parts, state, inclusion, model, .. } = message;
            let at = (place(message.id), message.parent_id.and_then(place));
            let parts = without_ids(&parts);
            seen.push(format!(
                "{at:?} {kind:?} {role:?} {origin:?} {parts} {state:?} {inclusion:?} {model:?}"
            ));
        }
        for point in store.points(thread.id).await.unwrap() {
            let covered = store.path_to(point.boundary_message_id).await.unwrap();
            let holds = fingerprint(&covered) == point.fingerprint;
            let unread: Vec<_> = point.unread.into_iter().map(place).collect();
            let boundary = place(point.boundary_message_id);
            seen.push(format!("{boundary:?} {} {holds} {unread:?}", point.anchors));
        }
        for generation in store.generations(thread.id).await.unwrap() {
            let at = generation.message_id.and_then(place);
            seen.push(format!("{at:?} {} {:?}", generation.point.is_some(), generation.usage));
        }
    }
    for reminder in store.reminders(session).await.unwrap() {
        seen.push(reminder.content);
    }
    for QueuedMessage { parts, created_at, .. } in store.queued_messages(session).await.unwrap() {
        seen.push(format!("waits since {created_at}: {}", without_ids(&parts)));
    }
    let Draft { text, attachments } = store.draft(session).await.unwrap();
    seen.push(format!("draft: {text} {}", without_ids(&attachments)));
    seen.join("\n")
}

fn without_ids(parts: &[impl Debug]) -> String {
    let mut parts = format!("{parts:?}");
    for ids in ["BlobId(", "OutputId("] {
        while let Some((before, after)) = parts.split_once(ids) {
            let (_, after) = after.split_once(')').unwrap();
            parts = format!("{before}#{after}");
        }
    }
    parts
}

#[tokio::test]
async fn json_brings_everything_back_branches_points_and_pins_and_no_folder() {
    let (_folder, store) = store();
    let session = a_rich_session(&store).await;
    let file = export(&store, session, ExportFormat::Json, &words(), NOW).await.unwrap();
    assert!(!file.contains("/home/someone"));
    let before = seen(&store, session).await;

    let (_other_folder, other) = crate::store();
    other.create_session(NewSession::default()).await.unwrap();
    let reports = import(&other, "export.json", file.into_bytes(), NOW).await.unwrap();
    let copy = session_of(&reports[0]);
    assert_eq!(seen(&other, copy).await, before);
    assert!(store.has_queued_message(session).await.unwrap());
    assert!(
        !other.has_queued_message(copy).await.unwrap(),
        "what a file brings is not sent by itself"
    );
    assert_eq!(path(&other, copy).await, path(&store, session).await);
    let overrides = other.session(copy).await.unwrap().overrides;
    assert_eq!((overrides.folder, overrides.effort), (None, Some(ReasoningEffort::High)));

    let again = export(&other, copy, ExportFormat::Json, &words(), NOW).await.unwrap();
    assert!(again.contains("the whole output"));
    let Draft { attachments, .. } = other.draft(copy).await.unwrap();
    let [Attachment::Image(ImageRef { blob, .. })] = attachments[..] else { panic!("no picture") };
    assert_eq!(other.blob(blob).await.unwrap(), b"\x89PNG unsent");
}

#[tokio::test]
async fn a_file_of_an_earlier_version_says_only_what_was_pinned() {
    let (_folder, store) = store();
    let session = a_rich_session(&store).await;
    let mut file = export(&store, session, ExportFormat::Json, &words(), NOW).await.unwrap();
    for (now, before) in [("pinned", true), ("usual", false), ("leftOut", false)] {
        assert!(file.contains(&format!("\"inclusion\": \"{now}\"")), "{now}");
        file = file.replace(&format!("\"inclusion\": \"{now}\""), &format!("\"pinned\": {before}"));
    }
    let file = file.replacen(&format!("\"version\": {VERSION}"), "\"version\": 3", 1);
    let reports = import(&store, "export.json", file.into_bytes(), NOW).await.unwrap();
    let copy = store.session(session_of(&reports[0])).await.unwrap().current_thread;
    let messages = store.all_messages(copy).await.unwrap();
    let of = |inclusion| messages.iter().filter(|it| it.inclusion == inclusion).count();
    assert_eq!((of(Inclusion::Pinned), of(Inclusion::LeftOut)), (1, 0));
}

#[tokio::test]
async fn of_a_file_that_does_not_say_what_a_summary_was_not_made_of_its_pins_were_not_read() {
    let (_folder, store) = store();
    let session = a_rich_session(&store).await;
    let file = export(&store, session, ExportFormat::Json, &words(), NOW).await.unwrap();
    let mut file: Value = serde_json::from_str(&file).unwrap();
    file["version"] = json!(5);
    for thread in file["conversation"]["threads"].as_array_mut().unwrap() {
        for point in thread["points"].as_array_mut().unwrap() {
            assert!(point.as_object_mut().unwrap().remove("unread").is_some());
        }
    }
    let reports = import(&store, "5.json", file.to_string().into_bytes(), NOW).await.unwrap();
    let copy = store.session(session_of(&reports[0])).await.unwrap().current_thread;
    let pinned = store.all_messages(copy).await.unwrap();
    let pinned = pinned.iter().find(|it| it.is_pinned()).unwrap().id;
    let point = store.points(copy).await.unwrap().remove(0);
    assert_eq!(point.unread, [pinned]);

    let covered = store.path_to(point.boundary_message_id).await.unwrap();
    assert!(is_up_to_date(&point.fingerprint, &point.unread, &covered));
    store.set_inclusion(pinned, Inclusion::Usual, vec![]).await.unwrap();
    let covered = store.path_to(point.boundary_message_id).await.unwrap();
    assert!(!is_up_to_date(&point.fingerprint, &point.unread, &covered), "it says nothing of it");
}

#[tokio::test]
async fn a_file_whose_messages_were_turned_round_comes_as_the_same_trees_with_the_same_points() {
    let (_folder, store) = store();
    let session = a_rich_session(&store).await;
    let file = export(&store, session, ExportFormat::Json, &words(), NOW).await.unwrap();
    let mut file: Value = serde_json::from_str(&file).unwrap();
    for thread in file["conversation"]["threads"].as_array_mut().unwrap() {
        thread["messages"].as_array_mut().unwrap().reverse();
    }
    let reports = import(&store, "round.json", file.to_string().into_bytes(), NOW).await.unwrap();
    let copy = session_of(&reports[0]);
    assert_eq!(path(&store, copy).await, path(&store, session).await);
    let thread = store.session(copy).await.unwrap().current_thread;
    for point in store.points(thread).await.unwrap() {
        let covered = store.path_to(point.boundary_message_id).await.unwrap();
        assert!(is_up_to_date(&point.fingerprint, &point.unread, &covered));
    }
    assert_eq!(store.points(thread).await.unwrap().len(), 1);
}

#[tokio::test]
async fn a_session_in_which_nothing_was_sent_yet_comes_back_with_what_was_written() {
    let (_folder, store) = store();
    let session = store.create_session(NewSession::default()).await.unwrap().id;
    let draft = Draft { text: "half a thou".into(), attachments: vec![] };
    store.set_draft(session, draft.clone(), None, NOW).await.unwrap();
    let file = export(&store, session, ExportFormat::Json, &words(), NOW).await.unwrap();
    let reports = import(&store, "export.json", file.into_bytes(), NOW).await.unwrap();
    assert_eq!(store.draft(session_of(&reports[0])).await.unwrap(), draft);
}

#[tokio::test]
async fn the_thread_that_was_gone_back_to_is_the_one_that_leaves_and_comes_back() {
    let (_folder, store) = store();
    let session = a_rich_session(&store).await;
    let second = store.session(session).await.unwrap().current_thread;
    let first = store.undo_thread(second, NOW + 2).await.unwrap();
    let before = seen(&store, session).await;

    let read = export(&store, session, ExportFormat::Markdown, &words(), NOW).await.unwrap();
    assert!(read.contains("an old thread") && !read.contains("What is this?"), "{read}");
    let file = export(&store, session, ExportFormat::Json, &words(), NOW).await.unwrap();
    let reports = import(&store, "export.json", file.into_bytes(), NOW).await.unwrap();
    let copy = session_of(&reports[0]);
    assert_eq!(seen(&store, copy).await, before);
    assert_eq!(path(&store, copy).await, ["an old thread"]);
    let current = store.session(copy).await.unwrap().current_thread;
    assert_eq!(store.thread(current).await.unwrap().number, first.number);
}

#[tokio::test]
async fn p04_one_thread_leaves_whole_with_its_pictures_and_outputs_and_nothing_unsent() {
    let (_folder, store) = store();
    let session = a_rich_session(&store).await;
    let thread = store.session(session).await.unwrap().current_thread;
    let file = export_thread(&store, thread, NOW).await.unwrap();
    for left_out in ["an old thread", "half a thou", "and after that?", "/home/someone"] {
        assert!(!file.contains(left_out), "{left_out}");
    }

    let (_other_folder, other) = crate::store();
    let reports = import(&other, "1_2.json", file.into_bytes(), NOW).await.unwrap();
    let copy = session_of(&reports[0]);
    let copied = other.session(copy).await.unwrap().current_thread;
    let before = store.all_messages(thread).await.unwrap();
    let after = other.all_messages(copied).await.unwrap();
    let parts = |messages: &[Message]| {
        messages.iter().map(|message| without_ids(&message.parts)).collect::<Vec<_>>()
    };
    assert_eq!(parts(&after), parts(&before));
    let mut found = Vec::new();
    for part in after.iter().flat_map(|message| message.parts.iter()) {
        match part {
            ContentPart::Image(ImageRef { blob, .. }) => {
                found.push(String::from_utf8_lossy(&other.blob(*blob).await.unwrap()).into_owned());
            }
            ContentPart::Tool { call } => {
                let ToolState::Done { output } = &call.state else { panic!("{call:?}") };
                for picture in &output.pictures {
                    found.push(
                        String::from_utf8_lossy(&other.blob(picture.blob).await.unwrap())
                            .into_owned(),
                    );
                }
                found.push(
                    other.output(copy, output.whole.unwrap().id, ReadAccess::User).await.unwrap(),
                );
            }
            _ => {}
        }
    }
    assert_eq!(found, ["\u{fffd}PNG picture", "\u{fffd}PNG screen", "the whole output"]);
    assert_eq!(other.points(copied).await.unwrap().len(), 1);
    assert_eq!(other.reminders(copy).await.unwrap().len(), 1);
}

#[tokio::test]
async fn everything_leaves_as_one_archive_and_comes_back() {
    let (_folder, store) = store();
    let sessions = [a_rich_session(&store).await, a_rich_session(&store).await];
    let (from, runtime) = (store.clone(), tokio::runtime::Handle::current());
    let archive = tokio::task::spawn_blocking(move || {
        let mut file = std::io::Cursor::new(Vec::new());
        export_all(&from, &runtime, &sessions, NOW, &mut file, || true).map(|()| file.into_inner())
    });
    let archive = archive.await.unwrap().unwrap();

    let (_other_folder, other) = crate::store();
    let reports = import(&other, "skein.zip", archive, NOW).await.unwrap();
    for (report, session) in reports.iter().zip(sessions) {
        assert_eq!(seen(&other, session_of(report)).await, seen(&store, session).await);
    }
    assert_eq!(reports.len(), 2);
}

#[tokio::test]
async fn a_file_cannot_choose_the_folder_that_tools_may_touch() {
    let (_folder, store) = store();
    let session = a_rich_session(&store).await;
    let file = export(&store, session, ExportFormat::Json, &words(), NOW).await.unwrap();
    let file = file.replacen("\"folder\": null", "\"folder\": \"/\"", 1);
    assert!(file.contains("\"folder\": \"/\""));
    let reports = import(&store, "export.json", file.into_bytes(), NOW).await.unwrap();
    let copy = store.session(session_of(&reports[0])).await.unwrap();
    assert_eq!(copy.overrides.folder, None);
}

#[tokio::test]
async fn markdown_reads_as_a_conversation() {
    let (_folder, store) = store();
    let session = a_rich_session(&store).await;
    let file = export(&store, session, ExportFormat::Markdown, &words(), NOW).await.unwrap();
    insta::assert_snapshot!(file);
}

#[tokio::test]
async fn html_needs_nothing_and_runs_nothing() {
    let (_folder, store) = store();
    let session = a_rich_session(&store).await;
    let page = export(&store, session, ExportFormat::Html, &words(), NOW).await.unwrap();
    for gone in ["<script", "evil.example", "javascript:", "<b>wind", "/home/someone"] {
        assert!(!page.contains(gone), "{gone}");
    }
    for kept in [
        "Kites &amp; &lt;b&gt;wind",
        "<strong>kite</strong>",
        "&lt;script&gt;",
        "data:image/png;base64,",
        "这是什么？",
        "They spoke of kites.",
        "default-src 'none'",
    ] {
        assert!(page.contains(kept), "{kept}");
    }
    assert!(!page.contains("an answer on another branch"));
}

#[test]
fn what_is_copied_is_formatted_from_its_markdown_and_never_from_html_in_it() {
    let text = "**Wool** and `warp`\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n<script>run()</script>\n\n\
                <img src=x onerror=run()> [go](javascript:run()) ![far](https://evil.example/x.png)";
    let html = markdown_to_html(text);
    for kept in
        ["<meta charset=\"utf-8\">", "<strong>Wool</strong>", "<code>warp</code>", "<td>1</td>"]
    {
        assert!(html.contains(kept), "{kept}: {html}");
    }
    for gone in ["<script", "<img", "javascript:", "evil.example"] {
        assert!(!html.contains(gone), "{gone}: {html}");
    }
}

#[tokio::test]
async fn what_has_no_title_is_exported_under_its_first_words_and_arrives_without_one() {
    let (_folder, store) = store();
    let session = store.create_session(NewSession::default()).await.unwrap();
    store
        .append_message(session.current_thread, said(Role::User, vec![text("Which wool?")]))
        .await
        .unwrap();
    let markdown = export(&store, session.id, ExportFormat::Markdown, &words(), NOW).await.unwrap();
    assert!(markdown.contains("# Which wool?"), "{markdown}");
    let html = export(&store, session.id, ExportFormat::Html, &words(), NOW).await.unwrap();
    assert!(html.contains("<title>Which wool?</title>"), "{html}");
    let json = export(&store, session.id, ExportFormat::Json, &words(), NOW).await.unwrap();
    assert!(json.contains("\"title\": null"), "{json}");
}
