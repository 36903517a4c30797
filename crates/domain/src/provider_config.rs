//! A provider as the user configured it: plain data in the settings, never with a key.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use specta::Type;

pub use crate::model::ReasoningEffort;

use crate::compaction_point::SummaryWriter;
use crate::ids::ProviderId;
use crate::model::ModelLimits;
use crate::price::PriceOverride;

/// A provider as the user configured it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProviderConfig {
    /// The id of the provider in the settings; its API key is stored under the same name.
    pub id: ProviderId,
    /// The id of its kind, such as `openai`; `custom` for any compatible address.
    pub kind: String,
    /// The user's name for it.
    pub name: String,
    /// The URL as it was typed; `None`: the kind's own.
    #[serde(default)]
    pub base_url: Option<String>,
    /// True: the URL is called exactly as typed.
    #[serde(default)]
    pub exact_url: bool,
    /// HTTP headers of every request; they replace the program's own.
    #[serde(default)]
    pub headers: BTreeMap<String, String>,
    /// The models that the user entered or corrected.
    #[serde(default)]
    pub models: Vec<ModelOverride>,
}

/// The user's values for a model. `None` follows other sources.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ModelOverride {
    /// The provider's id of the model.
    pub id: String,
    /// The user's name for it.
    #[serde(default)]
    pub name: Option<String>,
    /// The window in tokens.
    #[serde(default)]
    #[schemars(range(min = 1))]
    pub window: Option<u32>,
    /// The longest reply in tokens.
    #[serde(default)]
    #[schemars(range(min = 1))]
    pub max_output: Option<u32>,
    /// The reasoning effort.
    #[serde(default)]
    pub effort: ReasoningEffort,
    /// The writer of the summaries of its conversations, where its provider can write them.
    #[serde(default)]
    pub summary_writer: SummaryWriter,
    /// The user's other limits for this model.
    #[serde(default)]
    pub limits: ModelLimits,
    /// The prices of its tokens; a field that is `None` makes that price unknown.
    #[serde(default)]
    pub prices: PriceOverride,
    /// Extra fields of every request, by the provider's names: for sampling, routing and the like. Fields
    /// that the program sets itself are not replaced.
    #[serde(default)]
    pub fields: Map<String, Value>,
}

/// A change of one of the user's values for a model; `None` follows other sources.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum ModelChange {
    /// Changes [`ModelOverride::window`].
    Window {
        /// The new value in tokens.
        value: Option<u32>,
    },
    /// Changes [`ModelOverride::max_output`].
    MaxOutput {
        /// The new value in tokens.
        value: Option<u32>,
    },
    /// Changes [`ModelOverride::effort`].
    Effort {
        /// The new level.
        value: ReasoningEffort,
    },
    /// Changes [`ModelOverride::summary_writer`].
    SummaryWriter {
        /// The new writer.
        value: SummaryWriter,
    },
    /// Changes [`ModelOverride::fields`].
    Fields {
        /// All fields.
        value: Map<String, Value>,
    },
    /// Changes [`ModelOverride::prices`].
    Prices {
        /// All prices.
        value: PriceOverride,
    },
    /// Changes [`ModelLimits::compaction_threshold`].
    CompactionThreshold {
        /// The new value in percent.
        value: Option<u32>,
    },
    /// Changes [`ModelLimits::compaction_bound`].
    CompactionBound {
        /// The new value in tokens.
        value: Option<u32>,
    },
    /// Changes [`ModelLimits::output_reserve`].
    OutputReserve {
        /// The new value in tokens.
        value: Option<u32>,
    },
    /// Changes [`ModelLimits::optimal_max_tokens`].
    OptimalMaxTokens {
        /// The new value in tokens.
        value: Option<u32>,
    },
    /// Changes [`ModelLimits::critical_max_tokens`].
    CriticalMaxTokens {
        /// The new value in tokens.
        value: Option<u32>,
    },
    /// Changes [`ModelLimits::caution_remediation_cadence_generations`].
    CautionRemediationCadenceGenerations {
        /// The new number of generations.
        value: Option<u32>,
    },
}

impl ModelOverride {
    /// A model without values of the user except its id.
    pub fn named(id: String) -> Self {
        Self { id, ..Self::default() }
    }

    /// Changes one value.
    pub fn change(&mut self, change: ModelChange) {
        let limits = &mut self.limits;
        match change {
            ModelChange::Window { value } => self.window = value,
            ModelChange::MaxOutput { value } => self.max_output = value,
            ModelChange::Effort { value } => self.effort = value,
            ModelChange::SummaryWriter { value } => self.summary_writer = value,
            ModelChange::Fields { value } => self.fields = value,
            ModelChange::Prices { value } => self.prices = value,
            ModelChange::CompactionThreshold { value } => limits.compaction_threshold = value,
            ModelChange::CompactionBound { value } => limits.compaction_bound = value,
            ModelChange::OutputReserve { value } => limits.output_reserve = value,
            ModelChange::OptimalMaxTokens { value } => limits.optimal_max_tokens = value,
            ModelChange::CriticalMaxTokens { value } => limits.critical_max_tokens = value,
            ModelChange::CautionRemediationCadenceGenerations { value } => {
                limits.caution_remediation_cadence_generations = value;
            }
        }
    }
}
