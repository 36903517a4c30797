//! What a name has to be called to be a key's, and what a key looks like that needs none.

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

/// How a name ends that only tells of a key: what stands there is shown, because a user who agrees
/// to a command has to see what it runs and whom it reaches.
const TELLING: [&str; 44] = [
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

/// The last two words of what asks for a password: a program, as Git's `core.askPass`.
const ASKING: [&str; 2] = ["ask", "pass"];

/// How Git calls the names of settings that it is given: `GIT_CONFIG_KEY_0=core.sshCommand`.
const GIT_SETTING: [&str; 3] = ["git", "config", "key"];

pub(super) fn is_secret_name(name: &str) -> bool {
    let words = name_words(name);
    if words == GIT_SETTING || words.ends_with(&ASKING.map(str::to_owned)) {
        return false;
    }
    let is_sign = |word: &String| {
        WHOLE.contains(&word.as_str()) || SIGNS.iter().any(|sign| word.ends_with(sign))
    };
    let tells = words.last().is_some_and(|word| TELLING.contains(&word.as_str()));
    !tells && words.iter().any(is_sign)
}

/// Whether a name says that there is none: `--no-token`. What follows it is no key.
pub(super) fn is_negated(name: &str) -> bool {
    name_words(name)
        .first()
        .is_some_and(|word| ["no", "without", "disable", "skip"].contains(&word.as_str()))
}

/// `exaApiKey2`, `EXA_API_KEY` and `--exa-api-key` are all `exa api key`.
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

/// What a name consists of.
pub(super) fn is_name(text: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    !text.is_empty() && text.chars().all(is_plain)
}

/// How keys begin that can be nothing else.
const BEGINNINGS: [&str; 20] = [
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

/// Letters and digits without a break that nobody would call anything.
const RANDOM: usize = 16;

/// Whether a word is a key by its form alone: by how it begins, or as a signed token of three parts.
pub(super) fn is_bare_secret(word: &str) -> bool {
    let has = |part: &str, kind: fn(&char) -> bool| part.chars().any(|c| kind(&c));
    let is_random = |part: &str| {
        part.len() >= RANDOM
            && has(part, char::is_ascii_digit)
            && has(part, char::is_ascii_alphabetic)
    };
    let owns = |own: &str| own.split(['-', '_', '.']).any(is_random);
    let is_token = word.starts_with("eyJ")
        && word.split('.').count() == 3
        && word.split('.').all(|part| part.len() >= RANDOM);
    is_token || BEGINNINGS.iter().any(|begins| word.strip_prefix(begins).is_some_and(owns))
}
