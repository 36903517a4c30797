//! Replies as they come over the wire, each with its provider's prices and its cost worked out by hand.
//!
//! One row at least for each fact of billing that a reply can tell. Prices are US dollars per million
//! tokens in models.dev's form; a price of 1 and a token make a million units of 10⁻¹².

use skein_context::cost::{BilledCall, Prices, Pricing, cost};
use skein_context::limits::catalog::Catalog;
use skein_domain::cost::{BillingReport, Cost};
use skein_domain::finish_reason::FinishReason;
use skein_domain::money::{Currency, Money};
use skein_domain::usage::TokenUsage;

use crate::formats::wire_format;
use crate::registry::FormatId;
use crate::stream_event::StreamEvent;
use crate::wire::stream_reader::StreamReader;

use super::price_list::{
    CEREBRAS, DEEPSEEK, FREE, GEMINI_PRO, GPT_5_4, GPT_5_6, GPT_5_PRO, GROK, GROQ, HAIKU,
    HAIKU_IN_PART, KIMI, ListedPrices, MISTRAL, OPENROUTER, QWEN_MAX, QWEN_PLUS, SONNET, UNLISTED,
};

use Expected::{AtLeast, Known, Unknown};
use FormatId::{Anthropic, Gemini, OpenAiChat as Chat, OpenAiResponses as Responses};

#[derive(Debug, Clone, Copy)]
enum Expected {
    Known(u64),
    AtLeast(u64),
    Unknown,
}

const MILLION: u64 = 1_000_000;

fn check(facts: &str, listed: &ListedPrices, format: FormatId, wire: &str, expected: Expected) {
    check_at(false, facts, listed, format, wire, expected);
}

