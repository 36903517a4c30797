//! The effort levels in each wire format.

use serde_json::{Value, json};
use skein_domain::provider_config::ReasoningEffort;

use super::conversation::{body_bytes, conversation};
use crate::model_request::ModelRequest;
use crate::quirks::quirk::{Quirk, Quirks};

#[test]
fn how_hard_a_model_is_to_think_is_said_in_the_words_of_each_wire_and_left_out_where_refused() {
    use ReasoningEffort::{Default, High, Low, Medium, Off};
    let adaptive = json!({ "type": "adaptive", "display": "summarized" });
    let shown = |more: Value| {
        let mut shown = json!({ "includeThoughts": true });
        shown.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        json!({ "maxOutputTokens": 50, "thinkingConfig": shown })
    };
    let nothing = || json!({});
    for (kind, model, effort, said) in [
        ("anthropic", "m", Default, nothing()),
        ("anthropic", "m", Off, json!({ "thinking": { "type": "disabled" } })),
        (
            "anthropic",
            "m",
            Low,
            json!({ "thinking": adaptive, "output_config": { "effort": "low" } }),
        ),
        ("gemini", "gemini-flash-latest", Default, json!({ "generationConfig": shown(nothing()) })),
        (
            "gemini",
            "gemini-2.5-flash",
            Off,
            json!({ "generationConfig": shown(json!({ "thinkingBudget": 0 })) }),
        ),
        (
            "gemini",
            "gemini-3-pro",
            High,
            json!({ "generationConfig": shown(json!({ "thinkingLevel": "high" })) }),
        ),
        ("openai-responses", "m", Default, nothing()),
        ("openai-responses", "m", Off, json!({ "reasoning": { "effort": "none" } })),
        (
            "openai-responses",
            "m",
            High,
            json!({ "reasoning": { "effort": "high", "summary": "auto" } }),
        ),
        ("custom", "m", Default, nothing()),
        ("custom", "m", Off, json!({ "reasoning_effort": "none" })),
        ("openrouter", "m", Low, json!({ "reasoning_effort": "low" })),
        ("deepseek", "deepseek-v4-flash", Default, nothing()),
        ("deepseek", "deepseek-v4-flash", Off, json!({ "thinking": { "type": "disabled" } })),
        ("deepseek", "deepseek-v4-flash", High, json!({ "reasoning_effort": "high" })),
        ("moonshot-cn", "kimi-k2.6", Off, json!({ "thinking": { "type": "disabled" } })),
        ("zhipu", "glm-5.2", Off, json!({ "thinking": { "type": "disabled" } })),
        ("dashscope", "qwen-plus-latest", Off, json!({ "enable_thinking": false })),
        (
            "siliconflow",
            "Qwen/Qwen3-32B",
            Low,
            json!({ "enable_thinking": true, "thinking_budget": 2_048 }),
        ),
        // These models always reason, and some treat an unknown level as the highest.
        ("moonshot", "kimi-k3", Off, json!({ "reasoning_effort": "low" })),
        ("moonshot", "kimi-k3", Medium, json!({ "reasoning_effort": "high" })),
        ("siliconflow", "zai-org/GLM-5.3", Off, json!({ "reasoning_effort": "low" })),
        ("groq", "openai/gpt-oss-120b", Off, json!({ "reasoning_effort": "low" })),
        ("groq", "openai/gpt-oss-120b", Medium, json!({ "reasoning_effort": "medium" })),
        ("anthropic", "claude-sonnet-5-5", Default, json!({ "thinking": adaptive })),
        ("anthropic", "claude-opus-5", Default, json!({ "thinking": adaptive })),
        ("anthropic", "claude-opus-4-8", Default, nothing()),
        ("anthropic", "claude-sonnet-4-20250514", Default, nothing()),
        ("anthropic", "claude-3-7-sonnet-20250219", Default, nothing()),
        ("minimax", "MiniMax-M3", Default, nothing()),
        ("minimax", "MiniMax-M3", Off, json!({ "thinking": { "type": "disabled" } })),
        (
            "minimax",
            "MiniMax-M2.7",
            Off,
            json!({ "thinking": adaptive, "output_config": { "effort": "low" } }),
        ),
        ("ollama", "qwen3", Default, nothing()),
        ("ollama", "qwen3", Off, json!({ "think": false })),
        ("ollama", "qwen3", High, json!({ "think": true })),
        ("ollama", "gpt-oss:20b", Low, json!({ "think": "low" })),
    ] {
        let request = ModelRequest { model: model.to_owned(), effort, ..conversation() };
        let of = |quirks: &Quirks| -> Value {
            let body = body_bytes(&request, kind, quirks);
            let body: Value = serde_json::from_slice(&body).unwrap();
            let told = [
                "thinking",
                "output_config",
                "generationConfig",
                "reasoning",
                "reasoning_effort",
                "enable_thinking",
                "thinking_budget",
                "think",
            ];
            let told = told.into_iter().filter(|name| !body[*name].is_null());
            told.map(|name| (name.to_owned(), body[name].clone())).collect()
        };
        assert_eq!(of(&Quirks::default()), said, "{kind} {model} {effort:?}");
        let refused = of(&Quirks::from_iter([Quirk::EffortLevelsSkipped(effort, 9)]));
        let silent = match kind {
            "gemini" => json!({ "generationConfig": { "maxOutputTokens": 50 } }),
            _ => nothing(),
        };
        assert_eq!(refused, silent, "{kind} {effort:?}");
    }
}

