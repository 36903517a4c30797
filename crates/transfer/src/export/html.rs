//! Writes a conversation as one self-contained HTML page without scripts and requests. HTML in a
//! message is shown as text.

use std::fmt::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use skein_domain::conversation::Conversation;
use skein_domain::message::{ContentPart, ImageRef, Message, ToolState};

use super::export_labels::ExportLabels;
use super::markdown::{call_text, date, heading};
use super::markdown_html::markdown_html;
use super::visible_messages::visible_messages;

const STYLE: &str = include_str!("export.css");

/// The path of the current thread, with its summaries at the place where they were made.
pub(crate) fn render(conversation: &Conversation, name: &str, words: &ExportLabels) -> String {
    let session = &conversation.session;
    let title = escaped(name);
    let mut page = format!(
        "<!doctype html>\n<html lang=\"{}\">\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" \
         content=\"default-src 'none'; img-src data:; style-src 'unsafe-inline'\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n<main>\n<h1>{title}</h1>\n<p><time>{}</time></p>\n",
        escaped(&words.language),
        date(session.created_at),
    );
    for message in visible_messages(conversation) {
        article(&mut page, message, conversation, words);
    }
    page.push_str("</main>\n</html>\n");
    page
}

/// A Markdown text as HTML for the clipboard. Some programs assume a legacy encoding if none is stated.
pub(crate) fn formatted(text: &str) -> String {
    format!("<meta charset=\"utf-8\">{}", markdown_html(text))
}

fn article(page: &mut String, message: &Message, from: &Conversation, words: &ExportLabels) {
    let _ = writeln!(page, "<article>\n<h2>{}</h2>", escaped(heading(message, words)));
    for part in message.parts.iter() {
        match part {
            ContentPart::Text { text } => page.push_str(&markdown_html(text)),
            ContentPart::Reasoning { text, .. } => folded(page, &words.reasoning, &[text]),
            ContentPart::Image(picture) => image(page, from, picture),
            ContentPart::File { name, text, .. } => folded(page, name, &[text]),
            ContentPart::Tool { call } => {
                let (args, result) = call_text(call);
                folded(page, &call.name, &[&args, &result]);
                if let ToolState::Done { output } = &call.state {
                    output.pictures.iter().for_each(|picture| image(page, from, picture));
                }
            }
        }
    }
    page.push_str("</article>\n");
}

fn image(page: &mut String, from: &Conversation, picture: &ImageRef) {
    let (name, media_type) = (escaped(&picture.name), picture.media_type.as_str());
    let safe = ["image/png", "image/jpeg", "image/gif", "image/webp"].contains(&media_type);
    match from.blobs.get(&picture.blob).filter(|_| safe) {
        Some(bytes) => {
            let data = STANDARD.encode(&bytes.0);
            let _ = writeln!(page, "<img alt=\"{name}\" src=\"data:{media_type};base64,{data}\">");
        }
        None => {
            let _ = writeln!(page, "<p><em>{name}</em></p>");
        }
    }
}

fn folded(page: &mut String, summary: &str, inside: &[&str]) {
    let _ = write!(page, "<details><summary>{}</summary>", escaped(summary));
    for text in inside.iter().filter(|text| !text.is_empty()) {
        let _ = write!(page, "<pre>{}</pre>", escaped(text));
    }
    page.push_str("</details>\n");
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace('\'', "&#39;")
}
