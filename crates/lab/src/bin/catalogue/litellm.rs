//! Parses the model table of litellm: one flat object, whose keys begin with the provider's name in
//! many spellings.

use std::collections::BTreeMap;

use serde_json::Value;
use skein_context::limits::catalog::{Catalog, CatalogModel, CatalogProvider};

use crate::{Outcome, litellm_prices};

/// Providers with other names at models.dev, possibly several.
const NAMES: &[(&str, &str)] = &[
    ("bedrock", "amazon-bedrock"),
    ("bedrock_converse", "amazon-bedrock"),
    ("bedrock_mantle", "amazon-bedrock"),
    ("cloudflare", "cloudflare-workers-ai"),
    ("cohere_chat", "cohere"),
    ("dashscope", "alibaba"),
    ("gemini", "google"),
    ("moonshot", "moonshotai"),
    ("qwen_ai_platform", "alibaba-cn"),
    ("text-completion-openai", "openai"),
    ("together_ai", "togetherai"),
    ("vercel_ai_gateway", "vercel"),
    ("vertex_ai", "google-vertex"),
    ("vertex_ai-anthropic_models", "google-vertex-anthropic"),
    ("vertex_ai-language-models", "google-vertex"),
    ("vertex_ai-llama_models", "google-vertex"),
    ("vertex_ai-mistral_models", "google-vertex"),
];

/// Providers whose prices are used: those that Skein can be configured for and that bill in US
/// dollars. Other prices are conversions, or of no use.
const PRICED: &[&str] = &[
    "alibaba",
    "anthropic",
    "cerebras",
    "deepseek",
    "google",
    "groq",
    "minimax",
    "mistral",
    "moonshotai",
    "openai",
    "openrouter",
    "siliconflow",
    "togetherai",
    "xai",
    "zai",
];

/// OpenAI's limits of prompt and reply, whose sum is the window. Elsewhere in the table the "input"
/// limit is the window.
const SPLIT_WINDOWS: &[(u32, u32)] = &[(272_000, 128_000), (922_000, 128_000)];

pub fn parse(json: &[u8]) -> Outcome<Catalog> {
    let table: BTreeMap<String, Value> = serde_json::from_slice(json)?;
    let mut prices = litellm_prices::parse(json)?;
    let mut providers: BTreeMap<String, CatalogProvider> = BTreeMap::new();
    for (key, facts) in &table {
        let writes = matches!(text(facts, "mode"), Some("chat" | "responses" | "completion"));
        let Some(provider) = text(facts, "litellm_provider").filter(|_| writes) else { continue };
        let mut model = model(facts);
        if model.window.is_none() {
            continue;
        }
        let provider_id = name(provider);
        model.prices = prices.remove(key).filter(|_| PRICED.contains(&provider_id.as_str()));
        let row = providers.entry(provider_id).or_default();
        row.models.insert(id(key, provider).to_owned(), model);
    }
    Ok(Catalog::from_providers(providers))
}

fn name(provider: &str) -> String {
    let listed = NAMES.iter().find(|(theirs, _)| *theirs == provider);
    listed.map_or_else(|| provider.replace('_', "-"), |(_, ours)| (*ours).to_owned())
}

/// The key without the provider's name.
fn id<'a>(key: &'a str, provider: &str) -> &'a str {
    let short = provider.split("_models").next().unwrap_or(provider);
    let short = if short.starts_with("vertex_ai") { "vertex_ai" } else { short };
    let short = if short.starts_with("bedrock") { "bedrock" } else { short };
    key.strip_prefix(short).and_then(|rest| rest.strip_prefix('/')).unwrap_or(key)
}

fn model(facts: &Value) -> CatalogModel {
    let input = limit(facts, "max_input_tokens");
    let output = limit(facts, "max_output_tokens");
    let split = input.zip(output).filter(|limits| SPLIT_WINDOWS.contains(limits));
    // Old entries have only `max_tokens`, which is then the window.
    let window = split.map(|(input, output)| input + output).or(input);
    CatalogModel {
        window: window.or_else(|| limit(facts, "max_tokens")),
        max_input: split.map(|(input, _)| input),
        max_output: output,
        tools: ability(facts, "supports_function_calling"),
        images: ability(facts, "supports_vision"),
        reasoning: ability(facts, "supports_reasoning"),
        text_to_text: None,
        released: None,
        prices: None,
    }
}

fn text<'a>(facts: &'a Value, field: &str) -> Option<&'a str> {
    facts.get(field)?.as_str()
}

fn limit(facts: &Value, field: &str) -> Option<u32> {
    let value = facts.get(field)?;
    // Some limits are strings.
    let number = value.as_f64().or_else(|| value.as_str()?.parse().ok())?;
    (number >= 1.0 && number <= f64::from(u32::MAX)).then_some(number as u32)
}

/// True or absent: a missing flag only means that nobody filled it in.
fn ability(facts: &Value, field: &str) -> Option<bool> {
    facts.get(field)?.as_bool().filter(|yes| *yes)
}
