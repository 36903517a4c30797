//! W06: a file that is read again and again, in the requests as the server recorded them.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use skein_context::health::superseded_reads::SupersededRead;
use skein_domain::draft::Draft;
use skein_domain::message::{ContentPart, ToolState};
use skein_domain::session::SessionOverride;

use crate::scenario::{Say, Scenario, under};

/// A conversation with enough to compact, whose old tool calls leave with a compaction.
async fn long_conversation() -> Scenario {
    let scenario = under("summarize").await;
    let scenario = scenario.configured(|settings| {
        settings["context"]["toolCleaning"] = json!("atCompaction");
    });
    let scenario = scenario.await;
    let long = "The shuttle crosses the warp and the reed beats it home. ".repeat(320);
    scenario.send(&long).await.unwrap();
    scenario
}

impl Scenario {
    async fn chooses(&self, folder: &Path) {
        let chosen = SessionOverride::Folder(Some(folder.display().to_string()));
        self.app.sessions.set_override(self.session, chosen).await.unwrap();
    }

    async fn is_compacted(&self) {
        let work = self.app.compactions.compact(self.session, None, None).await.unwrap();
        work.await.unwrap().unwrap();
        self.settled().await;
    }

    /// A round in which the model reads a file of these words.
    async fn reads(&self, asks: &str, words: &str, folder: &Path) {
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
    let scenario = long_conversation().await;
    let folder = tempfile::tempdir().unwrap();
    scenario.chooses(folder.path()).await;
    scenario.reads("Read it.", "first", folder.path()).await;
    scenario.reads("And again.", "second", folder.path()).await;
    let before = scenario.sent_results();
    assert!(before[0].contains("first") && before[1].contains("second"), "{before:?}");
    assert_eq!(scenario.superseded().await, []);

    scenario.is_compacted().await;
    let left = scenario.superseded().await;
    assert_eq!(left.len(), 1);
    assert!(left[0].tokens > 200, "{left:?}");
    scenario.model.says([Say::words("Good.")]);
    scenario.send("And now?").await.unwrap();
    let after = scenario.sent_results();
    assert!(after[0].starts_with("[Left out: this file was read again below."), "{after:?}");
    assert_eq!(after[1], before[1]);
    assert!(scenario.returned_by_tools().await[0].contains("first"), "the stored result stays");
}

#[tokio::test(flavor = "multi_thread")]
async fn w06_a_read_of_the_same_path_in_another_folder_supersedes_nothing() {
    let scenario = long_conversation().await;
    let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let asked = [("first", "Read it."), ("second", "And the other.")];
    for (folder, (words, asks)) in folders.iter().zip(asked) {
        scenario.chooses(folder.path()).await;
        scenario.reads(asks, words, folder.path()).await;
    }
    scenario.is_compacted().await;
    assert_eq!(scenario.superseded().await, []);
    scenario.model.says([Say::words("Good.")]);
    scenario.send("And now?").await.unwrap();
    let sent = scenario.sent_results();
    assert!(sent[0].contains("first") && sent[1].contains("second"), "{sent:?}");
}
