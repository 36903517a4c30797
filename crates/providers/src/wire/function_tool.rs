//! A tool declaration in OpenAI's form, which other formats share.

use serde::Serialize;
use serde_json::Value;
use skein_domain::tool_declaration::ToolDeclaration;

#[derive(Serialize)]
pub(crate) struct FunctionTool<'a> {
    r#type: &'static str,
    function: FunctionDeclaration<'a>,
}

#[derive(Serialize)]
struct FunctionDeclaration<'a> {
    name: &'a str,
    description: &'a str,
    parameters: &'a Value,
}

/// The declarations in that form, in order.
pub(crate) fn function_tools(tools: &[ToolDeclaration]) -> Vec<FunctionTool<'_>> {
    let functions = tools.iter().map(|tool| {
        let ToolDeclaration { name, description, parameters, family: _ } = tool;
        let function = FunctionDeclaration { name, description, parameters };
        FunctionTool { r#type: "function", function }
    });
    functions.collect()
}
