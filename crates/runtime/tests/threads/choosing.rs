//! What is said of a choice before and after it is made: of a strategy, of a folder.

use skein_context::model::{ModelRef, ProviderId};
use skein_context::policy::Strategy;
use skein_context::session::Overrides;
use skein_runtime::error::FolderFault;
use skein_runtime::view::StrategyNumbers;

use crate::given::under;

#[tokio::test(flavor = "multi_thread")]
async fn the_global_choice_is_told_in_the_numbers_of_new_sessions_whatever_one_session_uses() {
    let given = under("archive").await;
    let model = |provider: &str, model: &str| ModelRef {
        provider: ProviderId(provider.into()),
        model: model.into(),
    };
    given.app.set_model(given.session, model("p", "nobody-knows")).await.unwrap();
    let own = given.app.strategies(Some(given.session)).await.unwrap();
    let expected = StrategyNumbers {
        model: model("p", "nobody-knows"),
        summarize_above: None,
        remind_above: None,
        count_down_above: None,
        archive_above: None,
        takes_tools: true,
        global: Strategy::Archive,
    };
    assert_eq!(own, expected);
    let global = given.app.strategies(None).await.unwrap();
    let expected = StrategyNumbers {
        model: model("p", "m"),
        summarize_above: Some(40_800),
        remind_above: Some(80_000),
        count_down_above: Some(90_000),
        archive_above: Some(90_000),
        ..expected
    };
    assert_eq!(global, expected);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_that_has_gone_since_it_was_chosen_is_told() {
    let given = under("summarize").await;
    let fault = || async { given.app.folder_fault(given.session).await.unwrap() };
    assert_eq!(fault().await, None);
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("loom");
    std::fs::create_dir(&folder).unwrap();
    let chosen = Overrides { folder: Some(folder.display().to_string()), ..Overrides::default() };
    given.app.set_overrides(given.session, chosen).await.unwrap();
    assert_eq!(fault().await, None);
    std::fs::remove_dir(&folder).unwrap();
    assert_eq!(fault().await, Some(FolderFault::Missing));
    std::fs::write(&folder, "wool").unwrap();
    assert_eq!(fault().await, Some(FolderFault::NotAFolder));
}
