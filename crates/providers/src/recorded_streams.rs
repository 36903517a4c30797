//! Recorded answers, whole and cut at every byte.

use std::path::Path;

use skein_domain::finish_reason::FinishReason;
use skein_domain::usage::TokenUsage;

use super::StreamEvent;
use super::decoder::{DecodeError, DecodedEvents, StreamPhase, StreamReader};
use super::factory::signature_prefixes;
use super::http_call::decoder;
use super::registry::WireFormat;

/// What an answer came to.
#[derive(Debug, Default, Clone, PartialEq)]
struct DecodedReply {
    text: String,
    reasoning: String,
    signatures: Vec<String>,
    /// Name and arguments of each call.
    calls: Vec<(String, String)>,
    usage: Vec<TokenUsage>,
    finish: Option<FinishReason>,
    fault: Option<DecodeError>,
}

impl DecodedReply {
    fn take(&mut self, brought: DecodedEvents) {
        assert!(self.fault.is_none(), "nothing follows a fault");
        for event in brought.events {
            assert!(self.finish.is_none(), "nothing follows the finish: {event:?}");
            match event {
                StreamEvent::Retrying { .. }
                | StreamEvent::OutputCapped { .. }
                | StreamEvent::EffortRefused { .. } => {
                    unreachable!("decoders do not wait")
                }
                StreamEvent::Text { delta } => self.text.push_str(&delta),
                StreamEvent::Reasoning { delta } => self.reasoning.push_str(&delta),
                StreamEvent::ReasoningSignature { signature }
                | StreamEvent::CallSignature { signature, .. } => self.signatures.push(signature),
                StreamEvent::ToolCall { index, name, .. } => {
                    assert_eq!(usize::try_from(index).unwrap(), self.calls.len());
                    self.calls.push((name, String::new()));
                }
                StreamEvent::ToolArgs { index, delta } => {
                    self.calls[usize::try_from(index).unwrap()].1.push_str(&delta);
                }
                StreamEvent::Usage { usage } => self.usage.push(usage),
                StreamEvent::Billing { .. } => {}
                StreamEvent::Finished { reason } => self.finish = Some(reason),
            }
        }
        self.fault = brought.error;
    }
}

fn told(format: WireFormat, pieces: &[&[u8]]) -> DecodedReply {
    let mut reader = StreamReader::new(decoder(format, "here".to_owned()));
    let mut told = DecodedReply::default();
    for piece in pieces {
        told.take(reader.push(piece));
        if told.fault.is_some() {
            return told;
        }
    }
    told.take(reader.end());
    told
}

fn recorded(name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/streams").join(name);
    let http = std::fs::read(path.with_extension("http")).unwrap();
    scripted_server::parted(&http).1.to_vec()
}

fn said(text: &str) -> DecodedReply {
    DecodedReply {
        text: text.to_owned(),
        finish: Some(FinishReason::Stop),
        ..DecodedReply::default()
    }
}

#[test]
fn a_stream_goes_on_behind_a_lone_surrogate() {
    let body = r#"data: {"choices":[{"delta":{"content":"wool \ud83d"}}]}

data: {"choices":[{"delta":{"content":" and silk"},"finish_reason":"stop"}]}

data: [DONE]

"#;
    assert_eq!(told(WireFormat::Chat, &[body.as_bytes()]), said("wool \u{fffd} and silk"));
}

#[test]
fn a_body_behind_a_byte_order_mark_is_read_by_every_decoder() {
    for (format, name) in [
        (WireFormat::Chat, "openai"),
        (WireFormat::Responses, "responses"),
        (WireFormat::Anthropic, "anthropic"),
        (WireFormat::Gemini, "gemini"),
        (WireFormat::Ollama, "ollama"),
    ] {
        let body = recorded(&format!("aimock/{name}-hello"));
        let plain = told(format, &[&body]);
        assert!(plain.finish.is_some() && plain.fault.is_none(), "{name}: {plain:?}");
        assert_eq!(told(format, &["\u{feff}".as_bytes(), &body]), plain, "{name}");
    }
}

fn usage(prompt: u32, completion: u32, total: u32) -> TokenUsage {
    TokenUsage {
        prompt: Some(prompt),
        completion: Some(completion),
        total: Some(total),
        ..TokenUsage::default()
    }
}

