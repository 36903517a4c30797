//! Writes a conversation as one self-contained HTML page without scripts and requests. HTML in a
//! message is shown as text.

use std::fmt::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, TagEnd, html};
use skein_domain::conversation::Conversation;
use skein_domain::message::{ContentPart, ImageRef, Message, ToolState};

use super::export_labels::ExportLabels;
use super::markdown::{call_text, date, heading};
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

/// A Markdown text as HTML for the clipboard, sanitised like a page.
pub(crate) fn formatted(text: &str) -> String {
    // Some programs assume a legacy encoding if none is stated.
    let mut html = String::from("<meta charset=\"utf-8\">");
    markdown(&mut html, text);
    html
}

fn article(page: &mut String, message: &Message, from: &Conversation, words: &ExportLabels) {
    let _ = writeln!(page, "<article>\n<h2>{}</h2>", escaped(heading(message, words)));
    for part in message.parts.iter() {
        match part {
            ContentPart::Text { text } => markdown(page, text),
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

/// Renders Markdown without external references: raw HTML becomes text, a remote picture its
/// description, and a link keeps its target only if that is a web page or a mail address.
fn markdown(page: &mut String, text: &str) {
    let options =
        Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    // For each open link, true if its target is kept. Links do not nest, but a picture in a link
    // does.
    let mut kept = Vec::new();
    let events = Parser::new_ext(text, options).filter_map(|event| match event {
        Event::Html(raw) | Event::InlineHtml(raw) => Some(Event::Text(raw)),
        Event::Start(Tag::Image { .. }) | Event::End(TagEnd::Image) => None,
        Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
            let safe = is_harmless(&dest_url);
            kept.push(safe);
            safe.then_some(Event::Start(Tag::Link { link_type, dest_url, title, id }))
        }
        Event::End(TagEnd::Link) => kept.pop().unwrap_or(false).then_some(Event::End(TagEnd::Link)),
        other => Some(other),
    });
    html::push_html(page, events);
}

fn is_harmless(url: &CowStr) -> bool {
    let lower = url.trim_start().to_ascii_lowercase();
    ["http://", "https://", "mailto:"].iter().any(|scheme| lower.starts_with(scheme))
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
