//! Updates and the way back where the system's package manager replaces the program.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use skein_app::updates::{Installation, PackageKind};
use skein_app::view::{UpdateAction, UpdateState};
use skein_domain::draft::Draft;

use crate::fake_installer::{FakeInstaller, HOST, end_of, state, until};
use crate::{Given, update};

/// A version that this package manager installed, with a newer release.
fn packaged(
    given: &Given,
    kind: PackageKind,
    version: &'static str,
    release: Option<&'static str>,
) -> FakeInstaller {
    let installation = Installation::Package(kind);
    FakeInstaller { installation, version, release, ..given.installer() }
}

/// The names of the files for the package manager, sorted.
fn packages(given: &Given) -> Vec<String> {
    let files = fs::read_dir(given.places.updates()).unwrap().map(|entry| entry.unwrap().path());
    let packages = files.filter(|file| file.extension().is_some_and(|it| it == "deb"));
    let mut names: Vec<_> =
        packages.map(|file| file.file_name().unwrap().to_str().unwrap().to_owned()).collect();
    names.sort();
    names
}

/// The exports of what was written since the update.
fn exports(given: &Given) -> Vec<PathBuf> {
    let files = fs::read_dir(given.places.updates()).unwrap().map(|entry| entry.unwrap().path());
    files.filter(|file| file.extension().is_some_and(|it| it == "zip")).collect()
}