/// Cut at every byte, in two pieces and for good: no panic, nothing lost, no false figure. Long
/// recordings repeat one kind of frame hundreds of times: of those every 13th byte, which meets
/// every place in the frame.
fn check_cuts(format: WireFormat, body: &[u8]) -> DecodedReply {
    let whole = told(format, &[body]);
    let stride = if body.len() > 4_000 { 13 } else { 1 };
    for at in (0..body.len()).step_by(stride) {
        let (one, other) = body.split_at(at);
        assert_eq!(told(format, &[one, other]), whole, "in two pieces at {at}");
        let cut = told(format, &[one]);
        assert!(whole.text.starts_with(&cut.text), "at {at}: {:?}", cut.text);
        assert!(whole.reasoning.starts_with(&cut.reasoning), "at {at}");
        assert!(whole.calls.len() >= cut.calls.len(), "at {at}");
        for ((name, args), (known, all)) in cut.calls.iter().zip(&whole.calls) {
            assert!(name == known && all.starts_with(args.as_str()), "at {at}");
        }
        assert!(cut.finish.is_none() || cut.finish == whole.finish, "at {at}");
        let last = whole.usage.last().copied().unwrap_or_default();
        for usage in &cut.usage {
            assert!(usage.prompt.is_none() || usage.prompt == last.prompt, "at {at}");
            assert!(usage.completion.is_none() || usage.completion == last.completion, "at {at}");
        }
    }
    let bytes: Vec<&[u8]> = body.chunks(1).collect();
    assert_eq!(told(format, &bytes), whole, "byte by byte");
    let crlf = String::from_utf8_lossy(body).replace('\n', "\r\n");
    assert_eq!(told(format, &[crlf.as_bytes()]), whole, "with CRLF");
    whole
}

fn check(format: WireFormat, name: &str, expected: &DecodedReply) {
    assert_eq!(&check_cuts(format, &recorded(name)), expected, "{name}");
}

const HELLO: &str = "Hello there! naïve café ☕ 😀 done.";
const PARIS: &str = r#"{"city":"Paris","unit":"celsius"}"#;

fn thought(told: DecodedReply) -> DecodedReply {
    DecodedReply {
        reasoning: "Let me think about this carefully, step by step.".to_owned(),
        ..told
    }
}

