//! A provider as the user configured it: plain data, kept in the settings, never holding a key.
//!
//! Here and not in a room, because `settings` keeps it and `providers` reads it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use specta::Type;

pub use crate::model::ReasoningEffort;

use crate::ids::ProviderId;
use crate::model::ModelLimits;
use crate::price::PriceOverride;

/// A provider as the user configured it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ProviderConfig {
    /// Its key in the settings, and under which its API key is kept.
    pub id: ProviderId,
    /// The id of a kind in `providers::registry`; `custom` for any compatible address.
    pub kind: String,
    /// As the user calls it.
    pub name: String,
    /// The address as it was typed; `None` is the kind's own.
    #[serde(default)]
    pub base_url: Option<String>,
    /// Call `base_url` exactly as typed, with nothing added or taken away.
    #[serde(default)]
    pub exact_url: bool,
    /// Sent with every request, after our own and replacing them.
    #[serde(default)]
    pub headers: BTreeMap<String, String>,
    /// Models the user entered or corrected.
    #[serde(default)]
    pub models: Vec<ModelOverride>,
}

/// A model the user entered or corrected. `None` follows what is known otherwise.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ModelOverride {
    /// The id the provider knows it by.
    pub id: String,
    /// As the user calls it.
    #[serde(default)]
    pub name: Option<String>,
    /// Window in tokens.
    #[serde(default)]
    pub window: Option<u32>,
    /// Longest answer in tokens.
    #[serde(default)]
    pub max_output: Option<u32>,
    /// How hard it is asked to think.
    #[serde(default)]
    pub effort: ReasoningEffort,
    /// The rest of what the user may set for one model.
    #[serde(default)]
    pub limits: ModelLimits,
    /// The prices of its tokens; the fields that are `None` follow nothing: then that price is unknown.
    #[serde(default)]
    pub prices: PriceOverride,
    /// More fields of every request to it, as its provider names them: how words are chosen, who is to
    /// answer. What Skein says itself stays as it says it.
    #[serde(default)]
    pub fields: Map<String, Value>,
}

/// One of the user's values for a model, as it is to be; `None` follows what is known otherwise.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum ModelChange {
    /// Of [`PersonalModel::window`].
    Window {
        /// In tokens.
        value: Option<u32>,
    },
    /// Of [`PersonalModel::max_output`].
    MaxOutput {
        /// In tokens.
        value: Option<u32>,
    },
    /// Of [`PersonalModel::effort`].
    Effort {
        /// The level.
        value: ReasoningEffort,
    },
    /// Of [`PersonalModel::fields`].
    Fields {
        /// All of them.
        value: Map<String, Value>,
    },
    /// Of [`ModelOverride::prices`].
    Prices {
        /// All of them.
        value: PriceOverride,
    },
    /// Of [`ModelLimits::compaction_threshold`].
    CompactionThreshold {
        /// In percent.
        value: Option<u32>,
    },
    /// Of [`ModelLimits::compaction_bound`].
    CompactionBound {
        /// In tokens.
        value: Option<u32>,
    },
    /// Of [`ModelLimits::output_reserve`].
    OutputReserve {
        /// In tokens.
        value: Option<u32>,
    },
    /// Of [`ModelLimits::optimal_max_tokens`].
    OptimalMaxTokens {
        /// In tokens.
        value: Option<u32>,
    },
    /// Of [`ModelLimits::critical_max_tokens`].
    CriticalMaxTokens {
        /// In tokens.
        value: Option<u32>,
    },
    /// Of [`ModelLimits::caution_remediation_cadence_generations`].
    CautionRemediationCadenceGenerations {
        /// Generations.
        value: Option<u32>,
    },
}

impl ModelOverride {
    /// A model of which the user has said nothing but that it is there.
    pub fn named(id: String) -> Self {
        Self {
            id,
            name: None,
            window: None,
            max_output: None,
            effort: ReasoningEffort::default(),
            limits: ModelLimits::default(),
            prices: PriceOverride::default(),
            fields: Map::new(),
        }
    }

    /// Changes one value, and no other.
    pub fn change(&mut self, change: ModelChange) {
        let limits = &mut self.limits;
        match change {
            ModelChange::Window { value } => self.window = value,
            ModelChange::MaxOutput { value } => self.max_output = value,
            ModelChange::Effort { value } => self.effort = value,
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
