//! OpenAI Responses.
//!
//! The provider stores nothing (`store: false`), so encrypted reasoning is sent back with each
//! request.

mod compaction;
mod decoder;
mod effort;
mod request;

use skein_context::summary::SummaryForm;

use crate::http::base_url::{AddressRules, openai_version_path};
use crate::wire::wire_format::{NativeCompaction, WireFormat};

pub(super) static FORMAT: WireFormat = WireFormat {
    address_rules: AddressRules {
        base_path: |path| path,
        version_path: openai_version_path,
        completion_path: |_model| "/responses".to_owned(),
    },
    headers: &[],
    request_headers: |_, _| Vec::new(),
    request_body: |request, context| match request.compaction {
        Some(_) => serde_json::to_vec(&compaction::OpenAiCompactionRequest::new(request, context)),
        None => serde_json::to_vec(&request::OpenAiResponsesRequest::new(request, context)),
    },
    compaction: Some(NativeCompaction {
        form: |_| Some(SummaryForm::Encrypted),
        url: compaction::compaction_url,
        accepted_fields: compaction::accepted_fields,
    }),
    default_max_output: None,
    defers_tools: |_, _| false,
    sends_window: false,
    effort_levels: |_, _, effort| effort::levels(effort),
    can_switch_reasoning_off: |_| false,
    signature_prefixes: &[decoder::SIGNED],
    decoder: |_| Box::new(decoder::OpenAiResponsesDecoder::default()),
    sends_calls_whole: false,
    list_models: |server, _| Box::pin(server.list_models("/models")),
};
