//! The person's data: where it is, copied and brought back.
//!
//! Only if the database is intact are old copies dropped (by their exact names) and, after the day's copy,
//! messages purged that were deleted a month ago.

pub(crate) mod orphaned_keys;
pub(crate) mod quarantine;
pub mod startup_recovery;

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use parking_lot::Mutex;
use skein_domain::error::{Error, Result};
use skein_platform::paths::AppPaths;
use skein_store::{BackupContent, ContactedHost, Store};

use crate::clock::now;
use crate::events::Topic;
use crate::notifier::Notifier;
use crate::sessions::Sessions;
use crate::settings::SettingsFile;
use crate::shared_state::SharedState;
use crate::tasks::Tasks;
use crate::view::DataLocations;

/// How long nothing is written before the log is copied into the database.
const QUIET: Duration = Duration::from_secs(2);

/// How long the end of the program waits for that.
const CHECKPOINT: Duration = Duration::from_secs(3);

/// The files of the person's data.
pub struct Maintenance {
    store: Store,
    settings: Arc<SettingsFile>,
    paths: AppPaths,
    notifier: Notifier,
    tasks: Tasks,
    sessions: Arc<Sessions>,
    /// What was found to be wrong with the database while it is open.
    damage: OnceLock<Error>,
    /// Why the day's copy of the database could not be made, until it is.
    backup_error: Mutex<Option<Error>>,
}

impl Maintenance {
    pub(crate) fn new(shared: &SharedState, sessions: Arc<Sessions>) -> Self {
        Self {
            store: shared.store.clone(),
            settings: Arc::clone(&shared.settings),
            paths: shared.paths.clone(),
            notifier: shared.notifier.clone(),
            tasks: shared.tasks.clone(),
            sessions,
            damage: OnceLock::new(),
            backup_error: Mutex::default(),
        }
    }

    pub async fn data_locations(&self) -> Result<DataLocations> {
        let shown = |path: &Path| path.display().to_string();
        Ok(DataLocations {
            config: shown(&self.paths.config),
            data: shown(&self.paths.data),
            database: shown(&self.paths.database()),
            backups: skein_store::backups(&self.paths),
            damage: self.damage.get().cloned(),
            uncopied: self.backup_error.lock().clone(),
            cut_import: self.store.interrupted_import(),
            moved: self.store.moved_error(),
        })
    }

    /// In the background: the part of the check that the start left out. Old copies go only where the
    /// database is whole.
    pub(crate) async fn finish_integrity_check(&self) {
        match self.store.finish_integrity_check().await {
            Ok(()) => {
                let places = self.paths.clone();
                let _ =
                    tokio::task::spawn_blocking(move || skein_store::prune_backups(&places)).await;
                self.notifier.changed([Topic::Data {}]);
            }
            Err(error) => self.not_looked_through(error),
        }
    }

    /// In the background, until the app is dropped: copies the log into the database whenever nothing was
    /// written for a while.
    pub(crate) fn checkpoint_when_quiet(self: &Arc<Self>) {
        let (own, written) = (Arc::downgrade(self), self.store.write_notify());
        let tasks = self.tasks.clone();
        self.tasks.spawn_waiting(async move {
            loop {
                written.notified().await;
                while tokio::time::timeout(QUIET, written.notified()).await.is_ok() {}
                let Some(own) = own.upgrade() else { return };
                let own = tasks.track(own);
                if let Err(error) = own.store.checkpoint().await {
                    tracing::warn!(%error, "the log was not copied into the database");
                }
            }
        });
    }

    /// In the background, until the app is dropped: tells whoever shows it that the database was moved, or is
    /// back.
    pub(crate) fn watch_database_presence(self: &Arc<Self>) {
        let (own, was_moved) = (Arc::downgrade(self), self.store.moved_notify());
        let tasks = self.tasks.clone();
        self.tasks.spawn_waiting(async move {
            loop {
                was_moved.notified().await;
                let Some(own) = own.upgrade() else { return };
                let own = tasks.track(own);
                own.notifier.changed([Topic::Data {}]);
            }
        });
    }

