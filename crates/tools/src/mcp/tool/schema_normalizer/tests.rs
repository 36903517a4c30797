use proptest::prelude::*;

use super::*;

fn declared(described: &Value) -> (Value, Option<Value>) {
    let NormalizedSchema { schema, unsupported: beside } =
        normalize_schema(described.as_object().unwrap());
    (Value::Object(schema), beside.map(Value::Object))
}

#[test]
fn what_real_servers_describe_is_declared_so_that_every_provider_takes_it() {
    let text = || json!({ "type": "string" });
    for (described, schema, beside) in [
        // A tool without arguments in the official Go SDK.
        (json!({ "type": "object" }), json!({ "type": "object", "properties": {} }), None),
        (json!({}), json!({ "type": "object", "properties": {} }), None),
        (
            json!({ "$schema": "x", "type": "object", "properties": { "a": text() }, "required": ["a"] }),
            json!({ "type": "object", "properties": { "a": text() }, "required": ["a"] }),
            None,
        ),
        // Alternatives: the fields of both, none of them always required.
        (
            json!({ "type": "object", "properties": { "a": text(), "b": text() },
                    "anyOf": [{ "required": ["a"] }, { "required": ["b"] }] }),
            json!({ "type": "object", "properties": { "a": text(), "b": text() } }),
            Some(json!({ "anyOf": [{ "required": ["a"] }, { "required": ["b"] }] })),
        ),
        // A union without fields of its own, one part of which is a reference.
        (
            json!({
                "oneOf": [
                    { "type": "object", "properties": { "kind": { "const": "a" }, "id": text() }, "required": ["kind", "id"] },
                    { "$ref": "#/$defs/b" },
                    { "type": "null" },
                ],
                "$defs": { "b": { "properties": { "kind": { "const": "b" } }, "required": ["kind"] } },
            }),
            json!({
                "type": "object",
                "properties": { "kind": { "anyOf": [{ "const": "a" }, { "const": "b" }] }, "id": text() },
                "required": ["kind"],
                "$defs": { "b": { "properties": { "kind": { "const": "b" } }, "required": ["kind"] } },
            }),
            Some(json!({ "oneOf": [
                    { "type": "object", "properties": { "kind": { "const": "a" }, "id": text() }, "required": ["kind", "id"] },
                    { "$ref": "#/$defs/b" },
                    { "type": "null" },
                ] })),
        ),
        // A field required by a part of `allOf` is required by the whole.
        (
            json!({ "allOf": [{ "properties": { "a": {} }, "required": ["a"] }, { "properties": { "b": {} }, "required": ["b"] }] }),
            json!({ "type": "object", "properties": { "a": {}, "b": {} }, "required": ["a", "b"] }),
            Some(
                json!({ "allOf": [{ "properties": { "a": {} }, "required": ["a"] }, { "properties": { "b": {} }, "required": ["b"] }] }),
            ),
        ),
        // Everything in a definition, as one SDK writes it.
        (
            json!({ "$ref": "#/definitions/A", "definitions": { "A": { "type": "object", "properties": { "a": text() } } } }),
            json!({ "type": "object", "properties": { "a": text() },
                    "definitions": { "A": { "type": "object", "properties": { "a": text() } } } }),
            None,
        ),
        // Lists without `items`, tuples, and limits of older drafts.
        (
            json!({ "type": "object", "properties": {
                    "list": { "type": "array" },
                    "rows": { "type": ["array", "null"], "items": { "type": "array" } },
                    "pair": { "type": "array", "items": [text(), { "type": "any" }] },
                    "age": { "type": "number", "minimum": 0, "exclusiveMinimum": true, "required": true },
                } }),
            json!({ "type": "object", "properties": {
                    "list": { "type": "array", "items": {} },
                    "rows": { "type": ["array", "null"], "items": { "type": "array", "items": {} } },
                    "pair": { "type": "array", "prefixItems": [text(), {}], "items": {} },
                    "age": { "type": "number", "exclusiveMinimum": 0 },
                } }),
            None,
        ),
        // A name that not every provider accepts. The rest of the schema does not exclude it.
        (
            json!({ "type": "object", "properties": { "$top": { "type": "integer" }, "q": text() },
                    "required": ["$top", "q"], "additionalProperties": false }),
            json!({ "type": "object", "properties": { "q": text() }, "required": ["q"] }),
            Some(json!({ "properties": { "$top": { "type": "integer" } }, "required": ["$top"] })),
        ),
        // A reference into a removed part gets a copy of its target.
        (
            json!({ "anyOf": [
                    { "properties": { "a": { "type": "object", "properties": { "deep": text() } } } },
                    { "properties": { "b": { "$ref": "#/anyOf/0/properties/a" }, "c": { "$ref": "other.json" } } },
                ] }),
            json!({
                "type": "object",
                "properties": {
                    "a": { "type": "object", "properties": { "deep": text() } },
                    "b": { "$ref": "#/$defs/part-1" },
                    "c": {},
                },
                "$defs": { "part-1": { "type": "object", "properties": { "deep": text() } } },
            }),
            Some(json!({ "anyOf": [
                    { "properties": { "a": { "type": "object", "properties": { "deep": text() } } } },
                    { "properties": { "b": { "$ref": "#/anyOf/0/properties/a" }, "c": { "$ref": "other.json" } } },
                ] })),
        ),
    ] {
        assert_eq!(declared(&described), (schema, beside), "{described}");
    }
}

