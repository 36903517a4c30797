//! W05: a provider's own compaction: the request, its headers, and the reply.
//! <https://platform.claude.com/docs/en/build-with-claude/compaction-on-demand>

use serde_json::{Value, json};
use skein_context::summary::ProviderCompaction;
use skein_domain::finish_reason::FinishReason;
use skein_domain::usage::TokenUsage;

use super::conversation::{conversation, own_body_bytes};
use super::decoded_reply::{DecodedReply, check_cuts, events, said, usage};
use crate::formats::wire_format;
use crate::model_request::ModelRequest;
use crate::quirks::quirk::{Quirk, Quirks};
use crate::registry::FormatId;

fn request(instructions: Option<&str>) -> ModelRequest {
    let instructions = instructions.map(str::to_owned);
    let compaction = Some(ProviderCompaction { instructions });
    ModelRequest { model: "claude-opus-5-5".to_owned(), compaction, ..conversation() }
}

fn body(request: &ModelRequest) -> Value {
    let body = own_body_bytes(request, "anthropic", &Quirks::default());
    serde_json::from_slice(&body).unwrap()
}

#[test]
fn w05_a_compaction_is_the_conversation_with_one_parameter_more() {
    let asked = request(None);
    let mut expected = body(&ModelRequest { compaction: None, ..asked.clone() });
    assert_eq!(expected["compaction"], Value::Null);
    expected["compaction"] = json!({ "type": "summarize" });
    assert_eq!(body(&asked), expected);
    expected["compaction"]["instructions"] = json!("Keep the port.");
    assert_eq!(body(&request(Some("Keep the port."))), expected);
}

#[test]
fn w05_the_beta_headers_of_a_request_stand_beside_each_other() {
    let format = wire_format(FormatId::Anthropic);
    let headers = |request: &ModelRequest, quirks| (format.request_headers)(request, &quirks);
    let compact = ("anthropic-beta", "compact-2026-09-04");
    let binding = ("anthropic-beta", "thinking-binding-controls-2026-08-01");
    let mismatch = || Quirks::from_iter([Quirk::DropMismatchedThinking]);
    assert_eq!(headers(&conversation(), Quirks::default()), []);
    assert_eq!(headers(&request(None), Quirks::default()), [compact]);
    assert_eq!(headers(&request(None), mismatch()), [binding, compact]);
}

const START: &str =
    r#"{"type":"message_start","message":{"usage":{"input_tokens":0,"output_tokens":0}}}"#;
const STOP: &str = r#"{"type":"message_stop"}"#;

#[test]
fn w05_the_summary_arrives_in_one_block_and_its_tokens_in_the_iterations() {
    let body = events(&[
        START,
        r#"{"type":"ping"}"#,
        r#"{"type":"content_block_start","index":0,"content_block":{"type":"compaction","content":"The loom is warped.","signature":"EuYBCkQY"}}"#,
        r#"{"type":"content_block_stop","index":0}"#,
        r#"{"type":"message_delta","delta":{"stop_reason":"compaction"},"usage":{"input_tokens":0,"output_tokens":0,"iterations":[{"type":"compaction","input_tokens":44,"cache_read_input_tokens":100,"cache_creation_input_tokens":0,"output_tokens":276}]}}"#,
        STOP,
    ]);
    let figures = TokenUsage { cached: Some(100), cache_written: Some(0), ..usage(144, 276, 420) };
    let expected = DecodedReply { usage: vec![figures], ..said("The loom is warped.") };
    assert_eq!(check_cuts(FormatId::Anthropic, body.as_bytes()), expected);
}

#[test]
fn w05_a_compaction_without_a_summary_is_empty_with_its_reason_and_its_tokens() {
    let body = events(&[
        START,
        r#"{"type":"message_delta","delta":{"stop_reason":"max_tokens"},"usage":{"input_tokens":0,"output_tokens":0,"iterations":[{"type":"compaction","input_tokens":144,"output_tokens":50}]}}"#,
        STOP,
    ]);
    let told = check_cuts(FormatId::Anthropic, body.as_bytes());
    assert_eq!((told.text.as_str(), told.finish), ("", Some(FinishReason::Length)));
    assert_eq!(told.usage, [usage(144, 50, 194)]);
}
