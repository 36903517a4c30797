//! Updates: the consent, the steps, what a failure leaves, and the way back.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod fake_host;
#[cfg(target_os = "linux")]
mod faults;
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
use skein_app::updates::Installation;
use skein_app::view::{UpdateAction, UpdateFault, UpdateState};
use skein_platform::paths::AppPaths;
use skein_store::{BackupReason, backups};
use tempfile::TempDir;

use fake_host::{FakeHost, HOST, end_of, until};

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

    fn host(&self) -> FakeHost {
        FakeHost::app_image(self.program.clone())
    }

    fn program(&self) -> String {
        fs::read_to_string(&self.program).unwrap()
    }

    fn start(&self, host: FakeHost) -> (Arc<App>, Arc<FakeHost>) {
        start(&self.places, host, StartMode::Normal)
    }
}

fn start(places: &AppPaths, host: FakeHost, mode: StartMode) -> (Arc<App>, Arc<FakeHost>) {
    let (app, host) = (App::open_as(places.clone(), mode).unwrap(), Arc::new(host));
    app.updates.connect(host.clone());
    (app, host)
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
        let (app, host) = start(&given.places, given.host(), mode);
        app.updates.act(UpdateAction::Install).await.unwrap();
        if agreed != Some(HOST) {
            app.updates.act(UpdateAction::Check).await.unwrap();
        }
        // The periodic work is the last of the start.
        app.tasks.tracker.close();
        app.tasks.tracker.wait().await;
        assert_eq!(host.checks(), 0, "{agreed:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn k02_after_the_yes_the_host_is_asked_once_a_day_by_itself() {
    let given = Given::agreed_to(None);
    let (app, host) = given.start(given.host());
    let read = app.settings.view().await.unwrap().settings;
    let mut agreed = read.clone();
    agreed.update_host = Some(HOST.to_owned());
    app.settings.save(read, agreed).await.unwrap();
    let found = until(&app, |state| matches!(state, UpdateState::Available { .. })).await;
    let notes = Some("Better.".to_owned());
    assert_eq!(found, UpdateState::Available { version: "2.0.0".to_owned(), notes });
    assert_eq!(host.checks(), 1);
    app.close().await;
    drop(app);

    let (app, host) = given.start(FakeHost { release: None, ..given.host() });
    assert_eq!(end_of(&app, UpdateAction::Check).await, UpdateState::UpToDate {});
    assert_eq!(host.checks(), 1, "the second start asked by the button alone");
}

#[tokio::test(flavor = "multi_thread")]
async fn k02_a_release_that_was_found_is_asked_for_again_a_day_later() {
    let given = Given::agreed_to(None);
    let (app, host) = given.start(given.host());
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
    until(&app, |_| host.checks() == 2).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn k03_an_update_copies_the_database_replaces_the_program_and_restarts() {
    let given = Given::agreed_to(Some(HOST));
    #[cfg(unix)]
    fs::set_permissions(&given.program, std::os::unix::fs::PermissionsExt::from_mode(0o751))
        .unwrap();
    let (app, host) = given.start(given.host());
    assert_eq!(update(&app).await, UpdateState::Installed {});
    assert_eq!(given.program(), "new program");
    assert_eq!(host.restarts(), 1);
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
    let (app, host) = given.start(given.host());
    host.is_idle.store(false, Ordering::SeqCst);
    end_of(&app, UpdateAction::Check).await;
    app.updates.act(UpdateAction::Install).await.unwrap();
    until(&app, |state| *state == UpdateState::WaitingForWork {}).await;
    let cancelled = end_of(&app, UpdateAction::Cancel).await;
    assert!(matches!(cancelled, UpdateState::Available { .. }), "{cancelled:?}");
    assert_eq!((given.program().as_str(), host.restarts()), ("old program", 0));

    app.updates.act(UpdateAction::Install).await.unwrap();
    until(&app, |state| *state == UpdateState::WaitingForWork {}).await;
    host.is_idle.store(true, Ordering::SeqCst);
    assert_eq!(until(&app, |state| !state.is_running()).await, UpdateState::Installed {});
    assert_eq!((given.program().as_str(), host.restarts()), ("new program", 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn k03_work_that_begins_while_the_program_is_replaced_delays_the_restart() {
    let given = Given::agreed_to(Some(HOST));
    let (app, host) = given.start(given.host());
    end_of(&app, UpdateAction::Check).await;
    let begins = host.clone();
    let work = Box::new(move || begins.is_idle.store(false, Ordering::SeqCst));
    *host.at_look.lock().unwrap() = Some((3, work));
    app.updates.act(UpdateAction::Install).await.unwrap();
    until(&app, |state| host.looks.load(Ordering::SeqCst) > 3 || !state.is_running()).await;
    assert_eq!((given.program().as_str(), host.restarts()), ("new program", 0));
    host.is_idle.store(true, Ordering::SeqCst);
    assert_eq!(until(&app, |state| !state.is_running()).await, UpdateState::Installed {});
    assert_eq!(host.restarts(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn k03_a_package_that_is_not_right_changes_nothing() {
    let given = Given::agreed_to(Some(HOST));
    let fault = UpdateFault::BadSignature {};
    let (app, host) = given.start(FakeHost { package: Err(fault.clone()), ..given.host() });
    assert_eq!(update(&app).await, UpdateState::Failed { fault });
    assert_eq!((given.program().as_str(), host.restarts()), ("old program", 0));
    assert_eq!(backups(&given.places), []);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_package_for_the_systems_manager_is_kept_with_the_command_that_installs_it() {
    for (installation, command) in
        [(Installation::Deb, "sudo apt install '"), (Installation::Rpm, "sudo rpm -U '")]
    {
        let given = Given::agreed_to(Some(HOST));
        let (app, host) = given.start(FakeHost { installation, ..given.host() });
        let UpdateState::Packaged { version, command: shown } = update(&app).await else {
            panic!("the package is there");
        };
        assert_eq!((version.as_str(), host.restarts()), ("2.0.0", 0));
        let file = shown.strip_prefix(command).unwrap().strip_suffix('\'').unwrap();
        assert_eq!(fs::read_to_string(file).unwrap(), "new program");
        assert_eq!(given.program(), "old program");
    }
}
