//! The user's data: where it is, backed up and restored.
//!
//! Only if the database is intact are old backups deleted (by their exact names) and, after the daily backup,
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
use skein_store::{BackupContent, Store};

use crate::clock::now;
use crate::events::Topic;
use crate::notifier::Notifier;
use crate::sessions::Sessions;
use crate::settings::SettingsFile;
use crate::shared_state::SharedState;
use crate::tasks::Tasks;
use crate::view::DataLocations;

/// The time without writes after which the log is merged into the database.
const QUIET_TIME: Duration = Duration::from_secs(2);

/// The time that the exit of the program waits for that.
const CHECKPOINT_TIMEOUT: Duration = Duration::from_secs(3);

/// The files of the user's data.
pub struct Maintenance {
    store: Store,
    settings: Arc<SettingsFile>,
    paths: AppPaths,
    notifier: Notifier,
    tasks: Tasks,
    sessions: Arc<Sessions>,
    /// The damage that was found in the open database.
    damage: OnceLock<Error>,
    /// The error that keeps today's backup from being made.
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

    /// Finishes the check of the database in the background. Old backups are deleted only if it is intact.
    pub(crate) async fn finish_integrity_check(&self) {
        match self.store.finish_integrity_check().await {
            Ok(()) => {
                let places = self.paths.clone();
                let _ =
                    tokio::task::spawn_blocking(move || skein_store::prune_backups(&places)).await;
                self.notifier.changed([Topic::Data {}]);
            }
            Err(error) => self.log_unchecked(error),
        }
    }

    /// Merges the log into the database in the background whenever nothing was written for a while, until the
    /// app is dropped.
    pub(crate) fn checkpoint_when_quiet(self: &Arc<Self>) {
        let (own, written) = (Arc::downgrade(self), self.store.write_notify());
        let tasks = self.tasks.clone();
        self.tasks.spawn_waiting(async move {
            loop {
                written.notified().await;
                while tokio::time::timeout(QUIET_TIME, written.notified()).await.is_ok() {}
                let Some(own) = own.upgrade() else { return };
                let own = tasks.track(own);
                if let Err(error) = own.store.checkpoint().await {
                    tracing::warn!(%error, "the log was not copied into the database");
                }
            }
        });
    }

    /// Watches in the background whether the database file was moved or is back, until the app is dropped.
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

    /// Copies the open database into a file, wherever the database file is now.
    pub async fn save_copy(&self, path: String) -> Result<()> {
        self.store.copy_to(PathBuf::from(path)).await
    }

    /// Merges the log into the database before the program exits, within a time limit.
    pub(crate) async fn checkpoint_at_close(&self) {
        let done = tokio::time::timeout(CHECKPOINT_TIMEOUT, self.store.checkpoint_at_close()).await;
        match done {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::warn!(%error, "the log stays beside the database"),
            Err(_) => tracing::warn!("the log stays beside the database: it took too long"),
        }
    }

    fn log_unchecked(&self, error: Error) {
        match error {
            Error::DatabaseDamaged { path, backup: _ } => {
                let backup = skein_store::newest_backup(&self.paths).map(|it| it.path);
                let _ = self.damage.set(Error::DatabaseDamaged { path, backup });
                self.notifier.changed([Topic::Data {}]);
            }
            error => tracing::warn!(%error, "the database was not looked through"),
        }
    }

    /// Makes the daily backup if it is due and switched on. An error is shown until a backup succeeds. A
    /// damaged database is not backed up automatically.
    pub(crate) async fn run_daily_backup(&self) {
        let is_wanted = self.settings.get().daily_backup && self.damage.get().is_none();
        let made = match is_wanted {
            true => self.store.back_up_daily(&self.paths, now()).await,
            false => Ok(None),
        };
        match made {
            Ok(None) => self.set_backup_error(None),
            Ok(Some(_)) => {
                let places = self.paths.clone();
                let _ =
                    tokio::task::spawn_blocking(move || skein_store::prune_backups(&places)).await;
                self.set_backup_error(None);
                self.notifier.changed([Topic::Data {}]);
            }
            Err(error) => {
                tracing::warn!(%error, "the day's copy was not made");
                if matches!(error, Error::BadFile { .. })
                    && let Err(error) = self.store.check_integrity().await
                {
                    self.log_unchecked(error);
                }
                self.set_backup_error(Some(error).filter(|_| self.damage.get().is_none()));
            }
        }
    }

    /// Purges what was deleted a month ago, unless the database is damaged: then the deleted data may be
    /// needed.
    pub(crate) async fn purge_old(&self) {
        if self.damage.get().is_some() {
            return;
        }
        if let Err(error) = self.sessions.purge_expired().await {
            tracing::warn!(%error, "old deletions were not purged");
        }
    }

    fn set_backup_error(&self, fault: Option<Error>) {
        let before = std::mem::replace(&mut *self.backup_error.lock(), fault.clone());
        if before != fault {
            self.notifier.changed([Topic::Data {}]);
        }
    }

    /// Backs up the database. Returns the path of the backup.
    pub async fn back_up(&self) -> Result<String> {
        let path = self.store.back_up(&self.paths, now()).await?;
        self.set_backup_error(None);
        self.notifier.changed([Topic::Data {}]);
        Ok(path.display().to_string())
    }

    /// The contents of a file that is to replace the database.
    pub async fn examine_backup(&self, path: String) -> Result<BackupContent> {
        let places = self.paths.clone();
        let looked = tokio::task::spawn_blocking(move || {
            skein_store::inspect_backup(&places, &PathBuf::from(path))
        });
        looked.await.map_err(|broken| Error::Storage { detail: broken.to_string() })?
    }

    /// Makes the next start use this backup; the current database becomes a backup.
    pub async fn restore(&self, path: String) -> Result<()> {
        let places = self.paths.clone();
        let staged = tokio::task::spawn_blocking(move || {
            skein_store::stage_restore(&places, &PathBuf::from(path))
        });
        staged.await.map_err(|broken| Error::Storage { detail: broken.to_string() })?
    }
}
