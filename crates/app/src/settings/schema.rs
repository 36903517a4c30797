//! The JSON Schema of the settings file, derived from [`Settings`]: the range of a number is written at its
//! field and nowhere else.
//!
//! Not here: conditions that no schema can say, such as the address of a proxy (`Settings::is_usable`).

use std::sync::LazyLock;

use schemars::Schema;
use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use serde_json::Value;

use super::Settings;

/// The schema of the settings file.
pub(super) static SCHEMA: LazyLock<Value> = LazyLock::new(|| {
    SchemaSettings::draft07()
        .with(|schema| schema.inline_subschemas = true)
        .with_transform(RecursiveTransform(adapt_to_editors))
        .into_generator()
        .into_root_schema_for::<Settings>()
        .to_value()
});

/// Writes the schema as editors understand it: a bound for a size of integer, the word of JSON for an absent
/// value, and no section with all its defaults, which an editor would insert.
fn adapt_to_editors(schema: &mut Schema) {
    if schema.remove("format").is_some_and(|format| format == "uint32")
        && schema.get("maximum").is_none()
    {
        schema.insert("maximum".into(), u32::MAX.into());
    }
    if let Some(Value::String(description)) = schema.get_mut("description") {
        *description = description.replace("`None`", "null").replace('\n', " ");
    }
    if schema.get("properties").is_some() {
        schema.remove("default");
    }
}

/// True if every number is within the range that the schema gives it.
pub(super) fn is_in_range(value: &Value, schema: &Value) -> bool {
    match value {
        Value::Number(number) => number.as_u64().is_none_or(|number| {
            let limit = |keyword: &str| schema[keyword].as_u64();
            limit("minimum").is_none_or(|min| number >= min)
                && limit("maximum").is_none_or(|max| number <= max)
                && limit("multipleOf").is_none_or(|step| number.is_multiple_of(step))
        }),
        Value::Array(items) => items.iter().all(|item| is_in_range(item, &schema["items"])),
        Value::Object(fields) => {
            let schemas = &schema["properties"];
            fields.iter().all(|(name, value)| is_in_range(value, &schemas[name]))
        }
        Value::Null | Value::Bool(_) | Value::String(_) => true,
    }
}

#[cfg(test)]
mod tests {
    use boon::{Compiler, Schemas};
    use serde_json::{Map, json};

    use super::*;
    use crate::settings::sparse;

    /// The program refuses some of their values, but a schema cannot say which.
    const STRICTER_THAN_SCHEMA: [&str; 1] = ["/network/proxy/url"];

    /// A part of the program that reads them later refuses some of their values.
    const LOOSER_THAN_SCHEMA: [&str; 1] = ["/mcpServers/loom"];

    /// Every setting once.
    fn documents() -> Vec<Value> {
        let model = json!({ "provider": "a", "model": "x" });
        let provider = |model: Value| json!({ "providers": [{ "id": "a", "kind": "custom", "name": "A", "models": [model] }] });
        let budget =
            |limit: Value| json!({ "budgets": [{ "scope": "day", "limit": limit, "warnAt": 80 }] });
        let prices = json!({ "currency": "EUR", "input": "1.5", "output": "2", "cacheRead": ".1" });
        let limits = json!({
            "compactionThreshold": 63, "compactionBound": 1000, "outputReserve": 0,
            "optimalMaxTokens": 1, "criticalMaxTokens": 1,
            "cautionRemediationCadenceGenerations": 1
        });
        let money =
            json!({ "type": "money", "amount": "5", "currency": "EUR", "unpricedTokens": 1 });
        let mut documents = vec![
            json!({ "context": { "compactionBound": 1000, "toolCleaning": "never" } }),
            json!({ "defaultModel": model, "recentModels": [model], "summaryModel": model }),
            json!({ "instructions": "a", "updateHost": "a", "organisationUrl": "a" }),
            json!({ "providers": [{
                "id": "a", "kind": "custom", "name": "A", "baseUrl": "b", "exactUrl": true, "headers": { "h": "v" }
            }] }),
            provider(json!({ "id": "x", "name": "X", "window": 1, "maxOutput": 1 })),
            provider(
                json!({ "id": "x", "effort": "off", "summaryWriter": "skein", "fields": { "top_p": 0.5 } }),
            ),
            provider(json!({ "id": "x", "prices": prices })),
            provider(json!({ "id": "x", "limits": limits })),
            budget(money),
            budget(json!({ "type": "tokens", "tokens": 1 })),
            json!({ "network": { "proxy": { "type": "custom", "url": "http://a", "noProxy": "" } } }),
            json!({ "tools": { "search": { "type": "searxng", "url": "https://a" } } }),
            json!({ "tools": { "switches": { "a": "on" }, "outputLimits": { "a": 5 } } }),
            json!({ "memory": { "skills": { "a": "off" } } }),
            json!({ "mcpServers": { "loom": { "command": "a" } } }),
        ];
        let defaults = serde_json::to_value(Settings::default()).unwrap();
        let defaults = defaults.as_object().unwrap().iter();
        documents.extend(defaults.map(|(key, value)| json!({ key: value })));
        documents
    }

