//! The parts of a wire format: addresses, requests and replies.
//!
//! Each format is a folder of `formats`. Not here: differences of one provider (`registry`,
//! `quirks`).

use futures::future::BoxFuture;
use reqwest::Url;
use serde_json::{Map, Value};
use skein_context::summary::SummaryForm;
use skein_domain::error::Result;
use skein_domain::provider_config::ReasoningEffort;

use super::reasoning_effort::{EffortLevel, EffortParam};
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

/// A wire format. Values that only some formats have are `None`, empty or false in the others.
pub(crate) struct WireFormat {
    /// How the address of a server becomes the URL of an endpoint.
    pub(crate) address_rules: AddressRules,
    /// The headers of every request, beside those of the key and the user.
    pub(crate) headers: &'static [Header],
    /// The headers of one request to a server with these quirks. A value set by the user precedes
    /// them, and those of one name are joined by commas.
    pub(crate) request_headers: fn(&ModelRequest, &Quirks) -> Vec<Header>,
    /// The body of a request as JSON, without the user's extra fields. The error: a value cannot be written
    /// as JSON.
    pub(crate) request_body: fn(&ModelRequest, BodyContext<'_>) -> serde_json::Result<Vec<u8>>,
    /// The compaction of the provider's own; `None`: it has none.
    pub(crate) compaction: Option<NativeCompaction>,
    /// The reply length to request for an unknown model, in tokens; `None` if the format demands no
    /// number.
    pub(crate) default_max_output: Option<u32>,
    /// True if the provider has deferred tools of its own for a model, so that the body sends those of
    /// the request as such.
    pub(crate) defers_tools: fn(&str, BodyContext<'_>) -> bool,
    /// True if each request states the window to load.
    pub(crate) sends_window: bool,
    /// The parameters for an effort of a model, closest first; empty if none is sent.
    pub(crate) effort_levels: fn(&ProviderSpec, &str, ReasoningEffort) -> Vec<EffortLevel>,
    /// True if every model of the provider accepts reasoning being switched off.
    pub(crate) can_switch_reasoning_off: fn(&ProviderSpec) -> bool,
    /// The prefixes of the opaque data, received with reasoning or a call, that this format sends
    /// back.
    pub(crate) signature_prefixes: &'static [&'static str],
    /// A decoder of one reply, for the origin of [`BodyContext`].
    pub(crate) decoder: fn(String) -> Box<dyn ResponseDecoder>,
    /// True if a server may write for minutes and then send one piece, wherever it runs.
    pub(crate) sends_calls_whole: bool,
    /// The models that the server offers, in any order.
    pub(crate) list_models: for<'a> fn(&'a Endpoint, &'a ProviderSpec) -> ModelList<'a>,
}

impl WireFormat {
    /// The level for an effort that no known quirk of the server rejects; `None`: none is sent.
    pub(crate) fn effort_level(
        &self,
        spec: &ProviderSpec,
        model: &str,
        effort: ReasoningEffort,
        quirks: &Quirks,
    ) -> Option<EffortLevel> {
        (self.effort_levels)(spec, model, effort).into_iter().nth(quirks.skipped_levels(effort))
    }

    /// The parameter that a request sends; `None` if it sends none.
    pub(crate) fn effort_param(
        &self,
        request: &ModelRequest,
        context: BodyContext<'_>,
    ) -> Option<EffortParam> {
        let BodyContext { spec, quirks, .. } = context;
        let effort = request.requested_effort(quirks);
        self.effort_level(spec, &request.model, effort, quirks).map(|(param, _)| param)
    }
}

/// A request for the models of a server. The error: the request failed, or the list cannot be parsed.
pub(crate) type ModelList<'a> = BoxFuture<'a, Result<Vec<ListedModel>>>;

/// A request for a summary that the provider writes of a conversation.
pub(crate) struct NativeCompaction {
    /// The form of the summaries of a model; `None`: the model has no compaction.
    pub(crate) form: fn(&str) -> Option<SummaryForm>,
    /// The address, from that of a reply.
    pub(crate) url: fn(&Url) -> Url,
    /// The user's extra fields without those that the provider takes in a conversation and rejects in this
    /// request.
    pub(crate) accepted_fields: fn(&Map<String, Value>) -> Map<String, Value>,
}
