//! Merges the two catalogues, and adds facts that are in neither.

use std::collections::BTreeMap;

use skein_context::limits::catalog::{Catalog, CatalogModel, CatalogProvider};

/// Each provider's model for background requests: the smallest with tools that is not about to be
/// retired, according to the providers' documentation.
const FAST: &[(&str, &str)] = &[
    ("alibaba", "qwen-flash"),
    ("alibaba-cn", "qwen-flash"),
    ("anthropic", "claude-haiku-4-5"),
    ("cerebras", "gpt-oss-120b"),
    ("deepseek", "deepseek-v4-flash"),
    ("github-copilot", "gpt-5-mini"),
    ("google", "gemini-flash-lite-latest"),
    ("groq", "openai/gpt-oss-20b"),
    ("minimax", "MiniMax-M2.5-lightning"),
    ("mistral", "mistral-small-latest"),
    ("openai", "gpt-5.4-nano"),
    ("openrouter", "openai/gpt-5-mini"),
    ("togetherai", "openai/gpt-oss-20b"),
    ("xai", "grok-4.20-non-reasoning"),
    ("zai", "glm-4.5-air"),
    ("zhipuai", "glm-4.5-flash"),
];

/// Providers with the same models at another address that both catalogues lack.
const SAME_AS: &[(&str, &str)] = &[("moonshotai-cn", "moonshotai"), ("zhipuai", "zai")];

/// Prefers `newer`, with one exception: if the older window exceeds the newer one by exactly the
/// reply's limit, the newer number is the limit of the prompt.
pub fn merge(older: &Catalog, newer: &Catalog) -> Catalog {
    let mut providers: BTreeMap<String, CatalogProvider> = newer.providers().clone();
    for (id, row) in older.providers() {
        let models = &mut providers.entry(id.clone()).or_default().models;
        for (id, old) in &row.models {
            // Windows stay the same, prices change: those of the older source are outdated.
            let old = CatalogModel { prices: None, ..old.clone() };
            let merged = models.get(id).map_or_else(|| old.clone(), |new| both(&old, new));
            models.insert(id.clone(), merged);
        }
    }
    for (copy, original) in SAME_AS {
        let models = providers.get(*original).map(|row| row.models.clone()).unwrap_or_default();
        let row = providers.entry((*copy).to_owned()).or_default();
        for (id, model) in models {
            row.models.entry(id).or_insert(model);
        }
    }
    for row in providers.values_mut() {
        row.models.retain(|_, model| model.window.is_some());
    }
    providers.retain(|_, row| !row.models.is_empty());
    for (provider, fast) in FAST {
        if let Some(row) = providers.get_mut(*provider).filter(|row| row.models.contains_key(*fast))
        {
            row.fast_model = Some((*fast).to_owned());
        } else {
            println!("{provider} has no {fast} any more: it has no fast model now");
        }
    }
    Catalog::from_providers(providers)
}

fn both(old: &CatalogModel, new: &CatalogModel) -> CatalogModel {
    let max_output = new.max_output.or(old.max_output);
    let prompt_alone = new
        .window
        .filter(|prompt| max_output.and_then(|output| prompt.checked_add(output)) == old.window);
    let window = if prompt_alone.is_some() { old.window } else { new.window.or(old.window) };
    CatalogModel {
        window,
        max_input: new.max_input.or(prompt_alone).filter(|input| Some(*input) < window),
        max_output,
        tools: old.tools.or(new.tools),
        images: old.images.or(new.images),
        reasoning: old.reasoning.or(new.reasoning),
        text_to_text: old.text_to_text.or(new.text_to_text),
        released: old.released.clone(),
        prices: new.prices.clone(),
    }
}
