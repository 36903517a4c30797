//! Anthropic messages.

mod cache_control;
mod compaction;
mod decoder;
mod effort;
mod generations;
mod request;
mod tool_references;

use reqwest::Url;
use skein_context::summary::SummaryForm;

use crate::http::base_url::{AddressRules, names_version};
use crate::model_request::ModelRequest;
use crate::quirks::quirk::{Quirk, Quirks};
use crate::wire::wire_format::{BodyContext, Header, NativeCompaction, WireFormat};

pub(super) static FORMAT: WireFormat = WireFormat {
    address_rules: AddressRules {
        base_path: |path| path,
        version_path: |_url, path| if names_version(path) { "" } else { "/v1" },
        completion_path: |_model| "/messages".to_owned(),
    },
    headers: &[("anthropic-version", "2023-06-01")],
    request_headers,
    request_body: |request, context| {
        serde_json::to_vec(&request::AnthropicRequest::new(request, context))
    },
    compaction: Some(NativeCompaction {
        form: |model| compaction::has_compaction(model).then_some(SummaryForm::Readable),
        url: Url::clone,
        accepted_fields: compaction::accepted_fields,
    }),
    default_max_output: Some(request::MAX_TOKENS),
    defers_tools,
    sends_window: false,
    effort_levels: |_, model, effort| effort::levels(model, effort),
    can_switch_reasoning_off: |_| true,
    signature_prefixes: &[decoder::SIGNED, decoder::REDACTED],
    decoder: |_| Box::new(decoder::AnthropicDecoder::default()),
    sends_calls_whole: false,
    list_models: |server, _| Box::pin(server.list_models("/models?limit=1000")),
};

/// The beta headers of requests with a reasoning context edit, and of a compaction.
fn request_headers(request: &ModelRequest, quirks: &Quirks) -> Vec<Header> {
    let binding = quirks
        .drops_mismatched_thinking()
        .then_some(("anthropic-beta", "thinking-binding-controls-2026-08-01"));
    let compaction = request.compaction.as_ref().map(|_| compaction::BETA);
    binding.into_iter().chain(compaction).collect()
}

/// Tools are found by references in a result of `describe_tool`.
fn defers_tools(model: &str, context: BodyContext<'_>) -> bool {
    let BodyContext { spec, is_own_host, quirks, .. } = context;
    spec.has_deferred_tools
        && is_own_host
        && !quirks.has(Quirk::NoDeferredTools)
        && tool_references::has_tool_references(model)
}
