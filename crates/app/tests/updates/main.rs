//! Updates: the consent, the steps, what a failure leaves, and the way back.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod fake_installer;
#[cfg(target_os = "linux")]
mod faults;
mod packages;
#[cfg(target_os = "linux")]
mod return_faults;
#[cfg(target_os = "linux")]
#[path = "../../../store/tests/store/subprocess.rs"]
mod subprocess;
mod way_back;

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use serde_json::json;
use skein_app::app::App;
use skein_app::settings::StartMode;
use skein_app::updates::cancel_unfinished_return;
use skein_app::view::{UpdateAction, UpdateFault, UpdateState};
use skein_platform::paths::AppPaths;
use skein_store::{BackupReason, backups};
use tempfile::TempDir;

use fake_installer::{FakeInstaller, HOST, end_of, until};

/// A data folder with a program in it.
struct Given {
    places: AppPaths,
    program: PathBuf,
    _folder: TempDir,
}

impl Given {
    /// The user agreed to this host; `None`: to none.
    fn agreed_to(host: Option<&str>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let places = AppPaths::in_folder(folder.path());
        let settings =
            json!({ "catalogueRefresh": false, "dailyBackup": false, "updateHost": host });
        fs::write(places.settings(), settings.to_string()).unwrap();
        let program = folder.path().join("Skein.AppImage");
        fs::write(&program, "old program").unwrap();
        Self { places, program, _folder: folder }
    }

    fn installer(&self) -> FakeInstaller {
        FakeInstaller::app_image(self.program.clone())
    }

    fn program(&self) -> String {
        fs::read_to_string(&self.program).unwrap()
    }

    fn start(&self, installer: FakeInstaller) -> (Arc<App>, Arc<FakeInstaller>) {
        start(&self.places, installer, StartMode::Normal)
    }
}

fn start(
    places: &AppPaths,
    installer: FakeInstaller,
    mode: StartMode,
) -> (Arc<App>, Arc<FakeInstaller>) {
    cancel_unfinished_return(places, installer.version);
    let (app, installer) = (App::open_as(places.clone(), mode).unwrap(), Arc::new(installer));
    app.updates.connect(installer.clone());
    (app, installer)
}

/// Finds the release and installs it.
async fn update(app: &Arc<App>) -> UpdateState {
    let found = end_of(app, UpdateAction::Check).await;
    assert!(matches!(found, UpdateState::Available { .. }), "{found:?}");
    end_of(app, UpdateAction::Install).await
}

