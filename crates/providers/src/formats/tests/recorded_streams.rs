//! Recorded replies of real servers, whole and cut at every byte.

use skein_domain::finish_reason::FinishReason;
use skein_domain::usage::TokenUsage;

use super::decoded_reply::{
    DecodedReply, HELLO, called, check, check_cuts, recorded, said, thought, told, told_of, usage,
};
use crate::registry::FormatId;

#[test]
fn a_body_behind_a_byte_order_mark_is_read_by_every_decoder() {
    for (format, name) in [
        (FormatId::OpenAiChat, "openai"),
        (FormatId::OpenAiResponses, "responses"),
        (FormatId::Anthropic, "anthropic"),
        (FormatId::Gemini, "gemini"),
        (FormatId::Ollama, "ollama"),
    ] {
        let body = recorded(&format!("aimock/{name}-hello"));
        let plain = told(format, &[&body]);
        assert!(plain.finish.is_some() && plain.fault.is_none(), "{name}: {plain:?}");
        assert_eq!(told(format, &["\u{feff}".as_bytes(), &body]), plain, "{name}");
    }
}

#[test]
fn d01_chat_completions_are_understood_wherever_they_are_cut() {
    let hello = DecodedReply { usage: vec![usage(2, 9, 11)], ..said(HELLO) };
    check(FormatId::OpenAiChat, "aimock/openai-hello-stream", &hello);
    let plain = DecodedReply { usage: vec![], ..hello };
    check(FormatId::OpenAiChat, "aimock/openai-stream-nousage", &plain);
    let think = DecodedReply { usage: vec![usage(2, 5, 7)], ..thought(said("The answer is 42.")) };
    check(FormatId::OpenAiChat, "aimock/openai-think-stream", &think);
    let tool = check_cuts(FormatId::OpenAiChat, &recorded("aimock/openai-tool-stream"));
    assert_eq!(tool, called(DecodedReply { usage: tool.usage.clone(), ..DecodedReply::default() }));
    assert_eq!(tool.usage.len(), 1);
}

#[test]
fn d01_every_other_format_is_understood_wherever_it_is_cut() {
    for (format, name) in [
        (FormatId::OpenAiResponses, "responses"),
        (FormatId::Anthropic, "anthropic"),
        (FormatId::Gemini, "gemini"),
        (FormatId::Ollama, "ollama"),
    ] {
        // The imitation reports zeros: unavailable (D02).
        check(format, &format!("aimock/{name}-hello-stream"), &said(HELLO));
        let mut think = thought(said("The answer is 42."));
        if format == FormatId::Anthropic {
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
    check(FormatId::OpenAiChat, "litellm/openai-hello-stream", &chat);
    check(FormatId::Gemini, "litellm/gemini-hello-stream", &hello);
    // Here the server answers a stream with plain JSON.
    let anthropic = DecodedReply { usage: vec![usage(2_095, 503, 2_598)], ..hello };
    check(FormatId::Anthropic, "litellm/anthropic-hello-stream", &anthropic);
}

#[test]
fn d02_a_real_server_reports_its_cached_share() {
    let told = check_cuts(FormatId::OpenAiChat, &recorded("llama-server/chat-stream-usage"));
    let expected = TokenUsage { cached: Some(23), ..usage(24, 16, 40) };
    assert_eq!((told.usage, told.finish), (vec![expected], Some(FinishReason::Length)));
}

#[test]
fn d02_timings_are_no_usage() {
    for name in ["chat-stream", "chat-stream-timings", "sse-ping-while-queued"] {
        let told = check_cuts(FormatId::OpenAiChat, &recorded(&format!("llama-server/{name}")));
        assert_eq!((told.usage, told.finish), (vec![], Some(FinishReason::Length)), "{name}");
    }
}

#[test]
fn arguments_that_arrive_character_by_character_are_put_together() {
    let told = check_cuts(FormatId::OpenAiChat, &recorded("llama-server/tooldone-stream"));
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
        let told = check_cuts(FormatId::OpenAiChat, &recorded(name));
        assert_eq!((told.finish, told.usage, told.fault), (None, vec![], None), "{name}");
    }
}

#[test]
fn plain_json_is_understood_where_a_stream_was_asked_for() {
    let hello = said(HELLO);
    let told = check_cuts(FormatId::OpenAiChat, &recorded("aimock/openai-hello"));
    assert_eq!(DecodedReply { usage: vec![], ..told }, hello);
    let tool = check_cuts(FormatId::OpenAiChat, &recorded("aimock/openai-tool"));
    assert_eq!(tool, called(DecodedReply { usage: tool.usage.clone(), ..DecodedReply::default() }));
}
