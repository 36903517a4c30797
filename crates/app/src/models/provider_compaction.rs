//! The compaction that the provider of a model has itself.

use skein_context::summary::SummaryForm;
use skein_domain::compaction_point::SummaryWriter;
use skein_domain::model::ModelRef;
use skein_providers::ProviderCompactionState;

use super::Models;

impl Models {
    /// The form in which the provider of a model writes the summaries of its conversations; `None`: the user
    /// does not want that, or it cannot be asked for them.
    pub(crate) fn provider_summary_form(&self, model: &ModelRef) -> Option<SummaryForm> {
        let writer = self.model_override(model, |own| own.summary_writer);
        match self.provider_compaction(model).filter(|_| writer == SummaryWriter::Provider)? {
            ProviderCompactionState::Available => Some(SummaryForm::Readable),
            ProviderCompactionState::AvailableEncrypted => Some(SummaryForm::Encrypted),
            ProviderCompactionState::Refused => None,
        }
    }

    /// The origin of the encrypted summaries that a model can read; `None`: it can read none.
    pub(crate) fn encrypted_summary_origin(&self, model: &ModelRef) -> Option<String> {
        let settings = self.settings.get();
        let config = settings.providers.iter().find(|config| config.id == model.provider)?;
        skein_providers::encrypted_summary_origin(config, &model.model, &self.quirks)
    }

    /// True if the encrypted summaries of a model have the user's messages word for word.
    pub(crate) fn keeps_user_messages(&self, model: &ModelRef) -> bool {
        let settings = self.settings.get();
        let config = settings.providers.iter().find(|config| config.id == model.provider);
        config.is_some_and(|config| skein_providers::keeps_user_messages(config, &model.model))
    }

    /// The compaction that the provider of a model has itself; `None`: it has none.
    pub(crate) fn provider_compaction(&self, model: &ModelRef) -> Option<ProviderCompactionState> {
        let settings = self.settings.get();
        let config = settings.providers.iter().find(|config| config.id == model.provider)?;
        skein_providers::provider_compaction(config, &model.model, &self.quirks)
    }
}