#[tokio::test(flavor = "multi_thread")]
async fn k02_no_host_is_asked_before_the_user_agreed_to_exactly_that_host() {
    for (agreed, mode) in [
        (None, StartMode::Normal),
        (Some("elsewhere.example.org"), StartMode::Normal),
        (Some(HOST), StartMode::Safe),
    ] {
        let given = Given::agreed_to(agreed);
        let (app, installer) = start(&given.places, given.installer(), mode);
        app.updates.act(UpdateAction::Install).await.unwrap();
        if agreed != Some(HOST) {
            app.updates.act(UpdateAction::Check).await.unwrap();
        }
        // The periodic work is the last of the start.
        app.tasks.tracker.close();
        app.tasks.tracker.wait().await;
        assert_eq!(installer.checks(), 0, "{agreed:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn k02_after_the_yes_the_host_is_asked_once_a_day_by_itself() {
    let given = Given::agreed_to(None);
    let (app, installer) = given.start(given.installer());
    let read = app.settings.view().await.unwrap().settings;
    let mut agreed = read.clone();
    agreed.update_host = Some(HOST.to_owned());
    app.settings.save(read, agreed).await.unwrap();
    let found = until(&app, |state| matches!(state, UpdateState::Available { .. })).await;
    let notes = Some("Better.".to_owned());
    assert_eq!(found, UpdateState::Available { version: "2.0.0".to_owned(), notes });
    assert_eq!(installer.checks(), 1);
    app.close().await;
    drop(app);

    let (app, installer) = given.start(FakeInstaller { release: None, ..given.installer() });
    assert_eq!(end_of(&app, UpdateAction::Check).await, UpdateState::UpToDate {});
    assert_eq!(installer.checks(), 1, "the second start asked by the button alone");
}

#[tokio::test(flavor = "multi_thread")]
async fn k02_a_release_that_was_found_is_asked_for_again_a_day_later() {
    let given = Given::agreed_to(None);
    let (app, installer) = given.start(given.installer());
    let agree = async |to: Option<&str>| {
        let read = app.settings.view().await.unwrap().settings;
        let mut changed = read.clone();
        changed.update_host = to.map(str::to_owned);
        app.settings.save(read, changed).await.unwrap();
    };
    agree(Some(HOST)).await;
    until(&app, |state| matches!(state, UpdateState::Available { .. })).await;
    fs::write(given.places.cache.join("update-check"), "0").unwrap();
    agree(None).await;
    agree(Some(HOST)).await;
    until(&app, |_| installer.checks() == 2).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn k03_an_update_copies_the_database_replaces_the_program_and_restarts() {
    let given = Given::agreed_to(Some(HOST));
    #[cfg(unix)]
    fs::set_permissions(&given.program, std::os::unix::fs::PermissionsExt::from_mode(0o751))
        .unwrap();
    let (app, installer) = given.start(given.installer());
    assert_eq!(update(&app).await, UpdateState::Installed {});
    assert_eq!(given.program(), "new program");
    assert_eq!(installer.restarts(), 1);
    let copies = backups(&given.places);
    assert_eq!(copies.iter().filter(|copy| copy.reason == BackupReason::Update).count(), 1);
    #[cfg(unix)]
    {
        let mode = std::os::unix::fs::PermissionsExt::mode(
            &fs::metadata(&given.program).unwrap().permissions(),
        );
        assert_eq!(mode & 0o777, 0o751, "it can be started");
    }
    assert_eq!(app.updates.view().await.unwrap().way_back, None, "version 1.0.0 still runs");
}

#[tokio::test(flavor = "multi_thread")]
async fn k03_an_update_waits_for_running_work_and_can_be_cancelled_while_it_waits() {
    let given = Given::agreed_to(Some(HOST));
    let (app, installer) = given.start(given.installer());
    installer.is_idle.store(false, Ordering::SeqCst);
    end_of(&app, UpdateAction::Check).await;
    app.updates.act(UpdateAction::Install).await.unwrap();
    until(&app, |state| *state == UpdateState::WaitingForWork {}).await;
    let cancelled = end_of(&app, UpdateAction::Cancel).await;
    assert!(matches!(cancelled, UpdateState::Available { .. }), "{cancelled:?}");
    assert_eq!((given.program().as_str(), installer.restarts()), ("old program", 0));

    app.updates.act(UpdateAction::Install).await.unwrap();
    until(&app, |state| *state == UpdateState::WaitingForWork {}).await;
    installer.is_idle.store(true, Ordering::SeqCst);
    assert_eq!(until(&app, |state| !state.is_running()).await, UpdateState::Installed {});
    assert_eq!((given.program().as_str(), installer.restarts()), ("new program", 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn k03_work_that_begins_while_the_program_is_replaced_delays_the_restart() {
    let given = Given::agreed_to(Some(HOST));
    let (app, installer) = given.start(given.installer());
    end_of(&app, UpdateAction::Check).await;
    let begins = installer.clone();
    let work = Box::new(move || begins.is_idle.store(false, Ordering::SeqCst));
    *installer.at_look.lock().unwrap() = Some((3, work));
    app.updates.act(UpdateAction::Install).await.unwrap();
    until(&app, |state| installer.looks.load(Ordering::SeqCst) > 3 || !state.is_running()).await;
    assert_eq!((given.program().as_str(), installer.restarts()), ("new program", 0));
    installer.is_idle.store(true, Ordering::SeqCst);
    assert_eq!(until(&app, |state| !state.is_running()).await, UpdateState::Installed {});
    assert_eq!(installer.restarts(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn k03_a_package_that_is_not_right_changes_nothing() {
    let given = Given::agreed_to(Some(HOST));
    let fault = UpdateFault::BadSignature {};
    let (app, installer) =
        given.start(FakeInstaller { package: Err(fault.clone()), ..given.installer() });
    assert_eq!(update(&app).await, UpdateState::Failed { fault });
    assert_eq!((given.program().as_str(), installer.restarts()), ("old program", 0));
    assert_eq!(backups(&given.places), []);
}
