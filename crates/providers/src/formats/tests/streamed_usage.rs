//! The usage that each wire format reports.

use skein_domain::finish_reason::FinishReason;
use skein_domain::usage::TokenUsage;

use super::decoded_reply::{DecodedReply, check_cuts, events, said, told, usage};
use crate::registry::FormatId;

#[test]
fn d02_anthropic_figures_are_summed_and_overwritten_only_by_what_is_there() {
    let body = events(&[
        r#"{"type":"message_start","message":{"usage":{"input_tokens":10,"cache_creation_input_tokens":5,"cache_read_input_tokens":100,"output_tokens":1}}}"#,
        r#"{"type":"ping"}"#,
        r#"{"type":"content_block_start","index":0,"content_block":{"type":"redacted_thinking","data":"xx"}}"#,
        r#"{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"a"}}"#,
        r#"{"type":"message_delta","delta":{"stop_reason":"max_tokens"},"usage":{"output_tokens":7,"input_tokens":null}}"#,
        r#"{"type":"message_stop"}"#,
    ]);
    let start = TokenUsage {
        prompt: Some(115),
        cached: Some(100),
        cache_written: Some(5),
        ..TokenUsage::default()
    };
    let end = TokenUsage { completion: Some(7), total: Some(122), ..start };
    let told = check_cuts(FormatId::Anthropic, body.as_bytes());
    assert_eq!(told.usage, [start, end]);
    assert_eq!(told.signatures, ["anthropic-redacted:xx"]);
    assert_eq!(told.finish, Some(FinishReason::Length));
}

#[test]
fn d02_gemini_figures_hold_until_newer_ones_come() {
    let body = events(&[
        r#"{"candidates":[{"content":{"parts":[{"text":"a"}]}}],"usageMetadata":{"promptTokenCount":50,"cachedContentTokenCount":40}}"#,
        r#"{"candidates":[{"content":{"parts":[{"functionCall":{"name":"f","args":{}},"thoughtSignature":"s"}]},"finishReason":"STOP"}],"usageMetadata":{"candidatesTokenCount":4,"thoughtsTokenCount":6,"totalTokenCount":60}}"#,
    ]);
    let start = TokenUsage { prompt: Some(50), cached: Some(40), ..TokenUsage::default() };
    let end = TokenUsage { completion: Some(10), total: Some(60), reasoning: Some(6), ..start };
    let told = check_cuts(FormatId::Gemini, body.as_bytes());
    assert_eq!(told.usage, [start, end]);
    assert_eq!(told.finish, Some(FinishReason::ToolCalls));
}

#[test]
fn d02_an_ollama_that_had_the_prompt_cached_reports_no_prompt() {
    let body = "{\"message\":{\"content\":\"a\"},\"done\":false}\n\
                {\"message\":{\"content\":\"\"},\"done\":true,\"done_reason\":\"stop\",\"eval_count\":3}\n";
    let told = check_cuts(FormatId::Ollama, body.as_bytes());
    assert_eq!(told.usage, [TokenUsage { completion: Some(3), ..TokenUsage::default() }]);
}

#[test]
fn d02_responses_report_their_figures_when_they_end_whole_or_not() {
    let body = events(&[
        r#"{"type":"response.output_text.delta","output_index":1,"delta":"a"}"#,
        r#"{"type":"response.output_item.done","output_index":0,"item":{"type":"reasoning","id":"rs_1","encrypted_content":"abc"}}"#,
        r#"{"type":"response.incomplete","response":{"incomplete_details":{"reason":"max_output_tokens"},"usage":{"input_tokens":9,"output_tokens":4,"total_tokens":13,"input_tokens_details":{"cached_tokens":6,"cache_write_tokens":2},"output_tokens_details":{"reasoning_tokens":3}}}}"#,
    ]);
    let figures = TokenUsage {
        cached: Some(6),
        cache_written: Some(2),
        reasoning: Some(3),
        ..usage(9, 4, 13)
    };
    let told = check_cuts(FormatId::OpenAiResponses, body.as_bytes());
    assert_eq!((told.usage, told.finish), (vec![figures], Some(FinishReason::Length)));
    assert_eq!(told.signatures, ["responses:rs_1:abc"]);
}

#[test]
fn d02_usage_is_found_in_its_four_places_and_the_last_word_holds() {
    let expected = DecodedReply { usage: vec![usage(7, 3, 10)], ..said("a") };
    let figures = r#"{"prompt_tokens":7,"completion_tokens":3,"total_tokens":10}"#;
    let early = r#"{"prompt_tokens":7,"completion_tokens":1,"total_tokens":8}"#;
    for body in [
        format!(
            r#"{{"choices":[{{"delta":{{"content":"a"}}}}],"usage":{early}}}|{{"choices":[{{"delta":{{}},"finish_reason":"stop"}}],"usage":{figures}}}"#
        ),
        format!(
            r#"{{"choices":[{{"delta":{{"content":"a"}},"finish_reason":"stop"}}]}}|{{"choices":[],"usage":{figures}}}"#
        ),
        format!(
            r#"{{"choices":[{{"delta":{{"content":"a"}},"finish_reason":"stop","usage":{figures}}}]}}"#
        ),
        format!(
            r#"{{"choices":[{{"delta":{{"content":"a"}},"finish_reason":"stop"}}],"usage":null,"x_groq":{{"usage":{figures}}}}}"#
        ),
    ] {
        let body: String =
            body.split('|').map(|data| format!(": ping\n\ndata: {data}\n\n")).collect();
        assert_eq!(
            told(FormatId::OpenAiChat, &[body.as_bytes()]),
            expected,
            "without [DONE]: {body}"
        );
        let done = format!("{body}data: [DONE]\n\n");
        assert_eq!(check_cuts(FormatId::OpenAiChat, done.as_bytes()), expected, "{body}");
    }
}

#[test]
fn thoughts_that_are_counted_beside_the_answer_are_counted_with_it() {
    let body = "data: {\"choices\":[{\"delta\":{\"content\":\"a\"},\"finish_reason\":\"stop\"}],\"usage\":{\
                \"prompt_tokens\":12,\"completion_tokens\":1,\"total_tokens\":399,\
                \"completion_tokens_details\":{\"reasoning_tokens\":386}}}\n\n";
    let whole = TokenUsage { reasoning: Some(386), ..usage(12, 387, 399) };
    assert_eq!(
        told(FormatId::OpenAiChat, &[body.as_bytes()]),
        DecodedReply { usage: vec![whole], ..said("a") }
    );
    let within = body.replace("399", "13").replace("386", "1");
    let whole = TokenUsage { reasoning: Some(1), ..usage(12, 1, 13) };
    assert_eq!(told(FormatId::OpenAiChat, &[within.as_bytes()]).usage, [whole]);
}
