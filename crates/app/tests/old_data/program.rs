//! An old folder in the whole program but its window.

use skein_app::app::App;
use skein_app::view::TranscriptPosition;
use skein_domain::draft::Draft;
use skein_domain::message::Message;

use crate::{LOOMS, OldFolder, VERSIONS, expected, titled_in};

const SUMMARY: &str = "织机已经上好经线";
const ORIGINAL: &str = "The deploy port is 7000.";

#[tokio::test(flavor = "multi_thread")]
async fn the_program_shows_an_old_conversation_and_undoes_its_compaction() {
    for version in VERSIONS {
        let old = OldFolder::of(version);
        let app = App::open(old.paths()).unwrap();
        let expected = expected(version);
        let listed = app.sessions.list().await.unwrap();
        assert_eq!(listed.len(), expected["sessions"].as_array().unwrap().len(), "{version}");
        let id = listed.iter().find(|it| it.name.as_deref() == Some(LOOMS)).unwrap().id;
        let view = app.sessions.get(id).await.unwrap();
        assert_eq!(view.draft.text, "尚未发送 not sent yet", "{version}");
        assert_eq!(view.waiting.len(), 1, "{version}");

        let thread = view.session.current_thread;
        let page = app.messages.transcript(thread, TranscriptPosition::End {}, 500).await.unwrap();
        let shown: Vec<Message> = page.items.into_iter().map(|it| it.message).collect();
        let looms = titled_in(&expected, LOOMS);
        let path = looms["threads"][0]["path"].as_array().unwrap();
        assert!(shown.len() >= path.len(), "{version}");
        assert!(shown.iter().any(|it| it.text() == "And the weft, in 厘米?"), "{version}");
        assert!(!shown.iter().any(|it| it.text() == "And the weft?"), "{version}");
        assert!(
            !app.messages.search("纬线".into(), None, 0).await.unwrap().is_empty(),
            "{version}"
        );

        // True if the prompt has a summary of the messages, and true if it has the messages themselves.
        let told = async || {
            let prompt = app.context.seen_by_model(id, Draft::default()).await.unwrap();
            let prompt = format!("{prompt:?}");
            [SUMMARY, ORIGINAL].map(|words| prompt.contains(words))
        };
        assert_eq!(told().await, [true, false], "{version}");
        app.compactions.undo(thread, None).await.unwrap();
        assert_eq!(told().await, [false, true], "{version}");
        app.compactions.redo(thread).await.unwrap();
        assert_eq!(told().await, [true, false], "{version}");
        app.close().await;
    }
}
