//! MCP servers.

use std::collections::BTreeMap;

use skein_tools::mcp::McpServerStatus;
use skein_tools::mcp::config::McpImportResult;
use skein_tools::mcp::oauth::oauth_callback::SignInPageText;
use tauri::AppHandle;

use crate::app_window;
use crate::commands::{AppState, Result, commands};

commands! {
    /// The configured servers with their status.
    fn mcp_servers() -> Vec<McpServerStatus> => mcp.list;

    /// Adds the servers of a pasted configuration in any format, without starting them.
    fn add_mcp_servers(pasted: String) -> McpImportResult => mcp.add;

    /// Stops and removes a server with its keys; `restore_mcp_server` undoes it.
    fn remove_mcp_server(name: String) -> () => mcp.remove;

    /// Restores a removed or replaced server.
    fn restore_mcp_server(name: String) -> () => mcp.restore;

    /// Turns a server on or off.
    fn enable_mcp_server(name: String, on: bool) -> () => mcp.enable;

    /// Stores the user's consent to this command.
    fn allow_mcp_server(command: String) -> () => mcp.allow;

    fn restart_mcp_server(name: String) -> () => mcp.restart;

    /// Sets a value that the configuration names, and restarts the server. Values cannot be read back.
    fn give_mcp_value(server: String, name: String, value: String) -> () => mcp.set_value;
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

commands! {
    /// Deletes the tokens of a sign-in.
    fn sign_out_mcp_server(name: String) -> () => mcp.sign_out;

    /// A server's prompt as text for the composer.
    fn mcp_prompt(server: String, prompt: String, values: BTreeMap<String, String>) -> String
        => mcp.prompt;
}
