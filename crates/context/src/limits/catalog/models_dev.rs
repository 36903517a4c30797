//! The format of models.dev's `api.json`, parsed leniently: fields are added and change their type.

use std::collections::BTreeMap;

use serde_json::Value;

use super::catalog_model::{CatalogModel, CatalogProvider};
use super::model_prices;

pub(crate) fn parse(json: &[u8]) -> Option<BTreeMap<String, CatalogProvider>> {
    let root: Value = serde_json::from_slice(json).ok()?;
    let mut prices = model_prices::parse_models_dev(json);
    let providers = root.as_object()?.iter().filter_map(|(id, provider)| {
        let models = provider.get("models")?.as_object()?;
        let models = models.iter().filter(|(_, facts)| facts.is_object());
        let mut prices = prices.remove(id).unwrap_or_default();
        let mut model =
            |of: &String, facts| CatalogModel { prices: prices.remove(of), ..model(facts) };
        let models = models.map(|(id, facts)| (id.clone(), model(id, facts))).collect();
        Some((id.clone(), CatalogProvider { fast_model: None, models }))
    });
    Some(providers.collect())
}

fn model(facts: &Value) -> CatalogModel {
    let limit = |name: &str| limit(facts.get("limit")?.get(name)?);
    let window = limit("context");
    let modality = |side: &str, what: &str| {
        let all = facts.get("modalities")?.get(side)?.as_array()?;
        Some(all.iter().any(|one| one == what))
    };
    CatalogModel {
        window,
        max_input: limit("input").filter(|input| Some(*input) != window),
        max_output: limit("output"),
        tools: facts.get("tool_call").and_then(ability),
        images: modality("input", "image"),
        reasoning: facts.get("reasoning").and_then(ability),
        text_to_text: modality("input", "text")
            .zip(modality("output", "text"))
            .map(|(in_, out)| in_ && out),
        released: facts.get("release_date").and_then(Value::as_str).map(str::to_owned),
        prices: None,
    }
}

/// A limit in tokens. Zero, negative and non-numbers are unknown. A fraction is cut off.
fn limit(value: &Value) -> Option<u32> {
    let number = value.as_f64().filter(|number| *number >= 1.0)?;
    (number <= f64::from(u32::MAX)).then_some(number as u32)
}

/// An ability: `true`, `false`, or an object with details, which counts as true.
fn ability(value: &Value) -> Option<bool> {
    value.as_bool().or(value.is_object().then_some(true))
}
