//! `describe_tool` and `call_tool`: the way to tools that are not declared.
//!
//! Not here: which tools are deferred (`context::window`), or how a request writes their calls
//! (`providers`).

use std::sync::Arc;

use async_trait::async_trait;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use skein_domain::tool_declaration::{CALL_TOOL, DESCRIBE_TOOL, ToolDeclaration, ToolFamily};

use super::declare::declare;
use crate::{Tool, ToolEffect, ToolInvocation, ToolOutcome, output_truncation, parse_args};

/// Characters of a tool's line behind its name.
const LINE_CHARS: u32 = 120;

/// The line that stands for a deferred tool: its name, and the beginning of its description.
pub fn tool_line(tool: &ToolDeclaration) -> String {
    let description: Vec<&str> = tool.description.split_whitespace().collect();
    let description = output_truncation::truncate_end(&description.join(" "), LINE_CHARS);
    if description.is_empty() {
        format!("- {}", tool.name)
    } else {
        format!("- {}: {description}", tool.name)
    }
}

/// Gives the model a deferred tool's declaration.
pub(crate) struct DescribeTool {
    /// The deferred tools, in the order of their lines.
    pub tools: Arc<[ToolDeclaration]>,
}

#[derive(Deserialize, JsonSchema)]
struct DescribeArgs {
    name: String,
}

#[async_trait]
impl Tool for DescribeTool {
    fn declaration(&self) -> ToolDeclaration {
        let head = include_str!("descriptions/describe_tool.md").trim_end();
        let lines = self.tools.iter().map(|tool| format!("\n{}", tool_line(tool)));
        let description = lines.fold(head.to_owned(), |text, line| text + &line);
        let tool = declare::<DescribeArgs>(DESCRIBE_TOOL, &description);
        ToolDeclaration { family: ToolFamily::Mcp, ..tool }
    }

    fn effect(&self, _args: &Value) -> ToolEffect {
        ToolEffect::ReadOnly
    }

    async fn run(&self, call: ToolInvocation) -> ToolOutcome {
        parse_args(&call.args)
            .and_then(|DescribeArgs { name }| {
                let tool = self.tools.iter().find(|tool| tool.name == name);
                let ToolDeclaration { name, description, parameters, .. } =
                    tool.ok_or_else(|| format!("The list has no tool named {name}."))?;
                let tool =
                    json!({ "name": name, "description": description, "arguments": parameters });
                Ok(tool.to_string())
            })
            .into()
    }
}

/// The declaration through which the model calls deferred tools. The named tool runs instead of this one,
/// which runs only if a call names no deferred tool.
pub(crate) struct CallTool;

#[derive(JsonSchema)]
#[expect(dead_code, reason = "only the schema is used: the call of the named tool is what runs")]
struct CallArgs {
    name: String,
    #[schemars(extend("type" = "object"))]
    arguments: Value,
}

#[async_trait]
impl Tool for CallTool {
    fn declaration(&self) -> ToolDeclaration {
        let tool = declare::<CallArgs>(CALL_TOOL, include_str!("descriptions/call_tool.md"));
        ToolDeclaration { family: ToolFamily::Mcp, ..tool }
    }

    fn effect(&self, _args: &Value) -> ToolEffect {
        ToolEffect::ReadOnly
    }

    async fn run(&self, call: ToolInvocation) -> ToolOutcome {
        let name = call.args.get("name").and_then(Value::as_str).unwrap_or_default();
        if name.is_empty() {
            return ToolOutcome::failed(
                "This call names no tool. Give its name as \"name\" and its arguments as an \
                 object, \"arguments\". Nothing was done.",
            );
        }
        ToolOutcome::failed(format!(
            "The list has no tool named {name}. A tool that is declared by its own name is called \
             by that name. Nothing was done."
        ))
    }
}
