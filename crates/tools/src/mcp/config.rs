//! Reading server configurations as people paste them, whatever program they come from.

use std::collections::BTreeMap;

use jsonc_parser::errors::ParseError;
use jsonc_parser::{ParseOptions, parse_to_serde_value};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use specta::Type;

use super::{McpServerConfig, McpTransport};

/// What was found in a pasted text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParsedConfig {
    /// What can be used, in the order it was written.
    pub servers: Vec<McpServerConfig>,
    /// What cannot.
    pub problems: Vec<ConfigProblem>,
}

/// What became of a pasted text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct McpImportResult {
    /// What is in the settings now, without its keys.
    pub servers: Vec<McpServerConfig>,
    /// The names of those that took the place of another one, which can be brought back.
    pub replaced: Vec<String>,
    /// The names of those that would have had tools run without a question: that is for the user to
    /// say, and was left out.
    pub asking: Vec<String>,
    /// What could not be used.
    pub problems: Vec<ConfigProblem>,
}

/// What is wrong with a pasted text or with one server in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ConfigProblem {
    /// It is not JSON.
    NotJson {
        /// Counted from 1.
        line: u32,
        /// Counted from 1.
        column: u32,
        /// For a developer.
        detail: String,
    },
    /// It is JSON, and no server is in it.
    NoServers {},
    /// A server names neither a command nor an address.
    NothingToStart {
        /// Its name.
        server: String,
    },
    /// A part of a server is not what it should be.
    WrongType {
        /// Its name.
        server: String,
        /// Which part.
        key: String,
    },
    /// A variable or a header is called as none can be: in the line that is agreed to it would be read as
    /// more than a name.
    WrongName {
        /// Its name.
        server: String,
        /// The variable or the header.
        name: String,
    },
}

/// Reads `{"mcpServers": {…}}` and its relatives: other roots, none, a single server, a piece cut
/// out of a file, comments and commas where JSON has none.
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

/// JSON with comments, and with commas too many or too few.
fn read_json(text: &str) -> Result<Value, ParseError> {
    let plain = text.trim().trim_start_matches('\u{feff}').trim_end_matches(',');
    let options = ParseOptions::default();
    parse_to_serde_value(plain, &options).or_else(|error| {
        // A piece cut out of a file: `"mcpServers": {…}`.
        let whole = parse_to_serde_value(&format!("{{{plain}\n}}"), &options);
        whole.map_err(|_| error)
    })
}

/// The servers in a document, by name.
fn find_servers(root: &Value) -> Vec<(String, &Value)> {
    let outer = ["mcpServers", "mcp_servers", "servers", "context_servers", "mcp"];
    let servers = match below(root, &outer) {
        // Some write `mcp` around their `servers`.
        Some(inner) if root.get("mcp").is_some_and(|mcp| std::ptr::eq(mcp, inner)) => {
            below(inner, &["servers"]).unwrap_or(inner)
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

/// What stands under the first of these names that is there: servers may be called so themselves.
fn below<'a>(value: &'a Value, names: &[&str]) -> Option<&'a Value> {
    let holds_servers = |inner: &&Value| {
        inner.is_array() || inner.as_object().is_some_and(|fields| !is_server(fields))
    };
    names.iter().find_map(|name| value.get(*name).filter(holds_servers))
}

const ADDRESSES: [&str; 5] = ["url", "serverUrl", "httpUrl", "baseUrl", "endpoint"];

fn is_server(fields: &Map<String, Value>) -> bool {
    let starts = fields.get("command").is_some_and(|command| {
        command.is_string() || command.is_array() || command.get("path").is_some()
    });
    starts || ADDRESSES.iter().any(|key| fields.get(*key).is_some_and(Value::is_string))
}

/// A name for a server that came without one: its package, its program or its host.
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

/// How packages are called by those who have only one.
const ANYBODYS: [&str; 4] = ["mcp", "server", "mcp-server", "server-mcp"];

/// The last part of `@scope/package@version` or of a path that says whose it is.
fn name_in_path(text: &str) -> String {
    let parts = text.trim_end_matches('/').rsplit(['/', '\\']);
    let mut names = parts.filter_map(|part| part.split('@').find(|name| !name.is_empty()));
    let last = names.next().unwrap_or("server");
    let telling = ANYBODYS.contains(&last).then(|| names.next()).flatten();
    telling.unwrap_or(last).to_owned()
}

/// A server from its entry.
///
/// # Errors
/// Where nothing says how to reach it, or a part of it is not what it should be.
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

/// From here on a time limit is one in milliseconds: some programs count so, some in seconds. No
/// server is given three hours, and none less than ten seconds.
const MILLISECONDS: u64 = 10_000;

/// As Skein writes it ([`entry`]), which is never guessed at; else as others do.
fn timeout_seconds(server: &Value) -> Option<u32> {
    let number = |key: &str| server.get(key).and_then(Value::as_u64).filter(|limit| *limit > 0);
    let guessed = |limit| if limit >= MILLISECONDS { limit / 1_000 } else { limit };
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
    let words: Vec<String> = match part.server.get("command") {
        // `"command": "npx -y something"` without arguments of its own is a whole line; a path may
        // have spaces.
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
    let mut words = words.into_iter();
    let command = words.next().filter(|command| !command.trim().is_empty());
    let command =
        command.ok_or_else(|| ConfigProblem::NothingToStart { server: part.name.to_owned() })?;
    let cwd = ["cwd", "workingDirectory"].iter().find_map(|key| part.server.get(*key)?.as_str());
    Ok(McpTransport::Stdio {
        command,
        args: words.chain(args).collect(),
        env: part.named(env.unwrap_or_default(), is_variable)?,
        cwd: cwd.map(str::to_owned),
    })
}

/// Whether a line begins with a program that is always given arguments: its slashes are theirs.
fn is_runner_line(line: &str) -> bool {
    let runners = ["npx ", "uvx ", "bunx ", "pnpm ", "docker ", "node ", "python ", "python3 "];
    runners.iter().any(|runner| line.starts_with(runner)) && !line.contains(['"', '\''])
}

/// The parts of one server's entry.
struct ServerEntry<'a> {
    name: &'a str,
    server: &'a Value,
}

impl ServerEntry<'_> {
    /// `a.b` is `b` in `a`.
    fn get(&self, key: &str) -> Option<&Value> {
        let found = key.split('.').try_fold(self.server, |value, key| value.get(key));
        found.filter(|value| !value.is_null())
    }

    fn wrong(&self, key: &str) -> ConfigProblem {
        ConfigProblem::WrongType { server: self.name.to_owned(), key: key.to_owned() }
    }

    /// Variables or headers, all of which are called as they can be.
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

/// `[A-Za-z_][A-Za-z0-9_]*`.
fn is_variable(name: &str) -> bool {
    let begins = |c: char| c.is_ascii_alphabetic() || c == '_';
    name.starts_with(begins) && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

fn is_header(name: &str) -> bool {
    reqwest::header::HeaderName::from_bytes(name.as_bytes()).is_ok()
}

/// Text, also where it was written as a number or a switch.
fn plain(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(flag) => Some(flag.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

/// A server as the ecosystem writes it, under its name: what [`parse_config`] reads back. Only the
/// time limit is under a name of Skein's own, because nobody else's says what it counts.
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