    /// Copies everything that is open into a file of its own, wherever the database is by now.
    pub async fn save_copy(&self, path: String) -> Result<()> {
        self.store.copy_to(PathBuf::from(path)).await
    }

    /// Copies the log into the database before the program ends, which waits only so long for it.
    pub(crate) async fn checkpoint_at_close(&self) {
        let done = tokio::time::timeout(CHECKPOINT, self.store.checkpoint_at_close()).await;
        match done {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::warn!(%error, "the log stays beside the database"),
            Err(_) => tracing::warn!("the log stays beside the database: it took too long"),
        }
    }

    fn not_looked_through(&self, error: Error) {
        match error {
            Error::DatabaseDamaged { path, backup: _ } => {
                let backup = skein_store::newest_backup(&self.paths).map(|it| it.path);
                let _ = self.damage.set(Error::DatabaseDamaged { path, backup });
                self.notifier.changed([Topic::Data {}]);
            }
            error => tracing::warn!(%error, "the database was not looked through"),
        }
    }

    /// Copies the database where the day's copy is due and wanted. What keeps it from being made is
    /// shown for as long as it is so; a database that is damaged is not copied by itself.
    pub(crate) async fn run_daily_backup(&self) {
        let is_wanted = self.settings.get().daily_backup && self.damage.get().is_none();
        let made = match is_wanted {
            true => self.store.back_up_daily(&self.paths, now()).await,
            false => Ok(None),
        };
        match made {
            Ok(None) => self.set_uncopied(None),
            Ok(Some(_)) => {
                let places = self.paths.clone();
                let _ =
                    tokio::task::spawn_blocking(move || skein_store::prune_backups(&places)).await;
                self.set_uncopied(None);
                self.notifier.changed([Topic::Data {}]);
            }
            Err(error) => {
                tracing::warn!(%error, "the day's copy was not made");
                if matches!(error, Error::BadFile { .. })
                    && let Err(error) = self.store.check_integrity().await
                {
                    self.not_looked_through(error);
                }
                self.set_uncopied(Some(error).filter(|_| self.damage.get().is_none()));
            }
        }
    }

    /// What was deleted a month ago goes, unless the database is damaged: then what is gone may be what
    /// somebody looks for next.
    pub(crate) async fn purge_old(&self) {
        if self.damage.get().is_some() {
            return;
        }
        if let Err(error) = self.sessions.purge_expired().await {
            tracing::warn!(%error, "old deletions were not purged");
        }
    }

    fn set_uncopied(&self, fault: Option<Error>) {
        let before = std::mem::replace(&mut *self.backup_error.lock(), fault.clone());
        if before != fault {
            self.notifier.changed([Topic::Data {}]);
        }
    }

    /// Copies the database; returns where to.
    pub async fn back_up(&self) -> Result<String> {
        let path = self.store.back_up(&self.paths, now()).await?;
        self.set_uncopied(None);
        self.notifier.changed([Topic::Data {}]);
        Ok(path.display().to_string())
    }

    /// What a file holds that is to become the database.
    pub async fn examine_backup(&self, path: String) -> Result<BackupContent> {
        let places = self.paths.clone();
        let looked = tokio::task::spawn_blocking(move || {
            skein_store::inspect_backup(&places, &PathBuf::from(path))
        });
        looked.await.map_err(|broken| Error::Storage { detail: broken.to_string() })?
    }

    /// Has the next start begin with this copy; the database of before becomes a copy.
    pub async fn restore(&self, path: String) -> Result<()> {
        let places = self.paths.clone();
        let staged = tokio::task::spawn_blocking(move || {
            skein_store::stage_restore(&places, &PathBuf::from(path))
        });
        staged.await.map_err(|broken| Error::Storage { detail: broken.to_string() })?
    }

    /// Every host ever contacted, the latest first.
    pub async fn hosts(&self) -> Result<Vec<ContactedHost>> {
        self.store.hosts().await
    }
}
