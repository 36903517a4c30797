//! Complete outputs and files of tools.

use rusqlite::Connection;
use skein_domain::error::Error;
use skein_domain::generation::{Generation, Purpose};
use skein_domain::ids::{OutputId, ProviderId};
use skein_domain::message::{
    ContentPart, ImageRef, Message, Role, ToolCall, ToolOutput, ToolState,
};
use skein_domain::model::ModelRef;
use skein_domain::usage::TokenUsage;
use skein_store::{NewMessage, ReadAccess};

use super::fixtures::calls;
use crate::scenario::{NOW, a_session, said};

#[tokio::test]
async fn the_whole_of_what_a_tool_said_goes_with_its_message() {
    let given = a_session().await;
    let (store, session) = (&given.store, given.session.id);
    let left = store.put_output(session, "of a call that was never stored".into(), NOW).await;
    let left = left.unwrap().id;
    let mut said = Vec::new();
    for text in ["API_KEY=never", "kept"] {
        let whole = store.put_output(session, text.into(), NOW).await.unwrap();
        let (text, pictures) = ("…".into(), Vec::new());
        let output =
            ToolOutput { text, whole: Some(whole), pictures, withheld: false, folder: None };
        said.push((calls(&given, output).await, whole.id));
    }
    let [(deleted, secret), (_, kept)] = said[..] else { panic!("two") };
    let gone = Err(Error::NotFound { what: "output".into() });

    let deletion = store.delete_message(deleted, NOW).await.unwrap();
    assert_eq!(store.output(session, secret, ReadAccess::User).await, gone);
    store.purge(NOW, vec![]).await.unwrap();
    store.undo_deletion(deletion).await.unwrap();
    assert_eq!(store.output(session, secret, ReadAccess::User).await, Ok("API_KEY=never".into()));

    store.delete_message(deleted, NOW).await.unwrap();
    store.purge(NOW + 1, vec![]).await.unwrap();
    let raw = Connection::open(given.places.database()).unwrap();
    let mut ids = raw.prepare("SELECT id FROM outputs").unwrap();
    let ids = ids.query_map([], |row| row.get(0).map(OutputId)).unwrap();
    assert_eq!(ids.collect::<rusqlite::Result<Vec<_>>>().unwrap(), [kept], "{left:?} is gone, too");
    assert_eq!(store.output(session, kept, ReadAccess::User).await, Ok("kept".into()));
}

#[tokio::test]
async fn the_bytes_of_what_a_tool_showed_stay_as_long_as_its_call() {
    let given = a_session().await;
    let blob = given.store.put_blob(vec![1, 2, 3], NOW).await.unwrap();
    let unnamed = given.store.put_blob(vec![4, 5, 6], NOW).await.unwrap();
    let picture = ImageRef {
        blob,
        name: "snapshot".into(),
        media_type: "image/png".into(),
        width: None,
        height: None,
        bytes: 3,
    };
    let output = ToolOutput {
        text: String::new(),
        whole: None,
        pictures: vec![picture],
        withheld: false,
        folder: None,
    };
    calls(&given, output).await;
    given.store.purge(NOW + 1, vec![]).await.unwrap();
    assert_eq!(given.store.blob(blob).await.unwrap(), [1, 2, 3]);
    assert!(given.store.blob(unnamed).await.is_err());
    given.store.delete_sessions(vec![given.session.id], NOW).await.unwrap();
    given.store.purge(NOW + 1, vec![]).await.unwrap();
    assert!(given.store.blob(blob).await.is_err());
}

#[tokio::test]
async fn law_07_a_report_of_a_prompt_that_held_a_withheld_output_is_forgotten() {
    let given = a_session().await;
    let (store, thread) = (&given.store, given.thread());
    let output = ToolOutput {
        text: "long".into(),
        whole: None,
        pictures: vec![],
        withheld: false,
        folder: None,
    };
    let call = |state| ToolCall {
        call_id: "c1".into(),
        name: "read_page".into(),
        args: "{}".into(),
        signature: None,
        state,
    };
    let calls = NewMessage {
        parts: vec![ContentPart::Tool { call: call(ToolState::Done { output: output.clone() }) }],
        ..said(Role::Assistant, "")
    };
    let calls = store.append_message(thread, calls).await.unwrap();
    let reported = |message: &Message, place| Generation {
        message_id: Some(message.id),
        place: Some(place),
        point: None,
        prefix: None,
        purpose: Purpose::Reply,
        model: ModelRef { provider: ProviderId("demo".into()), model: "demo-8k".into() },
        usage: TokenUsage::default(),
        health: None,
        finish: None,
        started_at: NOW,
        duration_ms: 5,
        unmentioned: None,
    };
    store.add_generation(thread, reported(&calls, 0)).await.unwrap();
    let withheld = ToolState::Done { output: ToolOutput { withheld: true, ..output } };
    let withhold = || store.withhold_output(calls.id, "c1".into(), withheld.clone());
    let place = async || store.last_reply(thread).await.unwrap().unwrap().place;
    withhold().await.unwrap();
    assert_eq!(place().await, Some(0), "it was called for after that prompt");
    let kept = store.message(calls.id).await.unwrap().parts;
    assert_eq!(kept, vec![ContentPart::Tool { call: call(withheld.clone()) }].into());

    let after = given.says(Role::Assistant, "Read.").await;
    store.add_generation(thread, reported(&after, 1)).await.unwrap();
    withhold().await.unwrap();
    assert_eq!(place().await, None);
}
