//! The MCP servers.

use std::collections::BTreeMap;

use skein_tools::mcp::McpServerStatus;
use skein_tools::mcp::config::McpImportResult;
use skein_tools::mcp::oauth::oauth_callback::SignInPageText;
use tauri::AppHandle;

use crate::app_window;
use crate::commands::{AppState, Result};

/// Configured servers and how they are.
#[tauri::command]
#[specta::specta]
pub async fn mcp_servers(host: AppState<'_>) -> Result<Vec<McpServerStatus>> {
    host.mcp.list().await
}

/// Any dialect; what could be used is added, not yet started.
#[tauri::command]
#[specta::specta]
pub async fn add_mcp_servers(host: AppState<'_>, pasted: String) -> Result<McpImportResult> {
    host.mcp.add(pasted).await
}

/// Stops it and takes it out, with its keys; `restore_mcp_server` brings it back.
#[tauri::command]
#[specta::specta]
pub async fn remove_mcp_server(host: AppState<'_>, name: String) -> Result<()> {
    host.mcp.remove(name).await
}

/// Undoes that one was removed or replaced.
#[tauri::command]
#[specta::specta]
pub async fn restore_mcp_server(host: AppState<'_>, name: String) -> Result<()> {
    host.mcp.restore(name).await
}

/// On or off.
#[tauri::command]
#[specta::specta]
pub async fn enable_mcp_server(host: AppState<'_>, name: String, on: bool) -> Result<()> {
    host.mcp.enable(name, on).await
}

/// The person has seen this command and says yes.
#[tauri::command]
#[specta::specta]
pub async fn allow_mcp_server(host: AppState<'_>, command: String) -> Result<()> {
    host.mcp.allow(command).await
}

/// Stops it and starts it again.
#[tauri::command]
#[specta::specta]
pub async fn restart_mcp_server(host: AppState<'_>, name: String) -> Result<()> {
    host.mcp.restart(name).await
}

/// Write-only; a value that its configuration names. It is started anew with it.
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

/// Signs in to it in the browser, which the person has just asked for. Returns when they have.
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

/// Waits no longer for the browser.
#[tauri::command]
#[specta::specta]
pub fn cancel_mcp_sign_in(host: AppState<'_>, name: String) {
    host.mcp.cancel_sign_in(&name);
}

/// Forgets what the sign-in brought.
#[tauri::command]
#[specta::specta]
pub async fn sign_out_mcp_server(host: AppState<'_>, name: String) -> Result<()> {
    host.mcp.sign_out(name).await
}

/// A server's prompt as text for the box.
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
