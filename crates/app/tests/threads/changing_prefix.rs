//! The prefix of a session changes while it goes on.

use skein_context::health::breakdown::BreakdownMode;
use skein_domain::draft::Draft;
use skein_domain::session::SessionOverride;

use crate::scenario::{Say, Scenario, under};

impl Scenario {
    async fn instruct(&self, words: Option<&str>) {
        let instructions = SessionOverride::Instructions(words.map(str::to_owned));
        self.app.sessions.set_override(self.session, instructions).await.unwrap();
    }

    async fn tells_by_report(&self) -> (bool, bool) {
        let breakdown = self.app.context.breakdown(self.session, Draft::default()).await.unwrap();
        let health = self.app.context.health(self.session).await.unwrap();
        (matches!(breakdown.mode, BreakdownMode::Reported { .. }), health.latest.prompt.is_some())
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn law_07_a_report_is_forgotten_while_something_else_is_sent_always() {
    let given = under("summarize").await;
    given.model.says([Say::words("The large one.").at(400)]);
    given.send("Which loom is broken?").await.unwrap();
    assert_eq!(given.tells_by_report().await, (true, true));
    given.instruct(Some("Answer like a weaver.")).await;
    assert_eq!(given.tells_by_report().await, (false, false));
    given.instruct(None).await;
    assert_eq!(given.tells_by_report().await, (true, true), "it is as it was");
    given.instruct(Some("Answer like a weaver.")).await;
    given.send("And which is not?").await.unwrap();
    assert_eq!(given.tells_by_report().await, (true, true));
}
