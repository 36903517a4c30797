//! The person's data: where it is, copied and brought back.

use std::path::{Path, PathBuf};
use std::sync::{MutexGuard, PoisonError};

use super::App;
use crate::error::{Error, Result};
use crate::events::Topic;
use crate::store::{self, BackupContent, Host};
use crate::view::PlacesView;

impl App {
    /// Where everything is kept.
    pub async fn places(&self) -> Result<PlacesView> {
        let shown = |path: &Path| path.display().to_string();
        Ok(PlacesView {
            config: shown(&self.places.config),
            data: shown(&self.places.data),
            database: shown(&self.places.database()),
            backups: store::backups(&self.places),
            damage: self.damage.get().cloned(),
            uncopied: self.uncopied().clone(),
        })
    }

    /// In the background: the part of the check that the start left out. Old copies go only where the
    /// database is whole.
    pub(super) async fn look_through(&self) {
        match self.store.check_the_rest().await {
            Ok(()) => {
                let places = self.places.clone();
                let _ = tokio::task::spawn_blocking(move || store::drop_old(&places)).await;
                self.changed([Topic::Data {}]);
            }
            Err(error) => self.not_looked_through(error),
        }
    }

    fn not_looked_through(&self, error: Error) {
        match error {
            Error::DatabaseDamaged { path, backup: _ } => {
                let backup = store::newest(&self.places).map(|it| it.path);
                let _ = self.damage.set(Error::DatabaseDamaged { path, backup });
                self.changed([Topic::Data {}]);
            }
            error => tracing::warn!(%error, "the database was not looked through"),
        }
    }

    /// Copies the database where the day's copy is due and wanted. What keeps it from being made is
    /// shown for as long as it is so; a database that is damaged is not copied by itself.
    pub(super) async fn keep_daily_copy(&self) {
        let is_wanted = self.settings.get().daily_backup && self.damage.get().is_none();
        let made = match is_wanted {
            true => self.store.back_up_daily(&self.places, self.now()).await,
            false => Ok(None),
        };
        match made {
            Ok(None) => self.set_uncopied(None),
            Ok(Some(_)) => {
                let places = self.places.clone();
                let _ = tokio::task::spawn_blocking(move || store::drop_old(&places)).await;
                self.set_uncopied(None);
                self.changed([Topic::Data {}]);
            }
            Err(error) => {
                tracing::warn!(%error, "the day's copy was not made");
                if matches!(error, Error::BadFile { .. })
                    && let Err(error) = self.store.check().await
                {
                    self.not_looked_through(error);
                }
                self.set_uncopied(Some(error).filter(|_| self.damage.get().is_none()));
            }
        }
    }

    /// What was deleted a month ago goes, unless the database is damaged: then what is gone may be what
    /// somebody looks for next.
    pub(super) async fn purge_old(&self) {
        if self.damage.get().is_some() {
            return;
        }
        if let Err(error) = self.purge().await {
            tracing::warn!(%error, "old deletions were not purged");
        }
    }

    fn uncopied(&self) -> MutexGuard<'_, Option<Error>> {
        self.uncopied.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set_uncopied(&self, fault: Option<Error>) {
        let before = std::mem::replace(&mut *self.uncopied(), fault.clone());
        if before != fault {
            self.changed([Topic::Data {}]);
        }
    }

    /// Copies the database; returns where to.
    pub async fn back_up(&self) -> Result<String> {
        let path = self.store.back_up(&self.places, self.now()).await?;
        self.set_uncopied(None);
        self.changed([Topic::Data {}]);
        Ok(path.display().to_string())
    }

    /// What a file holds that is to become the database.
    pub async fn examine_backup(&self, path: String) -> Result<BackupContent> {
        let places = self.places.clone();
        let looked =
            tokio::task::spawn_blocking(move || store::examine(&places, &PathBuf::from(path)));
        looked.await.map_err(|broken| Error::Storage { detail: broken.to_string() })?
    }

    /// Has the next start begin with this copy; the database of before becomes a copy.
    pub async fn restore(&self, path: String) -> Result<()> {
        let places = self.places.clone();
        let staged =
            tokio::task::spawn_blocking(move || store::stage(&places, &PathBuf::from(path)));
        staged.await.map_err(|broken| Error::Storage { detail: broken.to_string() })?
    }

    /// Every host ever contacted, the latest first.
    pub async fn hosts(&self) -> Result<Vec<Host>> {
        self.store.hosts().await
    }
}
