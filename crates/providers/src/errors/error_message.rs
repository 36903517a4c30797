//! Extracts the message from an error body of any shape.

use std::sync::LazyLock;

use html_escape::decode_html_entities;
use regex::Regex;
use serde_json::Value;
use skein_domain::error::Error;
use skein_platform::json_repair;
use skein_platform::redactor::Redactor;

/// The limit of a provider's message, in characters.
pub(crate) const MAX_MESSAGE: usize = 600;

pub(crate) fn is_html(body: &str) -> bool {
    body.trim_start().starts_with('<')
}

/// The error for a body that is not a reply.
pub(crate) fn unexpected_body_error(body: &str, redactor: &Redactor) -> Error {
    if is_html(body) {
        return Error::WebPage { title: page_title(body).map(|it| redacted(&it, redactor)) };
    }
    Error::Protocol { detail: error_message(body, redactor) }
}

/// The title of an HTML page on one line; `None` if it has none.
fn page_title(page: &str) -> Option<String> {
    static TITLE: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"(?is)<title[^>]*>(.*?)</title").ok());
    let written = TITLE.as_ref()?.captures(page)?.get(1)?.as_str();
    let title = decode_html_entities(written);
    let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
    (!title.is_empty()).then_some(title)
}

/// The message in a body, or else the body, shortened and without keys; of a web page its title.
pub(crate) fn error_message(body: &str, redactor: &Redactor) -> String {
    if is_html(body) {
        return redacted(&page_title(body).unwrap_or_default(), redactor);
    }
    let message = json_repair::parse::<Value>(body).ok().and_then(|value| find_message(&value));
    redacted(message.as_deref().unwrap_or(body), redactor)
}

pub(crate) fn find_message(value: &Value) -> Option<String> {
    let value = match value {
        Value::Array(values) => values.first()?,
        other => other,
    };
    let places = [
        "/error/message",
        "/error/metadata/raw",
        "/message",
        "/error",
        "/detail",
        "/response/error/message",
        "/msg",
        "/errorMessage",
    ];
    let mut texts = places.iter().filter_map(|place| value.pointer(place)?.as_str());
    texts.find(|text| !text.trim().is_empty()).map(str::to_owned)
}

/// A text that may be shown. Keys are removed before it is cut, because a cut could leave half of
/// one. Of a very long text only the beginning is read.
pub(crate) fn redacted(text: &str, redactor: &Redactor) -> String {
    let text = text.trim();
    let clean = redactor.redact(first(text, 8 * MAX_MESSAGE));
    match first(&clean, MAX_MESSAGE) {
        whole if whole.len() == clean.len() => clean,
        start => format!("{start}…"),
    }
}

fn first(text: &str, characters: usize) -> &str {
    let end = text.char_indices().nth(characters).map_or(text.len(), |(end, _)| end);
    text.get(..end).unwrap_or_default()
}
