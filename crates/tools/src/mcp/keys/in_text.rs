//! Finds keys in a text: in JSON, in a connection string, after `Bearer`, in an address, or bare.
//!
//! A key is replaced as one word as it is written, so that putting it back restores the text. Not
//! here: the text that the user approves, in which fewer words are masked (`in_config`).

use super::name_rules::{is_bare_secret, is_name, is_secret_name, name_words};

/// Gets the name and the value of a key; returns its replacement.
pub(super) type SecretReplacer<'a> = dyn FnMut(&str, &str) -> String + 'a;

/// Replaces the keys in any text.
pub(super) fn replace_in_text(text: &str, replace: &mut SecretReplacer<'_>) -> String {
    let mut written = String::new();
    let mut rest = text;
    while let Some(QuotedPair { before, name, value, after }) = quoted_pair(rest) {
        written.push_str(&in_plain(before, replace));
        written.push_str(&in_header(name, value, replace));
        rest = after;
    }
    written.push_str(&in_plain(rest, replace));
    written
}

/// A value within a text, which is one word.
fn in_word(name: &str, value: &str, replace: &mut SecretReplacer<'_>) -> String {
    if is_secret_name(name) && is_word(value) {
        replace(name, value)
    } else {
        replace_in_text(value, replace)
    }
}

/// A value that cannot begin a command. After the name of an authorization header, the second of
/// two words is the key; the first is its scheme.
fn in_header(name: &str, value: &str, replace: &mut SecretReplacer<'_>) -> String {
    match split_scheme(name, value) {
        Some((scheme, key)) if is_word(key) => format!("{scheme} {}", replace(scheme, key)),
        Some(_) | None => in_word(name, value, replace),
    }
}

/// Splits `Bearer` from the key, after the name of an authorization header.
pub(super) fn split_scheme<'a>(name: &str, value: &'a str) -> Option<(&'a str, &'a str)> {
    let authorises = name_words(name).last().is_some_and(|word| word == "authorization");
    value.split_once(' ').filter(|(scheme, _)| authorises && is_name(scheme))
}

/// True if a shell reads the value as exactly one word without expansions.
fn is_word(value: &str) -> bool {
    let ends = |c: char| c.is_whitespace() || c.is_control() || "\"'`;|<>&".contains(c);
    !value.is_empty() && !value.contains(ends) && !value.contains("$(") && !has_reference(value)
}

/// Authentication schemes before an API key. None is also the name of a program.
const SCHEMES: [&str; 3] = ["Bearer", "Basic", "Token"];

/// True if nothing in a value would run, even in a shell: one word, a password of several words of
/// letters and digits, the content of a key file, or a placeholder such as `<token>`. A scheme may
/// precede it.
pub(super) fn is_not_executable(value: &str) -> bool {
    let bare = match value.split_once(' ') {
        Some((scheme, key)) if SCHEMES.iter().any(|it| it.eq_ignore_ascii_case(scheme)) => key,
        Some(_) | None => value,
    };
    let is_one = is_word(bare) && !bare.contains(['(', ')', '{', '}']);
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | ' ');
    let place = value.trim_end().strip_suffix('>').and_then(|value| value.split_once('<'));
    let is_place = place.is_some_and(|(before, inside)| {
        is_not_executable(before) && inside.chars().all(|c| is_plain(c) || c == '-')
    });
    is_one || is_place || value.chars().all(is_plain) || is_pem(value) || is_json(value)
}

/// True for lines of Base64 from `-----BEGIN …` to `-----END …`.
fn is_pem(value: &str) -> bool {
    let is_edge = |line: &str, word: &str| {
        let name = line.strip_prefix(word).and_then(|line| line.strip_suffix("-----"));
        name.is_some_and(|name| name.chars().all(|c| c.is_ascii_alphanumeric() || c == ' '))
    };
    let is_base64 = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '=');
    let mut lines = value.trim().lines();
    lines.next().is_some_and(|line| is_edge(line, "-----BEGIN "))
        && lines.all(|line| line.chars().all(is_base64) || is_edge(line, "-----END "))
}

fn is_json(value: &str) -> bool {
    is_json_object(value) && !value.contains('`') && !value.contains("$(")
}

pub(super) fn is_json_object(text: &str) -> bool {
    serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(text).is_ok()
}

pub(super) fn has_reference(value: &str) -> bool {
    value.contains("${")
}

/// The first `"name": "value"` of a text, with any level of quoting.
pub(super) struct QuotedPair<'a> {
    /// The text before the value, with the quotation mark that opens the value.
    pub before: &'a str,
    pub name: &'a str,
    pub value: &'a str,
    /// The text from the quote after the value.
    pub after: &'a str,
}

pub(super) fn quoted_pair(text: &str) -> Option<QuotedPair<'_>> {
    text.match_indices(':').find_map(|(colon, _)| {
        let (left, right) = (text.get(..colon)?.trim_end(), text.get(colon + 1..)?);
        let unquoted = left.strip_suffix(['"', '\''])?.trim_end_matches('\\');
        let quote = left.strip_prefix(unquoted)?;
        let (_, name) = unquoted.rsplit_once(quote).filter(|(_, name)| is_name(name))?;
        let inside = right.trim_start().strip_prefix(quote)?;
        let ends = |end: &usize| !inside.get(..*end).is_some_and(|value| value.ends_with('\\'));
        let (end, _) = inside.match_indices(quote).find(|(end, _)| ends(end))?;
        let (value, after) = inside.split_at_checked(end)?;
        Some(QuotedPair { before: text.strip_suffix(inside)?, name, value, after })
    })
}

