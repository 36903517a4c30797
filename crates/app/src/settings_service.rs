//! The settings for the UI.

use std::sync::Arc;

use skein_domain::error::Result;
use skein_platform::http::HttpClient;
use tokio::sync::Notify;

use crate::clock::now;
use crate::events::Topic;
use crate::mcp::McpServers;
use crate::models::Models;
use crate::notifier::Notifier;
use crate::settings::{Settings, SettingsFile};
use crate::shared_state::SharedState;
use crate::view::SettingsView;

/// Reads and writes the settings, and applies changes to the running services.
pub struct SettingsService {
    settings: Arc<SettingsFile>,
    http: HttpClient,
    notifier: Notifier,
    models: Arc<Models>,
    mcp: Arc<McpServers>,
    /// Wakes the periodic work, because a task may be due earlier.
    maintenance_due: Arc<Notify>,
}

impl SettingsService {
    pub(crate) fn new(
        shared: &SharedState,
        models: Arc<Models>,
        mcp: Arc<McpServers>,
        maintenance_due: Arc<Notify>,
    ) -> Self {
        Self {
            settings: Arc::clone(&shared.settings),
            http: shared.http.clone(),
            notifier: shared.notifier.clone(),
            models,
            mcp,
            maintenance_due,
        }
    }

    /// The settings, and the problems of their file.
    pub async fn view(&self) -> Result<SettingsView> {
        Ok(SettingsView {
            settings: (*self.settings.get()).clone(),
            problems: self.settings.problems(),
            broken: self.settings.broken(),
            path: self.settings.path().display().to_string(),
            safe_mode: self.settings.is_safe_mode(),
        })
    }

    /// Applies the differences between two settings; other changes since the first were read stay. Values
    /// that equal the default are not written.
    pub async fn save(&self, read: Settings, changed: Settings) -> Result<()> {
        let before = self.settings.get();
        let now = self.settings.change(|settings| settings.apply_changes(&read, &changed))?;
        if now.network != before.network {
            self.http.reconfigure(&now.network)?;
        }
        if now.catalogue_refresh != before.catalogue_refresh {
            self.models.load_cached_catalogue();
        }
        let due = |it: &Settings| {
            let urls = (it.organisation_url.clone(), it.update_host.clone());
            (it.daily_backup, it.catalogue_refresh, urls)
        };
        if due(&now) != due(&before) {
            self.maintenance_due.notify_one();
        }
        if now.mcp_servers != before.mcp_servers {
            self.mcp.sync().await;
        }
        self.notifier.changed(changed_topics(&before, &now));
        Ok(())
    }

    /// Renames a broken file and starts with the defaults. Returns the new path of the old file.
    pub async fn reset(&self) -> Result<String> {
        let aside = self.settings.reset(now())?;
        self.notifier.changed([Topic::Settings {}, Topic::Providers {}, Topic::Tools {}]);
        Ok(aside.display().to_string())
    }
}

/// The topics that a change of the settings affects.
fn changed_topics(before: &Settings, now: &Settings) -> Vec<Topic> {
    let models = |it: &Settings| {
        let own = (it.providers.clone(), it.default_model.clone(), it.recent_models.clone());
        (own, it.summary_model.clone(), it.catalogue_refresh, it.organisation_url.clone())
    };
    let tools = |it: &Settings| (it.tools.clone(), it.mcp_servers.clone(), it.memory.clone());
    let has_models_changed = models(now) != models(before);
    let mut topics = vec![Topic::Settings {}];
    if has_models_changed {
        topics.push(Topic::Providers {});
    }
    if tools(now) != tools(before) {
        topics.push(Topic::Tools {});
    }
    // The list of sessions is read again: the sidebar shows the model of each session, and names untitled
    // sessions in the language of the interface.
    if has_models_changed || now.language() != before.language() {
        topics.push(Topic::Sessions {});
    }
    topics
}

#[cfg(test)]
mod tests {
    use super::*;

    fn topics(change: impl FnOnce(&mut Settings)) -> Vec<Topic> {
        let before = Settings::default();
        let mut now = before.clone();
        change(&mut now);
        changed_topics(&before, &now)
    }

    #[test]
    fn the_topics_follow_from_what_differs() {
        assert_eq!(topics(|it| it.context.compaction_threshold = 70), [Topic::Settings {}]);
        let tools = topics(|it| it.memory.instructions = !it.memory.instructions);
        assert_eq!(tools, [Topic::Settings {}, Topic::Tools {}]);
        let models = topics(|it| it.catalogue_refresh = !it.catalogue_refresh);
        assert_eq!(models, [Topic::Settings {}, Topic::Providers {}, Topic::Sessions {}]);
    }
}
