//! Writes a conversation as Markdown: front matter, a heading per message, tool calls folded.

use std::fmt::Write;

use chrono::DateTime;
use skein_domain::conversation::Conversation;
use skein_domain::message::{ContentPart, Message, MessageKind, Origin, Role, ToolCall};

use super::export_labels::ExportLabels;
use super::visible_messages::visible_messages;
use crate::code_fence::fenced;

/// The path of the current thread under its name, with its summaries at the place where they were
/// made.
pub(crate) fn render(conversation: &Conversation, name: &str, words: &ExportLabels) -> String {
    let session = &conversation.session;
    let mut text = String::from("---\n");
    // A JSON string is a YAML string.
    let quoted = |text: &str| serde_json::to_string(text).unwrap_or_default();
    let _ = writeln!(text, "title: {}", quoted(name));
    let _ = writeln!(text, "created: {}", date(session.created_at));
    let _ = writeln!(text, "updated: {}", date(session.updated_at));
    if let Some(model) = &session.model {
        let model = format!("{}/{}", model.provider.0, model.model);
        let _ = writeln!(text, "model: {}", quoted(&model));
    }
    let _ = writeln!(text, "---\n\n# {}", one_line(name));
    for message in visible_messages(conversation) {
        let _ = write!(text, "\n## {}\n\n", heading(message, words));
        for part in message.parts.iter() {
            let _ = write!(text, "{}\n\n", part_text(part, words).trim_end());
        }
    }
    text
}

/// The heading that names the author of a message.
pub(crate) fn heading<'a>(message: &Message, words: &'a ExportLabels) -> &'a str {
    match (&message.kind, message.origin, message.role) {
        (MessageKind::Summary { .. }, _, _) => &words.summary,
        (MessageKind::Notice { .. } | MessageKind::Card {}, _, _) => &words.notice,
        (MessageKind::Chat {}, Origin::Runtime, _) => &words.notice,
        (MessageKind::Chat {}, Origin::Person, _) | (MessageKind::Chat {}, _, Role::User) => {
            &words.you
        }
        (MessageKind::Chat {}, Origin::Model, Role::Assistant) => &words.assistant,
    }
}

/// A date as ISO 8601, in UTC.
pub(crate) fn date(at: i64) -> String {
    DateTime::from_timestamp_millis(at)
        .map(|date| date.format("%Y-%m-%dT%H:%M:%SZ").to_string())
        .unwrap_or_default()
}

/// A tool call as text: its name with the arguments, and its result.
pub(crate) fn call_text(call: &ToolCall) -> (String, String) {
    (call.args.clone(), call.result_text().unwrap_or_default().to_owned())
}

fn part_text(part: &ContentPart, words: &ExportLabels) -> String {
    match part {
        ContentPart::Text { text } => text.clone(),
        ContentPart::Reasoning { text, .. } if text.is_empty() => String::new(),
        ContentPart::Reasoning { text, .. } => folded(&words.reasoning, &[fenced("", text)]),
        ContentPart::Image(picture) => format!("*{}*", one_line(&picture.name)),
        ContentPart::File { name, text, .. } => folded(name, &[fenced("", text)]),
        ContentPart::Tool { call } => {
            let (args, result) = call_text(call);
            folded(&call.name, &[fenced("", &args), fenced("", &result)])
        }
    }
}

fn folded(summary: &str, inside: &[String]) -> String {
    let summary = one_line(summary).replace('&', "&amp;").replace('<', "&lt;");
    format!("<details><summary>{summary}</summary>\n\n{}\n\n</details>", inside.join("\n\n"))
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
