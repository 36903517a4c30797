//! One catalogue from two, and what neither of them says.

use std::collections::BTreeMap;

use skein_context::limits::catalog::{Catalog, CatalogModel, CatalogProvider};

/// Each provider's model for small errands: the smallest that takes tools and is not about to go,
/// as the providers' own documentation presents them.
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

/// Providers that sell the same models under another address and are missing from both.
const SAME_AS: &[(&str, &str)] = &[("moonshotai-cn", "moonshotai"), ("zhipuai", "zai")];

/// `newer` is the later source and is believed, but for one thing: where the older has a window
/// that is larger by just the answer's limit, the newer's is what the prompt alone may hold.
pub fn merge(older: &Catalog, newer: &Catalog) -> Catalog {
    let mut providers: BTreeMap<String, CatalogProvider> = newer.providers().clone();
    for (id, row) in older.providers() {
        let models = &mut providers.entry(id.clone()).or_default().models;
        for (id, old) in &row.models {
            let merged = models.get(id).map_or_else(|| old.clone(), |new| both(old, new));
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
    }
}
