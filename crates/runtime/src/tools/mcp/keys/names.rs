//! What a name has to be called to be a key's.

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

pub(super) fn is_secret(name: &str) -> bool {
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
