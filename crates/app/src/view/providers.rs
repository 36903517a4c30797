//! Providers and models as the settings and the model menu show them.

use serde::{Deserialize, Serialize};
use skein_domain::error::Error;
use skein_domain::model::{ModelLimits, ModelRef, ModelSpec};
use skein_domain::price::PriceTable;
use skein_domain::provider_config::{ProviderConfig, ReasoningEffort};
use skein_providers::ProviderCompactionState;
use specta::Type;

use crate::secrets::SecretLocation;

/// A configured provider.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ProviderView {
    /// The provider in the settings.
    pub config: ProviderConfig,
    /// The URL that will be called.
    pub address: String,
    /// The location of its key. The key itself never comes here.
    pub key: KeyStatus,
    /// The models of the provider.
    pub models: Vec<ModelView>,
}

/// The location of a key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum KeyStatus {
    /// The key was found.
    At {
        /// The place where the key is stored.
        place: SecretLocation,
    },
    /// No key is stored.
    Nowhere {},
    /// The key could not be looked up.
    Unknown { fault: Error },
}

/// A model and its properties.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ModelView {
    pub model: ModelRef,
    /// The displayed name.
    pub name: String,
    pub provider_name: String,
    /// The properties of the model, each with its source.
    pub spec: ModelSpec,
    /// The largest prompt in tokens; `None`: unknown.
    #[serde(default)]
    pub limit: Option<u32>,
    /// The limits that apply if the user sets none. `None`: the window is unknown, and so are the limits
    /// computed from it.
    pub follows: ModelLimits,
    /// The reasoning effort it gets if it refuses the one that the user chose; `None`: it gets that.
    #[serde(default)]
    pub effort_instead: Option<ReasoningEffort>,
    /// The compaction of its provider; `None`: it has none that can be asked for.
    #[serde(default)]
    pub provider_compaction: Option<ProviderCompactionState>,
    /// The prices of its tokens; `None`: unknown, or it is not billed by the token.
    #[serde(default)]
    pub prices: Option<PriceTable>,
}
