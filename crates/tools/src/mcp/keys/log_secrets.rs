//! Finds everything that looks like a key, to redact it from logs, errors and results.
//!
//! A false positive is harmless here. Not here: the text that the user approves, in which a false
//! positive could hide the program (`in_config`).

use super::in_config::replace_secrets;
use super::in_text::replace_in_text;
use super::name_rules::{is_negated, is_secret_name};
use crate::mcp::McpTransport;

/// The keys in a configuration, and all words that look like one.
pub(super) fn find_likely_secrets(transport: &McpTransport) -> Vec<String> {
    let mut secrets = Vec::new();
    let mut note = |_: &str, key: &str| {
        secrets.push(key.to_owned());
        String::new()
    };
    replace_secrets(&mut transport.clone(), &mut note);
    match transport {
        McpTransport::Stdio { command: _, args, env, cwd: _ } => {
            args.iter().chain(env.values()).for_each(|text| drop(replace_in_text(text, &mut note)));
            for (switch, word) in args.iter().zip(args.iter().skip(1)) {
                let takes =
                    switch.starts_with('-') && !switch.contains('=') && is_secret_name(switch);
                if takes && !is_negated(switch) && !word.starts_with('-') {
                    note(switch, word);
                }
            }
        }
        McpTransport::Http { url, headers: _ } => drop(replace_in_text(url, &mut note)),
    }
    secrets.retain(|key| !key.is_empty());
    secrets
}
