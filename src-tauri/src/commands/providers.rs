//! Providers, their keys and their models.

use skein_app::secrets::SecretLocation;
use skein_app::view::{ModelView, ProviderView};
use skein_domain::ids::ProviderId;
use skein_domain::model::ModelRef;
use skein_domain::provider_config::{ModelChange, ModelOverride, ProviderConfig};
use skein_providers::LocalServer;
use skein_providers::registry::ProviderKind;

use crate::commands::{AppState, Result};

/// The kinds that can be added.
#[tauri::command]
#[specta::specta]
pub async fn provider_kinds(host: AppState<'_>) -> Result<Vec<ProviderKind>> {
    host.providers.kinds().await
}

/// The configured providers.
#[tauri::command]
#[specta::specta]
pub async fn providers(host: AppState<'_>) -> Result<Vec<ProviderView>> {
    host.providers.list().await
}

/// Adds or replaces a provider.
#[tauri::command]
#[specta::specta]
pub async fn save_provider(host: AppState<'_>, config: ProviderConfig) -> Result<()> {
    host.providers.save(config).await
}

/// Removes a provider with its key; saving its configuration again undoes both.
#[tauri::command]
#[specta::specta]
pub async fn remove_provider(host: AppState<'_>, provider: ProviderId) -> Result<()> {
    host.providers.remove(provider).await
}

/// Stores a key and returns its location. Keys cannot be read back.
#[tauri::command]
#[specta::specta]
pub async fn set_key(
    host: AppState<'_>,
    provider: ProviderId,
    key: String,
) -> Result<SecretLocation> {
    host.providers.set_key(provider, key).await
}

/// Deletes the key.
#[tauri::command]
#[specta::specta]
pub async fn remove_key(host: AppState<'_>, provider: ProviderId) -> Result<()> {
    host.providers.remove_key(provider).await
}

/// The address of requests for a configuration.
#[tauri::command]
#[specta::specta]
pub async fn resolve_address(host: AppState<'_>, config: ProviderConfig) -> Result<String> {
    host.providers.resolve_address(config).await
}

/// Sends a tiny request and returns the model that replied, or the real error. Without a model,
/// asks the first one that the provider lists.
#[tauri::command]
#[specta::specta]
pub async fn test_provider(
    host: AppState<'_>,
    config: ProviderConfig,
    key: Option<String>,
    model: Option<String>,
) -> Result<String> {
    host.connection_tests.test(config, key, model).await
}

/// Fetches the model list of a provider; returns its length.
#[tauri::command]
#[specta::specta]
pub async fn fetch_models(host: AppState<'_>, provider: ProviderId) -> Result<u32> {
    host.providers.fetch_models(provider).await
}

/// Local servers that can be added; only the loopback is contacted.
#[tauri::command]
#[specta::specta]
pub async fn local_servers(host: AppState<'_>) -> Result<Vec<LocalServer>> {
    host.providers.local_servers().await
}

/// All models that can be chosen.
#[tauri::command]
#[specta::specta]
pub async fn models(host: AppState<'_>) -> Result<Vec<ModelView>> {
    host.providers.models().await
}

/// Refreshes the model lists of local servers in the background, because the list is being shown.
#[tauri::command]
#[specta::specta]
pub async fn renew_models(host: AppState<'_>) -> Result<()> {
    host.providers.refresh_local_models();
    Ok(())
}

/// Adds a model of the user, unless the id exists.
#[tauri::command]
#[specta::specta]
pub async fn add_model(
    host: AppState<'_>,
    provider: ProviderId,
    model: ModelOverride,
) -> Result<()> {
    host.providers.add_model(provider, model).await
}

/// Changes one of the user's values of a model, which may be new.
#[tauri::command]
#[specta::specta]
pub async fn change_model(host: AppState<'_>, model: ModelRef, change: ModelChange) -> Result<()> {
    host.providers.change_model(model, change).await
}

/// Deletes the user's values of a model.
#[tauri::command]
#[specta::specta]
pub async fn remove_model(host: AppState<'_>, model: ModelRef) -> Result<()> {
    host.providers.remove_model(model).await
}

/// Deletes the learned window of a model.
#[tauri::command]
#[specta::specta]
pub async fn forget_window(host: AppState<'_>, model: ModelRef) -> Result<()> {
    host.models.forget_window(model).await
}
