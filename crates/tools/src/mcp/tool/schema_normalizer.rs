//! Normalizes a tool's schema to the subset that every provider accepts.
//!
//! Servers may send any JSON schema. A provider rejects a whole request for one schema it does not
//! support, so one tool would break every message of every session. Unsupported parts move to the
//! tool's description; the server validates the arguments anyway.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

pub(crate) type JsonSchema = Map<String, Value>;

/// A schema that every provider accepts, and what had to leave it.
pub(crate) struct NormalizedSchema {
    pub schema: JsonSchema,
    /// The unsupported parts; `None` if there are none.
    pub unsupported: Option<JsonSchema>,
}

/// Keywords that no provider accepts at the top level, in the order of the description.
const UNSUPPORTED_AT_TOP: [&str; 5] = ["allOf", "anyOf", "oneOf", "not", "enum"];
/// The limit of schemas visited for fields: a schema may refer to itself.
const MAX_VISITED: u32 = 500;
/// The limit of an argument's name, in characters.
const MAX_NAME: usize = 64;
const KINDS: [&str; 7] = ["array", "boolean", "integer", "null", "number", "object", "string"];
const DEFINITIONS: &str = "$defs";

/// Normalizes a schema: an object with its fields at the top level, without anything below that
/// some provider rejects.
pub(crate) fn normalize_schema(described: &JsonSchema) -> NormalizedSchema {
    let root = Value::Object(described.clone());
    let mut schema = described.clone();
    let mut beside = JsonSchema::new();
    for part in UNSUPPORTED_AT_TOP {
        if let Some(part) = schema.remove_entry(part) {
            beside.extend([part]);
        }
    }
    // Tuples are rewritten to the newest draft below, so the stated draft no longer applies.
    for part in ["$ref", "$schema"] {
        schema.remove(part);
    }
    let ObjectFields { properties, required } = fields(described, &root, &mut { MAX_VISITED });
    let (properties, odd): (JsonSchema, JsonSchema) =
        properties.into_iter().partition(|(name, _)| is_name(name));
    if !odd.is_empty() {
        beside.insert("properties".into(), Value::Object(odd));
        // The tool takes the moved arguments, too.
        if schema.get("additionalProperties") == Some(&Value::Bool(false)) {
            schema.remove("additionalProperties");
        }
    }
    let (required, odd): (Vec<_>, Vec<_>) =
        required.into_iter().partition(|name| properties.contains_key(name));
    if !odd.is_empty() {
        beside.insert("required".into(), json!(odd));
    }
    schema.insert("type".into(), json!("object"));
    schema.insert("properties".into(), Value::Object(properties));
    schema.insert("required".into(), json!(required));
    repair(&mut schema);
    let schema = with_definitions(schema, &root);
    NormalizedSchema { schema, unsupported: Some(beside).filter(|beside| !beside.is_empty()) }
}

/// True if every provider accepts the name of an argument.
fn is_name(name: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-');
    (1..=MAX_NAME).contains(&name.len()) && name.chars().all(is_plain)
}

/// The fields of an object, from all parts of its schema.
#[derive(Default)]
struct ObjectFields {
    properties: JsonSchema,
    required: Vec<String>,
}

fn fields(schema: &JsonSchema, root: &Value, left: &mut u32) -> ObjectFields {
    let mut own = ObjectFields {
        properties: schema
            .get("properties")
            .and_then(Value::as_object)
            .cloned()
            .unwrap_or_default(),
        required: names(schema.get("required")).unwrap_or_default(),
    };
    let named = schema.get("$ref").and_then(|pointer| target(root, pointer.as_str()?));
    let lists = ["allOf", "anyOf", "oneOf"].map(|kind| (kind, schema.get(kind)));
    let lists = lists.iter().filter_map(|(kind, list)| Some((*kind, list.as_ref()?.as_array()?)));
    let lists = lists.map(|(kind, list)| (kind, list.iter().collect::<Vec<_>>()));
    for (kind, list) in lists.chain(named.map(|named| ("allOf", vec![named]))) {
        let parts: Vec<ObjectFields> = list
            .into_iter()
            .filter(|part| may_be_object(part))
            .map_while(|part| {
                *left = left.checked_sub(1)?;
                Some(part.as_object().map(|part| fields(part, root, left)).unwrap_or_default())
            })
            .collect();
        own.add(kind, parts);
    }
    own
}

