//! A key on its way to a request, and the redactor that keeps it out of every error.

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE, URL_SAFE_NO_PAD};

/// An API key. It is never printed: its `Debug` is silent and it has no `Display`.
#[derive(Clone, PartialEq, Eq)]
pub struct Key(String);

impl Key {
    /// Takes a key as typed or pasted; the space around it is not part of it.
    pub fn new(key: &str) -> Self {
        Self(key.trim().to_owned())
    }

    /// The key itself, for the one header it belongs in.
    pub(super) fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Key(…)")
    }
}

/// What stands where a secret was.
const GONE: &str = "•••";
/// A secret shorter than this, in bytes, may be a word: it is one only where it stands alone.
const WORDLIKE: usize = 8;
/// A piece of a secret this long, in bytes, is as good as the secret.
const TELLING: usize = 10;

/// Removes secrets from words that came from outside.
#[derive(Clone, Default)]
pub(super) struct Redactor {
    forms: Vec<String>,
}

impl Redactor {
    /// Knows every form the secrets may come back in.
    pub(super) fn new<'a>(secrets: impl IntoIterator<Item = &'a str>) -> Self {
        let long = secrets.into_iter().filter(|secret| secret.len() >= 4);
        let mut forms: Vec<String> = long.flat_map(spellings).collect();
        forms.sort_by_key(|form| std::cmp::Reverse(form.len()));
        forms.dedup();
        Self { forms }
    }

    /// The words without secrets: whole, encoded, or any telling piece of one.
    pub(super) fn clean(&self, words: &str) -> String {
        let whole = self.forms.iter().fold(words.to_owned(), |words, form| without(&words, form));
        self.forms.iter().fold(whole, |words, form| without_pieces(&words, form))
    }
}

fn without(words: &str, secret: &str) -> String {
    if secret.len() >= WORDLIKE {
        return words.replace(secret, GONE);
    }
    let mut pieces = words.split(secret);
    let mut clean = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let alone =
            !clean.ends_with(char::is_alphanumeric) && !piece.starts_with(char::is_alphanumeric);
        clean.push_str(if alone { GONE } else { secret });
        clean.push_str(piece);
    }
    clean
}

fn spellings(secret: &str) -> Vec<String> {
    let mut forms = vec![secret.to_owned(), percent(secret)];
    for engine in [STANDARD, URL_SAFE, STANDARD_NO_PAD, URL_SAFE_NO_PAD] {
        forms.push(engine.encode(secret));
        forms.push(engine.encode(format!("Bearer {secret}")));
    }
    if let Ok(json) = serde_json::to_string(secret) {
        forms.push(json.trim_matches('"').to_owned());
    }
    forms
}

fn percent(secret: &str) -> String {
    let byte = |byte: u8| match byte {
        b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => {
            char::from(byte).to_string()
        }
        other => format!("%{other:02X}"),
    };
    secret.bytes().map(byte).collect()
}

/// Providers quote keys cut short: a run of `TELLING` bytes of the secret goes, and what of it
/// follows.
fn without_pieces(words: &str, secret: &str) -> String {
    let mut clean = String::with_capacity(words.len());
    let mut rest = words;
    while let Some(first) = rest.chars().next() {
        let length = rest
            .get(..TELLING)
            .and_then(|start| secret.find(start))
            .and_then(|at| secret.get(at..))
            .map_or(0, |tail| common(tail, rest));
        if length > 0 {
            clean.push_str(GONE);
        } else {
            clean.push(first);
        }
        rest = rest.get(length.max(first.len_utf8())..).unwrap_or_default();
    }
    clean
}

fn common(one: &str, other: &str) -> usize {
    let same = one.chars().zip(other.chars()).take_while(|(one, other)| one == other);
    same.map(|(character, _)| character.len_utf8()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: &str = "sk-live/4f9+Za81bcQ==77";

    #[test]
    fn a_key_is_never_printed() {
        assert_eq!(format!("{:?}", Key::new(SECRET)), "Key(…)");
        assert_eq!(Key::new(&format!(" {SECRET}\n")).expose(), SECRET);
    }

    #[test]
    fn every_spelling_of_a_key_leaves_an_error() {
        let redactor = Redactor::new([SECRET]);
        for form in spellings(SECRET) {
            let cleaned = redactor.clean(&format!("bad key {form}, sorry"));
            assert_eq!(cleaned, "bad key •••, sorry", "{form}");
        }
    }

    #[test]
    fn a_key_quoted_in_part_leaves_too() {
        let redactor = Redactor::new([SECRET]);
        assert_eq!(redactor.clean("Incorrect key: sk-live/4f9+Z***"), "Incorrect key: •••***");
        assert_eq!(redactor.clean("keys begin with sk-live"), "keys begin with sk-live");
        assert_eq!(redactor.clean("naïve ☕ words"), "naïve ☕ words");
    }

    #[test]
    fn a_key_that_is_a_word_leaves_alone_what_it_is_only_a_part_of() {
        let redactor = Redactor::new(["test"]);
        assert_eq!(redactor.clean("bad key test: llama3:latest"), "bad key •••: llama3:latest");
        assert_eq!(redactor.clean("Bearer test"), "Bearer •••");
    }

    #[test]
    fn without_secrets_words_stay_as_they_are() {
        assert_eq!(Redactor::default().clean("as is"), "as is");
        assert_eq!(Redactor::new(["", "ab"]).clean("abc"), "abc");
    }
}
