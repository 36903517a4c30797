//! Ollama's own API.
//!
//! Its OpenAI-compatible API takes no window and silently truncates the beginning of a prompt that
//! does not fit. Requests here always state `num_ctx`.

mod decoder;
mod effort;
mod model_list;
mod request;

use crate::http::base_url::AddressRules;
use crate::wire::wire_format::WireFormat;

pub(super) static FORMAT: WireFormat = WireFormat {
    address_rules: AddressRules {
        // The OpenAI-compatible API has the path `/v1`.
        base_path: |path| path.trim_end_matches("/v1").trim_end_matches("/api"),
        version_path: |_url, _path| "",
        completion_path: |_model| "/api/chat".to_owned(),
    },
    headers: &[],
    request_headers: |_, _| Vec::new(),
    request_body: |request, context| {
        serde_json::to_vec(&request::OllamaRequest::new(request, context))
    },
    compaction: None,
    default_max_output: None,
    defers_tools: |_, _| false,
    sends_window: true,
    effort_levels: |_, model, effort| effort::levels(model, effort),
    can_switch_reasoning_off: |_| true,
    signature_prefixes: &[],
    decoder: |_| Box::new(decoder::OllamaDecoder::default()),
    // Ollama sends the arguments of a call as one piece.
    sends_calls_whole: true,
    list_models: |server, _| Box::pin(model_list::list_models(server)),
};
