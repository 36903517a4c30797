//! The small request that tests a provider.

use std::collections::HashMap;

use serde_json::{Map, Value};
use skein_context::cost::prompt_cache::CacheLifetime;
use skein_context::window::{Prompt, PromptMessage};
use skein_domain::message::{ContentPart, Role};
use skein_domain::provider_config::ReasoningEffort;

use crate::model_request::{ModelRequest, RepeatCheck};

/// A tiny request with the user's extra fields. Any answer to it shows that the address, the key and the
/// model are right.
pub fn connection_test_request(model: &str, fields: Map<String, Value>) -> ModelRequest {
    let parts = [ContentPart::Text { text: "Reply with OK.".to_owned() }].into();
    let messages = vec![PromptMessage { role: Role::User, parts }];
    ModelRequest {
        model: model.to_owned(),
        prompt: Prompt { messages, ..Prompt::default() },
        blobs: HashMap::new(),
        compaction: None,
        max_output: Some(16),
        window: None,
        prompt_tokens: None,
        effort: ReasoningEffort::Default,
        is_user_facing: false,
        cache_key: None,
        cache_lifetime: CacheLifetime::Usual,
        extra_body: fields,
        repeat_check: RepeatCheck::none(),
    }
}