    fn replacements() -> Vec<Value> {
        let numbers = [0_u64, 1, 20, 21, 39, 40, 63, 90, 91, 95, 96, 99, 100, 999, 1000, 1 << 32];
        let others = json!([null, true, -1, 0.5, "", "a", "off", "EUR", "1.5e3", [], {}, ["a"]]);
        numbers.map(Value::from).into_iter().chain(others.as_array().unwrap().clone()).collect()
    }

    /// The JSON pointers of all values below one.
    fn pointers(value: &Value, here: &str) -> Vec<String> {
        let inner: Vec<(String, &Value)> = match value {
            Value::Object(fields) => fields.iter().map(|(key, it)| (key.clone(), it)).collect(),
            Value::Array(items) => {
                items.iter().enumerate().map(|(at, it)| (at.to_string(), it)).collect()
            }
            _ => Vec::new(),
        };
        let below = |(key, value): (String, &Value)| {
            let pointer = format!("{here}/{key}");
            let below = pointers(value, &pointer);
            [vec![pointer], below].concat()
        };
        inner.into_iter().flat_map(below).collect()
    }

    /// Copies of a document, each with one value replaced or one field removed, and that value's pointer.
    fn variants(document: &Value) -> Vec<(String, Value)> {
        let mut variants = vec![(String::new(), document.clone())];
        for pointer in pointers(document, "") {
            // serde reads a struct from an array, too, by the order of its fields.
            let is_object = document.pointer(&pointer).is_some_and(Value::is_object);
            for replacement in replacements().into_iter().filter(|it| !(is_object && it.is_array()))
            {
                let mut variant = document.clone();
                *variant.pointer_mut(&pointer).unwrap() = replacement;
                variants.push((pointer.clone(), variant));
            }
            let mut variant = document.clone();
            let (parent, key) = pointer.rsplit_once('/').unwrap();
            if let Some(Value::Object(parent)) = variant.pointer_mut(parent) {
                parent.shift_remove(key);
                variants.push((pointer, variant));
            }
        }
        variants
    }

    #[test]
    fn the_schema_refuses_what_the_program_refuses_and_nothing_else() {
        let (mut schemas, mut compiler) = (Schemas::new(), Compiler::new());
        compiler.add_resource("settings.schema.json", SCHEMA.clone()).unwrap();
        let schema = compiler.compile("settings.schema.json", &mut schemas).unwrap();
        for (pointer, document) in documents().iter().flat_map(variants) {
            let problems = sparse::read(document.as_object().unwrap_or(&Map::new())).1;
            let is_valid = schemas.validate(&document, schema).is_ok();
            let is_as_strict = match problems.is_empty() {
                true => is_valid || LOOSER_THAN_SCHEMA.contains(&pointer.as_str()),
                false => !is_valid || STRICTER_THAN_SCHEMA.contains(&pointer.as_str()),
            };
            assert!(is_as_strict, "{pointer} of {document}, schema: {is_valid}, {problems:?}");
        }
    }
}
