//! The cache parameters of OpenAI, for both of its wire formats.
//!
//! They are sent to OpenAI itself only: servers with the same formats reject unknown fields.
//! <https://developers.openai.com/api/docs/guides/prompt-caching>
//!
//! `prompt_cache_retention` of the models before GPT-5.6 is never sent. An ordinary account keeps
//! their prompts for 24 hours by default; one with zero data retention does not, and `24h` would
//! override that.

use serde::Serialize;
use skein_context::cost::prompt_cache::has_cache_lifetime_option;

use super::wire_format::BodyContext;
use crate::model_request::ModelRequest;
use crate::quirks::quirk::Quirk;

/// The fields of a body.
#[derive(Serialize)]
pub(crate) struct PromptCacheParams<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    prompt_cache_key: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    prompt_cache_options: Option<PromptCacheOptions>,
}

#[derive(Serialize)]
struct PromptCacheOptions {
    ttl: &'static str,
}

impl<'a> PromptCacheParams<'a> {
    pub(crate) fn of(request: &'a ModelRequest, context: BodyContext<'_>) -> Self {
        let BodyContext { spec, is_own_host, quirks, .. } = context;
        let is_told = spec.has_cache_keys && is_own_host;
        let key = request.cache_key.as_deref();
        let has_lifetime = is_told && has_cache_lifetime_option(&request.model);
        Self {
            prompt_cache_key: key.filter(|_| is_told && !quirks.has(Quirk::NoCacheKey)),
            prompt_cache_options: (has_lifetime && !quirks.has(Quirk::NoCacheLifetime))
                .then_some(PromptCacheOptions { ttl: "30m" }),
        }
    }
}