/// A text without quoted pairs.
fn in_plain(text: &str, replace: &mut SecretReplacer<'_>) -> String {
    match separator(text) {
        Some(between) => in_pieces(text, between, |pair| in_pair(pair, replace)),
        None => in_words(text, replace),
    }
}

/// A text with each of its pieces replaced.
pub(super) fn in_pieces(text: &str, between: char, replace: impl FnMut(&str) -> String) -> String {
    text.split(between).map(replace).collect::<Vec<_>>().join(&between.to_string())
}

/// True if a text consists of `name=value` pairs.
pub(super) fn is_pairs(text: &str) -> bool {
    separator(text).is_some()
}

/// The separator of the pairs in a connection string. An address may precede semicolons.
pub(super) fn separator(text: &str) -> Option<char> {
    let is_pair = |pair: &str| {
        let name = pair.split_once('=').map(|(name, _)| name.trim());
        name.is_some_and(|name| !name.is_empty() && name.split(' ').all(is_name))
    };
    let are_pairs = |between: &char| match text.split_once(*between) {
        Some((first, rest)) => {
            (*between == ';' || is_pair(first))
                && rest.split(*between).any(is_pair)
                && rest.split(*between).all(|pair| pair.trim().is_empty() || is_pair(pair))
        }
        None => false,
    };
    [';', ' '].into_iter().find(are_pairs)
}

fn in_pair(pair: &str, replace: &mut SecretReplacer<'_>) -> String {
    match pair.split_once('=') {
        Some((name, value)) if is_secret_name(name) => {
            format!("{name}={}", in_word(name.trim(), value, replace))
        }
        Some((name, value)) if is_name(name) => format!("{name}={}", in_pair(value, replace)),
        Some(_) | None => in_words(pair, replace),
    }
}

/// Words after `Bearer` up to this many bytes are part of a sentence.
const MAX_SENTENCE_WORD: usize = 8;

/// The word after `Bearer`, keys in addresses, and words that have the form of a key.
fn in_words(text: &str, replace: &mut SecretReplacer<'_>) -> String {
    let mut scheme: Option<&str> = None;
    let mut written = String::new();
    for piece in text.split_inclusive(char::is_whitespace) {
        let word = piece.trim_end();
        let space = piece.strip_prefix(word).unwrap_or_default();
        let end = word.find(['"', '\'', '\\']).unwrap_or(word.len());
        let (key, quote) = word.split_at_checked(end).unwrap_or((word, ""));
        match scheme.take() {
            Some(scheme) if key.len() > MAX_SENTENCE_WORD && is_word(key) => {
                written.push_str(&replace(scheme, key));
                written.push_str(quote);
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

/// `scheme://user:key@host/path?name=key#…`, or another word.
fn in_address(word: &str, replace: &mut SecretReplacer<'_>) -> String {
    let Some((scheme, rest)) = word.split_once("://") else { return in_bare(word, replace) };
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (authority, tail) = rest.split_at(end);
    let authority = in_authority(authority, is_word, replace);
    let Some((path, query)) = tail.split_once('?') else {
        return format!("{scheme}://{authority}{}", in_bare(tail, replace));
    };
    let path = in_bare(path, replace);
    let query = in_query(query, |pair| match pair.split_once('=') {
        Some((name, value)) if is_secret_name(name) => {
            format!("{name}={}", in_word(name, value, replace))
        }
        Some(_) | None => in_bare(pair, replace),
    });
    format!("{scheme}://{authority}{path}?{query}")
}

/// `user:key@host`.
pub(super) fn in_authority(
    authority: &str,
    is_key: impl Fn(&str) -> bool,
    replace: &mut SecretReplacer<'_>,
) -> String {
    let signed_in = authority.rsplit_once('@');
    match signed_in.and_then(|(user, host)| Some((user.split_once(':')?, host))) {
        Some(((user, key), host)) if is_key(key) => {
            format!("{user}:{}@{host}", replace("password", key))
        }
        Some(_) | None => authority.to_owned(),
    }
}

/// `name=key&…#…`, with each pair replaced.
pub(super) fn in_query(query: &str, replace: impl FnMut(&str) -> String) -> String {
    let (query, fragment) = query.split_at(query.find('#').unwrap_or(query.len()));
    in_pieces(query, '&', replace) + fragment
}

/// A word that is a key by its form.
fn in_bare(text: &str, replace: &mut SecretReplacer<'_>) -> String {
    let ends = |c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'));
    let pieces = text.split_inclusive(ends).map(|piece| {
        let word = piece.trim_end_matches(ends);
        let end = piece.strip_prefix(word).unwrap_or_default();
        if is_bare_secret(word) {
            format!("{}{end}", replace("key", word))
        } else {
            piece.to_owned()
        }
    });
    pieces.collect()
}
