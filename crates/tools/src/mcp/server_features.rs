//! Lists the tools, prompts and resources of a server, within limits. The settings show what is
//! left out.
//!
//! Not here: when (`server`).

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use rmcp::RoleClient;
use rmcp::model::{PaginatedRequestParams, Prompt, Resource, Tool};
use rmcp::service::{Peer, ServiceError};
use serde_json::Value;

use super::McpServerError;
use super::consent::tool_fingerprint;
use super::errors::classify;
use super::server_log::ServerLog;
use crate::error_chain::error_chain;
use crate::mcp::tool::schema_normalizer::{NormalizedSchema, normalize_schema};
use crate::mcp::tool::tool_names::tool_description;
use crate::output_truncation;

const LIST_TIMEOUT: Duration = Duration::from_secs(30);
/// The limit of entries in a list.
const MAX_LISTED: usize = 1_000;

/// The limit of a server's instructions, and of unsupported schema parts, in characters. They are
/// sent with every request.
const MAX_INSTRUCTIONS: u32 = 4_000;

/// The limit of a tool's description, in characters.
const MAX_DESCRIPTION: u32 = 8_000;
/// The limit of a tool's schema, in bytes. A schema cannot be truncated, so a tool with a larger
/// one is not declared.
const MAX_SCHEMA: usize = 128 * 1024;
/// The limit of all tools of a server, in bytes. The last tools beyond it are not declared.
const MAX_TOTAL: usize = 400 * 1024;

#[derive(Clone)]
pub(super) struct ListedTool {
    /// As it is declared, except for its name.
    pub tool: Tool,
    /// The fingerprint of the tool as the server sent it ([`super::consent::tool_fingerprint`]).
    pub fingerprint: String,
}

#[derive(Clone, Default)]
pub(super) struct ServerFeatures {
    pub tools: Vec<ListedTool>,
    /// Tools that are not declared because they are too long, by the server's names.
    pub too_long: Vec<String>,
    /// Tools with a truncated description.
    pub shortened: Vec<String>,
    pub prompts: Vec<Prompt>,
    pub resources: Vec<Resource>,
    /// The server's instructions for the model.
    pub instructions: Option<String>,
}

impl ServerFeatures {
    /// Lists everything. Tools are required; if another list fails, the earlier one stays and the
    /// log gets a line.
    pub async fn fetch(
        peer: &Peer<RoleClient>,
        before: Self,
        log: &ServerLog,
    ) -> Result<Self, McpServerError> {
        let info = peer.peer_info();
        let can = info.as_ref().map(|info| info.capabilities.clone()).unwrap_or_default();
        let instructions = info.and_then(|info| info.instructions.clone());
        let (tools, prompts, resources) = tokio::join!(
            listed(can.tools.is_some(), log, "tools/list", move |page| async move {
                let listed = peer.list_tools(page).await?;
                Ok((listed.tools, listed.next_cursor))
            }),
            listed(can.prompts.is_some(), log, "prompts/list", move |page| async move {
                let listed = peer.list_prompts(page).await?;
                Ok((listed.prompts, listed.next_cursor))
            }),
            listed(can.resources.is_some(), log, "resources/list", move |page| async move {
                let listed = peer.list_resources(page).await?;
                Ok((listed.resources, listed.next_cursor))
            }),
        );
        let mut tools = tools?;
        // Servers may list in a different order each time; the declarations must stay the same.
        tools.sort_by(|a, b| a.name.cmp(&b.name));
        let mut prompts = or_as_before("prompts/list", prompts, before.prompts, log);
        let mut resources = or_as_before("resources/list", resources, before.resources, log);
        dedup_and_limit(&mut tools, |tool| tool.name.clone().into_owned());
        dedup_and_limit(&mut prompts, |prompt| prompt.name.clone());
        dedup_and_limit(&mut resources, |resource| resource.uri.clone());
        let instructions = instructions
            .filter(|text| !text.trim().is_empty())
            .map(|text| output_truncation::truncate_with_note(text.trim(), MAX_INSTRUCTIONS));
        Ok(Self { prompts, resources, instructions, ..declared(tools) })
    }
}

/// The tools that fit into the limits.
fn declared(listed: Vec<Tool>) -> ServerFeatures {
    let mut declared = ServerFeatures::default();
    let mut room = MAX_TOTAL;
    for tool in listed {
        let name = tool.name.clone().into_owned();
        let is_short = output_truncation::char_count(&tool_description(&tool)) <= MAX_DESCRIPTION;
        let fitting = size(&tool.input_schema) <= MAX_SCHEMA;
        let offered = fitting
            .then(|| ListedTool { fingerprint: tool_fingerprint(&tool), tool: declarable(tool) });
        let fitting_tool = offered.and_then(|offered| {
            let schema = size(&offered.tool.input_schema);
            let all = schema + tool_description(&offered.tool).len();
            room = room.checked_sub(all).filter(|_| schema <= MAX_SCHEMA)?;
            Some(offered)
        });
        match fitting_tool {
            Some(offered) => {
                if !is_short {
                    declared.shortened.push(name);
                }
                declared.tools.push(offered);
            }
            None => declared.too_long.push(name),
        }
    }
    declared
}

