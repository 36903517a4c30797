//! The rows of the catalogue: a provider and a model.

use std::collections::BTreeMap;

use skein_domain::price::PriceTable;

use super::model_prices;

/// A provider's row.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CatalogProvider {
    /// FR-5.1: its model for small errands, such as summaries and titles.
    pub fast_model: Option<String>,
    /// By the id the provider knows them by.
    pub models: BTreeMap<String, CatalogModel>,
}

/// What is known of a model. Limits in tokens.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CatalogModel {
    /// Prompt and output together.
    pub window: Option<u32>,
    /// The prompt alone, where that is less than the window.
    pub max_input: Option<u32>,
    /// One answer.
    pub max_output: Option<u32>,
    /// Whether it takes tool declarations.
    pub tools: Option<bool>,
    /// Whether it sees pictures.
    pub images: Option<bool>,
    /// Whether it thinks aloud.
    pub reasoning: Option<bool>,
    /// Whether it takes words and gives words; those that only hear, draw or speak do not.
    pub text_to_text: Option<bool>,
    /// `YYYY-MM-DD` or a beginning of it.
    pub released: Option<String>,
    /// The prices of its tokens at this provider.
    pub prices: Option<PriceTable>,
}

impl CatalogModel {
    /// These values; where one is unknown, that of `other`.
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
