//! Where people paste keys: in the environment, in headers, behind a switch (`--api-key …`), in an
//! address.
//!
//! Not here: what a name has to be called to be a key's (`names`).

use super::McpTransport;
use super::names::is_secret;

/// Gets what a key is called and the key; gives what stands there instead.
pub(super) type Replace<'a> = dyn FnMut(&str, &str) -> String + 'a;

pub(super) fn replace_keys(transport: &mut McpTransport, replace: &mut Replace<'_>) {
    match transport {
        McpTransport::Stdio { command: _, args, env, cwd: _ } => {
            in_arguments(args, replace);
            env.iter_mut().for_each(|(name, value)| *value = in_value(name, value, replace));
        }
        McpTransport::Http { url, headers } => {
            *url = in_text(url, replace);
            headers.iter_mut().for_each(|(name, value)| *value = in_value(name, value, replace));
        }
    }
}

fn in_arguments(args: &mut [String], replace: &mut Replace<'_>) {
    let mut switch: Option<String> = None;
    for argument in args {
        let named = switch.take().filter(|_| !argument.starts_with('-'));
        if argument.starts_with('-') && !argument.contains('=') {
            switch = Some(argument.clone());
        }
        *argument = match named.filter(|name| is_secret(name)) {
            Some(name) => in_word(&name, argument, replace),
            None => in_argument(argument, replace),
        };
    }
}

/// `--api-key=…`, `API_KEY=…`, `Authorization: …`, or any other text.
fn in_argument(argument: &str, replace: &mut Replace<'_>) -> String {
    let separator = argument.find(['=', ':']).map(|at| argument.split_at(at));
    let Some((name, rest)) = separator.filter(|(name, _)| is_name(name) && is_secret(name)) else {
        return in_text(argument, replace);
    };
    let value = rest.trim_start_matches(|c: char| matches!(c, '=' | ':') || c.is_whitespace());
    let between = rest.strip_suffix(value).unwrap_or_default();
    format!("{name}{between}{}", in_word(name, value, replace))
}

fn is_name(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'))
}

/// The value of a header or of a variable: under the name of a key, all of it is one.
fn in_value(name: &str, value: &str, replace: &mut Replace<'_>) -> String {
    if !is_secret(name) {
        return in_text(value, replace);
    }
    if value.is_empty() || refers(value) { value.to_owned() } else { replace(name, value) }
}

/// A value within a command: one word of it, so that nothing which is run hides behind such a name.
fn in_word(name: &str, value: &str, replace: &mut Replace<'_>) -> String {
    if is_secret(name) && is_word(value) { replace(name, value) } else { in_text(value, replace) }
}

/// Whether no shell would read anything but one word in it, and it stands for nothing else.
fn is_word(value: &str) -> bool {
    let ends = |c: char| c.is_whitespace() || c.is_control() || "\"'`;|<>&".contains(c);
    !value.is_empty() && !value.contains(ends) && !value.contains("$(") && !refers(value)
}

/// Bytes up to which what follows `Bearer` is a word of a sentence.
const WORD: usize = 8;

/// Any text: what follows `Bearer`, and the keys in an address.
fn in_text(text: &str, replace: &mut Replace<'_>) -> String {
    let mut scheme: Option<&str> = None;
    let mut written = String::new();
    for piece in text.split_inclusive(char::is_whitespace) {
        let word = piece.trim_end();
        let space = piece.strip_prefix(word).unwrap_or_default();
        match scheme.take() {
            Some(scheme) if word.len() > WORD && is_word(word) => {
                written.push_str(&replace(scheme, word));
            }
            Some(_) | None => written.push_str(&in_address(word, replace)),
        }
        written.push_str(space);
        scheme = ["Bearer", "Basic"].into_iter().find(|scheme| {
            let end = word.rsplit([':', '=', '"', '\'']).next().unwrap_or(word);
            end.eq_ignore_ascii_case(scheme)
        });
    }
    written
}

/// `scheme://user:key@host/path?name=key#…`, or a word that is no address.
fn in_address(word: &str, replace: &mut Replace<'_>) -> String {
    let Some((scheme, rest)) = word.split_once("://") else { return word.to_owned() };
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (authority, tail) = rest.split_at(end);
    let signed_in = authority.rsplit_once('@').and_then(|(user, host)| {
        let (user, key) = user.split_once(':')?;
        Some((user, key, host))
    });
    let authority = match signed_in {
        Some((user, key, host)) if is_word(key) => {
            format!("{user}:{}@{host}", replace("password", key))
        }
        Some(_) | None => authority.to_owned(),
    };
    let Some((path, query)) = tail.split_once('?') else {
        return format!("{scheme}://{authority}{tail}");
    };
    let (query, fragment) = query.split_at(query.find('#').unwrap_or(query.len()));
    let pairs = query.split('&').map(|pair| match pair.split_once('=') {
        Some((name, value)) if is_secret(name) => {
            format!("{name}={}", in_word(name, value, replace))
        }
        Some(_) | None => pair.to_owned(),
    });
    let query = pairs.collect::<Vec<_>>().join("&");
    format!("{scheme}://{authority}{path}?{query}{fragment}")
}

fn refers(value: &str) -> bool {
    value.contains("${")
}
