//! One answer by another model than the session's.

use serde_json::{Value, json};
use skein_app::turn::turn_start::TurnStart;
use skein_app::view::TurnEnd;
use skein_domain::health::HealthLevel;
use skein_domain::ids::{MessageId, ProviderId};
use skein_domain::model::ModelRef;

use crate::scenario::{Say, Scenario, deaf, under};

fn model(model: &str) -> ModelRef {
    ModelRef { provider: ProviderId("p".into()), model: model.into() }
}

/// The answer at the end of the path.
async fn answer(given: &Scenario) -> MessageId {
    given.messages(given.current().await).await.pop().unwrap().id
}

/// Another answer to what was asked last, by model `other`.
async fn again_with_other(given: &Scenario) {
    let answer = answer(given).await;
    let with = Some(model("other"));
    let end =
        given.app.turns.run(given.session, TurnStart::Regenerate { answer, with }, deaf()).await;
    assert_eq!(end, Ok(TurnEnd::Answered {}));
}

/// The models that were asked in conversations, in order.
fn asked(given: &Scenario) -> Vec<String> {
    given.model.asked().iter().map(|body| body["model"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn one_answer_is_asked_of_the_model_that_was_named_and_the_next_of_the_session_s() {
    let given = under("summarize").await;
    given.app.sessions.rename(given.session, "Looms".into()).await.unwrap();
    given.model.says([Say::words("wool"), Say::words("yarn"), Say::words("linen")]);
    given.send("what?").await.unwrap();
    again_with_other(&given).await;
    given.send("and?").await.unwrap();
    assert_eq!(asked(&given), ["m", "other", "m"]);
    assert_eq!(given.lines().await, ["what?", "yarn", "and?", "linen"]);
    let written = given.messages(given.current().await).await.into_iter().map(|it| it.model);
    let expected = [None, Some(model("other")), None, Some(model("m"))];
    assert_eq!(written.collect::<Vec<_>>(), expected);
    let view = given.app.sessions.get(given.session).await.unwrap();
    assert_eq!((view.model, view.session.model), (model("m"), Some(model("m"))));
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_gives_one_answer_hears_what_its_tools_say() {
    let given = under("summarize").await;
    given.app.sessions.rename(given.session, "Looms".into()).await.unwrap();
    given.model.says([
        Say::words("wool"),
        Say::call("nothing_of_that_name", json!({})),
        Say::words("yarn"),
    ]);
    given.send("what?").await.unwrap();
    again_with_other(&given).await;
    assert_eq!(asked(&given), ["m", "other", "other"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn one_answer_is_given_within_the_window_of_who_gives_it() {
    let given = under("summarize").await.configured(|settings| {
        settings["providers"][0]["models"][1]["window"] = 6_000.into();
    });
    let given = given.await;
    given.app.sessions.rename(given.session, "Looms".into()).await.unwrap();
    given.model.says([Say::words("Said.")]);
    let words = "The weft beats home, row after row. ".repeat(120);
    for fact in 0..4 {
        given.send(&format!("Fact {fact}. {words}")).await.unwrap();
        given.settled().await;
    }
    assert_eq!(given.model.errands(), [""; 0], "it fits the session's own model");
    given.model.says([Say::words("## State now\n\nFacts."), Say::words("Said.")]);
    again_with_other(&given).await;
    assert_eq!(given.model.errands().first().map(String::as_str), Some("other"));
    let last = given.model.asked().pop().unwrap();
    assert_eq!(last["model"], "other");
    assert!(!last.to_string().contains("Fact 0."), "what is covered is not sent");
}

#[tokio::test(flavor = "multi_thread")]
async fn law_07_a_report_of_who_gave_one_answer_says_nothing_of_the_session_s_model() {
    let given = under("summarize").await;
    given.app.sessions.rename(given.session, "Looms".into()).await.unwrap();
    given.model.says([Say::words("wool").at(500), Say::words("yarn").at(600)]);
    let level = || async { given.app.context.health(given.session).await.unwrap().latest.level };
    given.send("what?").await.unwrap();
    assert_eq!(level().await, HealthLevel::Healthy);
    again_with_other(&given).await;
    assert_eq!(level().await, HealthLevel::Unavailable);
    given.send("and?").await.unwrap();
    assert_eq!(level().await, HealthLevel::Healthy);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_gave_one_answer_is_asked_for_the_title_that_the_session_s_model_refused() {
    let given = under("summarize").await;
    given.model.refuses(&["m"]);
    given.send("what?").await.unwrap();
    given.settled().await;
    again_with_other(&given).await;
    given.settled().await;
    assert_eq!(given.model.errands(), ["m", "other"]);
    let title = given.app.sessions.get(given.session).await.unwrap().session.title;
    assert_eq!(title.as_deref(), Some("A title"));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_is_shown_again_where_nobody_can_give_the_other_one() {
    let given = under("summarize").await;
    given.model.says([Say::words("wool")]);
    given.send("what?").await.unwrap();
    let nobody = ModelRef { provider: ProviderId("gone".into()), model: "m".into() };
    let answer = answer(&given).await;
    let again = given
        .app
        .turns
        .run(given.session, TurnStart::Regenerate { answer, with: Some(nobody) }, deaf())
        .await;
    assert!(matches!(again, Ok(TurnEnd::Failed { .. })), "{again:?}");
    assert_eq!(given.lines().await, ["what?", "wool"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_gave_one_answer_is_among_the_models_chosen_last_and_answers_no_new_session() {
    let given = under("summarize").await;
    given.send("what?").await.unwrap();
    again_with_other(&given).await;
    let settings = given.app.settings.view().await.unwrap().settings;
    assert_eq!(settings.recent_models, [model("other")]);
    assert_eq!(settings.default_model, Some(model("m")));
    let file: Value = {
        let path = given.folder.path().join("settings.json");
        serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
    };
    assert_eq!(file["recentModels"], json!([{ "provider": "p", "model": "other" }]));
}
