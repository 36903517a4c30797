//! Names of values in a configuration, and of the server's own keys in the secret store.

use std::collections::BTreeSet;

use crate::mcp::{McpServerConfig, McpTransport};

/// The secret's name for a value that the user gives. A key of the server already has one.
pub fn value_key(server: &str, name: &str) -> String {
    let below = kept_below(server);
    match is_own(&below, name) {
        true => name.to_owned(),
        false => format!("{below}given-{}", plain(name)),
    }
}

/// Every name in a configuration; true if it has a default.
pub(super) fn named(config: &McpServerConfig) -> Vec<(String, bool)> {
    let mut transport = config.transport.clone();
    let texts = texts(&mut transport);
    let inside = texts.iter().flat_map(|text| text.split("${").skip(1));
    let named = inside.filter_map(|inside| {
        let (name, default) = name_in(inside.split_once('}')?.0);
        Some((name.to_owned(), default.is_some()))
    });
    named.collect()
}

/// The name and the default between `${` and `}`.
pub(super) fn name_in(inside: &str) -> (&str, Option<&str>) {
    let (name, default) = match inside.split_once(":-") {
        Some((name, default)) => (name, Some(default)),
        None => (inside, None),
    };
    (name.strip_prefix("env:").unwrap_or(name), default)
}

/// True if a name is directly below a prefix: the keys of `a` are below `mcp.a.`, and those of a
/// server `a.b` are not.
pub(super) fn is_own(below: &str, name: &str) -> bool {
    name.strip_prefix(below).is_some_and(|own| !own.contains('.'))
}

/// A name that no other value of this server has.
pub(super) fn unused_name(name: &str, names: &mut BTreeSet<String>) -> String {
    let numbered = (2..).map(|number| format!("{name}-{number}"));
    let mut candidates = std::iter::once(name.to_owned()).chain(numbered);
    candidates.find(|name| names.insert(name.clone())).unwrap_or_default()
}

/// A name reduced to the characters allowed in `${…}`, without dots ([`is_own`]).
pub(super) fn plain(name: &str) -> String {
    let allowed = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    name.trim_start_matches('-').chars().map(|c| if allowed(c) { c } else { '_' }).collect()
}

/// Every text that may contain placeholders.
pub(super) fn texts(transport: &mut McpTransport) -> Vec<&mut String> {
    match transport {
        McpTransport::Stdio { command, args, env, cwd } => {
            std::iter::once(command).chain(args).chain(env.values_mut()).chain(cwd).collect()
        }
        McpTransport::Http { url, headers } => {
            std::iter::once(url).chain(headers.values_mut()).collect()
        }
    }
}

/// The prefix of a server's own keys in the secret store.
pub(super) fn kept_below(server: &str) -> String {
    format!("mcp.{server}.")
}
