//! The way back to the version before an update: what was written since is exported, then its database and
//! its program are put back.

use std::path::PathBuf;
use std::sync::Arc;

use skein_domain::error::{Error, Result};
use skein_domain::ids::SessionId;
use skein_platform::atomic_file;
use skein_platform::blocking::run_blocking;
use skein_platform::paths::AppPaths;
use tokio::runtime::Handle;

use super::program_file::{previous_program, restore_program};
use super::record::{Record, ReturnRecord, UpdateRecord};
use super::update_host::{Installation, UpdateHost};
use super::{StepResult, Updates, file_name};
use crate::clock::now;
use crate::transfers;
use crate::view::{ReturnView, UpdateState};

/// The parts of a version that can be put back.
pub struct WayBack {
    pub record: UpdateRecord,
    program: PathBuf,
    backup: PathBuf,
}

/// The way back from the running version; `None` if a part of it is missing, or if the version before could
/// not import an export of this one.
pub fn find(places: &AppPaths, host: &dyn UpdateHost) -> Option<WayBack> {
    let Installation::AppImage { program } = host.installation() else { return None };
    let record = UpdateRecord::read(places).filter(|record| record.to == host.version())?;
    let backup = places.backups().join(&record.backup);
    let is_whole = record.conversations >= skein_transfer::VERSION
        && previous_program(&program).is_file()
        && backup.is_file();
    is_whole.then_some(WayBack { record, program, backup })
}

/// The return as the UI shows it.
pub fn return_view(places: &AppPaths, returned: ReturnRecord) -> ReturnView {
    let export = returned.export.map(|name| places.updates().join(name));
    let export = export.filter(|file| file.is_file()).map(|file| file.display().to_string());
    ReturnView { from: returned.from, export, sessions: returned.sessions }
}

impl Updates {
    pub(super) async fn go_back(self: Arc<Self>, host: Arc<dyn UpdateHost>) -> StepResult {
        let Some(way_back) = find(&self.paths, host.as_ref()) else {
            return Err(Error::NotFound { what: "backup".into() }.into());
        };
        let returned = loop {
            self.wait_until_idle(host.as_ref()).await;
            self.set_state(UpdateState::GoingBack {});
            let changed = self.store.sessions_changed_since(&way_back.backup).await?;
            let returned = self.export_changed(&way_back.record, changed).await?;
            if host.is_idle() {
                break returned;
            }
        };
        let places = self.paths.clone();
        let work = move || put_back(&places, &way_back, &returned);
        run_blocking("going back", work).await??;
        host.restart();
        Ok(UpdateState::Installed {})
    }

    /// Exports these sessions into the folder of updates, atomically.
    async fn export_changed(
        &self,
        record: &UpdateRecord,
        changed: Vec<SessionId>,
    ) -> Result<ReturnRecord> {
        let sessions = u32::try_from(changed.len()).unwrap_or(u32::MAX);
        let from = record.to.clone();
        if changed.is_empty() {
            return Ok(ReturnRecord { from, export: None, sessions });
        }
        let (store, folder, now) = (self.store.clone(), self.paths.updates(), now());
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
        Ok(ReturnRecord { from, export: Some(file_name(&file)), sessions })
    }
}

/// Puts the database back before the program: the version before cannot open the present database, while the
/// present version can open that of the version before.
fn put_back(places: &AppPaths, way_back: &WayBack, returned: &ReturnRecord) -> Result<()> {
    returned.write(places)?;
    skein_store::stage_restore(places, &way_back.backup)?;
    if let Err(error) = restore_program(&way_back.program) {
        skein_store::unstage_restore(places)?;
        ReturnRecord::remove(places)?;
        return Err(error);
    }
    UpdateRecord::remove(places)
}
