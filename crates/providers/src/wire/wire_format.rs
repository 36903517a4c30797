//! What a wire format is: how addresses and requests are written, and how replies are read.
//!
//! Each implementation is a folder of `formats`. Not here: what one provider wants otherwise (`registry`,
//! `quirks`).

use async_trait::async_trait;
use skein_domain::error::Result;
use skein_domain::provider_config::ReasoningEffort;

use super::reasoning_effort::EffortLevel;
use super::response_decoder::ResponseDecoder;
use crate::http::base_url::AddressRules;
use crate::http::endpoint::Endpoint;
use crate::model_request::ModelRequest;
use crate::provider::ListedModel;
use crate::quirks::quirk::Quirks;
use crate::registry::ProviderSpec;

/// What the body of a request depends on beside the request.
#[derive(Clone, Copy)]
pub(crate) struct BodyContext<'a> {
    pub(crate) spec: &'a ProviderSpec,
    /// Whether the request goes to the provider itself, not to a server that speaks its wire format.
    pub(crate) is_own_host: bool,
    /// What the server is known to want otherwise.
    pub(crate) quirks: &'a Quirks,
    /// Names the address and the model: state of a provider goes back only where it came from.
    pub(crate) origin: &'a str,
}

/// A header: its name and its value.
pub(crate) type Header = (&'static str, &'static str);

#[async_trait]
pub(crate) trait WireFormat: Send + Sync {
    /// How the address of an endpoint is made.
    fn address_rules(&self) -> &'static AddressRules;

    /// The headers of every request, beside the key's and the user's own.
    fn headers(&self) -> &'static [Header] {
        &[]
    }

    /// The header of a request to a server with these quirks. A value of the user's stands before it.
    fn quirk_header(&self, _quirks: &Quirks) -> Option<Header> {
        None
    }

    /// The body of a request as JSON, without the user's extra fields.
    ///
    /// # Errors
    /// Where a value cannot be written as JSON.
    fn request_body(
        &self,
        request: &ModelRequest,
        context: BodyContext<'_>,
    ) -> serde_json::Result<Vec<u8>>;

    /// The longest answer to ask for where nothing is known of the model, in tokens; `None` where the format
    /// does not demand a number.
    fn default_max_output(&self) -> Option<u32> {
        None
    }

    /// Whether each request says how large a window the server is to hold.
    fn sends_window(&self) -> bool {
        false
    }

    /// The ways to say how hard a model is to think, closest to the choice first; none where nothing is said.
    fn effort_levels(
        &self,
        spec: &ProviderSpec,
        model: &str,
        effort: ReasoningEffort,
    ) -> Vec<EffortLevel>;

    /// Whether every model of the provider takes being told not to think.
    fn can_switch_reasoning_off(&self, _spec: &ProviderSpec) -> bool {
        true
    }

    /// The prefixes of the opaque data, received with reasoning or a call, that this format sends back.
    fn signature_prefixes(&self) -> &'static [&'static str] {
        &[]
    }

    /// What reads one reply. `origin` is that of [`BodyContext`].
    fn decoder(&self, origin: String) -> Box<dyn ResponseDecoder>;

    /// Whether a server may write for minutes what it then sends as one piece, wherever it runs.
    fn sends_calls_whole(&self) -> bool {
        false
    }

    /// The models that the server offers, in any order.
    ///
    /// # Errors
    /// Whatever the request for the list meets, and a list that cannot be read.
    async fn list_models(&self, server: &Endpoint, spec: &ProviderSpec)
    -> Result<Vec<ListedModel>>;
}
