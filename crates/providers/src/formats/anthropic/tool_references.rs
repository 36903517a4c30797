//! Anthropic's deferred tools: a reference in a tool result declares the tool that it names.
//!
//! <https://platform.claude.com/docs/en/agents-and-tools/tool-use/tool-search-tool>

use skein_context::window::{Prompt, described_tool};
use skein_domain::message::ToolCall;

use super::generations::generation;

/// The deferred tool that the result of a call refers to; `None`: the result is sent as it is.
pub(super) fn referenced_tool<'a>(call: &ToolCall, prompt: &'a Prompt) -> Option<&'a str> {
    let name = described_tool(call)?;
    prompt.deferred.iter().map(|tool| tool.name.as_str()).find(|tool| *tool == name)
}

/// True if a Claude model takes references, since generation 4.5.
pub(super) fn has_tool_references(model: &str) -> bool {
    generation(model) >= (4, 5)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_since_4_5_take_references() {
        for (model, expected) in [
            ("claude-sonnet-4-5-20250929", true),
            ("claude-opus-4-6", true),
            ("claude-sonnet-5-5", true),
            ("anthropic/claude-haiku-4.5", true),
            ("claude-fable-5", true),
            ("claude-sonnet-4-20250514", false),
            ("claude-opus-4-1-20250805", false),
            ("claude-3-7-sonnet-20250219", false),
            ("glm-5", false),
        ] {
            assert_eq!(has_tool_references(model), expected, "{model}");
        }
    }
}
