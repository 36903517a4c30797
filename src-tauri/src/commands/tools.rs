//! Tools, skills, instruction files and prompts.

use skein_app::secrets::SecretLocation;
use skein_app::view::ToolView;
use skein_domain::ids::{OutputId, SessionId};
use skein_store::Grant;
use skein_tools::files::instruction_files::InstructionFile;
use skein_tools::skills::SkillIndex;
use skein_tools::user_prompts::{SavePromptResult, UserPromptList};

use crate::commands::{AppState, Result};

/// All tools with their switch and token cost.
#[tauri::command]
#[specta::specta]
pub async fn tools(host: AppState<'_>, session_id: SessionId) -> Result<Vec<ToolView>> {
    host.context.tools(session_id).await
}

/// The grants for all sessions.
#[tauri::command]
#[specta::specta]
pub async fn tool_grants(host: AppState<'_>) -> Result<Vec<Grant>> {
    host.tool_grants.list().await
}

/// Removes a grant.
#[tauri::command]
#[specta::specta]
pub async fn revoke_grant(host: AppState<'_>, grant: Grant) -> Result<()> {
    host.tool_grants.revoke(grant).await
}

/// Stores the key of a search engine and returns its location. Keys cannot be read back.
#[tauri::command]
#[specta::specta]
pub async fn set_search_key(host: AppState<'_>, key: String) -> Result<SecretLocation> {
    host.tools.set_search_key(key).await
}

/// The location of the key; null if there is none.
#[tauri::command]
#[specta::specta]
pub async fn search_key(host: AppState<'_>) -> Result<Option<SecretLocation>> {
    host.tools.search_key().await
}

/// Deletes the key.
#[tauri::command]
#[specta::specta]
pub async fn remove_search_key(host: AppState<'_>) -> Result<()> {
    host.tools.remove_search_key().await
}

/// A part of a complete tool output, in characters.
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

/// The skills, with errors of invalid ones.
#[tauri::command]
#[specta::specta]
pub async fn skills(host: AppState<'_>, session_id: Option<SessionId>) -> Result<SkillIndex> {
    host.tools.skills(session_id).await
}

/// The instruction files that apply.
#[tauri::command]
#[specta::specta]
pub async fn memory_files(
    host: AppState<'_>,
    session_id: Option<SessionId>,
) -> Result<Vec<InstructionFile>> {
    host.tools.memory_files(session_id).await
}

/// The user's own prompts, with errors of invalid files.
#[tauri::command]
#[specta::specta]
pub async fn own_prompts(host: AppState<'_>) -> Result<UserPromptList> {
    host.user_prompts.list().await
}

/// Saves a prompt; an existing one is never overwritten.
#[tauri::command]
#[specta::specta]
pub async fn save_prompt(
    host: AppState<'_>,
    name: String,
    words: String,
) -> Result<SavePromptResult> {
    host.user_prompts.save(name, words).await
}
