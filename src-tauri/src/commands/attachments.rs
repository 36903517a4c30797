//! Pictures and files for a message.

use skein_context::message::ContentPart;

use crate::commands::{Host, Result};

/// Takes in a file by its path.
#[tauri::command]
#[specta::specta]
pub async fn attach_file(host: Host<'_>, path: String) -> Result<ContentPart> {
    host.attach_file(path).await
}

/// Takes in a resource of an MCP server.
#[tauri::command]
#[specta::specta]
pub async fn attach_resource(
    host: Host<'_>,
    server: String,
    uri: String,
) -> Result<Vec<ContentPart>> {
    host.attach_resource(server, uri).await
}

/// Takes in what was pasted.
#[tauri::command]
#[specta::specta]
pub async fn attach_bytes(host: Host<'_>, name: String, bytes: Vec<u8>) -> Result<ContentPart> {
    host.attach_bytes(name, bytes).await
}
