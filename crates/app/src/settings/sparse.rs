//! Converts between the contents of the file and settings, one value at a time: an invalid value is reported
//! and replaced by its default, without an effect on others. Within a list or an object that applies to each
//! entry (`lenient`).

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use specta::Type;

use super::Settings;
use super::lenient::{keep_usable, restore_unusable};

/// The objects whose keys are settings; every other key is a setting as a whole.
const SECTIONS: [&str; 7] =
    ["context", "appearance", "keyboard", "desktop", "network", "tools", "memory"];

/// The length at which an invalid value is cut for display, in characters.
const MAX_DISPLAYED: usize = 80;

/// An invalid value in the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SettingProblem {
    /// The key, for example `context.compactionThreshold`.
    pub key: String,
    /// The value in the file, shortened; for lists and objects only the type, as they may contain secrets.
    pub found: String,
    /// The value that is used instead, as JSON.
    pub used: String,
}

/// Absent and invalid values become the defaults. An invalid one is also reported as a problem.
pub(super) fn read(file: &Map<String, Value>) -> (Settings, Vec<SettingProblem>) {
    let mut settings = Settings::default();
    let mut problems: Vec<_> = SECTIONS
        .into_iter()
        .filter_map(|section| {
            Some((section, file.get(section).filter(|found| !found.is_object())?))
        })
        .map(|(section, found)| problem(section.to_owned(), found, &Map::new().into()))
        .collect();
    for (path, default) in setting_values(&settings) {
        let Some(found) = get(file, &path) else { continue };
        let mut wrong = Vec::new();
        match used(found, &path, &mut wrong).and_then(|used| with(&settings, &path, used)) {
            Some(better) => {
                settings = better;
                problems.extend(wrong);
            }
            None => problems.push(problem(path.join("."), found, &default)),
        }
    }
    (settings, problems)
}

/// The valid part of a value in the file.
fn used(found: &Value, path: &[String], problems: &mut Vec<SettingProblem>) -> Option<Value> {
    let fits = |value| with(&Settings::default(), path, value).is_some();
    keep_usable(&path.join("."), found, &fits, problems)
}

/// Writes only the differences between two settings into `file`: a value that equals the default is removed,
/// and unchanged values stay as they are written, even invalid ones.
pub(super) fn write(file: &mut Map<String, Value>, before: &Settings, after: &Settings) {
    let changes = setting_values(before)
        .into_iter()
        .zip(setting_values(after))
        .zip(setting_values(&Settings::default()));
    for (((path, before), (_, after)), (_, default)) in changes {
        if before == after {
            continue;
        }
        let value = with_invalid_entries(file, &path, &before, after);
        set(file, &path, (value != default).then_some(value));
    }
}

/// `now` with the differences between two others.
pub(super) fn apply_difference(
    now: &Settings,
    before: &Settings,
    after: &Settings,
) -> Option<Settings> {
    let Ok(Value::Object(mut all)) = serde_json::to_value(now) else { return None };
    for ((path, before), (_, after)) in
        setting_values(before).into_iter().zip(setting_values(after))
    {
        if before != after {
            set(&mut all, &path, Some(after));
        }
    }
    serde_json::from_value(Value::Object(all)).ok()
}

/// Every setting with its path and value.
pub(super) fn setting_values(settings: &Settings) -> Vec<(Vec<String>, Value)> {
    let Ok(Value::Object(all)) = serde_json::to_value(settings) else { return Vec::new() };
    let mut leaves = Vec::new();
    for (key, value) in all {
        match value {
            Value::Object(section) if SECTIONS.contains(&key.as_str()) => {
                let inner = section.into_iter();
                leaves.extend(inner.map(|(name, value)| (vec![key.clone(), name], value)));
            }
            value => leaves.push((vec![key], value)),
        }
    }
    leaves
}

/// The settings with one value changed; `None`: that value is of the wrong type or out of range.
fn with(settings: &Settings, path: &[String], value: Value) -> Option<Settings> {
    let Ok(Value::Object(mut all)) = serde_json::to_value(settings) else { return None };
    set(&mut all, path, Some(value));
    let settings: Settings = serde_json::from_value(Value::Object(all)).ok()?;
    settings.is_usable().then_some(settings)
}

/// A changed value with the invalid entries of the file, so that a change of one entry loses no other.
fn with_invalid_entries(
    file: &Map<String, Value>,
    path: &[String],
    before: &Value,
    mut after: Value,
) -> Value {
    if let Some(found) = get(file, path) {
        let used = used(found, path, &mut Vec::new());
        restore_unusable(found, used.as_ref(), Some(before), &mut after);
    }
    after
}

pub(super) fn problem(key: String, found: &Value, used: &Value) -> SettingProblem {
    let found = match found {
        Value::Array(_) => "[…]".to_owned(),
        Value::Object(_) => "{…}".to_owned(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            found.to_string().chars().take(MAX_DISPLAYED).collect()
        }
    };
    SettingProblem { key, found, used: used.to_string() }
}

fn get<'a>(file: &'a Map<String, Value>, path: &[String]) -> Option<&'a Value> {
    let (first, rest) = path.split_first()?;
    rest.iter().try_fold(file.get(first)?, |value, key| value.get(key))
}

fn set(file: &mut Map<String, Value>, path: &[String], value: Option<Value>) {
    match (path, value) {
        ([key], Some(value)) => {
            file.insert(key.clone(), value);
        }
        ([key], None) => {
            file.shift_remove(key);
        }
        ([section, rest @ ..], value) => {
            let inner = file.entry(section.clone()).or_insert_with(|| Map::new().into());
            if !inner.is_object() && value.is_some() {
                *inner = Map::new().into();
            }
            if let Value::Object(inner) = inner {
                set(inner, rest, value);
            }
            if file.get(section).and_then(Value::as_object).is_some_and(Map::is_empty) {
                file.shift_remove(section);
            }
        }
        ([], _) => {}
    }
}
