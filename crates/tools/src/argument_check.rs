//! Checks the arguments of a call against the tool's JSON Schema.
//!
//! A model may call a deferred tool without having read its schema; the error says what does not
//! fit. Only what a schema says of types, required and further properties, and fixed values is
//! checked: the tool itself checks the rest. Not here: schemas of servers as they are declared
//! (`mcp::tool::schema_normalizer`).

use std::cmp::Ordering;

use serde_json::{Map, Value};

use crate::output_truncation;

/// Nested values below this depth are not checked.
const MAX_DEPTH: usize = 16;
/// The problems that one error names.
const MAX_PROBLEMS: usize = 5;
/// Characters of the schema in an error.
const SCHEMA_CHARS: u32 = 4_000;

/// The error for the model if arguments do not fit a schema; `None`: nothing speaks against them.
pub(crate) fn argument_error(tool: &str, args: &Value, schema: &Value) -> Option<String> {
    let mut problems = Vec::new();
    check(args, schema, "arguments", MAX_DEPTH, &mut problems);
    if problems.is_empty() {
        return None;
    }
    problems.truncate(MAX_PROBLEMS);
    let schema = output_truncation::truncate_end(&schema.to_string(), SCHEMA_CHARS);
    Some(format!(
        "The arguments do not fit the tool {tool}: {}. Nothing was done. Its arguments: {schema}",
        problems.join("; ")
    ))
}

