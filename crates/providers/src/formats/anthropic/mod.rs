//! Anthropic messages.

mod addresses;
mod cache_control;
mod compaction;
mod decoder;
mod effort;
mod generations;
mod model_list;
pub(super) mod request;
mod signatures;
mod tool_references;

use std::borrow::Cow;

use async_trait::async_trait;
use serde_json::{Map, Value};
use skein_context::summary::SummaryForm;
use skein_domain::error::Result;
use skein_domain::provider_config::ReasoningEffort;

use crate::http::base_url::AddressRules;
use crate::http::endpoint::Endpoint;
use crate::model_request::ModelRequest;
use crate::provider::ListedModel;
use crate::quirks::quirk::{Quirk, Quirks};
use crate::registry::ProviderSpec;
use crate::wire::reasoning_effort::EffortLevel;
use crate::wire::response_decoder::ResponseDecoder;
use crate::wire::wire_format::{BodyContext, Header, WireFormat};

pub(super) struct Anthropic;

#[async_trait]
impl WireFormat for Anthropic {
    fn address_rules(&self) -> &'static AddressRules {
        &addresses::RULES
    }

    fn request_body(
        &self,
        request: &ModelRequest,
        context: BodyContext<'_>,
    ) -> serde_json::Result<Vec<u8>> {
        serde_json::to_vec(&request::Body::new(request, context))
    }

    fn headers(&self) -> &'static [Header] {
        &[("anthropic-version", "2023-06-01")]
    }

    /// The beta headers of requests with a reasoning context edit, and of a compaction.
    fn request_headers(&self, request: &ModelRequest, quirks: &Quirks) -> Vec<Header> {
        let binding = quirks
            .drops_mismatched_thinking()
            .then_some(("anthropic-beta", "thinking-binding-controls-2026-08-01"));
        let compaction = request.compaction.as_ref().map(|_| compaction::BETA);
        binding.into_iter().chain(compaction).collect()
    }

    fn accepted_fields<'r>(&self, request: &'r ModelRequest) -> Cow<'r, Map<String, Value>> {
        match request.compaction {
            Some(_) => Cow::Owned(compaction::accepted_fields(&request.extra_body)),
            None => Cow::Borrowed(&request.extra_body),
        }
    }

    fn compaction_form(&self, model: &str) -> Option<SummaryForm> {
        compaction::has_compaction(model).then_some(SummaryForm::Readable)
    }

    /// Tools are found by references in a result of `describe_tool`.
    fn defers_tools(&self, model: &str, context: BodyContext<'_>) -> bool {
        let BodyContext { spec, is_own_host, quirks, .. } = context;
        spec.has_deferred_tools
            && is_own_host
            && !quirks.has(Quirk::NoDeferredTools)
            && tool_references::has_tool_references(model)
    }

    fn default_max_output(&self) -> Option<u32> {
        Some(request::MAX_TOKENS)
    }

    fn effort_levels(
        &self,
        _spec: &ProviderSpec,
        model: &str,
        effort: ReasoningEffort,
    ) -> Vec<EffortLevel> {
        effort::levels(model, effort)
    }

    fn signature_prefixes(&self) -> &'static [&'static str] {
        &[signatures::SIGNED, signatures::REDACTED]
    }

    fn decoder(&self, _origin: String) -> Box<dyn ResponseDecoder> {
        Box::new(decoder::Decoder::default())
    }

    async fn list_models(
        &self,
        server: &Endpoint,
        _spec: &ProviderSpec,
    ) -> Result<Vec<ListedModel>> {
        model_list::list_models(server).await
    }
}
