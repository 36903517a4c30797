//! Anthropic's own compaction on demand: a request in whose place of a reply comes a summary.
//!
//! The reply is one block of readable text with a signature. Only the text is kept. The block could be sent
//! back in its place, with this header in every later request; the model reads the same text then, and
//! neither price nor cache differ. It would keep the reasoning of later turns valid, which Skein sends back
//! only while the tools of a turn run.
//!
//! <https://platform.claude.com/docs/en/build-with-claude/compaction-on-demand>

use serde::Serialize;
use serde_json::{Map, Value};
use skein_context::summary::ProviderCompaction;

use super::generations::generation;
use crate::wire::wire_format::Header;

/// The header of a request for a compaction.
pub(super) const BETA: Header = ("anthropic-beta", "compact-2026-09-04");

/// The user's extra fields without those that the provider rejects in a request for a compaction.
pub(super) fn accepted_fields(fields: &Map<String, Value>) -> Map<String, Value> {
    let mut fields = fields.clone();
    fields.retain(|name, value| match name.as_str() {
        "context_management" | "stop_sequences" => false,
        "tool_choice" => !matches!(value["type"].as_str(), Some("any" | "tool")),
        _ => true,
    });
    if let Some(Value::Object(output)) = fields.get_mut("output_config") {
        output.remove("format");
        if let Some(Value::Object(budget)) = output.get_mut("task_budget") {
            budget.remove("remaining");
        }
    }
    fields
}

/// The parameter that asks for a compaction.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum CompactionParam<'a> {
    Summarize {
        /// In place of the prompt of the provider.
        #[serde(skip_serializing_if = "Option::is_none")]
        instructions: Option<&'a str>,
    },
}

impl<'a> From<&'a ProviderCompaction> for CompactionParam<'a> {
    fn from(asked: &'a ProviderCompaction) -> Self {
        Self::Summarize { instructions: asked.instructions.as_deref() }
    }
}

/// True if a Claude model can be asked for a compaction, since generation 4.6.
pub(super) fn has_compaction(model: &str) -> bool {
    generation(model) >= (4, 6) || model.ends_with("claude-mythos-preview")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn w05_only_the_fields_that_a_compaction_rejects_are_removed() {
        let accepted = |fields: Value| Value::Object(accepted_fields(fields.as_object().unwrap()));
        let fields = json!({
            "stop_sequences": ["a"], "context_management": {}, "tool_choice": { "type": "any" },
            "output_config": {
                "effort": "low", "format": {}, "task_budget": { "total": 9, "remaining": 5 },
            },
        });
        let expected =
            json!({ "output_config": { "effort": "low", "task_budget": { "total": 9 } } });
        assert_eq!(accepted(fields), expected);
        let harmless =
            json!({ "tool_choice": { "type": "none" }, "service_tier": "standard_only" });
        assert_eq!(accepted(harmless.clone()), harmless);
    }

    #[test]
    fn models_since_4_6_can_be_asked_for_a_compaction() {
        for (model, expected) in [
            ("claude-opus-4-6", true),
            ("claude-sonnet-5-5", true),
            ("claude-fable-5", true),
            ("claude-mythos-preview", true),
            ("claude-haiku-4-5-20251001", false),
            ("claude-opus-4-1-20250805", false),
            ("claude-sonnet-4-20250514", false),
            ("claude-3-7-sonnet-20250219", false),
        ] {
            assert_eq!(has_compaction(model), expected, "{model}");
        }
    }
}
