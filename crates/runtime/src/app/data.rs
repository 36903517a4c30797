//! The person's data: where it is, copied and brought back.

use super::App;
use crate::error::Result;
use crate::store::{self, Host};
use crate::view::PlacesView;

impl App {
    /// Where everything is kept.
    pub async fn places(&self) -> Result<PlacesView> {
        let shown = |path: std::path::PathBuf| path.display().to_string();
        Ok(PlacesView {
            config: shown(self.places.config.clone()),
            data: shown(self.places.data.clone()),
            database: shown(self.places.database()),
            backups: store::backups(&self.places).into_iter().map(shown).collect(),
        })
    }

    /// Copies the database; returns where to.
    pub async fn back_up(&self) -> Result<String> {
        let path = self.store.back_up(&self.places, self.now()).await?;
        Ok(path.display().to_string())
    }

    /// Every host ever contacted, the latest first.
    pub async fn hosts(&self) -> Result<Vec<Host>> {
        self.store.hosts().await
    }
}
