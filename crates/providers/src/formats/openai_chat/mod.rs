//! OpenAI chat completions, and everything compatible with them.

mod addresses;
mod decoder;
mod effort;
mod model_list;
mod provider_state;
pub(super) mod request;

use async_trait::async_trait;
use skein_domain::error::Result;
use skein_domain::provider_config::ReasoningEffort;

use crate::http::base_url::AddressRules;
use crate::http::endpoint::Endpoint;
use crate::model_request::ModelRequest;
use crate::provider::ListedModel;
use crate::registry::{ProviderSpec, ReasoningSwitch};
use crate::wire::reasoning_effort::EffortLevel;
use crate::wire::response_decoder::ResponseDecoder;
use crate::wire::wire_format::{BodyContext, WireFormat};

pub(super) struct OpenAiChat;

#[async_trait]
impl WireFormat for OpenAiChat {
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
        spec: &ProviderSpec,
        model: &str,
        effort: ReasoningEffort,
    ) -> Vec<EffortLevel> {
        effort::levels(spec.reasoning_switch, model, effort)
    }

    fn can_switch_reasoning_off(&self, spec: &ProviderSpec) -> bool {
        spec.reasoning_switch != ReasoningSwitch::Effort
    }

    fn signature_prefixes(&self) -> &'static [&'static str] {
        &[provider_state::SIGNED]
    }

    fn decoder(&self, origin: String) -> Box<dyn ResponseDecoder> {
        Box::new(decoder::Decoder::new(origin))
    }

    async fn list_models(
        &self,
        server: &Endpoint,
        spec: &ProviderSpec,
    ) -> Result<Vec<ListedModel>> {
        model_list::list_models(server, spec.model_list_api).await
    }
}
