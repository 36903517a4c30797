//! The compaction that the provider of a model has itself.

use skein_context::summary::SummaryForm;
use skein_domain::compaction_point::SummaryWriter;
use skein_domain::error::Result;
use skein_domain::ids::ThreadId;
use skein_domain::model::ModelRef;
use skein_providers::ProviderCompactionState;
use skein_store::AutomaticEvent;

use super::Models;
use crate::clock::now;

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

    /// Deletes the encrypted summaries of an origin if the model's provider has rejected them since a request
    /// to that origin was made, and logs that. They would be rejected again after each start. True if they
    /// were deleted.
    pub(crate) async fn delete_rejected_summaries(
        &self,
        thread: ThreadId,
        model: &ModelRef,
        origin: Option<&str>,
    ) -> Result<bool> {
        let is_refused = self.provider_compaction(model) == Some(ProviderCompactionState::Refused);
        let is_rejected = is_refused && self.encrypted_summary_origin(model).is_none();
        let Some(origin) = origin.filter(|_| is_rejected) else { return Ok(false) };
        if !self.store.delete_encrypted_summaries(origin.to_owned()).await? {
            return Ok(false);
        }
        let event = AutomaticEvent::EncryptedSummariesRejected { model: model.clone() };
        self.store.append_activity(thread, event, now()).await?;
        Ok(true)
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
