//! Placeholders in published configurations, in place of the reader's own key.

use std::collections::BTreeMap;

use super::mask::{MASK, mask_transport};
use super::name_rules::is_secret_name;
use super::value_names::kept_below;
use crate::mcp::{McpServerConfig, McpTransport};

/// Prefixes of placeholders, in lower case.
const PLACEHOLDER_PREFIXES: [&str; 8] =
    ["your-", "your_", "your ", "my-api-", "my_api_", "replace", "insert-", "insert_"];

/// True if a value is a placeholder: `<token>`, `YOUR_API_KEY`, `Bearer xxx`, `${input:token}`.
pub fn is_placeholder(value: &str) -> bool {
    let value = value.trim().to_ascii_lowercase();
    let word = value.rsplit_once(' ').map_or(value.as_str(), |(_, last)| last);
    let within = |open: char, close: char| value.contains(open) && value.ends_with(close);
    let is_filler = |c: char| matches!(c, 'x' | '*' | '.' | '-' | '_' | '…');
    let is_filled = word.len() >= 3 && word.trim_start_matches("sk-").chars().all(is_filler);
    let is_prefixed =
        |text: &str| PLACEHOLDER_PREFIXES.iter().any(|begins| text.starts_with(begins));
    within('<', '>')
        || word.starts_with("${input:")
        || is_filled
        || is_prefixed(word)
        || is_prefixed(&value)
}

/// True if a configuration reaches the same target as an earlier one of its name, so that its keys
/// may be reused: the same address including the path, as a host may serve many people; or the same
/// program in the same folder with the same arguments, apart from keys and versions, and with no
/// other variable. Every argument counts, because any may decide what runs: `docker run` and `cmd
/// /c` can start anything. So may a variable, which can also redirect a key: `NODE_OPTIONS`,
/// `API_BASE_URL`.
pub fn is_same_target(config: &McpServerConfig, before: &McpServerConfig) -> bool {
    let place = |url: &str| {
        let url = reqwest::Url::parse(url).ok()?;
        Some((url.origin(), url.path().trim_end_matches('/').to_owned()))
    };
    let own = own_placeholder_prefix(&before.name);
    let plain = |args: &[String]| -> Vec<String> {
        args.iter().map(|word| without_version(&without_own(word, &own)).to_owned()).collect()
    };
    match (mask_transport(&config.transport), mask_transport(&before.transport)) {
        (
            McpTransport::Stdio { command, args, cwd, env },
            McpTransport::Stdio { command: old, args: old_args, cwd: old_cwd, env: old_env },
        ) => {
            let is_known = |(name, value): (&String, &String)| {
                let is_key = value.is_empty() || value == MASK || is_placeholder(value);
                let before = old_env.get(name);
                before.is_some_and(|before| before == value || is_key)
                    || is_key && is_secret_name(name)
            };
            command == old
                && cwd == old_cwd
                && plain(&args) == plain(&old_args)
                && env.iter().all(is_known)
        }
        (McpTransport::Http { url, .. }, McpTransport::Http { url: old, .. }) => {
            url == old || place(&url).is_some_and(|it| Some(it) == place(&old))
        }
        (McpTransport::Stdio { .. }, McpTransport::Http { .. })
        | (McpTransport::Http { .. }, McpTransport::Stdio { .. }) => false,
    }
}

/// The beginning of `${…}` for a key of this server.
fn own_placeholder_prefix(server: &str) -> String {
    format!("${{{}", kept_below(server))
}

/// A word with the server's own keys masked.
fn without_own(word: &str, own: &str) -> String {
    let mut pieces = word.split(own);
    let mut plain = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        plain.push_str(MASK);
        plain.push_str(piece.split_once('}').map_or(piece, |(_, rest)| rest));
    }
    plain
}

/// `package` of `package@1.2`, `package@latest` and `package==1.2`. Strict, because a host may
/// follow an `@` as well.
fn without_version(word: &str) -> &str {
    let is_number = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_digit());
    let is_version = |end: &str| {
        let parts = end.trim_start_matches(['^', '~', 'v']).split('.');
        end == "latest" || (parts.clone().count() <= 3 && parts.into_iter().all(is_number))
    };
    let split = word.rsplit_once("==").or_else(|| word.rsplit_once('@'));
    split.filter(|(name, end)| !name.is_empty() && is_version(end)).map_or(word, |(name, _)| name)
}

/// Keeps the keys of an earlier configuration where the new one has placeholders for them, as
/// published ones do.
pub fn keep_existing_secrets(config: &mut McpServerConfig, before: &McpServerConfig) {
    let own = own_placeholder_prefix(&before.name);
    let copy_secrets = |new: &mut BTreeMap<String, String>, old: &BTreeMap<String, String>| {
        for (name, value) in new.iter_mut().filter(|(_, new)| new.is_empty() || is_placeholder(new))
        {
            if let Some(kept) = old.get(name).filter(|kept| kept.contains(&own)) {
                value.clone_from(kept);
            }
        }
    };
    match (&mut config.transport, &before.transport) {
        (McpTransport::Stdio { env: new, .. }, McpTransport::Stdio { env: old, .. })
        | (McpTransport::Http { headers: new, .. }, McpTransport::Http { headers: old, .. }) => {
            copy_secrets(new, old);
        }
        (McpTransport::Stdio { .. }, McpTransport::Http { .. })
        | (McpTransport::Http { .. }, McpTransport::Stdio { .. }) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_everybody_replaces_is_told_from_a_key() {
        for open in [
            "<YOUR_TOKEN>",
            "<your token here>",
            "Bearer <token>",
            "YOUR_API_KEY",
            "your-api-key-here",
            "Bearer YOUR_GITHUB_PAT",
            "xxx",
            "sk-xxxxxxxx",
            "Bearer ****",
            "ghp_<token>",
            "${input:github_mcp_pat}",
            "Bearer ${input:github_mcp_pat}",
            "replace-with-your-key",
        ] {
            assert!(is_placeholder(open), "{open}");
        }
        for key in
            ["", "t0ken", "sk-0123456789abcdef", "Bearer abcdef", "${TOKEN}", "x", "a<b", "youth"]
        {
            assert!(!is_placeholder(key), "{key}");
        }
    }
}
