//! Texts that the user approves before a server is started, and the names of grants.
//!
//! A grant names the server and the tool as the server calls it, not as it is declared to the
//! model, and includes a fingerprint of the tool, because its server may change it at any time. A
//! start consent is a hash of the unmasked command line. Hosts are shown in the form in which they
//! are called, in every variable and argument. Only `alwaysAllow` of a configuration grants by
//! name.
//!
//! Not here: storing grants (`store`), asking for them (`turn`, the settings).

use serde_json::json;
use sha2::{Digest, Sha256};
use skein_domain::ids::GrantKey;

use super::keys::mask_transport;
use super::{McpServerConfig, McpTransport};

/// The whole command that would run, or the address that would be called, with all variables or
/// headers and the tools that would run without approval. The user approves this text. Only the
/// values of recognised keys are masked.
pub fn command_line(config: &McpServerConfig) -> String {
    let mut transport = config.transport.clone();
    if let McpTransport::Http { url, .. } = &mut transport {
        *url = ascii_url(url);
    }
    let mut shown = mask_transport(&transport);
    if let McpTransport::Stdio { args, env, .. } = &mut shown {
        args.iter_mut().chain(env.values_mut()).for_each(|word| *word = with_ascii_hosts(word));
    }
    line(&shown, &config.always_allow)
}

/// A word in which every host is written in ASCII.
fn with_ascii_hosts(word: &str) -> String {
    let mut pieces = word.split("://");
    let mut written = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let end = piece.find(['/', '\\', '?', '#']).unwrap_or(piece.len());
        let (authority, tail) = piece.split_at(end);
        let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
        let (name, port) = host.split_at(host.find(':').unwrap_or(host.len()));
        let ascii_host = match reqwest::Url::parse(&format!("https://{name}")) {
            Ok(url) if !name.is_ascii() => url.host_str().unwrap_or(name).to_owned(),
            Ok(_) | Err(_) => name.to_owned(),
        };
        let user = authority.strip_suffix(host).unwrap_or_default();
        written.push_str(&format!("://{user}{ascii_host}{port}{tail}"));
    }
    written
}

/// An address in ASCII, in which look-alike letters are visible.
fn ascii_url(url: &str) -> String {
    let (known, filled_in) = url.split_at(url.find("${").unwrap_or(url.len()));
    match reqwest::Url::parse(known) {
        Ok(called) if filled_in.is_empty() || called.path() != "/" => {
            format!("{called}{filled_in}")
        }
        Ok(_) | Err(_) => with_ascii_hosts(url),
    }
}

fn line(transport: &McpTransport, always_allow: &[String]) -> String {
    let line = match transport {
        McpTransport::Stdio { command, args, env, cwd } => {
            let folder = cwd.iter().map(|cwd| format!("cd {} &&", quoted(cwd)));
            let env = env.iter().map(|(name, value)| format!("{name}={}", quoted(value)));
            let key_names =
                std::iter::once(program(command)).chain(args.iter().map(|word| quoted(word)));
            folder.chain(env).chain(key_names).collect::<Vec<_>>().join(" ")
        }
        McpTransport::Http { url, headers } => {
            let headers = headers.iter().map(|(name, value)| format!("{name}: {}", quoted(value)));
            std::iter::once(address(url)).chain(headers).collect::<Vec<_>>().join(" ")
        }
    };
    match always_allow {
        [] => line,
        tools => {
            let tools: Vec<String> = tools.iter().map(|tool| quoted(tool)).collect();
            format!("{line} [alwaysAllow: {}]", tools.join(", "))
        }
    }
}

fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./:@=+,%${}~\\•".contains(c);
    if !word.is_empty() && word.chars().all(plain) { word.to_owned() } else { in_quotes(word) }
}

/// A program name quoted so that it looks neither like a variable nor like an address.
fn program(command: &str) -> String {
    let is_like_another = command.contains('=') || command.contains("://");
    if is_like_another { in_quotes(command) } else { quoted(command) }
}

fn address(url: &str) -> String {
    let is_one = |c: char| !c.is_whitespace() && !c.is_control() && c != '\'';
    if url.chars().all(is_one) { url.to_owned() } else { in_quotes(url) }
}

fn in_quotes(word: &str) -> String {
    format!("'{}'", word.replace('\'', "'\\''"))
}

/// The consent to start a server in this configuration, including masked values. It contains a hash
/// of the line, because the grants file must not reveal it.
pub fn consent_key(config: &McpServerConfig) -> GrantKey {
    let kind = match config.transport {
        McpTransport::Stdio { .. } => "program",
        McpTransport::Http { .. } => "address",
    };
    let whole = format!("{kind} {}", line(&config.transport, &config.always_allow));
    GrantKey::new(format!(
        "{}{LINE_PREFIX}{}",
        consents(&config.name),
        mark(&Sha256::digest(whole))
    ))
}

