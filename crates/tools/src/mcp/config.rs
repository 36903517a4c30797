//! Parses pasted MCP server configurations of any program.
//!
//! Not here: the fields of one server (`server_entry`).

mod config_problem;
mod server_entry;

use jsonc_parser::errors::ParseError;
use jsonc_parser::{ParseOptions, parse_to_serde_value};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use specta::Type;

use super::McpServerConfig;

pub use config_problem::ConfigProblem;
pub use server_entry::{read_server, to_entry};

use server_entry::ADDRESSES;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParsedConfig {
    /// The valid servers, in the order of the text.
    pub servers: Vec<McpServerConfig>,
    /// The problems of the others.
    pub problems: Vec<ConfigProblem>,
}

/// The result of importing a pasted text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct McpImportResult {
    /// The servers now in the settings, without their keys.
    pub servers: Vec<McpServerConfig>,
    /// Names of servers that replaced others of the same name. The import can be undone.
    pub replaced: Vec<String>,
    /// Names of servers whose `alwaysAllow` was dropped: only the user can grant that.
    pub asking: Vec<String>,
    /// The problems of servers that were not imported.
    pub problems: Vec<ConfigProblem>,
}

/// Parses `{"mcpServers": {…}}` and its variants: other root keys, none, a single server, a
/// fragment of a file, comments, and missing or extra commas.
pub fn parse_config(text: &str) -> ParsedConfig {
    let mut parsed = ParsedConfig { servers: Vec::new(), problems: Vec::new() };
    let root = match read_json(text) {
        Ok(root) => root,
        Err(error) => {
            parsed.problems.push(ConfigProblem::NotJson {
                line: u32::try_from(error.line_display()).unwrap_or(u32::MAX),
                column: u32::try_from(error.column_display()).unwrap_or(u32::MAX),
                detail: error.to_string(),
            });
            return parsed;
        }
    };
    for (name, server) in find_servers(&root) {
        match read_server(&name, server) {
            Ok(server) => parsed.servers.push(server),
            Err(problem) => parsed.problems.push(problem),
        }
    }
    if parsed.servers.is_empty() && parsed.problems.is_empty() {
        parsed.problems.push(ConfigProblem::NoServers {});
    }
    parsed
}

/// Parses JSON with comments, and with missing or extra commas.
fn read_json(text: &str) -> Result<Value, ParseError> {
    let plain = text.trim().trim_start_matches('\u{feff}').trim_end_matches(',');
    let options = ParseOptions::default();
    parse_to_serde_value(plain, &options).or_else(|error| {
        // A fragment of a file: `"mcpServers": {…}`.
        let whole = parse_to_serde_value(&format!("{{{plain}\n}}"), &options);
        whole.map_err(|_| error)
    })
}

/// The servers in a document, by name.
fn find_servers(root: &Value) -> Vec<(String, &Value)> {
    let outer = ["mcpServers", "mcp_servers", "servers", "context_servers", "mcp"];
    let servers = match first_value(root, &outer) {
        // Some programs put `servers` into `mcp`.
        Some(inner) if root.get("mcp").is_some_and(|mcp| std::ptr::eq(mcp, inner)) => {
            first_value(inner, &["servers"]).unwrap_or(inner)
        }
        Some(inner) => inner,
        None => root,
    };
    match servers {
        Value::Array(list) => list.iter().map(|server| (name_of(server), server)).collect(),
        Value::Object(fields) if is_server(fields) => vec![(name_of(servers), servers)],
        Value::Object(fields) => {
            let named = fields.iter().filter(|(_, server)| server.is_object());
            named.map(|(name, server)| (name.clone(), server)).collect()
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Vec::new(),
    }
}

/// The value of the first present key. A server may have one of these names itself.
fn first_value<'a>(value: &'a Value, names: &[&str]) -> Option<&'a Value> {
    let holds_servers = |inner: &&Value| {
        inner.is_array() || inner.as_object().is_some_and(|fields| !is_server(fields))
    };
    names.iter().find_map(|name| value.get(*name).filter(holds_servers))
}

fn is_server(fields: &Map<String, Value>) -> bool {
    let starts = fields.get("command").is_some_and(|command| {
        command.is_string() || command.is_array() || command.get("path").is_some()
    });
    starts || ADDRESSES.iter().any(|key| fields.get(*key).is_some_and(Value::is_string))
}

/// A name for a server that has none: its package, program or host.
fn name_of(server: &Value) -> String {
    if let Some(name) = server.get("name").and_then(Value::as_str) {
        return name.to_owned();
    }
    let args = server.get("args").or_else(|| server.get("command")).and_then(Value::as_array);
    let package = args.into_iter().flatten().filter_map(Value::as_str).find(|argument| {
        !argument.starts_with('-') && !["npx", "uvx", "node", "python", "docker"].contains(argument)
    });
    if let Some(package) = package {
        return name_in_path(package);
    }
    let address = ADDRESSES.iter().find_map(|key| server.get(*key)?.as_str());
    if let Some(url) = address.and_then(|url| reqwest::Url::parse(url).ok()) {
        return url.host_str().unwrap_or("server").to_owned();
    }
    let command = server.get("command").and_then(Value::as_str);
    command.map_or_else(|| "server".into(), name_in_path)
}

/// Package names too general for a server's name.
const GENERIC_NAMES: [&str; 4] = ["mcp", "server", "mcp-server", "server-mcp"];

/// The distinctive part of `@scope/package@version` or of a path.
fn name_in_path(text: &str) -> String {
    let parts = text.trim_end_matches('/').rsplit(['/', '\\']);
    let mut names = parts.filter_map(|part| part.split('@').find(|name| !name.is_empty()));
    let last = names.next().unwrap_or("server");
    let telling = GENERIC_NAMES.contains(&last).then(|| names.next()).flatten();
    telling.unwrap_or(last).to_owned()
}
