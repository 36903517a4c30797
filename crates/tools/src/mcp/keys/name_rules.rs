//! Names of keys, and words that are keys by their form.

/// Endings of a word that names a key.
const KEY_ENDINGS: [&str; 14] = [
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

/// Words for a key that are too short to be endings.
const KEY_WORDS: [&str; 2] = ["pat", "pass"];

/// Endings of a name that describes a key but does not contain it. Such values stay visible,
/// because the user must see the program and the host.
const DESCRIPTION_ENDINGS: [&str; 44] = [
    "file",
    "path",
    "dir",
    "folder",
    "url",
    "uri",
    "host",
    "name",
    "id",
    "type",
    "mode",
    "method",
    "command",
    "cmd",
    "helper",
    "provider",
    "program",
    "process",
    "exec",
    "executable",
    "binary",
    "bin",
    "script",
    "plugin",
    "module",
    "library",
    "package",
    "image",
    "hook",
    "handler",
    "agent",
    "server",
    "endpoint",
    "domain",
    "address",
    "origin",
    "issuer",
    "proxy",
    "port",
    "socket",
    "sock",
    "through",
    "config",
    "options",
];

/// The last two words of a name for a program that asks for a password: Git's `core.askPass`.
const PASSWORD_PROMPT: [&str; 2] = ["ask", "pass"];

/// The beginning of variables with names of Git settings: `GIT_CONFIG_KEY_0=core.sshCommand`.
const GIT_SETTING: [&str; 3] = ["git", "config", "key"];

pub(super) fn is_secret_name(name: &str) -> bool {
    let words = name_words(name);
    if words == GIT_SETTING || words.ends_with(&PASSWORD_PROMPT.map(str::to_owned)) {
        return false;
    }
    let is_sign = |word: &String| {
        KEY_WORDS.contains(&word.as_str()) || KEY_ENDINGS.iter().any(|sign| word.ends_with(sign))
    };
    let is_description =
        words.last().is_some_and(|word| DESCRIPTION_ENDINGS.contains(&word.as_str()));
    !is_description && words.iter().any(is_sign)
}

/// True if a name negates itself: `--no-token`. No key follows it.
pub(super) fn is_negated(name: &str) -> bool {
    name_words(name)
        .first()
        .is_some_and(|word| ["no", "without", "disable", "skip"].contains(&word.as_str()))
}

/// The words of a name: `exaApiKey2`, `EXA_API_KEY` and `--exa-api-key` are all `exa api key`.
pub(super) fn name_words(name: &str) -> Vec<String> {
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

/// True if a text has the characters of a name.
pub(super) fn is_name(text: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    !text.is_empty() && text.chars().all(is_plain)
}

/// Prefixes of known key formats.
const KEY_PREFIXES: [&str; 20] = [
    "sk-",
    "ghp_",
    "gho_",
    "ghs_",
    "github_pat_",
    "glpat-",
    "xoxb-",
    "xoxp-",
    "xapp-",
    "ntn_",
    "AKIA",
    "AIza",
    "hf_",
    "npm_",
    "gsk_",
    "xai-",
    "pplx-",
    "tvly-",
    "fc-",
    "lin_api_",
];

/// The minimum length of a random-looking word.
const MIN_RANDOM: usize = 16;

/// True if a word is a key by its form: a known prefix, or a signed token of three parts.
pub(super) fn is_bare_secret(word: &str) -> bool {
    let has = |part: &str, kind: fn(&char) -> bool| part.chars().any(|c| kind(&c));
    let is_random = |part: &str| {
        part.len() >= MIN_RANDOM
            && has(part, char::is_ascii_digit)
            && has(part, char::is_ascii_alphabetic)
    };
    let owns = |own: &str| own.split(['-', '_', '.']).any(is_random);
    let is_token = word.starts_with("eyJ")
        && word.split('.').count() == 3
        && word.split('.').all(|part| part.len() >= MIN_RANDOM);
    is_token || KEY_PREFIXES.iter().any(|begins| word.strip_prefix(begins).is_some_and(owns))
}
