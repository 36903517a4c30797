//! Keeps secrets out of words that came from outside: a provider's refusal, what a server writes.
//!
//! Not here: which secrets there are (`providers`, `tools::mcp`).

use std::collections::HashSet;

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE, URL_SAFE_NO_PAD};

/// What stands where a secret was.
const GONE: &str = "•••";
/// A secret shorter than this, in bytes, may be a word: it is one only where it stands alone.
const WORDLIKE: usize = 8;
/// A piece of a secret this long, in bytes, is as good as the secret.
const TELLING: usize = 10;

/// Removes secrets from words that came from outside.
#[derive(Clone, Default)]
pub struct Redactor {
    /// Every form the secrets may come back in, the longest first.
    forms: Vec<String>,
    /// What is [`TELLING`] bytes long and in one of them: looked up at every letter, where a search in
    /// each form would take seconds for what a program writes in a moment.
    pieces: HashSet<String>,
}

impl Redactor {
    pub fn new<'a>(secrets: impl IntoIterator<Item = &'a str>) -> Self {
        let mut redactor = Self::default();
        redactor.add_secrets(secrets);
        redactor
    }

    /// Knows these secrets too.
    pub fn add_secrets<'a>(&mut self, secrets: impl IntoIterator<Item = &'a str>) {
        let is_new =
            |secret: &&str| secret.len() >= 4 && !self.forms.iter().any(|it| it == *secret);
        let new: Vec<&str> = secrets.into_iter().filter(is_new).collect();
        let forms: Vec<String> = new.into_iter().flat_map(spellings).collect();
        self.pieces.extend(forms.iter().flat_map(|form| pieces(form)).map(str::to_owned));
        self.forms.extend(forms);
        self.forms.sort_by(|one, other| (other.len(), other).cmp(&(one.len(), one)));
        self.forms.dedup();
    }

    /// The words without secrets: whole, encoded, or any telling piece of one.
    pub fn redact(&self, words: &str) -> String {
        let whole = self.forms.iter().fold(words.to_owned(), |words, form| without(&words, form));
        if self.pieces.is_empty() { whole } else { self.without_pieces(&whole) }
    }

    /// Words that are used and may be very many, without whole secrets: a piece of one may be anything there,
    /// and so may one that is as short as a word.
    pub fn redact_whole(&self, words: String) -> String {
        let long = self.forms.iter().filter(|form| form.len() >= WORDLIKE);
        long.fold(words, |words, form| match words.contains(form.as_str()) {
            true => words.replace(form.as_str(), GONE),
            false => words,
        })
    }

    /// Secrets are quoted cut short: a run of `TELLING` bytes of one goes, and what of it follows.
    fn without_pieces(&self, words: &str) -> String {
        let mut clean = String::with_capacity(words.len());
        let mut rest = words;
        while let Some(first) = rest.chars().next() {
            let start = rest.get(..TELLING).filter(|start| self.pieces.contains(*start));
            let length = start.map_or(0, |start| self.run(start, rest));
            if length > 0 {
                clean.push_str(GONE);
            } else {
                clean.push(first);
            }
            rest = rest.get(length.max(first.len_utf8())..).unwrap_or_default();
        }
        clean
    }

    /// Bytes at the beginning of `rest` that are as they are in a secret.
    fn run(&self, start: &str, rest: &str) -> usize {
        let tails = self.forms.iter().filter_map(|form| form.get(form.find(start)?..));
        tails.map(|tail| common(tail, rest)).max().unwrap_or(0)
    }
}

/// Every run of `TELLING` bytes.
fn pieces(form: &str) -> impl Iterator<Item = &str> {
    form.char_indices().filter_map(|(at, _)| form.get(at..at + TELLING))
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
        let known = (redactor.forms.clone(), redactor.pieces.clone());
        redactor.add_secrets([SECRET]);
        assert_eq!((redactor.forms, redactor.pieces), known);
    }

    #[test]
    fn without_secrets_words_stay_as_they_are() {
        assert_eq!(Redactor::default().redact("as is"), "as is");
        assert_eq!(Redactor::new(["", "ab"]).redact("abc"), "abc");
    }
}
