//! OpenAI Responses.
//!
//! The provider stores nothing (`store: false`), so encrypted reasoning is sent back with each
//! request.

mod addresses;
mod decoder;
mod effort;
mod model_list;
pub(super) mod request;
mod signatures;

use async_trait::async_trait;
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
        serde_json::to_vec(&request::Body::new(request, context))
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
