//! What a person agrees to before a server is started, and the names under which a yes is kept.
//!
//! A yes names the server and its tool as they are, never the name under which the tool is declared, and
//! what that tool was: its server can change it at any time.
//! Not here: keeping it (`store`), asking for it (`turn`, the settings).

use serde_json::json;
use sha2::{Digest, Sha256};

use super::keys::masked;
use super::tool::described;
use super::{McpServerConfig, McpTransport};

/// Everything a server would run, or the address it would be sought at, with everything it would be
/// given, as the person is shown it and agrees to it, and with the tools that would then run without
/// a question. What looks like a key and is written out is not in it; a change of anything else is.
pub fn command_line(config: &McpServerConfig) -> String {
    let line = match masked(&config.transport) {
        McpTransport::Stdio { command, args, env, cwd } => {
            let folder = cwd.iter().map(|cwd| format!("cd {} &&", quoted(cwd)));
            let env = env.iter().map(|(name, value)| format!("{name}={}", quoted(value)));
            let words = std::iter::once(&command).chain(&args).map(|word| quoted(word));
            folder.chain(env).chain(words).collect::<Vec<_>>().join(" ")
        }
        McpTransport::Http { url, headers } => {
            let headers = headers.iter().map(|(name, value)| format!("{name}: {}", quoted(value)));
            std::iter::once(url).chain(headers).collect::<Vec<_>>().join(" ")
        }
    };
    match config.always_allow.as_slice() {
        [] => line,
        tools => format!("{line} [alwaysAllow: {}]", tools.join(", ")),
    }
}

fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./:@=+,%${}~\\•".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

/// The yes to starting a server with this command. The command is in it as a mark only: what it holds
/// is nobody's business where a yes is kept.
pub fn consent(server: &str, command: &str) -> String {
    let digest = Sha256::digest(command);
    let mark: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{}{mark}", consents(server))
}

/// The yes to a tool of a server by its name alone, as a configuration gives it and earlier versions kept it.
pub fn grant(server: &str, tool: &str) -> String {
    format!("{}{}", grants(server), tool.replace('%', "%25").replace(MARK, "%23"))
}

/// The yes to a tool as it is: described otherwise, or called otherwise, it is another one.
pub(super) fn grant_as_it_is(named: &str, tool: &rmcp::model::Tool) -> String {
    let mut said = json!([described(tool), *tool.input_schema]);
    // Servers list the same in another order each time.
    said.sort_all_objects();
    let digest = Sha256::digest(said.to_string());
    let mark: String = digest.iter().take(4).map(|byte| format!("{byte:02x}")).collect();
    format!("{named}{MARK}{mark}")
}

/// Whether this was a yes to the tool of this name, whatever it was then.
pub fn is_to(named: &str, allowed: &str) -> bool {
    let rest = allowed.strip_prefix(named);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(MARK))
}

/// Whether something was allowed of a server, and no configured one is that server any more. So is
/// what an earlier version kept in other words.
pub fn is_left_over(allowed: &str, configs: &[McpServerConfig]) -> bool {
    let is_of_servers = [STARTS, TOOLS].iter().any(|kind| allowed.starts_with(kind));
    let is_of = |config: &McpServerConfig| {
        allowed.starts_with(&grants(&config.name))
            || allowed == consent(&config.name, &command_line(config))
    };
    is_of_servers && !configs.iter().any(is_of)
}

/// Whether this was allowed of a server, or is the beginning of what was.
pub fn is_of(server: &str, allowed: &str) -> bool {
    everything(server).iter().any(|beginning| allowed.starts_with(beginning))
}

/// How everything begins that was allowed of a server, and of no other one.
pub(super) fn everything(server: &str) -> [String; 2] {
    [consents(server), grants(server)]
}

/// What stands behind the name of a tool, before the mark of what it is.
const MARK: char = '#';

const STARTS: &str = "start:";

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
