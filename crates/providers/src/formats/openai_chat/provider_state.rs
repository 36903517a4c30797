//! Opaque data that servers of this format expect back with tool calls: Google's signature beside a
//! call (`extra_content`), and OpenRouter's `reasoning_details` before the calls. Without it Gemini
//! rejects the request after a call, and other models reason again.
//!
//! It is sent only to the address and model that it came from. Not here: reasoning as text
//! (`reasoning_content`).

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Identifies data of this format, so that other formats never send it.
pub(crate) const SIGNED: &str = "chat:";

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct ProviderState {
    /// Of this call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) extra_content: Option<Value>,
    /// Of this call and those in the same reply.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) reasoning_details: Vec<Value>,
}

impl ProviderState {
    /// The data as it is stored; `None` if there is none. `origin` names the address and the model.
    pub(super) fn encode(&self, origin: &str) -> Option<String> {
        let holds = *self != Self::default();
        let json = serde_json::to_string(self).ok().filter(|_| holds)?;
        Some(format!("{SIGNED}{origin}:{json}"))
    }

    /// The stored data, if it has the same origin.
    pub(super) fn decode(signature: Option<&str>, origin: &str) -> Self {
        let json = || signature?.strip_prefix(SIGNED)?.strip_prefix(origin)?.strip_prefix(':');
        json().and_then(|json| serde_json::from_str(json).ok()).unwrap_or_default()
    }
}

/// Appends a fragment of `reasoning_details`: text continues that of the same entry, everything
/// else is kept as it is.
pub(super) fn append_fragment(details: &mut Vec<Value>, fragment: &Value) {
    let Some(new) = fragment.as_object() else { return };
    let last = details.last_mut().and_then(Value::as_object_mut);
    match last.filter(|last| continues(last, new)) {
        Some(last) => {
            for (name, value) in new.iter().filter(|(_, value)| !value.is_null()) {
                match (WORDS.contains(&name.as_str()), last.get_mut(name), value.as_str()) {
                    (true, Some(Value::String(words)), Some(more)) => words.push_str(more),
                    _ => {
                        last.insert(name.clone(), value.clone());
                    }
                }
            }
        }
        None => details.push(fragment.clone()),
    }
}

/// The fields of an entry that arrive in fragments.
const WORDS: [&str; 2] = ["text", "summary"];

fn continues(last: &Map<String, Value>, new: &Map<String, Value>) -> bool {
    let same = |name: &str| last.get(name) == new.get(name);
    let in_words = |entry: &Map<String, Value>| WORDS.iter().any(|name| entry.contains_key(*name));
    same("type") && same("index") && in_words(last) && !last.contains_key("data")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_was_kept_goes_back_only_where_it_came_from() {
        let extra_content = Some(json!({ "google": { "thought_signature": "abc" } }));
        let kept = ProviderState { extra_content, reasoning_details: Vec::new() };
        let sealed = kept.encode("here").unwrap();
        assert_eq!(ProviderState::decode(Some(&sealed), "here"), kept);
        assert_eq!(ProviderState::decode(Some(&sealed), "there"), ProviderState::default());
        assert_eq!(ProviderState::decode(Some("gemini:abc"), "here"), ProviderState::default());
        assert_eq!(ProviderState::default().encode("here"), None);
    }

    #[test]
    fn words_that_come_in_fragments_become_one_entry_and_sealed_ones_stay_apart() {
        let mut details = Vec::new();
        for fragment in [
            json!({ "type": "reasoning.text", "text": "I ", "index": 0, "format": "f" }),
            json!({ "type": "reasoning.text", "text": "look.", "index": 0 }),
            json!({ "type": "reasoning.text", "signature": "s", "index": 0 }),
            json!({ "type": "reasoning.encrypted", "data": "a", "index": 1 }),
            json!({ "type": "reasoning.encrypted", "data": "b", "index": 1 }),
        ] {
            append_fragment(&mut details, &fragment);
        }
        assert_eq!(
            details,
            [
                json!({ "type": "reasoning.text", "text": "I look.", "index": 0, "format": "f",
                        "signature": "s" }),
                json!({ "type": "reasoning.encrypted", "data": "a", "index": 1 }),
                json!({ "type": "reasoning.encrypted", "data": "b", "index": 1 }),
            ]
        );
    }
}
