//! FR-3.2: the weekly refresh, against a server that answers as it is told.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use std::path::Path;
use std::sync::Arc;

use scripted_server::{Reply, Server, until};
use skein_app::app::App;
use skein_app::models::catalog_refresh::{
    CachedResource, MODELS_DEV, RefreshResult, catalogue, organisation_model, refresh,
};
use skein_app::settings::Settings;
use skein_context::limits::catalog::{Catalog, CatalogMatchKind};
use skein_domain::ids::ProviderId;
use skein_domain::model::ModelRef;
use skein_platform::http::{HttpClient, NetworkSettings, ProxySetting};
use skein_platform::paths::AppPaths;
use skein_providers::registry::ROWS;

const DAY: i64 = 86_400_000;
const NOW: i64 = 1_790_000_000_000;

fn net() -> HttpClient {
    HttpClient::new(&NetworkSettings { proxy: ProxySetting::None {} }, Arc::new(())).unwrap()
}

const NEW: &str = r#"{"acme":{"id":"acme","models":{"acme-9":{"id":"acme-9","limit":{"context":77000,"output":0}}}}}"#;

fn window(folder: &Path) -> Option<u32> {
    catalogue(folder).find("acme", "acme-9").and_then(|found| found.model.window)
}

#[tokio::test]
async fn fr_3_2_the_catalogue_is_fetched_weekly_and_costs_nothing_unchanged() {
    let server = Server::start(|asked, _| match asked.header("if-none-match") {
        Some("\"v1\"") => Reply::new(304, "application/json", ""),
        _ => Reply::json(200, NEW).with_header("ETag", "\"v1\""),
    });
    let folder = tempfile::tempdir().unwrap();
    let look = async |now| {
        refresh(&net(), folder.path(), CachedResource::Catalogue, &server.url(), now).await
    };
    assert_eq!(window(folder.path()), None);
    assert_eq!(look(NOW).await, RefreshResult::Changed);
    assert_eq!(window(folder.path()), Some(77_000));
    assert_eq!(look(NOW + 6 * DAY).await, RefreshResult::NotDue);
    assert_eq!(server.asked().len(), 1);
    assert_eq!(look(NOW + 7 * DAY).await, RefreshResult::Unchanged);
    assert_eq!(look(NOW + 8 * DAY).await, RefreshResult::NotDue);
    assert_eq!(window(folder.path()), Some(77_000));
    assert_eq!(server.asked().len(), 2);
}

#[tokio::test]
async fn fr_3_2_what_another_version_fetched_gives_way_to_what_this_one_ships() {
    let server = Server::start(|_, number| match number {
        1 => Reply::json(500, "{}"),
        _ => Reply::json(200, NEW).with_header("ETag", "\"v1\""),
    });
    let folder = tempfile::tempdir().unwrap();
    let look = async |now| {
        refresh(&net(), folder.path(), CachedResource::Catalogue, &server.url(), now).await
    };
    assert_eq!(look(NOW).await, RefreshResult::Changed);
    let label = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path());
    let label = label.into_iter().find(|path| is_label(path)).unwrap();
    let written = std::fs::read_to_string(&label).unwrap();
    std::fs::write(&label, written.replace(env!("CARGO_PKG_VERSION"), "0.0.1")).unwrap();
    assert_eq!(window(folder.path()), None);
    assert_eq!(look(NOW + DAY).await, RefreshResult::Failed);
    assert_eq!(window(folder.path()), None);
    assert_eq!(look(NOW + DAY + 1).await, RefreshResult::NotDue);
    assert_eq!(look(NOW + 2 * DAY).await, RefreshResult::Changed);
    assert_eq!(window(folder.path()), Some(77_000));
    assert_eq!(server.asked()[2].header("if-none-match"), None);
}

fn is_label(path: &Path) -> bool {
    std::fs::read_to_string(path).is_ok_and(|text| text.contains("dueAt"))
}

