//! The way back to the version before an update: what was written since is exported, then its database and
//! its program are put back. A package is put back by the system's package manager, at the user's command.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use skein_domain::error::{Error, Result};
use skein_domain::ids::SessionId;
use skein_platform::atomic_file;
use skein_platform::blocking::run_blocking;
use skein_platform::paths::AppPaths;
use skein_store::{Backup, BackupReason};
use tokio::runtime::Handle;

use super::kept_package::{downgrade_command, package_file};
use super::program_file::{previous_program, restore_program};
use super::record::{Record, ReturnRecord, UpdateRecord};
use super::update_installer::{Installation, PackageKind, UpdateInstaller};
use super::{StepResult, Updates, file_name};
use crate::clock::now;
use crate::events::Topic;
use crate::transfers;
use crate::view::{ReturnView, UpdateState};

/// The parts of a version that can be put back.
pub struct WayBack {
    pub record: UpdateRecord,
    program: KeptProgram,
    backup: PathBuf,
}

/// The program of the version before.
enum KeptProgram {
    /// It is kept beside this AppImage.
    AppImage(PathBuf),
    /// Its package.
    Package { kind: PackageKind, file: PathBuf },
}

impl KeptProgram {
    fn is_there(&self) -> bool {
        match self {
            Self::AppImage(program) => previous_program(program).is_file(),
            Self::Package { file, .. } => file.is_file(),
        }
    }
}

/// The way back from the running version; `None` if a part of it is missing, or if the version before could
/// not import an export of this one.
pub fn find(places: &AppPaths, installer: &dyn UpdateInstaller) -> Option<WayBack> {
    let record = UpdateRecord::read(places).filter(|record| record.to == installer.version())?;
    let program = match installer.installation() {
        Installation::AppImage { program } => KeptProgram::AppImage(program),
        Installation::Package(kind) => {
            let file = package_file(places, &record.from, kind);
            KeptProgram::Package { kind, file }
        }
        Installation::Installer => return None,
    };
    let backup = places.backups().join(&record.backup);
    let is_whole =
        record.conversations >= skein_transfer::VERSION && program.is_there() && backup.is_file();
    is_whole.then_some(WayBack { record, program, backup })
}

/// True if the database of the version before was put back. The record is written before that, so it may tell
/// of a return that a kill prevented. `version`: the running one.
pub fn has_returned(places: &AppPaths, returned: &ReturnRecord, version: &str) -> bool {
    let is_later =
        |copy: &Backup| *file_name(Path::new(&copy.path)) > *format!("skein-{}", returned.at);
    returned.from != version
        || skein_store::backups(places)
            .iter()
            .any(|copy| copy.reason == BackupReason::Replaced && is_later(copy))
}

/// Cancels, before the store opens, a return that an earlier run staged if its program was not put back: the
/// version that was to be left starts again. `version`: the running one. The export stays.
pub fn cancel_unfinished_return(places: &AppPaths, version: &str) {
    let is_unfinished = ReturnRecord::read(places)
        .is_some_and(|returned| !has_returned(places, &returned, version));
    if !is_unfinished {
        return;
    }
    let cancelled = skein_store::unstage_earlier_restore(places);
    if let Err(error) = cancelled.and_then(|()| ReturnRecord::remove(places)) {
        tracing::warn!(%error, "a return that did not happen stays staged");
    }
}

/// The return as the UI shows it.
pub fn return_view(places: &AppPaths, returned: ReturnRecord) -> ReturnView {
    let export = returned.export.map(|name| places.updates().join(name));
    let export = export.filter(|file| file.is_file()).map(|file| file.display().to_string());
    ReturnView { from: returned.from, export, sessions: returned.sessions }
}

impl Updates {
    pub(super) async fn go_back(
        self: Arc<Self>,
        installer: Arc<dyn UpdateInstaller>,
    ) -> StepResult {
        let Some(way_back) = find(&self.paths, installer.as_ref()) else {
            return Err(Error::NotFound { what: "backup".into() }.into());
        };
        let returned = self.stage_way_back(&way_back, installer.as_ref()).await?;
        let program = match way_back.program {
            KeptProgram::AppImage(program) => program,
            KeptProgram::Package { kind, file } => {
                let command = downgrade_command(kind, &file);
                return Ok(UpdateState::ReturnStaged { version: way_back.record.from, command });
            }
        };
        let places = self.paths.clone();
        let work = move || put_program_back(&places, &program, &returned);
        let put_back = run_blocking("going back", work).await.and_then(|put_back| put_back);
        if let Err(error) = put_back {
            self.store.resume_writes();
            return Err(error.into());
        }
        installer.restart();
        Ok(UpdateState::Installed {})
    }

