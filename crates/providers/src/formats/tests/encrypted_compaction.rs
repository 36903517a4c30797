//! W09: the compaction of OpenAI Responses: the request, its address, the reply, and what is sent back of it.
//! <https://developers.openai.com/api/docs/guides/compaction>

use std::collections::BTreeSet;

use std::sync::Arc;

use reqwest::Url;
use serde_json::{Value, json};
use skein_context::summary::ProviderCompaction;
use skein_domain::encrypted_summary::EncryptedSummary;
use skein_domain::finish_reason::FinishReason;
use skein_domain::ids::ProviderId;
use skein_domain::model::ModelRef;

use super::conversation::{conversation, own_body_bytes};
use super::decoded_reply::{DecodedReply, check_cuts, usage};
use crate::formats::wire_format;
use crate::model_request::ModelRequest;
use crate::quirks::quirk::{Quirk, Quirks};
use crate::registry::FormatId;

fn items() -> Vec<Value> {
    let said = json!([{ "type": "input_text", "text": "The port is 7443." }]);
    vec![
        json!({ "type": "message", "role": "user", "id": "msg_1", "content": said }),
        json!({ "type": "compaction", "id": "cmp_1", "encrypted_content": "gAAAAABx" }),
    ]
}

/// A conversation after a compaction whose items came from `origin`.
fn compacted(origin: &str) -> ModelRequest {
    let encrypted = EncryptedSummary {
        origin: origin.to_owned(),
        model: ModelRef { provider: ProviderId("p".to_owned()), model: "gpt-5.4".to_owned() },
        items: items(),
        tokens: 9,
    };
    let mut request = ModelRequest { model: "gpt-5.4".to_owned(), ..conversation() };
    request.prompt.encrypted = Some(Arc::new(encrypted));
    request
}

fn body(request: &ModelRequest, quirks: &Quirks) -> Value {
    serde_json::from_slice(&own_body_bytes(request, "openai-responses", quirks)).unwrap()
}

fn plain(request: &ModelRequest) -> ModelRequest {
    let mut plain = request.clone();
    plain.prompt.encrypted = None;
    plain
}

#[test]
fn w09_a_compaction_is_asked_for_at_its_own_address_with_the_input_of_a_reply_and_no_more() {
    let reply = ModelRequest { cache_key: Some("key".to_owned()), ..plain(&compacted("here")) };
    let compaction = Some(ProviderCompaction::default());
    let asked = ModelRequest { compaction, ..reply.clone() };
    let (sent, whole) = (body(&asked, &Quirks::default()), body(&reply, &Quirks::default()));
    let names: BTreeSet<_> = sent.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(names, BTreeSet::from(["input", "instructions", "model", "prompt_cache_key"]));
    for name in names {
        assert_eq!(sent[name], whole[name], "{name}");
    }
    let format = wire_format(FormatId::OpenAiResponses).compaction.as_ref().unwrap();
    let typed = "https://me.openai.azure.com/openai/v1/responses?api-version=preview";
    let url = (format.url)(&Url::parse(typed).unwrap());
    assert_eq!(url.as_str(), typed.replace("responses", "responses/compact"));
    let extra = json!({ "service_tier": "flex", "temperature": 1, "store": true });
    let accepted = (format.accepted_fields)(extra.as_object().unwrap());
    assert_eq!(Value::Object(accepted), json!({ "service_tier": "flex" }));
}

#[test]
fn w09_the_items_of_a_reply_are_kept_as_they_came_and_are_no_text() {
    let reply = json!({
        "id": "resp_1", "object": "response.compaction", "created_at": 1, "output": items(),
        "usage": { "input_tokens": 139, "output_tokens": 438, "total_tokens": 577 },
    });
    let expected = DecodedReply {
        encrypted: items(),
        usage: vec![usage(139, 438, 577)],
        finish: Some(FinishReason::Stop),
        ..DecodedReply::default()
    };
    let body = serde_json::to_string_pretty(&reply).unwrap();
    assert_eq!(check_cuts(FormatId::OpenAiResponses, body.as_bytes()), expected);
}

#[test]
fn w09_the_items_take_the_place_of_the_first_message_at_their_origin_alone() {
    let inputs = |request: &ModelRequest, quirks: &Quirks| -> Vec<Value> {
        body(request, quirks)["input"].as_array().unwrap().clone()
    };
    let request = compacted("here");
    let readable = inputs(&plain(&request), &Quirks::default());
    let sent = inputs(&request, &Quirks::default());
    assert_eq!(sent[..2], items());
    assert_eq!(sent[2..], readable[1..]);
    assert_eq!(inputs(&compacted("elsewhere"), &Quirks::default()), readable);
    let refused = Quirks::from_iter([Quirk::NoEncryptedSummary]);
    assert_eq!(inputs(&request, &refused), readable);
}
