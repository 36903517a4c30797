//! The program is killed (`kill -9`) many times, at any moment.

use std::io::{BufRead, BufReader, Read};
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use skein_context::compaction::fingerprint;
use skein_domain::compaction_point::{CompactionTrigger, SummaryWriter};
use skein_domain::message::{
    ContentPart, Message, MessageState, Origin, Role, ToolCall, ToolState,
};
use skein_domain::session::{ClearedBy, ThreadStart};
use skein_platform::paths::AppPaths;
use skein_store::{
    MessageParent, NewCompaction, NewMessage, NewSession, NewThread, PaidCall, Store, StreamChunk,
    StreamChunkKind,
};

use crate::scenario::{NOW, growing, old_database, replaces, said, text_part};
use crate::subprocess;

/// The number of kills during work, and during a migration.
const KILLS: u64 = 40;
const KILLED_MIGRATIONS: u64 = 12;

#[tokio::test(flavor = "multi_thread")]
async fn killed_at_any_moment_it_loses_no_word_of_the_person_and_leaves_nothing_half_done() {
    let folder = tempfile::tempdir().unwrap();
    let places = AppPaths::in_folder(folder.path());
    let mut sent = Vec::new();
    let mut seed = 1;
    for _ in 0..KILLS {
        let child = subprocess::command("crash::talks_until_it_is_killed", folder.path());
        let turns = random(&mut seed) % 9;
        sent.extend(killed_after(child, turns, random(&mut seed) % 40));
        let store = Store::open(&places, NOW).unwrap();
        store.check_integrity().await.unwrap();
        is_whole(&store, &sent).await;
    }
    assert!(sent.len() > 40, "it hardly came to work: {}", sent.len());
}

/// Starts a process, waits for `turns` messages and a while longer, kills it, and returns the
/// messages it had printed.
fn killed_after(mut command: std::process::Command, turns: u64, milliseconds: u64) -> Vec<String> {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let mut first = String::new();
    let mut turns = turns;
    while !first.contains("begins") || turns > 0 {
        let mut line = String::new();
        assert!(out.read_line(&mut line).unwrap() > 0, "it ended by itself");
        turns -= u64::from(line.starts_with("sent "));
        first += &line;
    }
    let reader = thread::spawn(move || {
        let mut rest = String::new();
        out.read_to_string(&mut rest).unwrap();
        rest
    });
    thread::sleep(Duration::from_millis(milliseconds));
    child.kill().unwrap();
    child.wait().unwrap();
    let said = first + &reader.join().unwrap();
    // The last line may be incomplete.
    let whole = said.rsplit_once('\n').map_or("", |(whole, _)| whole);
    whole.lines().filter_map(|line| line.strip_prefix("sent ")).map(str::to_owned).collect()
}

async fn is_whole(store: &Store, sent: &[String]) {
    let mut persons = Vec::new();
    for session in store.sessions().await.unwrap() {
        for thread in store.threads(session.id).await.unwrap() {
            let path = store.path_after(thread.id, None).await.unwrap();
            for message in &path {
                assert_ne!(message.state, MessageState::Streaming {});
                if message.state == (MessageState::Interrupted {}) {
                    assert!("word ".repeat(10_000).starts_with(&message.text()));
                }
                for part in message.parts.iter() {
                    if let ContentPart::Tool { call } = part {
                        assert!(!matches!(call.state, ToolState::Running { .. }));
                    }
                }
            }
            let said = path.iter().filter(|message| message.origin == Origin::Person);
            persons.extend(said.map(Message::text));
            for point in store.points(thread.id).await.unwrap() {
                let summary = store.message(point.summary_message_id).await.unwrap();
                assert_eq!(summary.text(), "in short");
                let covered = store.path_to(point.boundary_message_id).await.unwrap();
                assert_eq!(fingerprint(&covered), point.fingerprint);
            }
            if let (ThreadStart::Cleared { .. }, Some(notice)) = (&thread.beginning, path.first()) {
                assert_eq!(notice.text(), "cleared");
            }
        }
    }
    for text in sent {
        assert!(persons.contains(text), "lost: {text}");
    }
}

