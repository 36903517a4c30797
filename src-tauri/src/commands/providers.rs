//! Providers, their keys and their models.

use skein_app::secrets::SecretLocation;
use skein_app::view::{ModelView, ProviderView};
use skein_domain::ids::ProviderId;
use skein_domain::model::ModelRef;
use skein_domain::provider_config::{ModelChange, ModelOverride, ProviderConfig};
use skein_providers::LocalServer;
use skein_providers::registry::ProviderKind;

use crate::commands::{AppState, Result, commands};

commands! {
    /// The kinds that can be added.
    fn provider_kinds() -> Vec<ProviderKind> => providers.kinds;

    /// The configured providers.
    fn providers() -> Vec<ProviderView> => providers.list;

    /// Adds or replaces a provider.
    fn save_provider(config: ProviderConfig) -> () => providers.save;

    /// Removes a provider with its key; saving its configuration again undoes both.
    fn remove_provider(provider: ProviderId) -> () => providers.remove;

    /// Stores a key and returns its location. Keys cannot be read back.
    fn set_key(provider: ProviderId, key: String) -> SecretLocation => providers.set_key;

    /// Deletes the key.
    fn remove_key(provider: ProviderId) -> () => providers.remove_key;

    /// The address of requests for a configuration.
    fn resolve_address(config: ProviderConfig) -> String => providers.resolve_address;

    /// Sends a tiny request and returns the model that replied, or the real error. Without a model,
    /// asks the first one that the provider lists.
    fn test_provider(config: ProviderConfig, key: Option<String>, model: Option<String>) -> String
        => connection_tests.test;

    /// Fetches the model list of a provider; returns its length.
    fn fetch_models(provider: ProviderId) -> u32 => providers.fetch_models;

    /// Local servers that can be added; only the loopback is contacted.
    fn local_servers() -> Vec<LocalServer> => providers.local_servers;

    /// All models that can be chosen.
    fn models() -> Vec<ModelView> => providers.models;
}

/// Refreshes the model lists of local servers in the background, because the list is being shown.
#[tauri::command]
#[specta::specta]
pub async fn renew_models(host: AppState<'_>) -> Result<()> {
    host.providers.refresh_local_models();
    Ok(())
}

commands! {
    /// Adds a model of the user, unless the id exists.
    fn add_model(provider: ProviderId, model: ModelOverride) -> () => providers.add_model;

    /// Changes one of the user's values of a model, which may be new.
    fn change_model(model: ModelRef, change: ModelChange) -> () => providers.change_model;

    /// Deletes the user's values of a model.
    fn remove_model(model: ModelRef) -> () => providers.remove_model;

    /// Deletes the learned window of a model.
    fn forget_window(model: ModelRef) -> () => models.forget_window;
}
