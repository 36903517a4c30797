//! MCP servers.

use std::collections::BTreeMap;

use skein_tools::mcp::McpServerStatus;
use skein_tools::mcp::config::McpImportResult;
use skein_tools::mcp::oauth::oauth_callback::SignInPageText;
use tauri::AppHandle;

use crate::app_window;
use crate::commands::{AppState, Result};

/// The configured servers with their status.
#[tauri::command]
#[specta::specta]
pub async fn mcp_servers(host: AppState<'_>) -> Result<Vec<McpServerStatus>> {
    host.mcp.list().await
}

/// Adds the servers of a pasted configuration in any format, without starting them.
#[tauri::command]
#[specta::specta]
pub async fn add_mcp_servers(host: AppState<'_>, pasted: String) -> Result<McpImportResult> {
    host.mcp.add(pasted).await
}

/// Stops and removes a server with its keys; `restore_mcp_server` undoes it.
#[tauri::command]
#[specta::specta]
pub async fn remove_mcp_server(host: AppState<'_>, name: String) -> Result<()> {
    host.mcp.remove(name).await
}

/// Restores a removed or replaced server.
#[tauri::command]
#[specta::specta]
pub async fn restore_mcp_server(host: AppState<'_>, name: String) -> Result<()> {
    host.mcp.restore(name).await
}

/// Turns a server on or off.
#[tauri::command]
#[specta::specta]
pub async fn enable_mcp_server(host: AppState<'_>, name: String, on: bool) -> Result<()> {
    host.mcp.enable(name, on).await
}

/// Stores the user's consent to this command.
#[tauri::command]
#[specta::specta]
pub async fn allow_mcp_server(host: AppState<'_>, command: String) -> Result<()> {
    host.mcp.allow(command).await
}

#[tauri::command]
#[specta::specta]
pub async fn restart_mcp_server(host: AppState<'_>, name: String) -> Result<()> {
    host.mcp.restart(name).await
}

/// Sets a value that the configuration names, and restarts the server. Values cannot be read back.
#[tauri::command]
#[specta::specta]
pub async fn give_mcp_value(
    host: AppState<'_>,
    server: String,
    name: String,
    value: String,
) -> Result<()> {
    host.mcp.set_value(server, name, value).await
}

/// Signs in to a server in the browser, at the user's request. Returns when that is done.
#[tauri::command]
#[specta::specta]
pub async fn sign_in_mcp_server(
    app: AppHandle,
    host: AppState<'_>,
    name: String,
    words: SignInPageText,
) -> Result<()> {
    host.mcp.sign_in(name, words, |page| app_window::open_page(&app, page)).await
}

/// Cancels waiting for the browser.
#[tauri::command]
#[specta::specta]
pub fn cancel_mcp_sign_in(host: AppState<'_>, name: String) {
    host.mcp.cancel_sign_in(&name);
}

/// Deletes the tokens of a sign-in.
#[tauri::command]
#[specta::specta]
pub async fn sign_out_mcp_server(host: AppState<'_>, name: String) -> Result<()> {
    host.mcp.sign_out(name).await
}

/// A server's prompt as text for the composer.
#[tauri::command]
#[specta::specta]
pub async fn mcp_prompt(
    host: AppState<'_>,
    server: String,
    prompt: String,
    values: BTreeMap<String, String>,
) -> Result<String> {
    host.mcp.prompt(server, prompt, values).await
}
