//! Tools, MCP servers, skills, memory and prompts.

use skein_app::secrets::SecretLocation;
use skein_app::view::ToolView;
use skein_domain::ids::{OutputId, SessionId};
use skein_store::Grant;
use skein_tools::files::instruction_files::InstructionFile;
use skein_tools::skills::SkillIndex;
use skein_tools::user_prompts::{SavePromptResult, UserPromptList};

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
