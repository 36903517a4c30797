//! What a user agrees to before a server is started, and the names under which a yes is kept.
//!
//! A yes names the server and its tool as they are, never the name under which the tool is declared, and
//! what that tool was: its server can change it at any time.
//! Not here: keeping it (`store`), asking for it (`turn`, the settings).
//!
//! The consent is a hash of the line without dots. A host stands there as it is called, in whatever variable
//! or argument it is. Only what a configuration allows it allows by name.

use serde_json::json;
use sha2::{Digest, Sha256};
use skein_domain::ids::GrantKey;

use super::keys::mask_transport;
use super::{McpServerConfig, McpTransport};

/// Everything a server would run, or the address it would be sought at, with everything it would be
/// given, as the user is shown it and agrees to it, and with the tools that would then run without
/// a question. In it are dots for a key that is written out behind its name, and nothing else is left out.
pub fn command_line(config: &McpServerConfig) -> String {
    let mut transport = config.transport.clone();
    if let McpTransport::Http { url, .. } = &mut transport {
        *url = called(url);
    }
    let mut shown = mask_transport(&transport);
    if let McpTransport::Stdio { args, env, .. } = &mut shown {
        args.iter_mut().chain(env.values_mut()).for_each(|word| *word = with_called_hosts(word));
    }
    line(&shown, &config.always_allow)
}

/// A word in which every host of an address stands as it is called.
fn with_called_hosts(word: &str) -> String {
    let mut pieces = word.split("://");
    let mut written = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let end = piece.find(['/', '\\', '?', '#']).unwrap_or(piece.len());
        let (authority, tail) = piece.split_at(end);
        let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
        let (name, port) = host.split_at(host.find(':').unwrap_or(host.len()));
        let spelled = match reqwest::Url::parse(&format!("https://{name}")) {
            Ok(url) if !name.is_ascii() => url.host_str().unwrap_or(name).to_owned(),
            Ok(_) | Err(_) => name.to_owned(),
        };
        let user = authority.strip_suffix(host).unwrap_or_default();
        written.push_str(&format!("://{user}{spelled}{port}{tail}"));
    }
    written
}

/// An address as it is called: a host in letters that only look like others is seen to be another one.
fn called(url: &str) -> String {
    let (known, filled_in) = url.split_at(url.find("${").unwrap_or(url.len()));
    match reqwest::Url::parse(known) {
        Ok(called) if filled_in.is_empty() || called.path() != "/" => {
            format!("{called}{filled_in}")
        }
        Ok(_) | Err(_) => with_called_hosts(url),
    }
}

fn line(transport: &McpTransport, always_allow: &[String]) -> String {
    let line = match transport {
        McpTransport::Stdio { command, args, env, cwd } => {
            let folder = cwd.iter().map(|cwd| format!("cd {} &&", quoted(cwd)));
            let env = env.iter().map(|(name, value)| format!("{name}={}", quoted(value)));
            let words =
                std::iter::once(program(command)).chain(args.iter().map(|word| quoted(word)));
            folder.chain(env).chain(words).collect::<Vec<_>>().join(" ")
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

/// What is started can be taken neither for a variable before it nor for an address.
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

/// The yes to starting a server as it is configured: to all of its line, also what is dots there. The
/// line is in it as a mark only: what it holds is nobody's business where a yes is kept.
pub fn consent_key(config: &McpServerConfig) -> GrantKey {
    let kind = match config.transport {
        McpTransport::Stdio { .. } => "program",
        McpTransport::Http { .. } => "address",
    };
    let whole = format!("{kind} {}", line(&config.transport, &config.always_allow));
    GrantKey::new(format!("{}{WHOLE}{}", consents(&config.name), mark(&Sha256::digest(whole))))
}

/// Whether this is a consent to start a server, whichever it is and whatever it runs.
pub fn is_start_consent(allowed: &GrantKey) -> bool {
    allowed.as_str().starts_with(STARTS)
}

/// Whether this is a yes to a server that an earlier version kept: to a line in which dots may have stood
/// for the program itself. It starts nothing any more.
pub fn is_masked_consent(server: &str, allowed: &GrantKey) -> bool {
    let hash = allowed.as_str().strip_prefix(&consents(server));
    hash.is_some_and(|hash| hash.len() == 64 && hash.chars().all(|c| c.is_ascii_hexdigit()))
}

fn mark(digest: &[u8]) -> String {
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The yes to a tool of a server by its name alone, as a configuration gives it and earlier versions kept it.
pub fn tool_grant(server: &str, tool: &str) -> GrantKey {
    let tool = tool.replace('%', "%25").replace(MARK, "%23");
    GrantKey::new(format!("{}{tool}", grants(server)))
}

/// The yes to a tool as it is: described otherwise, or called otherwise, it is another one.
pub(super) fn tool_grant_with_fingerprint(named: &GrantKey, tool_mark: &str) -> GrantKey {
    GrantKey::new(format!("{}{MARK}{tool_mark}", named.as_str()))
}

/// What tells a tool from every other that its server could make for this purpose: 128 bits of all that
/// the server sent of it. Of its own icons and notes to programs a model sees nothing.
pub(super) fn tool_fingerprint(tool: &rmcp::model::Tool) -> String {
    let mut sent = json!(tool);
    if let Some(fields) = sent.as_object_mut() {
        fields.retain(|name, _| !["_meta", "icons"].contains(&name.as_str()));
    }
    // Servers list the same in another order each time.
    sent.sort_all_objects();
    let digest = Sha256::digest(sent.to_string());
    mark(digest.get(..16).unwrap_or(&digest))
}

/// Whether this was a yes to the tool of this name, whatever it was then.
pub fn covers(named: &GrantKey, allowed: &GrantKey) -> bool {
    let rest = allowed.as_str().strip_prefix(named.as_str());
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(MARK))
}

/// Whether something was allowed of a server, and no configured one is that server any more. So is
/// what an earlier version kept in other words.
pub fn is_orphaned(allowed: &GrantKey, configs: &[McpServerConfig]) -> bool {
    let is_of_servers = [STARTS, TOOLS].iter().any(|kind| allowed.as_str().starts_with(kind));
    let is_of = |config: &McpServerConfig| {
        allowed.as_str().starts_with(&grants(&config.name))
            || *allowed == consent_key(config)
            || is_masked_consent(&config.name, allowed)
    };
    is_of_servers && !configs.iter().any(is_of)
}

/// Whether this was allowed of a server, or is the beginning of what was.
pub fn belongs_to(server: &str, allowed: &str) -> bool {
    grant_prefixes(server).iter().any(|beginning| allowed.starts_with(beginning))
}

/// How everything begins that was allowed of a server, and of no other one.
pub(super) fn grant_prefixes(server: &str) -> [String; 2] {
    [consents(server), grants(server)]
}

/// What stands behind the name of a tool, before the mark of what it is.
const MARK: char = '#';

const STARTS: &str = "start:";

/// Stands before the mark of a whole line.
const WHOLE: &str = "whole:";

const TOOLS: &str = "mcp:";

fn consents(server: &str) -> String {
    format!("{STARTS}{}/", escaped(server))
}

fn grants(server: &str) -> String {
    format!("{TOOLS}{}/", escaped(server))
}

/// A server's name without the stroke that ends it.
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
            // Declared alike.
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