fn size(schema: &rmcp::model::JsonObject) -> usize {
    serde_json::to_string(schema).map_or(usize::MAX, |text| text.len())
}

/// A tool with a schema that every provider accepts.
fn declarable(mut tool: Tool) -> Tool {
    let NormalizedSchema { schema, unsupported } = normalize_schema(&tool.input_schema);
    let description =
        output_truncation::truncate_with_note(&tool_description(&tool), MAX_DESCRIPTION);
    if let Some(beside) = unsupported {
        let beside = output_truncation::truncate_with_note(
            &Value::Object(beside).to_string(),
            MAX_INSTRUCTIONS,
        );
        let with_schema = format!("{description}\n\nThis holds for the arguments, too: {beside}");
        tool.description = Some(with_schema.trim_start().to_owned().into());
    } else if !description.is_empty() {
        tool.description = Some(description.into());
    }
    tool.input_schema = Arc::new(schema);
    tool
}

/// Removes duplicates, and entries beyond the limit.
fn dedup_and_limit<T>(list: &mut Vec<T>, name: impl Fn(&T) -> String) {
    let mut names = BTreeSet::new();
    list.retain(|one| names.insert(name(one)));
    list.truncate(MAX_LISTED);
}

/// One list of a server, if it supports it. After the time limit, the entries that have arrived
/// count, if there are any.
async fn listed<T, P: Future<Output = ListPage<T>>>(
    has: bool,
    log: &ServerLog,
    list: &str,
    page: impl Fn(Option<PaginatedRequestParams>) -> P,
) -> Result<Vec<T>, McpServerError> {
    let mut listed = Vec::new();
    if !has {
        return Ok(listed);
    }
    let late = || McpServerError::TimedOut { seconds: LIST_TIMEOUT.as_secs() as u32 };
    match tokio::time::timeout(LIST_TIMEOUT, read_pages(page, &mut listed)).await {
        Ok(Ok(())) => Ok(listed),
        Ok(Err(error)) => {
            let detail = error_chain(&error);
            Err(classify(&error)
                .sign_in_error(&detail)
                .unwrap_or(McpServerError::Protocol { detail }))
        }
        Err(_) if listed.is_empty() => Err(late()),
        Err(_) => {
            log.list_failed(list, &late());
            Ok(listed)
        }
    }
}

/// One page of a list, and the cursor of the next; `None`: it was the last.
type ListPage<T> = Result<(Vec<T>, Option<String>), ServiceError>;

/// Reads page after page. Some servers return the same cursor for ever, so a repeated one ends the
/// list.
async fn read_pages<T, P: Future<Output = ListPage<T>>>(
    page: impl Fn(Option<PaginatedRequestParams>) -> P,
    listed: &mut Vec<T>,
) -> Result<(), ServiceError> {
    let mut seen = BTreeSet::new();
    let mut next = None;
    loop {
        let at = next.map(|cursor| PaginatedRequestParams::default().with_cursor(Some(cursor)));
        let (items, after) = page(at).await?;
        listed.extend(items);
        match after.filter(|cursor| seen.insert(cursor.clone()) && listed.len() < MAX_LISTED) {
            Some(cursor) => next = Some(cursor),
            None => return Ok(()),
        }
    }
}

fn or_as_before<T>(
    list: &str,
    listed: Result<Vec<T>, McpServerError>,
    before: Vec<T>,
    log: &ServerLog,
) -> Vec<T> {
    listed.unwrap_or_else(|fault| {
        log.list_failed(list, &fault);
        before
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn tool(name: &str, description: usize, schema: usize) -> Tool {
        let schema = json!({ "type": "object", "description": "s".repeat(schema) });
        let tool =
            json!({ "name": name, "description": "d".repeat(description), "inputSchema": schema });
        serde_json::from_value(tool).unwrap()
    }

    #[test]
    fn what_tools_are_described_by_has_a_limit_each_and_in_sum() {
        let short = tool("short", 10, 10);
        let long = tool("long", 1_000_000, 10);
        let wide = tool("wide", 10, 1_000_000);
        let declared = super::declared(vec![long, short, wide]);
        let names: Vec<&str> =
            declared.tools.iter().map(|offered| offered.tool.name.as_ref()).collect();
        assert_eq!(names, ["long", "short"]);
        assert_eq!(
            (declared.shortened, declared.too_long),
            (vec!["long".to_owned()], vec!["wide".to_owned()])
        );

        let many = (0..100).map(|n| tool(&format!("t{n:02}"), 7_000, 20_000)).collect();
        let declared = super::declared(many);
        let all: usize = declared
            .tools
            .iter()
            .map(|ListedTool { tool, .. }| tool_description(tool).len() + size(&tool.input_schema))
            .sum();
        assert!(all <= MAX_TOTAL && all > MAX_TOTAL / 2, "{all}");
        assert_eq!(declared.tools.len() + declared.too_long.len(), 100);
        assert_eq!(declared.too_long.last().map(String::as_str), Some("t99"));
    }
}
