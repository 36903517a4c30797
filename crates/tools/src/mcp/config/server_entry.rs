//! Reads and writes the entry of one MCP server in a configuration.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::config_problem::ConfigProblem;
use crate::mcp::{McpServerConfig, McpTransport};

/// The keys under which programs store a server's address.
pub(super) const ADDRESSES: [&str; 5] = ["url", "serverUrl", "httpUrl", "baseUrl", "endpoint"];

/// Parses a server's entry.
///
/// # Errors
/// It has neither a command nor an address, or a field has the wrong type.
pub fn read_server(name: &str, server: &Value) -> Result<McpServerConfig, ConfigProblem> {
    let part = ServerEntry { name, server };
    let enabled = part.flag("enabled")?.or(part.flag("isActive")?);
    let enabled = enabled.unwrap_or(true) && part.flag("disabled")? != Some(true);
    let always_allow = match part.list("alwaysAllow")? {
        Some(tools) => tools,
        None => part.list("autoApprove")?.unwrap_or_default(),
    };
    Ok(McpServerConfig {
        name: name.to_owned(),
        transport: transport(&part)?,
        enabled,
        always_allow,
        timeout_seconds: timeout_seconds(server),
    })
}

/// Time limits from this number on are milliseconds: some programs use those, some seconds. Real
/// limits lie between ten seconds and three hours.
const MIN_MILLISECONDS: u64 = 10_000;

/// The time limit in seconds. Skein's own key ([`to_entry`]) is exact; the unit of others is
/// guessed.
fn timeout_seconds(server: &Value) -> Option<u32> {
    let number = |key: &str| server.get(key).and_then(Value::as_u64).filter(|limit| *limit > 0);
    let guessed = |limit| if limit >= MIN_MILLISECONDS { limit / 1_000 } else { limit };
    let seconds = number(TIMEOUT_SECONDS).or_else(|| number("timeout").map(guessed));
    seconds.and_then(|seconds| u32::try_from(seconds).ok())
}

const TIMEOUT_SECONDS: &str = "timeoutSeconds";

fn transport(part: &ServerEntry<'_>) -> Result<McpTransport, ConfigProblem> {
    let kind = ["type", "transport", "transportType"]
        .iter()
        .find_map(|key| part.server.get(*key)?.as_str())
        .unwrap_or_default()
        .to_ascii_lowercase();
    let address = ADDRESSES.iter().find_map(|key| part.server.get(*key)?.as_str());
    let is_remote = ["http", "streamable", "sse", "remote"].iter().any(|sign| kind.contains(sign));
    match address {
        Some(url) if is_remote || part.server.get("command").is_none() => Ok(McpTransport::Http {
            url: url.to_owned(),
            headers: {
                let headers = match part.texts("headers")? {
                    Some(headers) => headers,
                    None => part.texts("requestInit.headers")?.unwrap_or_default(),
                };
                part.named(headers, is_header)?
            },
        }),
        Some(_) | None => stdio(part),
    }
}

fn stdio(part: &ServerEntry<'_>) -> Result<McpTransport, ConfigProblem> {
    let mut args = part.list("args")?.unwrap_or_default();
    let mut env = match part.texts("env")? {
        Some(env) => Some(env),
        None => part.texts("environment")?,
    };
    let command_line: Vec<String> = match part.server.get("command") {
        // `"command": "npx -y something"` without arguments is a whole line; a path may contain
        // spaces.
        Some(Value::String(line)) if args.is_empty() && !line.contains(['/', '\\', '"', '\'']) => {
            line.split_whitespace().map(str::to_owned).collect()
        }
        Some(Value::String(line)) if args.is_empty() && is_runner_line(line) => {
            line.split_whitespace().map(str::to_owned).collect()
        }
        Some(Value::String(command)) => vec![command.clone()],
        Some(Value::Array(_)) => part.list("command")?.unwrap_or_default(),
        Some(Value::Object(command)) => {
            let inner = ServerEntry { name: part.name, server: &Value::Object(command.clone()) };
            args = inner.list("args")?.unwrap_or_default();
            env = inner.texts("env")?.or(env);
            inner
                .server
                .get("path")
                .and_then(Value::as_str)
                .map(str::to_owned)
                .into_iter()
                .collect()
        }
        Some(Value::Null | Value::Bool(_) | Value::Number(_)) | None => Vec::new(),
    };
    let mut command_line = command_line.into_iter();
    let command = command_line.next().filter(|command| !command.trim().is_empty());
    let command =
        command.ok_or_else(|| ConfigProblem::NothingToStart { server: part.name.to_owned() })?;
    let cwd = ["cwd", "workingDirectory"].iter().find_map(|key| part.server.get(*key)?.as_str());
    Ok(McpTransport::Stdio {
        command,
        args: command_line.chain(args).collect(),
        env: part.named(env.unwrap_or_default(), is_variable)?,
        cwd: cwd.map(str::to_owned),
    })
}