fn called(told: DecodedReply) -> DecodedReply {
    let calls = [("get_weather", PARIS), ("get_time", r#"{"tz":"Europe/Paris"}"#)];
    DecodedReply {
        calls: calls.iter().map(|(name, args)| ((*name).into(), (*args).into())).collect(),
        finish: Some(FinishReason::ToolCalls),
        ..told
    }
}

#[test]
fn d01_chat_completions_are_understood_wherever_they_are_cut() {
    let hello = DecodedReply { usage: vec![usage(2, 9, 11)], ..said(HELLO) };
    check(WireFormat::Chat, "aimock/openai-hello-stream", &hello);
    let plain = DecodedReply { usage: vec![], ..hello };
    check(WireFormat::Chat, "aimock/openai-stream-nousage", &plain);
    let think = DecodedReply { usage: vec![usage(2, 5, 7)], ..thought(said("The answer is 42.")) };
    check(WireFormat::Chat, "aimock/openai-think-stream", &think);
    let tool = check_cuts(WireFormat::Chat, &recorded("aimock/openai-tool-stream"));
    assert_eq!(tool, called(DecodedReply { usage: tool.usage.clone(), ..DecodedReply::default() }));
    assert_eq!(tool.usage.len(), 1);
}

#[test]
fn d01_every_other_format_is_understood_wherever_it_is_cut() {
    for (format, name) in [
        (WireFormat::Responses, "responses"),
        (WireFormat::Anthropic, "anthropic"),
        (WireFormat::Gemini, "gemini"),
        (WireFormat::Ollama, "ollama"),
    ] {
        // The imitation reports zeros: unavailable (D02).
        check(format, &format!("aimock/{name}-hello-stream"), &said(HELLO));
        let mut think = thought(said("The answer is 42."));
        if format == WireFormat::Anthropic {
            think.signatures = vec!["anthropic:aimock-placeholder-signature".to_owned()];
        }
        check(format, &format!("aimock/{name}-think-stream"), &think);
        check(format, &format!("aimock/{name}-tool-stream"), &called(DecodedReply::default()));
        let plain = check_cuts(format, &recorded(&format!("aimock/{name}-hello")));
        assert_eq!(DecodedReply { usage: vec![], ..plain }, said(HELLO), "{name}");
        let plain = check_cuts(format, &recorded(&format!("aimock/{name}-tool")));
        assert_eq!(
            DecodedReply { usage: vec![], ..plain },
            called(DecodedReply::default()),
            "{name}"
        );
        let dropped = check_cuts(format, &recorded(&format!("aimock/{name}-drop-stream")));
        assert_eq!((dropped.finish, dropped.usage, dropped.fault), (None, vec![], None), "{name}");
    }
}

#[test]
fn d01_a_proxy_that_nobody_here_wrote_is_understood_wherever_it_is_cut() {
    let hello = said("Hello from a mock, naïve ☕.");
    let figures = TokenUsage { reasoning: Some(0), ..usage(8, 10, 18) };
    let chat = DecodedReply { usage: vec![figures], ..hello.clone() };
    check(WireFormat::Chat, "litellm/openai-hello-stream", &chat);
    check(WireFormat::Gemini, "litellm/gemini-hello-stream", &hello);
    // It answers a stream with plain JSON here.
    let anthropic = DecodedReply { usage: vec![usage(2_095, 503, 2_598)], ..hello };
    check(WireFormat::Anthropic, "litellm/anthropic-hello-stream", &anthropic);
}

fn events(frames: &[&str]) -> String {
    frames.iter().map(|data| format!("data: {data}\n\n")).collect()
}

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
    let told = check_cuts(WireFormat::Anthropic, body.as_bytes());
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
    let told = check_cuts(WireFormat::Gemini, body.as_bytes());
    assert_eq!(told.usage, [start, end]);
    assert_eq!(told.finish, Some(FinishReason::ToolCalls));
}

#[test]
fn d02_an_ollama_that_had_the_prompt_cached_reports_no_prompt() {
    let body = "{\"message\":{\"content\":\"a\"},\"done\":false}\n\
                {\"message\":{\"content\":\"\"},\"done\":true,\"done_reason\":\"stop\",\"eval_count\":3}\n";
    let told = check_cuts(WireFormat::Ollama, body.as_bytes());
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
    let told = check_cuts(WireFormat::Responses, body.as_bytes());
    assert_eq!((told.usage, told.finish), (vec![figures], Some(FinishReason::Length)));
    assert_eq!(told.signatures, ["responses:rs_1:abc"]);
}

#[test]
fn what_a_wire_wants_back_is_known_by_how_it_begins() {
    for (format, frame) in [
        (
            WireFormat::Responses,
            r#"{"type":"response.output_item.done","output_index":0,"item":{"type":"reasoning","id":"rs_1","encrypted_content":"abc"}}"#,
        ),
        (
            WireFormat::Anthropic,
            r#"{"type":"content_block_start","index":0,"content_block":{"type":"redacted_thinking","data":"xx"}}"#,
        ),
        (
            WireFormat::Anthropic,
            r#"{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"xx"}}"#,
        ),
        (
            WireFormat::Gemini,
            r#"{"candidates":[{"content":{"parts":[{"text":"a","thoughtSignature":"s"}]}}]}"#,
        ),
        (
            WireFormat::Chat,
            r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"1","function":{"name":"a","arguments":"{}"},"extra_content":{"google":{"thought_signature":"s"}}}]},"finish_reason":"tool_calls"}]}"#,
        ),
    ] {
        let signatures = told(format, &[events(&[frame]).as_bytes()]).signatures;
        assert_eq!(signatures.len(), 1, "{frame}");
        let known = |signature: &String| {
            signature_prefixes(format).iter().any(|it| signature.starts_with(it))
        };
        assert!(signatures.iter().all(known), "{signatures:?}");
    }
}

#[test]
fn d02_a_real_server_reports_its_cached_share() {
    let told = check_cuts(WireFormat::Chat, &recorded("llama-server/chat-stream-usage"));
    let expected = TokenUsage { cached: Some(23), ..usage(24, 16, 40) };
    assert_eq!((told.usage, told.finish), (vec![expected], Some(FinishReason::Length)));
}

#[test]
fn d02_timings_are_no_usage() {
    for name in ["chat-stream", "chat-stream-timings", "sse-ping-while-queued"] {
        let told = check_cuts(WireFormat::Chat, &recorded(&format!("llama-server/{name}")));
        assert_eq!((told.usage, told.finish), (vec![], Some(FinishReason::Length)), "{name}");
    }
}

