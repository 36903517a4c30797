//! The wire formats, one folder each with the same modules: `request`, `decoder`, `effort`, and
//! `model_list` where the list of models has a form of its own. A new format is a folder and a line
//! in [`wire_format`].

mod anthropic;
mod gemini;
mod ollama;
mod openai_chat;
mod openai_responses;
#[cfg(test)]
mod tests;

use crate::registry::{FormatId, ProviderSpec};
use crate::wire::wire_format::WireFormat;

/// The wire format of a registry row.
pub(crate) fn wire_format(id: FormatId) -> &'static WireFormat {
    match id {
        FormatId::OpenAiChat => &openai_chat::FORMAT,
        FormatId::OpenAiResponses => &openai_responses::FORMAT,
        FormatId::Anthropic => &anthropic::FORMAT,
        FormatId::Gemini => &gemini::FORMAT,
        FormatId::Ollama => &ollama::FORMAT,
    }
}

/// The prefixes of the opaque data that a kind of provider gets back with reasoning or a call.
pub fn signature_prefixes(spec: &ProviderSpec) -> &'static [&'static str] {
    wire_format(spec.format).signature_prefixes
}

/// True if each request tells the provider its window.
pub fn sends_window(spec: &ProviderSpec) -> bool {
    wire_format(spec.format).sends_window
}
