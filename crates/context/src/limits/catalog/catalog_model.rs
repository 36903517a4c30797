//! The rows of the catalogue: a provider and a model.

use std::collections::BTreeMap;

use skein_domain::price::PriceTable;

use super::model_prices;

/// The row of a provider.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CatalogProvider {
    /// FR-5.1: its model for small tasks, such as summaries and titles.
    pub fast_model: Option<String>,
    /// The models by the provider's ids.
    pub models: BTreeMap<String, CatalogModel>,
}

/// The row of a model. Limits are in tokens; `None` is unknown.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CatalogModel {
    /// Prompt and output together.
    pub window: Option<u32>,
    /// The prompt alone, if that is less than the window.
    pub max_input: Option<u32>,
    /// The longest reply.
    pub max_output: Option<u32>,
    /// True if the model takes tool declarations.
    pub tools: Option<bool>,
    /// True if the model takes images.
    pub images: Option<bool>,
    /// True if the model can reason.
    pub reasoning: Option<bool>,
    /// True if the model takes text and gives text; false for a model that only hears, draws or speaks.
    pub text_to_text: Option<bool>,
    /// The release date: `YYYY-MM-DD` or a prefix of it.
    pub released: Option<String>,
    /// The prices of its tokens at this provider.
    pub prices: Option<PriceTable>,
}

impl CatalogModel {
    /// The values of this model; unknown ones are taken from `other`.
    pub(super) fn or(self, other: Self) -> Self {
        Self {
            window: self.window.or(other.window),
            max_input: self.max_input.or(other.max_input),
            max_output: self.max_output.or(other.max_output),
            tools: self.tools.or(other.tools),
            images: self.images.or(other.images),
            reasoning: self.reasoning.or(other.reasoning),
            text_to_text: self.text_to_text.or(other.text_to_text),
            released: self.released.or(other.released),
            prices: model_prices::merge(self.prices, other.prices),
        }
    }
}
