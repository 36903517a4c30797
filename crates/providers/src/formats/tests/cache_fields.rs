//! The cache parameters of requests to OpenAI and Anthropic.

use serde_json::{Value, json};
use skein_context::cost::prompt_cache::CacheLifetime;

use super::conversation::conversation;
use crate::formats::wire_format;
use crate::model_request::ModelRequest;
use crate::quirks::quirk::{Quirk, Quirks};
use crate::registry::find_provider;
use crate::wire::wire_format::BodyContext;

/// The cache fields of a request for a model: key, lifetime and retention.
fn told(kind: &str, model: &str, is_own_host: bool, quirks: &Quirks) -> [Value; 3] {
    let cache_key = Some("0123456789abcdef".to_owned());
    let request = ModelRequest { model: model.to_owned(), cache_key, ..conversation() };
    let spec = find_provider(kind).unwrap();
    let context = BodyContext { spec, is_own_host, quirks, origin: "here" };
    let body = (wire_format(spec.format).request_body)(&request, context).unwrap();
    let body: Value = serde_json::from_slice(&body).unwrap();
    let fields = ["prompt_cache_key", "prompt_cache_options", "prompt_cache_retention"];
    fields.map(|field| body[field].clone())
}

#[test]
fn c05_only_openai_itself_gets_the_key_of_a_session() {
    let (key, none) = (json!("0123456789abcdef"), Value::Null);
    let lifetime = json!({ "ttl": "30m" });
    let quirks = Quirks::default();
    for kind in ["openai", "openai-responses"] {
        let told = |model: &str, own| told(kind, model, own, &quirks);
        assert_eq!(told("gpt-5.6-terra", true), [key.clone(), lifetime.clone(), none.clone()]);
        assert_eq!(told("gpt-5.4", true), [key.clone(), none.clone(), none.clone()]);
        assert_eq!(told("gpt-5.6-terra", false), [none.clone(), none.clone(), none.clone()]);
    }
    for kind in ["custom", "groq", "xai", "openrouter", "anthropic", "gemini", "ollama"] {
        assert_eq!(
            told(kind, "gpt-5.6", true, &quirks),
            [none.clone(), none.clone(), none.clone()]
        );
    }
}

#[test]
fn c05_a_refused_field_is_left_out_and_the_other_stays() {
    let told = |quirk| told("openai", "gpt-5.6", true, &Quirks::from_iter([quirk]));
    assert_eq!(told(Quirk::NoCacheLifetime)[0], json!("0123456789abcdef"));
    assert_eq!(told(Quirk::NoCacheLifetime)[1], Value::Null);
    assert_eq!(told(Quirk::NoCacheKey)[0], Value::Null);
    assert_eq!(told(Quirk::NoCacheKey)[1], json!({ "ttl": "30m" }));
}

/// The marks of a request to Anthropic's wire.
fn marks(
    kind: &str,
    cache_lifetime: CacheLifetime,
    is_own_host: bool,
    quirks: &Quirks,
) -> Vec<Value> {
    let request = ModelRequest { cache_lifetime, ..conversation() };
    let spec = find_provider(kind).unwrap();
    let context = BodyContext { spec, is_own_host, quirks, origin: "here" };
    let body = (wire_format(spec.format).request_body)(&request, context).unwrap();
    let body: Value = serde_json::from_slice(&body).unwrap();
    let said = body["messages"].as_array().unwrap().iter();
    let blocks = said.flat_map(|message| message["content"].as_array().unwrap());
    let marks = body["system"].as_array().unwrap().iter().chain(blocks);
    marks.map(|block| block["cache_control"].clone()).filter(|mark| !mark.is_null()).collect()
}

#[test]
fn c07_anthropic_alone_is_asked_to_keep_a_prompt_for_an_hour() {
    let usual = vec![json!({ "type": "ephemeral" }); 2];
    let hour = vec![json!({ "type": "ephemeral", "ttl": "1h" }); 2];
    let (none, refused) = (Quirks::default(), Quirks::from_iter([Quirk::NoHourCache]));
    assert_eq!(marks("anthropic", CacheLifetime::Hour, true, &none), hour);
    assert_eq!(marks("anthropic", CacheLifetime::Usual, true, &none), usual);
    assert_eq!(marks("anthropic", CacheLifetime::Hour, true, &refused), usual);
    assert_eq!(marks("anthropic", CacheLifetime::Hour, false, &none), usual);
    assert_eq!(marks("minimax", CacheLifetime::Hour, true, &none), usual);
}
