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

use std::borrow::Cow;

use async_trait::async_trait;
use reqwest::Url;
use serde_json::{Map, Value};
use skein_context::summary::SummaryForm;
use skein_domain::error::Result;
use skein_domain::provider_config::ReasoningEffort;

use crate::http::base_url::AddressRules;
use crate::http::endpoint::Endpoint;
use crate::model_request::ModelRequest;
use crate::provider::ListedModel;
use crate::registry::ProviderSpec;
use crate::wire::reasoning_effort::EffortLevel;
use crate::wire::response_decoder::ResponseDecoder;
use crate::wire::wire_format::{BodyContext, WireFormat};

pub(super) struct OpenAiResponses;

#[async_trait]
impl WireFormat for OpenAiResponses {
    fn address_rules(&self) -> &'static AddressRules {
        &addresses::RULES
    }

    fn request_body(
        &self,
        request: &ModelRequest,
        context: BodyContext<'_>,
    ) -> serde_json::Result<Vec<u8>> {
        match request.compaction {
            Some(_) => serde_json::to_vec(&compaction::CompactionBody::new(request, context)),
            None => serde_json::to_vec(&request::Body::new(request, context)),
        }
    }

    fn request_url<'u>(&self, completion_url: &'u Url, request: &ModelRequest) -> Cow<'u, Url> {
        match request.compaction {
            Some(_) => Cow::Owned(compaction::compaction_url(completion_url)),
            None => Cow::Borrowed(completion_url),
        }
    }

    fn accepted_fields<'r>(&self, request: &'r ModelRequest) -> Cow<'r, Map<String, Value>> {
        match request.compaction {
            Some(_) => Cow::Owned(compaction::accepted_fields(&request.extra_body)),
            None => Cow::Borrowed(&request.extra_body),
        }
    }

    fn compaction_form(&self, _model: &str) -> Option<SummaryForm> {
        Some(SummaryForm::Encrypted)
    }

    fn effort_levels(
        &self,
        _spec: &ProviderSpec,
        _model: &str,
        effort: ReasoningEffort,
    ) -> Vec<EffortLevel> {
        effort::levels(effort)
    }

    fn can_switch_reasoning_off(&self, _spec: &ProviderSpec) -> bool {
        false
    }

    fn signature_prefixes(&self) -> &'static [&'static str] {
        &[signatures::SIGNED]
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