#[test]
fn arguments_that_arrive_character_by_character_are_put_together() {
    let told = check_cuts(WireFormat::Chat, &recorded("llama-server/tooldone-stream"));
    assert_eq!(told.finish, Some(FinishReason::ToolCalls));
    assert_eq!(told.calls.len(), 1);
    assert!(serde_json::from_str::<serde_json::Value>(&told.calls[0].1).is_ok(), "{told:?}");
    let parallel = told_of("llama-server/toolcall-required-parallel-stream");
    assert!(!parallel.calls.is_empty(), "{parallel:?}");
}

#[test]
fn a_call_cut_off_by_the_output_limit_says_so() {
    let told = told_of("llama-server/toolcall-cut-by-max_tokens-stream");
    assert_eq!(told.finish, Some(FinishReason::Length));
    assert!(serde_json::from_str::<serde_json::Value>(&told.calls[0].1).is_err(), "{told:?}");
}

#[test]
fn a_connection_that_drops_leaves_the_answer_unfinished() {
    for name in ["llama-server/disconnect-stream", "aimock/openai-drop-stream"] {
        let told = check_cuts(WireFormat::Chat, &recorded(name));
        assert_eq!((told.finish, told.usage, told.fault), (None, vec![], None), "{name}");
    }
}

#[test]
fn plain_json_is_understood_where_a_stream_was_asked_for() {
    let hello = said(HELLO);
    let told = check_cuts(WireFormat::Chat, &recorded("aimock/openai-hello"));
    assert_eq!(DecodedReply { usage: vec![], ..told }, hello);
    let tool = check_cuts(WireFormat::Chat, &recorded("aimock/openai-tool"));
    assert_eq!(tool, called(DecodedReply { usage: tool.usage.clone(), ..DecodedReply::default() }));
}

#[test]
fn what_is_not_the_protocol_is_said_to_be_so() {
    for (format, body) in [
        (WireFormat::Chat, "<!doctype html><title>Login</title>"),
        (WireFormat::Chat, "{malformed json: <<<chaos>>>"),
        (WireFormat::Chat, "upstream connect error"),
        (WireFormat::Chat, "data: {\"choices\": nonsense}\n\n"),
        (WireFormat::Ollama, "<html></html>"),
    ] {
        let told = told(format, &[body.as_bytes()]);
        assert!(matches!(told.fault, Some(DecodeError::Malformed(_))), "{body}: {told:?}");
    }
}

