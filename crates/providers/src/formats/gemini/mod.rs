//! Google's Gemini API.

mod decoder;
mod effort;
mod model_list;
mod request;

use crate::http::base_url::{AddressRules, names_version};
use crate::wire::wire_format::WireFormat;

pub(super) static FORMAT: WireFormat = WireFormat {
    address_rules: AddressRules {
        base_path: |path| path.split("/models/").next().unwrap_or_default(),
        version_path: |_url, path| if names_version(path) { "" } else { "/v1beta" },
        completion_path,
    },
    headers: &[],
    request_headers: |_, _| Vec::new(),
    request_body: |request, context| {
        serde_json::to_vec(&request::GeminiRequest::new(request, context))
    },
    compaction: None,
    default_max_output: None,
    defers_tools: |_, _| false,
    sends_window: false,
    effort_levels: |_, model, effort| effort::levels(model, effort),
    can_switch_reasoning_off: |_| true,
    signature_prefixes: &[decoder::SIGNED],
    decoder: |_| Box::new(decoder::GeminiDecoder::default()),
    sends_calls_whole: false,
    list_models: |server, _| Box::pin(model_list::list_models(server)),
};

fn completion_path(model: &str) -> String {
    let model = model.trim_start_matches("models/");
    format!("/models/{model}:streamGenerateContent?alt=sse")
}
