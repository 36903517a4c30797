//! Tools, MCP servers, skills, memory and prompts.

use std::collections::BTreeMap;

use skein_app::secrets::SecretLocation;
use skein_app::view::ToolView;
use skein_domain::ids::{OutputId, SessionId};
use skein_store::Grant;
use skein_tools::instruction_files::InstructionFile;
use skein_tools::mcp::McpServerStatus;
use skein_tools::mcp::config::McpImportResult;
use skein_tools::mcp::oauth_callback::SignInPageText;
use skein_tools::skills::SkillIndex;
use skein_tools::user_prompts::{SavePromptResult, UserPromptList};
use tauri::AppHandle;

use crate::app_window;
use crate::commands::{AppState, Result};

/// Every tool with its switch and its cost.
#[tauri::command]
#[specta::specta]
pub async fn tools(host: AppState<'_>, session_id: SessionId) -> Result<Vec<ToolView>> {
    host.context.tools(session_id).await
}

/// The lasting answers, those of all sessions.
#[tauri::command]
#[specta::specta]
pub async fn tool_grants(host: AppState<'_>) -> Result<Vec<Grant>> {
    host.tool_grants.list().await
}

/// Has a tool ask again.
#[tauri::command]
#[specta::specta]
pub async fn revoke_grant(host: AppState<'_>, grant: Grant) -> Result<()> {
    host.tool_grants.revoke(grant).await
}

/// Write-only; says where it went.
#[tauri::command]
#[specta::specta]
pub async fn set_search_key(host: AppState<'_>, key: String) -> Result<SecretLocation> {
    host.tools.set_search_key(key).await
}

/// Where it is; null: nowhere.
#[tauri::command]
#[specta::specta]
pub async fn search_key(host: AppState<'_>) -> Result<Option<SecretLocation>> {
    host.tools.search_key().await
}

/// Forgets it.
#[tauri::command]
#[specta::specta]
pub async fn remove_search_key(host: AppState<'_>) -> Result<()> {
    host.tools.remove_search_key().await
}

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

/// A stretch of a result that was kept whole, in characters.
#[tauri::command]
#[specta::specta]
pub async fn stored_output(
    host: AppState<'_>,
    session_id: SessionId,
    id: OutputId,
    start: u32,
    chars: u32,
) -> Result<String> {
    host.tools.stored_output(session_id, id, start, chars).await
}

/// Those found, and what is wrong with the rest.
#[tauri::command]
#[specta::specta]
pub async fn skills(host: AppState<'_>, session_id: Option<SessionId>) -> Result<SkillIndex> {
    host.tools.skills(session_id).await
}

/// Those found, as they are now.
#[tauri::command]
#[specta::specta]
pub async fn memory_files(
    host: AppState<'_>,
    session_id: Option<SessionId>,
) -> Result<Vec<InstructionFile>> {
    host.tools.memory_files(session_id).await
}

/// The person's own, and what is wrong with the other files beside them.
#[tauri::command]
#[specta::specta]
pub async fn own_prompts(host: AppState<'_>) -> Result<UserPromptList> {
    host.user_prompts.list().await
}

/// Keeps one; none that is there is written over.
#[tauri::command]
#[specta::specta]
pub async fn save_prompt(
    host: AppState<'_>,
    name: String,
    words: String,
) -> Result<SavePromptResult> {
    host.user_prompts.save(name, words).await
}
