//! The wire formats, a folder each with the same parts: `addresses`, `request`, `decoder`, `effort` and
//! `model_list`. A new one is a folder and a line in [`wire_format`].

mod anthropic;
mod gemini;
mod ollama;
mod openai_chat;
mod openai_responses;
#[cfg(test)]
mod tests;

use crate::registry::{FormatId, ProviderSpec};
use crate::wire::wire_format::WireFormat;

/// The wire format that a row of the registry names.
pub(crate) fn wire_format(id: FormatId) -> &'static dyn WireFormat {
    match id {
        FormatId::OpenAiChat => &openai_chat::OpenAiChat,
        FormatId::OpenAiResponses => &openai_responses::OpenAiResponses,
        FormatId::Anthropic => &anthropic::Anthropic,
        FormatId::Gemini => &gemini::Gemini,
        FormatId::Ollama => &ollama::Ollama,
    }
}

/// The prefixes of the opaque data, received with reasoning or a call, that a kind of provider gets back.
pub fn signature_prefixes(spec: &ProviderSpec) -> &'static [&'static str] {
    wire_format(spec.format).signature_prefixes()
}

/// Whether a kind of provider is told with each request how large a window it is to hold.
pub fn sends_window(spec: &ProviderSpec) -> bool {
    wire_format(spec.format).sends_window()
}