fn check_at(
    may_cost_more: bool,
    facts: &str,
    listed: &ListedPrices,
    format: FormatId,
    wire: &str,
    expected: Expected,
) {
    let ListedPrices(provider, model) = listed;
    let json = format!(r#"{{"{provider}":{{"models":{{"m":{{{model}}}}}}}}}"#);
    let catalog = Catalog::parse_models_dev(json.as_bytes()).unwrap();
    let table = catalog.find(provider, "m").unwrap().prices().cloned();
    let pricing = Pricing {
        prices: table.map_or(Prices::Unknown, Prices::Catalogue),
        states_cost: *provider == "openrouter",
        free_refusals: *provider == "anthropic",
        may_cost_more,
    };
    let (usage, report, finish) = decoded(format, wire);
    let call = BilledCall { usage: &usage, report: &report, finish };
    let money = |amount| Money { amount, currency: Currency::usd() };
    let expected = match expected {
        Known(amount) => Cost::Known { money: money(amount) },
        AtLeast(amount) => Cost::AtLeast { money: money(amount) },
        Unknown => Cost::Unknown {},
    };
    assert_eq!(cost(call, &pricing), expected, "facts {facts}: {wire}\n{usage:?}\n{report:?}");
}

fn decoded(format: FormatId, wire: &str) -> (TokenUsage, BillingReport, Option<FinishReason>) {
    let mut reader = StreamReader::new((wire_format(format).decoder)(String::new()));
    let mut events = reader.push(wire.as_bytes()).events;
    events.extend(reader.end().events);
    let (mut usage, mut billing, mut finish) = Default::default();
    for event in events {
        match event {
            StreamEvent::Usage { usage: reported } => usage = reported,
            StreamEvent::Billing { report } => billing = *report,
            StreamEvent::Finished { reason } => finish = Some(reason),
            _ => {}
        }
    }
    (usage, billing, finish)
}

fn chat(usage: &str) -> String {
    format!(
        r#"{{"model":"m","choices":[{{"message":{{"content":"a"}},"finish_reason":"stop"}}],"usage":{{{usage}}}}}"#
    )
}

fn responses(usage: &str) -> String {
    format!(r#"{{"model":"m","status":"completed","output":[],"usage":{{{usage}}}}}"#)
}

fn anthropic(usage: &str) -> String {
    format!(
        r#"{{"model":"m","content":[{{"type":"text","text":"a"}}],"stop_reason":"end_turn","usage":{{{usage}}}}}"#
    )
}

fn gemini(usage: &str) -> String {
    format!(
        r#"{{"modelVersion":"m","candidates":[{{"content":{{"parts":[{{"text":"a"}}]}},"finishReason":"STOP"}}],"usageMetadata":{{{usage}}}}}"#
    )
}

fn stream(frames: &[&str]) -> String {
    frames.iter().map(|frame| format!("data: {frame}\n\n")).collect()
}

#[test]
fn r07_the_bill_does_not_depend_on_how_the_stream_is_cut() {
    let wire = stream(&[
        r#"{"type":"message_start","message":{"model":"m","usage":{"input_tokens":9}}}"#,
        r#"{"type":"message_delta","usage":{"server_tool_use":{"web_search_requests":2}}}"#,
        r#"{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":3}}"#,
        r#"{"type":"message_stop"}"#,
    ]);
    let events = |pieces: [&str; 2]| {
        let mut reader = StreamReader::new((wire_format(Anthropic).decoder)(String::new()));
        let mut events = pieces.map(|piece| reader.push(piece.as_bytes()).events).concat();
        events.extend(reader.end().events);
        events
    };
    for at in 0..wire.len() {
        assert_eq!(events(wire.split_at(at).into()), events([&wire, ""]), "cut at {at}");
    }
}

#[test]
fn what_every_provider_has_in_common() {
    let plain = &chat(r#""prompt_tokens":1000,"completion_tokens":100"#);
    // 1,000 x 2.5 + 100 x 15
    check("1", &GPT_5_4, Chat, plain, Known(4_000 * MILLION));
    check("2, 44", &UNLISTED, Chat, plain, Unknown);
    check("2, 44", &FREE, Chat, plain, Known(0));
    for nothing in ["", r#""prompt_tokens":null"#, r#""prompt_tokens":0,"completion_tokens":0"#] {
        check("40", &GPT_5_4, Chat, &chat(nothing), Unknown);
    }
    // 1,000 x 2.5
    let in_part = &chat(r#""prompt_tokens":1000"#);
    check("40", &GPT_5_4, Chat, in_part, AtLeast(2_500 * MILLION));
    // 3 x 0.1 + 1 x 0.2: 0.5 and no 0.30000000000000004 in between.
    let small = &chat(r#""prompt_tokens":3,"completion_tokens":1"#);
    check("43", &GROQ, Chat, small, Known(500_000));
    let growing = &stream(&[
        r#"{"choices":[{"delta":{"content":"a"}}],"usage":{"prompt_tokens":10,"completion_tokens":1}}"#,
        r#"{"choices":[{"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":10,"completion_tokens":2}}"#,
        "[DONE]",
    ]);
    // 10 x 2.5 + 2 x 15
    check("42", &GPT_5_4, Chat, growing, Known(55 * MILLION));
    // More cached than there is: the whole prompt is billed as fresh, 10 x 15 + 1 x 120.
    let odd = &chat(
        r#""prompt_tokens":10,"completion_tokens":1,"prompt_tokens_details":{"cached_tokens":99}"#,
    );
    check("41", &GPT_5_PRO, Chat, odd, Known(270 * MILLION));
}

#[test]
fn openai() {
    let prompt =
        |tokens: u32| chat(&format!(r#""prompt_tokens":{tokens},"completion_tokens":1000"#));
    // 272,000 x 2.5 + 1,000 x 15, and with one token more 272,001 x 5 + 1,000 x 22.5
    check("3, 4, 12", &GPT_5_4, Chat, &prompt(272_000), Known(695_000 * MILLION));
    check("3, 4, 12", &GPT_5_4, Chat, &prompt(272_001), Known(1_382_505 * MILLION));
    // Between the legacy field's name and the tier: 200,001 x 2.5 + 1,000 x 15
    check("4", &GPT_5_4, Chat, &prompt(200_001), Known(515_002_500_000));
    // 1 x 5 + 272,000 cached x 0.5 + 10 x 22.5; with one token less 272,000 x 0.25 + 10 x 15
    let cached = |prompt: u32| {
        chat(&format!(
            r#""prompt_tokens":{prompt},"completion_tokens":10,
               "prompt_tokens_details":{{"cached_tokens":272000}}"#
        ))
    };
    check("12", &GPT_5_4, Chat, &cached(272_001), Known(136_230 * MILLION));
    check("12", &GPT_5_4, Chat, &cached(272_000), Known(68_150 * MILLION));
    // 200 fresh x 4 + 600 cached x 0.4 + 200 written x 5 + 10 x 20
    let cached = &chat(
        r#""prompt_tokens":1000,"completion_tokens":10,
           "prompt_tokens_details":{"cached_tokens":600,"cache_write_tokens":200}"#,
    );
    check("10", &GPT_5_6, Chat, cached, Known(2_240 * MILLION));
    let cached = &responses(
        r#""input_tokens":1000,"output_tokens":10,
           "input_tokens_details":{"cached_tokens":600,"cache_write_tokens":200}"#,
    );
    check("10, 11", &GPT_5_6, Responses, cached, Known(2_240 * MILLION));
    // 100 x 2.5 + 500 x 15: the 400 are among the 500.
    let thought = r#""input_tokens":100,"output_tokens":500,"output_tokens_details":{"reasoning_tokens":400}"#;
    check("13", &GPT_5_4, Responses, &responses(thought), Known(7_750 * MILLION));
    let incomplete = &responses(thought).replace(
        r#""status":"completed""#,
        r#""status":"incomplete","incomplete_details":{"reason":"max_output_tokens"}"#,
    );
    check("13", &GPT_5_4, Responses, incomplete, Known(7_750 * MILLION));
    let tier = |name: &str| {
        let plain = chat(r#""prompt_tokens":1000,"completion_tokens":100"#);
        plain.replace(r#""model""#, &format!(r#""service_tier":"{name}","model""#))
    };
    check("14", &GPT_5_4, Chat, &tier("default"), Known(4_000 * MILLION));
    // 1,000 x 5 + 100 x 30
    check("14", &GPT_5_4, Chat, &tier("priority"), Known(8_000 * MILLION));
    check("14", &GPT_5_4, Chat, &tier("flex"), Unknown);
    // 100 x 2.5 + 10 x 15, and two searches for 0.01 each
    let search = r#"{"type":"web_search_call"}"#;
    let searched = &responses(r#""input_tokens":100,"output_tokens":10"#)
        .replace("[]", &format!("[{search},{search}]"));
    check("15", &GPT_5_4, Responses, searched, Known(400 * MILLION + 20_000_000_000));
    let container = &searched.replace("web_search_call", "code_interpreter_call");
    check("15", &GPT_5_4, Responses, container, AtLeast(400 * MILLION));
    // 100 x 15 + 1 x 120
    let pro = &chat(
        r#""prompt_tokens":100,"completion_tokens":1,"prompt_tokens_details":{"cached_tokens":40}"#,
    );
    check("16, 41", &GPT_5_PRO, Chat, pro, Known(1_620 * MILLION));
}

#[test]
fn anthropic_messages() {
    // 10 x 2 + 1,000 read x 0.1 + 5 x 10
    let read = &anthropic(
        r#""input_tokens":10,"cache_read_input_tokens":1000,"cache_creation_input_tokens":null,"output_tokens":5"#,
    );
    check("17, 19", &SONNET, Anthropic, read, Known(170 * MILLION));
    // 10 x 2 + 400 x 2.5 + 600 x 4 + 5 x 10
    let written = &anthropic(
        r#""input_tokens":10,"cache_creation_input_tokens":1000,"output_tokens":5,"cache_creation":
           {"ephemeral_5m_input_tokens":400,"ephemeral_1h_input_tokens":600}"#,
    );
    check("7, 18", &SONNET, Anthropic, written, Known(3_470 * MILLION));
    // 50,000 x 0.5 + 40,000 x 0.05 + 10,001 x 0.625 + 100 x 2.5
    let long = &anthropic(
        r#""input_tokens":50000,"cache_read_input_tokens":40000,"cache_creation_input_tokens":10001,
           "output_tokens":100"#,
    );
    check("5, 20", &HAIKU, Anthropic, long, Known(33_500_625_000));
    // One token less: 50,000 x 0.1 + 40,000 x 0.01 + 10,000 x 0.125 + 100 x 0.5
    let short = &long.replace("10001", "10000");
    check("5, 20", &HAIKU, Anthropic, short, Known(6_700 * MILLION));
    // 100 x 0.5 + 100,000 x 0.01 + 10 x 2.5
    let read =
        &anthropic(r#""input_tokens":100,"cache_read_input_tokens":100000,"output_tokens":10"#);
    check("5", &HAIKU_IN_PART, Anthropic, read, AtLeast(1_075 * MILLION));
    let start = r#"{"type":"message_start","message":{"model":"m","usage":{"input_tokens":10,"output_tokens":1}}}"#;
    let delta = r#"{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"input_tokens":12,"output_tokens":50}}"#;
    let whole = &stream(&[start, delta, r#"{"type":"message_stop"}"#]);
    // 12 x 2 + 50 x 10, and cut off 10 x 2
    check("21", &SONNET, Anthropic, whole, Known(524 * MILLION));
    check("21", &SONNET, Anthropic, &stream(&[start]), AtLeast(20 * MILLION));
    // 100 x 2 + 10 x 10, and 50 x 2 + 20 x 10
    let attempts = &anthropic(
        r#""input_tokens":50,"output_tokens":20,"iterations":[
           {"type":"compaction","input_tokens":100,"output_tokens":10},
           {"type":"message","input_tokens":50,"output_tokens":20}]"#,
    );
    check("22", &SONNET, Anthropic, attempts, Known(600 * MILLION));
    let other = &attempts.replace(r#""type":"compaction""#, r#""model":"other""#);
    check("22", &SONNET, Anthropic, other, AtLeast(300 * MILLION));
    let with = |more: &str| anthropic(&format!(r#""input_tokens":1000,"output_tokens":100{more}"#));
    // 3,000, a tenth more, at the prices of the fast mode, and both
    check("23", &SONNET, Anthropic, &with(r#","inference_geo":"us""#), Known(3_300 * MILLION));
    check("23", &SONNET, Anthropic, &with(r#","speed":"fast""#), Known(18_000 * MILLION));
    let both = &with(r#","speed":"fast","inference_geo":"us""#);
    check("23", &SONNET, Anthropic, both, Known(19_800 * MILLION));
    // And three searches for 0.01 each
    let searched = &with(r#","server_tool_use":{"web_search_requests":3,"web_fetch_requests":2}"#);
    check("24", &SONNET, Anthropic, searched, Known(3_000 * MILLION + 30_000_000_000));
    let ran = &with(r#","server_tool_use":{"code_execution_requests":1}"#);
    check("24", &SONNET, Anthropic, ran, AtLeast(3_000 * MILLION));
    check("24", &SONNET, Anthropic, &with(r#","service_tier":"standard""#), Known(3_000 * MILLION));
    check("24", &SONNET, Anthropic, &with(r#","service_tier":"priority""#), Unknown);
    let refused = &anthropic(r#""input_tokens":1000,"output_tokens":0"#)
        .replace("end_turn", "refusal")
        .replace(r#"[{"type":"text","text":"a"}]"#, "[]");
    check("25", &SONNET, Anthropic, refused, Known(0));
}

#[test]
fn gemini_generate_content() {
    // 1,000 x 1.25 + (20 + 30) x 10
    let thought = &gemini(
        r#""promptTokenCount":1000,"candidatesTokenCount":20,"thoughtsTokenCount":30,"totalTokenCount":1050"#,
    );
    check("26", &GEMINI_PRO, Gemini, thought, Known(1_750 * MILLION));
    // 1,000 x 1.25 + 30 x 10
    let only_thought =
        &gemini(r#""promptTokenCount":1000,"thoughtsTokenCount":30,"totalTokenCount":1030"#);
    check("26", &GEMINI_PRO, Gemini, only_thought, Known(1_550 * MILLION));
    // 600 x 1.25 + 400 x 0.125 + 10 x 10
    let cached = &gemini(
        r#""promptTokenCount":1000,"cachedContentTokenCount":400,"candidatesTokenCount":10"#,
    );
    check("26", &GEMINI_PRO, Gemini, cached, Known(900 * MILLION));
    let long = |prompt: u32| {
        gemini(&format!(
            r#""promptTokenCount":{prompt},"cachedContentTokenCount":100000,"candidatesTokenCount":10"#
        ))
    };
    // 100,000 x 1.25 + 100,000 x 0.125 + 10 x 10; 100,001 x 2.5 + 100,000 x 0.25 + 10 x 15
    check("27", &GEMINI_PRO, Gemini, &long(200_000), Known(137_600 * MILLION));
    check("27", &GEMINI_PRO, Gemini, &long(200_001), Known(275_152_500_000));
    // (1,000 + 200) x 1.25 + 10 x 10
    let tools = &gemini(
        r#""promptTokenCount":1000,"candidatesTokenCount":10,"toolUsePromptTokenCount":200"#,
    );
    check("28", &GEMINI_PRO, Gemini, tools, Known(1_600 * MILLION));
    let searched = &tools.replace(
        r#""finishReason""#,
        r#""groundingMetadata":{"webSearchQueries":["a"]},"finishReason""#,
    );
    check("28, 29", &GEMINI_PRO, Gemini, searched, AtLeast(1_350 * MILLION));
    let heard = &gemini(
        r#""promptTokenCount":1000,"candidatesTokenCount":10,"promptTokensDetails":[
           {"modality":"AUDIO","tokenCount":900}]"#,
    );
    check("29", &GEMINI_PRO, Gemini, heard, AtLeast(1_350 * MILLION));
    let cumulative = &stream(&[
        r#"{"candidates":[{"content":{"parts":[{"text":"a"}]}}],"usageMetadata":{"promptTokenCount":1000,"candidatesTokenCount":4}}"#,
        r#"{"candidates":[{"content":{"parts":[{"text":"b"}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":1000,"candidatesTokenCount":10}}"#,
    ]);
    check("30", &GEMINI_PRO, Gemini, cumulative, Known(1_350 * MILLION));
    // A proxy has the 30 among the 40: 1,000 x 1.25 + 40 x 10
    let proxied = &gemini(
        r#""promptTokenCount":1000,"candidatesTokenCount":40,"thoughtsTokenCount":30,"totalTokenCount":1040"#,
    );
    check("30", &GEMINI_PRO, Gemini, proxied, Known(1_650 * MILLION));
}

#[test]
fn hosts_that_speak_chat_completions() {
    // 400 x 0.28 + 600 x 0.028 + 100 x 0.42
    let hit = &chat(
        r#""prompt_tokens":1000,"completion_tokens":100,"prompt_cache_hit_tokens":600,
           "prompt_cache_miss_tokens":400,"prompt_tokens_details":{"cached_tokens":600},
           "completion_tokens_details":{"reasoning_tokens":60}"#,
    );
    check("31", &DEEPSEEK, Chat, hit, Known(170_800_000));
    // At peak hours the list's price is the least.
    check_at(true, "8, 31", &DEEPSEEK, Chat, hit, AtLeast(170_800_000));
    let prompt = |tokens: u32| chat(&format!(r#""prompt_tokens":{tokens},"completion_tokens":10"#));
    // 199,999 x 2 + 10 x 6; 200,000 x 4 + 10 x 12
    check("33", &GROK, Chat, &prompt(199_999), Known(400_058 * MILLION));
    check("33", &GROK, Chat, &prompt(200_000), Known(800_120 * MILLION));
    // 32 x 2 + (9 + 94) x 6
    let thought = r#""prompt_tokens":32,"completion_tokens":9,"total_tokens":135,
           "completion_tokens_details":{"reasoning_tokens":94}"#;
    check("34", &GROK, Chat, &chat(thought), Known(682 * MILLION));
    // 32 x 2 + 103 x 6
    let inside = &responses(
        r#""input_tokens":32,"output_tokens":103,"output_tokens_details":{"reasoning_tokens":94}"#,
    );
    check("34", &GROK, Responses, inside, Known(682 * MILLION));
    let ticks = &chat(&format!(r#"{thought},"cost_in_usd_ticks":37756000"#));
    check("34", &GROK, Chat, ticks, Known(3_775_600_000));
    let cached = r#""prompt_tokens":100,"completion_tokens":10,"prompt_tokens_details":{"cached_tokens":60}"#;
    // 40 x 0.1 + 60 x 0.05 + 10 x 0.2; 100 x 0.5 + 10 x 1.5
    let groq = &stream(&[
        r#"{"choices":[{"delta":{"content":"a"}}]}"#,
        &format!(
            r#"{{"choices":[{{"delta":{{}},"finish_reason":"stop"}}],"x_groq":{{"usage":{{{cached}}}}}}}"#
        ),
        "[DONE]",
    ]);
    check("35", &GROQ, Chat, groq, Known(9 * MILLION));
    check("35, 41", &MISTRAL, Chat, &chat(cached), Known(65 * MILLION));
    // 100 x 0.35 + 10 x 0.75
    check("35, 41", &CEREBRAS, Chat, &chat(cached), Known(42_500_000));
    // 50 x 0.6 + 50 x 0.15 + 10 x 2.5
    let kimi = r#""prompt_tokens":100,"completion_tokens":10,"cached_tokens":50"#;
    check("38", &KIMI, Chat, &chat(kimi), Known(62_500_000));
    let in_choice = &stream(&[
        &format!(
            r#"{{"choices":[{{"delta":{{"content":"a"}},"finish_reason":"stop","usage":{{{kimi}}}}}]}}"#
        ),
        "[DONE]",
    ]);
    check("38", &KIMI, Chat, in_choice, Known(62_500_000));
    // 32,000 x 1.2 + 10 x 6; 32,001 x 2.4 + 10 x 12; 128,000 x 2.4 + 10 x 12; 128,001 x 3 + 10 x 15
    check("5, 39", &QWEN_MAX, Chat, &prompt(32_000), Known(38_460 * MILLION));
    check("39", &QWEN_MAX, Chat, &prompt(32_001), Known(76_922_400_000));
    check("39", &QWEN_MAX, Chat, &prompt(128_000), Known(307_320 * MILLION));
    check("39", &QWEN_MAX, Chat, &prompt(128_001), Known(384_153 * MILLION));
    let thinking = |tokens: u32| {
        chat(&format!(
            r#""prompt_tokens":100,"completion_tokens":50,"completion_tokens_details":{{"reasoning_tokens":{tokens}}}"#
        ))
    };
    // 100 x 0.4 + 50 x 4; without thinking 100 x 0.4 + 50 x 1.2
    check("6", &QWEN_PLUS, Chat, &thinking(30), Known(240 * MILLION));
    check("6", &QWEN_PLUS, Chat, &thinking(0), Known(100 * MILLION));
    let untold = &chat(r#""prompt_tokens":100,"completion_tokens":50"#);
    check("6", &QWEN_PLUS, Chat, untold, AtLeast(100 * MILLION));
}

#[test]
fn openrouter_states_its_charge() {
    let with = |more: &str| chat(&format!(r#""prompt_tokens":1000,"completion_tokens":100{more}"#));
    let upstream = r#""cost_details":{"upstream_inference_cost":0.00012}"#;
    let repeated = &with(&format!(r#","cost":0.00012,{upstream}"#));
    check("36", &OPENROUTER, Chat, repeated, Known(120 * MILLION));
    let own_key = &with(&format!(r#","cost":6e-06,"is_byok":true,{upstream}"#));
    check("36", &OPENROUTER, Chat, own_key, Known(126 * MILLION));
    check("36", &OPENROUTER, Chat, &with(r#","cost":0,"is_byok":true"#), Unknown);
    let fee = &with(r#","cost":0.1,"is_byok":true"#);
    check("36", &OPENROUTER, Chat, fee, AtLeast(100_000 * MILLION));
    // Elsewhere the same field may be of any currency: 1,000 x 2.5 + 100 x 15
    check("36", &GPT_5_4, Chat, &with(r#","cost":7"#), Known(4_000 * MILLION));
    // 400 fresh x 3 + 600 x 3, as no cached price is listed + 100 x 15
    let cached = &with(r#","prompt_tokens_details":{"cached_tokens":600}"#);
    check("37, 41", &OPENROUTER, Chat, cached, Known(4_500 * MILLION));
    let (_, report, _) = decoded(Chat, &repeated.replace(r#""m""#, r#""anthropic/claude-sonnet""#));
    assert_eq!(report.model.as_deref(), Some("anthropic/claude-sonnet"), "fact 37");
}
