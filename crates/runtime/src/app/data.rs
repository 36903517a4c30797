//! The person's data: where it is, copied and brought back.

use std::path::{Path, PathBuf};

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
        })
    }

    /// In the background: the part of the check that the start left out. Old copies go only where the
    /// database is whole.
    pub(super) async fn look_through(&self) {
        match self.store.check_the_rest().await {
            Ok(()) => {
                let places = self.places.clone();
                let _ = tokio::task::spawn_blocking(move || store::drop_old(&places)).await;
            }
            Err(Error::DatabaseDamaged { path, backup: _ }) => {
                let backup = store::newest(&self.places).map(|it| it.path);
                let _ = self.damage.set(Error::DatabaseDamaged { path, backup });
                self.changed([Topic::Data {}]);
            }
            Err(error) => tracing::warn!(%error, "the database was not looked through"),
        }
    }

    /// Copies the database; returns where to.
    pub async fn back_up(&self) -> Result<String> {
        let path = self.store.back_up(&self.places, self.now()).await?;
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
