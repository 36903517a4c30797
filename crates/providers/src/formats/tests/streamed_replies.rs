//! Decoding of single frames.

use skein_domain::finish_reason::FinishReason;

use super::decoded_reply::{DecodedReply, check_cuts, events, said, told};
use crate::formats::wire_format;
use crate::registry::FormatId;
use crate::wire::response_decoder::{DecodeError, StreamPhase};
use crate::wire::stream_reader::{DecodedEvents, StreamReader};

#[test]
fn a_stream_goes_on_behind_a_lone_surrogate() {
    let body = r#"data: {"choices":[{"delta":{"content":"wool \ud83d"}}]}

data: {"choices":[{"delta":{"content":" and silk"},"finish_reason":"stop"}]}

data: [DONE]

"#;
    assert_eq!(told(FormatId::OpenAiChat, &[body.as_bytes()]), said("wool \u{fffd} and silk"));
}

#[test]
fn what_a_wire_wants_back_is_known_by_how_it_begins() {
    for (format, frame) in [
        (
            FormatId::OpenAiResponses,
            r#"{"type":"response.output_item.done","output_index":0,"item":{"type":"reasoning","id":"rs_1","encrypted_content":"abc"}}"#,
        ),
        (
            FormatId::Anthropic,
            r#"{"type":"content_block_start","index":0,"content_block":{"type":"redacted_thinking","data":"xx"}}"#,
        ),
        (
            FormatId::Anthropic,
            r#"{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"xx"}}"#,
        ),
        (
            FormatId::Gemini,
            r#"{"candidates":[{"content":{"parts":[{"text":"a","thoughtSignature":"s"}]}}]}"#,
        ),
        (
            FormatId::OpenAiChat,
            r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"1","function":{"name":"a","arguments":"{}"},"extra_content":{"google":{"thought_signature":"s"}}}]},"finish_reason":"tool_calls"}]}"#,
        ),
    ] {
        let signatures = told(format, &[events(&[frame]).as_bytes()]).signatures;
        assert_eq!(signatures.len(), 1, "{frame}");
        let known = |signature: &String| {
            wire_format(format).signature_prefixes.iter().any(|it| signature.starts_with(it))
        };
        assert!(signatures.iter().all(known), "{signatures:?}");
    }
}

#[test]
fn what_is_not_the_protocol_is_said_to_be_so() {
    for (format, body) in [
        (FormatId::OpenAiChat, "<!doctype html><title>Login</title>"),
        (FormatId::OpenAiChat, "{malformed json: <<<chaos>>>"),
        (FormatId::OpenAiChat, "upstream connect error"),
        (FormatId::OpenAiChat, "data: {\"choices\": nonsense}\n\n"),
        (FormatId::Ollama, "<html></html>"),
    ] {
        let told = told(format, &[body.as_bytes()]);
        assert!(matches!(told.fault, Some(DecodeError::Malformed(_))), "{body}: {told:?}");
    }
}

#[test]
fn an_error_in_mid_stream_ends_it() {
    let body = "data: {\"choices\":[{\"delta\":{\"content\":\"Hal\"}}]}\n\n\
                data: {\"error\":{\"code\":500,\"message\":\"gone\"}}\n\n";
    let told = told(FormatId::OpenAiChat, &[body.as_bytes()]);
    assert_eq!(told.text, "Hal");
    assert!(matches!(told.fault, Some(DecodeError::Reported(_))), "{told:?}");
}

