//! The models for replies, summaries and titles, and the models chosen last.

use std::sync::Arc;

use skein_domain::model::ModelRef;
use skein_domain::session::Session;
use skein_platform::paths::AppPaths;

use super::Models;
use crate::events::Topic;
use crate::models::catalog_refresh::{self};
use crate::models::model_knowledge::ModelKnowledge;
use crate::notifier::Notifier;
use crate::settings::SettingsFile;
use crate::shared_state::SharedState;

/// The number of recent models that are offered first.
const MAX_RECENT: usize = 5;

/// The sessions that a choice of a model applies to.
#[derive(Debug, Clone, Copy)]
pub(crate) enum ModelChoiceScope {
    /// One session, or one reply in it.
    Session,
    /// One session, and all new ones.
    SessionAndDefault,
}

/// The models of the settings and of the sessions.
pub(crate) struct ModelChoices {
    settings: Arc<SettingsFile>,
    paths: AppPaths,
    notifier: Notifier,
    knowledge: Arc<ModelKnowledge>,
    models: Arc<Models>,
}

impl ModelChoices {
    pub fn new(shared: &SharedState, knowledge: Arc<ModelKnowledge>, models: Arc<Models>) -> Self {
        Self {
            settings: Arc::clone(&shared.settings),
            paths: shared.paths.clone(),
            notifier: shared.notifier.clone(),
            knowledge,
            models,
        }
    }

    /// Records the choice of a model.
    pub fn remember_model(&self, model: &ModelRef, chosen_for: ModelChoiceScope) {
        let noted = self.settings.change(|settings| {
            settings.recent_models.retain(|recent| recent != model);
            settings.recent_models.insert(0, model.clone());
            settings.recent_models.truncate(MAX_RECENT);
            match chosen_for {
                ModelChoiceScope::Session => {}
                ModelChoiceScope::SessionAndDefault => settings.default_model = Some(model.clone()),
            }
        });
        // The UI reports a file that cannot be written anyway, and the choice applies to this session.
        if let Err(error) = noted {
            tracing::warn!(%error, "that a model was chosen is not kept");
        }
        self.notifier.changed([Topic::Settings {}]);
    }

    /// The session's model, else the default of the settings.
    pub fn session_model(&self, session: &Session) -> ModelRef {
        session.model.clone().unwrap_or_else(|| self.default_model())
    }

    /// The model of a session without its own: the last one chosen for new sessions, or the demo if its
    /// provider was removed.
    pub fn default_model(&self) -> ModelRef {
        self.chosen_model().unwrap_or_else(skein_demo::default_model)
    }

    /// The model that was last chosen for new sessions; `None`: there is none, or its provider is gone.
    pub fn chosen_model(&self) -> Option<ModelRef> {
        let settings = self.settings.get();
        let is_there = |model: &&ModelRef| {
            model.provider.0 == skein_demo::ID
                || settings.providers.iter().any(|config| config.id == model.provider)
        };
        settings.default_model.as_ref().filter(is_there).cloned()
    }

    /// FR-5: the models for summaries and titles, best first: the user's choice, the organisation's, the
    /// provider's fast model, the session's own.
    pub fn summary_models(&self, session_model: &ModelRef) -> Vec<ModelRef> {
        let settings = self.settings.get();
        let mut chain: Vec<ModelRef> = settings.summary_model.iter().cloned().collect();
        if chain.is_empty()
            && let Some(url) = &settings.organisation_url
        {
            chain.extend(catalog_refresh::organisation_model(&self.paths.cache, url));
        }
        if chain.is_empty() {
            chain.extend(self.fast_model(session_model));
        }
        if !chain.contains(session_model) {
            chain.push(session_model.clone());
        }
        chain
    }

    /// The fast model of a provider's catalogue row, if this provider lists it or the user entered it: a
    /// provider of the same kind may be another server.
    fn fast_model(&self, model: &ModelRef) -> Option<ModelRef> {
        let row = self.models.provider_kind(&model.provider)?;
        let fast = self.knowledge.catalog().fast_model(row.catalogue)?.to_owned();
        let settings = self.settings.get();
        let config = settings.providers.iter().find(|config| config.id == model.provider)?;
        let is_entered = config.models.iter().any(|own| own.id == fast);
        let listed = self.knowledge.listed.of(&model.provider);
        let is_there = is_entered || listed.iter().any(|it| it.id == fast);
        is_there.then(|| ModelRef { provider: model.provider.clone(), model: fast })
    }

    /// The first of [`ModelChoices::summary_models`]. It is the same for each plan, unlike the model of a
    /// provider's own compaction, which the models of the chain follow where it writes none.
    pub fn first_summary_model(&self, session_model: &ModelRef) -> ModelRef {
        let first = self.summary_models(session_model).into_iter().next();
        first.unwrap_or_else(|| session_model.clone())
    }
}
