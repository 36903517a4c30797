//! Keeps the valid part of an invalid setting: all entries but the invalid ones, however deep they are.
//!
//! It knows no particular setting and tests candidates. Not here: the place of a value in the file
//! (`sparse`).

use serde_json::{Map, Value};

use super::sparse::{SettingProblem, problem};

/// Returns true if a value is valid at its place.
type Validator<'a> = dyn Fn(Value) -> bool + 'a;

/// The largest number of invalid fields that are searched for in an object with required fields.
const MAX_INVALID: usize = 3;

/// Returns the usable part of a value; `None` if there is none. Adds the keys that it leaves out to the
/// problems.
pub(super) fn keep_usable(
    key: &str,
    value: &Value,
    fits: &Validator<'_>,
    problems: &mut Vec<SettingProblem>,
) -> Option<Value> {
    if fits(value.clone()) {
        return Some(value.clone());
    }
    let part = match value {
        Value::Array(elements) if fits(Value::Array(Vec::new())) => {
            Some(of_list(key, elements, fits, problems))
        }
        Value::Object(fields) => {
            core(fields, fits).map(|core| of_object(key, core, fields, fits, problems))
        }
        Value::Array(_) | Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            None
        }
    };
    if part.is_none() {
        problems.push(problem(key.to_owned(), value, &Value::Null));
    }
    part
}

fn of_list(
    key: &str,
    elements: &[Value],
    fits: &Validator<'_>,
    problems: &mut Vec<SettingProblem>,
) -> Value {
    let mut list = Vec::new();
    for (place, element) in elements.iter().enumerate() {
        let fits_behind = |element| fits(Value::Array([list.as_slice(), &[element]].concat()));
        let part = keep_usable(&format!("{key}[{place}]"), element, &fits_behind, problems);
        list.extend(part);
    }
    Value::Array(list)
}

fn of_object(
    key: &str,
    core: Map<String, Value>,
    fields: &Map<String, Value>,
    fits: &Validator<'_>,
    problems: &mut Vec<SettingProblem>,
) -> Value {
    let mut object = core;
    for (name, value) in fields {
        if object.contains_key(name) {
            continue;
        }
        let fits_beside = |value| {
            let mut with = object.clone();
            with.insert(name.clone(), value);
            fits(Value::Object(with))
        };
        if let Some(part) = keep_usable(&format!("{key}.{name}"), value, &fits_beside, problems) {
            object.insert(name.clone(), part);
        }
    }
    Value::Object(object)
}

/// A valid selection of fields: none if none is required, else all but the fewest.
fn core(fields: &Map<String, Value>, fits: &Validator<'_>) -> Option<Map<String, Value>> {
    if fits(Value::Object(Map::new())) {
        return Some(Map::new());
    }
    (1..=MAX_INVALID).find_map(|fewer| all_but(fewer, fields, 0, fits))
}

fn all_but(
    fewer: usize,
    fields: &Map<String, Value>,
    from: usize,
    fits: &Validator<'_>,
) -> Option<Map<String, Value>> {
    if fewer == 0 {
        return fits(Value::Object(fields.clone())).then(|| fields.clone());
    }
    fields.keys().enumerate().skip(from).find_map(|(at, name)| {
        let mut rest = fields.clone();
        rest.shift_remove(name);
        all_but(fewer - 1, &rest, at, fits)
    })
}

/// Puts the invalid entries of the file back into a changed value, unless the change replaced them.
pub(super) fn restore_unusable(
    found: &Value,
    used: Option<&Value>,
    before: Option<&Value>,
    after: &mut Value,
) {
    match (found, after) {
        (Value::Object(found), Value::Object(after)) => {
            for (name, found) in found {
                let before = before.and_then(|before| before.get(name));
                match (used.and_then(|used| used.get(name)), after.get_mut(name)) {
                    (None, after_it) if after_it.as_deref() == before => {
                        after.insert(name.clone(), found.clone());
                    }
                    (used @ Some(_), Some(after)) => restore_unusable(found, used, before, after),
                    (None, _) | (Some(_), None) => {}
                }
            }
        }
        (Value::Array(found), Value::Array(after)) => {
            // The valid entries of a list are in its order, so each entry of the file is the next one or was
            // left out.
            let mut used = used.and_then(Value::as_array).into_iter().flatten().peekable();
            for found in found {
                let Some(used) = used.next_if(|used| is_part(used, found)) else {
                    after.push(found.clone());
                    continue;
                };
                let is_same =
                    |it: &&Value| it.get("id").is_some() && it.get("id") == found.get("id");
                let before = before.and_then(Value::as_array).into_iter().flatten().find(is_same);
                if let Some(after) = after.iter_mut().find(|it| is_same(&&**it)) {
                    restore_unusable(found, Some(used), before, after);
                }
            }
        }
        _ => {}
    }
}

/// True if `used` is the valid part of `found`.
fn is_part(used: &Value, found: &Value) -> bool {
    match (used, found) {
        (Value::Object(used), Value::Object(found)) => used
            .iter()
            .all(|(name, used)| found.get(name).is_some_and(|found| is_part(used, found))),
        (Value::Array(used), Value::Array(found)) => {
            let mut found = found.iter();
            used.iter().all(|used| found.any(|found| is_part(used, found)))
        }
        (used, found) => used == found,
    }
}
