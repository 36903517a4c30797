//! Updates of the program: the user's consent, the steps of an update, and the way back.
//!
//! No host is asked before the user agreed to it by its name. A step that fails changes nothing: the running
//! version stays. Not here: requests and signatures, which Tauri's plug-in does (`src-tauri/updates/mod.rs`).

mod program_file;
mod record;
mod schedule;
mod update_host;
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

use record::{Record, ReturnRecord, UpdateRecord};
pub use update_host::{DownloadProgress, Installation, Release, UpdateHost};

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
    host: OnceLock<Arc<dyn UpdateHost>>,
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
            host: OnceLock::new(),
            steps: Mutex::default(),
        }
    }

    /// Connects the desktop program, if this build updates itself. Asks no host.
    pub fn connect(&self, host: Arc<dyn UpdateHost>) {
        if let Installation::AppImage { program } = host.installation() {
            // An update during which the program was killed leaves its unfinished file.
            if let Some(folder) = program.parent() {
                atomic_file::remove_unfinished(folder);
            }
        }
        // A second connection would be that of the same program.
        let _ = self.host.set(host);
        self.maintenance_due.notify_one();
    }

    /// The updates as the UI shows them. Asks no host.
    pub async fn view(&self) -> Result<UpdatesView> {
        let host = self.host.get();
        let version = host.map(|host| host.version()).unwrap_or_default();
        let returned = ReturnRecord::read(&self.paths)
            .filter(|returned| way_back::has_returned(&self.paths, returned, &version));
        Ok(UpdatesView {
            host: host.map(|host| host.host()),
            version,
            is_packaged: host.is_some_and(|host| {
                matches!(host.installation(), Installation::Deb | Installation::Rpm)
            }),
            state: self.steps.lock().state.clone(),
            way_back: host
                .and_then(|host| way_back::find(&self.paths, host.as_ref()))
                .map(|way_back| way_back.record.from),
            returned: returned.map(|returned| way_back::return_view(&self.paths, returned)),
        })
    }

    /// Carries out a command of the user. A step goes on in the background; its state is in [`Self::view`].
    pub async fn act(self: &Arc<Self>, action: UpdateAction) -> Result<()> {
        match action {
            UpdateAction::Check => {
                if let Some(host) = self.agreed_host() {
                    self.start(UpdateState::Checking {}, |own| own.check(host));
                }
            }
            UpdateAction::Install => {
                let release = self.steps.lock().release.clone();
                if let Some((host, release)) = self.agreed_host().zip(release) {
                    let begun = UpdateState::Downloading { received: 0, total: None };
                    self.start(begun, |own| own.install(host, release));
                }
            }
            UpdateAction::GoBack => {
                if let Some(host) = self.host.get().cloned() {
                    self.start(UpdateState::WaitingForWork {}, |own| own.go_back(host));
                }
            }
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
        let Some(host) = self.agreed_host() else {
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
            self.start(UpdateState::Checking {}, |own| own.check(host));
        }
    }

    fn cancel_requests(&self) {
        let steps = self.steps.lock();
        if matches!(steps.state, UpdateState::Checking {} | UpdateState::Downloading { .. }) {
            steps.cancel.cancel();
        }
    }

    /// The host, if the user agreed to it by its name.
    fn agreed_host(&self) -> Option<Arc<dyn UpdateHost>> {
        let host = self.host.get()?;
        let agreed = self.settings.get().update_host.as_deref() == Some(&host.host());
        agreed.then(|| Arc::clone(host))
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

    async fn check(self: Arc<Self>, host: Arc<dyn UpdateHost>) -> StepResult {
        schedule::note_check(&self.paths, now());
        let release = host.check(&self.http).await?;
        self.steps.lock().release.clone_from(&release);
        Ok(release.map_or(UpdateState::UpToDate {}, available))
    }

    async fn install(self: Arc<Self>, host: Arc<dyn UpdateHost>, release: Release) -> StepResult {
        let own = Arc::clone(&self);
        let progress = move |received, total| {
            own.set_state(UpdateState::Downloading { received, total });
        };
        let package = host.download(&self.http, Box::new(progress)).await?;
        match host.installation() {
            Installation::AppImage { program } => {
                let backup = self.back_up_when_idle(host.as_ref()).await?;
                let record = UpdateRecord {
                    from: host.version(),
                    to: release.version,
                    backup: file_name(&backup),
                    conversations: skein_transfer::VERSION,
                };
                let places = self.paths.clone();
                let work = move || replace(&places, &program, &record, &package);
                run_blocking("replacing the program", work).await??;
            }
            Installation::Installer => {
                self.back_up_when_idle(host.as_ref()).await?;
                let installer = Arc::clone(&host);
                run_blocking("the installer", move || installer.install(&package)).await??;
            }
            Installation::Deb => return self.keep_package(release, "deb", &package),
            Installation::Rpm => return self.keep_package(release, "rpm", &package),
        }
        // Work that began since, or unsaved text, would end with the program. The replacement cannot be
        // cancelled, and neither can this.
        while !host.is_idle() {
            tokio::time::sleep(LOOK_EVERY).await;
        }
        host.restart();
        Ok(UpdateState::Installed {})
    }

    /// Waits until nothing runs, then copies the database. Work that began meanwhile is waited for, too.
    async fn back_up_when_idle(&self, host: &dyn UpdateHost) -> Result<PathBuf> {
        loop {
            self.wait_until_idle(host).await;
            self.set_state(UpdateState::Installing {});
            let backup = self.store.back_up_for_update(&self.paths, now()).await?;
            if host.is_idle() {
                return Ok(backup);
            }
        }
    }

    async fn wait_until_idle(&self, host: &dyn UpdateHost) {
        while !host.is_idle() {
            self.set_state(UpdateState::WaitingForWork {});
            tokio::time::sleep(LOOK_EVERY).await;
        }
    }

    /// Keeps a package for the system's package manager, which needs rights that Skein does not ask for.
    fn keep_package(&self, release: Release, kind: &str, package: &[u8]) -> StepResult {
        let file = self.paths.updates().join(format!("skein.{kind}"));
        atomic_file::write_private(&file, package)?;
        let path = file.display().to_string().replace('\'', r"'\''");
        let manager = if kind == "deb" { "apt install" } else { "rpm -U" };
        let command = format!("sudo {manager} '{path}'");
        Ok(UpdateState::Packaged { version: release.version, command })
    }
}

/// Replaces the program, after noting how to go back.
fn replace(places: &AppPaths, program: &Path, record: &UpdateRecord, package: &[u8]) -> Result<()> {
    program_file::replace_program(program, package, || {
        // The program that the earlier record speaks of is kept no longer.
        UpdateRecord::remove(places)?;
        program_file::keep_program(program)?;
        record.write(places)
    })
}

fn available(release: Release) -> UpdateState {
    UpdateState::Available { version: release.version, notes: release.notes }
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
