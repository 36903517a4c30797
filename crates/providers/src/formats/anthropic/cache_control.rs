//! The marks in a request up to which Anthropic keeps the prompt for the next one.

use serde::Serialize;
use skein_context::cost::prompt_cache::CacheLifetime;

use crate::model_request::ModelRequest;
use crate::quirks::quirk::Quirk;
use crate::wire::wire_format::BodyContext;

/// The mark.
#[derive(Serialize, Clone, Copy)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum AnthropicCacheControl {
    Ephemeral {
        /// Left out for five minutes.
        #[serde(skip_serializing_if = "Option::is_none")]
        ttl: Option<&'static str>,
    },
}

impl AnthropicCacheControl {
    /// The cache breakpoint of a request. All of its breakpoints have the same lifetime: Anthropic refuses a
    /// longer one after a shorter one.
    pub(super) fn of(request: &ModelRequest, context: BodyContext<'_>) -> Self {
        let BodyContext { spec, is_own_host, quirks, .. } = context;
        let takes_hour = spec.has_hour_cache && is_own_host && !quirks.has(Quirk::NoHourCache);
        let is_hour = takes_hour && request.cache_lifetime == CacheLifetime::Hour;
        Self::Ephemeral { ttl: is_hour.then_some("1h") }
    }
}

/// Sets a mark, where there is a place for it.
pub(super) fn breakpoint(
    place: Option<&mut Option<AnthropicCacheControl>>,
    mark: AnthropicCacheControl,
) {
    if let Some(place) = place {
        *place = Some(mark);
    }
}