#[tokio::test]
#[ignore = "the test above runs it, and kills it"]
async fn talks_until_it_is_killed() {
    let places = AppPaths::in_folder(&subprocess::folder());
    println!("begins");
    let store = Store::open(&places, NOW).unwrap();
    let session = match store.sessions().await.unwrap().first() {
        Some(session) => session.clone(),
        None => store.create_session(NewSession::default()).await.unwrap(),
    };
    for turn in 0_u32.. {
        let thread = store.session(session.id).await.unwrap().current_thread;
        let text = format!("{} {turn}", std::process::id());
        let asked = store.append_message(thread, said(Role::User, &text)).await.unwrap();
        println!("sent {text}");
        let thread = if turn % 7 == 6 {
            let begun = NewThread {
                session: session.id,
                beginning: ThreadStart::Cleared { by: ClearedBy::Countdown },
                notice: Some(NewMessage { origin: Origin::Runtime, ..said(Role::User, "cleared") }),
                carried: vec![asked.id],
                end: MessageParent::Leaf,
                package: None,
                event: None,
                at: NOW,
            };
            store.begin_thread(begun).await.unwrap().id
        } else {
            thread
        };
        let reply = store.append_message(thread, growing()).await.unwrap();
        for _ in 0..5 {
            let chunk = StreamChunk { kind: StreamChunkKind::Text, delta: "word ".repeat(40) };
            store.append_chunks(reply.id, vec![chunk]).await.unwrap();
        }
        let parts = vec![text_part(&"word ".repeat(200)), tool()];
        let whole =
            Message { parts: parts.into(), state: MessageState::Complete {}, ..reply.clone() };
        store.finish_reply(whole, PaidCall::default()).await.unwrap();
        let cancelled = ToolState::Failed { message: "no".into() };
        store.set_tool_state(reply.id, "c".into(), cancelled).await.unwrap();
        if turn % 3 == 2 {
            let covered = store.path_to(asked.id).await.unwrap();
            let point = NewCompaction {
                thread,
                summary: "in short".into(),
                starts_after: None,
                boundary: asked.id,
                end: MessageParent::Leaf,
                before: 2,
                after: 1,
                covered: 1,
                fingerprint: fingerprint(&covered),
                unread: Vec::new(),
                replaces: replaces(&store, thread).await,
                builds_on: None,
                facts: String::new(),
                encrypted: None,
                trigger: CompactionTrigger::Threshold,
                writer: SummaryWriter::Skein,
                model: None,
                created_at: NOW,
            };
            store.add_point(point).await.unwrap();
        }
    }
}

fn tool() -> ContentPart {
    ContentPart::Tool {
        call: ToolCall {
            call_id: "c".into(),
            name: "read".into(),
            args: "{}".into(),
            signature: None,
            state: ToolState::Running { started_at: NOW },
        },
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_while_it_migrates_it_has_the_old_or_the_new_and_every_message() {
    let text = "what was said long ago, and at some length. ".repeat(20);
    let texts = vec![text.as_str(); 1_500];
    let mut seed = 7;
    for _ in 0..KILLED_MIGRATIONS {
        let (folder, places) = old_database(&texts);
        let child = subprocess::command("crash::opens_until_it_is_killed", folder.path());
        killed_after(child, 0, random(&mut seed) % 400);
        let store = Store::open(&places, NOW).unwrap();
        store.check_integrity().await.unwrap();
        let session = store.sessions().await.unwrap().remove(0);
        let path = store.path_after(session.current_thread, None).await.unwrap();
        assert!(path.len() == texts.len() && path.iter().all(|message| message.text() == text));
    }
}

#[tokio::test]
#[ignore = "the test above runs it, and kills it"]
async fn opens_until_it_is_killed() {
    let places = AppPaths::in_folder(&subprocess::folder());
    println!("begins");
    let _store = Store::open(&places, NOW).unwrap();
    thread::sleep(Duration::from_secs(60));
}

/// A pseudo-random number: different each time, and the same in each run of the test.
fn random(seed: &mut u64) -> u64 {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    *seed >> 33
}
