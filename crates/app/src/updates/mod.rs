//! Updates of the program: the user's consent, the steps of an update, and the way back.
//!
//! No host is asked before the user agreed to it by its name. A step that fails changes nothing: the running
//! version stays. Not here: requests and signatures, which Tauri's plug-in does (`src-tauri/updates/mod.rs`).

mod kept_package;
mod program_file;
mod record;
mod schedule;
mod update_installer;
mod way_back;

use std::future::Future;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use parking_lot::Mutex;
use skein_domain::error::Result;
use skein_platform::atomic_file;
use skein_platform::blocking::run_blocking;
use skein_platform::http::HttpClient;
use skein_platform::paths::AppPaths;
use skein_store::Store;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use crate::clock::now;
use crate::events::Topic;
use crate::notifier::Notifier;
use crate::settings::SettingsFile;
use crate::shared_state::SharedState;
use crate::tasks::Tasks;
use crate::view::{UpdateAction, UpdateFault, UpdateState, UpdatesView};

pub use kept_package::{PACKAGE_CONTENTS, UNFINISHED_PACKAGE};
use record::{Record, ReturnRecord, UpdateRecord};
pub use update_installer::{DownloadProgress, Installation, PackageKind, Release, UpdateInstaller};
pub use way_back::cancel_unfinished_return;

/// The interval at which a step looks if running work has ended.
const LOOK_EVERY: Duration = Duration::from_millis(500);

/// The updates of the program.
pub struct Updates {
    store: Store,
    settings: Arc<SettingsFile>,
    paths: AppPaths,
    http: HttpClient,
    notifier: Notifier,
    tasks: Tasks,
    /// Wakes the periodic work.
    maintenance_due: Arc<Notify>,
    /// Unset: this build does not update itself.
    installer: OnceLock<Arc<dyn UpdateInstaller>>,
    steps: Mutex<Steps>,
}

/// The state of the steps.
#[derive(Default)]
struct Steps {
    state: UpdateState,
    /// The release that the last check found.
    release: Option<Release>,
    /// Cancels the running step.
    cancel: CancellationToken,
}

/// The end of a step.
type StepResult = std::result::Result<UpdateState, UpdateFault>;

impl Updates {
    pub(crate) fn new(shared: &SharedState, maintenance_due: Arc<Notify>) -> Self {
        Self {
            store: shared.store.clone(),
            settings: Arc::clone(&shared.settings),
            paths: shared.paths.clone(),
            http: shared.http.clone(),
            notifier: shared.notifier.clone(),
            tasks: shared.tasks.clone(),
            maintenance_due,
            installer: OnceLock::new(),
            steps: Mutex::default(),
        }
    }

    /// Connects the desktop program, if this build updates itself. Asks no host.
    pub fn connect(&self, installer: Arc<dyn UpdateInstaller>) {
        if let Installation::AppImage { program } = installer.installation() {
            // An update during which the program was killed leaves its unfinished file.
            if let Some(folder) = program.parent() {
                atomic_file::remove_unfinished(folder);
            }
        }
        kept_package::forget_left_version(&self.paths, &installer.version());
        kept_package::note_installation(&self.paths, &installer.version());
        kept_package::remove_old_packages(&self.paths);
        // A second connection would be that of the same program.
        let _ = self.installer.set(installer);
        self.maintenance_due.notify_one();
    }

    /// The updates as the UI shows them. Asks no host.
    pub async fn view(&self) -> Result<UpdatesView> {
        let installer = self.installer.get();
        let version = installer.map(|installer| installer.version()).unwrap_or_default();
        let returned = ReturnRecord::read(&self.paths)
            .filter(|returned| way_back::has_returned(&self.paths, returned, &version));
        Ok(UpdatesView {
            host: installer.map(|installer| installer.host()),
            version,
            is_packaged: installer.is_some_and(|installer| {
                matches!(installer.installation(), Installation::Package(_))
            }),
            state: self.steps.lock().state.clone(),
            way_back: installer
                .and_then(|installer| way_back::find(&self.paths, installer.as_ref()))
                .map(|way_back| way_back.record.from),
            returned: returned.map(|returned| way_back::return_view(&self.paths, returned)),
        })
    }

