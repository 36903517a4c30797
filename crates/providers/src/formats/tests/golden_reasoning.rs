//! Reasoning that is sent back to a provider, and the reasoning parameters.

use serde_json::{Value, json};
use skein_context::window::PromptMessage;
use skein_domain::message::{ContentPart, Role};
use skein_domain::provider_config::ReasoningEffort;

use super::conversation::{body_bytes, conversation, spelled_of, text};
use crate::model_request::ModelRequest;
use crate::quirks::quirk::{Quirk, Quirks};

#[test]
fn the_newest_models_are_told_which_of_their_words_were_the_answer() {
    let phases = |model: &str, quirks: &[Quirk]| {
        let request = ModelRequest { model: model.to_owned(), ..conversation() };
        let quirks = Quirks::from_iter(quirks.iter().copied());
        let body = body_bytes(&request, "openai-responses", &quirks);
        let body: Value = serde_json::from_slice(&body).unwrap();
        let items = body["input"].as_array().unwrap().iter();
        let phases = items.filter_map(|item| item["phase"].as_str().map(str::to_owned));
        phases.collect::<Vec<_>>()
    };
    assert_eq!(phases("gpt-5.4", &[]), ["commentary", "final_answer"]);
    for (model, quirks) in
        [("gpt-5.4", &[Quirk::NoPhase] as &[_]), ("gpt-4o", &[]), ("gpt-oss", &[])]
    {
        assert!(phases(model, quirks).is_empty(), "{model}");
    }
}

/// The reasoning in each message of a chat completions request.
fn thoughts(kind: &str, quirks: &Quirks) -> Vec<Value> {
    let request = conversation();
    let body = body_bytes(&request, kind, quirks);
    let body: Value = serde_json::from_slice(&body).unwrap();
    let messages = body["messages"].as_array().unwrap().iter();
    let assistant = messages.filter(|message| message["role"] == "assistant");
    assistant.map(|message| message["reasoning_content"].clone()).collect()
}

#[test]
fn reasoning_goes_back_with_every_message_of_the_model_where_it_is_demanded() {
    for kind in ["deepseek", "moonshot", "zhipu"] {
        assert_eq!(thoughts(kind, &Quirks::default()), [json!("hm"), json!(" ")], "{kind}");
    }
    assert_eq!(thoughts("custom", &Quirks::default()), [Value::Null, Value::Null]);
}

#[test]
fn an_address_of_no_known_kind_that_demands_reasoning_gets_it() {
    let quirks = Quirks::from_iter([Quirk::RequiresReasoning]);
    assert_eq!(thoughts("custom", &quirks), [json!("hm"), json!(" ")]);
}

#[test]
fn an_address_of_anthropics_format_that_demands_reasoning_gets_it() {
    let request = conversation();
    let quirks = Quirks::from_iter([Quirk::RequiresReasoning]);
    let body = body_bytes(&request, "anthropic", &quirks);
    let body: Value = serde_json::from_slice(&body).unwrap();
    let messages = body["messages"].as_array().unwrap().iter();
    let assistant = messages.filter(|message| message["role"] == "assistant");
    let first: Vec<_> = assistant.map(|message| message["content"][0].clone()).collect();
    let thought = |thinking: &str, signature: &str| json!({ "type": "thinking", "thinking": thinking, "signature": signature });
    assert_eq!(first, [thought("hm", "proof"), thought(" ", "")]);
}

/// The reasoning parameter of a request, and the reasoning sent back with it.
fn thinking(effort: ReasoningEffort, quirks: &[Quirk]) -> (Value, Vec<Value>) {
    let request = ModelRequest { effort, ..conversation() };
    let quirks = Quirks::from_iter(quirks.iter().copied());
    let body = body_bytes(&request, "anthropic", &quirks);
    let body: Value = serde_json::from_slice(&body).unwrap();
    let messages = body["messages"].as_array().unwrap().iter();
    let blocks = messages.flat_map(|message| message["content"].as_array().unwrap());
    let thoughts = blocks.filter(|block| block["type"] == "thinking");
    (body["thinking"].clone(), thoughts.map(|it| it["signature"].clone()).collect())
}

#[test]
fn thoughts_that_are_bound_to_what_stood_before_them_are_dropped_there_or_do_not_go_back() {
    let binds = json!({
        "type": "adaptive",
        "display": "summarized",
        "block_binding": { "prefix_mismatch_behavior": "drop_block" },
    });
    let proof = vec![json!("proof")];
    for effort in [ReasoningEffort::Default, ReasoningEffort::High] {
        let drops = thinking(effort, &[Quirk::DropMismatchedThinking]);
        assert_eq!(drops, (binds.clone(), proof.clone()), "{effort:?}");
    }
    assert_eq!(thinking(ReasoningEffort::Default, &[]), (Value::Null, proof));
    // With reasoning off, it cannot be told what to drop.
    let off = thinking(ReasoningEffort::Off, &[]).0;
    assert_eq!(thinking(ReasoningEffort::Off, &[Quirk::DropMismatchedThinking]), (off, vec![]));
    let both = [Quirk::DropMismatchedThinking, Quirk::NoThinkingReplay];
    assert_eq!(thinking(ReasoningEffort::Default, &both), (Value::Null, vec![]));
}

#[test]
fn a_model_that_does_not_reason_is_neither_asked_for_reasoning_nor_given_any() {
    let mut request = conversation();
    let thought = ContentPart::Reasoning {
        text: "hm".to_owned(),
        signature: Some("responses:rs_1:sealed".to_owned()),
    };
    let parts = [thought, text("And done.")].into();
    request.prompt.messages.push(PromptMessage { role: Role::Assistant, parts });
    let of = |quirks: &Quirks| {
        let body = body_bytes(&request, "openai-responses", quirks);
        let body: Value = serde_json::from_slice(&body).unwrap();
        let items = body["input"].as_array().unwrap().iter();
        let thoughts = items.filter(|item| item["type"] == "reasoning").count();
        (thoughts, body["include"].clone(), body["store"].clone())
    };
    let asked = (1, json!(["reasoning.encrypted_content"]), json!(false));
    assert_eq!(of(&Quirks::default()), asked);
    let quirks = Quirks::from_iter([Quirk::NoEncryptedReasoning]);
    assert_eq!(of(&quirks), (0, Value::Null, json!(false)));
}

#[test]
fn a_reply_that_ended_in_its_thoughts_is_no_empty_message() {
    let thought = ContentPart::Reasoning { text: "hm".to_owned(), signature: None };
    let mut request = conversation();
    request.prompt.messages = vec![
        PromptMessage { role: Role::User, parts: [text("first")].into() },
        PromptMessage { role: Role::Assistant, parts: [thought].into() },
        PromptMessage { role: Role::User, parts: [text("go on")].into() },
    ];
    let said = &spelled_of(&request, "moonshot")["messages"][2];
    assert_eq!(*said, json!({ "role": "assistant", "content": "…", "reasoning_content": "hm" }));
}
