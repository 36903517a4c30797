//! The keys in a server's configuration: taken out of it before it is stored or shown, and filled in
//! again when the server is started.
//!
//! Not here: where keys are kept (`secrets`).

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
use value_names::{free, is_own, kept_below, named, plain, texts};

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

/// The values that a configuration needs and the user can give: the names it mentions, less those that
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
