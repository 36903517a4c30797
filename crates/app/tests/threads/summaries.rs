//! The models of summaries and titles, and their failures.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use scripted_server::{Reply, Server, until};
use serde_json::json;
use skein_app::events::Topic;
use skein_app::models::catalog_refresh::{CachedResource, RefreshResult, refresh};
use skein_app::view::CompactionStatus;
use skein_context::limits::catalog::Catalog;
use skein_domain::ids::ProviderId;
use skein_domain::message::ContentPart;
use skein_domain::model::ModelRef;
use skein_platform::http::{HttpClient, NetworkSettings, ProxySetting};
use skein_store::AutomaticEvent;

use crate::scenario::{Say, Scenario, under};

fn at_p(model: &str) -> ModelRef {
    ModelRef { provider: ProviderId("p".into()), model: model.into() }
}

/// A message of about four thousand tokens.
fn long(fact: &str) -> String {
    format!("{fact} {}", "The shuttle crosses the warp and the reed beats it home. ".repeat(320))
}

/// A named session in which there is something to compact, but not yet so much that it begins by
/// itself.
async fn with_history(given: Scenario) -> Scenario {
    given.app.sessions.rename(given.session, "Looms".into()).await.unwrap();
    given.model.says([Say::words("Noted.")]);
    for fact in ["The port is 7443.", "Miso is a cat.", "We ship on Friday."] {
        given.send(&long(fact)).await.unwrap();
    }
    given
}

