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

/// Those that are configured.
#[tauri::command]
#[specta::specta]
pub async fn providers(host: AppState<'_>) -> Result<Vec<ProviderView>> {
    host.providers.list().await
}

/// Adds or replaces one.
#[tauri::command]
#[specta::specta]
pub async fn save_provider(host: AppState<'_>, config: ProviderConfig) -> Result<()> {
    host.providers.save(config).await
}

/// Takes it out with its key; saving its config again undoes both.
#[tauri::command]
#[specta::specta]
pub async fn remove_provider(host: AppState<'_>, provider: ProviderId) -> Result<()> {
    host.providers.remove(provider).await
}

/// Write-only; says where it went.
#[tauri::command]
#[specta::specta]
pub async fn set_key(
    host: AppState<'_>,
    provider: ProviderId,
    key: String,
) -> Result<SecretLocation> {
    host.providers.set_key(provider, key).await
}

/// Forgets the key.
#[tauri::command]
#[specta::specta]
pub async fn remove_key(host: AppState<'_>, provider: ProviderId) -> Result<()> {
    host.providers.remove_key(provider).await
}

/// The address that would be called.
#[tauri::command]
#[specta::specta]
pub async fn resolve_address(host: AppState<'_>, config: ProviderConfig) -> Result<String> {
    host.providers.resolve_address(config).await
}

/// One tiny call, with the real error; without a model, to the first that the address lists. Which answered.
#[tauri::command]
#[specta::specta]
pub async fn test_provider(
    host: AppState<'_>,
    config: ProviderConfig,
    key: Option<String>,
    model: Option<String>,
) -> Result<String> {
    host.providers.test(config, key, model).await
}

/// Asks the provider what it offers; how many models it listed itself.
#[tauri::command]
#[specta::specta]
pub async fn fetch_models(host: AppState<'_>, provider: ProviderId) -> Result<u32> {
    host.providers.fetch_models(provider).await
}

/// Servers running on this machine that could be added; only the loopback is contacted.
#[tauri::command]
#[specta::specta]
pub async fn local_servers(host: AppState<'_>) -> Result<Vec<LocalServer>> {
    host.providers.local_servers().await
}

/// Every model that can be chosen.
#[tauri::command]
#[specta::specta]
pub async fn models(host: AppState<'_>) -> Result<Vec<ModelView>> {
    host.providers.models().await
}

/// The list of models is looked at: servers near by are asked in the background what they have now.
#[tauri::command]
#[specta::specta]
pub async fn renew_models(host: AppState<'_>) -> Result<()> {
    host.providers.refresh_local_models();
    Ok(())
}

/// A model of the person's, where there is none by its id.
#[tauri::command]
#[specta::specta]
pub async fn add_model(
    host: AppState<'_>,
    provider: ProviderId,
    model: ModelOverride,
) -> Result<()> {
    host.providers.add_model(provider, model).await
}

/// One of the person's values for a model, which may be new.
#[tauri::command]
#[specta::specta]
pub async fn change_model(host: AppState<'_>, model: ModelRef, change: ModelChange) -> Result<()> {
    host.providers.change_model(model, change).await
}

/// Forgets the person's values for a model.
#[tauri::command]
#[specta::specta]
pub async fn remove_model(host: AppState<'_>, model: ModelRef) -> Result<()> {
    host.providers.remove_model(model).await
}

/// Forgets what was learned of a model's window.
#[tauri::command]
#[specta::specta]
pub async fn forget_window(host: AppState<'_>, model: ModelRef) -> Result<()> {
    host.models.forget_window(model).await
}