    /// True while the way back waits for the package manager.
    pub(super) fn is_return_staged(&self) -> bool {
        matches!(self.steps.lock().state, UpdateState::ReturnStaged { .. })
    }

    /// Stays with this version, although the way back was staged.
    pub(super) async fn cancel_return(&self) -> Result<()> {
        let places = self.paths.clone();
        let work = move || match ReturnRecord::read(&places) {
            Some(returned) => discard(&places, &returned),
            None => skein_store::unstage_restore(&places),
        };
        run_blocking("staying with this version", work).await??;
        self.store.resume_writes();
        self.set_state(UpdateState::default());
        self.notifier.changed([Topic::Data {}]);
        Ok(())
    }

    /// Exports what was written since the update and stages the database of the version before. When this
    /// returns, the export is complete: nothing runs, no text is unsaved, and the store refuses writes.
    async fn stage_way_back(
        &self,
        way_back: &WayBack,
        installer: &dyn UpdateInstaller,
    ) -> Result<ReturnRecord> {
        loop {
            self.wait_until_idle(installer).await;
            self.set_state(UpdateState::GoingBack {});
            let written = self.store.written_rows().await?;
            let changed = self.store.sessions_changed_since(&way_back.backup).await?;
            let returned = self.export_changed(&way_back.record, changed).await?;
            let (places, backup, record) =
                (self.paths.clone(), way_back.backup.clone(), returned.clone());
            run_blocking("going back", move || stage(&places, &backup, &record)).await??;
            if installer.is_idle() && self.store.stop_writes(written).await? {
                if installer.is_idle() {
                    return Ok(returned);
                }
                self.store.resume_writes();
            }
            discard(&self.paths, &returned)?;
        }
    }

    /// Exports these sessions into the folder of updates, atomically.
    async fn export_changed(
        &self,
        record: &UpdateRecord,
        changed: Vec<SessionId>,
    ) -> Result<ReturnRecord> {
        let sessions = u32::try_from(changed.len()).unwrap_or(u32::MAX);
        let (from, now) = (record.to.clone(), now());
        if changed.is_empty() {
            return Ok(ReturnRecord { from, at: now, export: None, sessions });
        }
        let (store, folder) = (self.store.clone(), self.paths.updates());
        let file = folder.join(format!("written-with-{from}-{now}.zip"));
        let (target, runtime) = (file.clone(), Handle::current());
        run_blocking("the export before going back", move || {
            atomic_file::create_private_folder(&folder)
                .map_err(|error| Error::from_io(&folder, &error))?;
            atomic_file::write(&target, |to| {
                transfers::export_all(&store, &runtime, &changed, now, to, || true)
            })
        })
        .await??;
        Ok(ReturnRecord { from, at: now, export: Some(file_name(&file)), sessions })
    }
}

/// Stages the database before the program is put back: the version before cannot open the present database,
/// while the present version can open that of the version before.
fn stage(places: &AppPaths, backup: &Path, returned: &ReturnRecord) -> Result<()> {
    let staged = returned.write(places).and_then(|()| skein_store::stage_restore(places, backup));
    if staged.is_err() {
        discard(places, returned)?;
    }
    staged
}

/// Removes what [`stage`] and the export before it left. The user may have moved the export.
fn discard(places: &AppPaths, returned: &ReturnRecord) -> Result<()> {
    skein_store::unstage_restore(places)?;
    ReturnRecord::remove(places)?;
    let Some(export) = &returned.export else { return Ok(()) };
    let file = places.updates().join(export);
    if let Err(error) = fs::remove_file(&file) {
        tracing::warn!(%error, "the export of a return that did not happen stays");
    }
    Ok(())
}

fn put_program_back(places: &AppPaths, program: &Path, returned: &ReturnRecord) -> Result<()> {
    if let Err(error) = restore_program(program) {
        discard(places, returned)?;
        return Err(error);
    }
    // The program is that of the version before, whose name the record does not fit.
    if let Err(error) = UpdateRecord::remove(places) {
        tracing::warn!(%error, "the record of the update stays");
    }
    Ok(())
}
