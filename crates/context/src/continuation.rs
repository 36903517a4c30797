//! The continuation package made without a model, when the mind is cleared and none was written
//! (D15).

use crate::message::{Message, MessageKind, Origin};
use crate::prompts::Language;
use crate::summary::excerpt;

/// Requests of the person that are quoted.
const REQUESTS: usize = 3;

/// Characters of each quotation.
const CHARS: usize = 500;

/// Pointers that are listed.
const POINTERS: usize = 30;

/// Goal, last requests, pinned messages, and the files, links and names found in the thread
/// (`pointers`, best first). `None` when the thread holds nothing to continue from.
pub fn local_package<'a>(
    path: impl IntoIterator<Item = &'a Message>,
    pointers: &[String],
    language: Language,
) -> Option<String> {
    let mut requests = Vec::new();
    let mut pinned = Vec::new();
    for message in path {
        let text = message.text();
        if text.trim().is_empty() {
            continue;
        }
        if message.pinned {
            pinned.push(excerpt(&text, CHARS));
        }
        if message.origin == Origin::Person && message.kind == (MessageKind::Chat {}) {
            requests.push(excerpt(&text, CHARS));
        }
    }
    let goal = requests.first().cloned()?;
    let last = requests.split_off(requests.len().saturating_sub(REQUESTS));
    let template = match language {
        Language::English => include_str!("prompts/continuation.en.md"),
        Language::Chinese => include_str!("prompts/continuation.zh.md"),
    };
    let package = template
        .replace("{goal}", &goal)
        .replace("{requests}", &list(&last))
        .replace("{pinned}", &list(&pinned))
        .replace("{pointers}", &list(pointers.get(..POINTERS).unwrap_or(pointers)));
    Some(package.trim_end().to_owned())
}

fn list(lines: &[String]) -> String {
    if lines.is_empty() {
        return "-".to_owned();
    }
    lines.iter().map(|line| format!("- {line}")).collect::<Vec<_>>().join("\n")
}