/// Compacts by hand, and says whom the point names.
async fn writer(given: &Scenario) -> Option<ModelRef> {
    given.app.compactions.compact(given.session, None, None).await.unwrap().await.unwrap().unwrap();
    let compactions = given.app.compactions.list(given.session).await.unwrap();
    compactions.points[0].point.model.clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn fr_5_1_without_a_choice_the_providers_own_fast_model_writes_where_it_is_listed() {
    let fast = Catalog::built_in().fast_model("openai").unwrap();
    let given = under("summarize").await;
    let given = given.configured(|settings| {
        settings["providers"][0]["kind"] = "openai".into();
        let models = settings["providers"][0]["models"].as_array_mut().unwrap();
        models.push(json!({ "id": fast }));
    });
    let given = given.await;
    given.app.providers.set_key(ProviderId("p".into()), "key".into()).await.unwrap();
    let given = with_history(given).await;
    assert_eq!(writer(&given).await, Some(at_p(fast)));
    assert_eq!(given.model.errands(), [fast]);
}

#[tokio::test(flavor = "multi_thread")]
async fn fr_5_1_an_address_that_does_not_list_the_fast_model_is_not_asked_for_it() {
    let given = under("summarize").await;
    let given = given.configured(|settings| settings["providers"][0]["kind"] = "openai".into());
    let given = given.await;
    given.app.providers.set_key(ProviderId("p".into()), "key".into()).await.unwrap();
    let given = with_history(given).await;
    assert_eq!(writer(&given).await, Some(at_p("m")));
    assert_eq!(given.model.errands(), ["m"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn fr_5_2_the_model_that_an_organisations_file_names_writes_where_the_person_chose_none() {
    let file = json!({ "fast_model": { "provider": "p", "model": "house" } });
    let organisation = Server::always(Reply::json(200, file.to_string()));
    let given = under("summarize").await;
    let cache = given.folder.path().join("cache");
    let net = NetworkSettings { proxy: ProxySetting::None {} };
    let net = HttpClient::new(&net, std::sync::Arc::new(())).unwrap();
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis();
    let now = i64::try_from(now).unwrap();
    let look = refresh(&net, &cache, CachedResource::Organisation, &organisation.url(), now).await;
    assert_eq!(look, RefreshResult::Changed);

    let url = organisation.url();
    let given = given.configured(|settings| settings["organisationUrl"] = url.into()).await;
    let given = with_history(given).await;
    assert_eq!(writer(&given).await, Some(at_p("house")));
    let chosen = json!({ "provider": "p", "model": "other" });
    let url = organisation.url();
    let given = given.configured(|settings| {
        settings["organisationUrl"] = url.into();
        settings["summaryModel"] = chosen;
    });
    let given = with_history(given.await).await;
    assert_eq!(writer(&given).await, Some(at_p("other")));
    assert_eq!(given.model.errands(), ["house", "other"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn fr_1_3_a_summary_is_seen_to_grow_while_it_is_written() {
    let given = with_history(under("summarize").await).await;
    let words = ["## State now\n", "The loom ", "is ", "warped."];
    given.model.says([Say::slowly(&words, Duration::from_millis(250))]);
    let topic = Topic::Compaction { session_id: given.session };
    let mut changes = given.app.changes();
    given.app.compactions.compact(given.session, None, None).await.unwrap();
    let mut seen = Vec::new();
    let ended = async {
        loop {
            let told = changes.recv().await.unwrap();
            match given.app.compactions.status(given.session).await.unwrap() {
                CompactionStatus::Running { progress } if told.topics.contains(&topic) => {
                    seen.push(progress.text);
                }
                CompactionStatus::Done { .. } => return,
                CompactionStatus::Running { .. } => {}
                status => panic!("{status:?}"),
            }
        }
    };
    tokio::time::timeout(Duration::from_secs(30), ended).await.expect("the summary ends");
    let whole = words.concat();
    assert!(seen.iter().any(|text| !text.is_empty() && *text != whole), "{seen:?}");
    assert!(seen.windows(2).all(|pair| pair[1].starts_with(&pair[0])), "{seen:?}");
    assert!(seen.iter().all(|text| whole.starts_with(text)), "{seen:?}");
}

async fn with_the_other_chosen() -> Scenario {
    let chosen = json!({ "provider": "p", "model": "other" });
    under("summarize").await.configured(|settings| settings["summaryModel"] = chosen).await
}

#[tokio::test(flavor = "multi_thread")]
async fn fr_5_3_the_model_that_the_person_chose_writes_the_summary_and_the_title() {
    let given = with_the_other_chosen().await;
    given.send("one").await.unwrap();
    let given = given.restarted().await;
    assert_eq!(given.model.errands(), ["other"]);
    let given = with_history(given).await;
    assert_eq!(writer(&given).await, Some(at_p("other")));
    assert_eq!(given.model.errands(), ["other", "other"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn fr_5_4_where_the_chosen_model_fails_the_sessions_own_writes_and_is_named() {
    let given = with_history(with_the_other_chosen().await).await;
    given.model.refuses(&["other"]);
    assert_eq!(writer(&given).await, Some(at_p("m")));
    assert_eq!(given.model.errands(), ["other", "m"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn fr_5_4_where_the_chosen_model_gives_no_title_the_sessions_own_does() {
    for failing in ["refused", "wordless"] {
        let given = with_the_other_chosen().await;
        match failing {
            "refused" => given.model.refuses(&["other"]),
            _ => given.model.names(Say::words("")),
        }
        given.send("one").await.unwrap();
        let given = given.restarted().await;
        assert_eq!(given.model.errands(), ["other", "m"], "{failing}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn fr_5_4_where_every_model_fails_the_program_writes_says_so_and_the_message_leaves() {
    let given = with_history(with_the_other_chosen().await).await;
    given.model.refuses(&["other", "m"]);
    for fact in ["Tea is at four.", "The loom is oak.", "Well?"] {
        given.send(&long(fact)).await.unwrap();
    }
    let thread = given.current().await;
    let log = async || given.app.store.activity_log(thread).await.unwrap();
    until("it is listed", async || !log().await.is_empty()).await;
    let log = log().await;
    let events: Vec<_> = log.into_iter().map(|entry| entry.event).collect();
    assert!(matches!(events[..], [AutomaticEvent::Compacted { local: true, .. }]), "{events:?}");
    let points = given.app.compactions.list(given.session).await.unwrap().points;
    assert_eq!(points[0].point.model, None);

    given.send("And what was the port?").await.unwrap();
    let last = given.model.asked().pop().unwrap();
    let said = last["messages"].to_string();
    assert!(said.contains("And what was the port?"), "{said}");
    assert!(said.contains("7443"), "the fact is in the local summary: {said}");
    let page = given.messages(thread).await;
    let first = page.iter().find(|message| !message.is_summary()).unwrap();
    assert_eq!(*first.parts, [ContentPart::Text { text: long("The port is 7443.") }]);
}