/// True if a line begins with a package runner: slashes in it belong to arguments.
fn is_runner_line(line: &str) -> bool {
    let runners = ["npx ", "uvx ", "bunx ", "pnpm ", "docker ", "node ", "python ", "python3 "];
    runners.iter().any(|runner| line.starts_with(runner)) && !line.contains(['"', '\''])
}

struct ServerEntry<'a> {
    name: &'a str,
    server: &'a Value,
}

impl ServerEntry<'_> {
    /// The value of a key; `a.b` is `b` in `a`.
    fn get(&self, key: &str) -> Option<&Value> {
        let value = key.split('.').try_fold(self.server, |value, key| value.get(key));
        value.filter(|value| !value.is_null())
    }

    fn wrong(&self, key: &str) -> ConfigProblem {
        ConfigProblem::WrongType { server: self.name.to_owned(), key: key.to_owned() }
    }

    /// Variables or headers with valid names.
    fn named(
        &self,
        values: BTreeMap<String, String>,
        is_name: fn(&str) -> bool,
    ) -> Result<BTreeMap<String, String>, ConfigProblem> {
        match values.keys().find(|name| !is_name(name)) {
            None => Ok(values),
            Some(name) => {
                Err(ConfigProblem::WrongName { server: self.name.to_owned(), name: name.clone() })
            }
        }
    }

    fn flag(&self, key: &str) -> Result<Option<bool>, ConfigProblem> {
        let Some(value) = self.get(key) else { return Ok(None) };
        value.as_bool().map(Some).ok_or_else(|| self.wrong(key))
    }

    fn list(&self, key: &str) -> Result<Option<Vec<String>>, ConfigProblem> {
        let Some(value) = self.get(key) else { return Ok(None) };
        let list = value.as_array().and_then(|list| list.iter().map(plain).collect());
        list.map(Some).ok_or_else(|| self.wrong(key))
    }

    fn texts(&self, key: &str) -> Result<Option<BTreeMap<String, String>>, ConfigProblem> {
        let Some(value) = self.get(key) else { return Ok(None) };
        let texts = value.as_object().and_then(|fields| {
            fields.iter().map(|(name, value)| Some((name.clone(), plain(value)?))).collect()
        });
        texts.map(Some).ok_or_else(|| self.wrong(key))
    }
}

/// True for `[A-Za-z_][A-Za-z0-9_]*`.
fn is_variable(name: &str) -> bool {
    let begins = |c: char| c.is_ascii_alphabetic() || c == '_';
    name.starts_with(begins) && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

fn is_header(name: &str) -> bool {
    reqwest::header::HeaderName::from_bytes(name.as_bytes()).is_ok()
}

/// A string; also from a number or boolean.
fn plain(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(flag) => Some(flag.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

/// A server's entry in the common format, which [`super::parse_config`] reads back. Only the time limit
/// has a key of Skein's own, because no common one states its unit.
pub fn to_entry(config: &McpServerConfig) -> Value {
    let mut entry = match &config.transport {
        McpTransport::Stdio { command, args, env, cwd } => {
            json!({ "command": command, "args": args, "env": env, "cwd": cwd })
        }
        McpTransport::Http { url, headers } => {
            json!({ "type": "http", "url": url, "headers": headers })
        }
    };
    if let Some(fields) = entry.as_object_mut() {
        fields.insert("disabled".into(), json!(!config.enabled));
        fields.insert("alwaysAllow".into(), json!(config.always_allow));
        fields.insert(TIMEOUT_SECONDS.into(), json!(config.timeout_seconds));
        let is_empty = |value: &Value| match value {
            Value::Null | Value::Bool(false) => true,
            Value::Array(list) => list.is_empty(),
            Value::Object(fields) => fields.is_empty(),
            Value::Bool(true) | Value::Number(_) | Value::String(_) => false,
        };
        fields.retain(|_, value| !is_empty(value));
    }
    entry
}
