//! The keys in a server's configuration: extracted before it is stored or shown, and expanded when
//! the server is started.
//!
//! Not here: the storage of keys (`secrets`).

mod env_expand;
mod in_config;
mod in_text;
mod known_programs;
mod log_secrets;
mod mask;
mod name_rules;
mod placeholder;
mod value_names;

use std::collections::BTreeSet;

pub(super) use env_expand::ExpandedTransport;
pub use env_expand::{SecretResolver, SecretValues};
pub(super) use mask::mask_transport;
pub use placeholder::{is_placeholder, is_same_target, keep_existing_secrets};

pub use value_names::value_key;

use super::McpServerConfig;
use in_config::replace_secrets;
use value_names::{is_own, kept_below, named, plain, texts, unused_name};

/// Extracts the keys of a configuration and leaves `${…}` in their place, so that it can be stored
/// and shown. Returns name and value of each key.
pub fn extract_secrets(config: &mut McpServerConfig) -> Vec<(String, String)> {
    let below = kept_below(&config.name);
    let mut names = secret_names(config);
    let mut extracted = Vec::new();
    replace_secrets(&mut config.transport, &mut |name, key| {
        let place = unused_name(&format!("{below}{}", plain(name)), &mut names);
        extracted.push((place.clone(), key.to_owned()));
        format!("${{{place}}}")
    });
    extracted
}

/// The names of a configuration's own keys and of the values that the user gave.
pub fn secret_names(config: &McpServerConfig) -> BTreeSet<String> {
    let below = kept_below(&config.name);
    let named = named(config).into_iter();
    let kept = named.filter(|(name, has_default)| is_own(&below, name) || !has_default);
    kept.map(|(name, _)| value_key(&config.name, &name)).collect()
}

/// The values that the user can give: the names in a configuration that have neither a default nor
/// a value in the environment.
pub fn required_values(config: &McpServerConfig) -> BTreeSet<String> {
    let below = kept_below(&config.name);
    let is_open = |name: &String, has_default: bool| {
        is_own(&below, name) || (!has_default && env_expand::ambient_value(name).is_none())
    };
    let named = named(config).into_iter();
    named.filter(|(name, has_default)| is_open(name, *has_default)).map(|(name, _)| name).collect()
}

/// The set variables of Skein's own environment that a configuration passes on.
pub fn environment_variables(config: &McpServerConfig) -> Vec<String> {
    let below = kept_below(&config.name);
    let is_variable = |name: &String| !is_own(&below, name) && !name.contains(':');
    let named = named(config).into_iter().map(|(name, _)| name).filter(is_variable);
    named.collect::<BTreeSet<_>>().into_iter().collect()
}

/// Keys that earlier versions extracted and this one would not: such a value may be the program
/// that is started.
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

/// A key-like value for testing the rules.
const SAMPLE: &str = "k0skein0sample0k";