fn may_be_object(schema: &Value) -> bool {
    match schema.get("type") {
        Some(Value::String(kind)) => kind == "object",
        Some(Value::Array(kinds)) => kinds.iter().any(|kind| kind == "object"),
        Some(_) | None => true,
    }
}

impl ObjectFields {
    /// Merges the fields of a list of schemas. A field is required if all of them require it; for
    /// `allOf`, if any does.
    fn add(&mut self, kind: &str, parts: Vec<ObjectFields>) {
        let mut required: Vec<String> =
            parts.iter().flat_map(|part| part.required.clone()).collect();
        if kind != "allOf" {
            required.retain(|name| parts.iter().all(|part| part.required.contains(name)));
        }
        self.required.extend(required);
        distinct(&mut self.required);
        let mut by_name: BTreeMap<String, Vec<Value>> = BTreeMap::new();
        for (name, schema) in parts.into_iter().flat_map(|part| part.properties) {
            let values = by_name.entry(name).or_default();
            if !values.contains(&schema) {
                values.push(schema);
            }
        }
        for (name, mut said) in by_name {
            let kind = if kind == "allOf" { kind } else { "anyOf" };
            let one = if said.len() == 1 { said.pop() } else { None };
            self.properties
                .entry(name)
                .or_insert_with(|| one.unwrap_or_else(|| json!({ kind: said })));
        }
    }
}

/// A list of names without duplicates; `None` if it is not a list of strings.
fn names(list: Option<&Value>) -> Option<Vec<String>> {
    let names = list?.as_array()?.iter().map(|name| name.as_str().map(str::to_owned));
    let mut names = names.collect::<Option<Vec<_>>>()?;
    distinct(&mut names);
    Some(names)
}

fn distinct(names: &mut Vec<String>) {
    let mut seen = std::collections::BTreeSet::new();
    names.retain(|name| seen.insert(name.clone()));
}

/// Repairs a schema and all its subschemas.
fn repair(schema: &mut JsonSchema) {
    let is_kind = |kind: &Value| kind.as_str().is_some_and(|kind| KINDS.contains(&kind));
    keep_if(schema, "type", |kind| match kind {
        Value::Array(kinds) => !kinds.is_empty() && kinds.iter().all(is_kind),
        one => is_kind(one),
    });
    keep_if(schema, "enum", |values| values.as_array().is_some_and(|values| !values.is_empty()));
    keep_if(schema, "$ref", Value::is_string);
    match names(schema.get("required")).filter(|names| !names.is_empty()) {
        Some(names) => drop(schema.insert("required".into(), json!(names))),
        None => drop(schema.remove("required")),
    }
    for (exclusive, limit) in [("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")] {
        // The boolean form of the oldest draft.
        match schema.get(exclusive) {
            Some(Value::Bool(true)) => match schema.remove(limit) {
                Some(limit) if limit.is_number() => drop(schema.insert(exclusive.into(), limit)),
                Some(_) | None => drop(schema.remove(exclusive)),
            },
            Some(Value::Bool(false)) => drop(schema.remove(exclusive)),
            Some(_) | None => {}
        }
    }
    repair_items(schema);
    for part in ["properties", "patternProperties", "dependentSchemas", DEFINITIONS, "definitions"]
    {
        keep_if(schema, part, Value::is_object);
        let inside = schema.get_mut(part).and_then(Value::as_object_mut);
        inside.into_iter().flat_map(Map::values_mut).for_each(tidy_or_empty);
    }
    for part in ["allOf", "anyOf", "oneOf", "prefixItems"] {
        keep_if(schema, part, |list| list.as_array().is_some_and(|list| !list.is_empty()));
        let inside = schema.get_mut(part).and_then(Value::as_array_mut);
        inside.into_iter().flatten().for_each(tidy_or_empty);
    }
    for part in ["not", "if", "then", "else", "contains", "propertyNames", "additionalProperties"] {
        keep_if(schema, part, |inside| inside.is_object() || inside.is_boolean());
        schema.get_mut(part).and_then(Value::as_object_mut).into_iter().for_each(repair);
    }
}