#[test]
fn an_error_in_mid_stream_ends_it() {
    let body = "data: {\"choices\":[{\"delta\":{\"content\":\"Hal\"}}]}\n\n\
                data: {\"error\":{\"code\":500,\"message\":\"gone\"}}\n\n";
    let told = told(WireFormat::Chat, &[body.as_bytes()]);
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
        let told = check_cuts(WireFormat::Gemini, body(reason, r#"{"text":""}"#).as_bytes());
        let fault = DecodeError::Reported(format!(r#"{{"error":{{"message":"{reason}"}}}}"#));
        assert_eq!((told.text.as_str(), told.finish, told.fault), ("I look.", None, Some(fault)));
    }
    let call = r#"{"functionCall":{"name":"look","args":{}}}"#;
    let whole = check_cuts(WireFormat::Gemini, body("UNEXPECTED_TOOL_CALL", call).as_bytes());
    assert_eq!((whole.finish, whole.fault), (Some(FinishReason::ToolCalls), None));
    let filtered = check_cuts(WireFormat::Gemini, body("MODEL_ARMOR", r#"{"text":""}"#).as_bytes());
    assert_eq!(filtered.finish, Some(FinishReason::Filtered));
}

#[test]
fn a_picture_that_a_model_makes_is_not_left_out_without_a_word() {
    let said = "Look:\n\n[A picture was made here. It is not kept.]\n\n";
    for (format, frame) in [
        (
            WireFormat::Gemini,
            r#"{"candidates":[{"content":{"parts":[{"text":"Look:"},{"thought":true,"inlineData":{"mimeType":"image/png","data":"cG5n"}},{"inlineData":{"mimeType":"image/png","data":"cG5n"}}]},"finishReason":"STOP"}]}"#,
        ),
        (
            WireFormat::Chat,
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
    let told = check_cuts(WireFormat::Anthropic, body.as_bytes());
    let why = "This request was declined because it could enable cyber harm.";
    assert_eq!(told.text, format!("Hello.\n\n[{why}]"));
    assert_eq!(told.finish, Some(FinishReason::Filtered));
    let mute = r#"{"content":[],"stop_reason":"refusal","stop_details":null}"#;
    let mute = check_cuts(WireFormat::Anthropic, mute.as_bytes());
    assert_eq!((mute.text.as_str(), mute.finish), ("", Some(FinishReason::Filtered)));
}

#[test]
fn of_a_response_that_failed_only_its_error_is_read() {
    let rest = r#""instructions":"A browser waits at most a timeout of 30 s.","tools":[{"description":"rate limit"}],"output":[]"#;
    let error = r#"{"code":"context_length_exceeded","message":"Too long."}"#;
    let fault = Some(DecodeError::Reported(format!(r#"{{"error":{error}}}"#)));
    let failed = format!(r#"{{"status":"failed",{rest},"error":{error}}}"#);
    let streamed = events(&[&format!(r#"{{"type":"response.failed","response":{failed}}}"#)]);
    assert_eq!(check_cuts(WireFormat::Responses, streamed.as_bytes()).fault, fault);
    assert_eq!(told(WireFormat::Responses, &[failed.as_bytes()]).fault, fault);
    let mute = format!(r#"{{"type":"response.failed","response":{{"status":"failed",{rest}}}}}"#);
    let fault = DecodeError::Reported(r#"{"status":"failed"}"#.to_owned());
    assert_eq!(told(WireFormat::Responses, &[events(&[&mute]).as_bytes()]).fault, Some(fault));
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
    let told = check_cuts(WireFormat::Responses, body.as_bytes());
    assert_eq!(told.reasoning, "I look.\n\nI see. So.");
    assert_eq!(told.text, "I look again.\n\nA loom.");
    let whole = r#"{"output":[{"type":"reasoning","summary":[{"text":"I look."},{"text":"I see."}]},{"type":"reasoning","summary":[],"content":[{"type":"reasoning_text","text":"So."}]},{"type":"message","content":[{"text":"A loom."}]}]}"#;
    let told = check_cuts(WireFormat::Responses, whole.as_bytes());
    assert_eq!(
        (told.reasoning.as_str(), told.text.as_str()),
        ("I look.\n\nI see.\n\nSo.", "A loom.")
    );
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
        assert_eq!(told(WireFormat::Chat, &[body.as_bytes()]), expected, "without [DONE]: {body}");
        let done = format!("{body}data: [DONE]\n\n");
        assert_eq!(check_cuts(WireFormat::Chat, done.as_bytes()), expected, "{body}");
    }
}

#[test]
fn thoughts_that_are_counted_beside_the_answer_are_counted_with_it() {
    let body = "data: {\"choices\":[{\"delta\":{\"content\":\"a\"},\"finish_reason\":\"stop\"}],\"usage\":{\
                \"prompt_tokens\":12,\"completion_tokens\":1,\"total_tokens\":399,\
                \"completion_tokens_details\":{\"reasoning_tokens\":386}}}\n\n";
    let whole = TokenUsage { reasoning: Some(386), ..usage(12, 387, 399) };
    assert_eq!(
        told(WireFormat::Chat, &[body.as_bytes()]),
        DecodedReply { usage: vec![whole], ..said("a") }
    );
    let within = body.replace("399", "13").replace("386", "1");
    let whole = TokenUsage { reasoning: Some(1), ..usage(12, 1, 13) };
    assert_eq!(told(WireFormat::Chat, &[within.as_bytes()]).usage, [whole]);
}

#[test]
fn an_answer_the_server_gave_up_on_has_no_end() {
    for reason in ["insufficient_system_resource", "network_error", "abort", "cancelled"] {
        let body = format!(
            "data: {{\"choices\":[{{\"delta\":{{\"content\":\"Hal\"}}}}]}}\n\n\
             data: {{\"choices\":[{{\"delta\":{{}},\"finish_reason\":\"{reason}\"}}]}}\n\n"
        );
        let half = DecodedReply { finish: None, ..said("Hal") };
        assert_eq!(told(WireFormat::Chat, &[body.as_bytes()]), half, "{reason}");
        let done = format!("{body}data: [DONE]\n\n");
        assert_eq!(check_cuts(WireFormat::Chat, done.as_bytes()), half, "{reason}");
        let mut reader = StreamReader::new(decoder(WireFormat::Chat, String::new()));
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
        let told = check_cuts(WireFormat::Chat, body.as_bytes());
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
        let told = told(WireFormat::Chat, &[body.as_bytes()]);
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
    assert_eq!(told(WireFormat::Chat, &chunks), said(&text));
}

fn told_of(name: &str) -> DecodedReply {
    check_cuts(WireFormat::Chat, &recorded(name))
}