/// The file in a command, which stands in quotes at its end.
fn file_of<'a>(command: &'a str, begin: &str) -> &'a str {
    command.strip_prefix(begin).unwrap().strip_suffix('\'').unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_package_for_the_systems_manager_is_kept_with_the_command_that_installs_it() {
    for (kind, command) in
        [(PackageKind::Deb, "sudo apt install '"), (PackageKind::Rpm, "sudo rpm -U '")]
    {
        let given = Given::agreed_to(Some(HOST));
        let (app, installer) = given.start(packaged(&given, kind, "1.0.0", Some("2.0.0")));
        let UpdateState::Packaged { version, command: shown } = update(&app).await else {
            panic!("the package is there");
        };
        assert_eq!((version.as_str(), installer.restarts()), ("2.0.0", 0));
        assert_eq!(fs::read_to_string(file_of(&shown, command)).unwrap(), "new program");
        assert_eq!(given.program(), "old program");
        assert_eq!(app.updates.view().await.unwrap().way_back, None, "version 1.0.0 still runs");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn k03_a_package_whose_update_cannot_be_noted_takes_no_room() {
    let given = Given::agreed_to(Some(HOST));
    // A folder, over which no file can be renamed.
    fs::create_dir_all(given.places.updates().join("pending-update.json")).unwrap();
    let (app, _) = given.start(packaged(&given, PackageKind::Deb, "1.0.0", Some("2.0.0")));
    let ended = update(&app).await;
    assert!(matches!(ended, UpdateState::Failed { .. }), "{ended:?}");
    assert!(packages(&given).is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn k04_a_package_goes_back_by_a_command_after_the_export_or_stays() {
    let given = Given::agreed_to(Some(HOST));
    let (app, _) = given.start(packaged(&given, PackageKind::Deb, "1.0.0", Some("2.0.0")));
    let before = app.sessions.create().await.unwrap();
    app.sessions.rename(before, "Before".to_owned()).await.unwrap();
    update(&app).await;
    app.close().await;
    drop(app);

    let (app, installer) = given.start(packaged(&given, PackageKind::Deb, "2.0.0", None));
    let since = app.sessions.create().await.unwrap();
    let draft = Draft { text: "Written since".to_owned(), ..Draft::default() };
    app.sessions.save_draft(since, draft, None).await.unwrap();
    let staged = async || {
        app.updates.act(UpdateAction::GoBack).await.unwrap();
        until(&app, |state| matches!(state, UpdateState::ReturnStaged { .. })).await
    };
    staged().await;
    assert!(app.sessions.create().await.is_err(), "it would be lost");
    for export in exports(&given) {
        fs::remove_file(export).unwrap();
    }
    app.updates.act(UpdateAction::Cancel).await.unwrap();
    assert_eq!(state(&app).await, UpdateState::Idle {});
    app.sessions.rename(since, "Since".to_owned()).await.unwrap();

    let UpdateState::ReturnStaged { version, command } = staged().await else { unreachable!() };
    assert_eq!((version.as_str(), installer.restarts()), ("1.0.0", 0));
    let file = file_of(&command, "sudo apt install --allow-downgrades '");
    assert_eq!(fs::read_to_string(file).unwrap(), "package 1.0.0");
    app.close().await;
    drop(app);

    let (app, _) = given.start(packaged(&given, PackageKind::Deb, "1.0.0", None));
    let titles: Vec<_> =
        app.sessions.list().await.unwrap().into_iter().filter_map(|it| it.title).collect();
    assert_eq!(titles, ["Before"]);
    let returned = app.updates.view().await.unwrap().returned.unwrap();
    assert_eq!((returned.from.as_str(), returned.sessions), ("2.0.0", 1));
    assert!(packages(&given).is_empty(), "no way leads to them");
    app.imports.import(returned.export.unwrap()).await.unwrap();
    assert_eq!(app.sessions.list().await.unwrap().len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn k04_a_staged_return_whose_command_was_not_run_changes_nothing() {
    let given = Given::agreed_to(Some(HOST));
    let (app, _) = given.start(packaged(&given, PackageKind::Deb, "1.0.0", Some("2.0.0")));
    update(&app).await;
    app.close().await;
    drop(app);

    let (app, _) = given.start(packaged(&given, PackageKind::Deb, "2.0.0", None));
    let session = app.sessions.create().await.unwrap();
    app.sessions.rename(session, "Since".to_owned()).await.unwrap();
    app.updates.act(UpdateAction::GoBack).await.unwrap();
    until(&app, |state| matches!(state, UpdateState::ReturnStaged { .. })).await;
    app.close().await;
    drop(app);

    let (app, _) = given.start(packaged(&given, PackageKind::Deb, "2.0.0", None));
    assert_eq!(app.sessions.list().await.unwrap().len(), 1);
    let view = app.updates.view().await.unwrap();
    assert_eq!((view.returned, view.way_back.as_deref()), (None, Some("1.0.0")));
}

#[tokio::test(flavor = "multi_thread")]
async fn k04_a_download_with_the_newer_version_does_not_change_what_is_put_back() {
    let given = Given::agreed_to(Some(HOST));
    let (app, _) = given.start(packaged(&given, PackageKind::Deb, "1.0.0", Some("2.0.0")));
    update(&app).await;
    app.close().await;
    drop(app);

    let (app, _) = given.start(packaged(&given, PackageKind::Deb, "2.0.0", Some("3.0.0")));
    let session = app.sessions.create().await.unwrap();
    app.sessions.rename(session, "Since".to_owned()).await.unwrap();
    let draft = Draft { text: "Written since".to_owned(), ..Draft::default() };
    app.sessions.save_draft(session, draft, None).await.unwrap();
    // The name of a copy has its second.
    tokio::time::sleep(Duration::from_secs(1)).await;
    update(&app).await;
    assert_eq!(skein_store::backups(&given.places).len(), 2);
    app.updates.act(UpdateAction::GoBack).await.unwrap();
    until(&app, |state| matches!(state, UpdateState::ReturnStaged { .. })).await;
    app.close().await;
    drop(app);

    let (app, _) = given.start(packaged(&given, PackageKind::Deb, "1.0.0", None));
    assert_eq!(app.sessions.list().await.unwrap().len(), 0, "the database of version 1.0.0");
    assert_eq!(app.updates.view().await.unwrap().returned.unwrap().sessions, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn k04_a_download_that_is_not_installed_leaves_the_way_back_and_old_packages_go() {
    let given = Given::agreed_to(Some(HOST));
    fs::create_dir_all(given.places.updates()).unwrap();
    fs::write(given.places.updates().join("skein.deb"), "of long ago").unwrap();
    let unfinished = ["skein-0.9.0.unfinished", ".skein-aB3x9Z"].map(|name| {
        let file = given.places.updates().join(name);
        fs::write(&file, "half").unwrap();
        file
    });
    let contents = given.places.updates().join("skein-0.9.0.contents");
    fs::create_dir_all(contents.join("usr")).unwrap();
    let (app, _) = given.start(packaged(&given, PackageKind::Deb, "1.0.0", Some("2.0.0")));
    update(&app).await;
    app.close().await;
    drop(app);
    let (app, _) = given.start(packaged(&given, PackageKind::Deb, "2.0.0", Some("3.0.0")));
    let kept = update(&app).await;
    assert!(matches!(kept, UpdateState::Packaged { .. }), "{kept:?}");
    app.close().await;
    drop(app);
    assert_eq!(packages(&given), ["skein-1.0.0.deb", "skein-2.0.0.deb", "skein-3.0.0.deb"]);
    assert!(!unfinished.iter().any(|file| file.exists()) && !contents.exists());

    let (app, _) = given.start(packaged(&given, PackageKind::Deb, "2.0.0", None));
    assert_eq!(app.updates.view().await.unwrap().way_back.as_deref(), Some("1.0.0"));
    app.close().await;
    drop(app);
    let (app, _) = given.start(packaged(&given, PackageKind::Deb, "3.0.0", None));
    assert_eq!(app.updates.view().await.unwrap().way_back.as_deref(), Some("2.0.0"));
    assert_eq!(packages(&given), ["skein-2.0.0.deb", "skein-3.0.0.deb"]);
    fs::remove_file(given.places.updates().join("skein-2.0.0.deb")).unwrap();
    assert_eq!(app.updates.view().await.unwrap().way_back, None, "its package is gone");
    let ended = end_of(&app, UpdateAction::GoBack).await;
    assert!(matches!(ended, UpdateState::Failed { .. }), "{ended:?}");
}
