//! Deferred tools: the model knows their names and one line each, and reads a description when it wants one.
//!
//! The list and the two tools that lead to the others are declared, and never change while the conversation
//! grows. Not here: how a wire format defers a tool (`skein-providers`), or the two tools (`skein-tools`).

use std::collections::HashSet;

use serde_json::Value;
use skein_domain::message::{ToolCall, ToolState};
use skein_domain::tool_declaration::{CALL_TOOL, DESCRIBE_TOOL, ToolDeclaration, ToolLoading};

use super::prefix::CountedTool;
use crate::limits::Limits;
use crate::tokens::message_tokens::Tokenizer;

/// Declarations that may wait are deferred if they take more than the window divided by this.
const WINDOW_SHARE: u32 = 10;

/// True if the tools that may wait are deferred. `tokens` are those of their declarations, and come from a
/// count that no report changes: the same conversation gives the same request (law 9). An unknown window
/// defers nothing by itself (law 2).
pub fn defers_tools(loading: ToolLoading, tokens: u32, limits: Limits) -> bool {
    match loading {
        ToolLoading::OnDemand => true,
        ToolLoading::Declared => false,
        ToolLoading::Automatic => {
            limits.max_prompt().is_some_and(|prompt| tokens > prompt / WINDOW_SHARE)
        }
    }
}

/// The deferred tools of a session.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DeferredTools {
    /// The deferred tools, each with the tokens that its declaration would take.
    pub tools: Vec<CountedTool>,
    names: HashSet<String>,
    /// Tokens of the frame around the arguments of a call.
    frame: u32,
}

impl DeferredTools {
    /// Counts the declarations of deferred tools.
    pub(super) fn count(
        counter: &impl Tokenizer,
        tools: impl IntoIterator<Item = ToolDeclaration>,
    ) -> Self {
        let tools: Vec<_> = tools.into_iter().map(|it| CountedTool::new(counter, it)).collect();
        let frame = counter.text(CALL_TOOL);
        let frame = frame.saturating_add(counter.text(r#"{"name":"","arguments":}"#));
        let names = tools.iter().map(|tool| tool.declaration.name.clone()).collect();
        Self { frame: if tools.is_empty() { 0 } else { frame }, tools, names }
    }

    /// Tokens that a call has more because its tool is deferred.
    pub(super) fn frame_tokens(&self, call: &ToolCall) -> u32 {
        if self.names.contains(&call.name) { self.frame } else { 0 }
    }
}

/// The tool that a call of `describe_tool` has read; `None`: it is another call, or it read nothing.
pub fn described_tool(call: &ToolCall) -> Option<String> {
    let is_read = matches!(&call.state, ToolState::Done { output } if !output.withheld);
    if call.name != DESCRIBE_TOOL || !is_read {
        return None;
    }
    let args: Value = serde_json::from_str(&call.args).ok()?;
    Some(args.get("name")?.as_str()?.to_owned())
}
