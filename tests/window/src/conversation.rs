//! Builds long conversations as export files, which Skein imports.

use serde_json::{Value, json};

/// A conversation in Skein's export format: user and demo model in turn.
pub fn exported(title: &str, messages: u32, words: impl Fn(u32) -> String) -> Value {
    let messages: Vec<Value> = (1..=messages)
        .map(|id| {
            let person = id % 2 == 1;
            json!({
                "id": id, "threadId": 1, "parentId": (id > 1).then(|| id - 1),
                "kind": { "type": "chat" },
                "role": if person { "user" } else { "assistant" },
                "origin": if person { "person" } else { "model" },
                "parts": [{ "type": "text", "text": words(id) }],
                "state": { "type": "complete" }, "pinned": false, "model": null,
                "createdAt": 1_760_000_000_000_u64 + u64::from(id) * 1_000,
            })
        })
        .collect();
    let last = messages.len();
    json!({
        "format": "skein-conversation", "version": 1, "exportedAt": 1_760_000_000_000_u64,
        "conversation": {
            "session": {
                "id": 1, "title": title, "pinned": false, "currentThread": 1, "model": null,
                "overrides": {}, "createdAt": 1_760_000_000_000_u64,
                "updatedAt": 1_770_000_000_000_u64,
            },
            "threads": [{
                "thread": {
                    "id": 1, "sessionId": 1, "number": 1, "leaf": last,
                    "beginning": { "type": "first" },
                    "createdAt": 1_760_000_000_000_u64, "endedAt": null,
                },
                "messages": messages,
            }],
        }
    })
}