#[test]
fn a_call_that_gemini_broke_off_is_no_answer() {
    let body = |reason: &str, part: &str| {
        events(&[
            r#"{"candidates":[{"content":{"parts":[{"text":"I look."}]}}]}"#,
            &format!(
                r#"{{"candidates":[{{"content":{{"parts":[{part}]}},"finishReason":"{reason}","finishMessage":"Malformed function call: the prompt is too long: 210000 tokens > 200000 maximum"}}]}}"#
            ),
        ])
    };
    for reason in ["MALFORMED_FUNCTION_CALL", "MISSING_THOUGHT_SIGNATURE", "OTHER"] {
        let told = check_cuts(FormatId::Gemini, body(reason, r#"{"text":""}"#).as_bytes());
        let fault = DecodeError::Reported(format!(r#"{{"error":{{"message":"{reason}"}}}}"#));
        assert_eq!((told.text.as_str(), told.finish, told.fault), ("I look.", None, Some(fault)));
    }
    let call = r#"{"functionCall":{"name":"look","args":{}}}"#;
    let whole = check_cuts(FormatId::Gemini, body("UNEXPECTED_TOOL_CALL", call).as_bytes());
    assert_eq!((whole.finish, whole.fault), (Some(FinishReason::ToolCalls), None));
    let filtered = check_cuts(FormatId::Gemini, body("MODEL_ARMOR", r#"{"text":""}"#).as_bytes());
    assert_eq!(filtered.finish, Some(FinishReason::Filtered));
}

#[test]
fn a_picture_that_a_model_makes_is_not_left_out_without_a_word() {
    let said = "Look:\n\n[A picture was made here. It is not kept.]\n\n";
    for (format, frame) in [
        (
            FormatId::Gemini,
            r#"{"candidates":[{"content":{"parts":[{"text":"Look:"},{"thought":true,"inlineData":{"mimeType":"image/png","data":"cG5n"}},{"inlineData":{"mimeType":"image/png","data":"cG5n"}}]},"finishReason":"STOP"}]}"#,
        ),
        (
            FormatId::OpenAiChat,
            r#"{"choices":[{"delta":{"content":"Look:","images":[{"type":"image_url","image_url":{"url":"data:image/png;base64,cG5n"}}]},"finish_reason":"stop"}]}"#,
        ),
    ] {
        assert_eq!(check_cuts(format, events(&[frame]).as_bytes()).text, said, "{format:?}");
    }
}

#[test]
fn what_a_request_was_declined_for_is_said() {
    let body = events(&[
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hello."}}"#,
        r#"{"type":"message_delta","delta":{"stop_reason":"refusal","stop_details":{"type":"refusal","category":"cyber","explanation":"This request was declined because it could enable cyber harm."}}}"#,
        r#"{"type":"message_stop"}"#,
    ]);
    let told = check_cuts(FormatId::Anthropic, body.as_bytes());
    let why = "This request was declined because it could enable cyber harm.";
    assert_eq!(told.text, format!("Hello.\n\n[{why}]"));
    assert_eq!(told.finish, Some(FinishReason::Filtered));
    let mute = r#"{"content":[],"stop_reason":"refusal","stop_details":null}"#;
    let mute = check_cuts(FormatId::Anthropic, mute.as_bytes());
    assert_eq!((mute.text.as_str(), mute.finish), ("", Some(FinishReason::Filtered)));
}

#[test]
fn of_a_response_that_failed_only_its_error_is_read() {
    let rest = r#""instructions":"A browser waits at most a timeout of 30 s.","tools":[{"description":"rate limit"}],"output":[]"#;
    let error = r#"{"code":"context_length_exceeded","message":"Too long."}"#;
    let fault = Some(DecodeError::Reported(format!(r#"{{"error":{error}}}"#)));
    let failed = format!(r#"{{"status":"failed",{rest},"error":{error}}}"#);
    let streamed = events(&[&format!(r#"{{"type":"response.failed","response":{failed}}}"#)]);
    assert_eq!(check_cuts(FormatId::OpenAiResponses, streamed.as_bytes()).fault, fault);
    assert_eq!(told(FormatId::OpenAiResponses, &[failed.as_bytes()]).fault, fault);
    let mute = format!(r#"{{"type":"response.failed","response":{{"status":"failed",{rest}}}}}"#);
    let fault = DecodeError::Reported(r#"{"status":"failed"}"#.to_owned());
    assert_eq!(told(FormatId::OpenAiResponses, &[events(&[&mute]).as_bytes()]).fault, Some(fault));
}

#[test]
fn the_parts_of_a_reasoning_and_the_words_before_an_answer_stand_apart() {
    let body = events(&[
        r#"{"type":"response.reasoning_summary_text.delta","output_index":0,"summary_index":0,"delta":"I "}"#,
        r#"{"type":"response.reasoning_summary_text.delta","output_index":0,"summary_index":0,"delta":"look."}"#,
        r#"{"type":"response.reasoning_summary_text.delta","output_index":0,"summary_index":1,"delta":"I see."}"#,
        r#"{"type":"response.output_item.done","output_index":0,"item":{"type":"reasoning","id":"rs_1","encrypted_content":"abc"}}"#,
        r#"{"type":"response.reasoning_summary_text.delta","output_index":1,"summary_index":0,"delta":" So."}"#,
        r#"{"type":"response.output_text.delta","output_index":2,"content_index":0,"delta":"I look"}"#,
        r#"{"type":"response.output_text.delta","output_index":2,"content_index":0,"delta":" again."}"#,
        r#"{"type":"response.output_text.delta","output_index":3,"content_index":0,"delta":"A loom."}"#,
        r#"{"type":"response.completed","response":{}}"#,
    ]);
    let told = check_cuts(FormatId::OpenAiResponses, body.as_bytes());
    assert_eq!(told.reasoning, "I look.\n\nI see. So.");
    assert_eq!(told.text, "I look again.\n\nA loom.");
    let whole = r#"{"output":[{"type":"reasoning","summary":[{"text":"I look."},{"text":"I see."}]},{"type":"reasoning","summary":[],"content":[{"type":"reasoning_text","text":"So."}]},{"type":"message","content":[{"text":"A loom."}]}]}"#;
    let told = check_cuts(FormatId::OpenAiResponses, whole.as_bytes());
    assert_eq!(
        (told.reasoning.as_str(), told.text.as_str()),
        ("I look.\n\nI see.\n\nSo.", "A loom.")
    );
}

#[test]
fn an_answer_the_server_gave_up_on_has_no_end() {
    for reason in ["insufficient_system_resource", "network_error", "abort", "cancelled"] {
        let body = format!(
            "data: {{\"choices\":[{{\"delta\":{{\"content\":\"Hal\"}}}}]}}\n\n\
             data: {{\"choices\":[{{\"delta\":{{}},\"finish_reason\":\"{reason}\"}}]}}\n\n"
        );
        let half = DecodedReply { finish: None, ..said("Hal") };
        assert_eq!(told(FormatId::OpenAiChat, &[body.as_bytes()]), half, "{reason}");
        let done = format!("{body}data: [DONE]\n\n");
        assert_eq!(check_cuts(FormatId::OpenAiChat, done.as_bytes()), half, "{reason}");
        let mut reader =
            StreamReader::new((wire_format(FormatId::OpenAiChat).decoder)(String::new()));
        reader.push(done.as_bytes());
        assert_eq!(reader.phase(), StreamPhase::Closed, "nothing is waited for");
    }
}

#[test]
fn reasoning_is_found_in_its_three_spellings() {
    for first in [
        r#"{"reasoning_content":"hm"}"#,
        r#"{"reasoning":"hm","content":""}"#,
        r#"{"content":"<think>hm</think>"}"#,
        r#"{"content":[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]}]}"#,
    ] {
        let body = format!(
            "data: {{\"choices\":[{{\"delta\":{first}}}]}}\n\n\
             data: {{\"choices\":[{{\"delta\":{{\"content\":\"so\"}},\"finish_reason\":\"stop\"}}]}}\n\n"
        );
        let told = check_cuts(FormatId::OpenAiChat, body.as_bytes());
        assert_eq!(told, DecodedReply { reasoning: "hm".to_owned(), ..said("so") }, "{first}");
    }
}

#[test]
fn fragments_of_calls_are_told_apart_with_and_without_an_index() {
    let expected = vec![("a".to_owned(), "{}".to_owned()), ("b".to_owned(), "[1]".to_owned())];
    for fragments in [
        r#"{"index":0,"id":"1","function":{"name":"a","arguments":"{"}}|{"index":0,"function":{"arguments":"}"}}|{"index":1,"id":"2","function":{"name":"b","arguments":"[1]"}}"#,
        r#"{"id":"1","function":{"name":"a","arguments":"{"}}|{"function":{"arguments":"}"}}|{"id":"2","function":{"name":"b","arguments":"[1]"}}"#,
        r#"{"index":0,"id":"1","function":{"name":"a","arguments":"{}"}}|{"index":0,"id":"2","function":{"name":"b","arguments":"[1]"}}"#,
        r#"{"index":0,"id":"1","function":{"name":"a","arguments":{}}}|{"index":1,"id":"","function":{"name":"b","arguments":"[1]"}}"#,
        r#"{"index":0,"id":"1","function":{"name":"a","arguments":"{"}}|{"index":0,"id":"1","function":{"name":"a","arguments":"}"}}|{"function":{"name":"b","arguments":"[1]"}}"#,
        r#"{"id":"1","function":{"name":"a","arguments":"{"}}|{"id":"1","function":{"arguments":"}"}}|{"id":"1","function":{"name":"b","arguments":"["}}|{"id":"1","function":{"arguments":"1]"}}"#,
    ] {
        let mut body: String = fragments
            .split('|')
            .map(|call| {
                format!("data: {{\"choices\":[{{\"delta\":{{\"tool_calls\":[{call}]}}}}]}}\n\n")
            })
            .collect();
        body.push_str("data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n");
        let told = told(FormatId::OpenAiChat, &[body.as_bytes()]);
        assert_eq!(
            (told.calls, told.finish),
            (expected.clone(), Some(FinishReason::ToolCalls)),
            "{fragments}"
        );
    }
}

#[test]
fn a_frame_of_a_megabyte_is_one_delta() {
    let text = "é".repeat(1 << 19);
    let body = format!(
        "data: {{\"choices\":[{{\"delta\":{{\"content\":\"{text}\"}},\"finish_reason\":\"stop\"}}]}}\n\n"
    );
    let chunks: Vec<&[u8]> = body.as_bytes().chunks(1_000).collect();
    assert_eq!(told(FormatId::OpenAiChat, &chunks), said(&text));
}

#[test]
fn what_never_ends_a_frame_is_not_held_for_ever() {
    for begins in ["data: ", "<html>"] {
        let mut reader =
            StreamReader::new((wire_format(FormatId::OpenAiChat).decoder)(String::new()));
        assert_eq!(reader.push(begins.as_bytes()), DecodedEvents::default());
        let piece = [b'x'; 1 << 20];
        let pieces = (1..=65).find(|_| reader.push(&piece).error.is_some());
        assert_eq!(pieces, Some(64), "{begins}");
    }
}