/// Adds a missing `items`, and rewrites tuples to the newest draft.
fn repair_items(schema: &mut JsonSchema) {
    let tuple = schema.get_mut("items").filter(|items| items.is_array()).map(Value::take);
    if let Some(tuple) = tuple {
        let others = schema.remove("additionalItems").unwrap_or(json!({}));
        schema.insert("prefixItems".into(), tuple);
        schema.insert("items".into(), others);
    }
    let is_list = schema.get("type").is_some_and(|kind| match kind {
        Value::Array(kinds) => kinds.iter().any(|kind| kind == "array"),
        one => one == "array",
    });
    if is_list || schema.contains_key("items") {
        tidy_or_empty(schema.entry("items").or_insert(Value::Null));
    }
}

fn keep_if(schema: &mut JsonSchema, part: &str, is_right: impl Fn(&Value) -> bool) {
    if schema.get(part).is_some_and(|value| !is_right(value)) {
        schema.remove(part);
    }
}

fn tidy_or_empty(schema: &mut Value) {
    match schema {
        Value::Object(schema) => repair(schema),
        other => *other = json!({}),
    }
}

/// The schema at a JSON pointer.
fn target<'a>(root: &'a Value, pointer: &str) -> Option<&'a Value> {
    root.pointer(pointer.strip_prefix('#')?).filter(|schema| schema.is_object())
}

/// Copies the targets of references into the schema, including targets in removed parts. A
/// reference without a target, or into another document, becomes an unconstrained schema.
fn with_definitions(schema: JsonSchema, root: &Value) -> JsonSchema {
    let mut schema = Value::Object(schema);
    let mut moved: BTreeMap<String, Option<String>> = BTreeMap::new();
    loop {
        let mut lost = Vec::new();
        for_each_reference(&mut schema.clone(), &mut |pointer| {
            if target(&schema, pointer).is_none() && !lost.contains(pointer) {
                lost.push(pointer.clone());
            }
            true
        });
        if lost.is_empty() {
            break;
        }
        for pointer in lost {
            let definition =
                target(root, &pointer).cloned().filter(|_| !moved.contains_key(&pointer));
            let place = definition.and_then(|mut found| {
                tidy_or_empty(&mut found);
                let kept = schema.as_object_mut()?.entry(DEFINITIONS).or_insert_with(|| json!({}));
                let kept = kept.as_object_mut()?;
                let mut places = (1..).map(|number| format!("part-{number}"));
                let name = places.find(|name| !kept.contains_key(name))?;
                kept.insert(name.clone(), found);
                Some(format!("#/{DEFINITIONS}/{name}"))
            });
            moved.insert(pointer, place);
        }
        for_each_reference(&mut schema, &mut |pointer| match moved.get(pointer) {
            Some(Some(place)) => {
                pointer.clone_from(place);
                true
            }
            Some(None) => false,
            None => true,
        });
    }
    match schema {
        Value::Object(schema) => schema,
        _ => JsonSchema::new(),
    }
}

/// Passes every reference to `see` and removes those for which it returns false.
fn for_each_reference(value: &mut Value, see: &mut impl FnMut(&mut String) -> bool) {
    match value {
        Value::Object(fields) => {
            if let Some(Value::String(pointer)) = fields.get_mut("$ref")
                && !see(pointer)
            {
                fields.remove("$ref");
            }
            fields.values_mut().for_each(|value| for_each_reference(value, see));
        }
        Value::Array(values) => values.iter_mut().for_each(|value| for_each_reference(value, see)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[cfg(test)]
mod tests;
