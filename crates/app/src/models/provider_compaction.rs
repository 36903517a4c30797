//! The compaction that the provider of a model has itself.

use skein_domain::compaction_point::SummaryWriter;
use skein_domain::model::ModelRef;
use skein_providers::ProviderCompactionState;

use super::Models;

impl Models {
    /// True if the user wants the provider of a model to write the summaries of its conversations, and it can
    /// be asked for them.
    pub(crate) fn is_summarized_by_provider(&self, model: &ModelRef) -> bool {
        self.model_override(model, |own| own.summary_writer) == SummaryWriter::Provider
            && self.provider_compaction(model) == Some(ProviderCompactionState::Available)
    }

    /// The compaction that the provider of a model has itself; `None`: it has none.
    pub(crate) fn provider_compaction(&self, model: &ModelRef) -> Option<ProviderCompactionState> {
        let settings = self.settings.get();
        let config = settings.providers.iter().find(|config| config.id == model.provider)?;
        skein_providers::provider_compaction(config, &model.model, &self.quirks)
    }
}
