//! The format of `data/models.tsv`: one line a model, made by `cargo xtask catalogue`.
//!
//! `# …` is a comment; `[provider]` or `[provider] fast-model` begins a provider; every other line is `id ⇥
//! window ⇥
//! max input ⇥ max output ⇥ abilities ⇥ released ⇥ prices`, where an empty field is unknown.
//! `model_prices::parse_line` parses the prices. An ability is `t`ools, `i`mages or `r`easoning, in upper
//! case if the
//! model is known not to have it. Every listed model takes and gives text.

use std::collections::BTreeMap;

use super::catalog_model::{CatalogModel, CatalogProvider};
use super::model_prices;

/// Parses the file. The file ships with the program and a test parses all of it, so an invalid line is
/// skipped without an error.
pub(crate) fn parse(text: &str) -> BTreeMap<String, CatalogProvider> {
    let mut providers: BTreeMap<String, CatalogProvider> = BTreeMap::new();
    let mut current = String::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        if let Some((provider, fast)) = line.strip_prefix('[').and_then(|head| head.split_once(']'))
        {
            let fast = Some(fast.trim()).filter(|fast| !fast.is_empty()).map(str::to_owned);
            provider.clone_into(&mut current);
            providers.entry(current.clone()).or_default().fast_model = fast;
        } else if let Some((id, facts)) = line.split_once('\t')
            && let Some(provider) = providers.get_mut(&current)
        {
            provider.models.insert(id.to_owned(), model(facts));
        }
    }
    providers
}

fn model(facts: &str) -> CatalogModel {
    let mut fields = facts.split('\t');
    let mut next = || fields.next().unwrap_or_default();
    let (window, max_input, max_output) = (next(), next(), next());
    let (abilities, released, prices) = (next(), next(), next());
    let limit = |field: &str| field.parse().ok().filter(|limit: &u32| *limit > 0);
    let ability = |letter: char| {
        let letter = abilities.chars().find(|c| c.eq_ignore_ascii_case(&letter));
        letter.map(|letter| letter.is_ascii_lowercase())
    };
    CatalogModel {
        window: limit(window),
        max_input: limit(max_input),
        max_output: limit(max_output),
        tools: ability('t'),
        images: ability('i'),
        reasoning: ability('r'),
        text_to_text: None,
        released: Some(released).filter(|date| !date.is_empty()).map(str::to_owned),
        prices: model_prices::parse_line(prices),
    }
}
