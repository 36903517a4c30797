//! The person's settings as the window reads and writes them.

use skein_domain::error::Result;

use super::App;
use crate::clock::now;
use crate::events::Topic;
use crate::settings::Settings;
use crate::view::SettingsView;

impl App {
    /// As they are, and what is wrong with the file.
    pub async fn settings(&self) -> Result<SettingsView> {
        Ok(SettingsView {
            settings: (*self.settings.get()).clone(),
            problems: self.settings.problems(),
            broken: self.settings.broken(),
            path: self.settings.path().display().to_string(),
        })
    }

    /// Takes over what differs between two of them: what else was changed since the first were read stays.
    /// What equals the default is not written.
    pub async fn save_settings(&self, read: Settings, changed: Settings) -> Result<()> {
        let before = self.settings.get();
        let now = self.settings.change(|settings| settings.apply_changes(&read, &changed))?;
        if now.network != before.network {
            self.http.reconfigure(&now.network)?;
        }
        if now.catalogue_refresh != before.catalogue_refresh {
            self.load_cached_catalogue();
        }
        let due =
            |it: &Settings| (it.daily_backup, it.catalogue_refresh, it.organisation_url.clone());
        if due(&now) != due(&before) {
            self.maintenance_due.notify_one();
        }
        self.sync_servers().await;
        self.notifier.changed([
            Topic::Settings {},
            Topic::Providers {},
            Topic::Tools {},
            Topic::Sessions {},
        ]);
        Ok(())
    }

    /// Sets a broken file aside and begins with the defaults; returns where the old one is.
    pub async fn reset_settings(&self) -> Result<String> {
        let aside = self.settings.reset(now())?;
        self.notifier.changed([Topic::Settings {}, Topic::Providers {}, Topic::Tools {}]);
        Ok(aside.display().to_string())
    }
}
