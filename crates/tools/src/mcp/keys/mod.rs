//! The keys in a server's configuration: taken out of it before it is stored or shown, and filled in
//! again when the server is started.
//!
//! Not here: where keys are kept (`secrets`).

mod env_expand;
mod in_config;
mod in_text;
mod known_programs;
mod log_secrets;
mod name_rules;
mod placeholder;

use std::collections::BTreeSet;

pub(super) use env_expand::ExpandedTransport;
pub use env_expand::{SecretResolver, SecretValues};
pub use placeholder::{is_placeholder, is_same_target, keep_existing_secrets};

use super::{McpServerConfig, McpServerError, McpTransport};
use in_config::replace_secrets;

/// Takes what looks like a key out of a configuration and leaves `${…}` in its place, so that the
/// configuration can be stored and shown. Returns what each name stands for.
pub fn extract_secrets(config: &mut McpServerConfig) -> Vec<(String, String)> {
    let below = kept_below(&config.name);
    let mut names = secret_names(config);
    let mut taken = Vec::new();
    replace_secrets(&mut config.transport, &mut |name, key| {
        let place = free(&format!("{below}{}", plain(name)), &mut names);
        taken.push((place.clone(), key.to_owned()));
        format!("${{{place}}}")
    });
    taken
}

/// The names under which a configuration's own keys are kept, and the values that were given to it.
pub fn secret_names(config: &McpServerConfig) -> BTreeSet<String> {
    let below = kept_below(&config.name);
    let named = named(config).into_iter();
    let kept = named.filter(|(name, has_default)| is_own(&below, name) || !has_default);
    kept.map(|(name, _)| value_key(&config.name, &name)).collect()
}

/// The values that a configuration needs and the person can give: the names it mentions, less those that
/// the environment provides or that something else stands for.
pub fn required_values(config: &McpServerConfig) -> BTreeSet<String> {
    let below = kept_below(&config.name);
    let is_open = |name: &String, has_default: bool| {
        is_own(&below, name) || (!has_default && env_expand::ambient_value(name).is_none())
    };
    let named = named(config).into_iter();
    named.filter(|(name, has_default)| is_open(name, *has_default)).map(|(name, _)| name).collect()
}

/// The variables of Skein's own environment that a configuration is given, where they are set.
pub fn environment_variables(config: &McpServerConfig) -> Vec<String> {
    let below = kept_below(&config.name);
    let is_variable = |name: &String| !is_own(&below, name) && !name.contains(':');
    let named = named(config).into_iter().map(|(name, _)| name).filter(is_variable);
    named.collect::<BTreeSet<_>>().into_iter().collect()
}

/// Values of its own that stand where none would be taken from now: a key that an earlier version took
/// for one may be the program that is started.
pub fn unrecognized_secrets(config: &McpServerConfig) -> Vec<String> {
    let below = kept_below(&config.name);
    let named = named(config).into_iter().map(|(name, _)| name);
    let own: BTreeSet<String> = named.filter(|name| is_own(&below, name)).collect();
    let hides = |name: &String| {
        let mut transport = config.transport.clone();
        for text in texts(&mut transport) {
            *text = text.replace(&format!("${{{name}}}"), SAMPLE);
        }
        replace_secrets(&mut transport, &mut |_, key| key.replace(SAMPLE, ""));
        texts(&mut transport).iter().any(|text| text.contains(SAMPLE))
    };
    own.into_iter().filter(hides).map(|name| name.trim_start_matches(&below).to_owned()).collect()
}

/// Stands for a key to see whether it would be found.
const SAMPLE: &str = "k0skein0sample0k";

/// Where the value is kept that the person gives for a name: a key of its own has its place already.
pub fn value_key(server: &str, name: &str) -> String {
    let below = kept_below(server);
    match is_own(&below, name) {
        true => name.to_owned(),
        false => format!("{below}given-{}", plain(name)),
    }
}

/// Every name in a configuration, and whether something stands for it where it has no value.
fn named(config: &McpServerConfig) -> Vec<(String, bool)> {
    let mut transport = config.transport.clone();
    let texts = texts(&mut transport);
    let inside = texts.iter().flat_map(|text| text.split("${").skip(1));
    let named = inside.filter_map(|inside| {
        let (name, default) = name_in(inside.split_once('}')?.0);
        Some((name.to_owned(), default.is_some()))
    });
    named.collect()
}

/// What stands between `${` and `}`: whose value is meant, and what stands for it where it has none.
fn name_in(inside: &str) -> (&str, Option<&str>) {
    let (name, default) = match inside.split_once(":-") {
        Some((name, default)) => (name, Some(default)),
        None => (inside, None),
    };
    (name.strip_prefix("env:").unwrap_or(name), default)
}

/// Below `mcp.a.` are the keys of `a`, and not those of a server `a.b`.
fn is_own(below: &str, name: &str) -> bool {
    name.strip_prefix(below).is_some_and(|own| !own.contains('.'))
}

/// A name that nothing else of this server is kept under.
fn free(name: &str, names: &mut BTreeSet<String>) -> String {
    let numbered = (2..).map(|number| format!("{name}-{number}"));
    let mut candidates = std::iter::once(name.to_owned()).chain(numbered);
    candidates.find(|name| names.insert(name.clone())).unwrap_or_default()
}

/// What `${…}` may hold, and without a dot ([`is_own`]).
fn plain(name: &str) -> String {
    let allowed = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    name.trim_start_matches('-').chars().map(|c| if allowed(c) { c } else { '_' }).collect()
}

/// What is shown in the place of a key.
const DOTS: &str = "••••";

/// How a server is reached, with dots where a key is written out.
pub(super) fn mask_transport(transport: &McpTransport) -> McpTransport {
    let mut shown = transport.clone();
    replace_secrets(&mut shown, &mut |_, _| DOTS.to_owned());
    shown
}

/// Every text that may name values.
fn texts(transport: &mut McpTransport) -> Vec<&mut String> {
    match transport {
        McpTransport::Stdio { command, args, env, cwd } => {
            std::iter::once(command).chain(args).chain(env.values_mut()).chain(cwd).collect()
        }
        McpTransport::Http { url, headers } => {
            std::iter::once(url).chain(headers.values_mut()).collect()
        }
    }
}

/// How the names of a server's own keys begin, where keys are kept.
fn kept_below(server: &str) -> String {
    format!("mcp.{server}.")
}
