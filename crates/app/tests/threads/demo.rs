//! The demo model in the whole program.

use skein_domain::ids::ProviderId;
use skein_domain::model::ModelRef;

use crate::scenario::{message, under};

#[tokio::test(flavor = "multi_thread")]
async fn what_the_demo_model_reports_is_what_was_estimated_before_it_was_asked() {
    let given = under("summarize").await;
    let demo = ModelRef { provider: ProviderId("demo".into()), model: "demo-8k".into() };
    given.app.sessions.set_model(given.session, demo).await.unwrap();
    for words in ["Hello, loom.", "What did I say?"] {
        let estimated =
            given.app.context.seen_by_model(given.session, message(words)).await.unwrap();
        given.send(words).await.unwrap();
        let health = given.app.context.health(given.session).await.unwrap();
        assert_eq!(health.latest.prompt, Some(estimated.total.tokens), "{words}");
    }
}
