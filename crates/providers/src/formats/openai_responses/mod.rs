//! OpenAI Responses.
//!
//! The provider stores nothing (`store: false`), so encrypted reasoning is sent back with each
//! request.

mod addresses;
mod compaction;
mod decoder;
mod effort;
mod model_list;
pub(super) mod request;
mod signatures;

use skein_context::summary::SummaryForm;

use crate::wire::wire_format::{NativeCompaction, WireFormat};

pub(super) static FORMAT: WireFormat = WireFormat {
    address_rules: &addresses::RULES,
    headers: &[],
    request_headers: |_, _| Vec::new(),
    request_body: |request, context| match request.compaction {
        Some(_) => serde_json::to_vec(&compaction::CompactionBody::new(request, context)),
        None => serde_json::to_vec(&request::Body::new(request, context)),
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
    signature_prefixes: &[signatures::SIGNED],
    decoder: |_| Box::new(decoder::Decoder::default()),
    sends_calls_whole: false,
    list_models: |server, _| Box::pin(model_list::list_models(server)),
};
