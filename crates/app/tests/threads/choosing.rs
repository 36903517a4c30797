//! The UI's data on a choice before and after it is made: of a strategy, of a folder.

use serde_json::json;
use skein_app::view::{StrategyNumbers, TokenShare};
use skein_context::cost::{AutomaticCleaning, CleaningReason};
use skein_context::health::breakdown::{BreakdownCategory, BreakdownPartLabel};
use skein_context::limits::policy::ToolCleaning;
use skein_domain::draft::Draft;
use skein_domain::error::FolderError;
use skein_domain::ids::{ProviderId, SessionId};
use skein_domain::model::ModelRef;
use skein_domain::session::SessionOverride;
use skein_domain::strategy::Strategy;

use crate::scenario::{Say, Scenario, under};

fn model(provider: &str, model: &str) -> ModelRef {
    ModelRef { provider: ProviderId(provider.into()), model: model.into() }
}

async fn model_of(given: &Scenario, session: SessionId) -> ModelRef {
    given.app.sessions.get(session).await.unwrap().model
}

#[tokio::test(flavor = "multi_thread")]
async fn the_model_last_chosen_answers_new_sessions_and_changes_no_conversation_that_has_begun() {
    let given = under("summarize").await;
    given.send("wool").await.unwrap();
    let second = given.app.sessions.create().await.unwrap();
    assert_eq!(model_of(&given, second).await, model("p", "m"));
    given.app.sessions.set_model(second, model("p", "other")).await.unwrap();
    assert_eq!(model_of(&given, given.session).await, model("p", "m"));

    let given = Scenario { session: second, ..given.restarted().await };
    given.send("linen").await.unwrap();
    let third = given.app.sessions.create().await.unwrap();
    assert_eq!(model_of(&given, third).await, model("p", "other"));

    // The demo, chosen on purpose, is a choice like any other.
    given.app.sessions.set_model(third, model("demo", "demo-8k")).await.unwrap();
    let fourth = given.app.sessions.new_chat("silk".into(), vec![], None).await.unwrap();
    assert_eq!(model_of(&given, fourth).await, model("demo", "demo-8k"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_chosen_where_something_was_said_already_is_that_of_no_new_session() {
    let given = under("summarize").await;
    given.send("wool").await.unwrap();
    given.app.sessions.set_model(given.session, model("p", "other")).await.unwrap();
    assert_eq!(model_of(&given, given.session).await, model("p", "other"));
    let second = given.app.sessions.create().await.unwrap();
    assert_eq!(model_of(&given, second).await, model("p", "m"));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_first_model_that_is_chosen_at_all_answers_new_sessions_wherever_it_was_chosen() {
    let given = under("summarize").await;
    given.send("wool").await.unwrap();
    let given = given.configured(|settings| settings["defaultModel"] = json!(null)).await;
    given.app.sessions.set_model(given.session, model("p", "other")).await.unwrap();
    let second = given.app.sessions.create().await.unwrap();
    assert_eq!(model_of(&given, second).await, model("p", "other"));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_five_models_that_were_chosen_last_are_kept_the_latest_first() {
    let given = under("summarize").await;
    for chosen in ["a", "b", "c", "d", "e", "f", "c"] {
        given.app.sessions.set_model(given.session, model("p", chosen)).await.unwrap();
    }
    let given = given.restarted().await;
    let recent = given.app.settings.view().await.unwrap().settings.recent_models;
    assert_eq!(recent, ["c", "f", "e", "d", "b"].map(|chosen| model("p", chosen)));
}

#[tokio::test(flavor = "multi_thread")]
async fn where_the_provider_of_the_model_last_chosen_was_removed_the_demo_answers_until_it_is_back()
{
    let given = under("summarize").await;
    let provider = given.app.providers.list().await.unwrap().remove(0).config;
    given.app.providers.remove(provider.id.clone()).await.unwrap();
    assert_eq!(model_of(&given, given.session).await, model("demo", "demo-8k"));
    given.app.providers.save(provider).await.unwrap();
    assert_eq!(model_of(&given, given.session).await, model("p", "m"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_session_is_the_one_that_nobody_has_used_and_has_the_model_last_chosen() {
    let given = under("summarize").await;
    let again = || async { given.app.sessions.create().await.unwrap() };
    assert_eq!(again().await, given.session);
    given.send("wool").await.unwrap();
    let second = again().await;
    assert_ne!(second, given.session);
    given.app.sessions.set_model(second, model("p", "other")).await.unwrap();
    assert_eq!(again().await, second);
    assert_eq!(model_of(&given, second).await, model("p", "other"));
    let listed = given.app.sessions.list().await.unwrap();
    assert_eq!(listed.iter().map(|it| it.id).collect::<Vec<_>>(), [second, given.session]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_global_choice_is_told_in_the_numbers_of_new_sessions_whatever_one_session_uses() {
    let given = under("archive").await;
    given.send("wool").await.unwrap();
    given.app.sessions.set_model(given.session, model("p", "nobody-knows")).await.unwrap();
    let other = given.app.sessions.create().await.unwrap();
    given.app.sessions.set_model(other, model("p", "m")).await.unwrap();
    let own = given.app.context.strategies(Some(given.session)).await.unwrap();
    let expected = StrategyNumbers {
        model: model("p", "nobody-knows"),
        available: None,
        upper_bound: None,
        summarize_above: None,
        remind_above: None,
        count_down_above: None,
        archive_above: None,
        automatic_cleaning: AutomaticCleaning {
            cleaning: ToolCleaning::EverySend,
            reason: CleaningReason::Unknown {},
        },
        takes_tools: true,
        global: Strategy::Archive,
    };
    assert_eq!(own, expected);
    let global = given.app.context.strategies(None).await.unwrap();
    let expected = StrategyNumbers {
        model: model("p", "m"),
        available: Some(68_000),
        summarize_above: Some(40_800),
        remind_above: Some(80_000),
        count_down_above: Some(90_000),
        archive_above: Some(90_000),
        ..expected
    };
    assert_eq!(global, expected);
}

#[tokio::test(flavor = "multi_thread")]
async fn fr_1_2_an_estimate_says_of_how_many_tokens_its_trigger_is_a_share() {
    let given = under("summarize").await;
    let estimate = || given.app.context.estimate(given.session, Draft::default());
    let found = estimate().await.unwrap();
    let share = TokenShare { percent: 60, of: 68_000 };
    assert_eq!((found.acts_at, found.acts_share), (Some(40_800), Some(share)));
    for (strategy, expected) in [
        (Strategy::Archive, Some(TokenShare { percent: 90, of: 100_000 })),
        (Strategy::Remind, None),
    ] {
        let change = SessionOverride::Strategy(Some(strategy));
        given.app.sessions.set_override(given.session, change).await.unwrap();
        assert_eq!(estimate().await.unwrap().acts_share, expected);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn q11_where_no_report_holds_the_breakdown_says_the_same_as_the_estimate() {
    let given = under("summarize").await;
    let draft = Draft { text: "Which wool is the warmest?".into(), attachments: vec![] };
    let estimate = given.app.context.estimate(given.session, draft.clone()).await.unwrap();
    let breakdown = given.app.context.breakdown(given.session, draft).await.unwrap();
    let free = [BreakdownCategory::FreeSpace, BreakdownCategory::AutocompactBuffer];
    let used = breakdown.rows.iter().filter(|row| !free.contains(&row.kind));
    assert_eq!(used.map(|row| row.tokens).sum::<u32>(), estimate.used.tokens);
    let messages =
        breakdown.rows.iter().find(|row| row.kind == BreakdownCategory::Messages).unwrap();
    assert!(messages.parts.iter().any(|part| part.label == BreakdownPartLabel::Draft {}));
}

#[tokio::test(flavor = "multi_thread")]
async fn fullness_is_told_by_what_a_model_takes_as_a_prompt_where_its_window_holds_more() {
    let given = under("summarize").await;
    // In the catalogue with a window of 400,000.
    let narrowed = model("p", "gpt-5");
    let preview = given.app.sessions.preview_model(given.session, narrowed.clone()).await.unwrap();
    assert_eq!(preview.limit, Some(272_000));
    given.app.sessions.set_model(given.session, narrowed).await.unwrap();
    let estimate = given.app.context.estimate(given.session, Draft::default()).await.unwrap();
    let limit = estimate.limit.map(|limit| limit.value);
    assert_eq!((limit, estimate.window), (Some(272_000), Some(400_000)));
    let alone = given.app.context.draft_size(given.session, Draft::default()).await.unwrap();
    assert_eq!(alone.limit, Some(272_000));
    assert_eq!(
        given.app.context.breakdown(given.session, Draft::default()).await.unwrap().window,
        272_000
    );
    given.app.sessions.set_model(given.session, model("p", "m")).await.unwrap();
    let estimate = given.app.context.estimate(given.session, Draft::default()).await.unwrap();
    let limit = estimate.limit.map(|limit| limit.value);
    assert_eq!((limit, estimate.window), (Some(100_000), None));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_that_has_gone_since_it_was_chosen_is_told() {
    let given = under("summarize").await;
    let fault = || async { given.app.sessions.folder_fault(given.session).await.unwrap() };
    assert_eq!(fault().await, None);
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("loom");
    std::fs::create_dir(&folder).unwrap();
    let chosen = SessionOverride::Folder(Some(folder.display().to_string()));
    given.app.sessions.set_override(given.session, chosen).await.unwrap();
    assert_eq!(fault().await, None);
    std::fs::remove_dir(&folder).unwrap();
    assert_eq!(fault().await, Some(FolderError::Missing));
    std::fs::write(&folder, "wool").unwrap();
    assert_eq!(fault().await, Some(FolderError::NotAFolder));
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn of_a_folder_that_leads_elsewhere_by_now_nothing_is_opened() {
    let given = under("summarize").await;
    let place = tempfile::tempdir().unwrap();
    let [folder, other] = ["loom", "other"].map(|name| place.path().join(name));
    for folder in [&folder, &other] {
        std::fs::create_dir(folder).unwrap();
        std::fs::write(folder.join("AGENTS.md"), "Weave.").unwrap();
    }
    let chosen = SessionOverride::Folder(Some(folder.display().to_string()));
    given.app.sessions.set_override(given.session, chosen).await.unwrap();
    let opened = || async {
        let tools = given.app.context.tools(given.session).await.unwrap();
        let reads = tools.iter().any(|tool| tool.name == "read_file" && tool.declared);
        (reads, given.app.tools.memory_files(Some(given.session)).await.unwrap().len())
    };
    assert_eq!(opened().await, (true, 1));
    std::fs::rename(&folder, place.path().join("away")).unwrap();
    std::os::unix::fs::symlink(&other, &folder).unwrap();
    assert_eq!(opened().await, (false, 0));
    let fault = given.app.sessions.folder_fault(given.session).await.unwrap();
    assert_eq!(fault, Some(FolderError::Elsewhere));
    given.send("wool").await.unwrap();
    let asked = given.model.asked().pop().unwrap().to_string();
    assert!(!asked.contains("read_file") && !asked.contains("Weave."), "{asked}");
    // The folder that was chosen is back.
    std::fs::remove_file(&folder).unwrap();
    std::fs::rename(place.path().join("away"), &folder).unwrap();
    assert_eq!(opened().await, (true, 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn fr_4_1_with_the_global_switch_off_no_strategy_acts_in_a_session_that_follows_it() {
    for strategy in ["summarize", "remind", "archive"] {
        let given = under(strategy).await.configured(|settings| {
            settings["context"] = json!({ "strategy": strategy, "automatic": false });
            settings["providers"][0]["models"][0]["window"] = 6_000.into();
        });
        let given = given.await;
        given.app.sessions.rename(given.session, "Looms".into()).await.unwrap();
        let words = "row after row the weft beats home ".repeat(130);
        // Over the window by a half: that is for the provider to refuse. Critical, if anybody looked.
        let said = 10;
        given.model.says((1..=10).map(|said| Say::words("Said.").at(400 + 1_050 * said)));
        for fact in 0..said {
            given.send(&format!("Fact {fact}. {words}")).await.unwrap();
        }
        let thread = given.current().await;
        assert_eq!(given.threads().await.len(), 1, "{strategy}");
        assert_eq!(given.app.store.activity_log(thread).await.unwrap(), [], "{strategy}");
        assert_eq!(given.model.errands(), Vec::<String>::new(), "{strategy}");
        let lines = given.lines().await;
        assert_eq!(lines.len(), 2 * said, "no notice, no summary: {strategy} {lines:?}");
        let last = given.model.asked().pop().unwrap().to_string();
        assert!(last.contains("Fact 0."), "all of it is sent: {strategy}");
    }
}
