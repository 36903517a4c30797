//! The keys in a server's configuration: taken out of it before it is stored or shown, and filled in
//! again when the server is started.
//!
//! People paste them wherever a server takes them: in the environment, in headers, behind a switch
//! (`--api-key …`), in an address. Not here: where keys are kept (`secrets`).

use std::collections::BTreeSet;
use std::sync::Arc;

use futures::future::BoxFuture;

use super::{Fault, McpServerConfig, McpTransport};

/// Takes what looks like a key out of a configuration and leaves `${…}` in its place, so that the
/// configuration can be stored and shown. Returns what each name stands for.
pub fn take_secrets(config: &mut McpServerConfig) -> Vec<(String, String)> {
    let below = kept_below(&config.name);
    let mut names = own_keys(config);
    let mut taken = Vec::new();
    replace_keys(&mut config.transport, &mut |name, key| {
        let place = free(&format!("{below}{}", plain(name)), &mut names);
        taken.push((place.clone(), key.to_owned()));
        format!("${{{place}}}")
    });
    taken
}

/// The names of the keys that were taken out of a configuration and are its own.
pub fn own_keys(config: &McpServerConfig) -> BTreeSet<String> {
    let texts: Vec<&String> = match &config.transport {
        McpTransport::Stdio { command, args, env, cwd } => {
            std::iter::once(command).chain(args).chain(env.values()).chain(cwd).collect()
        }
        McpTransport::Http { url, headers } => {
            std::iter::once(url).chain(headers.values()).collect()
        }
    };
    let below = kept_below(&config.name);
    let named = texts.into_iter().flat_map(|text| text.split("${").skip(1)).filter_map(|inside| {
        let (inside, _) = inside.split_once('}')?;
        Some(name_in(inside).0.to_owned())
    });
    named.filter(|name| is_own(&below, name)).collect()
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

/// How a server is reached, with dots where a key is written out.
pub(super) fn masked(transport: &McpTransport) -> McpTransport {
    let mut shown = transport.clone();
    replace_keys(&mut shown, &mut |_, _| "••••".to_owned());
    shown
}

/// Gets what a key is called and the key; gives what stands there instead.
type Replace<'a> = dyn FnMut(&str, &str) -> String + 'a;

fn replace_keys(transport: &mut McpTransport, replace: &mut Replace<'_>) {
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

/// How a word of a name ends that is given to a key.
const SIGNS: [&str; 14] = [
    "key",
    "keys",
    "token",
    "secret",
    "password",
    "passwd",
    "passphrase",
    "pwd",
    "auth",
    "authorization",
    "credential",
    "credentials",
    "cookie",
    "bearer",
];

/// Words for a key that are too short to be looked for at the end of another one.
const WHOLE: [&str; 2] = ["pat", "pass"];

/// How a name ends that only tells of a key: what stands there is shown, because a person who agrees
/// to a command has to see what it does.
const TELLING: [&str; 16] = [
    "file", "path", "dir", "folder", "url", "uri", "host", "name", "id", "type", "mode", "method",
    "command", "cmd", "helper", "provider",
];

fn is_secret(name: &str) -> bool {
    let words = words(name);
    let is_sign = |word: &String| {
        WHOLE.contains(&word.as_str()) || SIGNS.iter().any(|sign| word.ends_with(sign))
    };
    let tells = words.last().is_some_and(|word| TELLING.contains(&word.as_str()));
    !tells && words.iter().any(is_sign)
}

/// `exaApiKey2`, `EXA_API_KEY` and `--exa-api-key` are all `exa api key`.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = ' ';
    for c in name.chars() {
        let begins = before.is_lowercase() && c.is_uppercase();
        if !c.is_alphabetic() || begins {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| c.is_alphabetic()) {
            word.extend(c.to_lowercase());
        }
        before = c;
    }
    words.retain(|word| !word.is_empty());
    words
}

/// How the names of a server's own keys begin, where keys are kept.
fn kept_below(server: &str) -> String {
    format!("mcp.{server}.")
}

/// The keys that were taken out of configurations ([`take_secrets`]), by their names.
#[derive(Clone)]
pub struct Values(pub Arc<Lookup>);

/// Looks up what a name stands for.
pub type Lookup = dyn Fn(String) -> BoxFuture<'static, Option<String>> + Send + Sync;

impl Values {
    /// Nothing is kept.
    pub fn none() -> Self {
        Self(Arc::new(|_| Box::pin(async { None })))
    }

    pub(super) fn of<'a>(&'a self, server: &str) -> OwnValues<'a> {
        OwnValues { kept: &*self.0, below: kept_below(server) }
    }
}

/// What `${NAME}` stands for in one server's configuration: its own keys, and the environment of the
/// program. No other key is within reach, whatever a configuration names.
pub(super) struct OwnValues<'a> {
    kept: &'a Lookup,
    below: String,
}

impl OwnValues<'_> {
    /// Fills in every `${NAME}`, `${env:NAME}` and `${NAME:-default}`.
    pub(super) async fn fill(&self, text: &str) -> Result<String, Fault> {
        let mut filled = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once("${") {
            let Some((inside, after)) = after.split_once('}') else { break };
            filled.push_str(before);
            let (name, default) = name_in(inside);
            let value = self.value(name).await.or_else(|| default.map(str::to_owned));
            let missing = || Fault::ValueMissing { name: name.to_owned() };
            filled.push_str(&value.ok_or_else(missing)?);
            rest = after;
        }
        filled.push_str(rest);
        Ok(filled)
    }

    async fn value(&self, name: &str) -> Option<String> {
        if is_own(&self.below, name) {
            (self.kept)(name.to_owned()).await
        } else {
            std::env::var(name).ok()
        }
    }
}