    /// Carries out a command of the user. A step goes on in the background; its state is in [`Self::view`].
    pub async fn act(self: &Arc<Self>, action: UpdateAction) -> Result<()> {
        match action {
            UpdateAction::Check => {
                if let Some(installer) = self.agreed_installer() {
                    self.start(UpdateState::Checking {}, |own| own.check(installer));
                }
            }
            UpdateAction::Install => {
                let release = self.steps.lock().release.clone();
                if let Some((installer, release)) = self.agreed_installer().zip(release) {
                    let begun = UpdateState::Downloading { received: 0, total: None };
                    self.start(begun, |own| own.install(installer, release));
                }
            }
            UpdateAction::GoBack => {
                if let Some(installer) = self.installer.get().cloned() {
                    self.start(UpdateState::WaitingForWork {}, |own| own.go_back(installer));
                }
            }
            UpdateAction::Cancel if self.is_return_staged() => self.cancel_return().await?,
            UpdateAction::Cancel => self.cancel(),
            UpdateAction::DismissReturn => {
                ReturnRecord::remove(&self.paths)?;
                self.notifier.changed([Topic::Data {}]);
            }
        }
        Ok(())
    }

    /// Asks once a day, after the user agreed. A failure is shown in the settings only. Ends the requests of
    /// a step if the user no longer agrees.
    pub(crate) fn check_daily(self: &Arc<Self>) {
        let Some(installer) = self.agreed_installer() else {
            return self.cancel_requests();
        };
        // A release that was found may have been withdrawn since.
        let is_waiting = matches!(
            self.steps.lock().state,
            UpdateState::Idle {}
                | UpdateState::UpToDate {}
                | UpdateState::Available { .. }
                | UpdateState::Failed { .. }
        );
        if is_waiting && !self.settings.is_safe_mode() && schedule::is_due(&self.paths, now()) {
            self.start(UpdateState::Checking {}, |own| own.check(installer));
        }
    }

    fn cancel_requests(&self) {
        let steps = self.steps.lock();
        if matches!(steps.state, UpdateState::Checking {} | UpdateState::Downloading { .. }) {
            steps.cancel.cancel();
        }
    }

    /// The installer, if the user agreed to its host by name.
    fn agreed_installer(&self) -> Option<Arc<dyn UpdateInstaller>> {
        let installer = self.installer.get()?;
        let agreed = self.settings.get().update_host.as_deref() == Some(&installer.host());
        agreed.then(|| Arc::clone(installer))
    }

    /// Starts a step in the background, unless one runs.
    fn start<Step>(self: &Arc<Self>, begun: UpdateState, step: impl FnOnce(Arc<Self>) -> Step)
    where
        Step: Future<Output = StepResult> + Send + 'static,
    {
        let cancel = CancellationToken::new();
        {
            let mut steps = self.steps.lock();
            if steps.state.is_running() {
                return;
            }
            steps.state = begun;
            steps.cancel = cancel.clone();
        }
        self.notifier.changed([Topic::Data {}]);
        let (own, step) = (Arc::clone(self), step(Arc::clone(self)));
        self.tasks.spawn(async move {
            let ended = cancel.run_until_cancelled(step).await;
            let state = ended.map_or_else(
                || own.state_after_cancel(),
                |ended| {
                    ended.unwrap_or_else(|fault| {
                        tracing::warn!(?fault, "a step of an update failed");
                        UpdateState::Failed { fault }
                    })
                },
            );
            own.set_state(state);
            own.notifier.changed([Topic::Data {}]);
        });
    }

    /// Ends the running step, unless it is already replacing something.
    fn cancel(&self) {
        let steps = self.steps.lock();
        match steps.state {
            UpdateState::Checking {}
            | UpdateState::Downloading { .. }
            | UpdateState::WaitingForWork {} => steps.cancel.cancel(),
            UpdateState::Installing {}
            | UpdateState::GoingBack {}
            | UpdateState::ReturnStaged { .. }
            | UpdateState::Idle {}
            | UpdateState::UpToDate {}
            | UpdateState::Available { .. }
            | UpdateState::Installed {}
            | UpdateState::Packaged { .. }
            | UpdateState::Failed { .. } => {}
        }
    }

