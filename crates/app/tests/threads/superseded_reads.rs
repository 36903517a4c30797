//! W06: a file that is read again and again, in the requests as the server recorded them.

use std::fs;

use serde_json::{Value, json};
use skein_context::health::superseded_reads::SupersededRead;
use skein_domain::draft::Draft;
use skein_domain::message::{ContentPart, ToolState};
use skein_domain::session::SessionOverride;

use crate::scenario::{Say, Scenario, under};

impl Scenario {
    /// A round in which the model reads a file of these words.
    async fn reads(&self, asks: &str, words: &str, folder: &std::path::Path) {
        fs::write(folder.join("notes.txt"), format!("{words} {}", "wool ".repeat(200))).unwrap();
        let read = Say::call("read_file", json!({ "path": "notes.txt" }));
        self.model.says([read, Say::words("Read.")]);
        self.send(asks).await.unwrap();
        self.settled().await;
    }

    async fn superseded(&self) -> Vec<SupersededRead> {
        let reads = self.app.context.superseded_reads(self.session).await.unwrap();
        let breakdown = self.app.context.breakdown(self.session, Draft::default()).await.unwrap();
        assert_eq!(breakdown.superseded_reads, reads);
        reads
    }

    /// The stored results of tools.
    async fn returned_by_tools(&self) -> Vec<String> {
        let messages = self.messages(self.current().await).await;
        let parts = messages.iter().flat_map(|message| message.parts.iter());
        let calls = parts.filter_map(ContentPart::as_call);
        let outputs = calls.filter_map(|call| match &call.state {
            ToolState::Done { output } => Some(output.text.clone()),
            _ => None,
        });
        outputs.collect()
    }

    /// The results of tools in the last request of the conversation.
    fn sent_results(&self) -> Vec<String> {
        let asked = self.model.asked();
        let has_tools = |body: &&Value| body["tools"].is_array();
        let body = asked.iter().rfind(has_tools).unwrap();
        let messages = body["messages"].as_array().unwrap().iter();
        let results = messages.filter(|message| message["role"] == "tool");
        results.map(|message| message["content"].as_str().unwrap().to_owned()).collect()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn w06_an_earlier_read_leaves_the_request_with_a_compaction_and_not_before() {
    let given = under("summarize").await;
    let given = given.configured(|settings| {
        settings["context"]["toolCleaning"] = json!("atCompaction");
    });
    let given = given.await;
    let folder = tempfile::tempdir().unwrap();
    let chosen = SessionOverride::Folder(Some(folder.path().display().to_string()));
    given.app.sessions.set_override(given.session, chosen).await.unwrap();
    let long = "The shuttle crosses the warp and the reed beats it home. ".repeat(320);
    given.send(&long).await.unwrap();
    given.reads("Read it.", "first", folder.path()).await;
    given.reads("And again.", "second", folder.path()).await;
    let before = given.sent_results();
    assert!(before[0].contains("first") && before[1].contains("second"), "{before:?}");
    assert_eq!(given.superseded().await, []);

    let work = given.app.compactions.compact(given.session, None, None).await.unwrap();
    work.await.unwrap().unwrap();
    given.settled().await;
    let left = given.superseded().await;
    assert_eq!(left.len(), 1);
    assert!(left[0].tokens > 200, "{left:?}");
    given.model.says([Say::words("Good.")]);
    given.send("And now?").await.unwrap();
    let after = given.sent_results();
    assert!(after[0].starts_with("[Left out: this file was read again below."), "{after:?}");
    assert_eq!(after[1], before[1]);
    assert!(given.returned_by_tools().await[0].contains("first"), "the stored result stays");
}
