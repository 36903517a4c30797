//! The trait of wire formats: addresses, requests and replies.
//!
//! Each implementation is a folder of `formats`. Not here: differences of one provider (`registry`,
//! `quirks`).

use std::borrow::Cow;

use async_trait::async_trait;
use reqwest::Url;
use serde_json::{Map, Value};
use skein_context::summary::SummaryForm;
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

/// The data beside the request that its body depends on.
#[derive(Clone, Copy)]
pub(crate) struct BodyContext<'a> {
    pub(crate) spec: &'a ProviderSpec,
    /// True if the request goes to the provider itself, not to a server with the same wire format.
    pub(crate) is_own_host: bool,
    /// The known quirks of the server.
    pub(crate) quirks: &'a Quirks,
    /// Names the address and the model. Opaque data is sent back only to its origin.
    pub(crate) origin: &'a str,
}

/// A header: name and value.
pub(crate) type Header = (&'static str, &'static str);

#[async_trait]
pub(crate) trait WireFormat: Send + Sync {
    /// How the address of a server becomes the URL of an endpoint.
    fn address_rules(&self) -> &'static AddressRules;

    /// The headers of every request, beside those of the key and the user.
    fn headers(&self) -> &'static [Header] {
        &[]
    }

    /// The headers of one request to a server with these quirks. A value set by the user precedes
    /// them, and those of one name are joined by commas.
    fn request_headers(&self, _request: &ModelRequest, _quirks: &Quirks) -> Vec<Header> {
        Vec::new()
    }

    /// The user's extra fields without those that the provider takes in a conversation and rejects in this
    /// request.
    fn accepted_fields<'r>(&self, request: &'r ModelRequest) -> Cow<'r, Map<String, Value>> {
        Cow::Borrowed(&request.extra_body)
    }

    /// The form of the summary that the provider writes of this model's conversations with a compaction of
    /// its own; `None`: it has none.
    fn compaction_form(&self, _model: &str) -> Option<SummaryForm> {
        None
    }

    /// The address of a request, where it is not that of a reply.
    fn request_url<'u>(&self, completion_url: &'u Url, _request: &ModelRequest) -> Cow<'u, Url> {
        Cow::Borrowed(completion_url)
    }

    /// The body of a request as JSON, without the user's extra fields.
    ///
    /// # Errors
    /// A value cannot be written as JSON.
    fn request_body(
        &self,
        request: &ModelRequest,
        context: BodyContext<'_>,
    ) -> serde_json::Result<Vec<u8>>;

    /// The reply length to request for an unknown model, in tokens; `None` if the format demands no
    /// number.
    fn default_max_output(&self) -> Option<u32> {
        None
    }

    /// True if the provider has deferred tools of its own, so that the body sends those of the
    /// request as such.
    fn defers_tools(&self, _model: &str, _context: BodyContext<'_>) -> bool {
        false
    }

    /// True if each request states the window to load.
    fn sends_window(&self) -> bool {
        false
    }

    /// The parameters for an effort, closest first; empty if none is sent.
    fn effort_levels(
        &self,
        spec: &ProviderSpec,
        model: &str,
        effort: ReasoningEffort,
    ) -> Vec<EffortLevel>;

    /// True if every model of the provider accepts reasoning being switched off.
    fn can_switch_reasoning_off(&self, _spec: &ProviderSpec) -> bool {
        true
    }

    /// The prefixes of the opaque data, received with reasoning or a call, that this format sends
    /// back.
    fn signature_prefixes(&self) -> &'static [&'static str] {
        &[]
    }

    /// A decoder of one reply. `origin` is that of [`BodyContext`].
    fn decoder(&self, origin: String) -> Box<dyn ResponseDecoder>;

    /// True if a server may write for minutes and then send one piece, wherever it runs.
    fn sends_calls_whole(&self) -> bool {
        false
    }

    /// The models that the server offers, in any order.
    ///
    /// # Errors
    /// The request failed, or the list cannot be parsed.
    async fn list_models(&self, server: &Endpoint, spec: &ProviderSpec)
    -> Result<Vec<ListedModel>>;
}