#[test]
fn a_level_that_is_refused_is_followed_by_what_comes_close_to_it() {
    use ReasoningEffort::{High, Medium, Off};
    let thinks = |budget: u32| json!({ "type": "enabled", "budget_tokens": budget });
    let shows = |name: &str, value: Value| json!({ "includeThoughts": true, name: value });
    let silent = json!({ "includeThoughts": true });
    let none = Value::Null;
    for (kind, model, effort, at, said) in [
        (
            "custom",
            "gpt-5",
            Off,
            "/reasoning_effort",
            vec![json!("none"), json!("minimal"), json!("low"), none.clone()],
        ),
        (
            "openai-responses",
            "gpt-5",
            High,
            "/reasoning",
            vec![
                json!({ "effort": "high", "summary": "auto" }),
                json!({ "effort": "high" }),
                none.clone(),
            ],
        ),
        (
            "gemini",
            "gemini-2.5-pro",
            Off,
            "/generationConfig/thinkingConfig",
            vec![
                shows("thinkingBudget", json!(0)),
                shows("thinkingBudget", json!(128)),
                silent.clone(),
                none.clone(),
            ],
        ),
        (
            "gemini",
            "gemini-3-pro-preview",
            Off,
            "/generationConfig/thinkingConfig",
            vec![
                shows("thinkingLevel", json!("minimal")),
                shows("thinkingLevel", json!("low")),
                silent,
                none.clone(),
            ],
        ),
        (
            "anthropic",
            "claude-sonnet-4-5",
            Medium,
            "/thinking",
            vec![
                json!({ "type": "adaptive", "display": "summarized" }),
                thinks(8_192),
                none.clone(),
            ],
        ),
        (
            "anthropic",
            "claude-sonnet-5-5",
            Off,
            "/thinking",
            vec![
                json!({ "type": "disabled" }),
                json!({ "type": "between_tools" }),
                json!({ "type": "adaptive", "display": "summarized" }),
                none.clone(),
            ],
        ),
        (
            "moonshot",
            "kimi-k2.7-code",
            Off,
            "/reasoning_effort",
            vec![none.clone(), json!("low"), none.clone()],
        ),
        (
            "dashscope",
            "qwen3-next-80b-a3b-thinking",
            High,
            "/reasoning_effort",
            vec![none.clone(), json!("high"), none.clone()],
        ),
        ("ollama", "gpt-oss:20b", Off, "/think", vec![json!("low"), none]),
    ] {
        for (level, said) in said.into_iter().enumerate() {
            let max_output = Some(32_000);
            let request =
                ModelRequest { model: model.into(), effort, max_output, ..conversation() };
            let quirks = Quirks::from_iter([Quirk::EffortLevelsSkipped(effort, level)]);
            let body = body_bytes(&request, kind, &quirks);
            let body: Value = serde_json::from_slice(&body).unwrap();
            let told = body.pointer(at).cloned().unwrap_or_default();
            assert_eq!(told, said, "{model} {effort:?} {level}");
        }
    }
}

#[test]
fn a_model_that_takes_no_tools_while_it_thinks_is_told_not_to_where_there_are_tools() {
    let quirks = Quirks::from_iter([Quirk::NoReasoningWithTools]);
    let level = |effort, tools: bool, quirks: &Quirks| {
        let mut request = ModelRequest { effort, ..conversation() };
        request.prompt.tools.retain(|_| tools);
        let body = body_bytes(&request, "openai", quirks);
        let body: Value = serde_json::from_slice(&body).unwrap();
        body["reasoning_effort"].clone()
    };
    for effort in [ReasoningEffort::Default, ReasoningEffort::High, ReasoningEffort::Off] {
        assert_eq!(level(effort, true, &quirks), "none", "{effort:?}");
    }
    assert_eq!(level(ReasoningEffort::High, false, &quirks), "high");
    assert_eq!(level(ReasoningEffort::Default, false, &quirks), Value::Null);
    let refused = Quirks::from_iter([
        Quirk::NoReasoningWithTools,
        Quirk::EffortLevelsSkipped(ReasoningEffort::Off, 3),
    ]);
    assert_eq!(level(ReasoningEffort::High, true, &refused), Value::Null, "it ends");
}