fn check(value: &Value, schema: &Value, path: &str, depth: usize, problems: &mut Vec<String>) {
    let Some(schema) = schema.as_object().filter(|_| depth > 0) else { return };
    if let Some(allowed) = schema.get("type").filter(|types| !has_type(value, types)) {
        problems.push(format!("{path} must be of type {allowed}"));
        return;
    }
    if let Some(values) = schema.get("enum").and_then(Value::as_array)
        && !values.iter().any(|allowed| is_equal(allowed, value))
    {
        problems.push(format!("{path} must be one of {}", Value::from(values.as_slice())));
    }
    if let Some(fixed) = schema.get("const").filter(|fixed| !is_equal(fixed, value)) {
        problems.push(format!("{path} must be {fixed}"));
    }
    match value {
        Value::Object(fields) => check_fields(fields, schema, path, depth, problems),
        Value::Array(items) => {
            if let Some(of_items) = schema.get("items") {
                // The items that `prefixItems` describes are left to the tool.
                let prefix =
                    schema.get("prefixItems").and_then(Value::as_array).map_or(0, Vec::len);
                for (at, item) in items.iter().enumerate().skip(prefix) {
                    check(item, of_items, &format!("{path}[{at}]"), depth - 1, problems);
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn check_fields(
    fields: &Map<String, Value>,
    schema: &Map<String, Value>,
    path: &str,
    depth: usize,
    problems: &mut Vec<String>,
) {
    let required = schema.get("required").and_then(Value::as_array).into_iter().flatten();
    for name in required.filter_map(Value::as_str).filter(|name| !fields.contains_key(*name)) {
        problems.push(format!("{path}.{name} is missing"));
    }
    let known = schema.get("properties").and_then(Value::as_object);
    let is_closed = schema.get("additionalProperties") == Some(&Value::Bool(false))
        && !schema.contains_key("patternProperties");
    for (name, value) in fields {
        match known.and_then(|known| known.get(name)) {
            Some(schema) => check(value, schema, &format!("{path}.{name}"), depth - 1, problems),
            None if is_closed => problems.push(format!("{path}.{name} is not an argument")),
            None => {}
        }
    }
}

/// True if two values are the same JSON. Numbers are compared by value: 2.0 is 2.
fn is_equal(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(a), Value::Number(b)) => {
            a == b
                || (a.is_f64() || b.is_f64())
                    && a.as_f64().partial_cmp(&b.as_f64()) == Some(Ordering::Equal)
        }
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_equal(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len()
                && a.iter().all(|(name, a)| b.get(name).is_some_and(|b| is_equal(a, b)))
        }
        _ => one == other,
    }
}

/// True if a value has one of the types of a schema's `type`. An unknown type is no type to fail.
fn has_type(value: &Value, types: &Value) -> bool {
    match types {
        Value::String(name) => is_of(value, name),
        Value::Array(names) => {
            names.iter().any(|name| name.as_str().is_none_or(|name| is_of(value, name)))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => true,
    }
}

fn is_of(value: &Value, name: &str) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "number" => value.is_number(),
        "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn w03_arguments_that_do_not_fit_are_refused_with_the_schema_and_all_others_pass() {
        let schema = json!({
            "type": "object",
            "required": ["repo"],
            "additionalProperties": false,
            "properties": {
                "repo": { "type": "string" },
                "limit": { "type": ["integer", "null"] },
                "state": { "enum": ["open", "closed"] },
                "labels": { "type": "array", "items": { "type": "string" } },
                "nested": { "type": "object", "required": ["at"] }
            }
        });
        let error = |args: Value| argument_error("git__issues", &args, &schema);
        for fits in [
            json!({ "repo": "wool" }),
            json!({ "repo": "wool", "limit": 3.0, "state": "open", "labels": ["a"] }),
            json!({ "repo": "wool", "limit": null, "nested": { "at": 1, "more": 2 } }),
        ] {
            assert_eq!(error(fits), None);
        }
        for (args, problem) in [
            (json!({}), "arguments.repo is missing"),
            (json!("wool"), "arguments must be of type \"object\""),
            (json!({ "repo": 1 }), "arguments.repo must be of type \"string\""),
            (json!({ "repo": "a", "limit": 1.5 }), "arguments.limit must be of type"),
            (json!({ "repo": "a", "state": "gone" }), "arguments.state must be one of"),
            (json!({ "repo": "a", "labels": ["b", 2] }), "arguments.labels[1] must be"),
            (json!({ "repo": "a", "nested": {} }), "arguments.nested.at is missing"),
            (json!({ "repo": "a", "page": 2 }), "arguments.page is not an argument"),
        ] {
            let error = error(args).unwrap();
            assert!(error.contains(problem), "{error}");
            assert!(error.contains("git__issues") && error.contains("\"required\":[\"repo\"]"));
        }
    }

    #[test]
    fn w03_numbers_are_compared_by_value_and_items_begin_behind_the_prefix() {
        let schema = json!({ "properties": {
            "level": { "enum": [1, 2.0] },
            "version": { "const": { "major": [2] } },
            "pair": { "prefixItems": [{ "type": "string" }], "items": { "type": "integer" } }
        } });
        let error = |args: Value| argument_error("t", &args, &schema);
        for fits in [
            json!({ "level": 1.0 }),
            json!({ "level": 2 }),
            json!({ "version": { "major": [2.0] } }),
            json!({ "pair": ["a", 1] }),
        ] {
            assert_eq!(error(fits), None);
        }
        for (args, problem) in [
            (json!({ "level": 1.5 }), "arguments.level must be one of"),
            (json!({ "version": { "major": [2, 2] } }), "arguments.version must be"),
            (json!({ "pair": ["a", "b"] }), "arguments.pair[1] must be"),
        ] {
            let error = error(args).unwrap();
            assert!(error.contains(problem), "{error}");
        }
    }

    #[test]
    fn a_schema_that_says_nothing_or_nonsense_refuses_nothing() {
        let args = json!({ "a": [1, { "b": null }] });
        for schema in [
            json!(true),
            json!({}),
            json!({ "type": 3, "required": "a", "properties": [], "enum": 1, "items": null }),
            json!({ "type": "any", "properties": { "a": { "items": { "type": "thing" } } } }),
        ] {
            assert_eq!(argument_error("t", &args, &schema), None, "{schema}");
        }
    }
}