/// True for any consent to start a server.
pub fn is_start_consent(allowed: &GrantKey) -> bool {
    allowed.as_str().starts_with(STARTS)
}

/// True for a consent of earlier versions, whose masked text could hide the program itself. It no
/// longer counts.
pub fn is_masked_consent(server: &str, allowed: &GrantKey) -> bool {
    let hash = allowed.as_str().strip_prefix(&consents(server));
    hash.is_some_and(|hash| hash.len() == 64 && hash.chars().all(|c| c.is_ascii_hexdigit()))
}

fn mark(digest: &[u8]) -> String {
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A grant for a tool by name alone, as a configuration gives it and earlier versions stored it.
pub fn tool_grant(server: &str, tool: &str) -> GrantKey {
    let tool = tool.replace('%', "%25").replace(FINGERPRINT_SEPARATOR, "%23");
    GrantKey::new(format!("{}{tool}", grants(server)))
}

/// A grant for a tool in its present form. With another description or name it is another tool.
pub(super) fn tool_grant_with_fingerprint(named: &GrantKey, tool_mark: &str) -> GrantKey {
    GrantKey::new(format!("{}{FINGERPRINT_SEPARATOR}{tool_mark}", named.as_str()))
}

/// The fingerprint of a tool: a 128-bit hash of everything the server sent, without icons and
/// annotations, which models do not see.
pub(super) fn tool_fingerprint(tool: &rmcp::model::Tool) -> String {
    let mut sent = json!(tool);
    if let Some(fields) = sent.as_object_mut() {
        fields.retain(|name, _| !["_meta", "icons"].contains(&name.as_str()));
    }
    // Servers list fields in a different order each time.
    sent.sort_all_objects();
    let digest = Sha256::digest(sent.to_string());
    mark(digest.get(..16).unwrap_or(&digest))
}

/// True if the grant is for the tool of this name, in any form.
pub fn covers(named: &GrantKey, allowed: &GrantKey) -> bool {
    let rest = allowed.as_str().strip_prefix(named.as_str());
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(FINGERPRINT_SEPARATOR))
}

/// True if a grant belongs to a server that is no longer configured, or no longer in this form.
/// Also true for formats of earlier versions.
pub fn is_orphaned(allowed: &GrantKey, configs: &[McpServerConfig]) -> bool {
    let is_of_servers = [STARTS, TOOLS].iter().any(|kind| allowed.as_str().starts_with(kind));
    let is_of = |config: &McpServerConfig| {
        allowed.as_str().starts_with(&grants(&config.name))
            || *allowed == consent_key(config)
            || is_masked_consent(&config.name, allowed)
    };
    is_of_servers && !configs.iter().any(is_of)
}

/// True if the key is a grant of this server, or the prefix of one.
pub fn belongs_to(server: &str, allowed: &str) -> bool {
    grant_prefixes(server).iter().any(|beginning| allowed.starts_with(beginning))
}

/// The prefixes of all grants of this server, and of no other.
pub(super) fn grant_prefixes(server: &str) -> [String; 2] {
    [consents(server), grants(server)]
}

/// Separates the name of a tool from its fingerprint.
const FINGERPRINT_SEPARATOR: char = '#';

const STARTS: &str = "start:";

/// Precedes the hash of a whole line.
const LINE_PREFIX: &str = "whole:";

const TOOLS: &str = "mcp:";

fn consents(server: &str) -> String {
    format!("{STARTS}{}/", escaped(server))
}

fn grants(server: &str) -> String {
    format!("{TOOLS}{}/", escaped(server))
}

/// A server's name with the separator escaped.
fn escaped(server: &str) -> String {
    server.replace('%', "%25").replace('/', "%2F")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mark_of_a_tool_is_of_all_that_the_server_sent() {
        let sent =
            json!({ "name": "look", "description": "d", "inputSchema": { "type": "object" } });
        let with = |at: &str, part: serde_json::Value| {
            let mut sent = sent.clone();
            *sent.pointer_mut(at).unwrap() = part;
            tool_fingerprint(&serde_json::from_value(sent).unwrap())
        };
        let plain = with("/name", json!("look"));
        assert_eq!(plain.len() * 4, 128);
        for (at, part) in [
            ("/description", json!("D")),
            // Declared in the same way.
            (
                "/inputSchema",
                json!({ "type": "object", "$schema": "http://json-schema.org/schema#" }),
            ),
            ("/inputSchema", json!({ "type": "object", "required": [] })),
            (
                "",
                json!({ "name": "look", "title": "t", "description": "d", "inputSchema": { "type": "object" } }),
            ),
            (
                "",
                json!({ "name": "look", "description": "d", "inputSchema": { "type": "object" }, "annotations": { "readOnlyHint": true } }),
            ),
        ] {
            assert_ne!(with(at, part.clone()), plain, "{part}");
        }
    }
}
