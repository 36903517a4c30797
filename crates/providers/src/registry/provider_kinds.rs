//! The kinds of providers that the settings offer.

use serde::Serialize;
use specta::Type;

use super::provider_spec::ProviderSpec;
use super::rows::ROWS;

/// A kind of provider that the settings offer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ProviderKind {
    /// The value of [`skein_domain::provider_config::ProviderConfig::kind`].
    pub id: String,
    /// The display name.
    pub name: String,
    /// The default address; `None` if only the user knows it.
    pub base_url: Option<String>,
    /// True if the provider needs no key.
    pub keyless: bool,
    /// Environment variables that may hold a key for it.
    pub key_env: Vec<String>,
    /// The first of them that is set.
    pub key_found: Option<String>,
    /// The page where a user creates a key; `None` if unknown.
    pub key_page: Option<String>,
    /// The default model (P02).
    pub default_model: Option<String>,
}

/// Every kind that can be added, in display order.
pub fn provider_kinds() -> Vec<ProviderKind> {
    let kind = |row: &ProviderSpec| ProviderKind {
        id: row.id.to_owned(),
        name: row.name.to_owned(),
        base_url: Some(row.base_url.to_owned()).filter(|url| !url.is_empty()),
        keyless: row.keyless,
        key_env: row.key_env.iter().map(|name| (*name).to_owned()).collect(),
        key_found: row.key_env.iter().find(|name| is_set(name)).map(|name| (*name).to_owned()),
        key_page: row.key_page.map(str::to_owned),
        default_model: row.default_model.map(str::to_owned),
    };
    ROWS.iter().map(kind).collect()
}

fn is_set(variable: &str) -> bool {
    std::env::var(variable).is_ok_and(|value| !value.trim().is_empty())
}
