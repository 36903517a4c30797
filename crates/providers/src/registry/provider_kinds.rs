//! The kinds of providers as the settings offer them.

use serde::Serialize;
use specta::Type;

use super::provider_spec::ProviderSpec;
use super::rows::ROWS;

/// A kind of provider as the window offers it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ProviderKind {
    /// For [`skein_domain::provider_config::ProviderConfig::kind`].
    pub id: String,
    /// For the user.
    pub name: String,
    /// Its own address; `None` where only the user knows it.
    pub base_url: Option<String>,
    /// Whether it answers without a key.
    pub keyless: bool,
    /// Environment variables that may hold a key for it.
    pub key_env: Vec<String>,
    /// The first of them that does.
    pub key_found: Option<String>,
    /// Where a user makes a key for it, if that is known.
    pub key_page: Option<String>,
    /// P02: the model offered first.
    pub default_model: Option<String>,
}

/// Every kind that can be added, in order.
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