    /// The state that a cancelled step leaves.
    fn state_after_cancel(&self) -> UpdateState {
        self.steps.lock().release.clone().map_or_else(UpdateState::default, available)
    }

    fn set_state(&self, state: UpdateState) {
        self.steps.lock().state = state;
    }

    async fn check(self: Arc<Self>, installer: Arc<dyn UpdateInstaller>) -> StepResult {
        schedule::note_check(&self.paths, now());
        let release = installer.check(&self.http).await?;
        self.steps.lock().release.clone_from(&release);
        Ok(release.map_or(UpdateState::UpToDate {}, available))
    }

    async fn install(
        self: Arc<Self>,
        installer: Arc<dyn UpdateInstaller>,
        release: Release,
    ) -> StepResult {
        let own = Arc::clone(&self);
        let progress = move |received, total| {
            own.set_state(UpdateState::Downloading { received, total });
        };
        let package = installer.download(&self.http, Box::new(progress)).await?;
        match installer.installation() {
            Installation::AppImage { program } => {
                let backup = self.back_up_when_idle(installer.as_ref()).await?;
                let record = UpdateRecord::of(installer.as_ref(), &release, &backup);
                let places = self.paths.clone();
                let work = move || replace(&places, &program, &record, &package);
                run_blocking("replacing the program", work).await??;
            }
            Installation::Installer => {
                self.back_up_when_idle(installer.as_ref()).await?;
                let system = Arc::clone(&installer);
                run_blocking("the installer", move || system.install(&package)).await??;
            }
            Installation::Package(kind) => {
                return self.keep_package(installer, release, kind, package).await;
            }
        }
        // Work that began since, or unsaved text, would end with the program. The replacement cannot be
        // cancelled, and neither can this.
        while !installer.is_idle() {
            tokio::time::sleep(LOOK_EVERY).await;
        }
        installer.restart();
        Ok(UpdateState::Installed {})
    }

    /// Waits until nothing runs, then copies the database. Work that began meanwhile is waited for, too.
    async fn back_up_when_idle(&self, installer: &dyn UpdateInstaller) -> Result<PathBuf> {
        loop {
            self.wait_until_idle(installer).await;
            self.set_state(UpdateState::Installing {});
            let backup = self.store.back_up_for_update(&self.paths, now()).await?;
            if installer.is_idle() {
                return Ok(backup);
            }
        }
    }

    async fn wait_until_idle(&self, installer: &dyn UpdateInstaller) {
        while !installer.is_idle() {
            self.set_state(UpdateState::WaitingForWork {});
            tokio::time::sleep(LOOK_EVERY).await;
        }
    }

    /// Keeps a package for the system's package manager, which needs rights that Skein does not ask for, and
    /// what the way back from it needs.
    async fn keep_package(
        &self,
        installer: Arc<dyn UpdateInstaller>,
        release: Release,
        kind: PackageKind,
        package: Vec<u8>,
    ) -> StepResult {
        self.set_state(UpdateState::Installing {});
        let backup = self.store.back_up_for_update(&self.paths, now()).await?;
        let record = UpdateRecord::of(installer.as_ref(), &release, &backup);
        let places = self.paths.clone();
        let work = move || kept_package::keep(&places, installer.as_ref(), record, kind, &package);
        let command = run_blocking("keeping the package", work).await??;
        Ok(UpdateState::Packaged { version: release.version, command })
    }
}

/// Replaces the program, after noting how to go back.
fn replace(places: &AppPaths, program: &Path, record: &UpdateRecord, package: &[u8]) -> Result<()> {
    program_file::replace_program(program, package, || {
        // The program that the earlier record speaks of is kept no longer.
        UpdateRecord::remove(places)?;
        program_file::keep_program(program)?;
        record.write(places).or_else(|error| {
            // It would be a second program that nothing speaks of.
            program_file::remove_previous(program)?;
            Err(error)
        })
    })
}

fn available(release: Release) -> UpdateState {
    UpdateState::Available { version: release.version, notes: release.notes }
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
