//! How hard the model of one session is asked to think.

use serde_json::{Value, json};
use skein_domain::ids::{ProviderId, SessionId};
use skein_domain::model::{ModelRef, ReasoningEffort};
use skein_domain::session::SessionOverride;

use crate::scenario::{Scenario, deaf, message, under};

/// In the catalogue as one that thinks.
const THINKER: &str = "gpt-5";

async fn uses(given: &Scenario, session: SessionId, model: &str) {
    let model = ModelRef { provider: ProviderId("p".into()), model: model.into() };
    given.app.sessions.set_model(session, model).await.unwrap();
    given.app.sessions.rename(session, "Looms".into()).await.unwrap();
}

async fn decides(given: &Scenario, session: SessionId, effort: Option<ReasoningEffort>) {
    given.app.sessions.set_override(session, SessionOverride::Effort(effort)).await.unwrap();
}

/// How hard a model was asked to think about the answers, in order.
fn efforts(given: &Scenario) -> Vec<Value> {
    given.model.asked().iter().map(|body| body["reasoning_effort"].clone()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_says_how_hard_its_model_is_to_think_and_no_other_session_says_it() {
    let given = under("summarize").await;
    let first = given.session;
    uses(&given, first, THINKER).await;
    decides(&given, first, Some(ReasoningEffort::High)).await;
    given.send("one").await.unwrap();
    let other = given.app.sessions.create().await.unwrap();
    uses(&given, other, THINKER).await;
    given.app.turns.run(other, message("two"), deaf()).await.unwrap();
    decides(&given, first, None).await;
    given.send("three").await.unwrap();
    assert_eq!(efforts(&given), [json!("high"), Value::Null, Value::Null]);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_session_decides_of_thinking_beats_what_is_set_for_the_model() {
    let given = under("summarize").await.configured(|settings| {
        settings["providers"][0]["models"] = json!([{ "id": THINKER, "effort": "high" }]);
    });
    let given = given.await;
    uses(&given, given.session, THINKER).await;
    given.send("one").await.unwrap();
    decides(&given, given.session, Some(ReasoningEffort::Low)).await;
    given.send("two").await.unwrap();
    decides(&given, given.session, Some(ReasoningEffort::Default)).await;
    given.send("three").await.unwrap();
    assert_eq!(efforts(&given), [json!("high"), json!("low"), Value::Null]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_of_which_nobody_knows_that_it_thinks_is_not_told_how_hard() {
    let given = under("summarize").await;
    uses(&given, given.session, "m").await;
    decides(&given, given.session, Some(ReasoningEffort::High)).await;
    given.send("one").await.unwrap();
    assert_eq!(efforts(&given), [Value::Null]);
}
