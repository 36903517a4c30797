//! What a server of this format wants back with its model's calls, word for word: beside each a
//! signature of Google's (`extra_content`), before them OpenRouter's account of the thoughts that led
//! to them (`reasoning_details`). Without it Gemini refuses the request after a call, and others think
//! anew.
//!
//! It goes back only to the address and the model that it came from. Not here: reasoning that is words
//! (`reasoning_content`).

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Marks signatures as ours, so that another format's are never sent here.
pub(crate) const SIGNED: &str = "chat:";

/// What came with a call.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct ProviderState {
    /// Beside this call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) extra_content: Option<Value>,
    /// Before this call and those made with it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) reasoning_details: Vec<Value>,
}

impl ProviderState {
    /// As it is stored; `None`: there is nothing. `origin` names the address and the model.
    pub(super) fn encode(&self, origin: &str) -> Option<String> {
        let holds = *self != Self::default();
        let json = serde_json::to_string(self).ok().filter(|_| holds)?;
        Some(format!("{SIGNED}{origin}:{json}"))
    }

    /// What is stored, where it came from there.
    pub(super) fn decode(signature: Option<&str>, origin: &str) -> Self {
        let json = || signature?.strip_prefix(SIGNED)?.strip_prefix(origin)?.strip_prefix(':');
        json().and_then(|json| serde_json::from_str(json).ok()).unwrap_or_default()
    }
}

/// Takes in a fragment of the account: words follow those of the same entry, all else is as it came.
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

/// What of an entry comes in fragments.
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