#[test]
fn a_schema_that_names_itself_comes_to_an_end() {
    let itself = vec![json!({ "$ref": "#" }); 30];
    let (schema, _) = declared(&json!({ "properties": { "a": {} }, "anyOf": itself }));
    assert_eq!(schema, json!({ "type": "object", "properties": { "a": {} } }));
}

/// The reasons why providers reject a schema, by their documentation and errors.
fn faults(schema: &Value, root: &Value) -> Vec<String> {
    let Some(fields) = schema.as_object() else { return vec![format!("{schema} is none")] };
    let mut found = Vec::new();
    let mut check = |part: &str, is_right: bool| {
        if !is_right {
            found.push(format!("{part} of {schema}"));
        }
    };
    let is_kind = |kind: &Value| KINDS.iter().any(|known| kind == known);
    for (part, value) in fields {
        let of = |list: &Value| list.as_array().cloned().unwrap_or_default();
        check(
            part,
            match part.as_str() {
                "type" => {
                    is_kind(value) || (!of(value).is_empty() && of(value).iter().all(is_kind))
                }
                "required" => {
                    names(Some(value)).is_some_and(|names| names.len() == of(value).len())
                }
                "enum" | "anyOf" | "oneOf" | "allOf" | "prefixItems" => !of(value).is_empty(),
                "$ref" => target(root, value.as_str().unwrap_or_default()).is_some(),
                "items" | "properties" | "$defs" | "definitions" => value.is_object(),
                "exclusiveMinimum" => !value.is_boolean(),
                _ => true,
            },
        );
    }
    let says_list = |kind: &Value| {
        kind == "array" || kind.as_array().is_some_and(|kinds| kinds.contains(&json!("array")))
    };
    check(
        "missing items",
        !fields.get("type").is_some_and(says_list) || fields.contains_key("items"),
    );
    for (part, value) in fields {
        match (part.as_str(), value) {
            ("properties" | "$defs" | "definitions", Value::Object(inside)) => {
                found.extend(inside.values().flat_map(|schema| faults(schema, root)));
            }
            ("anyOf" | "oneOf" | "allOf" | "prefixItems", Value::Array(inside)) => {
                found.extend(inside.iter().flat_map(|schema| faults(schema, root)));
            }
            ("items", _) | ("not" | "additionalProperties", Value::Object(_)) => {
                found.extend(faults(value, root));
            }
            _ => {}
        }
    }
    found
}

/// Any JSON that may occur in a schema, in valid and invalid places.
fn any_schema() -> impl Strategy<Value = Value> {
    let word = prop::sample::select(vec![
        "object",
        "array",
        "string",
        "any",
        "a",
        "$top",
        "#",
        "#/anyOf/0",
        "#/properties/a",
        "#/$defs/a",
        "#/no",
        "http://x",
    ]);
    let part = prop::sample::select(vec![
        "type",
        "properties",
        "required",
        "items",
        "anyOf",
        "oneOf",
        "allOf",
        "not",
        "enum",
        "$ref",
        "$defs",
        "definitions",
        "additionalProperties",
        "additionalItems",
        "prefixItems",
        "exclusiveMinimum",
        "minimum",
        "a",
        "b",
        "$top",
    ]);
    let leaf = prop_oneof![
        word.prop_map(|word| json!(word)),
        any::<bool>().prop_map(|flag| json!(flag)),
        (0..9).prop_map(|number| json!(number)),
        Just(Value::Null),
    ];
    let any = leaf.prop_recursive(5, 60, 5, move |inside| {
        let parts = prop::collection::vec((part.clone(), inside.clone()), 0..5);
        prop_oneof![
            prop::collection::vec(inside, 0..4).prop_map(Value::Array),
            parts.prop_map(|parts| {
                parts.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
            }),
        ]
    });
    any.prop_map(|any| match any {
        Value::Object(_) => any,
        other => json!({ "properties": { "a": other } }),
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]
    #[test]
    fn whatever_a_server_describes_every_provider_takes_what_is_declared(described in any_schema()) {
        let (schema, _) = declared(&described);
        prop_assert_eq!(&schema["type"], &json!("object"));
        prop_assert_eq!(faults(&schema, &schema), Vec::<String>::new());
        let fields = schema["properties"].as_object().unwrap();
        prop_assert!(fields.keys().all(|name| is_name(name)));
        prop_assert!(UNSUPPORTED_AT_TOP.iter().all(|part| schema.get(part).is_none()));
        let required = names(schema.get("required")).unwrap_or_default();
        prop_assert!(required.iter().all(|name| fields.contains_key(name)));
        // An accepted schema stays unchanged.
        prop_assert_eq!(declared(&schema), (schema, None));
    }
}