#[tokio::test]
async fn fr_3_2_any_failure_is_silent_and_the_older_data_stays() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(|_, number| match number {
        0 => Reply::json(200, NEW),
        1 => Reply::json(500, "{}"),
        2 => Reply::new(200, "text/html", "<html>Log in to the hotel's network</html>"),
        3 => Reply::json(200, NEW).cut_at(40),
        4 => Reply::nothing(),
        _ => Reply::json(200, "{}"),
    });
    let url = server.url();
    let look =
        async |now| refresh(&net(), folder.path(), CachedResource::Catalogue, &url, now).await;
    assert_eq!(look(NOW).await, RefreshResult::Changed);
    for number in 1..6 {
        let now = NOW + (7 + number) * DAY;
        assert_eq!(look(now).await, RefreshResult::Failed, "{number}");
        assert_eq!(window(folder.path()), Some(77_000), "{number}");
    }
    assert_eq!(look(NOW + 12 * DAY + 1).await, RefreshResult::NotDue);
}

#[tokio::test]
async fn fr_5_2_an_organisation_names_its_fast_model() {
    let folder = tempfile::tempdir().unwrap();
    let server =
        Server::always(Reply::json(200, r#"{"fast_model":{"provider":"openai","model":"mini"}}"#));
    let url = server.url();
    assert_eq!(organisation_model(folder.path(), &url), None);
    let look = refresh(&net(), folder.path(), CachedResource::Organisation, &url, NOW).await;
    assert_eq!(look, RefreshResult::Changed);
    let model = ModelRef { provider: ProviderId("openai".to_owned()), model: "mini".to_owned() };
    assert_eq!(organisation_model(folder.path(), &url), Some(model));
    assert_eq!(organisation_model(folder.path(), "https://other.example/x.json"), None);
}

#[tokio::test]
async fn fr_5_2_an_organisations_file_is_fetched_once_it_is_named_without_a_new_start() {
    let folder = tempfile::tempdir().unwrap();
    let places = AppPaths::in_folder(folder.path());
    // Nothing else is asked meanwhile.
    std::fs::write(places.settings(), r#"{ "catalogueRefresh": false }"#).unwrap();
    let app = App::open(places.clone()).unwrap();
    let server =
        Server::always(Reply::json(200, r#"{"fast_model":{"provider":"p","model":"mini"}}"#));
    let url = server.url();
    let settings = app.settings.view().await.unwrap().settings;
    let changed = Settings { organisation_url: Some(url.clone()), ..settings.clone() };
    app.settings.save(settings, changed).await.unwrap();
    let is_known = async || organisation_model(&places.cache, &url).is_some();
    until("it is fetched", is_known).await;
    let model = ModelRef { provider: ProviderId("p".to_owned()), model: "mini".to_owned() };
    assert_eq!(organisation_model(&places.cache, &url), Some(model));
}

#[test]
fn the_one_host_that_nobody_chose_is_named_where_it_can_be_turned_off() {
    let host = MODELS_DEV.trim_start_matches("https://").split('/').next().unwrap();
    for words in [
        include_str!("../../../ui/src/i18n/en/settings/settings.ts"),
        include_str!("../../../ui/src/i18n/zh/settings/settings.ts"),
        include_str!("../../../README.md"),
    ] {
        assert!(words.contains(host));
    }
}

#[test]
fn p02_every_default_and_every_fast_model_is_in_the_catalogue_with_32k_or_more() {
    let catalog = Catalog::built_in();
    for row in ROWS.iter().filter(|row| !row.catalogue.is_empty()) {
        let fast = row.default_model.and_then(|_| catalog.fast_model(row.catalogue));
        for model in row.default_model.into_iter().chain(fast) {
            let found = catalog.find(row.catalogue, model);
            let exact = found.filter(|found| {
                matches!(
                    found.kind,
                    CatalogMatchKind::ExactInProvider | CatalogMatchKind::ExactElsewhere
                )
            });
            let window = exact.and_then(|found| found.model.window);
            assert!(window >= Some(32_000), "{}: {model} has {window:?}", row.id);
        }
    }
}
