//! An MCP tool behind the `Tool` trait.

use std::sync::Arc;

use async_trait::async_trait;
use serde_json::Value;
use skein_domain::ids::GrantKey;
use skein_domain::tool_declaration::{ToolDeclaration, ToolFamily};

use super::tool_names::tool_description;
use crate::mcp::McpToolInfo;
use crate::mcp::consent::{tool_grant, tool_grant_with_fingerprint};
use crate::mcp::server::McpServer;
use crate::{ApprovalPreview, Tool, ToolEffect, ToolInvocation, ToolOutcome};

pub(crate) struct McpTool {
    pub server: Arc<McpServer>,
    /// The declared name.
    pub name: String,
    pub tool: rmcp::model::Tool,
    /// The fingerprint of the tool as the server sent it.
    pub fingerprint: String,
}

impl McpTool {
    pub fn info(&self) -> McpToolInfo {
        McpToolInfo {
            name: self.name.clone(),
            tool: self.tool.name.clone().into_owned(),
            title: self.tool.title.clone(),
            description: tool_description(&self.tool),
        }
    }
}

#[async_trait]
impl Tool for McpTool {
    fn declaration(&self) -> ToolDeclaration {
        ToolDeclaration {
            name: self.name.clone(),
            description: tool_description(&self.tool),
            parameters: Value::Object((*self.tool.input_schema).clone()),
            family: ToolFamily::Mcp,
        }
    }

    /// Unknown, whatever the server's annotations claim about the tool.
    fn effect(&self, _args: &Value) -> ToolEffect {
        ToolEffect::ReachesOut
    }

    fn grant(&self, _args: &Value) -> GrantKey {
        tool_grant_with_fingerprint(
            &tool_grant(self.server.name(), &self.tool.name),
            &self.fingerprint,
        )
    }

    fn grant_by_name(&self) -> Option<GrantKey> {
        Some(tool_grant(self.server.name(), &self.tool.name))
    }

    async fn preview(&self, args: &Value) -> Result<Option<ApprovalPreview>, String> {
        Ok(Some(ApprovalPreview::Foreign {
            server: self.server.name().to_owned(),
            args: serde_json::to_string_pretty(args).unwrap_or_default(),
            changed: false,
        }))
    }

    async fn run(&self, call: ToolInvocation) -> ToolOutcome {
        let Value::Object(args) = call.args else {
            return ToolOutcome::failed("The arguments are not a JSON object.");
        };
        self.server.call(&self.tool.name, args, call.cancel, call.progress).await
    }
}
