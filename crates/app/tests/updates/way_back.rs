//! The way back to the version before an update.

use std::fs;

use serde_json::json;
use skein_app::view::{ImportStatus, UpdateAction, UpdateState};
use skein_domain::draft::Draft;
use tokio::runtime::Handle;
use tokio::task::block_in_place;

use crate::fake_installer::{FakeInstaller, HOST, end_of};
use crate::{Given, update};

/// Version 2.0.0 of the same program.
fn updated(given: &Given) -> FakeInstaller {
    FakeInstaller { version: "2.0.0", release: None, ..given.installer() }
}

/// Updates version 1.0.0 to 2.0.0, which is not running yet.
async fn update_and_close(given: &Given) {
    let (app, _) = given.start(given.installer());
    update(&app).await;
    app.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn k04_going_back_exports_what_was_written_since_and_restores_program_and_database() {
    let given = Given::agreed_to(Some(HOST));
    let (app, _) = given.start(given.installer());
    let before = app.sessions.create().await.unwrap();
    app.sessions.rename(before, "Before".to_owned()).await.unwrap();
    assert_eq!(update(&app).await, UpdateState::Installed {});
    app.close().await;
    drop(app);

    let (app, installer) = given.start(updated(&given));
    assert_eq!(app.updates.view().await.unwrap().way_back.as_deref(), Some("1.0.0"));
    let since = app.sessions.create().await.unwrap();
    let draft = Draft { text: "Written since".to_owned(), ..Draft::default() };
    app.sessions.save_draft(since, draft, None).await.unwrap();
    assert_eq!(end_of(&app, UpdateAction::GoBack).await, UpdateState::Installed {});
    assert_eq!((given.program().as_str(), installer.restarts()), ("old program", 1));
    app.close().await;
    drop(app);

    let (app, _) = given.start(given.installer());
    let names: Vec<_> = app.sessions.list().await.unwrap().into_iter().map(|it| it.title).collect();
    assert_eq!(names, [Some("Before".to_owned())], "the database of version 1.0.0");
    let view = app.updates.view().await.unwrap();
    assert_eq!(view.way_back, None);
    let returned = view.returned.unwrap();
    assert_eq!((returned.from.as_str(), returned.sessions), ("2.0.0", 1));
    app.imports.import(returned.export.unwrap()).await.unwrap();
    assert!(matches!(app.imports.status().await.unwrap(), ImportStatus::Ended { .. }));
    assert_eq!(app.sessions.list().await.unwrap().len(), 2);
    app.updates.act(UpdateAction::DismissReturn).await.unwrap();
    assert_eq!(app.updates.view().await.unwrap().returned, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn k04_a_text_that_is_written_during_the_export_is_exported_too() {
    let given = Given::agreed_to(Some(HOST));
    update_and_close(&given).await;

    let (app, installer) = given.start(updated(&given));
    let writer = app.clone();
    let write = async move {
        let session = writer.sessions.create().await.unwrap();
        writer.sessions.rename(session, "Late".to_owned()).await.unwrap();
        let draft = Draft { text: "Written late".to_owned(), ..Draft::default() };
        writer.sessions.save_draft(session, draft, None).await.unwrap();
    };
    let runtime = Handle::current();
    let work = Box::new(move || block_in_place(|| runtime.block_on(write)));
    *installer.at_look.lock().unwrap() = Some((2, work));
    assert_eq!(end_of(&app, UpdateAction::GoBack).await, UpdateState::Installed {});
    assert!(app.sessions.create().await.is_err(), "a later write would be lost");
    app.close().await;
    drop(app);

    let (app, _) = given.start(given.installer());
    assert_eq!(app.sessions.list().await.unwrap().len(), 0);
    let returned = app.updates.view().await.unwrap().returned.unwrap();
    assert_eq!(returned.sessions, 1);
    app.imports.import(returned.export.unwrap()).await.unwrap();
    assert!(matches!(app.imports.status().await.unwrap(), ImportStatus::Ended { .. }));
    assert_eq!(app.sessions.list().await.unwrap()[0].title.as_deref(), Some("Late"));
}

#[tokio::test(flavor = "multi_thread")]
async fn k04_a_return_that_did_not_happen_is_not_told() {
    let given = Given::agreed_to(Some(HOST));
    update_and_close(&given).await;
    let (app, _) = given.start(updated(&given));
    let copy = skein_store::backups(&given.places)[0].path.clone();
    let whole = fs::read(&copy).unwrap();

    let returned = given.places.updates().join("return.json");
    let record = json!({ "from": "2.0.0", "at": 1, "export": null, "sessions": 0 });
    fs::write(&returned, record.to_string()).unwrap();
    assert_eq!(app.updates.view().await.unwrap().returned, None, "killed before the staging");

    // SQLite's `user_version`: a copy of a later version is not staged.
    let mut later = whole.clone();
    later[60..64].copy_from_slice(&9_999_u32.to_be_bytes());
    fs::write(&copy, &later).unwrap();
    let ended = end_of(&app, UpdateAction::GoBack).await;
    assert!(matches!(ended, UpdateState::Failed { .. }), "{ended:?}");
    assert!(!returned.exists());
    app.sessions.create().await.unwrap();
    fs::write(&copy, &whole).unwrap();

    // Killed behind the staging, before the program was put back: version 2.0.0 keeps its database.
    fs::write(&returned, record.to_string()).unwrap();
    skein_store::stage_restore(&given.places, copy.as_ref()).unwrap();
    app.close().await;
    drop(app);
    let (app, _) = given.start(updated(&given));
    assert_eq!(app.sessions.list().await.unwrap().len(), 1);
    let view = app.updates.view().await.unwrap();
    assert_eq!((view.returned, view.way_back.as_deref()), (None, Some("1.0.0")));
}

#[tokio::test(flavor = "multi_thread")]
async fn k04_an_update_that_fails_leaves_the_earlier_way_back() {
    let given = Given::agreed_to(Some(HOST));
    update_and_close(&given).await;
    let (app, _) = given.start(FakeInstaller { release: Some("3.0.0"), ..updated(&given) });
    let away = given.program.with_extension("away");
    fs::rename(&given.program, &away).unwrap();
    let ended = update(&app).await;
    assert!(matches!(ended, UpdateState::Failed { .. }), "{ended:?}");
    fs::rename(&away, &given.program).unwrap();
    assert_eq!(app.updates.view().await.unwrap().way_back.as_deref(), Some("1.0.0"));
}

#[tokio::test(flavor = "multi_thread")]
async fn k04_without_the_program_the_copy_or_a_readable_export_there_is_no_way_back() {
    let given = Given::agreed_to(Some(HOST));
    update_and_close(&given).await;
    let (app, installer) = given.start(updated(&given));
    let way_back = async || app.updates.view().await.unwrap().way_back;
    assert!(way_back().await.is_some());

    let record = given.places.updates().join("update.json");
    let written = fs::read_to_string(&record).unwrap();
    let version = format!("\"conversations\":{}", skein_transfer::VERSION);
    let older =
        written.replace(&version, &format!("\"conversations\":{}", skein_transfer::VERSION - 1));
    assert_ne!(older, written);
    fs::write(&record, older).unwrap();
    assert_eq!(way_back().await, None, "version 1.0.0 could not import the export");
    fs::write(&record, written).unwrap();

    let copy = skein_store::backups(&given.places)[0].path.clone();
    let kept = given.program.with_file_name("Skein.AppImage.previous");
    for file in [copy.into(), kept] {
        let away = file.with_extension("away");
        fs::rename(&file, &away).unwrap();
        assert_eq!(way_back().await, None, "{} is gone", file.display());
        let ended = end_of(&app, UpdateAction::GoBack).await;
        assert!(matches!(ended, UpdateState::Failed { .. }), "{ended:?}");
        fs::rename(&away, &file).unwrap();
    }
    assert_eq!((given.program().as_str(), installer.restarts()), ("new program", 0));
}
