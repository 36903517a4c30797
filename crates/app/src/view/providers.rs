//! Providers and models as the settings and the model menu show them.

use serde::{Deserialize, Serialize};
use skein_domain::error::Error;
use skein_domain::model::{ModelLimits, ModelRef, ModelSpec};
use skein_domain::price::PriceTable;
use skein_domain::provider_config::{ProviderConfig, ReasoningEffort};
use specta::Type;

use crate::secrets::SecretLocation;

/// A configured provider.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ProviderView {
    /// As it is in the settings.
    pub config: ProviderConfig,
    /// The address that will be called.
    pub address: String,
    /// Where its key is. The key itself never comes here.
    pub key: KeyStatus,
    /// Its models.
    pub models: Vec<ModelView>,
}

/// Where a key is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum KeyStatus {
    /// Here.
    At {
        /// Said plainly.
        place: SecretLocation,
    },
    /// There is none.
    Nowhere {},
    /// It could not be found out.
    Unknown {
        /// Why.
        fault: Error,
    },
}

/// A model with what is known of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ModelView {
    /// Which.
    pub model: ModelRef,
    /// A name for the person.
    pub name: String,
    /// Name of its provider.
    pub provider_name: String,
    /// What is known of it, and from where.
    pub spec: ModelSpec,
    /// What it takes as a prompt, in tokens; `None`: nobody knows.
    #[serde(default)]
    pub limit: Option<u32>,
    /// What holds of each of its limits where the person sets nothing for it. `None`: its window is
    /// unknown, and with it what is reckoned from that.
    pub follows: ModelLimits,
    /// How hard it is asked to think, where it does not take what the person chose; `None`: as chosen.
    #[serde(default)]
    pub effort_instead: Option<ReasoningEffort>,
    /// The prices of its tokens; `None`: nobody knows, or it is not billed by the token.
    #[serde(default)]
    pub prices: Option<PriceTable>,
}
