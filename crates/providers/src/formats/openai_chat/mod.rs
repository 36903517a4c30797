//! OpenAI chat completions, and everything compatible with them.

mod decoder;
mod effort;
mod model_list;
mod provider_state;
mod request;

use crate::http::base_url::{AddressRules, openai_version_path};
use crate::registry::ReasoningSwitch;
use crate::wire::wire_format::WireFormat;

pub(super) static FORMAT: WireFormat = WireFormat {
    address_rules: AddressRules {
        base_path: |path| path,
        version_path: openai_version_path,
        completion_path: |_model| "/chat/completions".to_owned(),
    },
    headers: &[],
    request_headers: |_, _| Vec::new(),
    request_body: |request, context| {
        serde_json::to_vec(&request::OpenAiChatRequest::new(request, context))
    },
    compaction: None,
    default_max_output: None,
    defers_tools: |_, _| false,
    sends_window: false,
    effort_levels: |spec, model, effort| effort::levels(spec.reasoning_switch, model, effort),
    can_switch_reasoning_off: |spec| spec.reasoning_switch != ReasoningSwitch::Effort,
    signature_prefixes: &[provider_state::SIGNED],
    decoder: |origin| Box::new(decoder::OpenAiChatDecoder::new(origin)),
    sends_calls_whole: false,
    list_models: |server, spec| Box::pin(model_list::list_models(server, spec.model_list_api)),
};
