//! Writes conversations as Markdown, HTML or Skein's own JSON.

pub(crate) mod export_labels;
pub(crate) mod html;
pub(crate) mod markdown;
mod markdown_html;
mod mathml;
pub(crate) mod skein_json;
pub(crate) mod visible_messages;
