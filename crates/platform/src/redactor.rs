//! Removes secrets from text of external origin: error messages of providers, output of servers.
//!
//! Not here: the list of secrets (`providers`, `tools::mcp`).

use std::collections::HashSet;

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE, URL_SAFE_NO_PAD};

const REPLACEMENT: &str = "•••";
/// A secret shorter than this, in bytes, may be an ordinary word. It is removed only as a whole
/// word.
const WORD_LENGTH: usize = 8;
/// A fragment of a secret that is this long, in bytes, is as sensitive as the secret.
const FRAGMENT: usize = 10;

/// Removes secrets from text.
#[derive(Clone, Default)]
pub struct Redactor {
    /// All encodings of the secrets, the longest first.
    forms: Vec<String>,
    /// All fragments of [`FRAGMENT`] bytes. A set, because a search for each would take seconds on
    /// long output.
    fragments: HashSet<String>,
}

impl Redactor {
    pub fn new<'a>(secrets: impl IntoIterator<Item = &'a str>) -> Self {
        let mut redactor = Self::default();
        redactor.add_secrets(secrets);
        redactor
    }

    pub fn add_secrets<'a>(&mut self, secrets: impl IntoIterator<Item = &'a str>) {
        let is_new =
            |secret: &&str| secret.len() >= 4 && !self.forms.iter().any(|it| it == *secret);
        let new: Vec<&str> = secrets.into_iter().filter(is_new).collect();
        let forms: Vec<String> = new.into_iter().flat_map(spellings).collect();
        self.fragments.extend(forms.iter().flat_map(|form| fragments(form)).map(str::to_owned));
        self.forms.extend(forms);
        self.forms.sort_by(|one, other| (other.len(), other).cmp(&(one.len(), one)));
        self.forms.dedup();
    }

    /// The text without secrets, their encodings, and fragments of [`FRAGMENT`] bytes.
    pub fn redact(&self, words: &str) -> String {
        let whole = self.forms.iter().fold(words.to_owned(), |words, form| without(&words, form));
        if self.fragments.is_empty() { whole } else { self.without_fragments(&whole) }
    }

    /// A long text without whole secrets. Fragments and word-like secrets stay, because there they
    /// may be anything.
    pub fn redact_whole(&self, words: String) -> String {
        let long = self.forms.iter().filter(|form| form.len() >= WORD_LENGTH);
        long.fold(words, |words, form| match words.contains(form.as_str()) {
            true => words.replace(form.as_str(), REPLACEMENT),
            false => words,
        })
    }

    /// Removes fragments: servers quote secrets cut short. A run of `FRAGMENT` bytes goes, and the
    /// bytes after it that continue the secret.
    fn without_fragments(&self, words: &str) -> String {
        let mut clean = String::with_capacity(words.len());
        let mut rest = words;
        while let Some(first) = rest.chars().next() {
            let start = rest.get(..FRAGMENT).filter(|start| self.fragments.contains(*start));
            let length = start.map_or(0, |start| self.run(start, rest));
            if length > 0 {
                clean.push_str(REPLACEMENT);
            } else {
                clean.push(first);
            }
            rest = rest.get(length.max(first.len_utf8())..).unwrap_or_default();
        }
        clean
    }

    /// The length in bytes of the beginning of `rest` that continues a secret.
    fn run(&self, start: &str, rest: &str) -> usize {
        let tails = self.forms.iter().filter_map(|form| form.get(form.find(start)?..));
        tails.map(|tail| common(tail, rest)).max().unwrap_or(0)
    }
}

/// Every fragment of `FRAGMENT` bytes.
fn fragments(form: &str) -> impl Iterator<Item = &str> {
    form.char_indices().filter_map(|(at, _)| form.get(at..at + FRAGMENT))
}

fn without(words: &str, secret: &str) -> String {
    if secret.len() >= WORD_LENGTH {
        return words.replace(secret, REPLACEMENT);
    }
    let mut fragments = words.split(secret);
    let mut clean = fragments.next().unwrap_or_default().to_owned();
    for piece in fragments {
        let alone =
            !clean.ends_with(char::is_alphanumeric) && !piece.starts_with(char::is_alphanumeric);
        clean.push_str(if alone { REPLACEMENT } else { secret });
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

fn common(one: &str, other: &str) -> usize {
    let same = one.chars().zip(other.chars()).take_while(|(one, other)| one == other);
    same.map(|(character, _)| character.len_utf8()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: &str = "sk-live/4f9+Za81bcQ==77";

    #[test]
    fn every_spelling_of_a_key_leaves_an_error() {
        let redactor = Redactor::new([SECRET]);
        for form in spellings(SECRET) {
            let cleaned = redactor.redact(&format!("bad key {form}, sorry"));
            assert_eq!(cleaned, "bad key •••, sorry", "{form}");
        }
    }

    #[test]
    fn a_key_quoted_in_part_leaves_too() {
        let redactor = Redactor::new([SECRET]);
        assert_eq!(redactor.redact("Incorrect key: sk-live/4f9+Z***"), "Incorrect key: •••***");
        assert_eq!(redactor.redact("keys begin with sk-live"), "keys begin with sk-live");
        assert_eq!(redactor.redact("naïve ☕ words"), "naïve ☕ words");
    }

    #[test]
    fn a_key_that_is_a_word_leaves_alone_what_it_is_only_a_part_of() {
        let redactor = Redactor::new(["test"]);
        assert_eq!(redactor.redact("bad key test: llama3:latest"), "bad key •••: llama3:latest");
        assert_eq!(redactor.redact("Bearer test"), "Bearer •••");
    }

    #[test]
    fn of_what_is_used_only_whole_keys_are_taken() {
        let redactor = Redactor::new([SECRET, "test"]);
        let cleaned = redactor.redact_whole(format!("a test of sk-live/4f9+Z with {SECRET}."));
        assert_eq!(cleaned, "a test of sk-live/4f9+Z with •••.");
    }

    #[test]
    fn what_is_known_is_not_learned_again() {
        let mut redactor = Redactor::new([SECRET]);
        let known = (redactor.forms.clone(), redactor.fragments.clone());
        redactor.add_secrets([SECRET]);
        assert_eq!((redactor.forms, redactor.fragments), known);
    }

    #[test]
    fn without_secrets_words_stay_as_they_are() {
        assert_eq!(Redactor::default().redact("as is"), "as is");
        assert_eq!(Redactor::new(["", "ab"]).redact("abc"), "abc");
    }
}
