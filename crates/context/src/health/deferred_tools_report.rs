//! The deferred tools beside the rows of the breakdown: what was not loaded, and what that saves.
//!
//! Not here: which tools are deferred (`window::deferred_tools`), or prices (`cost`).

use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use skein_domain::tool_declaration::{CALL_TOOL, DESCRIBE_TOOL};
use specta::Type;

use super::breakdown::{BreakdownPart, largest_first, named};
use crate::cost::estimate::CostEstimate;
use crate::tokens::message_tokens::saturating_sum;
use crate::window::{CountedTool, Window, described_tool};

/// The tools of a request whose declarations are loaded on demand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct DeferredToolsReport {
    /// Tools whose description is in the conversation, with the tokens of their declarations, largest first.
    pub loaded: Vec<BreakdownPart>,
    /// The other ones, of which the request has the name and one line.
    pub not_loaded: Vec<BreakdownPart>,
    /// Tokens that the request would have more if all of them were declared. A lower bound for a provider
    /// with deferred tools of its own: its requests have no `call_tool`, which is subtracted here.
    pub saved: u32,
    /// The cost of these tokens in the next request: from the provider's cache at least, read anew at most.
    /// `None`: it was not estimated.
    pub saved_cost: Option<CostEstimate>,
}

/// The deferred tools of a window; `None`: there are none.
pub(super) fn deferred_tools(window: &Window<'_>) -> Option<DeferredToolsReport> {
    let prefix = window.conversation.prefix;
    if prefix.deferred.tools.is_empty() {
        return None;
    }
    let sent = window.entries.iter().filter_map(|entry| entry.content.as_path_message());
    let results = sent.flat_map(|sent| sent.results(prefix.fixed));
    let (names, described): (HashSet<_>, Vec<_>) =
        results.filter_map(|(call, tokens)| Some((described_tool(call)?, tokens))).unzip();
    let (loaded, not_loaded): (Vec<_>, Vec<_>) =
        prefix.deferred.tools.iter().partition(|tool| names.contains(&tool.declaration.name));
    let parts = |tools: Vec<&CountedTool>| {
        largest_first(tools.into_iter().map(|tool| named(&tool.declaration.name, tool.tokens)))
    };
    let declared = prefix
        .tools
        .iter()
        .filter(|tool| [DESCRIBE_TOOL, CALL_TOOL].contains(&tool.declaration.name.as_str()));
    let instead = declared.map(|tool| tool.tokens).chain(described);
    let all = saturating_sum(prefix.deferred.tools.iter().map(|tool| tool.tokens));
    Some(DeferredToolsReport {
        loaded: parts(loaded),
        not_loaded: parts(not_loaded),
        saved: all.saturating_sub(saturating_sum(instead)),
        saved_cost: None,
    })
}
